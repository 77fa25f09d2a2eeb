//! The explicit search, on a smaller Machine in the cases in which this saves work.
//!
//! Inboxes that are not empty at the start, and counters, may give many initial states. In a Machine with time, the
//! CEGAR loop asks the same question repeatedly. In these cases each property is searched separately, a claim about all
//! nodes is searched node by node if this pays, the Machine is reduced to the cone of influence, and initial values are
//! lazy unless times are digitised. In all other cases (a plain Machine) the model is searched as written, so the state
//! counts are those of the model.

use crate::reduction;
use explicit::{Options, SymmetryReduction};
use machine::{Abstraction, Frozen, InboxStart, Instance, Machine, Property, PropertyKind};
use verdict::{
    Answer, Budget, Defect, Latest, Premise, Question, Reason, Refusal, Report, Run, both_open,
    with_only,
};

/// Answers a question. Visits every state of a plain Machine, without reductions; other Machines are searched as by
/// [`answer`].
pub(crate) fn every_state(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    match is_plain(question.machine) {
        true => explicit::run(question, &Options::default(), budget),
        false => answer(question, budget),
    }
}

/// Answers a question by explicit search, with all reductions that apply.
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
            let premise = premise(question, property, &report.results[0].answer, budget)?;
            report.results[0].premise = premise;
            report.results[0].latest = None;
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

/// A Machine with counters and more initial states than this is not plain.
const MANY: u128 = 100_000;

/// Whether the Machine has counters and more than `MANY` initial states. Most of these differ only in values that are
/// not read at first.
fn begins_in_many_ways(machine: &Machine) -> bool {
    let bound = |frozen: &Frozen| Instance { machine, frozen }.initial_bound(&|_| true);
    !machine.counters.is_empty()
        && machine
            .frozen_choices()
            .next()
            .is_some_and(|frozen| bound(&frozen) > MANY)
}

/// Answers a question about a graph that represents all numberings of its nodes. Instances that differ by an
/// isomorphism are searched once.
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

/// Whether the Machine is plain: its inboxes are empty at the start, it has no time, and its counters do not give many
/// initial states. A plain Machine is not reduced to the cone of influence of each property.
pub(crate) fn is_plain(machine: &Machine) -> bool {
    machine.inbox.start == InboxStart::Empty && !machine.has_time() && !begins_in_many_ways(machine)
}

/// Whether separate searches of the parts save work: the cone of influence of one part has fewer variables than the
/// cone of the whole claim (at most half as many, if there are several parts).
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

/// Answers a property that is the conjunction of `parts`. Without parts, the search finds only errors, deadlocks and
/// the events that occur.
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
        if let Some(Answer::Fails(_)) = report.only_answer() {
            break;
        }
        let (before, explored) = (report.results.remove(0).answer, report.findings.explored);
        let next = ask(part)?;
        let less = !next.findings.complete && next.findings.explored < explored;
        report = report.beside(next);
        let answer = match (before, report.results.remove(0).answer) {
            (_, fails @ Answer::Fails(_)) => fails,
            // The whole property is explored only to the depth to which all parts are, so the reason with the smaller
            // depth is kept.
            (Answer::Unknown(_), unknown @ Answer::Unknown(_)) if less => unknown,
            (Answer::Unknown(a), Answer::Unknown(b)) => Answer::Unknown(both_open(a, b)),
            // An unknown answer precedes an error: the undecided part may still fail.
            (unknown @ Answer::Unknown(_), _) | (_, unknown @ Answer::Unknown(_)) => unknown,
            (Answer::Holds, after) => after,
            (before, _) => before,
        };
        report.results = vec![answer.into()];
    }
    Ok(report)
}

/// Whether the premise is ever true, for a claim that was searched in parts. `None` if it has no premise.
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
        // The CEGAR loop checks the premise separately.
        Some(_) if matches!(question.machine.abstraction, Abstraction::Order(..)) => {
            Some(Premise::Met)
        }
        Some(premise) => {
            let met = Property {
                kind: PropertyKind::Possible(premise),
                ..property.clone()
            };
            let met = smaller(&with_only(question.machine, &met), question.fair, budget)?;
            Some(match met.only_answer() {
                Some(Answer::Possible(_)) => Premise::Met,
                Some(Answer::Impossible) => Premise::Never,
                _ => Premise::Open,
            })
        }
    })
}

/// Answers the properties of a Machine by searching the reduced Machine, and lifts the runs back.
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
    for result in &mut report.results {
        result.answer = lifted(
            &shrunk,
            std::mem::replace(&mut result.answer, Answer::Holds),
        );
        result.latest = result.latest.take().and_then(|latest| {
            let run = passes::lift_from_cone(&shrunk.machine, &latest.run)?;
            let run = Box::new(shrunk.lift(&run)?);
            Some(Latest { run, ..latest })
        });
    }
    let back = |run: Box<Run>| shrunk.lift(&run).map(Box::new);
    report.findings.deadlock = report.findings.deadlock.and_then(back);
    report.findings.error = report.findings.error.and_then(back);
    Ok(report)
}

/// The answer with its run lifted to the original Machine; unknown if the run cannot be lifted.
fn lifted(shrunk: &passes::Shrunk, answer: Answer) -> Answer {
    let Some(run) = answer.run() else {
        return answer;
    };
    match passes::lift_from_cone(&shrunk.machine, run).and_then(|run| shrunk.lift(&run)) {
        Some(run) => answer.with_run(Box::new(run)),
        None => Answer::Unknown(Reason::Defect(Defect::NotLifted)),
    }
}
