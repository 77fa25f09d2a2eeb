//! Which events of a run matter for what it shows: the others are drawn pale.
//!
//! **Where it begins.** The explanation names nodes: instances of quantifiers, and owners of values that
//! can change (a constant of a node says nothing of what the node did). The last thing that each of them
//! did before the place where the claim is false matters, and so does the event there. Where no node is
//! named, or where a fact looks at the whole system, all nodes count. Of a run that ends in an error it is
//! the last event.
//!
//! **How it goes back.** With an event these matter:
//! - the event before it at the same node;
//! - the event that sent its message;
//! - if it looks into an inbox, the events that put there what it finds;
//! - where messages arrive at once, the events before it at the nodes whose code it runs;
//! - in a queue, the event that took out the message in front of its message;
//! - in a queue with a bound, for each message that it put in, the event that made room for it.
//!
//! So the events that matter are a run by themselves, and the nodes that count end in the same state: the
//! tests replay it. Where code looks into other nodes, where activations wait for those of others, and where
//! everybody starts before anything else, this is not so, and then every event up to the place of the
//! failure matters.
//!
//! **Runs without an end** (a loop, or a standstill) show what does not happen. There the nodes that wait
//! count too, and those that could have sent something to a node that counts: they did not. So does every
//! message that comes to nothing: it may be the one that is missed. A loop is followed back through itself
//! once for every node, so that what goes round in it is found.
//!
//! **Runs with times** are weighed in another way, see [`Crux`].
//!
//! If nothing matters by these rules (somebody who could act never does), everything in such a run is drawn
//! as if it did.

use crate::Telling;
use crate::crux::Crux;
use crate::deeds::deeds;
use crate::flights::{Flight, flights};
use crate::inboxes::Inboxes;
use machine::{
    Channel, Choice, Event, Expr, Instance, LocalId, Machine, Mode, NodeId, Origin, Outcome,
    PropertyKind, State, Value,
};
use std::collections::BTreeSet;
use verdict::{Ending, PartVerdict, Waiting};

/// For each event of the run, whether it matters.
pub fn slice(telling: &Telling<'_>) -> Vec<bool> {
    let machine = telling.words.machine;
    let choices = &telling.run.choices;
    let count = choices.len();
    let verdict = telling.explanation.map(|e| e.verdict);
    let end = match verdict {
        Some(PartVerdict::FalseAfter(after))
            if telling.error.is_none() && !telling.is_false_again() =>
        {
            after.min(count)
        }
        _ => count,
    };
    let endless = endless(telling);
    if telling.is_timed() {
        return Crux::new(telling).matters;
    }
    if looks_into_others(machine) || wait_for_others(machine) {
        return (0..count).map(|i| i < end || endless).collect();
    }
    let (from, rounds) = match telling.run.ending {
        Ending::Loops(from) if endless => (from, machine.node_count() as usize + 1),
        _ => (end, 1),
    };
    // The run with its loop as often as needed; the number of the event for each place in it.
    let places: Vec<usize> = if from < end {
        (0..from)
            .chain((0..rounds).flat_map(|_| from..end))
            .collect()
    } else {
        (0..end).collect()
    };
    let unrolled: Vec<Choice> = places.iter().map(|i| choices[*i].clone()).collect();
    let states: Vec<State> = std::iter::once(&telling.states[0])
        .chain(places.iter().filter_map(|i| telling.states.get(i + 1)))
        .cloned()
        .collect();
    let causes = Causes::new(telling.instance(), &unrolled, &states);
    let mut matters = vec![false; unrolled.len()];
    let mut next: Vec<usize> = Vec::new();
    if telling.error.is_some() {
        next.extend(unrolled.len().checked_sub(1));
    } else {
        let roots = roots(telling);
        next.extend(roots.iter().filter_map(|n| causes.last_at(*n)));
        if let Some(PartVerdict::FalseAfter(after)) = verdict {
            // In the last round, if there are several.
            next.extend((unrolled.len() + after.min(end)).checked_sub(end + 1));
        }
    }
    if endless {
        let nothing = unrolled.iter().enumerate().filter(|(_, c)| to_nothing(c));
        next.extend(nothing.map(|(i, _)| i));
    }
    while let Some(i) = next.pop() {
        if !std::mem::replace(&mut matters[i], true) {
            next.extend(&causes.of[i]);
        }
    }
    let mut result = vec![false; count];
    for (place, event) in places.iter().enumerate() {
        result[*event] |= matters[place];
    }
    if endless && !result.contains(&true) {
        return vec![true; count]; // nothing to tell apart
    }
    result
}

