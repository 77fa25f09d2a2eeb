//! The slice: the events that *matter* for the failure of a run. Charts draw the other events pale.
//!
//! **Roots.** The roots are the nodes that the explanation names: values of quantified variables, and nodes whose state
//! occurs in a fact (frozen values do not count). If the explanation names no node, or if a fact reads the whole
//! system, all nodes are roots. The last event of each root node before the failure matters, and so does the event at
//! which the claim becomes false. In a run that ends in an error, the closure starts from the last event only.
//!
//! **Backward closure.** If an event matters, so do:
//! - the previous event at the same node;
//! - the event that sends the message arriving in it;
//! - if it reads an inbox, the events that stored the entries;
//! - on an instant channel, the previous events at the nodes that handle its messages;
//! - in a queue, the event that removed the message in front of the arriving one;
//! - in a bounded queue, for each message that it sends, the event that made room for it.
//!
//! Therefore the events that matter form a run of their own, in which the root nodes end in the same state; the tests
//! replay it. This fails if code reads the state of other nodes, if order constraints make activations of one node wait
//! for another, or if start blocks run on an instant channel. In these cases every event up to the failure matters.
//!
//! **Infinite runs** (with a loop, or with a final state) show that something never happens. In these the waiting nodes
//! are roots, too, and so are the nodes with an edge to a root. Every event in which a message is lost or dropped
//! matters, because that message may be the missing one. For the closure the loop is unrolled once more than there are
//! nodes, so that the closure finds messages that circulate in the loop.
//!
//! **Runs with times** have other rules, see [`Cause`](crate::replay::cause::Cause).
//!
//! If no event of an infinite run matters by these rules, all events matter. An example is a run in which an enabled
//! event never occurs.

use crate::replay::claims::{Reads, nodes_in, reads_at};
use crate::replay::dependencies::{Dependencies, is_discarded};
use crate::replay::run::ReplayedRun;
use machine::{Channel, Choice, Expr, LocalId, Machine, NodeId, State, Trace};
use std::collections::BTreeSet;
use verdict::{Ending, PartVerdict, Waiting};

/// By event: whether it matters.
pub(crate) fn slice(replay: &ReplayedRun<'_>) -> Vec<bool> {
    let machine = replay.words.machine;
    let choices = &replay.run.choices;
    let count = choices.len();
    let verdict = replay.explanation.map(|e| e.verdict);
    let end = match verdict {
        Some(PartVerdict::FalseAfter(after))
            if replay.error.is_none() && !replay.is_false_again() =>
        {
            after.min(count)
        }
        _ => count,
    };
    let endless = is_endless(replay);
    if replay.is_timed() {
        return replay.cause().matters.clone();
    }
    if reads_other_nodes(machine) || waits_for_other_nodes(machine) {
        return (0..count).map(|i| i < end || endless).collect();
    }
    let (from, rounds) = match replay.run.ending {
        Ending::Loops(from) if endless => (from, machine.node_count() as usize + 1),
        _ => (end, 1),
    };
    let unrolled = Unrolled::new(replay, from.min(end), end, rounds);
    let dependencies = unrolled.dependencies(replay);
    let events = unrolled.events.len();
    let mut matters = vec![false; events];
    let mut next: Vec<usize> = Vec::new();
    if replay.error.is_some() {
        next.extend(events.checked_sub(1));
    } else {
        let roots = roots(replay);
        next.extend(roots.iter().filter_map(|n| dependencies.last_at(*n)));
        if let Some(PartVerdict::FalseAfter(after)) = verdict {
            // The event at which the claim becomes false, in the last iteration of an unrolled loop.
            next.extend((events + after.min(end)).checked_sub(end + 1));
        }
    }
    if endless {
        let events = unrolled.events.iter().enumerate();
        let discarded = events.filter(|(_, event)| is_discarded(&choices[**event]));
        next.extend(discarded.map(|(place, _)| place));
    }
    while let Some(i) = next.pop() {
        if !std::mem::replace(&mut matters[i], true) {
            next.extend(&dependencies.of[i]);
        }
    }
    let mut result = vec![false; count];
    for (place, event) in unrolled.events.iter().enumerate() {
        result[*event] |= matters[place];
    }
    if endless && !result.contains(&true) {
        return vec![true; count]; // the rules select no event
    }
    result
}

/// A prefix of a run, with its loop unrolled.
struct Unrolled {
    /// By position in the unrolled run: the index of the event in the run.
    events: Vec<usize>,
    /// The index of the first event of the loop.
    from: usize,
    /// The effects of the event `from` in the state at the end of the loop, if that state differs from the state at the
    /// start of the loop (for example in a clock).
    repeated: Option<Trace>,
}

