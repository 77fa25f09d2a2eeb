//! The expander: computes the successors of a state.
//!
//! Expanders share no mutable data, so several can run in parallel.

use crate::abstraction::decisions::{
    Decision, PossibleValues, branch, decide, initial_slots, initial_state_with,
};
use crate::events::enabled::enabled_events;
use crate::events::fire::fire_event;
use crate::events::invisible_deliveries::arrival_sets;
use crate::events::normal_form::{counters_fit, normalise};
use crate::expand::transition_cache::{self, TransitionCache};
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::{Arrival, CompiledEvent, Effects, Stop};
use crate::program::expression::Context;
use crate::state::component_table::Numbering;
use crate::state::layout::{ComponentIndex, Layout};
use crate::state::packing::StatePacking;
use crate::store::visited_set::{Change, RowFormat, Size, VisitedSet};
use crate::symmetry::canonical_form::CanonicalForm;
use machine::{Shift, State};
use std::borrow::Cow;
use std::sync::Arc;

/// Holds one state and computes its successors.
pub(crate) struct Expander<'a> {
    pub(crate) compiled: &'a CompiledMachine<'a>,
    pub(crate) layout: Layout,
    packing: StatePacking,
    pub(crate) frozen: Arc<[i64]>,
    /// The possible values of undecided components.
    pub(crate) possible_values: Arc<PossibleValues>,
    /// The component numbers of the state, and the component indices of containers.
    pub(crate) numbers: Vec<u32>,
    pub(crate) index: ComponentIndex,
    open: OpenState,
    /// Computes canonical forms; `None` without symmetry reduction.
    pub(crate) canonical: Option<CanonicalForm>,
    /// The transition cache; `None` if it does not apply to the search.
    pub(crate) cache: Option<Box<TransitionCache>>,
    pub(crate) scratch: Scratch,
    pub(crate) failures: Failures,
}

/// The slots of the state; valid if `is_open`.
#[derive(Default)]
struct OpenState {
    slots: Vec<i64>,
    is_open: bool,
}

/// Failures after which the search cannot continue.
#[derive(Clone, Copy, Default)]
pub(crate) struct Failures {
    /// An event needs data that the data abstraction does not represent.
    pub(crate) too_coarse: bool,
    /// A node crashes while it sends more than 16 messages, so that their subsets are too many to enumerate.
    pub(crate) too_many: bool,
}

/// Buffers that are reused between calls.
#[derive(Default)]
pub(crate) struct Scratch {
    events: Vec<CompiledEvent>,
    next: Vec<i64>,
    pub(crate) next_numbers: Vec<u32>,
    pub(crate) differs: Vec<u32>,
    pub(crate) effects: Effects,
    pub(crate) changes: Vec<Change>,
    shift: Vec<i64>,
    unfinished: Vec<(Vec<i64>, Vec<Decision>)>,
}

/// A transition, as it is passed to a visitor.
pub(crate) struct Transition<'t> {
    pub(crate) event: CompiledEvent,
    /// Invisible deliveries that happen just before the event.
    pub(crate) arrivals: &'t [Arrival],
    pub(crate) picks: &'t [i64],
    /// Decisions on undecided components that the event reads.
    pub(crate) decisions: &'t [Decision],
    /// The component numbers of the successor, and the components in which it differs from the state. `None` if the
    /// event is an error.
    pub(crate) target: Option<(&'t [u32], &'t [u32])>,
    pub(crate) effects: &'t Effects,
    /// By class: the amount added to counters to normalise the successor.
    pub(crate) shift: &'t [i64],
    /// The states before and after the event; `None` if the transition comes from the cache. If the event is an error,
    /// the second state is meaningless.
    pub(crate) states: Option<[Context<'t>; 2]>,
}

impl Transition<'_> {
    /// Whether the successor has these component numbers.
    pub(crate) fn leads_to(&self, parts: &[u32]) -> bool {
        self.target.is_some_and(|(target, _)| target == parts)
    }
}

