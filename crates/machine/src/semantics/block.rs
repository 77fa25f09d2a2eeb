//! Execution of the statements of a block.

use crate::semantics::eval::Evaluator;
use crate::semantics::timers;
use crate::{
    Block, ErrorKind, Expr, Mode, NodeId, Outgoing, Place, PlaceStep, RunError, Stmt, StmtKind,
    Trigger, Value,
};
use std::collections::BTreeSet;

/// Why the execution of a block ended early.
pub(crate) enum Stop {
    Error(RunError),
    /// No pick is given for a `choose`, for an initial value at a restart, or for the messages that are sent in a
    /// crash; contains the possible picks.
    MustChoose(BTreeSet<Value>),
    /// A given pick is not possible, or there are more picks than needed.
    BadPick,
}

impl From<RunError> for Stop {
    fn from(error: RunError) -> Stop {
        Stop::Error(error)
    }
}

/// Whether the block continues with the next statement or has executed `halt`.
pub(crate) enum Flow {
    Continue,
    Halted,
}

/// The execution of one block: the evaluator with its state, the executing node, the remaining picks, the messages
/// sent.
pub(crate) struct BlockRun<'a, 'p, 's> {
    pub(crate) eval: Evaluator<'a>,
    pub(crate) node: NodeId,
    pub(crate) picks: &'p mut std::slice::Iter<'s, Value>,
    pub(crate) sent: Vec<Outgoing>,
}

impl BlockRun<'_, '_, '_> {
    pub(crate) fn code(&mut self, block: &Block) -> Result<Flow, Stop> {
        if let Trigger::When(guard) | Trigger::On(_, Some(guard)) = &block.trigger {
            self.eval.condition(guard)?; // reports the error if evaluating the guard fails; otherwise the guard holds
        }
        self.statements(&block.body)
    }

    fn statements(&mut self, statements: &[Stmt]) -> Result<Flow, Stop> {
        for statement in statements {
            if let Flow::Halted = self.statement(statement)? {
                return Ok(Flow::Halted);
            }
        }
        Ok(Flow::Continue)
    }

    fn statement(&mut self, statement: &Stmt) -> Result<Flow, Stop> {
        self.eval.at(statement.origin);
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                let value = self.eval.value(value)?;
                self.assign(place, value)?;
            }
            StmtKind::If(condition, then, otherwise) => {
                let branch = if self.eval.condition(condition)? {
                    then
                } else {
                    otherwise
                };
                return self.statements(branch);
            }
            StmtKind::For(local, domain, body) => {
                for element in self.eval.elements(domain)? {
                    self.eval.bind(*local, element.clone());
                    if let Flow::Halted = self.statements(body)? {
                        return Ok(Flow::Halted);
                    }
                }
            }
            StmtKind::Let(local, value) => {
                let value = self.eval.value(value)?;
                self.eval.bind(*local, value);
            }
            StmtKind::Choose(local, set) => {
                let set = self.eval.value(set)?;
                if set.as_set().is_empty() {
                    return Ok(self.eval.error(ErrorKind::NothingToChoose)?);
                }
                match self.picks.next() {
                    None => return Err(Stop::MustChoose(set.as_set().clone())),
                    Some(pick) if !set.as_set().contains(pick) => return Err(Stop::BadPick),
                    Some(pick) => self.eval.bind(*local, pick.clone()),
                }
            }
            StmtKind::Send(message, to) => {
                let message = self.eval.value(message)?;
                let to = match self.eval.value(to)? {
                    Value::Set(nodes) => nodes.iter().map(Value::as_node).collect(),
                    node => vec![node.as_node()],
                };
                for receiver in to {
                    let Some(edge) = self.eval.instance.machine.edge(self.node, receiver) else {
                        return Ok(self.eval.error(ErrorKind::NotANeighbour(receiver))?);
                    };
                    let message = message.clone();
                    self.sent.push(Outgoing { edge, message });
                }
            }
            StmtKind::Assert(condition) => {
                if !self.eval.condition(condition)? {
                    return Ok(self.eval.error(ErrorKind::Assertion)?);
                }
            }
            StmtKind::ClearInbox => {
                self.eval.inboxes_read.insert(self.node);
                self.eval.state.to_mut().nodes[self.node.index()]
                    .inbox
                    .clear();
            }
            StmtKind::Halt => {
                let state = self.eval.state.to_mut();
                let node = &mut state.nodes[self.node.index()];
                node.mode = Mode::Halted;
                node.inbox.clear();
                node.timers.fill(false);
                if let Some(clock) = &mut state.clock {
                    clock.timers[self.node.index()].fill(None);
                }
                return Ok(Flow::Halted);
            }
            StmtKind::SetTimer(timer, other, from, to) => {
                let other = self.other(other.as_ref())?;
                self.eval.set_timer(self.node, *timer, other, (from, to))?;
            }
            StmtKind::CancelTimer(timer, other) => {
                let other = self.other(other.as_ref())?;
                let place = self.eval.instance.machine.timer_place(*timer, other);
                timers::clear_timer(self.eval.state.to_mut(), self.node, place as u32);
            }
        }
        Ok(Flow::Continue)
    }

    /// The node that a per-node timer is about.
    fn other(&mut self, other: Option<&Expr>) -> Result<Option<NodeId>, Stop> {
        let node = other.map(|other| self.eval.value(other)).transpose()?;
        Ok(node.as_ref().map(Value::as_node))
    }

    fn assign(&mut self, place: &Place, value: Value) -> Result<(), Stop> {
        let machine = self.eval.instance.machine;
        let slot = machine.place_of_var(place.var);
        let mut whole = self.eval.state.nodes[self.node.index()].vars[slot].clone();
        *self.part(&mut whole, &place.path)? = value;
        let whole = self
            .eval
            .checked(whole, &machine.vars[place.var.index()].ty)?;
        self.eval.state.to_mut().nodes[self.node.index()].vars[slot] = whole;
        Ok(())
    }

    /// The part of a value that an assignment path leads to.
    fn part<'v>(
        &mut self,
        whole: &'v mut Value,
        path: &[PlaceStep],
    ) -> Result<&'v mut Value, Stop> {
        let Some((first, rest)) = path.split_first() else {
            return Ok(whole);
        };
        match (whole, first) {
            (Value::Record(_, fields), PlaceStep::Field(field)) => {
                self.part(&mut fields[*field as usize], rest)
            }
            (Value::Array(values), PlaceStep::Index(ty, index)) => {
                let index = self.eval.value(index)?;
                match self.eval.instance.machine.index_of(&index, ty) {
                    Some(place) => self.part(&mut values[place], rest),
                    None => Ok(self.eval.error(ErrorKind::BadIndex(index))?),
                }
            }
            (Value::Some(value), PlaceStep::Unwrap) => self.part(value, rest),
            (Value::None, PlaceStep::Unwrap) => Ok(self.eval.error(ErrorKind::NoneUsed)?),
            (other, step) => unreachable!("verified to have the part {step:?}: {other:?}"),
        }
    }
}
