//! Finds the least value for which a claim holds, by trying the values in order.

use crate::build::instances;
use crate::claims::answers::{Answer, judge};
use crate::instance::scope::Scope;
use crate::instance::setup::Setup;
use crate::instance::state::State;
use crate::instance::value::{Res, Stop, Value, refuse};
use crate::instance::walk;
use syntax::ast::{self, Expr, ExprKind, Item, Type};

/// The least value of a parameter, of the claim or of the model, for which the claim holds and its premise is
/// reachable; `None` if there is no such value in its type.
pub fn least(
    file: &ast::File,
    setup: &Setup,
    name: &str,
    claim: &Expr,
) -> Result<Option<i128>, String> {
    tried(file, setup, name, claim).map_err(Stop::text)
}

fn tried(file: &ast::File, setup: &Setup, name: &str, claim: &Expr) -> Res<Option<i128>> {
    let (ty, of_model) = searched(file, name, claim)?;
    let instances = instances::instances(file, setup)?;
    let Some(instance) = instances.first() else {
        return refuse("no instance");
    };
    let mut values = Vec::new();
    for value in instance.domain(ty, &State::empty(), &mut Scope::default())? {
        values.push(value.int()?);
    }
    drop(instances);
    for value in values {
        let mut setup = setup.clone();
        if of_model {
            setup.params.retain(|(param, _)| param != name);
            setup.params.push((name.to_owned(), value));
        } else {
            setup.arguments.push((name.to_owned(), Value::Int(value)));
        }
        match judge(file, &setup, claim)? {
            (Answer::Holds, true) => return Ok(Some(value)),
            (Answer::Error, _) => return refuse(format!("an error with {name} = {value}")),
            _ => {}
        }
    }
    Ok(None)
}

/// The type of the parameter, and whether it belongs to the model (true) or to the claim (false).
fn searched<'a>(file: &'a ast::File, name: &str, claim: &Expr) -> Res<(&'a Type, bool)> {
    if let ExprKind::Call(called, given) = &walk::bare(claim).kind {
        let is_it = |e: &Expr| matches!(&walk::bare(e).kind, ExprKind::Name(n) if n.text == name);
        let place = given.iter().position(is_it);
        let claim = file.items.iter().find_map(|item| match item {
            Item::Claim(claim) if claim.name.text == called.text => Some(claim),
            _ => None,
        });
        if let (Some(place), Some(claim)) = (place, claim)
            && let Some(parameter) = claim.parameters.get(place)
        {
            return Ok((&parameter.ty, false));
        }
    }
    let param = file.items.iter().find_map(|item| match item {
        Item::Param(param) if param.name.text == name => Some(param),
        _ => None,
    });
    match param.and_then(|param| param.ty.as_ref()) {
        Some(ty) => Ok((ty, true)),
        None => refuse(format!("there is no parameter `{name}` with a type")),
    }
}
