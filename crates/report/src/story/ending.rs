//! The end of a story: how the run ends, which part of the claim is false and why, and which nodes wait.

use crate::replay::run::ReplayedRun;
use crate::story::loop_summary::{loop_summary, unchanging};
use crate::words::claims::{compared, moment};
use crate::words::errors::error_words;
use crate::words::names::fault_word;
use machine::{BinaryOp, NodeId, RecordId, Value};
use verdict::{Ending, Explanation, Fact, PartVerdict, Timely, Waiting};

/// The lines at the end of the story.
pub(crate) fn ending(replay: &ReplayedRun<'_>) -> Vec<String> {
    let words = replay.words;
    let mut lines = Vec::new();
    if let Some(error) = replay.error {
        lines.push(format!(
            "here the run ends in an error: {}",
            error_words(words, error, replay.run.choices.last())
        ));
        return lines;
    }
    if let Ending::Error(error) = &replay.run.ending {
        lines.push(format!(
            "here the claim has no value: {}",
            error_words(words, error, None)
        ));
        return lines;
    }
    match replay.run.ending {
        Ending::Loops(_) => lines.extend(loop_summary(replay)),
        Ending::StandsStill => lines.push("nothing can happen any more".into()),
        Ending::Open | Ending::Error(_) => {}
    }
    if let Some(whole) = replay.explanation {
        lines.extend(explanation(replay, whole));
        for other in &whole.also {
            lines.extend(explanation(replay, other));
        }
    }
    lines.extend(unchanging(replay));
    lines.extend(waits(replay));
    lines
}

/// If the run ends in a state without enabled events: a line that says so, and the nodes that wait. Otherwise empty.
pub(crate) fn standstill(replay: &ReplayedRun<'_>) -> Vec<String> {
    if replay.run.ending != Ending::StandsStill {
        return Vec::new();
    }
    let mut lines = vec!["nothing can happen any more".to_string()];
    lines.extend(waits(replay));
    lines
}

/// Up to two lines: the false part of the claim with the place in the run, and the values that make it false.
fn explanation(replay: &ReplayedRun<'_>, explanation: &Explanation) -> Vec<String> {
    let words = replay.words;
    let part = words.false_part(&explanation.why);
    let mut lines = Vec::new();
    if let Some(part) = part {
        lines.push(match explanation.verdict {
            PartVerdict::FalseAfter(_) if replay.is_throughout(explanation) => {
                format!("all the while the claim is false:  {part}")
            }
            PartVerdict::FalseAfter(after) if replay.is_again(explanation) => {
                let when = when(replay, after);
                format!("{when}, and again in every round, the claim is false:  {part}")
            }
            PartVerdict::FalseAfter(after) if after + 1 == replay.states.len() => {
                format!("here the claim is false:  {part}")
            }
            PartVerdict::FalseAfter(0) => format!("at the start the claim is false:  {part}"),
            PartVerdict::FalseAfter(after) => {
                let when = when(replay, after);
                format!("{when} the claim is false:  {part}")
            }
            PartVerdict::NeverAfter(0) => format!("what never becomes true:  {part}"),
            PartVerdict::NeverAfter(after) if replay.is_timed() => {
                let time = replay.times().text(&replay.time(after - 1));
                format!("what never becomes true after {time}:  {part}")
            }
            PartVerdict::NeverAfter(after) => {
                format!("what never becomes true after event {after}:  {part}")
            }
        });
    }
    let because = words.because_of(&explanation.why, &|fact| {
        let state = || moment(explanation, replay.states);
        unbounded_fact(replay, fact).or_else(|| words.timely_fact(fact, state()?))
    });
    if !because.is_empty() {
        lines.push(because);
    }
    lines
}

/// The place in the run after `after` events (at least 1), as a time or an event number.
fn when(replay: &ReplayedRun<'_>, after: usize) -> String {
    if replay.is_timed() {
        format!("at {}", replay.times().text(&replay.time(after - 1)))
    } else {
        format!("after event {after}")
    }
}

