//! The domain of a type: its values in their order, their number, and membership.

use crate::{Machine, NodeId, RecordId, Type, Value};
use std::collections::BTreeSet;

/// The largest number of elements of a set that an expression builds or enumerates: a range, or all values of a type.
/// The verifier and the lowering refuse larger sets, so that no set exceeds the memory.
pub const MOST_ELEMENTS: u128 = 10_000_000;

/// The largest size of a type: see [`Machine::width`]. The verifier and the lowering refuse larger types.
pub const MOST_PARTS: u128 = 1_000_000;

/// The largest number of nodes of a Machine, and of its ids.
pub const MOST_NODES: u32 = 100_000;

impl Machine {
    /// All values of a type, in ascending order. The caller must bound [`Machine::cardinality`] first;
    /// [`Machine::nth_value`] computes one value without the list.
    pub fn values(&self, ty: &Type) -> Vec<Value> {
        cancellation::poll();
        match ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Int(lo, hi) => (*lo..=*hi).map(Value::Int).collect(),
            // The verifier rejects code that enumerates a counter type. The window serves only engines that need a
            // bound.
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
                        cancellation::poll();
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

    /// The value with this index in [`Machine::values`], computed without the list; `None` if there is none, or if the
    /// index is `u128::MAX`.
    pub fn nth_value(&self, ty: &Type, number: u128) -> Option<Value> {
        if number >= self.cardinality(ty) {
            return None;
        }
        let small = u32::try_from(number).ok();
        Some(match ty {
            Type::Bool => Value::Bool(number == 1),
            Type::Int(lo, _) => Value::Int(i64::try_from(i128::from(*lo) + number as i128).ok()?),
            Type::Counter(class) => {
                let (lo, _) = self.counters[class.index()].window?;
                Value::Int(i64::try_from(i128::from(lo) + number as i128).ok()?)
            }
            Type::Id => Value::Id(small? + 1),
            Type::Node => Value::Node(NodeId(small?)),
            Type::Enum(e) => Value::Enum(*e, small?),
            Type::Record(r) => {
                let fields = self.records[r.index()].fields.iter().map(|(_, ty)| ty);
                Value::Record(*r, self.nth_tuple(fields, number)?)
            }
            Type::OneOf(records) => {
                let mut rest = number;
                let of = records.iter().map(|r| Type::Record(*r)).find(|ty| {
                    let own = self.cardinality(ty);
                    let found = rest < own;
                    rest -= if found { 0 } else { own };
                    found
                });
                self.nth_value(&of?, rest)?
            }
            Type::Option(_) if number == 0 => Value::None,
            Type::Option(inner) => Value::some(self.nth_value(inner, number - 1)?),
            Type::Set(inner) => {
                let places = (0..128 - number.leading_zeros()).filter(|bit| number >> bit & 1 == 1);
                let elements = places.map(|place| self.nth_value(inner, u128::from(place)));
                Value::Set(elements.collect::<Option<_>>()?)
            }
            Type::Array(index, inner) => {
                let places = usize::try_from(self.cardinality(index)).ok()?;
                Value::Array(self.nth_tuple(std::iter::repeat_n(&**inner, places), number)?)
            }
        })
    }

    /// The tuple of values with this number; the last type varies fastest. `None` if there is none.
    pub(crate) fn nth_tuple<'t>(
        &self,
        types: impl DoubleEndedIterator<Item = &'t Type>,
        number: u128,
    ) -> Option<Vec<Value>> {
        let mut rest = number;
        let mut parts = Vec::new();
        for ty in types.rev() {
            let own = self.cardinality(ty);
            if own == 0 {
                return None;
            }
            parts.push(self.nth_value(ty, rest % own)?);
            rest /= own;
        }
        parts.reverse();
        Some(parts)
    }

