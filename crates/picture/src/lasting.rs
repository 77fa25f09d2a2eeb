//! Which changes of a run last, and which only come and go: a clock that ticks, a note that is taken and thrown
//! away at the next step, a counter of messages say little.

use crate::Telling;
use crate::flights::node_of;
use machine::{Event, Mode, NodeId, Outcome, Type, Value, VarId};

/// By node, by the place of a variable: it only comes and goes.
pub(crate) struct Lasting {
    fleeting: Vec<Vec<bool>>,
}

impl Lasting {
    /// Of a run; what the claim is about always lasts.
    pub(crate) fn new(telling: &Telling<'_>, claimed: &[VarId]) -> Lasting {
        let machine = telling.words.machine;
        let of_node = |node: NodeId| {
            let vars = machine.vars_of(machine.kind_of(node)).enumerate();
            let own = claimed
                .iter()
                .filter(|var| machine.vars[var.index()].kind == machine.kind_of(node));
            let own: Vec<usize> = own.map(|var| machine.place_of_var(*var)).collect();
            vars.map(|(place, var)| {
                !own.contains(&place) && is_fleeting(telling, node, place, &var.ty)
            })
            .collect()
        };
        Lasting {
            fleeting: machine.nodes().map(of_node).collect(),
        }
    }

    /// The variables that only come and go.
    pub(crate) fn fleeting(&self, telling: &Telling<'_>) -> Vec<(NodeId, String)> {
        let machine = telling.words.machine;
        let nodes = machine.nodes().zip(&self.fleeting);
        nodes
            .flat_map(|(node, fleeting)| {
                let vars = machine.vars_of(machine.kind_of(node)).zip(fleeting);
                vars.filter(|(_, fleeting)| **fleeting)
                    .map(move |(var, _)| (node, var.name.clone()))
            })
            .collect()
    }

    /// Something comes of an event that lasts: a change, a fault, an end, a new beginning.
    pub(crate) fn stirs(&self, telling: &Telling<'_>, event: usize) -> bool {
        let choice = &telling.run.choices[event].event;
        if is_fault(choice) || matches!(choice, Event::Expire(..) | Event::Restart(_)) {
            return true;
        }
        let Some(after) = telling.states.get(event + 1) else {
            return true; // an error
        };
        let nodes = telling.states[event].nodes.iter().zip(&after.nodes);
        nodes.zip(&self.fleeting).any(|((old, new), fleeting)| {
            let ends = old.mode != new.mode && new.mode != Mode::Running;
            let vars = old.vars.iter().zip(&new.vars).zip(fleeting);
            ends || vars
                .into_iter()
                .any(|((old, new), fleeting)| old != new && !fleeting)
        })
    }
}

/// A node or a message meets with a fault.
pub(crate) fn is_fault(event: &Event) -> bool {
    matches!(
        event,
        Event::Crash(..)
            | Event::CrashDuring(..)
            | Event::Stop(..)
            | Event::Deliver(_, _, Outcome::Lose(_) | Outcome::Unhandled)
    )
}

/// A variable comes back to former values again and again, or it is a number that changes with nearly every event.
fn is_fleeting(telling: &Telling<'_>, node: NodeId, place: usize, ty: &Type) -> bool {
    if matches!(ty, Type::Enum(_)) {
        return false;
    }
    let machine = telling.words.machine;
    let of = |state: usize| &telling.states[state].nodes[node.index()].vars[place];
    let mut seen: Vec<&Value> = vec![of(0)];
    let (mut changes, mut returns, mut events) = (0, 0, 0);
    for event in 0..telling.states.len() - 1 {
        let own = node_of(machine, &telling.run.choices[event].event) == Some(node);
        events += usize::from(own && !is_fault(&telling.run.choices[event].event));
        let new = of(event + 1);
        if new == of(event) {
            continue;
        }
        changes += 1;
        match seen.contains(&new) {
            true => returns += 1,
            false => seen.push(new),
        }
    }
    let enough = if *ty == Type::Bool { 3 } else { 2 };
    let comes_and_goes = returns >= enough && returns * 3 >= changes;
    let ticks = matches!(ty, Type::Int(..)) && changes >= 4 && changes * 5 >= events * 2;
    comes_and_goes || ticks
}
