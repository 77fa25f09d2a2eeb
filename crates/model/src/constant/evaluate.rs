//! Evaluation of constant expressions: ends of ranges, numbers of nodes, values of parameters.

use crate::constant::calls::{arm, called, within};
use crate::{
    BinaryOp, Domain, EnumId, Expr, ExprKind, LocalId, Model, ParamId, Quantifier, RecordId,
};
use rational::Rational;
use source::Span;
use std::collections::HashMap;

/// A value that does not depend on a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// A number.
    Int(i64),
    /// A duration, in the unit of the file.
    Duration(Rational),
    /// A truth value.
    Bool(bool),
    /// The n-th value of an enum.
    Enum(EnumId, u32),
    /// `none` or a value.
    Option(Option<Box<Constant>>),
    /// A message or struct, with the values of its fields in the order of the declaration.
    Record(RecordId, Vec<Constant>),
}

/// Why an expression has no constant value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantError {
    /// The expression depends on the state, on a node, or on a parameter without a value.
    NotConstant(Span),
    /// The value does not fit into 64 bits, or a range is too large to enumerate.
    Overflow(Span),
    /// Division or `mod` by zero.
    DivisionByZero(Span),
    /// `the` without exactly one element, `max` or `min` of an empty set, `none` used as a value, or a `match`
    /// without an arm for the value.
    NoValue(Span),
    /// An argument or a result is outside the range that its function declares.
    OutOfRange(Span),
}

/// The values of parameters and bound names.
#[derive(Clone, Debug)]
pub struct Environment<'a> {
    pub(super) model: &'a Model,
    pub(super) params: &'a [Option<Constant>],
    locals: HashMap<LocalId, Constant>,
}

pub(crate) type Outcome<T> = Result<T, ConstantError>;

impl Constant {
    /// The number; `None` if the value is not a number.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Constant::Int(i) => Some(*i),
            _ => None,
        }
    }

    /// The value in the syntax of the language.
    pub fn text(&self, model: &Model) -> String {
        match self {
            Constant::Int(i) => i.to_string(),
            Constant::Duration(time) => model.time(time),
            Constant::Bool(b) => b.to_string(),
            Constant::Enum(e, n) => model.enumeration(*e).values[*n as usize].clone(),
            Constant::Option(None) => "none".into(),
            Constant::Option(Some(inner)) => inner.text(model),
            Constant::Record(record, values) => {
                let fields = model.record_fields(*record).iter().zip(values);
                let fields = fields.map(|(f, v)| format!("{}: {}", f.name, v.text(model)));
                let fields: Vec<String> = fields.collect();
                let name = model.record_name(*record);
                match fields.is_empty() {
                    true => name.to_string(),
                    false => format!("{name} {{ {} }}", fields.join(", ")),
                }
            }
        }
    }
}

impl ConstantError {
    /// The span of the expression without a value.
    pub fn span(&self) -> Span {
        match self {
            ConstantError::NotConstant(s)
            | ConstantError::Overflow(s)
            | ConstantError::DivisionByZero(s)
            | ConstantError::NoValue(s)
            | ConstantError::OutOfRange(s) => *s,
        }
    }
}

impl<'a> Environment<'a> {
    /// An environment without bound names. `params` gives the value of each parameter by position; a parameter that
    /// is `None` or beyond the slice has no value.
    pub fn new(model: &'a Model, params: &'a [Option<Constant>]) -> Environment<'a> {
        Environment {
            model,
            params,
            locals: HashMap::new(),
        }
    }

    /// A copy of this environment in which `local` has a value.
    pub fn with(&self, local: LocalId, value: Constant) -> Environment<'a> {
        let mut extended = self.clone();
        extended.locals.insert(local, value);
        extended
    }

    fn param(&self, id: ParamId) -> Option<Constant> {
        self.params.get(id.index()).cloned().flatten()
    }
}

