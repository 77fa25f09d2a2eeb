//! The reference interpreter: which events are possible in a state, and what each does.
//!
//! This is the meaning of a Machine. It is written to be read: one rule after the other, nothing stored
//! for speed. Everything else in the project is tested against it.

use crate::block::{BlockRun, Stop};
use crate::eval::Evaluator;
use crate::{
    Block, BlockId, Channel, Choice, Delay, EdgeId, Effect, ErrorKind, Event, Expr, FaultId,
    Frozen, LocalId, Machine, Mode, NodeId, NodeState, Outcome, Outgoing, Pace, RunError, State,
    Trigger, Unit, Value,
};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A Machine with everything frozen chosen.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'a> {
    /// The Machine.
    pub machine: &'a Machine,
    /// What never changes.
    pub frozen: &'a Frozen,
}

/// Why a step gave no state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepError {
    /// The choice is not one of the choices of the state.
    NotPossible,
    /// The run ends in an error.
    Error(RunError),
}

impl<'a> Instance<'a> {
    /// Everything that can happen in a state, where there is time each at its earliest moment. A choice whose
    /// step is an error is among them.
    pub fn choices(&self, state: &State) -> Vec<Choice> {
        self.events(state)
            .into_iter()
            .flat_map(|event| self.with_picks(state, event))
            .collect()
    }

    /// The state after a choice.
    pub fn step(&self, state: &State, choice: &Choice) -> Result<State, StepError> {
        if choice.event == Event::Wait {
            return self.wait(state, choice);
        }
        if !self.events(state).contains(&choice.event) || !self.is_in_time(state, choice) {
            return Err(StepError::NotPossible);
        }
        let mut now = state.clone();
        if let (Some(clock), Some(time)) = (&mut now.clock, &choice.time) {
            clock.now = time.clone();
        }
        match self.happen(&now, &choice.event, &choice.picks) {
            Ok(mut next) => {
                self.note(&mut next, &choice.event);
                self.note_time(&mut next, self.machine.activates(&choice.event))?;
                Ok(next)
            }
            Err(Stop::Error(error)) => Err(StepError::Error(error)),
            Err(Stop::MustChoose(_) | Stop::BadPick) => Err(StepError::NotPossible),
        }
    }

    /// Notes whose activation an event was.
    fn note(&self, next: &mut State, event: &Event) {
        let activated = self.machine.activates(event);
        if next.pace.is_empty() {
            return;
        }
        let pace = Pace::of(self.machine);
        let nodes = &next.nodes;
        let runs = |node: NodeId| nodes[node.index()].mode.runs();
        if let Some(node) = activated {
            pace.activated(&mut next.pace, node, &runs);
        }
        pace.settle(&mut next.pace, &runs);
    }

    /// The value of a condition in a state, the locals bound as given.
    pub fn holds(
        &self,
        state: &State,
        condition: &Expr,
        locals: &[(LocalId, Value)],
    ) -> Result<bool, RunError> {
        Ok(self.value(state, condition, locals)?.as_bool())
    }

    /// The value of an expression in a state, the locals bound as given.
    pub fn value(
        &self,
        state: &State,
        expr: &Expr,
        locals: &[(LocalId, Value)],
    ) -> Result<Value, RunError> {
        let mut evaluator = Evaluator::new(*self, Cow::Borrowed(state));
        for (local, value) in locals {
            evaluator.bind(*local, value.clone());
        }
        evaluator.value(expr)
    }

    /// The value of an expression in a state, the locals bound as given and some parts known.
    pub(crate) fn value_given(
        &self,
        state: &State,
        expr: &Expr,
        locals: &[(LocalId, Value)],
        known: Vec<(Expr, Value)>,
    ) -> Result<Value, RunError> {
        let mut evaluator = Evaluator::new(*self, Cow::Borrowed(state));
        evaluator.known = known;
        for (local, value) in locals {
            evaluator.bind(*local, value.clone());
        }
        evaluator.value(expr)
    }

