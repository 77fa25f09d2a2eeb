//! The reference interpreter: which events are possible in a state, and what each does.
//!
//! This is the meaning of a Machine. It is written to be read: one rule after the other, nothing stored
//! for speed. Everything else in the project is tested against it.

use crate::block::{BlockRun, Stop};
use crate::eval::Evaluator;
use crate::{
    Block, BlockId, Channel, Choice, EdgeId, Effect, ErrorKind, Event, Expr, FaultId, LocalId,
    Machine, Mode, NodeId, Outcome, Outgoing, Rigid, RunError, State, Timing, Trigger, Unit, Value,
};
use std::collections::BTreeSet;

/// A Machine with everything rigid chosen.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'a> {
    /// The Machine.
    pub machine: &'a Machine,
    /// What never changes.
    pub rigid: &'a Rigid,
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
    /// Everything that can happen in a state. A choice whose step is an error is among them.
    pub fn choices(&self, state: &State) -> Vec<Choice> {
        self.events(state)
            .into_iter()
            .flat_map(|event| self.with_picks(state, event))
            .collect()
    }

    /// The state after a choice.
    pub fn step(&self, state: &State, choice: &Choice) -> Result<State, StepError> {
        if !self.events(state).contains(&choice.event) {
            return Err(StepError::NotPossible);
        }
        match self.happen(state, &choice.event, &choice.picks) {
            Ok(next) => Ok(next),
            Err(Stop::Error(error)) => Err(StepError::Error(error)),
            Err(Stop::MustChoose(_) | Stop::BadPick) => Err(StepError::NotPossible),
        }
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
        let mut evaluator = Evaluator::new(*self, state);
        for (local, value) in locals {
            evaluator.bind(*local, value.clone());
        }
        evaluator.value(expr)
    }

    /// What fairness counts an event as.
    pub fn units(&self, event: &Event) -> Vec<Unit> {
        match event {
            Event::Run(node, block) => vec![Unit::Block(*node, *block)],
            Event::Transmit(node) => vec![Unit::Transmit(*node)],
            Event::Deliver(edge, message, outcome) => {
                let travel = match self.machine.channel {
                    Channel::Fifo(_) => Unit::Edge(*edge),
                    Channel::Unordered => Unit::Message(*edge, message.clone()),
                };
                match outcome {
                    Outcome::HandOver(block) | Outcome::Repeat(_, block) => {
                        vec![travel, Unit::Block(self.receiver(*edge), *block)]
                    }
                    Outcome::Drop | Outcome::Unhandled | Outcome::Lose(_) => vec![travel],
                }
            }
        }
    }

    /// The events that are possible in a state.
    fn events(&self, state: &State) -> Vec<Event> {
        let mut events = Vec::new();
        for node in self.machine.nodes() {
            let outbox = &state.nodes[node.index()].outbox;
            if let Some(first) = outbox.first() {
                if self.has_room(state, first.edge) {
                    events.push(Event::Transmit(node));
                }
                continue; // a node with a full outbox takes no other event
            }
            for (block, code) in self.blocks_of(node) {
                if self.runs_by_itself(state, node, code) {
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
        events
    }

    fn runs_by_itself(&self, state: &State, node: NodeId, block: &Block) -> bool {
        let mode = state.nodes[node.index()].mode;
        match &block.trigger {
            Trigger::Start => mode == Mode::Waiting,
            Trigger::Every(Timing::Any) => mode == Mode::Running,
            Trigger::When(guard) => {
                mode == Mode::Running && self.guard(state, guard, &[Value::Node(node)])
            }
            Trigger::On(..) => false,
        }
    }

    /// The messages that can reach the end of an edge now.
    fn reachable_messages(&self, state: &State, edge: EdgeId) -> Vec<Value> {
        let messages = &state.edges[edge.index()];
        match self.machine.channel {
            Channel::Fifo(_) => messages.first().cloned().into_iter().collect(),
            Channel::Unordered => messages
                .iter()
                .cloned()
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
        }
    }

    /// What can become of a message at the end of its edge; nothing: it waits.
    fn outcomes(&self, state: &State, edge: EdgeId, message: &Value) -> Vec<Outcome> {
        let receiver = self.receiver(edge);
        let node = &state.nodes[receiver.index()];
        let record = message.record();
        if !node.outbox.is_empty() {
            return vec![];
        }
        match node.mode {
            Mode::Waiting => return vec![],
            Mode::Halted => return vec![Outcome::Drop],
            Mode::Running => {}
        }
        if self.machine.kinds[self.machine.kind_of(receiver).index()]
            .ignores
            .contains(&record)
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
            None => vec![Outcome::Unhandled],
        };
        for (f, fault) in self.machine.faults.iter().enumerate() {
            let fault_id = FaultId(f as u32);
            let allowed = fault.limit.is_none() || state.budgets[f] > 0;
            if allowed && fault.of.is_none_or(|of| of == record) {
                match (fault.effect, handler) {
                    (Effect::Lose, _) => outcomes.push(Outcome::Lose(fault_id)),
                    (Effect::Repeat, Some((block, _))) => {
                        outcomes.push(Outcome::Repeat(fault_id, block))
                    }
                    (Effect::Repeat, None) => {}
                }
            }
        }
        outcomes
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
                }),
            }
        }
        complete
    }

    /// What a possible event does.
    fn happen(&self, state: &State, event: &Event, picks: &[Value]) -> Result<State, Stop> {
        let runs_code = match event {
            Event::Run(..) => true,
            Event::Deliver(_, _, outcome) => {
                matches!(outcome, Outcome::HandOver(_) | Outcome::Repeat(..))
            }
            Event::Transmit(_) => false,
        };
        if !runs_code && !picks.is_empty() {
            return Err(Stop::BadPick);
        }
        let mut next = state.clone();
        match event {
            Event::Transmit(node) => {
                let outgoing = next.nodes[node.index()].outbox.remove(0);
                self.put(&mut next, outgoing);
                Ok(next)
            }
            Event::Run(node, block) => {
                next.nodes[node.index()].mode = Mode::Running;
                self.run_block(next, *block, &[Value::Node(*node)], picks)
            }
            Event::Deliver(edge, message, outcome) => {
                if !matches!(outcome, Outcome::Repeat(..)) {
                    let queue = &mut next.edges[edge.index()];
                    let place = queue
                        .iter()
                        .position(|m| m == message)
                        .expect("a reachable message");
                    queue.remove(place);
                }
                if let Outcome::Lose(fault) | Outcome::Repeat(fault, _) = outcome
                    && self.machine.faults[fault.index()].limit.is_some()
                {
                    next.budgets[fault.index()] -= 1;
                }
                match outcome {
                    Outcome::HandOver(block) | Outcome::Repeat(_, block) => {
                        self.run_block(next, *block, &self.message_locals(*edge, message), picks)
                    }
                    Outcome::Unhandled => Err(Stop::Error(RunError {
                        kind: ErrorKind::Unhandled(message.record()),
                        origin: None,
                    })),
                    Outcome::Drop | Outcome::Lose(_) => Ok(next),
                }
            }
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
        let code = &self.machine.blocks[block.index()];
        let mut run = BlockRun {
            eval: Evaluator::new(*self, &state),
            node: locals[0].as_node(),
            picks: picks.iter(),
            sent: Vec::new(),
        };
        for (i, value) in locals.iter().enumerate() {
            run.eval.bind(LocalId(i as u32), value.clone());
        }
        let end = run.code(code);
        if run.picks.next().is_some() {
            return Err(Stop::BadPick); // more than the block asks for, also if it ends in an error
        }
        end?;
        let (mut next, node) = (run.eval.state, run.node);
        for outgoing in run.sent {
            if next.nodes[node.index()].outbox.is_empty() && self.has_room(&next, outgoing.edge) {
                self.put(&mut next, outgoing);
            } else {
                next.nodes[node.index()].outbox.push(outgoing);
            }
        }
        Ok(next)
    }

    fn put(&self, state: &mut State, outgoing: Outgoing) {
        let messages = &mut state.edges[outgoing.edge.index()];
        messages.push(outgoing.message);
        if self.machine.channel == Channel::Unordered {
            messages.sort();
        }
    }

    fn has_room(&self, state: &State, edge: EdgeId) -> bool {
        match self.machine.channel {
            Channel::Fifo(Some(capacity)) => state.edges[edge.index()].len() < capacity as usize,
            Channel::Fifo(None) | Channel::Unordered => true,
        }
    }

    /// Whether a guard holds. One that is an error counts as holding: the error is met when the event happens.
    fn guard(&self, state: &State, guard: &Expr, locals: &[Value]) -> bool {
        let mut evaluator = Evaluator::new(*self, state);
        for (i, value) in locals.iter().enumerate() {
            evaluator.bind(LocalId(i as u32), value.clone());
        }
        evaluator.condition(guard).unwrap_or(true)
    }

    fn receiver(&self, edge: EdgeId) -> NodeId {
        self.machine.edges[edge.index()].1
    }

    /// The first three locals of a block for a message: receiver, message, sender.
    fn message_locals(&self, edge: EdgeId, message: &Value) -> Vec<Value> {
        let (from, to) = self.machine.edges[edge.index()];
        vec![Value::Node(to), message.clone(), Value::Node(from)]
    }

    fn blocks_of(&self, node: NodeId) -> impl Iterator<Item = (BlockId, &'a Block)> + use<'a> {
        let kind = self.machine.kind_of(node);
        let blocks = self.machine.blocks.iter().enumerate();
        blocks
            .filter(move |(_, block)| block.kind == kind)
            .map(|(b, block)| (BlockId(b as u32), block))
    }
}