/// The nodes that what the run shows is about: those that the explanation names, or all.
pub fn roots(telling: &Telling<'_>) -> BTreeSet<NodeId> {
    let machine = telling.words.machine;
    let all = || machine.nodes().collect();
    let Some(explanation) = telling.explanation else {
        return all();
    };
    let mut roots = BTreeSet::new();
    for (_, value) in &explanation.why.bindings {
        nodes_in(value, &mut roots);
    }
    for fact in &explanation.why.facts {
        match looks_at(machine, fact.origin) {
            Looks::Nowhere => {}
            Looks::Node(given) => {
                roots.extend(given);
                if let Some(value) = &fact.of {
                    nodes_in(value, &mut roots);
                }
            }
            Looks::Everywhere => return all(),
        }
    }
    if endless(telling) {
        for waiting in telling.waiting {
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

/// The run shows that something does not happen, or is wrong again and again.
fn endless(telling: &Telling<'_>) -> bool {
    let once = matches!(
        telling.explanation.map(|e| e.verdict),
        Some(PartVerdict::FalseAfter(_))
    );
    (!once || telling.is_false_again())
        && matches!(telling.run.ending, Ending::Loops(_) | Ending::StandsStill)
}

fn to_nothing(choice: &Choice) -> bool {
    matches!(
        choice.event,
        Event::Deliver(_, _, Outcome::Drop | Outcome::Lose(_))
    )
}

fn nodes_in(value: &Value, found: &mut BTreeSet<NodeId>) {
    match value {
        Value::Node(node) => {
            found.insert(*node);
        }
        Value::Some(inner) => nodes_in(inner, found),
        _ => {}
    }
}

/// What a part of a claim looks at.
pub(crate) enum Looks {
    /// At nothing that changes.
    Nowhere,
    /// At one node; which, if the text names it.
    Node(Option<NodeId>),
    /// At many nodes, or at messages; or it is not known.
    Everywhere,
}

pub(crate) fn looks_at(machine: &Machine, origin: Origin) -> Looks {
    let mut found = None;
    let mut visit = |e: &Expr| {
        if let Expr::At(here, inner) = e
            && *here == origin
        {
            found = Some(looks(inner));
        }
    };
    for property in &machine.properties {
        match &property.kind {
            PropertyKind::Claim(claim) => claim.walk_exprs(&mut visit),
            PropertyKind::Possible(condition) => condition.walk(&mut visit),
        }
    }
    found.unwrap_or(Looks::Everywhere)
}

fn looks(expr: &Expr) -> Looks {
    let mut changing = 0;
    expr.walk(&mut |e| {
        changing += match e {
            Expr::Var(..)
            | Expr::InMode(..)
            | Expr::Inbox(..)
            | Expr::Senders(..)
            | Expr::TimerSet(..)
            | Expr::Faultless(..) => 1,
            Expr::InFlight(..) | Expr::Quiescent | Expr::Overdue(..) => 2,
            _ => 0,
        };
    });
    match expr.bare() {
        _ if changing == 0 => Looks::Nowhere,
        Expr::Var(_, node)
        | Expr::InMode(_, node)
        | Expr::Inbox(_, node)
        | Expr::Senders(_, node)
        | Expr::TimerSet(_, node, _)
        | Expr::Faultless(node)
            if changing == 1 =>
        {
            match node.bare() {
                Expr::Const(Value::Node(node)) => Looks::Node(Some(*node)),
                _ => Looks::Node(None),
            }
        }
        _ => Looks::Everywhere,
    }
}

/// Whether what a node may do depends on what others have done, beside messages.
fn wait_for_others(machine: &Machine) -> bool {
    let starts = |b: &machine::Block| b.trigger == machine::Trigger::Start;
    !machine::OrderConstraints::of(machine).limits().is_empty()
        || (machine.channel == Channel::Instant && machine.blocks.iter().any(starts))
}

/// Some code reads what belongs to another node than the one that runs it, which is its local 0.
fn looks_into_others(machine: &Machine) -> bool {
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

/// For each event, the events that it needs directly.
struct Causes {
    of: Vec<Vec<usize>>,
    /// By node: the last event that changed it.
    last: Vec<Option<usize>>,
}

impl Causes {
    fn new(instance: Instance<'_>, choices: &[Choice], states: &[State]) -> Causes {
        let machine = instance.machine;
        let deeds = deeds(instance, choices, states);
        let flights = flights(machine, choices, states, &deeds);
        let mut inboxes = Inboxes::new(machine);
        let mut of = vec![Vec::new(); choices.len()];
        let mut last: Vec<Option<usize>> = vec![None; machine.node_count() as usize];
        for (i, choice) in choices.iter().enumerate() {
            let Some(node) = machine.node_of(&choice.event) else {
                continue; // time passes
            };
            let node = node.index();
            of[i].extend(last[node]);
            if !to_nothing(choice) {
                last[node] = Some(i);
            }
            for reader in &deeds[i].trace.inboxes {
                of[i].extend(inboxes.sources(*reader));
            }
            inboxes.happen(i, choice, &deeds[i], states.get(i + 1));
            for sent in &deeds[i].trace.sent {
                let to = machine.edges[sent.edge.index()].1.index();
                let halted = states[i].nodes[to].mode == Mode::Halted;
                match sent.at_once {
                    Some(Outcome::HandOver(_)) => {
                        of[i].extend(last[to]);
                        last[to] = Some(i);
                    }
                    Some(Outcome::Drop) if halted => of[i].extend(last[to]),
                    _ => {}
                }
            }
            of[i].retain(|cause| *cause < i);
        }
        for flight in &flights {
            for (arrival, _) in &flight.arrivals {
                if *arrival != flight.sent {
                    of[*arrival].push(flight.sent);
                }
            }
        }
        if let Channel::Fifo(bound) = machine.channel {
            for e in 0..machine.edges.len() {
                let of_edge: Vec<&Flight> =
                    flights.iter().filter(|f| f.edge.index() == e).collect();
                queue(&of_edge, bound, &mut of);
            }
        }
        Causes { of, last }
    }

    fn last_at(&self, node: NodeId) -> Option<usize> {
        self.last[node.index()]
    }
}

/// What the order and the bound of a queue add.
fn queue(flights: &[&Flight], bound: Option<u32>, of: &mut [Vec<usize>]) {
    let taken = |f: &Flight| (!f.open).then(|| f.arrivals.last().map(|a| a.0)).flatten();
    for (k, flight) in flights.iter().enumerate() {
        if let Some(before) = k.checked_sub(1).and_then(|k| taken(flights[k])) {
            for (arrival, _) in &flight.arrivals {
                of[*arrival].push(before);
            }
        }
        let room = bound.and_then(|bound| k.checked_sub(bound as usize));
        if let Some(made) = room.and_then(|k| taken(flights[k])) {
            // An event that takes a message out of the queue into which it puts one needs no other.
            if made < flight.sent {
                of[flight.sent].push(made);
            }
        }
    }
}