impl Unrolled {
    fn new(replay: &ReplayedRun<'_>, from: usize, end: usize, rounds: usize) -> Unrolled {
        let loop_events = (0..rounds).flat_map(|_| from..end);
        let differs = from < end && rounds > 1 && replay.states[from] != replay.states[end];
        let choice = || &replay.run.choices[from];
        Unrolled {
            events: (0..from).chain(loop_events).collect(),
            from,
            repeated: differs.then(|| replay.instance().trace(&replay.states[end], choice())),
        }
    }

    fn dependencies(&self, replay: &ReplayedRun<'_>) -> Dependencies {
        let choices: Vec<&Choice> = self
            .events
            .iter()
            .map(|i| &replay.run.choices[*i])
            .collect();
        let after = self.events.iter().filter_map(|i| replay.states.get(i + 1));
        let states: Vec<&State> = std::iter::once(&replay.states[0]).chain(after).collect();
        let steps = replay.steps();
        let effects = self
            .events
            .iter()
            .enumerate()
            .map(|(place, i)| match &self.repeated {
                Some(repeated) if *i == self.from && place > self.from => repeated,
                _ => &steps[*i].effects,
            });
        let effects: Vec<&Trace> = effects.collect();
        Dependencies::new(replay.words.machine, &choices, &states, &effects)
    }
}

/// The root nodes of a run: those that the explanation names, or all; see the head of this file.
pub fn roots(replay: &ReplayedRun<'_>) -> BTreeSet<NodeId> {
    let machine = replay.words.machine;
    let all = || machine.nodes().collect();
    let Some(explanation) = replay.explanation else {
        return all();
    };
    let mut roots = BTreeSet::new();
    for (_, value) in &explanation.why.bindings {
        nodes_in(value, &mut roots);
    }
    for fact in &explanation.why.facts {
        match reads_at(machine, fact.origin) {
            Reads::Nothing => {}
            Reads::Node(given) => {
                roots.extend(given);
                if let Some(value) = &fact.of {
                    nodes_in(value, &mut roots);
                }
            }
            Reads::Everything => return all(),
        }
    }
    if is_endless(replay) {
        for waiting in replay.waiting {
            let (Waiting::ForMessage(node, _)
            | Waiting::ForRoom(node, ..)
            | Waiting::WithMessage(node, ..)) = waiting;
            roots.insert(*node);
        }
        let silent = machine.edges.iter().filter(|(_, to)| roots.contains(to));
        let silent: Vec<NodeId> = silent.map(|(from, _)| *from).collect();
        roots.extend(silent);
    }
    if roots.is_empty() { all() } else { roots }
}

/// Whether the run is infinite and shows that something never happens, or that the claim is false in every iteration.
fn is_endless(replay: &ReplayedRun<'_>) -> bool {
    let once = matches!(
        replay.explanation.map(|e| e.verdict),
        Some(PartVerdict::FalseAfter(_))
    );
    (!once || replay.is_false_again())
        && matches!(replay.run.ending, Ending::Loops(_) | Ending::StandsStill)
}

/// Whether events of a node can be disabled until other nodes act, by other means than messages: by order constraints,
/// or by start blocks on an instant channel, which run before all other events.
fn waits_for_other_nodes(machine: &Machine) -> bool {
    let starts = |b: &machine::Block| b.trigger == machine::Trigger::Start;
    !machine::OrderConstraints::of(machine).limits().is_empty()
        || (machine.channel == Channel::Instant && machine.blocks.iter().any(starts))
}

/// Whether some code reads the state of another node or of the channels. The node that runs the code is `LocalId(0)`.
fn reads_other_nodes(machine: &Machine) -> bool {
    let mut found = false;
    let mut visit = |e: &Expr| match e {
        Expr::Var(_, node)
        | Expr::InMode(_, node)
        | Expr::Inbox(_, node)
        | Expr::Senders(_, node)
        | Expr::TimerSet(_, node, _)
        | Expr::Faultless(node) => {
            found |= !matches!(node.bare(), Expr::Local(LocalId(0)));
        }
        Expr::InFlight(..) | Expr::Quiescent => found = true,
        _ => {}
    };
    for block in &machine.blocks {
        use machine::Trigger::{On, When};
        if let On(_, Some(guard)) | When(guard) = &block.trigger {
            guard.walk(&mut visit);
        }
        for statement in &block.body {
            statement.walk_exprs(&mut visit);
        }
    }
    found
}
