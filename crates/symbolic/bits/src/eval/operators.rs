//! Binary operators over bits.

use crate::Unsupported;
use crate::defects::{Defect, broken};
use crate::eval::branches::Branch;
use crate::eval::evaluator::Evaluator;
use crate::values::compare::equal;
use crate::values::divide::divided;
use crate::values::number::Number;
use crate::values::value::{Bits, Sort};
use machine::{BinaryOp, Expr};
use sat::Lit;

impl Evaluator<'_> {
    pub(crate) fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Bits, Unsupported> {
        use BinaryOp::*;
        if let Distance = op
            && self.world.open().is_some()
        {
            return Err(Unsupported::new("distances in a network of unknown size"));
        }
        let compares = match op {
            Eq | Ne | Subset => self.compares_openly(a)?,
            In if self.compares_openly(a)? => {
                return Err(Unsupported::new("sets of sets of nodes"));
            }
            _ => false,
        };
        let a = self.value(a)?;
        if let And | Or | Implies = op {
            return self.lazy(op, a.lit(), b);
        }
        let b = self.value(b)?;
        let world = self.world;
        if let (Some(view), true) = (world.open(), compares) {
            let differ = self.differ_openly(view, (a.set(), b.set()), op == Subset)?;
            return Ok(Bits::Bool(if op == Ne { differ } else { !differ }));
        }
        if let (Lt | Le | Gt | Ge, true) = (op, self.logs_branches()) {
            let tie = a.number().equal(self.aig, b.number());
            self.log_branch(Branch::Tie, tie);
        }
        let bool = |lit| Ok(Bits::Bool(lit));
        match op {
            Add => {
                let sum = a.number().add(self.aig, b.number());
                Ok(self.integer(sum))
            }
            Sub => {
                let difference = a.number().subtract(self.aig, b.number());
                Ok(self.integer(difference))
            }
            Mul => match a.number().multiplied(self.aig, b.number()) {
                Some(product) => Ok(self.integer(product)),
                None => Err(Unsupported::new("a product of large numbers")),
            },
            Mod | FloorDiv | CeilDiv => self.division(op, a.number(), b.number()),
            Min | Max => match a {
                Bits::Number(sort, ref x) => {
                    let number = x.extreme(self.aig, b.number(), op == Max);
                    Ok(Bits::Number(sort, number))
                }
                other => unreachable!("verified to have an order: {other:?}"),
            },
            Eq => bool(equal(self.aig, &a, &b)),
            Ne => bool(!equal(self.aig, &a, &b)),
            Lt => bool(a.number().less(self.aig, b.number())),
            Le => bool(!b.number().less(self.aig, a.number())),
            Gt => bool(b.number().less(self.aig, a.number())),
            Ge => bool(!a.number().less(self.aig, b.number())),
            And | Or | Implies => unreachable!("done above"),
            In => bool(b.set().contains(self.aig, &a)),
            Subset => bool(a.set().is_subset(self.aig, b.set())),
            Union => Ok(Bits::Set(a.set().union(self.aig, b.set())?)),
            Intersect => Ok(Bits::Set(a.set().restricted(self.aig, b.set(), true))),
            Minus => Ok(Bits::Set(a.set().restricted(self.aig, b.set(), false))),
            Distance => {
                let mut lengths = Vec::new();
                for (from_here, from) in self.node_choices(&a) {
                    let distances = self.machine.distances(from);
                    for (to_here, to) in self.node_choices(&b) {
                        let both = self.aig.and(from_here, to_here);
                        lengths.push((both, i128::from(distances[to.index()])));
                    }
                }
                Ok(Bits::Number(Sort::Int, Number::one_of(self.aig, &lengths)))
            }
        }
    }

    /// `and`, `or`, `implies`: the second operand is evaluated only if the first does not decide the result.
    fn lazy(&mut self, op: BinaryOp, a: Lit, b: &Expr) -> Result<Bits, Unsupported> {
        let matters = if op == BinaryOp::Or { !a } else { a };
        self.log_both(Branch::Left, a);
        if matters == Lit::FALSE {
            return Ok(Bits::bool(op != BinaryOp::And));
        }
        let reached = match broken(Defect::NotLazy) {
            true => Lit::TRUE,
            false => matters,
        };
        let b = self.under(reached, |this| {
            let b = this.condition(b)?;
            this.log_both(Branch::Right, b);
            Ok(b)
        })?;
        Ok(Bits::Bool(match op {
            BinaryOp::And => self.aig.and(a, b),
            BinaryOp::Or => self.aig.or(a, b),
            _ => self.aig.implies(a, b),
        }))
    }

    fn division(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Result<Bits, Unsupported> {
        let zero = b.is(self.aig, 0);
        self.fail_if(zero);
        // The least 64-bit integer cannot be negated: its remainder modulo -1, its quotient by -1 and its quotient
        // rounded up are errors.
        let least = a.is(self.aig, i128::from(i64::MIN));
        let minus_one = b.is(self.aig, -1);
        let lost = match op {
            BinaryOp::CeilDiv => least,
            _ => self.aig.and(least, minus_one),
        };
        self.fail_if(lost);
        let result = divided(self.aig, op, a, b)?;
        Ok(self.integer(result))
    }

    /// A number as an integer. Adds an error if it exceeds 64 bits.
    pub(crate) fn integer(&mut self, number: Number) -> Bits {
        let (lo, hi) = (i128::from(i64::MIN), i128::from(i64::MAX));
        if number.lo() >= lo && number.hi() <= hi {
            return Bits::Number(Sort::Int, number);
        }
        let within = number.within(self.aig, lo, hi);
        self.fail_if(!within);
        // A number out of range is replaced by 0, so that the bounds of further sums stay small.
        let number = match within {
            Lit::FALSE => Number::constant(0),
            _ => Number::ite(self.aig, within, &number, &Number::constant(0)),
        };
        Bits::Number(Sort::Int, number.narrowed(lo, hi))
    }
}
