//! The states and transitions of one instance, in breadth-first order.

use crate::abstraction::concretisation::AbstractRun;
use crate::abstraction::decisions::{Decision, PossibleValues};
use crate::events::interpreter_state::choice_of;
use crate::events::invisible_deliveries::arrival_choice;
use crate::expand::event_numbers::Put;
use crate::expand::expander::{Expander, Transition};
use crate::graph::labels::{Label, Labels};
use crate::graph::partial_expansion::PartialExpansion;
use crate::graph::predecessor_table::PredecessorTable;
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::CompiledEvent;
use crate::program::expression::Context;
use crate::properties::property_cache::PropertyCaches;
use crate::state::component_table::{ComponentTables, NewComponents, Numbering};
use crate::state::layout::Layout;
use crate::store::pending_inserts::PendingInserts;
use crate::store::visited_set::{Change, VisitedSet};
use crate::symmetry::canonical_form::CanonicalForm;
use machine::{Choice, InitialStates, Shift, State};
use std::sync::Arc;
use verdict::{Premise, Storage};

/// The target of a transition whose event is an error.
pub(crate) const ERROR: u32 = u32::MAX;

/// The states and transitions of one instance.
pub(crate) struct Graph<'a> {
    pub(crate) compiled: &'a CompiledMachine<'a>,
    /// Holds one open state and computes its successors. `None` while it is borrowed by [`Graph::with_expander`].
    expander: Option<Expander<'a>>,
    /// The values of all components, by number.
    pub(crate) tables: Arc<ComponentTables>,
    /// An empty table that replaces `tables` while they are borrowed.
    no_tables: Arc<ComponentTables>,
    pub(crate) store: VisitedSet,
    /// The initial states of the instance, as states of the reference interpreter.
    pub(crate) initial_states: InitialStates<'a>,
    /// By initial state of the graph: its index in `initial_states`; the least index if several of them are equal in
    /// the graph.
    pub(crate) initial: Vec<u64>,
    /// The state from which each state was found.
    pub(crate) predecessors: PredecessorTable,
    pub(crate) transitions: Transitions,
    pub(crate) labels: Labels,
    /// The number of the state that the expander holds.
    taken: Option<u32>,
    /// Which states were partially expanded; `None` without partial-order reduction.
    pub(crate) partial: Option<Box<PartialExpansion>>,
}

/// The transitions of the expanded states.
pub(crate) struct Transitions {
    /// Whether transitions are stored (true) or only counted (false).
    pub(crate) keep: bool,
    pub(crate) count: u64,
    /// The transitions of state `s` are those from `starts[s]` to `starts[s + 1]`. Only the first entry if transitions
    /// are not stored.
    pub(crate) starts: Vec<u64>,
    /// By transition: the number of its target, or [`ERROR`]; and below, the number of its label.
    pub(crate) targets: Vec<u32>,
    pub(crate) labels: Vec<u32>,
}

impl Transitions {
    fn new(keep: bool) -> Transitions {
        Transitions {
            keep,
            count: 0,
            starts: vec![0],
            targets: Vec::new(),
            labels: Vec::new(),
        }
    }
}

