//! A check as the second enumerator is told of it: from the syntax tree alone, but for the values of parameters.

use crate::counts::MANY;
use enumerator::{Setup, Value};
use lower::Request;
use std::rc::Rc;
use syntax::ast::{self, Answer, ExprKind, ForClause, Item, Question, TemporalOp, UnaryOp};

/// The checks of a file, in the order of the text.
pub fn checks(file: &ast::File) -> Vec<&ast::Check> {
    let items = file.items.iter();
    items
        .filter_map(|item| match item {
            Item::Check(check) => Some(check),
            _ => None,
        })
        .collect()
}

/// Whether a check says what it expects.
pub fn expects(check: &ast::Check) -> bool {
    let answers: &[Answer] = &check.expect;
    !answers.is_empty()
}

/// The instances of a check for one choice of parameters.
pub fn setup(file: &ast::File, check: &ast::Check, request: &Request) -> Result<Setup, String> {
    let mut setup = Setup {
        world: check.world.as_ref().map(|w| w.text.clone()),
        variants: check.variants.iter().map(|v| v.text.clone()).collect(),
        assuming: check.assuming.clone(),
        limit: MANY,
        ..Setup::default()
    };
    for (name, value) in &request.set {
        let value = value
            .parse()
            .map_err(|_| format!("the parameter `{name}` is no number"))?;
        setup.params.push((name.clone(), value));
    }
    for clause in &check.ranges {
        let ForClause::List(name, values, _) = clause else {
            continue;
        };
        let values: Option<Vec<Value>> = values.iter().map(|v| literal(file, v)).collect();
        let values = values.ok_or_else(|| format!("`{} = [ … ]` is not literal", name.text))?;
        if name.text == "ids" {
            let ids = values.iter().map(|value| match value {
                Value::Int(id) => Ok(*id),
                _ => Err("an id that is no number".to_string()),
            });
            setup.ids = Some(ids.collect::<Result<_, _>>()?);
        } else {
            setup.constants.push((name.text.clone(), values));
        }
    }
    Ok(setup)
}

/// What the second enumerator can be asked of a check.
pub enum Asked {
    /// A condition that must hold in every state.
    Invariant(ast::Expr),
    /// A condition that must hold in some state.
    Reachable(ast::Expr),
    /// Something else.
    Other,
}

/// What a check asks, in order.
pub fn asked(file: &ast::File, check: &ast::Check) -> Vec<Asked> {
    match &check.question {
        Question::Claims(claims) => claims.iter().map(|claim| invariant(file, claim)).collect(),
        Question::Possible(condition) => vec![Asked::Reachable(condition.clone())],
        Question::Least { .. } => Vec::new(),
    }
}

fn invariant(file: &ast::File, used: &ast::Expr) -> Asked {
    let ExprKind::Name(name) = &used.kind else {
        return Asked::Other;
    };
    let claim = file.items.iter().find_map(|item| match item {
        Item::Claim(claim) if claim.name.text == name.text => Some(claim),
        _ => None,
    });
    let mut formula = claim.map(|claim| &claim.formula);
    while let Some(ast::Expr {
        kind: ExprKind::Paren(inner),
        ..
    }) = formula
    {
        formula = Some(&**inner);
    }
    match formula.map(|f| &f.kind) {
        Some(ExprKind::Temporal(TemporalOp::Always, body)) => Asked::Invariant((**body).clone()),
        _ => Asked::Other,
    }
}

fn literal(file: &ast::File, e: &ast::Expr) -> Option<Value> {
    match &e.kind {
        ExprKind::Paren(inner) => literal(file, inner),
        ExprKind::Number {
            numerator,
            denominator: 1,
            unit: None,
        } => Some(Value::Int(*numerator)),
        ExprKind::Unary(UnaryOp::Neg, inner) => match literal(file, inner)? {
            Value::Int(i) => Some(Value::Int(-i)),
            _ => None,
        },
        ExprKind::Bool(b) => Some(Value::Bool(*b)),
        ExprKind::None => Some(Value::None),
        ExprKind::Name(name) => file.items.iter().find_map(|item| match item {
            Item::Enum(e) => {
                let place = e.values.iter().position(|v| v.text == name.text)?;
                Some(Value::Enum(Rc::from(e.name.text.as_str()), place))
            }
            _ => None,
        }),
        _ => None,
    }
}
