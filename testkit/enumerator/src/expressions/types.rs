//! Types: enumeration of their values, and conversion of values.

use crate::instance::data::Instance;
use crate::instance::scope::Scope;
use crate::instance::state::State;
use crate::instance::value::{Res, Value, error, refuse};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use syntax::ast::{Type, TypeKind};

/// The maximum number of values of a type that are enumerated.
const MANY: usize = 1 << 20;

impl Instance<'_> {
    fn bounds(&self, ty: &Type, state: &State, scope: &mut Scope) -> Res<Option<(i128, i128)>> {
        let TypeKind::Range(low, high) = &ty.kind else {
            return Ok(None);
        };
        let low = self.eval(low, state, scope)?.int()?;
        let high = self.eval(high, state, scope)?.int()?;
        Ok(Some((low, high)))
    }

    /// Every value of a type, in order.
    pub fn domain(&self, ty: &Type, state: &State, scope: &mut Scope) -> Res<Vec<Value>> {
        if let Some((low, high)) = self.bounds(ty, state, scope)? {
            if high - low >= MANY as i128 {
                return refuse("a range with too many values");
            }
            return Ok((low..=high).map(Value::Int).collect());
        }
        match &ty.kind {
            TypeKind::Name(name) => self.named_domain(&name.text, state, scope),
            TypeKind::Option(inner) => {
                let mut all = vec![Value::None];
                all.extend(self.domain(inner, state, scope)?);
                all.dedup();
                Ok(all)
            }
            TypeKind::Set(inner) => {
                let mut all = vec![BTreeSet::new()];
                for element in self.domain(inner, state, scope)? {
                    if all.len() >= MANY {
                        return refuse("a set type with too many values");
                    }
                    for i in 0..all.len() {
                        let mut more = all[i].clone();
                        more.insert(element.clone());
                        all.push(more);
                    }
                }
                Ok(all.into_iter().map(Value::Set).collect())
            }
            TypeKind::Array(inner, index) => {
                let keys = self.domain(index, state, scope)?;
                let values = self.domain(inner, state, scope)?;
                let all = product(vec![values; keys.len()])?;
                let pair = |vs: Vec<Value>| keys.iter().cloned().zip(vs).collect();
                Ok(all.into_iter().map(|vs| Value::Array(pair(vs))).collect())
            }
            TypeKind::Range(..) => refuse("a range"),
            TypeKind::Error => refuse("a type that could not be read"),
        }
    }

    pub fn named_domain(&self, name: &str, state: &State, scope: &mut Scope) -> Res<Vec<Value>> {
        match name {
            "Bool" => return Ok(vec![Value::Bool(false), Value::Bool(true)]),
            "Id" => {
                let ids = (self.size() + self.strangers) as i128;
                return Ok((1..=ids).map(Value::Id).collect());
            }
            "Node" => return Ok((0..self.size()).map(Value::Node).collect()),
            "Counter" => return refuse("every value of type `Counter`"),
            _ => {}
        }
        if let Some(e) = self.enums.iter().find(|e| e.name.text == name) {
            let of: Rc<str> = name.into();
            return Ok((0..e.values.len())
                .map(|i| Value::Enum(of.clone(), i))
                .collect());
        }
        if let Some(record) = self.record(name) {
            let mut parts = Vec::new();
            for field in &record.fields {
                parts.push(self.domain(&field.ty, state, scope)?);
            }
            let of: Rc<str> = name.into();
            let all = product(parts)?;
            return Ok(all
                .into_iter()
                .map(|v| Value::Record(of.clone(), v))
                .collect());
        }
        refuse(format!("type `{name}`"))
    }

    /// Converts a value to a type. A value out of range is a run-time error.
    pub fn conform(&self, value: Value, ty: &Type, state: &State, scope: &mut Scope) -> Res<Value> {
        if let Some((low, high)) = self.bounds(ty, state, scope)? {
            let int = value.int()?;
            if int < low || int > high {
                return error(format!("{int} is out of range {low} .. {high}"));
            }
            return Ok(value);
        }
        match &ty.kind {
            TypeKind::Name(name) => self.conform_named(value, &name.text),
            TypeKind::Option(inner) => match value {
                Value::None => Ok(Value::None),
                value => self.conform(value, inner, state, scope),
            },
            TypeKind::Set(inner) => {
                let mut set = BTreeSet::new();
                for element in value.set()? {
                    set.insert(self.conform(element, inner, state, scope)?);
                }
                Ok(Value::Set(set))
            }
            TypeKind::Array(inner, index) => {
                let keys = self.domain(index, state, scope)?;
                let mut array = BTreeMap::new();
                match value {
                    Value::Array(given) if given.keys().eq(keys.iter()) => {
                        for (key, value) in given {
                            array.insert(key, self.conform(value, inner, state, scope)?);
                        }
                    }
                    // A single value that is assigned to an array becomes the value of all its elements.
                    value => {
                        let one = self.conform(value, inner, state, scope)?;
                        for key in keys {
                            array.insert(key, one.clone());
                        }
                    }
                }
                Ok(Value::Array(array))
            }
            TypeKind::Range(..) => refuse("a range"),
            TypeKind::Error => refuse("a type that could not be read"),
        }
    }

    fn conform_named(&self, value: Value, name: &str) -> Res<Value> {
        let fits = match (&value, name) {
            (Value::None, _) => return error(format!("none used as a value of type {name}")),
            (Value::Int(_), "Duration" | "Counter")
            | (Value::Bool(_), "Bool")
            | (Value::Id(_), "Id")
            | (Value::Node(_), "Node") => true,
            (Value::Lone(n), "Node") => return Ok(Value::Node(*n)),
            (Value::Enum(of, _) | Value::Record(of, _), name) => **of == *name,
            _ => false,
        };
        if fits {
            return Ok(value);
        }
        refuse(format!("{} where {name} is wanted", value.what()))
    }
}

/// The Cartesian product of lists of values; refused if it is too large.
pub(crate) fn product(parts: Vec<Vec<Value>>) -> Res<Vec<Vec<Value>>> {
    let mut all = vec![Vec::new()];
    for part in parts {
        if all.len().saturating_mul(part.len()) > MANY {
            return refuse("too many combinations of values");
        }
        let mut longer = Vec::new();
        for begun in &all {
            for value in &part {
                let mut next: Vec<Value> = begun.clone();
                next.push(value.clone());
                longer.push(next);
            }
        }
        all = longer;
    }
    Ok(all)
}