/// The waiting nodes. Nodes that wait for messages of the same types share a line. If the explanation names nodes,
/// other nodes that wait for messages are left out, because their waiting may be intended.
fn waits(replay: &ReplayedRun<'_>) -> Vec<String> {
    let words = replay.words;
    let bindings = replay.explanation.iter().flat_map(|e| &e.why.bindings);
    let named: Vec<NodeId> = bindings
        .filter_map(|(_, value)| match value {
            Value::Node(node) => Some(*node),
            _ => None,
        })
        .collect();
    let mut lines = Vec::new();
    let mut for_messages: Vec<(&[RecordId], Vec<NodeId>)> = Vec::new();
    for waiting in replay.waiting {
        match waiting {
            Waiting::ForMessage(node, _) if !named.is_empty() && !named.contains(node) => {}
            Waiting::ForMessage(node, records) if !replay.run.frozen.can_receive(*node) => {
                let fault = replay.run.frozen.fault(*node).map_or("deaf", fault_word);
                let (node, wanted) = (words.node(*node), words.records(records));
                lines.push(format!("{node} is {fault}: {wanted} never reaches it"));
            }
            Waiting::ForMessage(node, records) => {
                match for_messages.iter_mut().find(|(r, _)| r == records) {
                    Some((_, nodes)) => nodes.push(*node),
                    None => for_messages.push((records, vec![*node])),
                }
            }
            Waiting::ForRoom(node, edge, message) => {
                let to = words.node(words.machine.edges[edge.index()].1);
                let (node, message) = (words.node(*node), words.value(message));
                lines.push(format!(
                    "{node} wants to send {message} to {to}, but the channel stays full"
                ));
            }
            Waiting::WithMessage(node, edge, message) => {
                let from = words.node(words.machine.edges[edge.index()].0);
                let (node, message) = (words.node(*node), words.value(message));
                lines.push(format!(
                    "{node} does not take {message} from {from}: no block for it applies"
                ));
            }
        }
    }
    for (records, nodes) in for_messages {
        let one = nodes.len() == 1;
        let wanted = words.records(records);
        let nodes = words.nodes(&nodes);
        // Without a violated claim the message may rightly be missing.
        lines.push(match (replay.explanation.is_some(), one) {
            (true, true) => format!("{nodes} waits for {wanted}, which nobody sends any more"),
            (true, false) => format!("{nodes} wait for {wanted}, which nobody sends any more"),
            (false, true) => format!("{nodes} is at rest and would still take {wanted}"),
            (false, false) => format!("{nodes} are at rest and would still take {wanted}"),
        });
    }
    lines
}

/// A fact about time in an infinite run that violates every value of the bound: `asked for at 5 ms, and never there
/// after that`, `now grows beyond u`. `None` for other facts and for finite or untimed runs.
fn unbounded_fact(replay: &ReplayedRun<'_>, fact: &Fact) -> Option<String> {
    let words = replay.words;
    if replay.run.ending == Ending::Open || !replay.is_timed() {
        return None;
    }
    match fact.timely.as_ref()? {
        Timely::Now(op, _) => {
            let over = match op {
                BinaryOp::Le | BinaryOp::Lt => Value::Bool(false),
                BinaryOp::Ge | BinaryOp::Gt => Value::Bool(true),
                _ => return None,
            };
            let other = compared(words.part(fact.origin)?)?;
            (fact.value == over).then(|| format!("now grows beyond {other}"))
        }
        Timely::Overdue(id) => {
            let response = &words.machine.responses[id.index()];
            let holds = |at: &usize, condition| {
                let state = &replay.states[*at];
                replay.instance().holds(state, condition, &[]) == Ok(true)
            };
            let all = 0..replay.states.len();
            let last = all.clone().rev().find(|at| holds(at, &response.to));
            if let (Some(last), Some(from)) = (last, replay.loop_start())
                && last >= from
            {
                return None; // the response occurs in every iteration of the loop
            }
            let mut since = all.skip(last.map_or(0, |last| last + 1));
            let since = since.find(|at| holds(at, &response.from))?;
            let since = &replay.states[since].clock.as_ref()?.now;
            let (nodes, since) = (words.response_nodes(*id), replay.times().text(since));
            Some(format!(
                "{nodes}asked for at {since}, and never there after that"
            ))
        }
    }
}
