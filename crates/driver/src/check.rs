//! One check of a model: every instance that it asks for, answered and audited.

use crate::by::answer_by_in_words;
use crate::families::{agree, is_decided};
use crate::luck::Others;
use crate::refused::refused;
use crate::{
    Checkpoints, Limits, Loaded, Method, Part, Proof, Watcher, abstraction, circuit,
    explicit_search, integer, luck, ordered, requests,
};
use lower::{Define, Lowered, Request};
use machine::{Block, Delay, Trigger};
use model::Question as Asks;
use rational::Rational;
use source::{Diagnostic, codes};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use verdict::{Answer, Budget, Progress, Question, Refusal, Report, Storage};

/// What the caller wants.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `-D name=value`.
    pub defines: Vec<Define>,
    /// Only this claim.
    pub claim: Option<String>,
    /// Wall-clock time for each check.
    pub time: Option<Duration>,
    /// Bytes for each check.
    pub memory: Option<u64>,
    /// How many may work at the same time.
    pub threads: usize,
    /// The SAT solver that engines use.
    pub solver: sat::Backend,
    /// How visited states are kept, if somebody says it.
    pub storage: Option<Storage>,
    /// Only this method, for experiments.
    pub by: Option<Method>,
    /// Where long searches keep what they have found, if they do.
    pub checkpoints: Option<Rc<Checkpoints>>,
}

/// One thing that a check asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The claim with its arguments, or the condition, as the model writes it.
    pub text: String,
    /// A condition to reach rather than a claim.
    pub possible: bool,
    /// A value of this name is sought: the greatest rather than the least.
    pub sought: Option<(String, bool)>,
}

/// What came out of a check.
pub struct CheckReport {
    /// Which check, from 0.
    pub number: usize,
    /// What is asked, in order.
    pub asked: Vec<Asked>,
    /// For each its place in the check: with `--claim` some are left out.
    pub wanted: Vec<usize>,
    /// One for each choice of parameters.
    pub instances: Vec<InstanceReport>,
    /// `-D` changed it: its `expect` is not judged.
    pub changed: bool,
    /// Wall-clock time.
    pub took: Duration,
}

/// The answers for one choice of parameters.
pub struct InstanceReport {
    /// The parameters.
    pub request: Request,
    /// The Machine and its names.
    pub lowered: Lowered,
    /// What the engine said; its runs have been audited.
    pub report: Report,
    /// For each thing asked what its run shows, if it has one.
    pub parts: Vec<Option<Part>>,
    /// For each thing asked what proves it, where the method keeps that.
    pub proofs: Vec<Option<Proof>>,
}

/// Answers a check; or says what is wrong with it.
pub fn check(
    loaded: &Loaded,
    number: usize,
    options: &Options,
    interrupted: &AtomicBool,
    watcher: &mut Watcher<'_>,
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
            };
            match asking.instance(&wanted) {
                Ok(instance) => instances.push(instance),
                // Somewhere else on another graph a run may begin.
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
            return Ok(unanswered(machine, why));
        }
        if let [first, ..] = &self.request.every[..] {
            let name = &self.loaded.model.param(*first).name;
            let why = format!("for every {name}: no method of this version proves that");
            return Ok(unanswered(machine, &why));
        }
        if self.request.every_graph {
            let why = "for every graph: no method of this version proves that";
            return Ok(unanswered(machine, why));
        }
        let say = |time: &Rational| lowered.labels.time(time);
        let answered = match self.request.graph {
            Some(_) if self.by.is_none_or(|by| by == Method::Search) => {
                explicit_search::answer_on_a_graph(&question, budget)
            }
            _ => None,
        };
        let answered = answered.unwrap_or_else(|| match self.by {
            None => answer_in_words(&question, &say, budget),
            Some(by) => answer_by_in_words(by, &question, &say, budget),
        });
        match answered {
            Ok(report) => Ok(report),
            Err(Refusal::Unsupported(why)) => {
                let who = match self.by {
                    Some(Method::Circuits(_)) => "a circuit",
                    _ => "the explicit search",
                };
                let why = format!("{who} cannot represent this model: {why}");
                Ok(unanswered(machine, &why))
            }
            Err(Refusal::Checkpoint(why)) => Ok(unanswered(machine, &why)),
            Err(refusal) => Err(vec![refused(self.loaded, self.number, lowered, &refusal)]),
        }
    }
}

