//! Values of terms and conditions, and the effect of statements on integers.

use crate::format::error::Mistake;
use crate::system::network::{Condition, Element, Int, Relation, Statement, Term};

/// The reason why a search ends without a result.
#[derive(Debug)]
pub(crate) enum Stop {
    /// An error of the model that occurs in a reachable state.
    Fault(Mistake),
    /// A bound of clocks is out of range.
    Overflow,
    /// The caller has ended the search.
    Cancelled,
    /// There are more states than state numbers.
    Full,
}

impl From<Mistake> for Stop {
    fn from(mistake: Mistake) -> Stop {
        Stop::Fault(mistake)
    }
}

impl From<dbm::Overflow> for Stop {
    fn from(_: dbm::Overflow) -> Stop {
        Stop::Overflow
    }
}

/// The assignment `clock = source + offset`. The source 0 stands for the constant 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assigned {
    pub(crate) clock: usize,
    pub(crate) source: usize,
    pub(crate) offset: i64,
}

/// The values of variables during the evaluation of an attribute.
pub(crate) struct Values<'v> {
    /// The values of the integer variables.
    pub(crate) ints: &'v mut [i32],
    /// The values of the local variables.
    pub(crate) locals: &'v mut [i64],
}

impl Values<'_> {
    pub(crate) fn holds(&self, condition: &Condition) -> Result<bool, Mistake> {
        Ok(match condition {
            Condition::NonZero(term) => self.term(term)? != 0,
            Condition::Compare(relation, left, right) => {
                let (left, right) = (self.term(left)?, self.term(right)?);
                match relation {
                    Relation::Equal => left == right,
                    Relation::Unequal => left != right,
                    Relation::Less => left < right,
                    Relation::AtMost => left <= right,
                    Relation::Greater => left > right,
                    Relation::AtLeast => left >= right,
                }
            }
            Condition::Not(operand) => !self.holds(operand)?,
            Condition::And(operands) => return self.all_hold(operands),
        })
    }

    pub(crate) fn all_hold(&self, conditions: &[Condition]) -> Result<bool, Mistake> {
        for condition in conditions {
            if !self.holds(condition)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(crate) fn term(&self, term: &Term) -> Result<i64, Mistake> {
        match term {
            Term::Number(number) => Ok(*number),
            Term::Int(element) => Ok(self.ints[self.place(element)?].into()),
            Term::Local(element) => Ok(self.locals[self.place(element)?]),
            Term::Negative(at, operand) => in_range(*at, self.term(operand)?.checked_neg()),
            Term::Arithmetic(operator, at, operands) => {
                let (left, right) = (self.term(&operands[0])?, self.term(&operands[1])?);
                if right == 0 && matches!(*operator, "/" | "%") {
                    return Err(Mistake::new(*at, "division by zero"));
                }
                let result = match *operator {
                    "+" => left.checked_add(right),
                    "-" => left.checked_sub(right),
                    "*" => left.checked_mul(right),
                    "/" => left.checked_div(right),
                    _ => left.checked_rem(right),
                };
                in_range(*at, result)
            }
            Term::If(parts) => match self.holds(&parts.0)? {
                true => self.term(&parts.1),
                false => self.term(&parts.2),
            },
        }
    }

    /// The number of the variable that an element denotes.
    pub(crate) fn place(&self, element: &Element) -> Result<usize, Mistake> {
        let Some(index) = &element.index else {
            return Ok(element.base);
        };
        let index = self.term(index)?;
        let offset = usize::try_from(index).ok().filter(|i| *i < element.size);
        let message = || format!("the index {index} is not in 0..{}", element.size - 1);
        let offset = offset.ok_or_else(|| Mistake::new(element.at, message()))?;
        Ok(element.base + offset)
    }

    /// Executes statements; assignments of clocks are collected. `ranges` are the ranges of the integer variables, and
    /// `poll` is called in each iteration of a loop.
    pub(crate) fn execute(
        &mut self,
        statements: &[Statement],
        ranges: &[Int],
        assigned: &mut Vec<Assigned>,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<(), Stop> {
        for statement in statements {
            match statement {
                Statement::Int(element, term) => {
                    let place = self.place(element)?;
                    let value = self.term(term)?;
                    let Int { least, most, .. } = ranges[place];
                    if !(least..=most).contains(&value) {
                        let message = format!("the value {value} is not in {least}..{most}");
                        return Err(Mistake::new(element.at, message).into());
                    }
                    // The range of a variable has 32 bits.
                    self.ints[place] = value as i32;
                }
                Statement::Local(element, term) => {
                    let place = self.place(element)?;
                    self.locals[place] = self.term(term)?;
                }
                Statement::Clock(assignment) => {
                    let source = assignment.source.as_ref().map(|source| self.place(source));
                    let offset = self.term(&assignment.offset)?;
                    if offset < 0 {
                        let message = format!("a clock is assigned the negative value {offset}");
                        return Err(Mistake::new(assignment.at, message).into());
                    }
                    assigned.push(Assigned {
                        clock: self.place(&assignment.clock)?,
                        source: source.transpose()?.unwrap_or(0),
                        offset,
                    });
                }
                Statement::If(condition, then, otherwise) => {
                    let block = match self.holds(condition)? {
                        true => then,
                        false => otherwise,
                    };
                    self.execute(block, ranges, assigned, poll)?;
                }
                Statement::While(condition, body) => {
                    while self.holds(condition)? {
                        if !poll() {
                            return Err(Stop::Cancelled);
                        }
                        self.execute(body, ranges, assigned, poll)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The value, if it has 32 bits.
fn in_range(at: usize, value: Option<i64>) -> Result<i64, Mistake> {
    let value = value.filter(|value| i32::try_from(*value).is_ok());
    value.ok_or_else(|| Mistake::new(at, "the value has more than 32 bits"))
}