    /// What fairness counts an event as.
    pub fn units(&self, event: &Event) -> Vec<Unit> {
        match event {
            Event::Run(node, block) => vec![Unit::Block(*node, *block)],
            Event::Expire(node, _, block) => vec![Unit::Block(*node, *block)],
            Event::Transmit(node) => vec![Unit::Transmit(*node)],
            // Faults and repairs are never owed, and time passes by itself.
            Event::Crash(..)
            | Event::CrashDuring(..)
            | Event::Stop(..)
            | Event::Restart(_)
            | Event::Wait => vec![],
            Event::Deliver(edge, message, outcome) => {
                let travel = match self.machine.channel {
                    Channel::Fifo(_) | Channel::Instant => Unit::Edge(*edge),
                    Channel::Unordered => Unit::Message(*edge, message.clone()),
                };
                match outcome {
                    Outcome::HandOver(block) | Outcome::Repeat(_, Some(block)) => {
                        vec![travel, Unit::Block(self.receiver(*edge), *block)]
                    }
                    Outcome::Store
                    | Outcome::Repeat(_, None)
                    | Outcome::Drop
                    | Outcome::Unhandled
                    | Outcome::Lose(_) => vec![travel],
                }
            }
        }
    }

    /// The events that are possible in a state, whatever is chosen in them; where times pass one by one now, otherwise
    /// now or later.
    pub fn events(&self, state: &State) -> Vec<Event> {
        let mut events = self.events_some_day(state);
        self.keep_possible_now(state, &mut events);
        events
    }

    /// The events that are possible in a state as far as nothing but time stands against them.
    pub(crate) fn events_some_day(&self, state: &State) -> Vec<Event> {
        let mut events = Vec::new();
        let waiting = |node: &NodeState| node.mode == Mode::Waiting;
        // Where messages arrive at once, everybody starts before anything else happens.
        let starting = self.machine.channel == Channel::Instant && state.nodes.iter().any(waiting);
        for node in self.machine.nodes() {
            let outbox = &state.nodes[node.index()].outbox;
            if let Some(first) = outbox.first() {
                if self.has_room(state, first.edge) {
                    events.push(Event::Transmit(node));
                }
                continue; // a node with a full outbox takes no other event
            }
            for (block, code) in self.blocks_of(node) {
                if starting && code.trigger != Trigger::Start {
                    continue;
                }
                if let Trigger::Timer(timer) = code.trigger {
                    events.extend(self.expiries(state, node, timer, block));
                } else if self.runs_by_itself(state, node, code) {
                    events.push(Event::Run(node, block));
                }
            }
        }
        for edge in (0..self.machine.edges.len() as u32).map(EdgeId) {
            for message in self.reachable_messages(state, edge) {
                for outcome in self.outcomes(state, edge, &message) {
                    events.push(Event::Deliver(edge, message.clone(), outcome));
                }
            }
        }
        if !starting {
            events.extend(self.runtime_faults(state, &events));
        }
        events
    }

    fn runs_by_itself(&self, state: &State, node: NodeId, block: &Block) -> bool {
        let mode = state.nodes[node.index()].mode;
        match &block.trigger {
            Trigger::Start => mode == Mode::Waiting,
            Trigger::Every(_) => {
                let runs = |node: NodeId| state.nodes[node.index()].mode.runs();
                let paced = || Pace::of(self.machine).allows(&state.pace, node, &runs);
                mode == Mode::Running
                    && (state.pace.is_empty() || paced())
                    && !(self.machine.delay == Delay::BeforeNext && self.has_sent(state, node))
            }
            Trigger::When(guard) => {
                mode == Mode::Running && self.guard(state, guard, &[Value::Node(node)])
            }
            Trigger::On(..) | Trigger::Timer(_) => false,
        }
    }

    /// Whether something that a node has sent is on its way.
    fn has_sent(&self, state: &State, node: NodeId) -> bool {
        let edges = self.machine.edges.iter().zip(&state.edges);
        edges
            .into_iter()
            .any(|((from, _), messages)| *from == node && !messages.is_empty())
    }

    /// The messages that can reach the end of an edge now.
    fn reachable_messages(&self, state: &State, edge: EdgeId) -> Vec<Value> {
        let messages = &state.edges[edge.index()];
        match self.machine.channel {
            Channel::Fifo(_) | Channel::Instant => messages.first().cloned().into_iter().collect(),
            Channel::Unordered => messages
                .iter()
                .cloned()
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
        }
    }

