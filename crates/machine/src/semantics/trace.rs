//! The trace of a step: the messages that the step sent, and the inboxes that it read.
//!
//! A trace cannot be computed from the states: a message on an instant channel may leave both states equal, and reading
//! an inbox changes no state.

use crate::semantics::block::{BlockRun, Stop};
use crate::semantics::eval::Evaluator;
use crate::semantics::runtime_faults;
use crate::{
    BlockId, Channel, Choice, EdgeId, Event, Instance, LocalId, NodeId, Outcome, Outgoing, State,
    Value,
};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The effects of a step that its two states do not show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The nodes whose inboxes the step read or cleared.
    pub inboxes: BTreeSet<NodeId>,
    /// The messages sent, in order; empty if a fault prevents the node from sending.
    pub sent: Vec<Sent>,
}

/// A message that an event sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The edge along which it was sent.
    pub edge: EdgeId,
    /// The message.
    pub message: Value,
    /// On an instant channel: the outcome of the delivery within the same event. `None` on other channels, and if the
    /// receiver cannot take the message.
    pub at_once: Option<Outcome>,
}

impl Instance<'_> {
    /// The trace of an enabled choice. If the step ends in an error, the trace covers the part before the error,
    /// without the messages of the failing block.
    pub fn trace(&self, state: &State, choice: &Choice) -> Trace {
        let mut trace = Trace::default();
        let mut picks = choice.picks.iter();
        let during = match &choice.event {
            Event::CrashDuring(_, event) => &**event,
            event => event,
        };
        let Some((next, block, locals)) = self.traced_block(state, during, &mut picks) else {
            return trace;
        };
        let (mut end, mut sent) = self.run_traced(next, block, &locals, &mut picks, &mut trace);
        if let Event::CrashDuring(..) = choice.event {
            end = state.clone();
            let places = picks.next().map(Value::as_set).cloned().unwrap_or_default();
            let places = places.iter().map(|place| place.as_int() as usize);
            sent = places
                .filter_map(|place| sent.get(place).cloned())
                .collect();
        }
        let able = self.frozen.can_send(locals[0].as_node());
        let mut now = Some(end);
        for outgoing in sent.into_iter().filter(|_| able) {
            let at_once = match (&now, self.machine.channel) {
                (Some(state), Channel::Instant) => {
                    let outcomes = self.outcomes(state, outgoing.edge, &outgoing.message);
                    outcomes.first().copied()
                }
                _ => None,
            };
            trace.sent.push(Sent {
                edge: outgoing.edge,
                message: outgoing.message.clone(),
                at_once,
            });
            if let (Some(Outcome::HandOver(block)), Some(state)) = (at_once, &now) {
                // The block runs twice: here to record the inboxes that it reads, below to compute the next state.
                let locals = self.message_locals(outgoing.edge, &outgoing.message);
                self.run_traced(
                    state.clone(),
                    block,
                    &locals,
                    &mut picks.clone(),
                    &mut trace,
                );
            }
            if at_once.is_some() {
                now = now.and_then(|s| self.deliver_instantly(s, outgoing, &mut picks).ok());
            }
        }
        trace
    }

    /// The block that an event runs, the state before it, and the values of its first locals. `None` if the event runs
    /// no block. Consumes the picks of a restart that precede those of the block.
    fn traced_block(
        &self,
        state: &State,
        event: &Event,
        picks: &mut std::slice::Iter<Value>,
    ) -> Option<(State, BlockId, Vec<Value>)> {
        let Event::Restart(node) = event else {
            return self.code_of(state, event);
        };
        let start = self.machine.start_block(self.machine.kind_of(*node))?;
        let ready = runtime_faults::restarted(self, state, *node, picks).ok()?;
        let fresh = self.machine.restart_of(*node)?.fresh;
        fresh.then(|| (ready, start, vec![Value::Node(*node)]))
    }

    /// Runs the code of a block to its end or to an error. Returns the state reached and the messages to send; after an
    /// error there are none.
    fn run_traced(
        &self,
        state: State,
        block: BlockId,
        locals: &[Value],
        picks: &mut std::slice::Iter<Value>,
        trace: &mut Trace,
    ) -> (State, Vec<Outgoing>) {
        let mut run = BlockRun {
            eval: Evaluator::new(*self, Cow::Owned(state)),
            node: locals[0].as_node(),
            picks,
            sent: Vec::new(),
        };
        for (i, value) in locals.iter().enumerate() {
            run.eval.bind(LocalId(i as u32), value.clone());
        }
        let end = run.code(&self.machine.blocks[block.index()]);
        trace.inboxes.append(&mut run.eval.inboxes_read);
        let sent = match end {
            Ok(_) => run.sent,
            Err(Stop::Error(_) | Stop::MustChoose(_) | Stop::BadPick) => Vec::new(),
        };
        (run.eval.state.into_owned(), sent)
    }
}
