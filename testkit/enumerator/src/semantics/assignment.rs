//! Assignments to a variable or to a part of a variable.

use crate::instance::data::Instance;
use crate::instance::scope::Scope;
use crate::instance::state::State;
use crate::instance::value::{Res, Value, error, refuse};
use crate::semantics::exec::Run;
use syntax::ast::{Expr, ExprKind, Type, TypeKind};

impl Instance<'_> {
    /// Executes `place = value`.
    pub fn assign(&self, place: &Expr, value: Value, run: &mut Run) -> Res<()> {
        let (variable, path) = self.place(place, run)?;
        let declared = self.kind(run.node).vars[variable];
        let mut scope = Scope::of(run.node);
        let old = run.state.nodes[run.node].vars[variable].clone();
        if old == Value::Unset && declared.ghost {
            // The ghost variable is not stored, but the assigned value must still fit its type.
            let ty = self.part_type(&declared.ty, &path)?;
            self.conform(value, ty, &run.state, &mut scope)?;
            return Ok(());
        }
        let new = self.replaced(old, &declared.ty, &path, value, &run.state, &mut scope)?;
        run.state.nodes[run.node].set_var(variable, new);
        Ok(())
    }

    /// The variable that an assignment changes, and the path from it to the assigned part.
    fn place(&self, place: &Expr, run: &mut Run) -> Res<(usize, Vec<Part>)> {
        match &place.kind {
            ExprKind::Paren(inner) => self.place(inner, run),
            ExprKind::Name(name) => {
                let bound = run.scope.locals.iter().any(|(n, _)| *n == name.text);
                match self.kind(run.node).var(&name.text) {
                    Some(variable) if !bound => Ok((variable, Vec::new())),
                    _ => refuse(format!("an assignment to `{}`", name.text)),
                }
            }
            ExprKind::Field(base, name) => {
                let (variable, mut path) = self.place(base, run)?;
                path.push(Part::Field(name.text.clone()));
                Ok((variable, path))
            }
            ExprKind::Index(base, index) => {
                let (variable, mut path) = self.place(base, run)?;
                path.push(Part::Index(self.value(index, run)?.element()));
                Ok((variable, path))
            }
            _ => refuse("an assignment to something that is no place"),
        }
    }

    fn part_type<'t>(&'t self, ty: &'t Type, path: &[Part]) -> Res<&'t Type> {
        let Some((first, rest)) = path.split_first() else {
            return Ok(ty);
        };
        match (&ty.kind, first) {
            (TypeKind::Option(inner), _) => self.part_type(inner, path),
            (TypeKind::Array(inner, _), Part::Index(_)) => self.part_type(inner, rest),
            (TypeKind::Name(name), Part::Field(field)) => {
                let fields = self.record(&name.text).map(|r| &r.fields);
                let found = fields.and_then(|f| f.iter().find(|f| f.name.text == *field));
                match found {
                    Some(found) => self.part_type(&found.ty, rest),
                    None => refuse(format!("`{}` has no field `{field}`", name.text)),
                }
            }
            _ => refuse("an assignment to a part of something that has no parts"),
        }
    }

    /// The old value with the part at the end of the path replaced.
    fn replaced(
        &self,
        old: Value,
        ty: &Type,
        path: &[Part],
        value: Value,
        state: &State,
        scope: &mut Scope,
    ) -> Res<Value> {
        let Some((first, rest)) = path.split_first() else {
            return self.conform(value, ty, state, scope);
        };
        let inner = self.part_type(ty, &path[..1])?;
        match (old, first) {
            (Value::None, _) => error("an assignment to a part of none"),
            (Value::Array(mut array), Part::Index(index)) => {
                let Some(part) = array.get(index).cloned() else {
                    return error("an index outside of its array");
                };
                let new = self.replaced(part, inner, rest, value, state, scope)?;
                array.insert(index.clone(), new);
                Ok(Value::Array(array))
            }
            (Value::Record(name, mut fields), Part::Field(field)) => {
                let record = self.record(&name);
                let place =
                    record.and_then(|r| r.fields.iter().position(|f| f.name.text == *field));
                let Some(place) = place else {
                    return refuse(format!("`{name}` has no field `{field}`"));
                };
                let part = fields[place].clone();
                fields[place] = self.replaced(part, inner, rest, value, state, scope)?;
                Ok(Value::Record(name, fields))
            }
            _ => refuse("an assignment to a part of something that has no parts"),
        }
    }
}

/// A step from a value to one of its parts.
enum Part {
    Field(String),
    Index(Value),
}
