//! The enabled events of a state.

use crate::semantics::eval::Evaluator;
use crate::semantics::runtime_faults;
use crate::semantics::timers;
use crate::{
    Block, Channel, Delay, EdgeId, Effect, Event, Expr, FaultId, Instance, LocalId, Mode, NodeId,
    NodeState, OrderConstraints, Outcome, State, Trigger, Value,
};
use std::borrow::Cow;
use std::collections::BTreeSet;

impl Instance<'_> {
    /// The enabled events of a state. With digitised time these are the events that are enabled at the current time.
    /// With exact time they are the events that are enabled at the current time or become enabled by the passage of
    /// time alone.
    pub fn events(&self, state: &State) -> Vec<Event> {
        let mut events = self.events_ignoring_time(state);
        self.retain_in_time(state, &mut events);
        events
    }

    /// The events that are enabled if time constraints are ignored.
    pub(crate) fn events_ignoring_time(&self, state: &State) -> Vec<Event> {
        let mut events = Vec::new();
        let waiting = |node: &NodeState| node.mode == Mode::Waiting;
        // With instant channels all start blocks run before any other event.
        let starting = self.machine.channel == Channel::Instant && state.nodes.iter().any(waiting);
        for node in self.machine.nodes() {
            let outbox = &state.nodes[node.index()].outbox;
            if let Some(first) = outbox.first() {
                if self.has_room(state, first.edge) {
                    events.push(Event::Transmit(node));
                }
                continue; // a node with a non-empty outbox takes no other event
            }
            for (block, code) in self.blocks_of(node) {
                if starting && code.trigger != Trigger::Start {
                    continue;
                }
                if let Trigger::Timer(timer) = code.trigger {
                    events.extend(timers::expiries(self, state, node, timer, block));
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
            events.extend(runtime_faults::fault_events(self, state, &events));
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

    /// Whether a message sent by the node is on an edge.
    fn has_sent(&self, state: &State, node: NodeId) -> bool {
        let edges = self.machine.edges.iter().zip(&state.edges);
        edges
            .into_iter()
            .any(|((from, _), messages)| *from == node && !messages.is_empty())
    }

    /// The messages on an edge that can be delivered next: the head of a queue, each distinct message of a bag.
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

    /// The possible outcomes of delivering a message. Empty if the message cannot be delivered yet: the receiver has
    /// not started, its outbox is not empty, or it has blocks for the message and none of their guards holds.
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
            None if known => return vec![], // a block for the message exists, but no guard holds: the message waits
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

    /// Whether no event but crashes and stops is enabled if time constraints are ignored.
    pub(crate) fn is_quiescent(&self, state: &State) -> bool {
        let runtime_faults = |event: &Event| {
            matches!(
                event,
                Event::Crash(..) | Event::CrashDuring(..) | Event::Stop(..)
            )
        };
        self.events_ignoring_time(state).iter().all(runtime_faults)
    }

    /// Whether a guard holds. True if its evaluation is an error: then the event is enabled, and its step reports the
    /// error.
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
