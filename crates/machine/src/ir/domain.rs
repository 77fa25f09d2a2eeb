//! The domain of a type: its values in their order, their number, and membership.

use crate::{Machine, Type, Value};
use std::collections::BTreeSet;

impl Machine {
    /// All values of a type, in their order.
    pub fn values(&self, ty: &Type) -> Vec<Value> {
        match ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Int(lo, hi) => (*lo..=*hi).map(Value::Int).collect(),
            // The verifier excludes enumerations of counters; the range only serves engines that need a bound.
            Type::Counter(class) => match self.counters[class.index()].window {
                Some((lo, hi)) => (lo..=hi).map(Value::Int).collect(),
                None => vec![],
            },
            Type::Id => (1..=self.ids).map(Value::Id).collect(),
            Type::Node => self.nodes().map(Value::Node).collect(),
            Type::Enum(e) => {
                let count = self.enums[e.index()].values.len() as u32;
                (0..count).map(|v| Value::Enum(*e, v)).collect()
            }
            Type::Record(r) => {
                let fields = self.records[r.index()].fields.iter();
                let choices: Vec<_> = fields.map(|(_, ty)| self.values(ty)).collect();
                product(&choices).map(|v| Value::Record(*r, v)).collect()
            }
            Type::OneOf(records) => {
                let each = records.iter().map(|r| self.values(&Type::Record(*r)));
                each.flatten().collect()
            }
            Type::Option(inner) => std::iter::once(Value::None)
                .chain(self.values(inner).into_iter().map(Value::some))
                .collect(),
            Type::Set(inner) => {
                let mut sets = vec![BTreeSet::new()];
                for value in self.values(inner) {
                    for i in 0..sets.len() {
                        let mut larger = sets[i].clone();
                        larger.insert(value.clone());
                        sets.push(larger);
                    }
                }
                sets.into_iter().map(Value::Set).collect()
            }
            Type::Array(index, inner) => {
                let choices = vec![self.values(inner); self.values(index).len()];
                product(&choices).map(Value::Array).collect()
            }
        }
    }

    /// The first value of a type, if it has any.
    pub fn first_value(&self, ty: &Type) -> Option<Value> {
        match ty {
            Type::Record(r) => {
                let fields = self.records[r.index()].fields.iter();
                let firsts = fields.map(|(_, ty)| self.first_value(ty));
                Some(Value::Record(*r, firsts.collect::<Option<_>>()?))
            }
            Type::Option(_) => Some(Value::None),
            Type::Set(_) => Some(Value::Set(BTreeSet::new())),
            Type::Array(index, inner) => {
                let places = self.values(index).len();
                match places {
                    0 => Some(Value::Array(Vec::new())),
                    _ => Some(Value::Array(vec![self.first_value(inner)?; places])),
                }
            }
            few => self.values(few).into_iter().next(),
        }
    }

    /// Number of values of a type; saturating.
    pub fn cardinality(&self, ty: &Type) -> u128 {
        match ty {
            Type::Bool => 2,
            Type::Int(lo, hi) => (i128::from(*hi) - i128::from(*lo) + 1).max(0) as u128,
            Type::Counter(class) => match self.counters[class.index()].window {
                Some((lo, hi)) => (i128::from(hi) - i128::from(lo) + 1).max(0) as u128,
                None => u128::MAX,
            },
            Type::Id => u128::from(self.ids),
            Type::Node => u128::from(self.node_count()),
            Type::Enum(e) => self.enums[e.index()].values.len() as u128,
            Type::Record(r) => self.records[r.index()]
                .fields
                .iter()
                .fold(1, |n: u128, (_, ty)| n.saturating_mul(self.cardinality(ty))),
            Type::OneOf(records) => {
                let each = records.iter().map(|r| self.cardinality(&Type::Record(*r)));
                each.fold(0, u128::saturating_add)
            }
            Type::Option(inner) => self.cardinality(inner).saturating_add(1),
            Type::Set(inner) => 2u128.saturating_pow(self.cardinality(inner).min(200) as u32),
            Type::Array(index, inner) => self
                .cardinality(inner)
                .saturating_pow(self.cardinality(index).min(200) as u32),
        }
    }

    /// Whether a value is of a type.
    pub fn is_of(&self, value: &Value, ty: &Type) -> bool {
        match (value, ty) {
            (Value::Bool(_), Type::Bool) | (Value::None, Type::Option(_)) => true,
            (Value::Int(i), Type::Int(lo, hi)) => lo <= i && i <= hi,
            (Value::Int(_), Type::Counter(_)) => true,
            (Value::Id(i), Type::Id) => 1 <= *i && *i <= self.ids,
            (Value::Node(n), Type::Node) => n.0 < self.node_count(),
            (Value::Enum(e, v), Type::Enum(f)) => {
                e == f && v.lt(&(self.enums[e.index()].values.len() as u32))
            }
            (Value::Record(r, values), Type::Record(s)) => {
                let fields = &self.records[s.index()].fields;
                r == s
                    && values.len() == fields.len()
                    && values
                        .iter()
                        .zip(fields)
                        .all(|(v, (_, ty))| self.is_of(v, ty))
            }
            (Value::Record(r, _), Type::OneOf(records)) => {
                records.contains(r) && self.is_of(value, &Type::Record(*r))
            }
            (Value::Some(v), Type::Option(inner)) => self.is_of(v, inner),
            (Value::Set(values), Type::Set(inner)) => values.iter().all(|v| self.is_of(v, inner)),
            (Value::Array(values), Type::Array(index, inner)) => {
                values.len() as u128 == self.cardinality(index)
                    && values.iter().all(|v| self.is_of(v, inner))
            }
            _ => false,
        }
    }

    /// The index of a value in the order of an index type.
    pub(crate) fn index_of(&self, value: &Value, index: &Type) -> Option<usize> {
        self.values(index).iter().position(|v| v == value)
    }
}

/// Whether values of a type contain counters.
pub fn holds_counters(machine: &Machine, ty: &Type) -> bool {
    match ty {
        Type::Counter(_) => true,
        Type::Record(r) => {
            let mut fields = machine.records[r.index()].fields.iter();
            fields.any(|(_, ty)| holds_counters(machine, ty))
        }
        Type::OneOf(records) => {
            let mut types = records.iter().map(|r| Type::Record(*r));
            types.any(|ty| holds_counters(machine, &ty))
        }
        Type::Option(inner) | Type::Set(inner) => holds_counters(machine, inner),
        Type::Array(index, inner) => {
            holds_counters(machine, index) || holds_counters(machine, inner)
        }
        Type::Bool | Type::Int(..) | Type::Id | Type::Node | Type::Enum(_) => false,
    }
}

/// The Cartesian product of the lists; the last list varies fastest.
pub(crate) fn product<T: Clone>(lists: &[Vec<T>]) -> impl Iterator<Item = Vec<T>> {
    let some = lists.iter().all(|list| !list.is_empty());
    let mut next = some.then(|| vec![0; lists.len()]);
    std::iter::from_fn(move || {
        let places = next.as_mut()?;
        let row = lists
            .iter()
            .zip(&*places)
            .map(|(list, at)| list[*at].clone());
        let row = row.collect();
        match (0..lists.len()).rfind(|l| places[*l] + 1 < lists[*l].len()) {
            Some(list) => {
                places[list] += 1;
                places[list + 1..].fill(0);
            }
            None => next = None,
        }
        Some(row)
    })
}
