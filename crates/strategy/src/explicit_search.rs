//! The explicit engine on a part of the Machine, where that pays.
//!
//! Inboxes that begin with messages make many initial states, and so may nodes with counters; with time a question is
//! asked repeatedly. In these cases each property is asked separately, a claim about all nodes is asked node by node,
//! indistinguishable values are removed before the search, and initial values are lazy. In all other cases the state
//! counts are those of the model as written.

use crate::reduction;
use explicit::{Options, SymmetryReduction};
use machine::{Abstraction, Frozen, InboxStart, Instance, Machine, Property, PropertyKind};
use verdict::{
    Answer, Budget, Latest, Premise, Question, Refusal, Report, Run, both_open, with_only,
};

/// Answers a question by visiting every state of a plain Machine; otherwise like [`answer`].
pub(crate) fn every_state(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    match is_plain(question.machine) {
        true => explicit::run(question, &Options::default(), budget),
        false => answer(question, budget),
    }
}

/// Answers a question by visiting every state that is relevant to it.
pub fn answer(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let machine = question.machine;
    if is_plain(machine) {
        let whole = |question: &Question<'_>, budget: &dyn Budget| {
            explicit::run(question, &Options::default(), budget)
        };
        return reduction::answer(question, &whole, budget);
    }
    let mut all: Option<Report> = None;
    for property in &machine.properties {
        let alone = with_only(machine, property);
        let parts = match passes::each_node(&alone) {
            Some(parts) if pays(&alone, &parts) => parts,
            _ => vec![property.clone()],
        };
        let mut report = conjunction(question, &parts, budget)?;
        if parts != [property.clone()] {
            let premise = premise(question, property, &report.answers[0], budget)?;
            report.findings.premises = vec![premise];
            report.findings.latest = vec![None];
        }
        all = Some(match all {
            None => report,
            Some(before) => before.beside(report),
        });
    }
    match all {
        Some(report) => Ok(report),
        None => conjunction(question, &[], budget),
    }
}

/// The number of initial states beyond which initial values are lazy.
const MANY: u128 = 100_000;

/// Whether the Machine has counters and too many initial states to enumerate: most of them differ in values that are
/// not read at first.
fn begins_in_many_ways(machine: &Machine) -> bool {
    let bound = |frozen: &Frozen| Instance { machine, frozen }.initial_bound(&|_| true);
    !machine.counters.is_empty()
        && machine
            .frozen_choices()
            .next()
            .is_some_and(|frozen| bound(&frozen) > MANY)
}

/// Answers a question about one graph of several, up to isomorphism: the numbering of nodes is no part of the
/// question.
pub(crate) fn answer_on_a_graph(
    question: &Question<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let options = Options {
        symmetry: SymmetryReduction::Instances,
        ..Options::default()
    };
    let whole =
        |question: &Question<'_>, budget: &dyn Budget| explicit::run(question, &options, budget);
    reduction::answer(question, &whole, budget)
}

/// Whether the Machine is searched without a reduction to relevant parts.
pub(crate) fn is_plain(machine: &Machine) -> bool {
    machine.inbox.start == InboxStart::Empty && !machine.has_time() && !begins_in_many_ways(machine)
}

/// Whether the cones of influence of the parts are so much smaller than the cone of the whole that several searches
/// pay.
fn pays(whole: &Machine, parts: &[Property]) -> bool {
    let (Some(frozen), [first, ..]) = (whole.frozen_choices().next(), parts) else {
        return false;
    };
    let matters = |machine: &Machine| {
        let nodes = passes::cone_of_influence(machine, &frozen);
        let vars = nodes.iter().flat_map(|node| &node.vars);
        vars.filter(|matters| matters.at_all()).count()
    };
    let (part, all) = (matters(&with_only(whole, first)), matters(whole));
    match parts.len() {
        1 => part < all,
        _ => 2 * part <= all,
    }
}

