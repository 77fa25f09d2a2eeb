//! Binary operators.

use crate::instance::data::Instance;
use crate::instance::scope::Scope;
use crate::instance::state::State;
use crate::instance::value::{Res, Value, error, refuse};
use crate::instance::walk;
use std::cmp::Ordering;
use syntax::ast::{BinaryOp, Expr};

impl Instance<'_> {
    /// The value of `a op b`; `whole` is the complete expression.
    pub fn binary(
        &self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        whole: &Expr,
        state: &State,
        scope: &mut Scope,
    ) -> Res<Value> {
        match op {
            BinaryOp::And => return Ok(Value::Bool(self.condition(whole, state, scope)?)),
            BinaryOp::Or => {
                let either =
                    self.eval(a, state, scope)?.bool()? || self.eval(b, state, scope)?.bool()?;
                return Ok(Value::Bool(either));
            }
            BinaryOp::Implies => {
                let holds =
                    !self.eval(a, state, scope)?.bool()? || self.eval(b, state, scope)?.bool()?;
                return Ok(Value::Bool(holds));
            }
            // Outside of `floor` and `ceil`, only times are divided.
            BinaryOp::Div => {
                let (a, b) = self.fraction(whole, state, scope)?;
                return match a % b {
                    0 => Ok(Value::Int(a / b)),
                    _ => refuse("a fraction outside of `floor` and `ceil`"),
                };
            }
            _ => {}
        }
        let compares = walk::compares(op);
        if compares && scope.me.is_none() && (walk::is_now(a) || walk::is_now(b)) {
            return self.compare_now(op, a, b, state, scope);
        }
        let (a, b) = match (self.counted(a), self.counted(b)) {
            (Some((node, what)), None) if compares => {
                let with = self.eval(b, state, scope)?;
                let node = self.eval(node, state, scope)?.node()?;
                (self.count_of(node, &what, with.int()?, state)?, with)
            }
            (None, Some((node, what))) if compares => {
                let with = self.eval(a, state, scope)?;
                let node = self.eval(node, state, scope)?.node()?;
                let count = self.count_of(node, &what, with.int()?, state)?;
                (with, count)
            }
            _ => (self.eval(a, state, scope)?, self.eval(b, state, scope)?),
        };
        let overflow = || refuse("an integer that is too large");
        let number = |n: Option<i128>| n.map_or_else(overflow, |n| Ok(Value::Int(n)));
        match op {
            BinaryOp::Add => number(a.int()?.checked_add(b.int()?)),
            BinaryOp::Sub => number(a.int()?.checked_sub(b.int()?)),
            BinaryOp::Mul => number(a.int()?.checked_mul(b.int()?)),
            BinaryOp::Mod => match b.int()? {
                0 => a.int().and_then(|_| error("division by zero")),
                b => number(a.int()?.checked_rem_euclid(b)),
            },
            BinaryOp::Union => {
                let mut set = a.set()?;
                set.extend(b.set()?);
                Ok(Value::Set(set))
            }
            BinaryOp::Intersect => {
                let (a, b) = (a.set()?, b.set()?);
                Ok(Value::Set(a.intersection(&b).cloned().collect()))
            }
            BinaryOp::Minus => {
                let (a, b) = (a.set()?, b.set()?);
                Ok(Value::Set(a.difference(&b).cloned().collect()))
            }
            BinaryOp::Subset => Ok(Value::Bool(a.set()?.is_subset(&b.set()?))),
            BinaryOp::In => {
                let (a, b) = (a.element(), b.set()?);
                if a == Value::None && !b.contains(&a) {
                    return error("none used as a value before `in`");
                }
                Ok(Value::Bool(b.contains(&a)))
            }
            BinaryOp::Eq => Ok(Value::Bool(a.same(&b)?)),
            BinaryOp::Ne => Ok(Value::Bool(!a.same(&b)?)),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                Ok(Value::Bool(is_so(op, a.order(&b)?)))
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Div => {
                refuse("an operator out of place")
            }
        }
    }

    /// Compares `now` with a constant time, up to which the state stores the time.
    fn compare_now(
        &self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        state: &State,
        scope: &mut Scope,
    ) -> Res<Value> {
        let left = walk::is_now(a);
        let with = self.eval(if left { b } else { a }, state, scope)?.int()?;
        let Some(clock) = &self.clock else {
            return refuse("`now` where there is no time");
        };
        let with = clock.units(with)?;
        if clock.end().is_none_or(|end| with >= end) {
            return refuse("`now` compared with a later time than is kept");
        }
        let order = state.now.cmp(&with);
        let order = if left { order } else { order.reverse() };
        Ok(Value::Bool(is_so(op, order)))
    }
}

fn is_so(op: BinaryOp, order: Ordering) -> bool {
    match op {
        BinaryOp::Eq => order == Ordering::Equal,
        BinaryOp::Ne => order != Ordering::Equal,
        BinaryOp::Lt => order == Ordering::Less,
        BinaryOp::Le => order != Ordering::Greater,
        BinaryOp::Gt => order == Ordering::Greater,
        _ => order != Ordering::Less,
    }
}
