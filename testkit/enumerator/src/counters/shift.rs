//! Normalises counters: only differences within a class matter, so all counters of a class are shifted such that the
//! least one in a state is 0.

use crate::instance::data::Instance;
use crate::instance::state::State;
use crate::instance::value::{Res, Value, refuse};
use std::collections::BTreeSet;
use syntax::ast::{Type, TypeKind};

impl Instance<'_> {
    /// Shifts the counters of a state so that the least one of each class is 0.
    pub fn shift(&self, state: &mut State) -> Res<()> {
        if self.classes.is_empty() {
            return Ok(());
        }
        let mut least: Vec<Option<i128>> = vec![None; self.classes.bound()];
        let mut see = |class: usize, value: i128| {
            let least = &mut least[class];
            *least = Some(least.map_or(value, |old| old.min(value)));
            value
        };
        self.each_counter(state, &mut see)?;
        if least.iter().flatten().any(|least| *least != 0) {
            self.each_counter(state, &mut |class, value| value - least[class].unwrap_or(0))?;
        }
        Ok(())
    }

    /// Replaces every counter of a state by the result of a function of its class and value.
    fn each_counter(
        &self,
        state: &mut State,
        change: &mut impl FnMut(usize, i128) -> i128,
    ) -> Res<()> {
        for (place, node) in state.nodes.iter_mut().enumerate() {
            let kind = &self.kinds[self.kind_of[place]];
            for (var, declared) in kind.vars.iter().enumerate() {
                if self.has_counter(&declared.ty)
                    && let Some(new) = self.changed(&node.vars[var], &declared.ty, change)?
                {
                    node.set_var(var, new);
                }
            }
            let (outbox, inbox) = (&mut node.outbox, &mut node.inbox);
            for (_, message) in outbox.iter_mut().chain(inbox) {
                self.change_message(message, change)?;
            }
        }
        for (message, _) in state.channels.iter_mut().flatten() {
            self.change_message(message, change)?;
        }
        Ok(())
    }

    fn change_message(
        &self,
        message: &mut Value,
        change: &mut impl FnMut(usize, i128) -> i128,
    ) -> Res<()> {
        if let Some(new) = self.changed_record(message, change)? {
            *message = new;
        }
        Ok(())
    }

    /// A value with its counters replaced; `None` if no counter changes.
    fn changed(
        &self,
        value: &Value,
        ty: &Type,
        change: &mut impl FnMut(usize, i128) -> i128,
    ) -> Res<Option<Value>> {
        if matches!(value, Value::None | Value::Unset) {
            return Ok(None);
        }
        match (&ty.kind, value) {
            (TypeKind::Option(inner), value) => self.changed(value, inner, change),
            (TypeKind::Set(inner), Value::Set(set)) => {
                let (mut new, mut differs) = (BTreeSet::new(), false);
                for element in set {
                    let changed = self.changed(element, inner, change)?;
                    differs |= changed.is_some();
                    new.insert(changed.unwrap_or_else(|| element.clone()));
                }
                Ok(differs.then_some(Value::Set(new)))
            }
            (TypeKind::Array(inner, _), Value::Array(array)) => {
                let (mut new, mut differs) = (array.clone(), false);
                for part in new.values_mut() {
                    if let Some(changed) = self.changed(part, inner, change)? {
                        *part = changed;
                        differs = true;
                    }
                }
                Ok(differs.then_some(Value::Array(new)))
            }
            (TypeKind::Name(_), Value::Record(..)) => self.changed_record(value, change),
            (TypeKind::Name(name), Value::Int(old)) if name.text == "Counter" => {
                let Some(class) = self.classes.class(ty) else {
                    return refuse("a counter whose class is not known");
                };
                let new = change(class, *old);
                Ok((new != *old).then_some(Value::Int(new)))
            }
            _ => Ok(None),
        }
    }

    fn changed_record(
        &self,
        value: &Value,
        change: &mut impl FnMut(usize, i128) -> i128,
    ) -> Res<Option<Value>> {
        let Value::Record(name, fields) = value else {
            return Ok(None);
        };
        let Some(record) = self.record(name) else {
            return refuse(format!("there is no struct or message `{name}`"));
        };
        let mut new: Option<Vec<Value>> = None;
        for (place, field) in record.fields.iter().enumerate() {
            if let Some(changed) = self.changed(&fields[place], &field.ty, change)? {
                new.get_or_insert_with(|| fields.clone())[place] = changed;
            }
        }
        Ok(new.map(|fields| Value::Record(name.clone(), fields)))
    }

    /// Whether values of the type contain counters.
    pub fn has_counter(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Option(inner) | TypeKind::Set(inner) | TypeKind::Array(inner, _) => {
                self.has_counter(inner)
            }
            TypeKind::Name(name) if name.text == "Counter" => true,
            TypeKind::Name(name) => self
                .record(&name.text)
                .is_some_and(|record| record.fields.iter().any(|f| self.has_counter(&f.ty))),
            TypeKind::Range(..) | TypeKind::Error => false,
        }
    }
}
