//! Times that depend on the state, as sums: a constant plus numbers that depend on the state, each multiplied by a
//! constant time.
//!
//! Nodes do not store times, so every time in code and claims has this form: `left * 10 ms + 3 ms`. A choice by `if` or
//! `match` replaces the terms of the other branches by 0; a comparison of sums becomes a comparison of integers.

use crate::context::lowering::Lowering;
use crate::context::names::{Names, Time};
use crate::instances::request::no_value;
use machine::{BinaryOp as Op, Expr as M, LocalId, TimeSum};
use model::{BinaryOp, Constant, ConstantError, Environment, Expr, ExprKind, evaluate};
use rational::Rational;
use source::{Diagnostic, Span, codes};

impl Lowering<'_> {
    /// The value of a constant expression; `Ok(None)` if it is not constant; `Err` after a reported error.
    pub(crate) fn computed(&mut self, e: &Expr, names: &Names) -> Result<Option<Constant>, ()> {
        let mut env = Environment::new(self.model, &self.instance.params);
        for (local, value) in &names.constants {
            env = env.with(*local, value.clone());
        }
        match evaluate(e, &env) {
            Ok(value) => Ok(Some(value)),
            Err(ConstantError::NotConstant(_)) => Ok(None),
            Err(error) => {
                self.report(no_value(&error));
                Err(())
            }
        }
    }

    /// A time as a sum. Reports a time that is not of this form, and returns `None`.
    pub(crate) fn time_sum(&mut self, e: &Expr, names: &mut Names) -> Option<TimeSum> {
        match self.computed(e, names) {
            Ok(Some(Constant::Duration(time))) => return Some(TimeSum::constant(time)),
            Ok(_) => {}
            Err(()) => return None,
        }
        match &e.kind {
            ExprKind::Let(id) => {
                let value = &self.model.abbreviation(*id).value;
                self.expanded(e, |this| this.time_sum(value, names))
            }
            ExprKind::Local(id) => match names.times.get(id) {
                Some(sum) => Some(sum.clone()),
                None => self.no_sum(e),
            },
            ExprKind::Neg(inner) => {
                let inner = self.time_sum(inner, names)?;
                Some(scaled(inner, &-Rational::ONE))
            }
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                let (a, b) = (self.time_sum(a, names)?, self.time_sum(b, names)?);
                Some(added(a, b))
            }
            ExprKind::Binary(BinaryOp::Sub, a, b) => {
                let (a, b) = (self.time_sum(a, names)?, self.time_sum(b, names)?);
                Some(added(a, scaled(b, &-Rational::ONE)))
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let (time, number) = match a.ty {
                    model::Type::Duration => (a, b),
                    _ => (b, a),
                };
                let time = self.time_sum(time, names)?;
                if let Ok(Some(Constant::Int(number))) = self.computed(number, names) {
                    return Some(scaled(time, &Rational::from(number)));
                }
                let number = self.expr(number, names);
                Some(multiplied(time, &number))
            }
            ExprKind::Binary(BinaryOp::Div, a, b) => match self.computed(b, names) {
                Ok(Some(Constant::Int(number))) if number != 0 => {
                    let time = self.time_sum(a, names)?;
                    Some(scaled(time, &Rational::from(number).recip()))
                }
                Ok(None) => {
                    let what = "dividing a time by a number that varies";
                    self.refuse(b.span, what);
                    None
                }
                _ => {
                    self.report(no_value(&ConstantError::DivisionByZero(b.span)));
                    None
                }
            },
            ExprKind::Binary(op @ (BinaryOp::Min | BinaryOp::Max), a, b) => {
                let (a, b) = (self.time_sum(a, names)?, self.time_sum(b, names)?);
                let first = match op {
                    BinaryOp::Min => Op::Le,
                    _ => Op::Ge,
                };
                let test = self.compared(a.clone(), first, b.clone(), e.span)?;
                Some(chosen(&test, a, b))
            }
            ExprKind::If(c, a, b) => {
                let test = self.expr(c, names);
                let (a, b) = (self.time_sum(a, names)?, self.time_sum(b, names)?);
                Some(chosen(&test, a, b))
            }
            ExprKind::Match(cases) => {
                let (found, outside) = self.found(cases, names);
                let mut tests = Vec::new();
                for arm in &cases.arms {
                    let test = self.test(&arm.pattern, &found, names);
                    let bound = self.bound_by(&arm.pattern, &found, names);
                    let sum = self.time_sum(&arm.result, names)?;
                    tests.push((test, inside(bound, sum)));
                }
                let (_, mut value) = tests.pop()?;
                for (test, sum) in tests.into_iter().rev() {
                    value = match test {
                        Some(test) => chosen(&test, sum, value),
                        None => sum,
                    };
                }
                Some(inside(outside, value))
            }
            ExprKind::Call(id, arguments) => {
                let function = self.model.function(*id);
                self.expanded(e, |this| {
                    let lets = this.arguments(&function.parameters, arguments, names);
                    let sum = this.time_sum(&function.body, names)?;
                    Some(
                        lets.into_iter()
                            .rev()
                            .fold(sum, |sum, bound| inside(Some(bound), sum)),
                    )
                })
            }
            _ => self.no_sum(e),
        }
    }

    /// The value that is bound to a name: a constant or a sum.
    pub(crate) fn known_or_sum(&mut self, e: &Expr, names: &mut Names) -> Time {
        match self.computed(e, names) {
            Ok(Some(constant)) => Time::Known(constant),
            Ok(None) if e.ty == model::Type::Duration => {
                self.time_sum(e, names).map_or(Time::Refused, Time::Sum)
            }
            Ok(None) => {
                self.no_sum(e);
                Time::Refused
            }
            Err(()) => Time::Refused,
        }
    }

    /// The condition or number for a comparison or division of times that depend on the state. `None` after a
    /// reported error.
    pub(crate) fn about_times(&mut self, e: &Expr, names: &mut Names) -> Option<M> {
        let ExprKind::Binary(op, a, b) = &e.kind else {
            self.no_sum(e);
            return None;
        };
        let compares = match op {
            BinaryOp::Eq => Op::Eq,
            BinaryOp::Ne => Op::Ne,
            BinaryOp::Lt => Op::Lt,
            BinaryOp::Le => Op::Le,
            BinaryOp::Gt => Op::Gt,
            BinaryOp::Ge => Op::Ge,
            BinaryOp::FloorDiv => Op::FloorDiv,
            BinaryOp::CeilDiv => Op::CeilDiv,
            _ => {
                self.no_sum(e);
                return None;
            }
        };
        let (a, b) = (self.time_sum(a, names)?, self.time_sum(b, names)?);
        match compares {
            Op::FloorDiv | Op::CeilDiv => {
                let unit = unit_of(&[&a, &b]);
                let (a, b) = (whole(&a, &unit), whole(&b, &unit));
                self.fits(a.zip(b), e.span)
                    .map(|(a, b)| a.binary(compares, b))
            }
            _ => self.compared(a, compares, b, e.span),
        }
    }

    /// A comparison of two sums, as a comparison of integers. `None` after a reported error.
    fn compared(&mut self, a: TimeSum, op: Op, b: TimeSum, span: Span) -> Option<M> {
        let unit = unit_of(&[&a, &b]);
        let numbers = whole(&a, &unit).zip(whole(&b, &unit));
        self.fits(numbers, span).map(|(a, b)| a.binary(op, b))
    }

    fn fits<T>(&mut self, numbers: Option<T>, span: Span) -> Option<T> {
        if numbers.is_none() {
            self.report(no_value(&ConstantError::Overflow(span)));
        }
        numbers
    }

    fn no_sum(&mut self, e: &Expr) -> Option<TimeSum> {
        self.report(
            Diagnostic::error(
                codes::NOT_IN_THIS_VERSION,
                e.span,
                "a time that depends on the state in this way: not in this version",
            )
            .note("times are added, multiplied by numbers, and chosen with `if`, `match`, `min` and `max`"),
        );
        None
    }
}

