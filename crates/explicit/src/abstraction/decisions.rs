//! Decisions: the values of undecided components, chosen when they are read.

use crate::defects::{Defect, broken};
use crate::events::interpreter_state::{close_state, open_state};
use crate::events::invisible_deliveries::apply_reductions;
use crate::program::compiled_machine::CompiledMachine;
use crate::program::condition::Condition;
use crate::program::expression::{Context, NoValue};
use crate::state::layout::{Layout, Slots};
use crate::state::partial_value::{self, LazyComponent, SURE, UNDECIDED, UNSURE};
use foldhash::HashMap;
use machine::NodeId;

/// The decision, instead of a message number, that an inbox contains no message from the sender.
pub(crate) const NOTHING: i64 = -1;

/// An undecided component and its chosen value; for an inbox a message number or [`NOTHING`].
pub(crate) type Decision = (LazyComponent, i64);

/// The possible values of the undecided components of an instance.
#[derive(Default)]
pub(crate) struct PossibleValues {
    /// The initial values of each component.
    whole: HashMap<LazyComponent, Vec<i64>>,
    /// The initial values of each component, reduced to the cone of influence, without duplicates. With data
    /// abstraction, a message in an inbox is reduced to one with unknown fields.
    masked: HashMap<LazyComponent, Vec<i64>>,
}

impl PossibleValues {
    /// Whether no component is undecided.
    pub(crate) fn is_empty(&self) -> bool {
        self.whole.is_empty()
    }
}

impl PossibleValues {
    /// A value for each component: drawn from those that agree with `decided`, the decisions of an abstract run.
    /// `below(n)` draws a number below `n`.
    pub(crate) fn drawn(
        &self,
        decided: &[Decision],
        below: &mut dyn FnMut(usize) -> usize,
    ) -> Vec<Decision> {
        let mut parts: Vec<(&LazyComponent, &Vec<i64>)> = self.masked.iter().collect();
        parts.sort_by_key(|(part, _)| **part);
        let drawn = parts.into_iter().map(|(part, values)| {
            let about = decided.iter().find(|(of, _)| of == part);
            let fits = |value: &i64| match about {
                Some((_, said)) if !partial_value::is_known(*said) => *value != NOTHING,
                Some((_, said)) => value == said,
                None => true,
            };
            let values: Vec<i64> = values.iter().copied().filter(fits).collect();
            (*part, values[below(values.len())])
        });
        drawn.collect()
    }

    pub(crate) fn add(
        &mut self,
        compiled: &CompiledMachine<'_>,
        part: LazyComponent,
        whole: Vec<i64>,
    ) {
        let mut masked: Vec<i64> = Vec::new();
        let mut seen = foldhash::HashSet::default();
        for value in &whole {
            let value = masked_part(compiled, part, *value);
            if seen.insert(value) {
                masked.push(value);
            }
        }
        self.masked.insert(part, masked);
        self.whole.insert(part, whole);
    }
}

/// A value of a component, reduced to the cone of influence and, for an inbox with data abstraction, to unknown fields.
pub(crate) fn masked_part(compiled: &CompiledMachine<'_>, part: LazyComponent, value: i64) -> i64 {
    match part {
        LazyComponent::Slot(slot) => compiled.masked(slot as usize, value),
        LazyComponent::Inbox(_, _) if value == NOTHING => value,
        LazyComponent::Inbox(to, _) if compiled.is_abstract() => {
            compiled.unknown_message(to, value)
        }
        LazyComponent::Inbox(to, _) => compiled.masked_message(to, value).unwrap_or(value),
    }
}

/// The slots of an initial state, reduced to the cone of influence, with lazy components undecided or unknown.
pub(crate) fn initial_slots(
    compiled: &CompiledMachine<'_>,
    layout: &mut Layout,
    state: &machine::State,
    possible_values: &PossibleValues,
    frozen: &[i64],
) -> Vec<i64> {
    let mut slots = open_state(compiled, layout, state, frozen);
    for (slot, value) in slots
        .iter_mut()
        .enumerate()
        .take(compiled.masks.slots.len())
    {
        *value = compiled.masked(slot, *value);
    }
    for node in compiled.machine.nodes() {
        let entries = layout.inbox(&slots, node).to_vec();
        layout.clear(&mut slots, node);
        for entry in entries {
            let (sender, message) = compiled.received(entry);
            if let Some(message) = compiled.masked_message(node, message) {
                enter_inbox(layout, &mut slots, node, compiled.entry(sender, message));
            }
        }
    }
    for (part, values) in &possible_values.whole {
        match *part {
            LazyComponent::Slot(slot) => {
                let unknown = match compiled.slot_abstraction(slot as usize) {
                    Some(abstraction) => {
                        partial_value::abstracted(abstraction).unwrap_or(UNDECIDED)
                    }
                    None => UNDECIDED,
                };
                slots[slot as usize] = compiled.masked(slot as usize, unknown);
            }
            LazyComponent::Inbox(to, from) => {
                let entry = match values.contains(&NOTHING) {
                    true => compiled.undecided_entry(from, UNSURE),
                    false if compiled.is_abstract() => {
                        compiled.entry(from, compiled.unknown_message(to, values[0]))
                    }
                    false => compiled.undecided_entry(from, SURE),
                };
                forget_from(compiled, layout, &mut slots, to, from);
                enter_inbox(layout, &mut slots, to, entry);
            }
        }
    }
    apply_reductions(compiled, layout, &mut slots);
    slots
}