/// The value of an expression that is not a set.
pub fn evaluate(expr: &Expr, env: &Environment<'_>) -> Outcome<Constant> {
    let span = expr.span;
    let not_constant = ConstantError::NotConstant(span);
    Ok(match &expr.kind {
        ExprKind::Int(i) => Constant::Int(*i),
        ExprKind::Duration(time) => Constant::Duration(time.clone()),
        ExprKind::Bool(b) => Constant::Bool(*b),
        ExprKind::EnumValue(e, n) => Constant::Enum(*e, *n),
        ExprKind::None => Constant::Option(None),
        ExprKind::Some(inner) => Constant::Option(Some(Box::new(evaluate(inner, env)?))),
        ExprKind::Unwrap(inner) => match evaluate(inner, env)? {
            Constant::Option(Some(value)) => *value,
            _ => return Err(ConstantError::NoValue(span)),
        },
        ExprKind::IsSome(inner) => {
            Constant::Bool(matches!(evaluate(inner, env)?, Constant::Option(Some(_))))
        }
        ExprKind::Param(id) => env.param(*id).ok_or(not_constant)?,
        ExprKind::Let(id) => {
            evaluate(&env.model.abbreviation(*id).value, env).map_err(|e| relocate(e, span))?
        }
        ExprKind::Local(id) => env.locals.get(id).cloned().ok_or(not_constant)?,
        ExprKind::Neg(inner) => match evaluate(inner, env)? {
            Constant::Int(i) => {
                Constant::Int(i.checked_neg().ok_or(ConstantError::Overflow(span))?)
            }
            Constant::Duration(time) => Constant::Duration(-time),
            _ => return Err(not_constant),
        },
        ExprKind::Not(inner) => Constant::Bool(!truth(inner, env)?),
        ExprKind::Binary(op, a, b) => binary(*op, a, b, span, env)?,
        ExprKind::If(c, a, b) => evaluate(if truth(c, env)? { a } else { b }, env)?,
        ExprKind::Match(cases) => {
            let (result, inside) = arm(cases, span, env)?;
            evaluate(result, &inside)?
        }
        ExprKind::Call(id, arguments) => {
            let inside = called(*id, arguments, env)?;
            let function = env.model.function(*id);
            let value = evaluate(&function.body, &inside).map_err(|e| relocate(e, span))?;
            within(value, &function.result, span, env)?
        }
        ExprKind::Size(set) => Constant::Int(evaluate_set(set, env)?.len() as i64),
        ExprKind::Record(record, parts) => {
            let values = parts.iter().map(|part| evaluate(part, env));
            Constant::Record(*record, values.collect::<Outcome<_>>()?)
        }
        ExprKind::RecordField(base, _, field) => match evaluate(base, env)? {
            Constant::Record(_, mut values) => values.swap_remove(*field as usize),
            _ => return Err(not_constant),
        },
        ExprKind::Quantifier {
            kind,
            var,
            domain,
            body,
        } => quantifier(*kind, *var, domain, body, span, env)?,
        _ => return Err(not_constant),
    })
}

/// The elements of a set, without duplicates, in the order in which they are first found.
pub fn evaluate_set(expr: &Expr, env: &Environment<'_>) -> Outcome<Vec<Constant>> {
    let mut elements = Vec::new();
    let mut add = |value: Constant| {
        if !elements.contains(&value) {
            elements.push(value);
        }
    };
    match &expr.kind {
        ExprKind::Set(parts) => {
            for part in parts {
                add(evaluate(part, env)?);
            }
        }
        ExprKind::Range(a, b) => {
            let (a, b) = (int(a, env)?, int(b, env)?);
            // A range that is too large to enumerate is reported instead of being enumerated.
            if b.saturating_sub(a) > 1_000_000 {
                return Err(ConstantError::Overflow(expr.span));
            }
            return Ok((a..=b).map(Constant::Int).collect());
        }
        ExprKind::Let(id) => {
            return evaluate_set(&env.model.abbreviation(*id).value, env)
                .map_err(|e| relocate(e, expr.span));
        }
        ExprKind::EnumValues(id) => {
            let count = env.model.enumeration(*id).values.len() as u32;
            return Ok((0..count).map(|n| Constant::Enum(*id, n)).collect());
        }
        ExprKind::If(c, a, b) => return evaluate_set(if truth(c, env)? { a } else { b }, env),
        ExprKind::Match(cases) => {
            let (result, inside) = arm(cases, expr.span, env)?;
            return evaluate_set(result, &inside);
        }
        ExprKind::Call(id, arguments) => {
            let inside = called(*id, arguments, env)?;
            let function = env.model.function(*id);
            let Domain::Set(element) = &function.result else {
                return Err(ConstantError::NotConstant(expr.span));
            };
            return evaluate_set(&function.body, &inside)
                .map_err(|e| relocate(e, expr.span))?
                .into_iter()
                .map(|value| within(value, element, expr.span, env))
                .collect();
        }
        ExprKind::Filter {
            var,
            domain,
            condition,
        } => {
            for value in evaluate_set(domain, env)? {
                if truth(condition, &env.with(*var, value.clone()))? {
                    add(value);
                }
            }
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (evaluate_set(a, env)?, evaluate_set(b, env)?);
            match op {
                BinaryOp::Union => a.into_iter().chain(b).for_each(add),
                BinaryOp::Intersect => a.into_iter().filter(|x| b.contains(x)).for_each(add),
                BinaryOp::Minus => a.into_iter().filter(|x| !b.contains(x)).for_each(add),
                _ => return Err(ConstantError::NotConstant(expr.span)),
            }
        }
        _ => return Err(ConstantError::NotConstant(expr.span)),
    }
    Ok(elements)
}