/// The sum with each of its terms inside the binding of a local name.
fn inside(bound: Option<(LocalId, M)>, sum: TimeSum) -> TimeSum {
    let Some((local, value)) = bound else {
        return sum;
    };
    let named = |term: M| M::Let(local, Box::new(value.clone()), Box::new(term));
    let terms = sum
        .terms
        .into_iter()
        .map(|(term, time)| (named(term), time));
    TimeSum {
        terms: terms.collect(),
        constant: sum.constant,
    }
}

fn scaled(sum: TimeSum, by: &Rational) -> TimeSum {
    let terms = sum.terms.into_iter().map(|(term, time)| (term, &time * by));
    TimeSum {
        terms: terms.collect(),
        constant: &sum.constant * by,
    }
}

fn added(a: TimeSum, b: TimeSum) -> TimeSum {
    let constant = &a.constant + &b.constant;
    let terms = a.terms.into_iter().chain(b.terms).collect();
    TimeSum { terms, constant }
}

fn multiplied(sum: TimeSum, number: &M) -> TimeSum {
    let terms = sum.terms.into_iter();
    let mut terms: Vec<(M, Rational)> = terms
        .map(|(term, time)| (number.clone().binary(Op::Mul, term), time))
        .collect();
    if !sum.constant.is_zero() {
        terms.push((number.clone(), sum.constant));
    }
    TimeSum {
        terms,
        constant: Rational::ZERO,
    }
}

