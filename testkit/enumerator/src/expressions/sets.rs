//! Quantifiers, filters and other expressions over sets, and calls.

use crate::expressions::types::product;
use crate::instance::data::Instance;
use crate::instance::scope::Scope;
use crate::instance::state::State;
use crate::instance::value::{Res, Value, error, refuse};
use crate::instance::walk;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use syntax::ast::{BinaryOp, Expr, ExprKind, Name, QuantifierKind, UnaryOp};

impl Instance<'_> {
    pub fn filter(
        &self,
        var: &str,
        domain: &Expr,
        condition: &Expr,
        state: &State,
        scope: &mut Scope,
    ) -> Res<Value> {
        let mut kept = BTreeSet::new();
        let mark = scope.locals.len();
        for value in self.eval(domain, state, scope)?.set()? {
            scope.bind(var, value.clone());
            if self.eval(condition, state, scope)?.bool()? {
                kept.insert(value);
            }
            scope.back_to(mark);
        }
        Ok(Value::Set(kept))
    }

    /// The element with the largest or smallest key; the first one, in the order of the set, if there are several.
    pub fn extremum(
        &self,
        largest: bool,
        var: &str,
        domain: &Expr,
        by: &Expr,
        state: &State,
        scope: &mut Scope,
    ) -> Res<Value> {
        let wanted = if largest {
            Ordering::Greater
        } else {
            Ordering::Less
        };
        let mark = scope.locals.len();
        let mut best: Option<(Value, Value)> = None;
        for value in self.in_order(self.eval(domain, state, scope)?.set()?) {
            scope.bind(var, value.clone());
            let key = self.eval(by, state, scope)?;
            scope.back_to(mark);
            key.order(&key)?;
            let better = match &best {
                None => true,
                Some((_, old)) => key.order(old)? == wanted,
            };
            if better {
                best = Some((value, key));
            }
        }
        match best {
            Some((value, _)) => Ok(value),
            None => error("`largest` or `smallest` of nothing"),
        }
    }

    pub fn quantifier(
        &self,
        kind: QuantifierKind,
        vars: &[Name],
        domain: &Expr,
        body: &Expr,
        state: &State,
        scope: &mut Scope,
    ) -> Res<Value> {
        let domain: Vec<Value> = match self.copies(domain, state, scope) {
            Some(copies) => copies,
            None => self
                .eval(domain, state, scope)?
                .set()?
                .into_iter()
                .collect(),
        };
        if vars.len() > 1 && kind == QuantifierKind::The {
            return refuse("`the` with several names");
        }
        let mark = scope.locals.len();
        let mut so_far: Option<Value> = None;
        let mut number = 0;
        for values in product(vec![domain; vars.len()])? {
            for (var, value) in vars.iter().zip(&values) {
                scope.bind(&var.text, value.clone());
            }
            let said = self.eval(body, state, scope)?;
            scope.back_to(mark);
            match kind {
                QuantifierKind::All if !said.bool()? => return Ok(Value::Bool(false)),
                QuantifierKind::Exists if said.bool()? => return Ok(Value::Bool(true)),
                QuantifierKind::All | QuantifierKind::Exists => {}
                QuantifierKind::Count => number += i128::from(said.bool()?),
                QuantifierKind::Sum => number += said.int()?,
                QuantifierKind::The if said.bool()? => {
                    if so_far.is_some() {
                        return refuse("`the` of several: the text does not say what that is");
                    }
                    so_far = Some(values[0].clone());
                }
                QuantifierKind::The => {}
                QuantifierKind::Max | QuantifierKind::Min => {
                    said.order(&said)?;
                    so_far = Some(match so_far {
                        None => said,
                        Some(old) => better(kind == QuantifierKind::Max, old, said)?,
                    });
                }
                QuantifierKind::Union | QuantifierKind::Intersect => {
                    let said = said.set()?;
                    let set = match so_far {
                        None => said,
                        Some(old) if kind == QuantifierKind::Union => {
                            old.set()?.union(&said).cloned().collect()
                        }
                        Some(old) => old.set()?.intersection(&said).cloned().collect(),
                    };
                    so_far = Some(Value::Set(set));
                }
            }
        }
        match (kind, so_far) {
            (QuantifierKind::All, _) => Ok(Value::Bool(true)),
            (QuantifierKind::Exists, _) => Ok(Value::Bool(false)),
            (QuantifierKind::Count | QuantifierKind::Sum, _) => Ok(Value::Int(number)),
            (_, Some(value)) => Ok(value),
            (QuantifierKind::Union, None) => Ok(Value::Set(BTreeSet::new())),
            (_, None) => error("`the`, `max`, `min` or `intersect` of nothing"),
        }
    }

    pub fn call(
        &self,
        name: &str,
        arguments: &[Expr],
        state: &State,
        scope: &mut Scope,
    ) -> Res<Value> {
        if let Some(function) = self.fns.iter().find(|f| f.name.text == name) {
            if function.parameters.len() != arguments.len() {
                return refuse(format!("`{name}` with another number of arguments"));
            }
            let mut inner = Scope::default();
            for (parameter, argument) in function.parameters.iter().zip(arguments) {
                let value = self.eval(argument, state, scope)?;
                let value = self.conform(value, &parameter.ty, state, &mut Scope::default())?;
                inner.bind(&parameter.name.text, value);
            }
            let value = self.eval(&function.body, state, &mut inner)?;
            return match &function.result {
                Some(ty) => self.conform(value, ty, state, &mut Scope::default()),
                None => Ok(value),
            };
        }
        match (name, arguments) {
            ("senders", [inbox]) => match (scope.me, walk::inbox(inbox)) {
                (Some(me), Some(of)) => Ok(self.senders(me, of, state)),
                _ => refuse("`senders` outside of the code of a node, or of something else"),
            },
            ("inbox", [message]) => {
                let (Some(me), ExprKind::Name(of)) = (scope.me, &message.kind) else {
                    return refuse("`inbox(…)` outside of the code of a node");
                };
                let entries = state.nodes.get(me).map_or(&[][..], |n| &n.inbox);
                let messages = entries.iter().map(|(_, message)| message);
                let of_type = |m: &&Value| matches!(m, Value::Record(r, _) if **r == *of.text);
                Ok(Value::Set(messages.filter(of_type).cloned().collect()))
            }
            ("size", [set]) => {
                let set = self.eval(set, state, scope)?.set()?;
                Ok(Value::Int(set.len() as i128))
            }
            ("max" | "min", [first, rest @ ..]) => {
                let mut best = self.eval(first, state, scope)?;
                best.order(&best)?;
                for argument in rest {
                    let value = self.eval(argument, state, scope)?;
                    best = better(name == "max", best, value)?;
                }
                Ok(best)
            }
            ("in_flight", [message, from, to]) if scope.me.is_none() => {
                let ExprKind::Name(of) = &message.kind else {
                    return refuse("`in_flight` of something that is no message");
                };
                let from = self.eval(from, state, scope)?.node()?;
                let to = self.eval(to, state, scope)?.node()?;
                let held = self.edge(from, to).map(|edge| &state.channels[edge]);
                let messages = held.into_iter().flatten().map(|(message, _)| message);
                let of_type = |m: &&Value| matches!(m, Value::Record(r, _) if **r == *of.text);
                Ok(Value::Int(messages.filter(of_type).count() as i128))
            }
            ("distance", [from, to]) if scope.me.is_none() => {
                let from = self.eval(from, state, scope)?.node()?;
                let to = self.eval(to, state, scope)?.node()?;
                self.distance(from, to).map(Value::Int)
            }
            ("floor", [quotient]) => {
                let (a, b) = self.fraction(quotient, state, scope)?;
                Ok(Value::Int(a.div_euclid(b)))
            }
            ("ceil", [quotient]) => {
                let (a, b) = self.fraction(quotient, state, scope)?;
                Ok(Value::Int(-(-a).div_euclid(b)))
            }
            _ => refuse(format!("the call `{name}(…)`")),
        }
    }

    /// The numerator and the positive denominator of the expression inside `floor` or `ceil`.
    pub fn fraction(&self, e: &Expr, state: &State, scope: &mut Scope) -> Res<(i128, i128)> {
        match &e.kind {
            ExprKind::Paren(inner) => self.fraction(inner, state, scope),
            ExprKind::Unary(UnaryOp::Neg, inner) => {
                let (a, b) = self.fraction(inner, state, scope)?;
                Ok((-a, b))
            }
            ExprKind::Binary(
                op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div),
                x,
                y,
            ) => {
                let (a, b) = self.fraction(x, state, scope)?;
                let (c, d) = self.fraction(y, state, scope)?;
                match op {
                    BinaryOp::Add => Ok((a * d + c * b, b * d)),
                    BinaryOp::Sub => Ok((a * d - c * b, b * d)),
                    BinaryOp::Mul => Ok((a * c, b * d)),
                    _ if c == 0 => error("division by zero"),
                    _ => Ok((a * d * c.signum(), b * c.abs())),
                }
            }
            _ => Ok((self.eval(e, state, scope)?.int()?, 1)),
        }
    }
}

fn better(largest: bool, old: Value, new: Value) -> Res<Value> {
    let wanted = if largest {
        Ordering::Greater
    } else {
        Ordering::Less
    };
    Ok(if new.order(&old)? == wanted { new } else { old })
}
