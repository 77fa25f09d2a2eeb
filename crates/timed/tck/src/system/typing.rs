//! Types of expressions: integers, conditions, and tests and assignments of clocks.

use crate::format::declarations::Name;
use crate::format::error::Mistake;
use crate::format::expressions::{self, Expr, ExprKind, Lvalue, StatementKind};
use crate::system::network::{
    ClockAssignment, ClockTest, Condition, Element, Guard, Relation, Statement, Term,
};
use std::collections::HashMap;

/// The largest number of elements of a local array.
const MOST_LOCALS: usize = 10_000;

const DIAGONAL: &str = "diagonal constraints, which compare two clocks, are not supported";

/// A declared variable: the number of its first element, and the number of elements.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Variable {
    Clock { base: usize, size: usize },
    Int { base: usize, size: usize },
    Local { base: usize, size: usize },
}

/// The variables by their names.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    variables: HashMap<String, Variable>,
    /// The local variables of the current attribute, and the number of their elements.
    locals: HashMap<String, Variable>,
    local_count: usize,
}

impl Scope {
    pub(crate) fn declare(&mut self, name: &Name, variable: Variable) -> Result<(), Mistake> {
        match self.variables.insert(name.text.clone(), variable) {
            None => Ok(()),
            Some(_) => {
                let message = format!("the variable `{}` is declared twice", name.text);
                Err(Mistake::new(name.at, message))
            }
        }
    }

    /// The statements of an attribute, and the number of their local variables.
    pub(crate) fn statements(
        &mut self,
        statements: &[expressions::Statement],
    ) -> Result<(Vec<Statement>, usize), Mistake> {
        self.locals.clear();
        self.local_count = 0;
        let statements = self.block(statements);
        self.locals.clear();
        Ok((statements?, self.local_count))
    }

    fn block(&mut self, statements: &[expressions::Statement]) -> Result<Vec<Statement>, Mistake> {
        let mut block = Vec::new();
        for statement in statements {
            block.extend(self.statement(statement)?);
        }
        Ok(block)
    }

    fn statement(
        &mut self,
        statement: &expressions::Statement,
    ) -> Result<Option<Statement>, Mistake> {
        let at = statement.at;
        let resolved = match &statement.kind {
            StatementKind::Nop => return Ok(None),
            StatementKind::Assign(target, value) => self.assignment(at, target, value)?,
            StatementKind::If(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                let then = self.block(then)?;
                Statement::If(condition, then, self.block(otherwise)?)
            }
            StatementKind::While(condition, body) => {
                let condition = self.condition(condition)?;
                Statement::While(condition, self.block(body)?)
            }
            StatementKind::Local(name, size, value) => {
                return self.local(name, size.as_ref(), value.as_ref());
            }
        };
        Ok(Some(resolved))
    }

    fn local(
        &mut self,
        name: &Name,
        size: Option<&Expr>,
        value: Option<&Expr>,
    ) -> Result<Option<Statement>, Mistake> {
        let at = name.at;
        let known = [&self.variables, &self.locals];
        if known.iter().any(|names| names.contains_key(&name.text)) {
            let message = format!("there is a variable `{}` already", name.text);
            return Err(Mistake::new(at, message));
        }
        let base = self.local_count;
        let size = match size {
            None => 1,
            Some(Expr {
                kind: ExprKind::Number(size),
                ..
            }) => {
                let fits = |size: &usize| *size >= 1 && base + size <= MOST_LOCALS;
                let size = usize::try_from(*size).ok().filter(fits);
                let message = || format!("the size is less than 1, or all exceed {MOST_LOCALS}");
                size.ok_or_else(|| Mistake::new(at, message()))?
            }
            Some(other) => {
                let message = "the size of a local array is a number";
                return Err(Mistake::new(other.at, message));
            }
        };
        let value = value.map(|value| self.term(value)).transpose()?;
        let variable = Variable::Local { base, size };
        self.locals.insert(name.text.clone(), variable);
        self.local_count += size;
        let element = Element {
            at,
            base,
            size,
            index: None,
        };
        Ok(value.map(|value| Statement::Local(element, value)))
    }

    fn assignment(&self, at: usize, target: &Lvalue, value: &Expr) -> Result<Statement, Mistake> {
        let (variable, element) = self.element(target)?;
        Ok(match variable {
            Variable::Int { .. } => Statement::Int(element, self.term(value)?),
            Variable::Local { .. } => Statement::Local(element, self.term(value)?),
            Variable::Clock { .. } => {
                let (offset, source) = self.clock_value(value)?;
                Statement::Clock(ClockAssignment {
                    at,
                    clock: element,
                    source,
                    offset,
                })
            }
        })
    }

    /// The value that is assigned to a clock: a term, a clock, or the sum of a term and a clock in this order.
    fn clock_value(&self, value: &Expr) -> Result<(Term, Option<Element>), Mistake> {
        if self.is_clock(value) {
            return Ok((Term::Number(0), Some(self.clock(value)?)));
        }
        match &value.kind {
            ExprKind::Arithmetic("+", left, right) if self.is_clock(right) => {
                Ok((self.term(left)?, Some(self.clock(right)?)))
            }
            ExprKind::Arithmetic("+", left, _) if self.is_clock(left) => {
                let message = "a clock is the right operand of a sum: write `term + clock`";
                Err(Mistake::new(left.at, message))
            }
            _ => Ok((self.term(value)?, None)),
        }
    }

    /// A guard or an invariant.
    pub(crate) fn guard(&self, expression: &Expr) -> Result<Guard, Mistake> {
        let mut guard = Guard::default();
        self.add_to_guard(expression, &mut guard)?;
        Ok(guard)
    }

