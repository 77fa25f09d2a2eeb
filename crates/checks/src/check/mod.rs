//! Answers one check of a model: lowers each of its instances, asks the strategy, and audits the runs.
//!
//! In this crate, an instance is one choice of the parameter values and the graph of the network.

mod every;
mod every_argument;
mod every_claims;
mod every_large;
mod every_sought;
pub(crate) mod families;

use crate::call::limits::{Limits, Watcher};
use crate::call::load::Loaded;
use crate::call::options::Options;
use crate::call::refused::refused;
use crate::call::watchdog::{self, Watched};
use crate::check::families::{agree, is_decided, requests};
use crate::results::audited_run::AuditedRun;
use crate::results::contradiction::{CheckError, Contradicted};
use crate::results::proof_file::Proof;
use bounds::Oracle;
use cancellation::Cancelled;
use lower::{Lowered, Request};
use model::{Constant, Question as Asks};
use source::{Diagnostic, codes};
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use strategy::{About, Attempt, Lemmas, Log, Method};
use verdict::{Answer, Budget, Defect, Progress, Question, Reason, Refusal, Report, Spent};

/// One question of a check: a claim, or a condition of `possible`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The text of the claim with its arguments, or of the condition, as in the model.
    pub text: String,
    /// Whether the question is `possible` (true) or a claim (false).
    pub possible: bool,
    /// For `least` and `greatest`: the text of the searched value, and whether the greatest value is searched (true) or
    /// the least (false).
    pub sought: Option<(String, bool)>,
}

/// The result of a check.
pub struct CheckReport {
    /// The number of the check in the model, counted from 0.
    pub number: usize,
    /// The questions that are answered, in the order of the check. `--claim` may leave some out.
    pub asked: Vec<Asked>,
    /// For each element of `asked` its index among all questions of the check.
    pub wanted: Vec<usize>,
    /// One report for each instance.
    pub instances: Vec<InstanceReport>,
    /// Whether `-D` changed the check. Then the answers are not compared with `expect`.
    pub changed: bool,
    /// The wall-clock time of the whole check.
    pub took: Duration,
    /// The rows of the strategy table that were tried, over all instances.
    pub tried: Vec<Attempt>,
}

/// The answers for one instance.
pub struct InstanceReport {
    /// The instance: parameter values and graph.
    pub request: Request,
    /// The Machine, with names for its parts.
    pub lowered: Lowered,
    /// The report of the strategy. An answer whose run fails the audit is replaced by unknown.
    pub report: Report,
    /// For each question the audited run; `None` if the answer has no run or the audit rejects it.
    pub parts: Vec<Option<AuditedRun>>,
    /// For each question the proof, if the method produces one.
    pub proofs: Vec<Option<Proof>>,
    /// For `least` and `greatest`: for each question the sought value with which the Machine was lowered.
    pub shown: Vec<Constant>,
    /// The request for every size whose answers these are; `None` if they are about the Machine itself. Then the Machine
    /// is that of the least size.
    pub every: Option<Request>,
    /// The wall-clock time of the answers. If several instances are answered together, the first one has the time of
    /// all.
    pub took: Duration,
}

/// Answers a check. `None` if `--claim` selects none of its questions.
pub fn check(
    loaded: &Loaded,
    number: usize,
    options: &Options,
    interrupted: &AtomicBool,
    watcher: &mut Watcher<'_>,
) -> Result<Option<CheckReport>, CheckError> {
    if !is_asked(loaded, number, options) {
        return Ok(None);
    }
    let contradiction = RefCell::new(None);
    let report = check_until(
        loaded,
        number,
        options,
        interrupted,
        watcher,
        &contradiction,
    );
    match contradiction.into_inner() {
        Some(found) => Err(CheckError::Contradiction(found)),
        None => Ok(Some(report?)),
    }
}