fn binary(
    op: BinaryOp,
    a: &Expr,
    b: &Expr,
    span: Span,
    env: &Environment<'_>,
) -> Outcome<Constant> {
    let overflow = ConstantError::Overflow(span);
    let number = |value: Option<i64>| value.map(Constant::Int).ok_or(overflow.clone());
    match op {
        BinaryOp::And => Ok(Constant::Bool(truth(a, env)? && truth(b, env)?)),
        BinaryOp::Or => Ok(Constant::Bool(truth(a, env)? || truth(b, env)?)),
        BinaryOp::Implies => Ok(Constant::Bool(!truth(a, env)? || truth(b, env)?)),
        BinaryOp::Eq => Ok(Constant::Bool(evaluate(a, env)? == evaluate(b, env)?)),
        BinaryOp::Ne => Ok(Constant::Bool(evaluate(a, env)? != evaluate(b, env)?)),
        BinaryOp::In => {
            let value = evaluate(a, env)?;
            Ok(Constant::Bool(evaluate_set(b, env)?.contains(&value)))
        }
        BinaryOp::Subset => {
            let (a, b) = (evaluate_set(a, env)?, evaluate_set(b, env)?);
            Ok(Constant::Bool(a.iter().all(|x| b.contains(x))))
        }
        BinaryOp::Union | BinaryOp::Intersect | BinaryOp::Minus => {
            Err(ConstantError::NotConstant(span))
        }
        _ => {
            let (left, right) = (evaluate(a, env)?, evaluate(b, env)?);
            if let Some(result) = with_times(op, &left, &right, span) {
                return result;
            }
            let not_constant = |e: &Expr| ConstantError::NotConstant(e.span);
            let a = left.as_int().ok_or_else(|| not_constant(a))?;
            let b = right.as_int().ok_or_else(|| not_constant(b))?;
            if b == 0 && matches!(op, BinaryOp::Mod | BinaryOp::FloorDiv | BinaryOp::CeilDiv) {
                return Err(ConstantError::DivisionByZero(span));
            }
            match op {
                BinaryOp::Add => number(a.checked_add(b)),
                BinaryOp::Sub => number(a.checked_sub(b)),
                BinaryOp::Mul => number(a.checked_mul(b)),
                BinaryOp::Mod => number(a.checked_rem_euclid(b)),
                BinaryOp::FloorDiv => number(floor_div(a, b)),
                // ⌈a / b⌉ = -⌊-a / b⌋.
                BinaryOp::CeilDiv => number(
                    a.checked_neg()
                        .and_then(|a| floor_div(a, b))
                        .and_then(i64::checked_neg),
                ),
                BinaryOp::Min => Ok(Constant::Int(a.min(b))),
                BinaryOp::Max => Ok(Constant::Int(a.max(b))),
                BinaryOp::Lt => Ok(Constant::Bool(a < b)),
                BinaryOp::Le => Ok(Constant::Bool(a <= b)),
                BinaryOp::Gt => Ok(Constant::Bool(a > b)),
                BinaryOp::Ge => Ok(Constant::Bool(a >= b)),
                _ => Err(ConstantError::NotConstant(span)),
            }
        }
    }
}

