//! One check of a model: every instance that it asks for, answered and audited.

use crate::call::limits::{Limits, Watcher};
use crate::call::load::Loaded;
use crate::call::options::Options;
use crate::families::{agree, is_decided, requests};
use crate::refused::refused;
use crate::results::audited_run::AuditedRun;
use crate::results::contradiction::{CheckError, Contradicted};
use crate::results::proof_file::Proof;
use bounds::Oracle;
use lower::{Lowered, Request};
use model::Question as Asks;
use rational::Rational;
use source::{Diagnostic, codes};
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use strategy::{About, Attempt, Log, Method};
use verdict::{Answer, Budget, Progress, Question, Refusal, Report};

/// One question of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The claim with its arguments, or the condition, as the model writes it.
    pub text: String,
    /// A condition to reach rather than a claim.
    pub possible: bool,
    /// The name of the searched value, and whether the greatest is wanted rather than the least.
    pub sought: Option<(String, bool)>,
}

/// The result of a check.
pub struct CheckReport {
    /// The number of the check, from 0.
    pub number: usize,
    /// The questions, in order.
    pub asked: Vec<Asked>,
    /// For each question its place in the check: `--claim` may select some.
    pub wanted: Vec<usize>,
    /// One for each choice of parameters.
    pub instances: Vec<InstanceReport>,
    /// `-D` changed it: its `expect` is not judged.
    pub changed: bool,
    /// Wall-clock time.
    pub took: Duration,
    /// The rows of the strategy that were tried, over all instances.
    pub tried: Vec<Attempt>,
}

/// The answers for one choice of parameters.
pub struct InstanceReport {
    /// The parameters.
    pub request: Request,
    /// The Machine and its names.
    pub lowered: Lowered,
    /// The report of the strategy; its runs have been audited.
    pub report: Report,
    /// For each question the audited run, if the answer has one.
    pub parts: Vec<Option<AuditedRun>>,
    /// For each question the proof, if the method keeps one.
    pub proofs: Vec<Option<Proof>>,
}

/// Answers a check.
pub fn check(
    loaded: &Loaded,
    number: usize,
    options: &Options,
    interrupted: &AtomicBool,
    watcher: &mut Watcher<'_>,
) -> Result<Option<CheckReport>, CheckError> {
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
        None => Ok(report?),
    }
}

/// Answers a check until two methods contradict each other.
fn check_until(
    loaded: &Loaded,
    number: usize,
    options: &Options,
    interrupted: &AtomicBool,
    watcher: &mut Watcher<'_>,
    contradiction: &RefCell<Option<Box<Contradicted>>>,
) -> Result<Option<CheckReport>, Vec<Diagnostic>> {
    let since = Instant::now();
    let asks = &loaded.model.checks[number];
    let asked = asked(loaded, number);
    let wanted: Vec<usize> = (0..asked.len())
        .filter(|a| is_wanted(loaded, number, *a, options))
        .collect();
    if wanted.is_empty() {
        return Ok(None);
    }
    let requests = requests(loaded, number, &options.defines)?;
    let changed = requests.iter().any(|r| r.changed);
    let files = options.checkpoints.as_deref();
    let files = files.map(|all| all.of(loaded, number, options));
    let limits = Limits {
        files: files.as_ref(),
        since,
        time: options.time,
        memory: options.memory,
        threads: options.threads,
        solver: options.solver,
        storage: options.storage,
        interrupted,
        watcher: RefCell::new(&mut *watcher),
    };
    let log = Log::default();
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
                request,
                not_begun: spent.map(|spent| format!("not begun: {spent}")),
                by: options.by,
                limits: &limits,
                log: &log,
                contradiction,
            };
            match asking.instance(&wanted) {
                Ok(instance) => instances.push(instance),
                // A run may begin on another graph.
                Err(problems) if many > 0 && nothing_begins(&problems) => {
                    without_beginning = Some(problems);
                }
                Err(problems) => return Err(problems),
            }
        }
        if let (Some(problems), true) = (without_beginning, instances.len() == begun) {
            return Err(problems);
        }
        if let Asks::Extreme { greatest, .. } = &asks.question {
            let asking = Asking {
                loaded,
                number,
                fair: !asks.unfair,
                request: first,
                not_begun: None,
                by: options.by,
                limits: &limits,
                log: &log,
                contradiction,
            };
            agree(&mut instances[begun..], *greatest, &wanted, &asking, family)?;
        }
    }
    Ok(Some(CheckReport {
        number,
        asked: wanted.iter().map(|a| asked[*a].clone()).collect(),
        wanted,
        instances,
        changed,
        took: since.elapsed(),
        tried: log.attempts(),
    }))
}

/// A Machine, the answers to its properties, and for each what proves it.
pub(crate) type Answered = (Lowered, Report, Vec<Option<Proof>>);

/// One choice of parameters of a check, to be asked about.
pub(crate) struct Asking<'a> {
    pub(crate) loaded: &'a Loaded,
    number: usize,
    pub(crate) fair: bool,
    pub(crate) request: &'a Request,
    /// Why nothing is to be asked.
    not_begun: Option<String>,
    by: Option<Method>,
    pub(crate) limits: &'a Limits<'a>,
    log: &'a Log,
    /// The contradiction that ends the whole check.
    contradiction: &'a RefCell<Option<Box<Contradicted>>>,
}