/// Answers a check. Stops and stores the two answers in `contradiction` if two methods contradict each other.
fn check_until(
    loaded: &Loaded,
    number: usize,
    options: &Options,
    interrupted: &AtomicBool,
    watcher: &mut Watcher<'_>,
    contradiction: &RefCell<Option<Box<Contradicted>>>,
) -> Result<CheckReport, Vec<Diagnostic>> {
    let since = Instant::now();
    let asks = &loaded.model.checks[number];
    let asked = asked(loaded, number);
    let wanted: Vec<usize> = wanted(loaded, number, options).collect();
    let time = options.time_of_next();
    let token = watchdog::token();
    let watched = Watched {
        since,
        time,
        memory: options.memory,
        interrupted,
    };
    let answer = || {
        let requests = cancellation::catch(|| requests(loaded, number, &options.defines));
        let requests = requests
            .unwrap_or_else(|Cancelled| Ok(vec![lower::unexpanded(&loaded.model, number)]))?;
        let changed = requests.iter().any(|r| r.changed);
        let files = options.checkpoints.as_deref();
        let files = files.map(|all| all.of(loaded, number, options));
        let limits = Limits {
            files: files.as_ref(),
            since,
            time,
            memory: options.memory,
            threads: options.threads,
            solver: options.solver,
            storage: options.storage,
            interrupted,
            watcher: RefCell::new(&mut *watcher),
            token: Some(&token),
        };
        let log = Log::default();
        let lemmas = Lemmas::default();
        let mut instances: Vec<InstanceReport> = Vec::new();
        let mut rest = &requests[..];
        while let [first, others @ ..] = rest {
            let many = others.iter().take_while(|r| r.is_family_of(first)).count();
            let (family, after) = rest.split_at(many + 1);
            rest = after;
            let begun = instances.len();
            let mut without_beginning = None;
            for request in family {
                if is_decided(&instances[begun..]) {
                    break;
                }
                let spent = match instances.is_empty() {
                    true if !interrupted.load(Ordering::Relaxed) => None,
                    _ => limits.ask(&Progress::default()),
                };
                let asking = Asking {
                    loaded,
                    number,
                    fair: !asks.unfair,
                    request: request.clone(),
                    not_begun: spent.map(Reason::NotBegun),
                    by: options.by,
                    limits: &limits,
                    lemmas: &lemmas,
                    log: &log,
                    contradiction,
                };
                let begins = Instant::now();
                match cancellation::with(&token, || asking.instances(&wanted)) {
                    Ok(mut answered) => {
                        if let Some(first) = answered.first_mut() {
                            first.took = begins.elapsed();
                        }
                        instances.extend(answered);
                    }
                    // There may be an initial state on another graph of the family.
                    Err(problems) if many > 0 && nothing_begins(&problems) => {
                        without_beginning = Some(problems);
                    }
                    Err(problems) => return Err(problems),
                }
            }
            if let (Some(problems), true) = (without_beginning, instances.len() == begun) {
                return Err(problems);
            }
            if let Asks::Extreme { greatest, .. } = &asks.question
                && first.every.is_empty()
            {
                let asking = Asking {
                    loaded,
                    number,
                    fair: !asks.unfair,
                    request: first.clone(),
                    not_begun: None,
                    by: options.by,
                    limits: &limits,
                    lemmas: &lemmas,
                    log: &log,
                    contradiction,
                };
                let family_of = &mut instances[begun..];
                let agreed =
                    cancellation::catch(|| agree(family_of, *greatest, &wanted, &asking, family));
                match agreed {
                    Ok(agreed) => agreed?,
                    Err(Cancelled) => {
                        // Without the comparison no value is known to hold on all graphs.
                        for instance in &mut instances[begun..] {
                            for result in &mut instance.report.results {
                                result.answer = Answer::Unknown(asking.limit_reached());
                            }
                            instance.parts.fill_with(|| None);
                        }
                    }
                }
            }
        }
        Ok(CheckReport {
            number,
            asked: wanted.iter().map(|a| asked[*a].clone()).collect(),
            wanted,
            instances,
            changed,
            took: since.elapsed(),
            tried: log.attempts(),
        })
    };
    watched.run(&token, answer)
}

