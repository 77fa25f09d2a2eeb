//! Compilation of expressions about timers, the time since the start, deadlines, and faults so far.

use crate::program::compile::{Compiler, fault_number};
use crate::program::expression::{Code, Op};
use crate::state::clocks::{ClockUnits, Clocks, in_units};
use machine::{BinaryOp, Expr, NodeId, OrderConstraints, ResponseId, TimerId};
use rational::Rational;

impl Compiler<'_> {
    fn units(&self) -> Result<ClockUnits, String> {
        let clocks = Clocks::new(self.machine, &OrderConstraints::of(self.machine))?;
        clocks.units.ok_or("times, and no grid of times".into())
    }

    /// Code for whether a timer of a node is set. `other` is the second node of a timer per pair of nodes.
    pub(crate) fn timer_set(
        &mut self,
        timer: TimerId,
        node: &Expr,
        other: Option<&Expr>,
    ) -> Result<Code, String> {
        let (machine, units) = (self.machine, self.units()?);
        let nodes = i64::from(machine.node_count());
        let others = if other.is_some() { nodes } else { 1 };
        let kind = machine.timers[timer.index()].kind;
        let mut table = Vec::new();
        for whose in machine.nodes() {
            for of in 0..others {
                let of = other.map(|_| NodeId(of as u32));
                table.push(match machine.kind_of(whose) == kind {
                    true => units.timer(whose, machine.timer_place(timer, of)) as u32,
                    false => u32::MAX,
                });
            }
        }
        let whose = self.expr(node)?;
        let index = match other {
            None => whose,
            Some(other) => {
                let row = Code::Arithmetic(Op::Mul, Box::new(whose), Box::new(Code::Const(nodes)));
                Code::Arithmetic(Op::Add, Box::new(row), Box::new(self.expr(other)?))
            }
        };
        let slot = Code::Slot(table.into(), Box::new(index));
        Ok(Code::Arithmetic(
            Op::Gt,
            Box::new(slot),
            Box::new(Code::Const(0)),
        ))
    }

    /// Code that compares the time since the start with a constant.
    pub(crate) fn now(&mut self, op: BinaryOp, time: &Rational) -> Result<Code, String> {
        let units = self.units()?;
        let grid = self
            .machine
            .digitisation()
            .ok_or("times, and no grid of times")?;
        let limit = in_units(time, &grid.unit)?;
        if limit >= units.horizon {
            return Err(format!("the time {time}, which is beyond what is counted"));
        }
        let op = match op {
            BinaryOp::Eq => Op::Eq,
            BinaryOp::Ne => Op::Ne,
            BinaryOp::Lt => Op::Lt,
            BinaryOp::Le => Op::Le,
            BinaryOp::Gt => Op::Gt,
            BinaryOp::Ge => Op::Ge,
            other => unreachable!("verified to be a comparison: {other:?}"),
        };
        let now = Code::Slot(vec![units.now as u32].into(), Box::new(Code::Const(0)));
        Ok(Code::Arithmetic(
            op,
            Box::new(now),
            Box::new(Code::Const(limit)),
        ))
    }

    /// Code for whether a deadline has been missed.
    pub(crate) fn overdue(&mut self, response: ResponseId) -> Result<Code, String> {
        let units = self.units()?;
        let table = vec![units.pending(response.index()) as u32];
        let waited = Code::Slot(table.into(), Box::new(Code::Const(0)));
        let over = Code::Const(units.within[response.index()] + 2);
        Ok(Code::Arithmetic(Op::Eq, Box::new(waited), Box::new(over)))
    }

    /// Code for whether a node has no permanent fault and has had no runtime fault.
    pub(crate) fn faultless(&mut self, node: &Expr) -> Result<Code, String> {
        let machine = self.machine;
        let clocks = Clocks::new(machine, &OrderConstraints::of(machine))?;
        let none = Box::new(Code::Const(fault_number(None)));
        let mut right = Code::Arithmetic(Op::Eq, Box::new(self.fault_of(node)?), none);
        for runtime_fault in 0..machine.runtime_faults.len() {
            let table = machine
                .nodes()
                .map(|n| clocks.faulted(n, runtime_fault) as u32)
                .collect();
            let faulted = Code::Slot(table, Box::new(self.expr(node)?));
            let not = Code::Arithmetic(Op::Eq, Box::new(faulted), Box::new(Code::Const(0)));
            right = Code::And(Box::new(right), Box::new(not), true);
        }
        Ok(right)
    }
}
