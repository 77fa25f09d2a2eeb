//! The explicit_search engine on less than the whole Machine, where that pays.
//!
//! Inboxes that begin with messages make many initial states, so may nodes that count, and with time a question is asked again and
//! again: there each property is asked by itself, a claim about all nodes node by node, what nobody can
//! tell apart is removed before, and initial values are decided late. Elsewhere counts of states stay those of
//! the model as it is written.

use crate::fewer;
use explicit::{Options, SymmetryReduction};
use machine::{Abstraction, Frozen, InboxStart, Instance, Machine, Property, PropertyKind};
use verdict::{
    Answer, Budget, Findings, Latest, Omission, Premise, Question, Refusal, Report, Run,
    StateExplosion,
};

/// Answers a question by visiting every state, if that is the method; otherwise every one that makes a difference.
pub(crate) fn every_state(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    match is_plain(question.machine) {
        true => explicit::run(question, &Options::default(), budget),
        false => answer(question, budget),
    }
}

/// Answers a question by visiting every state that makes a difference.
pub(crate) fn answer(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let machine = question.machine;
    if is_plain(machine) {
        return fewer::answer(question, &Options::default(), budget);
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
            Some(before) => beside(before, report),
        });
    }
    match all {
        Some(report) => Ok(report),
        None => conjunction(question, &[], budget),
    }
}

/// Beginnings beyond which initial values are decided late.
const MANY: u128 = 100_000;

/// Whether nodes that count begin in so many ways that nobody makes them all: most differ in what is not read at first.
fn begins_in_many_ways(machine: &Machine) -> bool {
    let bound = |frozen: &Frozen| Instance { machine, frozen }.initial_bound(&|_| true);
    !machine.counters.is_empty()
        && machine
            .frozen_choices()
            .next()
            .is_some_and(|frozen| bound(&frozen) > MANY)
}

/// On a graph that is one of all, who is who among its nodes is no part of the question, as far as nobody can tell. Nothing
/// where the plain search is not the method.
pub(crate) fn answer_on_a_graph(
    question: &Question<'_>,
    budget: &dyn Budget,
) -> Option<Result<Report, Refusal>> {
    let options = Options {
        symmetry: SymmetryReduction::Instances,
        ..Options::default()
    };
    is_plain(question.machine).then(|| fewer::answer(question, &options, budget))
}

/// Whether a Machine is visited as it is.
fn is_plain(machine: &Machine) -> bool {
    machine.inbox.start == InboxStart::Empty && !machine.has_time() && !begins_in_many_ways(machine)
}

pub(crate) fn with_only(machine: &Machine, property: &Property) -> Machine {
    Machine {
        properties: vec![property.clone()],
        ..machine.clone()
    }
}

/// Whether less of the Machine makes a difference to the parts than to the whole: so much less that asking several
/// times is worth it.
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

