//! What the code of an event did on its way: what it sent, and whose inbox it looked into.
//!
//! States do not tell: a message that arrives at once may leave no trace in them, and who looks into an
//! empty inbox changes nothing.

use crate::block::{BlockRun, Stop};
use crate::eval::Evaluator;
use crate::{
    BlockId, Channel, Choice, EdgeId, Event, Instance, LocalId, Mode, NodeId, Outcome, Outgoing,
    State, Value,
};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What the code of an event did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The nodes whose inbox it looked into or cleared.
    pub inboxes: BTreeSet<NodeId>,
    /// What it sent, in order; nothing of what a node sends that is not able to.
    pub sent: Vec<Sent>,
}

/// A message that an event sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Along which edge.
    pub edge: EdgeId,
    /// What it says.
    pub message: Value,
    /// What became of it as part of the same event, where messages arrive at once.
    pub at_once: Option<Outcome>,
}

impl Instance<'_> {
    /// What the code of a possible choice did; of one that ends in an error, up to there.
    pub fn trace(&self, state: &State, choice: &Choice) -> Trace {
        let mut trace = Trace::default();
        let mut next = state.clone();
        let (block, locals) = match &choice.event {
            Event::Run(node, block) => {
                next.nodes[node.index()].mode = Mode::Running;
                (*block, vec![Value::Node(*node)])
            }
            Event::Deliver(edge, message, outcome) => {
                let (Outcome::HandOver(block) | Outcome::Repeat(_, Some(block))) = outcome else {
                    return trace;
                };
                let queue = &mut next.edges[edge.index()];
                let place = queue.iter().position(|m| m == message);
                if let (Some(place), Outcome::HandOver(_)) = (place, outcome) {
                    queue.remove(place);
                }
                (*block, self.message_locals(*edge, message))
            }
            Event::Transmit(_) => return trace,
        };
        let mut picks = choice.picks.iter();
        let (end, sent) = self.traced(next, block, &locals, &mut picks, &mut trace);
        let able = self.rigid.can_send(locals[0].as_node());
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
                // It runs twice: to see what it looks into, and to go on.
                let locals = self.message_locals(outgoing.edge, &outgoing.message);
                self.traced(
                    state.clone(),
                    block,
                    &locals,
                    &mut picks.clone(),
                    &mut trace,
                );
            }
            if at_once.is_some() {
                now = now.and_then(|s| self.take_at_once(s, outgoing, &mut picks).ok());
            }
        }
        trace
    }

    /// Runs the code of a block as far as it goes: the state then, and what is to go out.
    fn traced(
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
        trace.inboxes.append(&mut run.eval.looked);
        let sent = match end {
            Ok(_) => run.sent,
            Err(Stop::Error(_) | Stop::MustChoose(_) | Stop::BadPick) => Vec::new(),
        };
        (run.eval.state.into_owned(), sent)
    }
}