/// The sum `a` if the test is true, otherwise `b`. The terms of the other sum become 0 and are not evaluated.
fn chosen(test: &M, a: TimeSum, b: TimeSum) -> TimeSum {
    let when =
        |then: M, otherwise: M| M::If(Box::new(test.clone()), Box::new(then), Box::new(otherwise));
    let same = a.constant == b.constant;
    let mut terms = Vec::new();
    for (term, time) in a.terms {
        terms.push((when(term, M::int(0)), time));
    }
    for (term, time) in b.terms {
        terms.push((when(M::int(0), term), time));
    }
    if !same && !a.constant.is_zero() {
        terms.push((when(M::int(1), M::int(0)), a.constant.clone()));
    }
    if !same && !b.constant.is_zero() {
        terms.push((when(M::int(0), M::int(1)), b.constant));
    }
    let constant = match same {
        true => a.constant,
        false => Rational::ZERO,
    };
    TimeSum { terms, constant }
}

/// The greatest common divisor of all times in the sums; 1 if all are zero.
fn unit_of(sums: &[&TimeSum]) -> Rational {
    let times = sums.iter().flat_map(|sum| {
        let terms = sum.terms.iter().map(|(_, time)| time);
        terms.chain([&sum.constant])
    });
    let unit = times.fold(Rational::ZERO, |unit, time| unit.gcd(time));
    match unit.is_zero() {
        true => Rational::ONE,
        false => unit,
    }
}

/// The sum divided by `unit`, as an integer expression; `None` if a factor does not fit into 64 bits.
fn whole(sum: &TimeSum, unit: &Rational) -> Option<M> {
    let mut total: Option<M> = None;
    for (term, time) in &sum.terms {
        let factor = (time / unit).to_i64()?;
        let part = match factor {
            1 => term.clone(),
            _ => term.clone().binary(Op::Mul, M::int(factor)),
        };
        total = Some(match total {
            Some(total) => total.binary(Op::Add, part),
            None => part,
        });
    }
    let constant = (&sum.constant / unit).to_i64()?;
    Some(match total {
        None => M::int(constant),
        Some(total) if constant == 0 => total,
        Some(total) => total.binary(Op::Add, M::int(constant)),
    })
}