impl<'a> Graph<'a> {
    pub(crate) fn new(
        compiled: &'a CompiledMachine<'a>,
        layout: Layout,
        frozen: Vec<i64>,
        possible_values: PossibleValues,
        initial_states: InitialStates<'a>,
        keep_transitions: bool,
    ) -> Graph<'a> {
        let expander = Expander::new(compiled, layout, frozen.into(), Arc::new(possible_values));
        Graph {
            compiled,
            tables: Arc::new(ComponentTables::new(expander.parts())),
            no_tables: Arc::default(),
            store: VisitedSet::new(expander.sizes()),
            expander: Some(expander),
            initial_states,
            initial: Vec::new(),
            predecessors: PredecessorTable::default(),
            transitions: Transitions::new(keep_transitions),
            labels: Labels::default(),
            taken: None,
            partial: None,
        }
    }

    /// Adds an initial state with its index in `initial_states`, unless an equal one is present. Its lazy components
    /// become undecided.
    pub(crate) fn add_initial(&mut self, number: u64, state: &State) {
        if let Some(parts) = self.components_of_initial(state)
            && let (_, true) = self.store.insert(&parts)
        {
            self.predecessors.begin();
            self.initial.push(number);
        }
    }

    /// The components of an initial state; `None` if a counter is out of bounds.
    pub(crate) fn components_of_initial(&mut self, state: &State) -> Option<Vec<u32>> {
        let expander = self
            .expander
            .as_mut()
            .expect("the expander is not borrowed");
        let (mut slots, _) = expander.initial_slots(state)?;
        if let Some(canonical) = &mut expander.canonical {
            canonical.canonicalise(self.compiled, &expander.layout, &mut slots);
        }
        Some(expander.numbers(&slots, &mut self.tables).to_vec())
    }

    /// An initial state of the graph as a state of the reference interpreter. Undecided components have their first
    /// value.
    pub(crate) fn initial_state(&self, number: u32) -> State {
        self.initial_states
            .state_by_number(self.initial[number as usize])
    }

    /// The expander. Panics while transitions are being enumerated.
    pub(crate) fn expander(&self) -> &Expander<'a> {
        self.expander
            .as_ref()
            .expect("the expander is not borrowed")
    }

    /// The values of all components, shared.
    pub(crate) fn tables(&self) -> Arc<ComponentTables> {
        self.tables.clone()
    }

    pub(crate) fn expander_mut(&mut self) -> &mut Expander<'a> {
        self.expander
            .as_mut()
            .expect("the expander is not borrowed")
    }

    /// Enables symmetry reduction if a canonical form is given.
    pub(crate) fn reduce_by_symmetry(&mut self, canonical: Option<CanonicalForm>) {
        self.expander_mut().reduce_by_symmetry(canonical);
    }

    /// Chooses the form of the visited set, before the first state is inserted. Components of one node become adjacent.
    pub(crate) fn keep_by(&mut self, storage: Storage) {
        let order = self.expander().order();
        self.store.keep_by(storage, order);
    }

    /// Whether states are canonical forms.
    pub(crate) fn is_up_to_symmetry(&self) -> bool {
        self.expander().canonical.is_some()
    }

    /// The components of the canonical form of a state of the graph `real`, in component numbers of `self`.
    pub(crate) fn fold(&mut self, real: &mut Graph<'a>, parts: &[u32]) -> Vec<u32> {
        let slots = &mut Vec::new();
        real.with_expander(|_, expander, tables| *slots = expander.slots(parts, tables));
        let layout = &real.expander().layout;
        if let Some(canonical) = &mut self.expander_mut().canonical {
            canonical.canonicalise(real.compiled, layout, slots);
        }
        real.taken = None;
        real.expander_mut()
            .numbers(slots, &mut self.tables)
            .to_vec()
    }

    /// Whether the transition cache is used.
    pub(crate) fn caches_transitions(&self) -> bool {
        self.expander().cache.is_some()
    }

    /// Whether the property caches show that a state violates no property and meets no premise that is not yet in
    /// `met`.
    pub(crate) fn nothing_to_report(
        &mut self,
        state: u32,
        property_caches: &mut PropertyCaches,
        met: &[Option<Premise>],
    ) -> bool {
        self.take(state);
        let expander = self
            .expander
            .as_mut()
            .expect("the expander is not borrowed");
        property_caches.nothing_to_report(met, expander, &self.tables)
    }

    /// Opens a state. [`Graph::context`] then gives access to it, for the evaluation of conditions.
    pub(crate) fn open(&mut self, number: u32) {
        self.take(number);
        let expander = self
            .expander
            .as_mut()
            .expect("the expander is not borrowed");
        expander.make_sure_open(&self.tables);
    }

    /// Makes the next access to a state read it again from the visited set.
    pub(crate) fn put_back(&mut self) {
        self.taken = None;
    }

    /// Reads the component numbers of a state, without unpacking it into slots.
    fn take(&mut self, number: u32) {
        if self.taken != Some(number) {
            self.taken = Some(number);
            let expander = self
                .expander
                .as_mut()
                .expect("the expander is not borrowed");
            expander.take(&self.store, number);
        }
    }

    /// The state opened last.
    pub(crate) fn context(&self) -> Context<'_> {
        self.expander().context()
    }

    /// Enumerates the transitions of a state in order, until `visit` returns `false`.
    pub(crate) fn each_transition(
        &mut self,
        number: u32,
        visit: &mut dyn FnMut(&mut Self, &Transition<'_>) -> bool,
    ) {
        self.take(number);
        self.with_expander(|graph, expander, tables| {
            expander.each_transition(tables, &mut |transition| visit(graph, transition));
        });
    }

    /// Enumerates the transitions of a state by these enabled events, until `visit` returns `false`.
    pub(crate) fn each_transition_by(
        &mut self,
        number: u32,
        events: &[CompiledEvent],
        visit: &mut dyn FnMut(&mut Self, &Transition<'_>) -> bool,
    ) {
        self.open(number);
        self.with_expander(|graph, expander, tables| {
            let visit = &mut |transition: &Transition<'_>| visit(graph, transition);
            expander.each_transition_by(events, tables, visit);
        });
    }

    fn with_expander(
        &mut self,
        work: impl FnOnce(&mut Self, &mut Expander<'a>, &mut Arc<ComponentTables>),
    ) {
        let mut expander = self.expander.take().expect("the expander is not borrowed");
        let mut tables = std::mem::replace(&mut self.tables, self.no_tables.clone());
        work(self, &mut expander, &mut tables);
        (self.expander, self.tables) = (Some(expander), tables);
    }

    /// Adds a transition of the state `from`.
    pub(crate) fn add(&mut self, from: u32, transition: &Transition<'_>) {
        self.transitions.count += 1;
        let target = match transition.target {
            Some((parts, differs)) => {
                let inserted = self.store.insert_beside(from, parts, differs);
                self.found(inserted)
            }
            None => ERROR,
        };
        if self.transitions.keep {
            let label = self.label(transition);
            self.keep(target, label);
        }
    }

    /// Adds a transition of the state `from` that an explorer computed, given by its changes. Components in `fresh` are
    /// added to the tables. Returns the number of the target.
    pub(crate) fn add_changed(
        &mut self,
        from: u32,
        changes: &mut [Change],
        fresh: &NewComponents,
    ) -> u32 {
        for (part, number) in changes.iter_mut() {
            if let Some(value) = fresh.value(*part as usize, *number) {
                *number = self.tables.number(*part as usize, value);
            }
        }
        let inserted = self.store.insert_changed(from, changes);
        self.found(inserted)
    }

    /// Inserts a pending state into the visited set, as a successor of the visited state. Returns its number.
    pub(crate) fn add_pending(&mut self, insert: u32, pending: &mut PendingInserts) -> u32 {
        let known = self.store.len();
        let number = pending.settle(insert, &mut self.store);
        self.found((number, number == known))
    }

    /// Records the predecessor of a successor if it is new. Returns its number.
    fn found(&mut self, (number, new): (u32, bool)) -> u32 {
        if new {
            self.predecessors.found();
        }
        number
    }

    /// Stores a transition of the visited state.
    pub(crate) fn keep(&mut self, target: u32, label: u32) {
        self.transitions.targets.push(target);
        self.transitions.labels.push(label);
    }

    /// Ends the visit of the state being visited.
    pub(crate) fn end_of_state(&mut self) {
        self.predecessors.visited();
        if self.transitions.keep {
            self.transitions
                .starts
                .push(self.transitions.targets.len() as u64);
        }
    }

    /// The label of an event, without the messages that it puts on channels.
    pub(crate) fn label_of_event(&mut self, event: CompiledEvent) -> Label {
        self.labels.of_event(self.compiled, event)
    }

    /// The number of a transition's label.
    pub(crate) fn label(&mut self, transition: &Transition<'_>) -> u32 {
        self.label_of(transition.event, &transition.effects.put)
    }

    /// The number of the label of an event that puts these messages on channels.
    pub(crate) fn label_of(&mut self, event: CompiledEvent, put: &[Put]) -> u32 {
        self.labels.number(self.compiled, event, put)
    }

    /// Whether a run may stutter in a state: fairness requires none of its transitions. Transitions must be stored.
    pub(crate) fn may_stutter(&self, state: u32) -> bool {
        self.transitions_of(state).all(|t| {
            let label = &self.labels.table[self.transitions.labels[t] as usize];
            label.units.is_empty() && !label.waits && !label.owed
        })
    }

    /// Whether the Machine has clocks, so that time passes in transitions.
    pub(crate) fn has_time(&self) -> bool {
        self.compiled.timing.clocks.units.is_some()
    }

    /// The indices of the transitions of a state.
    pub(crate) fn transitions_of(&self, state: u32) -> std::ops::Range<usize> {
        if let Some(again) = self.partial.as_ref().and_then(|r| r.again.get(&state)) {
            return again.clone();
        }
        self.transitions.starts[state as usize] as usize
            ..self.transitions.starts[state as usize + 1] as usize
    }

    /// Bytes in use for states and transitions. Does not depend on the number of threads.
    pub(crate) fn memory(&self) -> u64 {
        let vectors = self.transitions.starts.capacity() * 8
            + self.transitions.targets.capacity() * 8
            + self.initial.capacity() * 8;
        let reduction = self.partial.as_ref().map_or(0, |r| r.memory());
        let states = self.store.memory() + self.tables.memory() + self.predecessors.memory();
        states + reduction + vectors as u64
    }

    /// The choices of a transition from one state to another, and its decisions. If `label` is given, the transition
    /// has this label. On entry `offset` is the difference between the real and the normalised counters of `from`, by
    /// class; on return, that of `to`.
    pub(crate) fn choice_between(
        &mut self,
        from: u32,
        to: u32,
        label: Option<u32>,
        offset: &mut [i64],
    ) -> (Vec<Choice>, Vec<Decision>) {
        let wanted = self.components_of(to);
        let mut found = None;
        // The search has checked that counters stay within bounds on this path.
        let out_of_bounds = self.expander().layout.out_of_bounds.take();
        self.each_transition(from, &mut |graph, transition| {
            if transition.leads_to(&wanted)
                && label.is_none_or(|label| graph.label(transition) == label)
            {
                let types = &transition.effects.chosen;
                let compiled = graph.compiled;
                let choice = choice_of(compiled, transition.event, transition.picks, types);
                let choice = compiled.machine.shifted_choice(&choice, types, offset);
                offset
                    .iter_mut()
                    .zip(transition.shift)
                    .for_each(|(all, by)| *all -= by);
                let arrived = transition
                    .arrivals
                    .iter()
                    .map(|arrival| arrival_choice(compiled, *arrival));
                let choices = arrived.chain([choice]).collect();
                found = Some((choices, transition.decisions.to_vec()));
            }
            found.is_none()
        });
        self.expander().layout.out_of_bounds.set(out_of_bounds);
        found.expect("a transition of the graph")
    }

    pub(crate) fn components_of(&self, state: u32) -> Vec<u32> {
        let mut parts = Vec::new();
        self.store.read(state, &mut parts);
        parts
    }

    /// The events and decisions on the recorded path to a state; `decisions` are made in the last state.
    pub(crate) fn abstract_run(&mut self, state: u32, decisions: &[Decision]) -> AbstractRun {
        let states = crate::graph::witness::path(self, state);
        self.reconstruct_path(&states);
        let (mut events, mut decided) = (Vec::new(), Vec::new());
        for pair in states.windows(2) {
            let wanted = self.components_of(pair[1]);
            self.each_transition(pair[0], &mut |_, transition| {
                let found = transition.leads_to(&wanted);
                if found {
                    events.push(transition.event);
                    decided.extend_from_slice(transition.decisions);
                }
                !found
            });
        }
        decided.extend_from_slice(decisions);
        AbstractRun {
            initial: self.initial_state(states[0]),
            events,
            decisions: decided,
        }
    }

    /// An initial state of the reference interpreter in which undecided components have the values given by these
    /// decisions.
    pub(crate) fn beginning(&mut self, number: u32, decisions: &[Decision]) -> State {
        let machine = self.compiled.machine;
        let initial = self.initial_state(number);
        let mut shift = machine.to_normal(&initial);
        let initial = machine.shifted(&initial, &shift);
        let found = self.expander_mut().beginning(&initial, decisions);
        shift.iter_mut().for_each(|by| *by = -*by);
        machine.shifted(&found, &shift)
    }

    /// By class: the difference between the real and the normalised counters of an initial state.
    pub(crate) fn initial_offset(&mut self, number: u32) -> Shift {
        let state = self.initial_state(number);
        // The search has checked the bounds.
        let out_of_bounds = self.expander().layout.out_of_bounds.take();
        let slots = self.expander_mut().initial_slots(&state);
        self.expander().layout.out_of_bounds.set(out_of_bounds);
        let (_, shift) = slots.expect("there was room for it");
        shift.iter().map(|by| -by).collect()
    }
}