impl<'a> Asking<'a> {
    /// The same about another instance.
    pub(crate) fn about(&self, request: &'a Request) -> Asking<'a> {
        Asking {
            request,
            not_begun: None,
            ..*self
        }
    }

    /// The answers for one instance.
    fn instance(&self, wanted: &[usize]) -> Result<InstanceReport, Vec<Diagnostic>> {
        let (lowered, mut report, proofs) = match &self.loaded.model.checks[self.number].question {
            Asks::Extreme { greatest, .. } => self.seek(wanted, *greatest)?,
            Asks::Claims(_) | Asks::Possible(_) => self.plainly(wanted)?,
        };
        let question = Question {
            machine: &lowered.machine,
            fair: self.fair,
        };
        let parts = audited(&question, &mut report);
        Ok(InstanceReport {
            request: self.request.clone(),
            lowered,
            report,
            parts,
            proofs,
        })
    }

    /// The least or greatest values for the wanted claims.
    fn seek(&self, wanted: &[usize], greatest: bool) -> Result<Answered, Vec<Diagnostic>> {
        let answer = |lowered: &Lowered, budget: &dyn Budget| self.report_within(lowered, budget);
        let oracle = Oracle {
            model: &self.loaded.model,
            sources: &self.loaded.sources,
            request: self.request,
            fair: self.fair,
            budget: self.limits,
            answer: &answer,
        };
        let sought = bounds::seek(oracle, wanted, greatest)?;
        let proofs = sought.proofs.iter().map(|proved| {
            let proved = proved.as_ref()?;
            Proof::of(&proved.lowered, proved.property, Some(&proved.evidence))
        });
        Ok((sought.lowered, sought.report, proofs.collect()))
    }

    /// Whether claims hold, or a condition is reached: those of the check that are wanted.
    fn plainly(&self, wanted: &[usize]) -> Result<Answered, Vec<Diagnostic>> {
        let mut lowered = self.lowered(self.request)?;
        let all = std::mem::take(&mut lowered.machine.properties);
        lowered.machine.properties = wanted.iter().map(|a| all[*a].clone()).collect();
        let report = self.report(&lowered)?;
        let proofs = (0..wanted.len()).map(|p| Proof::of(&lowered, p, report.evidence_of(p)));
        let proofs = proofs.collect();
        Ok((lowered, report, proofs))
    }

    pub(crate) fn lowered(&self, request: &Request) -> Result<Lowered, Vec<Diagnostic>> {
        lower::lower(&self.loaded.model, &self.loaded.sources, request)
    }

    /// The request for one value of what is sought.
    pub(crate) fn with(&self, value: model::Constant) -> Result<Request, Vec<Diagnostic>> {
        self.request.with(&self.loaded.model, &[value])
    }

    /// What comes of a Machine's properties.
    pub(crate) fn report(&self, lowered: &Lowered) -> Result<Report, Vec<Diagnostic>> {
        self.report_within(lowered, self.limits)
    }

    /// The same within a budget.
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
            return Ok(Report::unanswered(machine, why));
        }
        if let [first, ..] = &self.request.every[..] {
            let name = &self.loaded.model.param(*first).name;
            let why = format!("for every {name}: no method of this version proves that");
            return Ok(Report::unanswered(machine, &why));
        }
        if self.request.every_graph {
            let why = "for every graph: no method of this version proves that";
            return Ok(Report::unanswered(machine, why));
        }
        let say = |time: &Rational| lowered.labels.time(time);
        let about = match self.request.graph {
            Some(_) => About::Graph,
            None => About::Instance,
        };
        let log = self.log;
        let answered = match self.by {
            Some(by) => strategy::answer_by_in_words(by, &question, about, &say, budget, log),
            None => strategy::answer_in_words(&question, about, &say, budget, log),
        };
        match answered {
            Ok(report) => Ok(report),
            Err(Refusal::Unsupported(why)) => {
                let who = match self.by {
                    Some(Method::Circuits(_)) => "a circuit",
                    _ => "the explicit search",
                };
                let why = format!("{who} cannot represent this model: {why}");
                Ok(Report::unanswered(machine, &why))
            }
            Err(Refusal::Checkpoint(why)) => Ok(Report::unanswered(machine, &why)),
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

/// Whether all that is wrong is that no run can begin.
pub(crate) fn nothing_begins(problems: &[Diagnostic]) -> bool {
    problems
        .iter()
        .all(|problem| problem.code == codes::NO_INITIAL_STATE)
}

/// What a check asks, in the model's words.
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

pub(crate) fn is_wanted(loaded: &Loaded, number: usize, asked: usize, options: &Options) -> bool {
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

/// Replays every run. One that does not show what the engine said is not shown: the answer is unknown.
fn audited(question: &Question<'_>, report: &mut Report) -> Vec<Option<AuditedRun>> {
    let mut parts = Vec::new();
    for (property, answer) in report.answers.iter_mut().enumerate() {
        let part = AuditedRun::of_answer(question, property, answer);
        parts.push(part.unwrap_or_else(|rejected| {
            *answer = Answer::Unknown(format!(
                "the engine's run does not stand up to the reference interpreter ({rejected}); \
                 this is a bug in Scrutineer, please report it with the model"
            ));
            None
        }));
    }
    let deadlock = report.findings.deadlock.take();
    report.findings.deadlock = deadlock.filter(|run| audit::replay(question.machine, run).is_ok());
    parts
}
