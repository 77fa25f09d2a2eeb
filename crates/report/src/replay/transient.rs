//! Transient variables and lasting effects. A variable is transient if it returns to earlier values often or changes in
//! nearly every activation, like a clock or a flag that the next step resets. Its changes do not explain a failure.

use crate::events::step::activated;
use crate::replay::run::ReplayedRun;
use machine::{Event, KindId, Mode, NodeId, Outcome, State, Type, Value, VarId};

/// Decides which events have lasting effects.
pub(crate) struct LastingEffects {
    /// By node, then by index of the variable: whether it is transient.
    transient: Vec<Vec<bool>>,
    /// Whether changes of timers count as lasting effects. They do in a run without a failure.
    with_timers: bool,
}

impl LastingEffects {
    /// Classifies the variables of a run. The variables `claimed`, which occur in the claim, are never transient.
    pub(crate) fn new(replay: &ReplayedRun<'_>, claimed: &[VarId]) -> LastingEffects {
        let machine = replay.words.machine;
        let of_kind = |kind: KindId| -> Vec<bool> {
            let own = claimed.iter().map(|var| (var, &machine.vars[var.index()]));
            let own = own.filter(|(_, var)| var.kind == kind);
            let own: Vec<usize> = own.map(|(id, _)| machine.place_of_var(*id)).collect();
            let vars = machine.vars_of(kind).enumerate();
            let transient = vars.map(|(place, var)| {
                let mut nodes = machine.nodes_of(kind);
                !own.contains(&place) && nodes.any(|n| is_transient(replay, n, place, &var.ty))
            });
            transient.collect()
        };
        let kinds = (0..machine.kinds.len()).map(|k| of_kind(KindId(k as u32)));
        let kinds: Vec<Vec<bool>> = kinds.collect();
        let nodes = machine.nodes();
        LastingEffects {
            transient: nodes
                .map(|node| kinds[machine.kind_of(node).index()].clone())
                .collect(),
            with_timers: replay.is_plain(),
        }
    }

    /// The transient variables, by node and index among its variables.
    pub(crate) fn transient(&self, replay: &ReplayedRun<'_>) -> Vec<(NodeId, usize)> {
        let nodes = replay.words.machine.nodes().zip(&self.transient);
        nodes
            .flat_map(|(node, transient)| {
                let places = (0..transient.len()).filter(|place| transient[*place]);
                places.map(move |place| (node, place))
            })
            .collect()
    }

    /// Whether an event has a lasting effect: it is a fault, an expiry, a restart or an error, a node stops running in
    /// it, or it changes a variable that is not transient (or a timer, if `with_timers`).
    pub(crate) fn has(&self, replay: &ReplayedRun<'_>, event: usize) -> bool {
        let choice = &replay.run.choices[event].event;
        if is_fault(choice) || matches!(choice, Event::Expire(..) | Event::Restart(_)) {
            return true;
        }
        let Some(after) = replay.states.get(event + 1) else {
            return true; // an error
        };
        let timers = |state: &State| state.clock.as_ref().map(|clock| clock.timers.clone());
        if self.with_timers && timers(&replay.states[event]) != timers(after) {
            return true;
        }
        let nodes = replay.states[event].nodes.iter().zip(&after.nodes);
        nodes.zip(&self.transient).any(|((old, new), transient)| {
            let ends = old.mode != new.mode && new.mode != Mode::Running;
            let vars = old.vars.iter().zip(&new.vars).zip(transient);
            ends || vars
                .into_iter()
                .any(|((old, new), transient)| old != new && !transient)
        })
    }
}

/// Whether an event is a fault of a node, or loses a message or delivers one that no code handles.
pub(crate) fn is_fault(event: &Event) -> bool {
    matches!(
        event,
        Event::Crash(..)
            | Event::CrashDuring(..)
            | Event::Stop(..)
            | Event::Deliver(_, _, Outcome::Lose(_) | Outcome::Unhandled)
    )
}

/// Whether a variable, or an element of an array variable, often returns to earlier values, or the variable ticks.
/// Enums are never transient.
fn is_transient(replay: &ReplayedRun<'_>, node: NodeId, place: usize, ty: &Type) -> bool {
    if matches!(ty, Type::Enum(_)) {
        return false;
    }
    let values = replay.states.iter();
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
    returns_often(&values, enough)
        || (0..parts).any(|k| returns_often(&part(k), enough))
        || ticks(replay, node, &values, ty)
}

/// Whether at least `enough` changes, and at least a third of all changes, lead back to an earlier value.
fn returns_often(values: &[&Value], enough: usize) -> bool {
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

/// Whether an integer or an array of integers changes in at least three activations of its node, and in at least four
/// of five.
fn ticks(replay: &ReplayedRun<'_>, node: NodeId, values: &[&Value], ty: &Type) -> bool {
    let number = match ty {
        Type::Array(_, inner) => matches!(**inner, Type::Int(..)),
        other => matches!(other, Type::Int(..)),
    };
    let instance = replay.instance();
    let own = (0..replay.states.len() - 1)
        .filter(|i| activated(instance, &replay.run.choices[*i]) == Some(node));
    let own: Vec<usize> = own.collect();
    let changes = own
        .iter()
        .filter(|i| values[**i] != values[**i + 1])
        .count();
    number && changes >= 3 && changes * 5 >= own.len() * 4
}
