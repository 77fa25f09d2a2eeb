//! The states and transitions of one instance, found breadth first.

use crate::canonical::Canonical;
use crate::code::Context;
use crate::defects::{Defect, broken};
use crate::follow::Track;
use crate::layout::Layout;
use crate::model::{Compiled, Effects, Happening, Stop};
use crate::quiet::Arrival;
use crate::store::Store;
use crate::undecided::{Decision, Options, branch};
use foldhash::{HashMap, HashMapExt};
use machine::{BlockId, Channel, Choice, Effect, InitialStates, NodeId, Outcome, Shift, State};
use std::borrow::Cow;

/// In place of a target: the event is an error.
pub(crate) const ERROR: u32 = u32::MAX;

/// What fairness needs to know of a transition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Label {
    /// What it counts as.
    pub(crate) units: Vec<u32>,
    /// Edge and message type of what it puts on a channel that may lose for ever.
    pub(crate) puts: Vec<(u32, u32)>,
    /// Time passes.
    pub(crate) waits: bool,
    /// It is owed, whatever it counts as.
    pub(crate) owed: bool,
    /// Edge and message type of what arrives.
    pub(crate) arrives: Option<(u32, u32)>,
}

/// The states and transitions of one instance.
pub(crate) struct Graph<'a> {
    pub(crate) compiled: &'a Compiled<'a>,
    pub(crate) layout: Layout,
    pub(crate) rigid: Vec<i64>,
    /// What undecided parts can be.
    pub(crate) options: Options,
    pub(crate) store: Store,
    /// Where it begins.
    pub(crate) starts_with: InitialStates<'a>,
    /// By initial state: which of those it is; the first of those that are the same here.
    pub(crate) initial: Vec<u64>,
    /// What makes one state of all that differ only in who is who, if that is wanted.
    pub(crate) canonical: Option<Canonical>,
    /// By state: the state it was found from; itself if it is initial.
    pub(crate) parents: Vec<u32>,
    /// By state, plus one: where its transitions begin. Empty if they are not kept.
    pub(crate) starts: Vec<u64>,
    pub(crate) targets: Vec<u32>,
    pub(crate) labels: Vec<u32>,
    pub(crate) label_table: Vec<Label>,
    label_numbers: HashMap<Label, u32>,
    unit_numbers: HashMap<(u8, u32, i64), u32>,
    pub(crate) keep_transitions: bool,
    pub(crate) transitions: u64,
    current: Vec<i64>,
    /// The number of the state that is open.
    opened: Option<u32>,
    next: Vec<i64>,
    packed: Vec<u8>,
    effects: Effects,
    /// By how much the counters of the state behind the last transition were shifted.
    shift: Vec<i64>,
    /// Something unknown was read that must be known.
    pub(crate) too_loose: bool,
    /// A node crashes while it sends too many messages.
    pub(crate) too_many: bool,
}

/// A transition while it is visited.
pub(crate) struct Transition<'t> {
    pub(crate) happening: Happening,
    /// What arrives unseen just before it.
    pub(crate) arrivals: &'t [Arrival],
    pub(crate) picks: &'t [i64],
    /// What is decided before it.
    pub(crate) decisions: &'t [Decision],
    /// The packed state behind it; none if it is an error.
    pub(crate) target: Option<&'t [u8]>,
    pub(crate) effects: &'t Effects,
    /// By how much counters are greater in the state behind it than they were just before they were shifted.
    pub(crate) shift: &'t [i64],
}

