//! A Machine with its frozen choices, and the evaluation of expressions in its states.

use crate::semantics::eval::Evaluator;
use crate::{
    Block, BlockId, Channel, EdgeId, Event, Expr, Frozen, LocalId, Machine, NodeId, Outcome,
    RunError, State, Unit, Value,
};
use std::borrow::Cow;

/// A Machine with one choice of frozen variables, faults from the start and fixed periods.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'a> {
    /// The Machine.
    pub machine: &'a Machine,
    /// The choice.
    pub frozen: &'a Frozen,
}

impl<'a> Instance<'a> {
    /// The value of a condition in a state; `locals` are the bindings of free locals.
    pub fn holds(
        &self,
        state: &State,
        condition: &Expr,
        locals: &[(LocalId, Value)],
    ) -> Result<bool, RunError> {
        Ok(self.value(state, condition, locals)?.as_bool())
    }

    /// The value of an expression in a state; `locals` are the bindings of free locals.
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

    /// [`Instance::value`], where `known` lists subexpressions with given values; these are not evaluated.
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

    pub(crate) fn receiver(&self, edge: EdgeId) -> NodeId {
        self.machine.edges[edge.index()].1
    }

    /// The values of the first three locals of a message block: receiver, message, sender.
    pub(crate) fn message_locals(&self, edge: EdgeId, message: &Value) -> Vec<Value> {
        let (from, to) = self.machine.edges[edge.index()];
        vec![Value::Node(to), message.clone(), Value::Node(from)]
    }

    /// The units of weak fairness to which an event belongs.
    pub fn units(&self, event: &Event) -> Vec<Unit> {
        match event {
            Event::Run(node, block) => vec![Unit::Block(*node, *block)],
            Event::Expire(node, _, block) => vec![Unit::Block(*node, *block)],
            Event::Transmit(node) => vec![Unit::Transmit(*node)],
            // No fairness assumption concerns faults, restarts or the passage of time.
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
}