    /// What can become of a message at the end of its edge; nothing: it waits.
    pub(crate) fn outcomes(&self, state: &State, edge: EdgeId, message: &Value) -> Vec<Outcome> {
        let receiver = self.receiver(edge);
        let node = &state.nodes[receiver.index()];
        let record = message.record();
        if !node.outbox.is_empty() {
            return vec![];
        }
        match node.mode {
            Mode::Waiting => return vec![],
            Mode::Halted | Mode::Off | Mode::Crashed | Mode::Stopped => return vec![Outcome::Drop],
            Mode::Running => {}
        }
        let kind = self.machine.kind_of(receiver);
        if !self.frozen.can_receive(receiver)
            || self.machine.kinds[kind.index()].ignores.contains(&record)
        {
            return vec![Outcome::Drop];
        }
        let mut known = false;
        let locals = self.message_locals(edge, message);
        let handler = self
            .blocks_of(receiver)
            .find(|(_, block)| match &block.trigger {
                Trigger::On(wanted, guard) if *wanted == record => {
                    known = true;
                    guard
                        .as_ref()
                        .is_none_or(|guard| self.guard(state, guard, &locals))
                }
                _ => false,
            });
        let mut outcomes = match handler {
            Some((block, _)) => vec![Outcome::HandOver(block)],
            None if known => return vec![], // it waits
            None if self.machine.enters_inbox(kind, record) => vec![Outcome::Store],
            None => vec![Outcome::Unhandled],
        };
        for (f, fault) in self.machine.faults.iter().enumerate() {
            let fault_id = FaultId(f as u32);
            let allowed = fault.limit.is_none() || state.budgets[f] > 0;
            if allowed && fault.of.is_none_or(|of| of == record) {
                match (fault.effect, outcomes[0]) {
                    (Effect::Lose, _) => outcomes.push(Outcome::Lose(fault_id)),
                    (Effect::Repeat, Outcome::HandOver(block)) => {
                        outcomes.push(Outcome::Repeat(fault_id, Some(block)))
                    }
                    (Effect::Repeat, Outcome::Store) => {
                        outcomes.push(Outcome::Repeat(fault_id, None))
                    }
                    (Effect::Repeat, _) => {}
                }
            }
        }
        outcomes
    }

    /// Whether nothing can happen any more, now or later, if nothing runtime_faults.
    pub(crate) fn is_quiescent(&self, state: &State) -> bool {
        let runtime_faults = |event: &Event| {
            matches!(
                event,
                Event::Crash(..) | Event::CrashDuring(..) | Event::Stop(..)
            )
        };
        self.events_some_day(state).iter().all(runtime_faults)
    }

    /// An event with every way to make the choices in it.
    fn with_picks(&self, state: &State, event: Event) -> Vec<Choice> {
        let mut complete = Vec::new();
        let mut unfinished = vec![vec![]];
        while let Some(picks) = unfinished.pop() {
            match self.happen(state, &event, &picks) {
                Err(Stop::MustChoose(set)) => {
                    unfinished.extend(
                        set.into_iter()
                            .rev()
                            .map(|pick| [picks.clone(), vec![pick]].concat()),
                    );
                }
                _ => complete.push(Choice {
                    event: event.clone(),
                    picks,
                    time: match self.is_timed() {
                        true => self.moments(state, &event).map(|(from, _)| from),
                        false => None,
                    },
                }),
            }
        }
        complete
    }

    /// From what the next `choose` of an event picks, after these picks; nothing if there is none.
    pub(crate) fn next_choose(
        &self,
        state: &State,
        event: &Event,
        picks: &[Value],
    ) -> Option<BTreeSet<Value>> {
        match self.happen(state, event, picks) {
            Err(Stop::MustChoose(set)) => Some(set),
            _ => None,
        }
    }

