//! The transition relation: the choices of a state, and the successor for each choice.
//!
//! This code defines the semantics of a Machine. It is written for readability and caches nothing; tests compare all
//! engines with it.

use crate::semantics::block::{BlockRun, Stop};
use crate::semantics::eval::Evaluator;
use crate::semantics::runtime_faults;
use crate::semantics::timers;
use crate::{
    BlockId, Channel, Choice, EdgeId, ErrorKind, Event, Instance, LocalId, Mode, NodeId,
    OrderConstraints, Outcome, Outgoing, RunError, State, Value,
};
use rational::Rational;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Why a step has no successor state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepError {
    /// The choice is not enabled in the state.
    NotEnabled,
    /// The step ends in a runtime error.
    Error(RunError),
}

impl<'a> Instance<'a> {
    /// The enabled choices of a state. With exact time each choice has the earliest time at which it is enabled.
    /// Choices whose step ends in an error are included.
    pub fn choices(&self, state: &State) -> Vec<Choice> {
        self.events(state)
            .into_iter()
            .flat_map(|event| self.with_picks(state, event))
            .collect()
    }

    /// The successor of a state under a choice.
    pub fn step(&self, state: &State, choice: &Choice) -> Result<State, StepError> {
        if choice.event == Event::Wait {
            return self.wait(state, choice);
        }
        if !self.events(state).contains(&choice.event) || !self.is_in_time(state, choice) {
            return Err(StepError::NotEnabled);
        }
        let mut now = state.clone();
        if let (Some(clock), Some(time)) = (&mut now.clock, &choice.time) {
            clock.now = time.clone();
        }
        self.step_at_once(&now, choice)
    }

    /// The choices of a state if time constraints are ignored, without times. Choices whose step ends in an error are
    /// included.
    pub fn choices_at_any_time(&self, state: &State) -> Vec<Choice> {
        let events = self.events_ignoring_time(state).into_iter();
        events
            .flat_map(|event| self.with_all_picks(state, event, None))
            .collect()
    }

    /// The successor of a state under one of [`Instance::choices_at_any_time`] that happens at the current time of the
    /// clock, whether or not its event is enabled at that time.
    pub fn step_at_once(&self, state: &State, choice: &Choice) -> Result<State, StepError> {
        match self.fire(state, &choice.event, &choice.picks) {
            Ok(mut next) => {
                self.update_order_state(&mut next, &choice.event);
                self.update_clock(&mut next, self.machine.activates(&choice.event))?;
                Ok(next)
            }
            Err(Stop::Error(error)) => Err(StepError::Error(error)),
            Err(Stop::MustChoose(_) | Stop::BadPick) => Err(StepError::NotEnabled),
        }
    }

    /// Updates the counters of the ordering constraints after an event.
    fn update_order_state(&self, next: &mut State, event: &Event) {
        let activated = self.machine.activates(event);
        if next.order_state.is_empty() {
            return;
        }
        let constraints = OrderConstraints::of(self.machine);
        let nodes = &next.nodes;
        let runs = |node: NodeId| nodes[node.index()].mode.runs();
        if let Some(node) = activated {
            constraints.activated(&mut next.order_state, node, &runs);
        }
        constraints.normalise(&mut next.order_state, &runs);
    }

    /// The event with every possible sequence of picks, at the earliest time at which it is enabled.
    fn with_picks(&self, state: &State, event: Event) -> Vec<Choice> {
        let time = match self.is_timed() {
            true => self.enabled_interval(state, &event).map(|(from, _)| from),
            false => None,
        };
        self.with_all_picks(state, event, time)
    }