/// Whether all that is wrong is that no run can begin.
pub(crate) fn nothing_begins(problems: &[Diagnostic]) -> bool {
    problems
        .iter()
        .all(|problem| problem.code == codes::NO_INITIAL_STATE)
}

/// Answers a question about a Machine by the method that there is for it. The runs have not been audited.
pub fn answer(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    answer_in_words(question, &Rational::to_string, budget)
}

/// The same, where times are said as people write them.
fn answer_in_words(
    question: &Question<'_>,
    say: integer::Say<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let machine = question.machine;
    if !machine.has_time() {
        let answered = luck::answer(question, &explicit_search::answer, Others::Circuits, budget);
        let Err(Refusal::Unsupported(_)) = answered else {
            return answered;
        };
        // What has no states that can be visited may still be a circuit.
        let by_circuits = circuit::answer(question, None, budget);
        return match by_circuits {
            Ok(report) if !report.answers.iter().all(is_open) => Ok(report),
            _ => answered,
        };
    }
    if integer::is_needed(machine) {
        let by_units = |question: &Question<'_>, budget: &dyn Budget| {
            integer::answer(question, say, &explicit_search::answer, budget)
        };
        // Where nodes do nothing but what their rhythm says, messages that take time may only need an order.
        let by_rhythm = |block: &Block| matches!(block.trigger, Trigger::Every(_));
        let delayed = matches!(machine.delay, Delay::Within(..));
        return match delayed && machine.blocks.iter().all(by_rhythm) {
            true => ordered::answer(question, &Rational::ONE, &by_units, budget),
            false => by_units(question, budget),
        };
    }
    if matches!(machine.channel, machine::Channel::Fifo(Some(_))) {
        let why = "a full channel can keep a node from an activation that is due, and no method of this version \
                   finds out whether that happens: `channel fifo` has no bound";
        return Ok(unanswered(machine, why));
    }
    let by_abstraction = |question: &Question<'_>, budget: &dyn Budget| {
        abstraction::answer(question, &Rational::ONE, &explicit_search::answer, budget)
    };
    let by_search = |question: &Question<'_>, budget: &dyn Budget| {
        luck::answer(question, &by_abstraction, Others::Nobody, budget)
    };
    let mut report = ordered::answer(question, &Rational::ONE, &by_search, budget)?;
    if !question.fair && report.answers.iter().any(is_open) {
        // Where nothing is fair a node may seem to stand still in orders that times do not allow.
        let second = integer::answer(question, say, &explicit_search::answer, budget)?;
        for (answer, found) in report.answers.iter_mut().zip(second.answers) {
            if is_open(answer) && !is_open(&found) {
                *answer = found;
                report.abstraction = second.abstraction.clone();
            }
        }
    }
    Ok(report)
}

pub(crate) fn is_open(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(_))
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
fn audited(question: &Question<'_>, report: &mut Report) -> Vec<Option<Part>> {
    let mut parts = Vec::new();
    for (property, answer) in report.answers.iter_mut().enumerate() {
        let part = Part::of_answer(question, property, answer);
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

/// Who answers nothing.
pub(crate) const NO_METHOD: &str = "none";

/// A report without answers, and why.
pub(crate) fn unanswered(machine: &machine::Machine, why: &str) -> Report {
    let answer = Answer::Unknown(why.to_string());
    Report {
        method: NO_METHOD,
        abstraction: None,
        answers: vec![answer; machine.properties.len()],
        counts: verdict::Counts::default(),
        findings: verdict::Findings::default(),
        evidence: Vec::new(),
    }
}
