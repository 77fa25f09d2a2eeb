//! Calls of functions and `match` in constant expressions.

use crate::constant::evaluate::{Constant, ConstantError, Environment, Outcome, evaluate, int};
use crate::{Case, Domain, Expr, FnId, Match, Pattern, RecordId};
use source::Span;

/// The environment of the body of function `id`: its parameters, bound to the values of the arguments.
pub(super) fn called<'a>(
    id: FnId,
    arguments: &[Expr],
    env: &Environment<'a>,
) -> Outcome<Environment<'a>> {
    let mut inside = Environment::new(env.model, env.params);
    for ((local, domain), argument) in env.model.function(id).parameters.iter().zip(arguments) {
        let value = within(evaluate(argument, env)?, domain, argument.span, env)?;
        inside = inside.with(*local, value);
    }
    Ok(inside)
}

/// The value itself if it is in the domain, otherwise `OutOfRange`. Only numbers, also in options, are compared with
/// ranges.
pub(super) fn within(
    value: Constant,
    domain: &Domain,
    span: Span,
    env: &Environment<'_>,
) -> Outcome<Constant> {
    match (&value, domain) {
        (Constant::Int(i), Domain::Range(low, high)) => {
            let ends = int(low, env)?..=int(high, env)?;
            if !ends.contains(i) {
                return Err(ConstantError::OutOfRange(span));
            }
        }
        (Constant::Option(Some(inner)), Domain::Option(domain)) => {
            within((**inner).clone(), domain, span, env)?;
        }
        _ => {}
    }
    Ok(value)
}

/// The result expression of the first arm that matches the subject, and the environment for that expression.
pub(super) fn arm<'m, 'a>(
    cases: &'m Match<Expr>,
    span: Span,
    env: &Environment<'a>,
) -> Outcome<(&'m Expr, Environment<'a>)> {
    let found = evaluate(&cases.subject, env)?;
    let inside = env.with(cases.found, found.clone());
    // A pattern is compared with the value inside an option.
    let value = match found {
        Constant::Option(inner) => inner.map(|inner| *inner),
        value => Some(value),
    };
    for arm in &cases.arms {
        match &arm.pattern {
            Pattern::Rest => return Ok((&arm.result, inside)),
            Pattern::Bind(local) => {
                if let Some(value) = value {
                    return Ok((&arm.result, inside.with(*local, value)));
                }
            }
            Pattern::OneOf(list) => {
                for case in list {
                    let fits = match (case, &value) {
                        (Case::None, value) => value.is_none(),
                        (Case::Value(e), Some(value)) => evaluate(e, env)? == *value,
                        (Case::Range(a, b), Some(Constant::Int(i))) => {
                            (int(a, env)?..=int(b, env)?).contains(i)
                        }
                        (Case::Message(m), Some(Constant::Record(record, _))) => {
                            *record == RecordId::Message(*m)
                        }
                        _ => false,
                    };
                    if fits {
                        return Ok((&arm.result, inside));
                    }
                }
            }
        }
    }
    Err(ConstantError::NoValue(span))
}