/// A Machine, the report about its properties, and for each property its proof if there is one.
pub(crate) struct Answered {
    pub(crate) lowered: Lowered,
    pub(crate) report: Report,
    pub(crate) proofs: Vec<Option<Proof>>,
    /// For `least` and `greatest`: for each question the sought value with which the Machine was lowered.
    pub(crate) shown: Vec<Constant>,
}

/// One instance of a check, with everything that is needed to answer it.
pub(crate) struct Asking<'a> {
    pub(crate) loaded: &'a Loaded,
    number: usize,
    pub(crate) fair: bool,
    pub(crate) request: Request,
    /// If a limit is reached before this instance is begun: the reason for its unknown answers.
    not_begun: Option<Reason>,
    by: Option<Method>,
    pub(crate) limits: &'a Limits<'a>,
    /// Lemmas about the protocol that were proved for every size.
    pub(crate) lemmas: &'a Lemmas,
    pub(crate) log: &'a Log,
    /// Set if two methods contradict each other; this ends the whole check.
    contradiction: &'a RefCell<Option<Box<Contradicted>>>,
}

impl<'a> Asking<'a> {
    /// The same check for another instance.
    pub(crate) fn about(&self, request: &Request) -> Asking<'a> {
        Asking {
            request: request.clone(),
            not_begun: None,
            ..*self
        }
    }

    /// The audited answers for this instance, or for every size: the instances of one family.
    fn instances(&self, wanted: &[usize]) -> Result<Vec<InstanceReport>, Vec<Diagnostic>> {
        match (&self.not_begun, self.request.every.is_empty()) {
            (None, false) => every::answers(self, wanted),
            (None, true) => match every::for_large_size(self, wanted)? {
                Some(instance) => Ok(vec![instance]),
                None => Ok(vec![self.instance(wanted)?]),
            },
            (Some(_), _) => Ok(vec![self.instance(wanted)?]),
        }
    }

    /// The audited answers for this instance.
    pub(crate) fn instance(&self, wanted: &[usize]) -> Result<InstanceReport, Vec<Diagnostic>> {
        let answer = || {
            // If the instances were not enumerated, the request stands for all of them and cannot be lowered.
            cancellation::poll();
            match &self.loaded.model.checks[self.number].question {
                Asks::Extreme { greatest, .. } => self.seek(wanted, *greatest),
                Asks::Claims(_) | Asks::Possible(_) => self.plainly(wanted),
            }
        };
        let answered = match cancellation::catch(answer) {
            Ok(answered) => answered?,
            Err(Cancelled) => unlowered(wanted.len(), self.limit_reached()),
        };
        Ok(self.audited(&self.request, answered))
    }

    /// The report about an instance, with its runs audited.
    pub(crate) fn audited(&self, request: &Request, answered: Answered) -> InstanceReport {
        let Answered {
            lowered,
            mut report,
            proofs,
            shown,
        } = answered;
        let question = Question {
            machine: &lowered.machine,
            fair: self.fair,
        };
        let parts = audited_in_time(&question, &mut report, || self.limit_reached());
        let every = Some(request).filter(|request| !request.every.is_empty());
        InstanceReport {
            every: every.cloned(),
            request: request.clone(),
            lowered,
            report,
            parts,
            proofs,
            shown,
            took: Duration::ZERO,
        }
    }

    /// The reason for unknown answers after the work was cancelled.
    pub(crate) fn limit_reached(&self) -> Reason {
        self.not_begun.clone().unwrap_or_else(|| {
            let spent = self.limits.ask(&Progress::default());
            Reason::limit(spent.unwrap_or(Spent::Interrupted))
        })
    }

    /// The answers to `least` or `greatest` for the wanted claims.
    fn seek(&self, wanted: &[usize], greatest: bool) -> Result<Answered, Vec<Diagnostic>> {
        let answer = |lowered: &Lowered, budget: &dyn Budget| self.report_within(lowered, budget);
        let oracle = Oracle {
            model: &self.loaded.model,
            sources: &self.loaded.sources,
            request: &self.request,
            fair: self.fair,
            budget: self.limits,
            answer: &answer,
        };
        let sought = bounds::seek(oracle, wanted, greatest)?;
        let proofs = sought.proofs.iter().map(|proved| {
            let proved = proved.as_ref()?;
            Proof::of(&proved.lowered, proved.property, Some(&proved.evidence))
        });
        Ok(Answered {
            proofs: proofs.collect(),
            lowered: sought.lowered,
            report: sought.report,
            shown: sought.shown,
        })
    }

    /// The answers to the wanted claims, or to `possible`.
    fn plainly(&self, wanted: &[usize]) -> Result<Answered, Vec<Diagnostic>> {
        let mut lowered = self.lowered(&self.request)?;
        let all = std::mem::take(&mut lowered.machine.properties);
        lowered.machine.properties = wanted.iter().map(|a| all[*a].clone()).collect();
        let report = self.report(&lowered)?;
        let results = report.results.iter().enumerate();
        let proofs = results.map(|(p, result)| Proof::of(&lowered, p, result.evidence.as_ref()));
        Ok(Answered {
            proofs: proofs.collect(),
            lowered,
            report,
            shown: Vec::new(),
        })
    }

    pub(crate) fn lowered(&self, request: &Request) -> Result<Lowered, Vec<Diagnostic>> {
        lower::lower(&self.loaded.model, &self.loaded.sources, request)
    }

    /// The request of this instance with one value of the searched number or time.
    pub(crate) fn with(&self, value: model::Constant) -> Result<Request, Vec<Diagnostic>> {
        self.request.with(&self.loaded.model, &[value])
    }

    /// Answers the properties of a Machine within the limits of the check.
    pub(crate) fn report(&self, lowered: &Lowered) -> Result<Report, Vec<Diagnostic>> {
        self.report_within(lowered, self.limits)
    }

    /// Answers the properties of a Machine within a budget.
    pub(crate) fn report_within(
        &self,
        lowered: &Lowered,
        budget: &dyn Budget,
    ) -> Result<Report, Vec<Diagnostic>> {
        let machine = &lowered.machine;
        let question = Question {
            machine,
            fair: self.fair,
        };
        if let Some(why) = &self.not_begun {
            return Ok(Report::unanswered(machine, why.clone()));
        }
        if self.request.every_graph {
            return Ok(Report::unanswered(machine, Reason::ForEveryGraph));
        }
        let about = match self.request.graph {
            Some(_) => About::Graph,
            None => About::Instance,
        };
        let log = self.log;
        let answered = match self.by {
            Some(by) => strategy::answer_by_logged(by, &question, about, budget, log),
            None => strategy::answer_logged(&question, about, budget, log),
        };
        match answered {
            Ok(report) => Ok(report),
            Err(Refusal::Unsupported(what)) => {
                let why = match self.by {
                    Some(Method::Circuits(_)) => Reason::no_circuit(what),
                    _ => Reason::no_states(what),
                };
                Ok(Report::unanswered(machine, why))
            }
            Err(Refusal::Checkpoint(why)) => {
                Ok(Report::unanswered(machine, Reason::Checkpoint(why)))
            }
            Err(refusal) => {
                if let Refusal::Contradiction(contradiction) = &refusal {
                    *self.contradiction.borrow_mut() = Some(Box::new(Contradicted {
                        lowered: lowered.clone(),
                        fair: self.fair,
                        contradiction: (**contradiction).clone(),
                    }));
                }
                Err(vec![refused(self.loaded, self.number, lowered, &refusal)])
            }
        }
    }
}