/// Answers a property that is the conjunction of its parts. Without parts, the search looks only for errors and for
/// the events that happen.
fn conjunction(
    question: &Question<'_>,
    parts: &[Property],
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let [first, rest @ ..] = parts else {
        let nothing = Machine {
            properties: Vec::new(),
            ..question.machine.clone()
        };
        return smaller(&nothing, question.fair, budget);
    };
    let ask = |part| smaller(&with_only(question.machine, part), question.fair, budget);
    let mut report = ask(first)?;
    for part in rest {
        if let [Answer::Fails(_)] = &report.answers[..] {
            break;
        }
        let (before, explored) = (report.answers.remove(0), report.findings.explored);
        let next = ask(part)?;
        let less = !next.findings.complete && next.findings.explored < explored;
        let omission = (report.findings.omission, next.findings.omission);
        report = report.beside(next);
        report.answers = vec![match (before, report.answers.remove(0)) {
            (_, fails @ Answer::Fails(_)) => fails,
            // The bound that all parts establish is the bound that each part establishes.
            (Answer::Unknown(_), unknown @ Answer::Unknown(_)) if less => unknown,
            (a @ Answer::Unknown(_), b @ Answer::Unknown(_)) => both_open((a, b), omission),
            // An error is the answer only if no part can fail.
            (unknown @ Answer::Unknown(_), _) | (_, unknown @ Answer::Unknown(_)) => unknown,
            (Answer::Holds, after) => after,
            (before, _) => before,
        }];
    }
    Ok(report)
}

/// The status of the premise of a claim that was asked in parts.
fn premise(
    question: &Question<'_>,
    property: &Property,
    answer: &Answer,
    budget: &dyn Budget,
) -> Result<Option<Premise>, Refusal> {
    let PropertyKind::Claim(claim) = &property.kind else {
        return Ok(None);
    };
    Ok(match claim.premise() {
        None => None,
        Some(_) if *answer != Answer::Holds => Some(Premise::Open),
        // The CEGAR loop over orders asks for the premise itself.
        Some(_) if matches!(question.machine.abstraction, Abstraction::Order(..)) => {
            Some(Premise::Met)
        }
        Some(premise) => {
            let met = Property {
                kind: PropertyKind::Possible(premise),
                ..property.clone()
            };
            let met = smaller(&with_only(question.machine, &met), question.fair, budget)?;
            Some(match met.answers[..] {
                [Answer::Possible(_)] => Premise::Met,
                [Answer::Impossible] => Premise::Never,
                _ => Premise::Open,
            })
        }
    })
}

/// Answers a question about a Machine by a smaller Machine.
fn smaller(machine: &Machine, fair: bool, budget: &dyn Budget) -> Result<Report, Refusal> {
    let shrunk = passes::shrink(machine);
    let question = Question {
        machine: &shrunk.machine,
        fair,
    };
    let cone = |frozen: &machine::Frozen| passes::cone_of_influence(&shrunk.machine, frozen);
    let timed = shrunk.machine.digitisation();
    let timed = timed.map(|_| passes::timed_reductions(&shrunk.machine));
    let options = Options {
        cone: Some(&cone),
        timed: timed.as_ref(),
        abstraction: timed.is_none(),
        ..Options::default()
    };
    let mut report = explicit::run(&question, &options, budget)?;
    for answer in &mut report.answers {
        *answer = lifted(&shrunk, std::mem::replace(answer, Answer::Holds));
    }
    let back = |run: Box<Run>| shrunk.lift(&run).map(Box::new);
    report.findings.deadlock = report.findings.deadlock.and_then(back);
    report.findings.error = report.findings.error.and_then(back);
    for latest in &mut report.findings.latest {
        *latest = latest.take().and_then(|latest| {
            let run = passes::lift_from_cone(&shrunk.machine, &latest.run)?;
            let run = Box::new(shrunk.lift(&run)?);
            Some(Latest { run, ..latest })
        });
    }
    Ok(report)
}

/// The answer with its run lifted to the original Machine.
fn lifted(shrunk: &passes::Shrunk, answer: Answer) -> Answer {
    let Some(run) = answer.run() else {
        return answer;
    };
    match passes::lift_from_cone(&shrunk.machine, run).and_then(|run| shrunk.lift(&run)) {
        Some(run) => answer.with_run(Box::new(run)),
        None => Answer::Unknown(
            "a run of the smaller machine has no counterpart; this is a bug in Scrutineer, please report it with the model".into(),
        ),
    }
}