    /// What a possible event does.
    fn happen(&self, state: &State, event: &Event, picks: &[Value]) -> Result<State, Stop> {
        if let Some((ready, block, locals)) = self.code_of(state, event) {
            return self.run_block(ready, block, &locals, picks);
        }
        match event {
            Event::CrashDuring(runtime_fault, event) => {
                self.crash_during(state, *runtime_fault, event, picks)
            }
            Event::Restart(node) => self.restart(state, *node, picks),
            _ if !picks.is_empty() => Err(Stop::BadPick),
            Event::Crash(node, runtime_fault) => {
                Ok(self.faulted(state, *node, *runtime_fault, Mode::Crashed))
            }
            Event::Stop(node, runtime_fault) => {
                Ok(self.faulted(state, *node, *runtime_fault, Mode::Stopped))
            }
            Event::Transmit(node) => {
                let mut next = state.clone();
                let outgoing = next.nodes[node.index()].outbox.remove(0);
                self.put(&mut next, outgoing);
                Ok(next)
            }
            Event::Deliver(edge, message, outcome) => {
                let mut next = state.clone();
                self.take(&mut next, *edge, message, *outcome);
                match outcome {
                    Outcome::Store | Outcome::Repeat(_, None) => {
                        let (from, to) = self.machine.edges[edge.index()];
                        let receiver = &mut next.nodes[to.index()];
                        receiver.store(self.machine.inbox, from, message.clone());
                        Ok(next)
                    }
                    Outcome::Unhandled => Err(unhandled(message)),
                    Outcome::Drop | Outcome::Lose(_) => Ok(next),
                    Outcome::HandOver(_) | Outcome::Repeat(_, Some(_)) => {
                        unreachable!("these run code")
                    }
                }
            }
            Event::Run(..) | Event::Expire(..) => unreachable!("these run code"),
            Event::Wait => Ok(state.clone()), // time passes by itself
        }
    }

    /// The code that an event runs, if it is one of those that do no more: the state just before, the block, and its
    /// first locals.
    pub(crate) fn code_of(
        &self,
        state: &State,
        event: &Event,
    ) -> Option<(State, BlockId, Vec<Value>)> {
        let mut next = state.clone();
        match event {
            Event::Run(node, block) => {
                next.nodes[node.index()].mode = Mode::Running;
                Some((next, *block, vec![Value::Node(*node)]))
            }
            Event::Expire(node, place, block) => {
                self.unset(&mut next, *node, *place);
                let mut locals = vec![Value::Node(*node)];
                locals.extend(self.machine.timer_of(*node, *place).1.map(Value::Node));
                Some((next, *block, locals))
            }
            Event::Deliver(edge, message, outcome) => {
                let (Outcome::HandOver(block) | Outcome::Repeat(_, Some(block))) = outcome else {
                    return None;
                };
                self.take(&mut next, *edge, message, *outcome);
                Some((next, *block, self.message_locals(*edge, message)))
            }
            _ => None,
        }
    }

    /// Takes a message off its edge, unless it is still there; counts what faults may do.
    pub(crate) fn take(&self, next: &mut State, edge: EdgeId, message: &Value, outcome: Outcome) {
        if !matches!(outcome, Outcome::Repeat(..)) {
            let queue = &mut next.edges[edge.index()];
            // Of several that are the same the one that was sent first: exchanged, two of them would arrive in time too.
            let place = queue
                .iter()
                .position(|m| m == message)
                .expect("a reachable message");
            queue.remove(place);
            if let Some(clock) = &mut next.clock
                && let Some(sent) = clock.sent.get_mut(edge.index())
            {
                sent.remove(place);
            }
        }
        if let Outcome::Lose(fault) | Outcome::Repeat(fault, _) = outcome
            && self.machine.faults[fault.index()].limit.is_some()
        {
            next.budgets[fault.index()] -= 1;
        }
    }

    /// Runs a block to its end, then lets its messages out.
    fn run_block(
        &self,
        state: State,
        block: BlockId,
        locals: &[Value],
        picks: &[Value],
    ) -> Result<State, Stop> {
        let mut picks = picks.iter();
        let end = self.run_and_send(state, block, locals, &mut picks);
        match picks.next() {
            Some(_) => Err(Stop::BadPick), // more than the event asks for, also if it ends in an error
            None => end,
        }
    }

    pub(crate) fn run_and_send(
        &self,
        state: State,
        block: BlockId,
        locals: &[Value],
        picks: &mut std::slice::Iter<Value>,
    ) -> Result<State, Stop> {
        let (next, node, sent) = self.run_code(state, block, locals, picks)?;
        self.send_all(next, node, sent, picks)
    }

    /// Lets messages of a node out, as far as it can send.
    pub(crate) fn send_all(
        &self,
        mut next: State,
        node: NodeId,
        sent: Vec<Outgoing>,
        picks: &mut std::slice::Iter<Value>,
    ) -> Result<State, Stop> {
        for outgoing in sent.into_iter().filter(|_| self.frozen.can_send(node)) {
            if self.machine.channel == Channel::Instant {
                next = self.take_at_once(next, outgoing, picks)?;
            } else if next.nodes[node.index()].outbox.is_empty()
                && self.has_room(&next, outgoing.edge)
            {
                self.put(&mut next, outgoing);
            } else {
                next.nodes[node.index()].outbox.push(outgoing);
            }
        }
        Ok(next)
    }