impl<'a> Expander<'a> {
    pub(crate) fn new(
        compiled: &'a CompiledMachine<'a>,
        layout: Layout,
        frozen: Arc<[i64]>,
        possible_values: Arc<PossibleValues>,
    ) -> Expander<'a> {
        let caches_transitions = transition_cache::applies(compiled) && possible_values.is_empty();
        let index = layout.part_index();
        Expander {
            compiled,
            packing: StatePacking::new(&layout),
            index,
            layout,
            frozen,
            possible_values,
            open: OpenState::default(),
            numbers: Vec::new(),
            canonical: None,
            cache: caches_transitions.then(|| Box::new(TransitionCache::new(compiled, index))),
            scratch: Scratch::default(),
            failures: Failures::default(),
        }
    }

    /// Another expander for the same instance.
    pub(crate) fn another(&self) -> Expander<'a> {
        let (frozen, possible_values) = (self.frozen.clone(), self.possible_values.clone());
        let mut expander =
            Expander::new(self.compiled, self.layout.clone(), frozen, possible_values);
        expander.reduce_by_symmetry(self.canonical.clone());
        expander
    }

    /// Enables symmetry reduction, if a canonical form is given.
    pub(crate) fn reduce_by_symmetry(&mut self, canonical: Option<CanonicalForm>) {
        if canonical.is_some() {
            self.cache = None; // cached transitions cannot be permuted
        }
        self.canonical = canonical;
    }

    /// Whether the search cannot continue: because of [`Failures`], or because a counter is out of bounds.
    pub(crate) fn is_stuck(&self) -> bool {
        self.failures.too_coarse
            || self.failures.too_many
            || self.layout.out_of_bounds.get().is_some()
    }

    /// The number of components of a state.
    pub(crate) fn parts(&self) -> usize {
        self.packing.len()
    }

    /// The components in an order in which those of a node are adjacent: its variables, outbox, inbox and outgoing
    /// channels.
    pub(crate) fn order(&self) -> Vec<u32> {
        let machine = self.compiled.machine;
        let mut owned: Vec<Vec<usize>> = Vec::new();
        for node in machine.nodes() {
            let index = self.index;
            owned.push(vec![node.index(), index.outbox(node), index.inbox(node)]);
        }
        for (edge, (from, _)) in machine.edges.iter().enumerate() {
            owned[from.index()].push(self.index.channel(edge));
        }
        let mut order: Vec<u32> = Vec::with_capacity(self.parts());
        let mut seen = vec![false; self.parts()];
        for part in owned.into_iter().flatten().chain(0..self.parts()) {
            if seen.get(part) == Some(&false) {
                seen[part] = true;
                order.push(part as u32);
            }
        }
        order
    }

    /// The size of each component, for the visited set.
    pub(crate) fn sizes(&self) -> Vec<Size> {
        self.packing.sizes()
    }

    /// The component numbers of an open state.
    pub(crate) fn numbers(&mut self, slots: &[i64], numbering: &mut impl Numbering) -> &[u32] {
        let Expander {
            packing, layout, ..
        } = self;
        self.open.is_open = false;
        packing.numbers(layout, slots, numbering, &mut self.numbers);
        &self.numbers
    }

    /// Unpacks a state into new slots.
    pub(crate) fn slots(&mut self, numbers: &[u32], numbering: &impl Numbering) -> Vec<i64> {
        let mut slots = Vec::new();
        let Expander {
            packing, layout, ..
        } = self;
        packing.open(layout, numbers, numbering, &mut slots);
        self.open.is_open = false; // the layout may have grown
        slots
    }

    /// Reads the component numbers of a state, without unpacking it into slots.
    pub(crate) fn take(&mut self, store: &VisitedSet, number: u32) {
        store.read(number, &mut self.numbers);
        self.open.is_open = false;
    }

    /// Reads the component numbers of a state from its row, without unpacking it into slots.
    pub(crate) fn take_row(&mut self, format: &RowFormat, row: &[u64]) {
        format.unpack(row, &mut self.numbers);
        self.open.is_open = false;
    }

    /// Unpacks the state into slots, unless that has been done.
    pub(crate) fn make_sure_open(&mut self, numbering: &impl Numbering) {
        if std::mem::replace(&mut self.open.is_open, true) {
            return;
        }
        let Expander {
            packing, layout, ..
        } = self;
        packing.open(layout, &self.numbers, numbering, &mut self.open.slots);
    }

    /// The open state.
    pub(crate) fn context(&self) -> Context<'_> {
        Context {
            compiled: self.compiled,
            layout: &self.layout,
            frozen: &self.frozen,
            slots: &self.open.slots,
        }
    }

    /// The normalised slots of an initial state, and the shift by class; `None` if a counter is out of bounds.
    pub(crate) fn initial_slots(&mut self, state: &State) -> Option<(Vec<i64>, Shift)> {
        let machine = self.compiled.machine;
        let counts = !machine.counters.is_empty();
        let mut shift = machine.to_normal(state);
        let normal = match counts {
            true => Cow::Owned(machine.shifted(state, &shift)),
            false => Cow::Borrowed(state),
        };
        if counts && !counters_fit(self.compiled, &self.layout, &normal) {
            return None;
        }
        let (layout, possible_values) = (&mut self.layout, &self.possible_values);
        let mut slots = initial_slots(
            self.compiled,
            layout,
            &normal,
            possible_values,
            &self.frozen,
        );
        let by = &mut self.scratch.shift;
        normalise(self.compiled, &self.layout, &mut slots, by);
        shift.iter_mut().zip(by).for_each(|(all, by)| *all += *by);
        (self.packing, self.open.is_open) = (StatePacking::new(&self.layout), false); // the layout may have grown
        Some((slots, shift))
    }

    /// An initial state of the reference interpreter in which undecided components have the values given by these
    /// decisions.
    pub(crate) fn beginning(&mut self, initial: &State, decisions: &[Decision]) -> State {
        let (layout, possible_values) = (&mut self.layout, &self.possible_values);
        let found = initial_state_with(
            self.compiled,
            layout,
            initial,
            possible_values,
            decisions,
            &self.frozen,
        );
        (self.packing, self.open.is_open) = (StatePacking::new(&self.layout), false); // the layout may have grown
        found
    }

    /// Enumerates the transitions of the state in order, until `visit` returns `false`.
    pub(crate) fn each_transition(
        &mut self,
        numbering: &mut impl Numbering,
        visit: &mut dyn FnMut(&Transition<'_>) -> bool,
    ) {
        if self.cache.is_some() {
            return self.each_cached(numbering, visit);
        }
        self.make_sure_open(numbering);
        let mut events = std::mem::take(&mut self.scratch.events);
        enabled_events(self.compiled, &self.context(), &mut events);
        self.each_transition_by(&events, numbering, visit);
        self.scratch.events = events;
    }

    /// Enumerates the transitions of the open state by these events, until `visit` returns `false`.
    pub(crate) fn each_transition_by(
        &mut self,
        events: &[CompiledEvent],
        numbering: &mut impl Numbering,
        visit: &mut dyn FnMut(&Transition<'_>) -> bool,
    ) {
        let mut scratch = std::mem::take(&mut self.scratch);
        // For events in which a node crashes while it sends: the message lists seen so far, over all sets of invisible
        // deliveries.
        let mut would_send = Vec::new();
        for event in events {
            would_send.clear();
            let sets = arrival_sets(
                self.compiled,
                &self.layout,
                &self.frozen,
                &self.open.slots,
                *event,
            );
            let mut each = |arrivals: &[Arrival]| {
                let event = (*event, arrivals);
                self.each_way(event, &mut scratch, &mut would_send, numbering, visit)
            };
            let go_on = match &sets {
                None => each(&[]),
                Some(sets) => sets.iter().all(|arrivals| each(arrivals)),
            };
            if !go_on {
                break;
            }
        }
        self.scratch = scratch;
    }

    /// Enumerates the transitions of one event, one for each combination of choices and decisions. Returns `false` if
    /// `visit` did, or if a counter is out of bounds.
    pub(crate) fn each_way(
        &mut self,
        (event, arrivals): (CompiledEvent, &[Arrival]),
        scratch: &mut Scratch,
        would_send: &mut Vec<Vec<(machine::EdgeId, i64)>>,
        numbering: &mut impl Numbering,
        visit: &mut dyn FnMut(&Transition<'_>) -> bool,
    ) -> bool {
        let Scratch {
            next,
            next_numbers,
            differs,
            effects,
            shift,
            unfinished,
            ..
        } = scratch;
        unfinished.clear();
        unfinished.push((Vec::new(), Vec::new()));
        effects.unfinished = None;
        while let Some((picks, decisions)) = unfinished.pop() {
            if self.compiled.token.is_ended() {
                return false;
            }
            next.clone_from(&self.open.slots);
            for decision in &decisions {
                decide(self.compiled, &self.layout, next, *decision);
            }
            let (layout, frozen) = (&self.layout, &self.frozen);
            let result = fire_event(
                self.compiled,
                layout,
                frozen,
                next,
                (event, arrivals),
                &picks,
                effects,
            );
            if result.is_ok() {
                normalise(self.compiled, layout, next, shift);
                if let Some(canonical) = &mut self.canonical {
                    canonical.canonicalise(self.compiled, &self.layout, next);
                }
            }
            if self.layout.out_of_bounds.get().is_some() {
                return false; // the whole search will be repeated
            }
            let target = match result {
                Ok(()) => {
                    self.number_next(next, next_numbers, differs, numbering);
                    Some((&next_numbers[..], &differs[..]))
                }
                Err(Stop::Broken) => None,
                Err(Stop::TooCoarse) => {
                    self.failures.too_coarse = true;
                    continue;
                }
                Err(Stop::NoRoom) => {
                    self.layout.grow_with(&mut self.open.slots);
                    self.packing = StatePacking::new(&self.layout);
                    unfinished.push((picks, decisions));
                    continue;
                }
                Err(Stop::TooMany) => {
                    self.failures.too_many = true;
                    continue;
                }
                Err(Stop::Choose(elements)) => {
                    if let (Some(known), Some(_)) =
                        (&effects.unfinished, &self.compiled.timing.reductions)
                        && known.picks == picks
                    {
                        if would_send.contains(&known.sent) {
                            continue; // the same messages were sent after other deliveries: a crash hides the rest
                        }
                        would_send.push(known.sent.clone());
                    }
                    let pick = |pick| ([&picks[..], &[pick]].concat(), decisions.clone());
                    unfinished.extend(elements.into_iter().rev().map(pick));
                    continue;
                }
                Err(Stop::Undecided(part)) => {
                    let decide = |one| (picks.clone(), [&decisions[..], &[one]].concat());
                    branch(unfinished, &self.possible_values, part, decide);
                    continue;
                }
            };
            let before = self.context();
            let behind = Context {
                slots: next,
                ..before
            };
            let transition = Transition {
                event,
                arrivals,
                picks: &picks,
                decisions: &decisions,
                target,
                effects,
                shift,
                states: Some([before, behind]),
            };
            if !visit(&transition) {
                return false;
            }
        }
        true
    }

    /// Computes the component numbers of a successor of the open state, and the components in which it differs.
    fn number_next(
        &mut self,
        next: &[i64],
        parts: &mut Vec<u32>,
        differs: &mut Vec<u32>,
        numbering: &mut impl Numbering,
    ) {
        differs.clear();
        (self.packing).each_difference(&self.open.slots, next, |part| differs.push(part as u32));
        parts.clone_from(&self.numbers);
        let Expander {
            packing, layout, ..
        } = self;
        for part in differs.iter() {
            let part = *part as usize;
            parts[part] = packing.number(layout, next, part, numbering);
        }
    }
}