/// The result of an operator with a duration as an operand; `None` if neither operand is a duration.
fn with_times(op: BinaryOp, a: &Constant, b: &Constant, span: Span) -> Option<Outcome<Constant>> {
    let number = |c: &Constant| match c {
        Constant::Duration(time) => Some(time.clone()),
        Constant::Int(i) => Some(Rational::from(*i)),
        _ => None,
    };
    if !matches!(
        (a, b),
        (Constant::Duration(_), _) | (_, Constant::Duration(_))
    ) {
        return None;
    }
    let (a, b) = (number(a)?, number(b)?);
    let divides = matches!(op, BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::CeilDiv);
    if divides && b.is_zero() {
        return Some(Err(ConstantError::DivisionByZero(span)));
    }
    let whole = |number: Rational| match number.to_i64() {
        Some(i) => Ok(Constant::Int(i)),
        None => Err(ConstantError::Overflow(span)),
    };
    Some(match op {
        BinaryOp::Add => Ok(Constant::Duration(a + b)),
        BinaryOp::Sub => Ok(Constant::Duration(a - b)),
        BinaryOp::Mul => Ok(Constant::Duration(a * b)),
        BinaryOp::Div => Ok(Constant::Duration(a / b)),
        BinaryOp::FloorDiv => whole((a / b).floor()),
        BinaryOp::CeilDiv => whole((a / b).ceil()),
        BinaryOp::Min => Ok(Constant::Duration(a.min(b))),
        BinaryOp::Max => Ok(Constant::Duration(a.max(b))),
        BinaryOp::Lt => Ok(Constant::Bool(a < b)),
        BinaryOp::Le => Ok(Constant::Bool(a <= b)),
        BinaryOp::Gt => Ok(Constant::Bool(a > b)),
        BinaryOp::Ge => Ok(Constant::Bool(a >= b)),
        _ => Err(ConstantError::NotConstant(span)),
    })
}

fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    })
}

fn quantifier(
    kind: Quantifier,
    var: LocalId,
    domain: &Expr,
    body: &Expr,
    span: Span,
    env: &Environment<'_>,
) -> Outcome<Constant> {
    let elements = evaluate_set(domain, env)?;
    let inside = |value: &Constant| env.with(var, value.clone());
    Ok(match kind {
        Quantifier::All => {
            for value in &elements {
                if !truth(body, &inside(value))? {
                    return Ok(Constant::Bool(false));
                }
            }
            Constant::Bool(true)
        }
        Quantifier::Exists => {
            for value in &elements {
                if truth(body, &inside(value))? {
                    return Ok(Constant::Bool(true));
                }
            }
            Constant::Bool(false)
        }
        Quantifier::The | Quantifier::Count => {
            let mut having = Vec::new();
            for value in elements {
                if truth(body, &inside(&value))? {
                    having.push(value);
                }
            }
            match (kind, having.as_slice()) {
                (Quantifier::Count, _) => Constant::Int(having.len() as i64),
                (_, [only]) => only.clone(),
                _ => return Err(ConstantError::NoValue(span)),
            }
        }
        Quantifier::Union | Quantifier::Intersect => {
            return Err(ConstantError::NotConstant(span));
        }
        Quantifier::Max | Quantifier::Min | Quantifier::Sum => {
            let values = elements
                .iter()
                .map(|value| int(body, &inside(value)))
                .collect::<Outcome<Vec<i64>>>()?;
            let result = match kind {
                Quantifier::Max => values.into_iter().max(),
                Quantifier::Min => values.into_iter().min(),
                _ => Some(
                    values
                        .into_iter()
                        .try_fold(0i64, i64::checked_add)
                        .ok_or(ConstantError::Overflow(span))?,
                ),
            };
            Constant::Int(result.ok_or(ConstantError::NoValue(span))?)
        }
    })
}

pub(super) fn int(expr: &Expr, env: &Environment<'_>) -> Outcome<i64> {
    evaluate(expr, env)?
        .as_int()
        .ok_or(ConstantError::NotConstant(expr.span))
}

fn truth(expr: &Expr, env: &Environment<'_>) -> Outcome<bool> {
    match evaluate(expr, env)? {
        Constant::Bool(b) => Ok(b),
        _ => Err(ConstantError::NotConstant(expr.span)),
    }
}

/// Moves a `NotConstant` error from inside an abbreviation or function to the span of the use. Other errors keep
/// their span.
fn relocate(error: ConstantError, span: Span) -> ConstantError {
    match error {
        ConstantError::NotConstant(_) => ConstantError::NotConstant(span),
        other => other,
    }
}
