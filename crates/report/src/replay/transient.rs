//! Which changes of a run last, and which only come and go: a clock that ticks, a note that is taken and thrown
//! away at the next step, a counter of messages say little.

use crate::Telling;
use crate::replay::step::activated;
use machine::{Event, KindId, Mode, NodeId, Outcome, State, Type, Value, VarId};

/// By node, by the place of a variable: it only comes and goes.
pub(crate) struct Lasting {
    fleeting: Vec<Vec<bool>>,
    /// The run shows nothing but itself: then timers count, too.
    for_itself: bool,
}

impl Lasting {
    /// Of a run; what the claim is about always lasts.
    pub(crate) fn new(telling: &Telling<'_>, claimed: &[VarId]) -> Lasting {
        let machine = telling.words.machine;
        let of_kind = |kind: KindId| -> Vec<bool> {
            let own = claimed.iter().map(|var| (var, &machine.vars[var.index()]));
            let own = own.filter(|(_, var)| var.kind == kind);
            let own: Vec<usize> = own.map(|(id, _)| machine.place_of_var(*id)).collect();
            let vars = machine.vars_of(kind).enumerate();
            let fleeting = vars.map(|(place, var)| {
                let mut nodes = machine.nodes_of(kind);
                !own.contains(&place) && nodes.any(|n| is_fleeting(telling, n, place, &var.ty))
            });
            fleeting.collect()
        };
        let kinds = (0..machine.kinds.len()).map(|k| of_kind(KindId(k as u32)));
        let kinds: Vec<Vec<bool>> = kinds.collect();
        let nodes = machine.nodes();
        Lasting {
            fleeting: nodes
                .map(|node| kinds[machine.kind_of(node).index()].clone())
                .collect(),
            for_itself: telling.explanation.is_none() && telling.error.is_none(),
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
        let timers = |state: &State| state.clock.as_ref().map(|clock| clock.timers.clone());
        if self.for_itself && timers(&telling.states[event]) != timers(after) {
            return true;
        }
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

/// A variable comes back to former values again and again, or changes with nearly every activation.
fn is_fleeting(telling: &Telling<'_>, node: NodeId, place: usize, ty: &Type) -> bool {
    if matches!(ty, Type::Enum(_)) {
        return false;
    }
    let values = telling.states.iter();
    let values: Vec<&Value> = values.map(|s| &s.nodes[node.index()].vars[place]).collect();
    let part = |k: usize| -> Vec<&Value> {
        let parts = values.iter().filter_map(|value| match *value {
            Value::Array(parts) => parts.get(k),
            _ => None,
        });
        parts.collect()
    };
    let parts = match values.first() {
        Some(Value::Array(parts)) => parts.len(),
        _ => 0,
    };
    let enough = if *ty == Type::Bool { 3 } else { 2 };
    comes_and_goes(&values, enough)
        || (0..parts).any(|k| comes_and_goes(&part(k), enough))
        || ticks(telling, node, &values, ty)
}

/// Values are those of before again and again.
fn comes_and_goes(values: &[&Value], enough: usize) -> bool {
    let mut seen: Vec<&Value> = values.first().copied().into_iter().collect();
    let (mut changes, mut returns) = (0, 0);
    for pair in values.windows(2).filter(|pair| pair[0] != pair[1]) {
        changes += 1;
        match seen.contains(&pair[1]) {
            true => returns += 1,
            false => seen.push(pair[1]),
        }
    }
    returns >= enough && returns * 3 >= changes
}

/// A number, or several, that change with nearly every activation.
fn ticks(telling: &Telling<'_>, node: NodeId, values: &[&Value], ty: &Type) -> bool {
    let number = match ty {
        Type::Array(_, inner) => matches!(**inner, Type::Int(..)),
        other => matches!(other, Type::Int(..)),
    };
    let instance = telling.instance();
    let own = (0..telling.states.len() - 1)
        .filter(|i| activated(instance, &telling.run.choices[*i]) == Some(node));
    let own: Vec<usize> = own.collect();
    let changes = own
        .iter()
        .filter(|i| values[**i] != values[**i + 1])
        .count();
    number && changes >= 3 && changes * 5 >= own.len() * 4
}