    /// Runs the code of a block: the state then, the node, and what is to go out.
    pub(crate) fn run_code(
        &self,
        state: State,
        block: BlockId,
        locals: &[Value],
        picks: &mut std::slice::Iter<Value>,
    ) -> Result<(State, NodeId, Vec<Outgoing>), Stop> {
        let mut run = BlockRun {
            eval: Evaluator::new(*self, Cow::Owned(state)),
            node: locals[0].as_node(),
            picks,
            sent: Vec::new(),
        };
        for (i, value) in locals.iter().enumerate() {
            run.eval.bind(LocalId(i as u32), value.clone());
        }
        run.code(&self.machine.blocks[block.index()])?;
        Ok((run.eval.state.into_owned(), run.node, run.sent))
    }

    /// A receiver takes a message as part of the sending event.
    pub(crate) fn take_at_once(
        &self,
        mut state: State,
        outgoing: Outgoing,
        picks: &mut std::slice::Iter<Value>,
    ) -> Result<State, Stop> {
        let Outgoing { edge, message } = outgoing;
        match self.outcomes(&state, edge, &message).first() {
            Some(Outcome::HandOver(block)) => {
                let locals = self.message_locals(edge, &message);
                let (state, _, sent) = self.run_code(state, *block, &locals, picks)?;
                assert!(sent.is_empty(), "verified: it sends nothing");
                Ok(state)
            }
            Some(Outcome::Store) => {
                let (from, to) = self.machine.edges[edge.index()];
                state.nodes[to.index()].store(self.machine.inbox, from, message);
                Ok(state)
            }
            Some(Outcome::Unhandled) => Err(unhandled(&message)),
            _ => Ok(state),
        }
    }

    fn put(&self, state: &mut State, outgoing: Outgoing) {
        let messages = &mut state.edges[outgoing.edge.index()];
        let place = match self.machine.channel {
            Channel::Unordered => messages.partition_point(|m| *m <= outgoing.message),
            Channel::Fifo(_) | Channel::Instant => messages.len(),
        };
        messages.insert(place, outgoing.message);
        if let Some(clock) = &mut state.clock
            && let Some(sent) = clock.sent.get_mut(outgoing.edge.index())
        {
            sent.insert(place, clock.now.clone());
        }
    }

    fn has_room(&self, state: &State, edge: EdgeId) -> bool {
        match self.machine.channel {
            Channel::Fifo(Some(capacity)) => state.edges[edge.index()].len() < capacity as usize,
            Channel::Fifo(None) | Channel::Unordered | Channel::Instant => true,
        }
    }

    /// Whether a guard holds. One that is an error counts as holding: the error is met when the event happens.
    fn guard(&self, state: &State, guard: &Expr, locals: &[Value]) -> bool {
        let mut evaluator = Evaluator::new(*self, Cow::Borrowed(state));
        for (i, value) in locals.iter().enumerate() {
            evaluator.bind(LocalId(i as u32), value.clone());
        }
        evaluator.condition(guard).unwrap_or(true)
    }

    pub(crate) fn receiver(&self, edge: EdgeId) -> NodeId {
        self.machine.edges[edge.index()].1
    }

    /// The first three locals of a block for a message: receiver, message, sender.
    pub(crate) fn message_locals(&self, edge: EdgeId, message: &Value) -> Vec<Value> {
        let (from, to) = self.machine.edges[edge.index()];
        vec![Value::Node(to), message.clone(), Value::Node(from)]
    }

    pub(crate) fn blocks_of(
        &self,
        node: NodeId,
    ) -> impl Iterator<Item = (BlockId, &'a Block)> + use<'a> {
        let kind = self.machine.kind_of(node);
        let blocks = self.machine.blocks.iter().enumerate();
        blocks
            .filter(move |(_, block)| block.kind == kind)
            .map(|(b, block)| (BlockId(b as u32), block))
    }
}

fn unhandled(message: &Value) -> Stop {
    Stop::Error(RunError {
        kind: ErrorKind::Unhandled(message.record()),
        origin: None,
    })
}