    fn add_to_guard(&self, expression: &Expr, guard: &mut Guard) -> Result<(), Mistake> {
        match &expression.kind {
            ExprKind::And(operands) => {
                for operand in operands {
                    self.add_to_guard(operand, guard)?;
                }
            }
            ExprKind::Comparison(operators, operands) => {
                self.add_comparisons(operators, operands, guard)?;
            }
            _ => guard.conditions.push(self.condition(expression)?),
        }
        Ok(())
    }

    fn add_comparisons(
        &self,
        operators: &[(&'static str, usize)],
        operands: &[Expr],
        guard: &mut Guard,
    ) -> Result<(), Mistake> {
        let clocks: Vec<bool> = operands.iter().map(|o| self.is_clock(o)).collect();
        for operand in operands {
            if let ExprKind::Arithmetic("-", left, right) = &operand.kind
                && self.is_clock(left)
                && self.is_clock(right)
            {
                return Err(Mistake::new(operand.at, DIAGONAL));
            }
        }
        for (place, (operator, at)) in operators.iter().enumerate() {
            let (left, right) = (&operands[place], &operands[place + 1]);
            let relation = relation(operator);
            match (clocks[place], clocks[place + 1]) {
                (true, true) => return Err(Mistake::new(*at, DIAGONAL)),
                (false, false) => {
                    let (left, right) = (self.term(left)?, self.term(right)?);
                    let condition = Condition::Compare(relation, left, right);
                    guard.conditions.push(condition);
                    continue;
                }
                _ if relation == Relation::Unequal => {
                    let message = "a clock is compared with ==, <, <=, > or >=";
                    return Err(Mistake::new(*at, message));
                }
                _ => {}
            }
            let (clock, relation, term) = match clocks[place] {
                true => (left, relation, right),
                false => (right, relation.reversed(), left),
            };
            guard.tests.push(ClockTest {
                clock: self.clock(clock)?,
                relation,
                term: self.term(term)?,
            });
        }
        Ok(())
    }

    /// A condition on integers.
    fn condition(&self, expression: &Expr) -> Result<Condition, Mistake> {
        match &expression.kind {
            ExprKind::Not(operand) => {
                let operand = self.condition(operand)?;
                Ok(Condition::Not(Box::new(operand)))
            }
            ExprKind::And(_) | ExprKind::Comparison(..) => {
                let at = expression.at;
                let guard = self.guard(expression)?;
                if !guard.tests.is_empty() {
                    let message = "clocks are compared only in the conjunction of a guard";
                    return Err(Mistake::new(at, message));
                }
                Ok(Condition::And(guard.conditions))
            }
            _ => Ok(Condition::NonZero(self.term(expression)?)),
        }
    }

    fn term(&self, expression: &Expr) -> Result<Term, Mistake> {
        Ok(match &expression.kind {
            ExprKind::Number(number) => Term::Number(*number),
            ExprKind::Variable(lvalue) => match self.element(lvalue)? {
                (Variable::Int { .. }, element) => Term::Int(element),
                (Variable::Local { .. }, element) => Term::Local(element),
                (Variable::Clock { .. }, _) => {
                    let message = "an integer is expected here, not a clock";
                    return Err(Mistake::new(expression.at, message));
                }
            },
            ExprKind::Negative(operand) => {
                Term::Negative(expression.at, Box::new(self.term(operand)?))
            }
            ExprKind::Arithmetic(operator, left, right) => {
                let operands = [self.term(left)?, self.term(right)?];
                Term::Arithmetic(operator, expression.at, Box::new(operands))
            }
            ExprKind::If(parts) => {
                let condition = self.condition(&parts[0])?;
                let then = self.term(&parts[1])?;
                Term::If(Box::new((condition, then, self.term(&parts[2])?)))
            }
            _ => {
                let message = "an integer is expected here, not a condition";
                return Err(Mistake::new(expression.at, message));
            }
        })
    }

    fn element(&self, lvalue: &Lvalue) -> Result<(Variable, Element), Mistake> {
        let Name { at, text } = &lvalue.name;
        let found = self.variables.get(text).or_else(|| self.locals.get(text));
        let message = || format!("there is no variable `{text}`");
        let variable = *found.ok_or_else(|| Mistake::new(*at, message()))?;
        let (Variable::Clock { base, size }
        | Variable::Int { base, size }
        | Variable::Local { base, size }) = variable;
        let index = lvalue.index.as_ref().map(|index| self.term(index));
        let index = index.transpose()?.map(Box::new);
        if index.is_none() && size > 1 {
            let message = format!("`{text}` is an array: write `{text}[index]`");
            return Err(Mistake::new(*at, message));
        }
        let element = Element {
            at: *at,
            base,
            size,
            index,
        };
        Ok((variable, element))
    }

    /// The clock of an expression for which [`Scope::is_clock`] is true.
    fn clock(&self, expression: &Expr) -> Result<Element, Mistake> {
        match &expression.kind {
            ExprKind::Variable(lvalue) => Ok(self.element(lvalue)?.1),
            _ => Err(Mistake::new(expression.at, "a clock is expected here")),
        }
    }

    fn is_clock(&self, expression: &Expr) -> bool {
        let ExprKind::Variable(lvalue) = &expression.kind else {
            return false;
        };
        let variable = self.variables.get(&lvalue.name.text);
        matches!(variable, Some(Variable::Clock { .. }))
    }
}

fn relation(operator: &str) -> Relation {
    match operator {
        "==" => Relation::Equal,
        "!=" => Relation::Unequal,
        "<" => Relation::Less,
        "<=" => Relation::AtMost,
        ">" => Relation::Greater,
        _ => Relation::AtLeast,
    }
}
