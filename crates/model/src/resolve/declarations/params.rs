//! Parameters: their domains and default values, in the order of the file.

use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Place, Scope};
use crate::{Constant, Domain, Environment, Model, Type, evaluate};
use source::{Diagnostic, codes};
use syntax::ast::Item;

impl Resolver<'_> {
    /// Resolves the parameters in the order of the file. The value of each may contain earlier ones.
    pub(crate) fn params(&mut self) {
        let file = self.trees.file;
        let trees = file.items.iter().filter_map(|item| match item {
            Item::Param(p) => Some(p),
            _ => None,
        });
        let mut values: Vec<Option<Constant>> = Vec::new();
        // The types of all parameters are resolved first, so that a parameter whose value contains a later one gets one
        // error, not two.
        for (index, tree) in trees.clone().enumerate() {
            let ty = match &tree.ty {
                Some(ty) => self.type_of(ty),
                None => Type::Int,
            };
            self.model.params[index].domain = match ty {
                Type::Int => Domain::Integer,
                Type::Bool => Domain::Bool,
                Type::Duration => Domain::Duration,
                Type::Enum(e) => Domain::Enum(e),
                Type::Error => Domain::Error,
                _ => {
                    let span = tree.ty.as_ref().map_or(tree.name.span, |t| t.span);
                    self.refuse(span, "parameters that are no number, time, `Bool` or enum");
                    Domain::Error
                }
            };
        }
        for (index, tree) in trees.enumerate() {
            if let (Some(ty), Domain::Integer) = (&tree.ty, &self.model.params[index].domain) {
                let domain = self.domain_of(ty);
                let misplaced = self.misplaced_counter(&domain, ty.span, "a parameter");
                self.model.params[index].domain = match misplaced {
                    true => Domain::Error,
                    false => domain,
                };
            }
            let domain = self.model.params[index].domain.clone();
            let holder = format!("`{}` is", tree.name.text);
            let mut scope = Scope::new(Place::Constant);
            let value = self.check(&tree.value, &mut scope, &domain.ty(), &holder);
            let value = self.require_constant(value);
            let known = evaluate(&value, &Environment::new(&self.model, &values)).ok();
            if known.is_none() && !value.ty.is_error() && domain != Domain::Error {
                self.report(
                    Diagnostic::error(
                        codes::NOT_CONSTANT,
                        value.span,
                        format!("the value of `{}` cannot be computed here", tree.name.text),
                    )
                    .note("a parameter may mention parameters above it, not those below"),
                );
            }
            if let Some(value) = &known {
                let outside = outside_range(&self.model, &domain, value, &values);
                if let Some((low, high)) = outside {
                    let text = format!(
                        "`{}` is a number in {low}..{high}; {} is outside",
                        tree.name.text,
                        value.text(&self.model)
                    );
                    self.error(codes::PARAM_OUT_OF_RANGE, tree.value.span, text);
                }
            }
            values.push(known);
            self.model.params[index].value = value;
        }
    }
}

/// The ends of the range if the value is outside of it. `None` if it is inside, or if the ends cannot be computed
/// from the known parameters.
fn outside_range(
    model: &Model,
    domain: &Domain,
    value: &Constant,
    params: &[Option<Constant>],
) -> Option<(i64, i64)> {
    let (Domain::Range(low, high), Constant::Int(found)) = (domain, value) else {
        return None;
    };
    let env = Environment::new(model, params);
    let low = evaluate(low, &env).ok()?.as_int()?;
    let high = evaluate(high, &env).ok()?.as_int()?;
    (!(low..=high).contains(found)).then_some((low, high))
}