impl<'a> Graph<'a> {
    pub(crate) fn new(
        compiled: &'a Compiled<'a>,
        layout: Layout,
        rigid: Vec<i64>,
        options: Options,
        starts_with: InitialStates<'a>,
        keep_transitions: bool,
    ) -> Graph<'a> {
        Graph {
            compiled,
            layout,
            rigid,
            options,
            store: Store::default(),
            starts_with,
            initial: Vec::new(),
            canonical: None,
            parents: Vec::new(),
            starts: vec![0],
            targets: Vec::new(),
            labels: Vec::new(),
            label_table: Vec::new(),
            label_numbers: HashMap::new(),
            unit_numbers: HashMap::new(),
            keep_transitions,
            transitions: 0,
            current: Vec::new(),
            opened: None,
            next: Vec::new(),
            packed: Vec::new(),
            effects: Effects::default(),
            shift: Vec::new(),
            too_loose: false,
            too_many: false,
        }
    }

    /// Adds an initial state with its number, whose parts that have options become undecided.
    pub(crate) fn add_initial(&mut self, number: u64, state: &State) {
        let Some((mut slots, _)) = self.initial_slots(state) else {
            return;
        };
        if let Some(canonical) = &mut self.canonical {
            canonical.canonical(self.compiled, &self.layout, &mut slots);
        }
        let mut packed = std::mem::take(&mut self.packed);
        self.layout.pack(&slots, &mut packed);
        let (at, new) = self.store.insert(&packed);
        if new {
            self.parents.push(at);
            self.initial.push(number);
        }
        self.packed = packed;
    }

    /// An initial state as it is here, and by how much its counters are greater here than they are; nothing if there
    /// is no room for them.
    pub(crate) fn initial_slots(&mut self, state: &State) -> Option<(Vec<i64>, Shift)> {
        let machine = self.compiled.machine;
        let counts = !machine.counters.is_empty();
        let mut shift = machine.to_normal(state);
        let normal = match counts {
            true => Cow::Owned(machine.shifted(state, &shift)),
            false => Cow::Borrowed(state),
        };
        if counts && !self.compiled.has_room(&normal) {
            return None;
        }
        let mut slots = self
            .compiled
            .begin(&mut self.layout, &normal, &self.options, &self.rigid);
        self.compiled
            .normalise(&self.layout, &mut slots, &mut self.shift);
        shift
            .iter_mut()
            .zip(&self.shift)
            .for_each(|(all, by)| *all += by);
        Some((slots, shift))
    }

    /// An initial state as the reference interpreter has it, but for what is decided later.
    pub(crate) fn initial_state(&self, number: u32) -> State {
        self.starts_with.again(self.initial[number as usize])
    }

    /// Opens a state; conditions are then evaluated in [`Graph::context`].
    pub(crate) fn open(&mut self, number: u32) {
        if self.opened == Some(number) {
            return;
        }
        self.opened = Some(number);
        let mut current = std::mem::take(&mut self.current);
        self.layout.unpack(self.store.get(number), &mut current);
        self.current = current;
    }

    /// The state that was opened last.
    pub(crate) fn context(&self) -> Context<'_> {
        Context {
            compiled: self.compiled,
            layout: &self.layout,
            rigid: &self.rigid,
            slots: &self.current,
        }
    }

    /// Visits the transitions of a state in order, until `visit` says `false`. Opens the state.
    pub(crate) fn each_transition(
        &mut self,
        number: u32,
        visit: &mut dyn FnMut(&mut Self, &Transition<'_>) -> bool,
    ) {
        self.open(number);
        let happenings = self.compiled.happenings(&self.context());
        let mut packed = std::mem::take(&mut self.packed);
        let mut effects = std::mem::take(&mut self.effects);
        let mut unfinished: Vec<(Vec<i64>, Vec<Decision>)> = Vec::new();
        // What nodes that crash in the middle of the same event would have sent, after other arrivals.
        let (mut crashes_in, mut would_send) = (None, Vec::new());
        let mut events = Vec::new();
        for happening in happenings {
            let sets = self
                .compiled
                .arrivals(&self.layout, &self.rigid, &self.current, happening);
            events.extend(sets.into_iter().map(|arrivals| (happening, arrivals)));
        }
        'all: for (happening, arrivals) in events {
            unfinished.push((Vec::new(), Vec::new()));
            effects.unfinished = None;
            if crashes_in != Some(happening) {
                would_send.clear();
                crashes_in = Some(happening);
            }
            while let Some((picks, decisions)) = unfinished.pop() {
                self.next.clone_from(&self.current);
                let mut next = std::mem::take(&mut self.next);
                for decision in &decisions {
                    self.compiled.decide(&self.layout, &mut next, *decision);
                }
                let result = self.compiled.happen(
                    &self.layout,
                    &self.rigid,
                    &mut next,
                    (happening, &arrivals),
                    &picks,
                    &mut effects,
                );
                if result.is_ok() {
                    let layout = &self.layout;
                    self.compiled.normalise(layout, &mut next, &mut self.shift);
                    if let Some(canonical) = &mut self.canonical {
                        canonical.canonical(self.compiled, layout, &mut next);
                    }
                }
                self.next = next;
                if self.compiled.beyond.get().is_some() {
                    break 'all; // nothing of this counts
                }
                let target = match result {
                    Ok(()) => {
                        self.layout.pack(&self.next, &mut packed);
                        Some(&packed[..])
                    }
                    Err(Stop::Broken) => None,
                    Err(Stop::TooLoose) => {
                        self.too_loose = true;
                        continue;
                    }
                    Err(Stop::NoRoom) => {
                        self.layout.grow();
                        self.opened = None;
                        self.open(number);
                        unfinished.push((picks, decisions));
                        continue;
                    }
                    Err(Stop::TooMany) => {
                        self.too_many = true;
                        continue;
                    }
                    Err(Stop::Choose(elements)) => {
                        if let (Some(known), Some(_)) = (&effects.unfinished, &self.compiled.quiet)
                            && known.picks == picks
                        {
                            if would_send.contains(&known.sent) {
                                continue; // whatever else arrived is forgotten
                            }
                            would_send.push(known.sent.clone());
                        }
                        let pick = |pick| ([&picks[..], &[pick]].concat(), decisions.clone());
                        unfinished.extend(elements.into_iter().rev().map(pick));
                        continue;
                    }
                    Err(Stop::Undecided(part)) => {
                        let decide = |one| (picks.clone(), [&decisions[..], &[one]].concat());
                        branch(&mut unfinished, &self.options, part, decide);
                        continue;
                    }
                };
                let shift = std::mem::take(&mut self.shift);
                let transition = Transition {
                    happening,
                    arrivals: &arrivals,
                    picks: &picks,
                    decisions: &decisions,
                    target,
                    effects: &effects,
                    shift: &shift,
                };
                let more = visit(self, &transition);
                self.shift = shift;
                if !more {
                    break 'all;
                }
            }
        }
        self.packed = packed;
        self.effects = effects;
    }

    /// Takes a transition of the state `from` into the graph.
    pub(crate) fn add(&mut self, from: u32, transition: &Transition<'_>) {
        self.transitions += 1;
        let target = match transition.target {
            Some(packed) => {
                let (target, new) = self.store.insert(packed);
                if new {
                    self.parents.push(from);
                }
                target
            }
            None => ERROR,
        };
        if self.keep_transitions {
            let label = self.label(transition);
            self.targets.push(target);
            self.labels.push(label);
        }
    }

    /// All transitions of the next state have been added.
    pub(crate) fn end_of_state(&mut self) {
        if self.keep_transitions {
            self.starts.push(self.targets.len() as u64);
        }
    }

    /// The number of a transition's label.
    pub(crate) fn label(&mut self, transition: &Transition<'_>) -> u32 {
        let mut label = Label::default();
        let edges = &self.compiled.machine.edges;
        match transition.happening {
            Happening::Run(node, block) => label.units.push(self.block_unit(node, block)),
            Happening::Transmit(node) => label.units.push(self.unit(1, node.0, 0)),
            Happening::Expire(node, _, block) => label.units.push(self.block_unit(node, block)),
            // Nobody owes these; that time passes is what every infinite run has in common.
            Happening::Crash(..)
            | Happening::CrashDuring(..)
            | Happening::Stop(..)
            | Happening::Restart(_) => {}
            Happening::Wait => label.waits = true,
            Happening::Deliver {
                edge,
                message,
                outcome,
                ..
            } => {
                let counts = self
                    .compiled
                    .machine
                    .counts(self.compiled.record_of(message));
                match self.compiled.machine.channel {
                    Channel::Fifo(_) | Channel::Instant => {
                        label.units.push(self.unit(2, edge.0, 0));
                    }
                    // Which of those in a bag it is, numbers that are shifted do not tell: it is owed, but not by its
                    // number. More loops count as fair than are; whoever shows one makes sure that it is.
                    Channel::Unordered if counts => label.owed = true,
                    Channel::Unordered => label.units.push(self.unit(3, edge.0, message)),
                }
                if let Outcome::HandOver(block) | Outcome::Repeat(_, Some(block)) = outcome {
                    let receiver = edges[edge.index()].1;
                    label.units.push(self.block_unit(receiver, block));
                }
                let record = self.compiled.record_of(message);
                if !matches!(outcome, Outcome::Lose(_)) && self.may_lose_for_ever(record) {
                    label.arrives = Some((edge.0, record.0));
                }
            }
        }
        for (edge, message) in &transition.effects.put {
            let record = self.compiled.record_of(*message);
            if self.may_lose_for_ever(record) {
                label.puts.push((edge.0, record.0));
            }
        }
        if let Some(number) = self.label_numbers.get(&label) {
            return *number;
        }
        let number = self.label_table.len() as u32;
        self.label_table.push(label.clone());
        self.label_numbers.insert(label, number);
        number
    }

    /// How many units of fairness there are.
    pub(crate) fn unit_count(&self) -> usize {
        self.unit_numbers.len()
    }

    /// Whether a run may stay in a state for ever, as it has no transitions (these are kept) but what nobody owes.
    pub(crate) fn may_stand_still(&self, state: u32) -> bool {
        self.transitions_of(state).all(|t| {
            let label = &self.label_table[self.labels[t] as usize];
            label.units.is_empty() && !label.waits && !label.owed
        })
    }

    /// Whether time passes by transitions.
    pub(crate) fn has_time(&self) -> bool {
        self.compiled.clockwork.units.is_some()
    }

    /// The places of a state's transitions among the targets and labels.
    pub(crate) fn transitions_of(&self, state: u32) -> std::ops::Range<usize> {
        self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        let vectors =
            self.parents.capacity() * 4 + self.starts.capacity() * 8 + self.targets.capacity() * 8;
        self.store.memory() + (vectors + self.initial.capacity() * 8) as u64
    }

    /// The choices that lead from a state to another, with a given label if one is given; and what is decided
    /// before it. Counters of the state `from` are so much less than the real ones; afterwards those of `to`.
    pub(crate) fn choice_between(
        &mut self,
        from: u32,
        to: u32,
        label: Option<u32>,
        less: &mut [i64],
    ) -> (Vec<Choice>, Vec<Decision>) {
        let wanted = self.store.get(to).to_vec();
        let mut found = None;
        // There was room on the way here, whatever comes next.
        let beyond = self.compiled.beyond.take();
        self.each_transition(from, &mut |graph, transition| {
            if transition.target == Some(&wanted[..])
                && label.is_none_or(|label| graph.label(transition) == label)
            {
                let types = &transition.effects.chosen;
                let compiled = graph.compiled;
                let choice = compiled.choice(transition.happening, transition.picks, types);
                let choice = compiled.machine.shifted_choice(&choice, types, less);
                less.iter_mut()
                    .zip(transition.shift)
                    .for_each(|(all, by)| *all -= by);
                let arrived = transition
                    .arrivals
                    .iter()
                    .map(|arrival| compiled.arrival_choice(*arrival));
                let choices = arrived.chain([choice]).collect();
                found = Some((choices, transition.decisions.to_vec()));
            }
            found.is_none()
        });
        self.compiled.beyond.set(beyond);
        found.expect("a transition of the graph")
    }

    /// What happens and is decided on the way to a state.
    pub(crate) fn track(&mut self, state: u32, decisions: &[Decision]) -> Track {
        let states = crate::witness::path(self, state);
        let (mut events, mut decided) = (Vec::new(), Vec::new());
        for pair in states.windows(2) {
            let wanted = self.store.get(pair[1]).to_vec();
            self.each_transition(pair[0], &mut |_, transition| {
                let found = transition.target == Some(&wanted[..]);
                if found {
                    events.push(transition.happening);
                    decided.extend_from_slice(transition.decisions);
                }
                !found
            });
        }
        decided.extend_from_slice(decisions);
        Track {
            initial: self.initial_state(states[0]),
            events,
            decisions: decided,
        }
    }

    /// An initial state as the reference interpreter has it, with what is decided later.
    pub(crate) fn beginning(&mut self, number: u32, decisions: &[Decision]) -> State {
        let machine = self.compiled.machine;
        let initial = self.initial_state(number);
        let mut shift = machine.to_normal(&initial);
        let initial = machine.shifted(&initial, &shift);
        let layout = &mut self.layout;
        let found =
            self.compiled
                .beginning(layout, &initial, &self.options, decisions, &self.rigid);
        self.opened = None; // there may be more room now
        shift.iter_mut().for_each(|by| *by = -*by);
        machine.shifted(&found, &shift)
    }

    /// By how much the counters of an initial state are less than the real ones.
    pub(crate) fn less_at_first(&mut self, number: u32) -> Shift {
        let state = self.initial_state(number);
        // There was room for it, whatever came later.
        let beyond = self.compiled.beyond.take();
        let slots = self.initial_slots(&state);
        self.compiled.beyond.set(beyond);
        self.opened = None; // there may be more room now
        let (_, shift) = slots.expect("there was room for it");
        shift.iter().map(|by| -by).collect()
    }

    /// The unit of fairness of a node's block.
    pub(crate) fn block_unit(&mut self, node: NodeId, block: BlockId) -> u32 {
        let one = broken(Defect::FairnessPerNode);
        self.unit(0, node.0, if one { 0 } else { i64::from(block.0) })
    }

    fn unit(&mut self, sort: u8, owner: u32, detail: i64) -> u32 {
        let next = self.unit_numbers.len() as u32;
        *self
            .unit_numbers
            .entry((sort, owner, detail))
            .or_insert(next)
    }

    fn may_lose_for_ever(&self, record: machine::RecordId) -> bool {
        let faults = &self.compiled.machine.faults;
        !broken(Defect::LossyFairnessIgnored)
            && faults.iter().any(|f| {
                f.effect == Effect::Lose && f.limit.is_none() && f.of.is_none_or(|of| of == record)
            })
    }
}