    /// The event at a time with every possible sequence of picks.
    fn with_all_picks(&self, state: &State, event: Event, time: Option<Rational>) -> Vec<Choice> {
        let mut complete = Vec::new();
        let mut unfinished = vec![vec![]];
        while let Some(picks) = unfinished.pop() {
            match self.fire(state, &event, &picks) {
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
                    time: time.clone(),
                }),
            }
        }
        complete
    }

    /// The set from which an event picks next, after the given picks; `None` if it needs no further pick.
    pub(crate) fn next_choose(
        &self,
        state: &State,
        event: &Event,
        picks: &[Value],
    ) -> Option<BTreeSet<Value>> {
        match self.fire(state, event, picks) {
            Err(Stop::MustChoose(set)) => Some(set),
            _ => None,
        }
    }

    /// The state after an enabled event, before the update of ordering constraints and of the clock.
    fn fire(&self, state: &State, event: &Event, picks: &[Value]) -> Result<State, Stop> {
        if let Some((ready, block, locals)) = self.code_of(state, event) {
            return self.run_block(ready, block, &locals, picks);
        }
        match event {
            Event::CrashDuring(runtime_fault, event) => {
                runtime_faults::crash_during(self, state, *runtime_fault, event, picks)
            }
            Event::Restart(node) => runtime_faults::restart(self, state, *node, picks),
            _ if !picks.is_empty() => Err(Stop::BadPick),
            Event::Crash(node, runtime_fault) => Ok(runtime_faults::faulted(
                self,
                state,
                *node,
                *runtime_fault,
                Mode::Crashed,
            )),
            Event::Stop(node, runtime_fault) => Ok(runtime_faults::faulted(
                self,
                state,
                *node,
                *runtime_fault,
                Mode::Stopped,
            )),
            Event::Transmit(node) => {
                let mut next = state.clone();
                let outgoing = next.nodes[node.index()].outbox.remove(0);
                self.enqueue(&mut next, outgoing);
                Ok(next)
            }
            Event::Deliver(edge, message, outcome) => {
                let mut next = state.clone();
                self.dequeue(&mut next, *edge, message, *outcome);
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
            Event::Wait => Ok(state.clone()), // the method `wait` advances the clock
        }
    }

    /// The block that an event runs, with the state before the block and the values of its first locals. `None` for an
    /// event that runs no block or has further effects (restart, crash during an event).
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
                timers::clear_timer(&mut next, *node, *place);
                let mut locals = vec![Value::Node(*node)];
                locals.extend(self.machine.timer_of(*node, *place).1.map(Value::Node));
                Some((next, *block, locals))
            }
            Event::Deliver(edge, message, outcome) => {
                let (Outcome::HandOver(block) | Outcome::Repeat(_, Some(block))) = outcome else {
                    return None;
                };
                self.dequeue(&mut next, *edge, message, *outcome);
                Some((next, *block, self.message_locals(*edge, message)))
            }
            _ => None,
        }
    }

    /// Takes a message off its edge unless the outcome repeats it. Decrements the remaining number of a limited message
    /// fault.
    pub(crate) fn dequeue(
        &self,
        next: &mut State,
        edge: EdgeId,
        message: &Value,
        outcome: Outcome,
    ) {
        if !matches!(outcome, Outcome::Repeat(..)) {
            let queue = &mut next.edges[edge.index()];
            // Of several equal messages the one sent first is delivered. This loses no run: if the delivery times of
            // two equal messages are exchanged, both remain within their delays.
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

    /// Runs a block and sends its messages. `BadPick` if picks are left over.
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
            Some(_) => Err(Stop::BadPick), // a superfluous pick is invalid even if the block ends in an error
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

    /// Sends messages of a node; does nothing if a fault prevents the node from sending.
    pub(crate) fn send_all(
        &self,
        mut next: State,
        node: NodeId,
        sent: Vec<Outgoing>,
        picks: &mut std::slice::Iter<Value>,
    ) -> Result<State, Stop> {
        for outgoing in sent.into_iter().filter(|_| self.frozen.can_send(node)) {
            if self.machine.channel == Channel::Instant {
                next = self.deliver_instantly(next, outgoing, picks)?;
            } else if next.nodes[node.index()].outbox.is_empty()
                && self.has_room(&next, outgoing.edge)
            {
                self.enqueue(&mut next, outgoing);
            } else {
                next.nodes[node.index()].outbox.push(outgoing);
            }
        }
        Ok(next)
    }

    /// Runs the code of a block. Returns the state after it, the node, and the messages to send.
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

    /// Delivers a message on an instant channel, within the sending event.
    pub(crate) fn deliver_instantly(
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

    fn enqueue(&self, state: &mut State, outgoing: Outgoing) {
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
}

fn unhandled(message: &Value) -> Stop {
    Stop::Error(RunError {
        kind: ErrorKind::Unhandled(message.record()),
        origin: None,
    })
}