    /// The least value of a type; `None` if the type is empty.
    pub fn first_value(&self, ty: &Type) -> Option<Value> {
        match ty {
            Type::Record(r) => {
                let fields = self.records[r.index()].fields.iter();
                let firsts = fields.map(|(_, ty)| self.first_value(ty));
                Some(Value::Record(*r, firsts.collect::<Option<_>>()?))
            }
            Type::Option(_) => Some(Value::None),
            Type::Set(_) => Some(Value::Set(BTreeSet::new())),
            Type::Array(index, inner) => match self.cardinality(index) {
                0 => Some(Value::Array(Vec::new())),
                places => {
                    let first = self.first_value(inner)?;
                    Some(Value::Array(vec![first; places as usize]))
                }
            },
            Type::Int(lo, hi) => (lo <= hi).then_some(Value::Int(*lo)),
            Type::OneOf(records) => records
                .iter()
                .find_map(|record| self.first_value(&Type::Record(*record))),
            Type::Bool | Type::Counter(_) | Type::Id | Type::Node | Type::Enum(_) => {
                self.nth_value(ty, 0)
            }
        }
    }

    /// Number of values of a type; saturating, and `u128::MAX` for a counter without a window.
    pub fn cardinality(&self, ty: &Type) -> u128 {
        self.cardinality_with(ty, &mut vec![None; self.records.len()])
    }

    /// [`Machine::cardinality`]; `known` caches the cardinalities of record types.
    fn cardinality_with(&self, ty: &Type, known: &mut [Option<u128>]) -> u128 {
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
            Type::Record(r) => self.record_cardinality(*r, known),
            Type::OneOf(records) => {
                let each = records.iter().map(|r| self.record_cardinality(*r, known));
                each.fold(0, u128::saturating_add)
            }
            Type::Option(inner) => self.cardinality_with(inner, known).saturating_add(1),
            Type::Set(inner) => {
                2u128.saturating_pow(self.cardinality_with(inner, known).min(200) as u32)
            }
            Type::Array(index, inner) => {
                let places = self.cardinality_with(index, known).min(200) as u32;
                self.cardinality_with(inner, known).saturating_pow(places)
            }
        }
    }

    fn record_cardinality(&self, record: RecordId, known: &mut [Option<u128>]) -> u128 {
        if let Some(number) = known[record.index()] {
            return number;
        }
        let fields = self.records[record.index()].fields.iter();
        let number = fields.fold(1, |n: u128, (_, ty)| {
            n.saturating_mul(self.cardinality_with(ty, known))
        });
        known[record.index()] = Some(number);
        number
    }

    /// The size of a type: 1 plus the sizes of all fields of a record, of all types of a `OneOf`, of the content of an
    /// option, or of one element of a set. For an array, the sizes of all elements and of the index type. Saturating.
    pub fn width(&self, ty: &Type) -> u128 {
        self.width_with(ty, &mut vec![None; self.records.len()])
    }

    /// [`Machine::width`]; `known` caches the sizes of record types.
    fn width_with(&self, ty: &Type, known: &mut [Option<u128>]) -> u128 {
        match ty {
            Type::Record(r) => {
                if let Some(number) = known[r.index()] {
                    return number;
                }
                let fields = self.records[r.index()].fields.iter();
                let number = fields.fold(1, |n: u128, (_, ty)| {
                    n.saturating_add(self.width_with(ty, known))
                });
                known[r.index()] = Some(number);
                number
            }
            Type::OneOf(records) => {
                let each = records.iter();
                let each = each.map(|r| self.width_with(&Type::Record(*r), known));
                each.fold(1, u128::saturating_add)
            }
            Type::Option(inner) | Type::Set(inner) => {
                self.width_with(inner, known).saturating_add(1)
            }
            Type::Array(index, inner) => {
                let places = self.cardinality(index);
                let elements = self.width_with(inner, known).saturating_mul(places);
                elements.saturating_add(self.width_with(index, known))
            }
            _ => 1,
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

    /// The position of a value among the values of an index type; `None` if the value is not of that type.
    pub(crate) fn index_of(&self, value: &Value, index: &Type) -> Option<usize> {
        if !self.is_of(value, index) {
            return None;
        }
        match (value, index) {
            (Value::Bool(b), _) => Some(usize::from(*b)),
            (Value::Int(i), Type::Int(lo, _)) => usize::try_from(i.checked_sub(*lo)?).ok(),
            (Value::Id(i), _) => Some(*i as usize - 1),
            (Value::Node(n), _) => Some(n.index()),
            (Value::Enum(_, v), _) => Some(*v as usize),
            _ => self.values(index).iter().position(|v| v == value),
        }
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
        cancellation::poll();
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