/// Answers a property that is true if its parts are. Without parts, what else there is to find.
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
        report = beside(report, next);
        report.answers = vec![match (before, report.answers.remove(0)) {
            (_, fails @ Answer::Fails(_)) => fails,
            // What was established of all parts is what was established of each.
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

/// Of two parts of a claim that are open, why they are: if only hashes leave both open, with the odds of both; if they leave one
/// open, it is the other that says more.
pub(crate) fn both_open(
    (a, b): (Answer, Answer),
    omission: (Option<Omission>, Option<Omission>),
) -> Answer {
    let told = |omission: &Omission| Answer::Unknown(omission.told("breaks"));
    let by_hashes = |answer: &Answer, omission: &Option<Omission>| {
        omission
            .as_ref()
            .is_some_and(|omission| told(omission) == *answer)
    };
    match (
        by_hashes(&a, &omission.0),
        by_hashes(&b, &omission.1),
        omission,
    ) {
        (true, true, (Some(one), Some(other))) => told(&one.beside(other)),
        (true, ..) => b,
        (false, ..) => a,
    }
}

/// What is known of the premise of a claim that was asked in parts.
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
        // Who asks about orders asks for it himself.
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

/// One report of two about the same Machine with different properties.
pub(crate) fn beside(mut a: Report, mut b: Report) -> Report {
    for report in [&mut a, &mut b] {
        report.evidence.resize(report.answers.len(), None);
        report.findings.by.resize(report.answers.len(), None);
    }
    a.answers.extend(b.answers);
    a.evidence.extend(b.evidence);
    a.counts.instances = a.counts.instances.max(b.counts.instances);
    a.counts.initial += b.counts.initial;
    a.counts.states += b.counts.states;
    a.counts.transitions += b.counts.transitions;
    a.counts.depth = a.counts.depth.max(b.counts.depth);
    a.counts.memory = a.counts.memory.max(b.counts.memory);
    a.counts.up_to_rotation &= b.counts.up_to_rotation;
    let either = |a: Vec<bool>, b: Vec<bool>| a.iter().zip(&b).map(|(a, b)| *a || *b).collect();
    let shorter = |a: Option<Box<Run>>, b: Option<Box<Run>>| match (a, b) {
        (Some(a), Some(b)) if b.choices.len() < a.choices.len() => Some(b),
        (a, b) => a.or(b),
    };
    a.findings = Findings {
        explored: explored(&a.findings, &b.findings),
        ran: either(a.findings.ran, b.findings.ran),
        sent: either(a.findings.sent, b.findings.sent),
        premises: [a.findings.premises, b.findings.premises].concat(),
        deadlock: shorter(a.findings.deadlock, b.findings.deadlock),
        error: shorter(a.findings.error, b.findings.error),
        complete: a.findings.complete && b.findings.complete,
        longest: a.findings.longest.max(b.findings.longest),
        state_explosion: bigger(a.findings.state_explosion, b.findings.state_explosion),
        latest: [a.findings.latest, b.findings.latest].concat(),
        by: [a.findings.by, b.findings.by].concat(),
        reduced: [a.findings.reduced, b.findings.reduced].concat(),
        omission: match (a.findings.omission, b.findings.omission) {
            (Some(a), Some(b)) => Some(a.beside(b)),
            (a, b) => a.or(b),
        },
    };
    a
}

/// Up to how many events every run was looked at in both of two searches, where there is a limit at all.
fn explored(a: &Findings, b: &Findings) -> Option<u64> {
    match (a.complete, b.complete) {
        (true, _) => b.explored,
        (_, true) => a.explored,
        (false, false) => a.explored.min(b.explored),
    }
}

/// What there is to say of the bigger of two searches.
fn bigger(
    a: Option<Box<StateExplosion>>,
    b: Option<Box<StateExplosion>>,
) -> Option<Box<StateExplosion>> {
    [a, b].into_iter().flatten().max_by_key(|search| search.of)
}

/// Asks about a Machine by a smaller one.
fn smaller(machine: &Machine, fair: bool, budget: &dyn Budget) -> Result<Report, Refusal> {
    let shrunk = passes::shrink(machine);
    let question = Question {
        machine: &shrunk.machine,
        fair,
    };
    let cone = |frozen: &machine::Frozen| passes::cone_of_influence(&shrunk.machine, frozen);
    let timed = shrunk.machine.digitisation().is_some();
    let timed = timed.then(|| passes::timed_reductions(&shrunk.machine));
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
            let run = passes::come_back(&shrunk.machine, &latest.run)?;
            let run = Box::new(shrunk.lift(&run)?);
            Some(Latest { run, ..latest })
        });
    }
    Ok(report)
}

/// The same answer with a run of the Machine as it was.
fn lifted(shrunk: &passes::Shrunk, answer: Answer) -> Answer {
    let Some(run) = answer.run() else {
        return answer;
    };
    match passes::come_back(&shrunk.machine, run).and_then(|run| shrunk.lift(&run)) {
        Some(run) => answer.with_run(Box::new(run)),
        None => Answer::Unknown(
            "a run of the smaller machine has no counterpart; this is a bug in Scrutineer, please report it with the model".into(),
        ),
    }
}