/// An instance whose Machine was not made within the limits: an empty Machine, and one unknown answer per question.
pub(crate) fn unlowered(questions: usize, why: Reason) -> Answered {
    let lowered = Lowered::default();
    let unknown = || Answer::Unknown(why.clone()).into();
    let report = Report {
        results: std::iter::repeat_with(unknown).take(questions).collect(),
        ..Report::unanswered(&lowered.machine, why.clone())
    };
    Answered {
        lowered,
        report,
        proofs: vec![None; questions],
        shown: Vec::new(),
    }
}

/// Whether every problem is that there is no initial state.
pub(crate) fn nothing_begins(problems: &[Diagnostic]) -> bool {
    problems
        .iter()
        .all(|problem| problem.code == codes::NO_INITIAL_STATE)
}

/// The questions of a check, as texts from the model.
pub fn asked(loaded: &Loaded, number: usize) -> Vec<Asked> {
    let one_line = |span| {
        loaded
            .sources
            .slice(span)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let question = &loaded.model.checks[number].question;
    let sought = match question {
        Asks::Extreme { greatest, span, .. } => Some((one_line(*span), *greatest)),
        Asks::Claims(_) | Asks::Possible(_) => None,
    };
    match question {
        Asks::Claims(claims) | Asks::Extreme { claims, .. } => {
            let asked = claims.iter().map(|c| Asked {
                text: one_line(c.span),
                possible: false,
                sought: sought.clone(),
            });
            asked.collect()
        }
        Asks::Possible(condition) => vec![Asked {
            text: one_line(condition.span),
            possible: true,
            sought: None,
        }],
    }
}

/// Whether the options select a check, or one of its questions.
pub fn is_asked(loaded: &Loaded, number: usize, options: &Options) -> bool {
    let selected = options.check.is_none_or(|only| only == number);
    selected && wanted(loaded, number, options).next().is_some()
}

/// The indices of the questions of a check that the options select.
pub(crate) fn wanted(
    loaded: &Loaded,
    number: usize,
    options: &Options,
) -> impl Iterator<Item = usize> {
    let questions = asked(loaded, number).len();
    (0..questions).filter(move |asked| is_wanted(loaded, number, *asked, options))
}

fn is_wanted(loaded: &Loaded, number: usize, asked: usize, options: &Options) -> bool {
    let Some(only) = &options.claim else {
        return true;
    };
    match &loaded.model.checks[number].question {
        Asks::Claims(claims) | Asks::Extreme { claims, .. } => {
            loaded.model.claims[claims[asked].claim.index()].name == *only
        }
        Asks::Possible(_) => false,
    }
}

/// Audits the runs of a report. A run that was found before the limit is still audited; if a limit ends the audit, the
/// answers with runs become unknown.
pub(crate) fn audited_in_time(
    question: &Question<'_>,
    report: &mut Report,
    limit_reached: impl Fn() -> Reason,
) -> Vec<Option<AuditedRun>> {
    cancellation::acknowledge();
    let parts = cancellation::catch(|| audited(question, report));
    parts.unwrap_or_else(|Cancelled| {
        let results = report.results.iter_mut().map(|result| &mut result.answer);
        results
            .filter(|answer| answer.run().is_some())
            .for_each(|answer| *answer = Answer::Unknown(limit_reached()));
        report.findings.deadlock = None;
        report.results.iter().map(|_| None).collect()
    })
}

/// Replays the run of every answer. If a run does not show its answer, the answer becomes unknown. A deadlock whose run
/// cannot be replayed is dropped.
fn audited(question: &Question<'_>, report: &mut Report) -> Vec<Option<AuditedRun>> {
    let mut parts = Vec::new();
    for (property, result) in report.results.iter_mut().enumerate() {
        let part = AuditedRun::of_answer(question, property, &result.answer);
        parts.push(part.unwrap_or_else(|rejected| {
            let defect = Defect::Rejected(rejected.to_string());
            result.answer = Answer::Unknown(Reason::Defect(defect));
            None
        }));
    }
    let deadlock = report.findings.deadlock.take();
    report.findings.deadlock = deadlock.filter(|run| audit::replay(question.machine, run).is_ok());
    parts
}