/// Inserts an entry into an inbox. Grows the layout if there is no room.
fn enter_inbox(layout: &mut Layout, slots: &mut Vec<i64>, node: NodeId, entry: i64) {
    while layout.receive(slots, node, entry).is_err() {
        layout.grow_with(slots);
    }
}

/// Removes the entry of a sender from an initial inbox, which contains at most one.
fn forget_from(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    slots: &mut Slots,
    to: NodeId,
    from: NodeId,
) {
    let inbox = layout.inbox(slots, to).iter();
    let place = inbox
        .map(|e| compiled.received(*e).0)
        .position(|s| s == from);
    if let Some(place) = place {
        layout.forget(slots, to, place);
    }
}

/// Applies a decision to an open state.
pub(crate) fn decide(
    compiled: &CompiledMachine<'_>,
    layout: &Layout,
    slots: &mut Slots,
    (part, value): Decision,
) {
    match part {
        LazyComponent::Slot(slot) => slots[slot as usize] = value,
        LazyComponent::Inbox(to, from) => {
            let inbox = layout.inbox(slots, to);
            let place = inbox.iter().position(|e| compiled.is_undecided(from, *e));
            layout.forget(slots, to, place.expect("it is undecided"));
            let entry = compiled.entry(from, value);
            let there = layout.inbox(slots, to).contains(&entry);
            if value != NOTHING && (compiled.machine.inbox.copies || !there) {
                let room = layout.receive(slots, to, entry);
                assert!(room.is_ok(), "one has just been taken away");
            }
        }
    }
}

/// The initial state in which components have the values given by `decisions`, and all others the values in `state`.
pub(crate) fn initial_state_with(
    compiled: &CompiledMachine<'_>,
    layout: &mut Layout,
    state: &machine::State,
    possible_values: &PossibleValues,
    decisions: &[Decision],
    frozen: &[i64],
) -> machine::State {
    let mut slots = open_state(compiled, layout, state, frozen);
    for (part, said) in decisions {
        let is_so = |value: &&i64| masked_part(compiled, *part, **value) == *said;
        let value = possible_values.whole[part].iter().find(is_so);
        let value = *value.expect("one of its values");
        match *part {
            LazyComponent::Slot(slot) => slots[slot as usize] = value,
            LazyComponent::Inbox(to, from) => {
                forget_from(compiled, layout, &mut slots, to, from);
                if value != NOTHING {
                    enter_inbox(layout, &mut slots, to, compiled.entry(from, value));
                }
            }
        }
    }
    close_state(compiled, layout, &slots, frozen)
}

/// Evaluates a condition once for each combination of values of the undecided components that it reads. Calls `visit`
/// with the value (`None` if it has none) and the decisions, until `visit` returns `false`. If the value is unknown,
/// `visit` is called with both truth values.
fn each_way(
    context: &Context<'_>,
    possible_values: &PossibleValues,
    evaluate: &dyn Fn(&Context<'_>) -> Result<bool, NoValue>,
    visit: &mut dyn FnMut(Option<bool>, &[Decision]) -> bool,
) {
    let mut unfinished: Vec<Vec<Decision>> = vec![Vec::new()];
    let mut slots = Vec::new();
    while let Some(decisions) = unfinished.pop() {
        let value = match decisions.is_empty() {
            true => evaluate(context),
            false => {
                slots.clear();
                slots.extend_from_slice(context.slots);
                for decision in &decisions {
                    let compiled = context.compiled;
                    decide(compiled, context.layout, &mut slots, *decision);
                }
                evaluate(&Context {
                    slots: &slots,
                    ..*context
                })
            }
        };
        let value = match value {
            Ok(value) => Some(value),
            Err(NoValue::Broken) => None,
            Err(NoValue::Unknown) => {
                if !visit(Some(true), &decisions) || !visit(Some(false), &decisions) {
                    return;
                }
                continue;
            }
            Err(NoValue::Undecided(part)) => {
                branch(&mut unfinished, possible_values, part, |decision| {
                    [&decisions[..], &[decision]].concat()
                });
                continue;
            }
        };
        if !visit(value, &decisions) {
            return;
        }
    }
}

/// Pushes one alternative for each value of a component, the one for the first value last.
pub(crate) fn branch<T>(
    unfinished: &mut Vec<T>,
    possible_values: &PossibleValues,
    part: LazyComponent,
    with: impl Fn(Decision) -> T,
) {
    let mut values = &possible_values.masked[&part][..];
    if broken(Defect::DecidedOneWay) {
        values = &values[..1];
    }
    unfinished.extend(values.iter().rev().map(|value| with((part, *value))));
}

/// Evaluates a condition once for each combination of values of the undecided components that it reads. Calls `visit`
/// with the value (`None` if it has none) and the decisions, until `visit` returns `false`.
pub(crate) fn each_value(
    condition: &Condition,
    context: &Context<'_>,
    possible_values: &PossibleValues,
    visit: &mut dyn FnMut(Option<bool>, &[Decision]) -> bool,
) {
    each_way(
        context,
        possible_values,
        &|context| condition.evaluate(context),
        visit,
    );
}
