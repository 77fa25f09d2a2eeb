//! Which events are enabled in a state.

use crate::semantics::eval::Evaluator;
use crate::{
    Block, Channel, Delay, EdgeId, Effect, Event, Expr, FaultId, Instance, LocalId, Mode, NodeId,
    NodeState, OrderConstraints, Outcome, State, Trigger, Value,
};
use std::borrow::Cow;
use std::collections::BTreeSet;

impl Instance<'_> {
    /// The events that are possible in a state, whatever is chosen in them; where times pass one by one now, otherwise
    /// now or later.
    pub fn events(&self, state: &State) -> Vec<Event> {
        let mut events = self.events_ignoring_time(state);
        self.retain_in_time(state, &mut events);
        events
    }

    /// The events that are possible in a state as far as nothing but time stands against them.
    pub(crate) fn events_ignoring_time(&self, state: &State) -> Vec<Event> {
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
                } else if self.is_enabled(state, node, code) {
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

    fn is_enabled(&self, state: &State, node: NodeId, block: &Block) -> bool {
        let mode = state.nodes[node.index()].mode;
        match &block.trigger {
            Trigger::Start => mode == Mode::Waiting,
            Trigger::Every(_) => {
                let runs = |node: NodeId| state.nodes[node.index()].mode.runs();
                let allowed =
                    || OrderConstraints::of(self.machine).allows(&state.order_state, node, &runs);
                mode == Mode::Running
                    && (state.order_state.is_empty() || allowed())
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
        self.events_ignoring_time(state).iter().all(runtime_faults)
    }

    /// Whether a guard holds. One that is an error counts as holding: the error is met when the event happens.
    fn guard(&self, state: &State, guard: &Expr, locals: &[Value]) -> bool {
        let mut evaluator = Evaluator::new(*self, Cow::Borrowed(state));
        for (i, value) in locals.iter().enumerate() {
            evaluator.bind(LocalId(i as u32), value.clone());
        }
        evaluator.condition(guard).unwrap_or(true)
    }

    pub(crate) fn has_room(&self, state: &State, edge: EdgeId) -> bool {
        match self.machine.channel {
            Channel::Fifo(Some(capacity)) => state.edges[edge.index()].len() < capacity as usize,
            Channel::Fifo(None) | Channel::Unordered | Channel::Instant => true,
        }
    }
}
