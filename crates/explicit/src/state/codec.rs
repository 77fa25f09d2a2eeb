//! Values as numbers: every value of a finite type is encoded as one 64-bit integer.
//!
//! The *number* of a value is the one that compiled code computes with. An integer is itself, an id its position in the
//! order, a node or an enum value its index, a truth value 0 or 1. The *place* of a value is its number minus the least
//! number of its type, so places begin at 0. An option is 0, or one plus the place of its value. A record or array is
//! the mixed-radix number of the places of its components, the first component being the most significant. A set is a
//! bit mask of the places of its elements. In a type of several records, the values of the first record come first,
//! then those of the second, and so on. Numbers preserve the order of values.

use machine::{EnumId, Machine, NodeId, RecordId, Type, Value};

/// The largest number of values of a type; larger types are refused.
const MOST: u128 = 1 << 62;

/// The greatest number of possible elements of a set.
const LARGEST_MASK: u64 = 62;

/// Translates between values and numbers.
#[derive(Clone, Copy)]
pub(crate) struct Codec<'m> {
    pub(crate) machine: &'m Machine,
}

impl Codec<'_> {
    /// The number of values of a type; an error if there are more than 2^62, or if it is a set over more than 62
    /// values.
    pub(crate) fn places(&self, ty: &Type) -> Result<u64, String> {
        if let Type::Set(element) = ty
            && self.machine.cardinality(element) > u128::from(LARGEST_MASK)
        {
            return Err(format!("a set over more than {LARGEST_MASK} values"));
        }
        match self.machine.cardinality(ty) {
            many if many > MOST => Err("a value with more than 2^62 possibilities".into()),
            few => Ok(few as u64),
        }
    }

    /// The number of the value with place 0.
    pub(crate) fn first(&self, ty: &Type) -> i64 {
        match ty {
            Type::Int(lo, _) => *lo,
            Type::Counter(class) => {
                let window = self.machine.counters[class.index()].window;
                window.map_or(0, |(low, _)| low)
            }
            Type::Id => 1,
            _ => 0,
        }
    }

    /// The number of a value.
    pub(crate) fn encode(&self, ty: &Type, value: &Value) -> i64 {
        match (ty, value) {
            (_, Value::Bool(b)) => i64::from(*b),
            (_, Value::Int(i)) => *i,
            (_, Value::Id(i)) => i64::from(*i),
            (_, Value::Node(n)) => i64::from(n.0),
            (_, Value::Enum(_, v)) => i64::from(*v),
            (_, Value::None) => 0,
            (Type::Option(inner), Value::Some(v)) => 1 + self.place(inner, v),
            (Type::Record(r), Value::Record(_, values)) => {
                let fields = &self.machine.records[r.index()].fields;
                self.mixed(fields.iter().map(|(_, ty)| ty).zip(values))
            }
            (Type::OneOf(records), Value::Record(r, _)) => {
                self.offset(records, *r) + self.encode(&Type::Record(*r), value)
            }
            (Type::Array(_, inner), Value::Array(values)) => {
                self.mixed(values.iter().map(|v| (&**inner, v)))
            }
            (Type::Set(inner), Value::Set(values)) => values
                .iter()
                .fold(0, |mask, v| mask | 1 << self.place(inner, v)),
            (ty, value) => unreachable!("{value:?} is not of type {ty:?}"),
        }
    }

    /// The value with this number.
    pub(crate) fn decode(&self, ty: &Type, number: i64) -> Value {
        match ty {
            Type::Bool => Value::Bool(number != 0),
            Type::Int(..) | Type::Counter(_) => Value::Int(number),
            Type::Id => Value::Id(number as u32),
            Type::Node => Value::Node(NodeId(number as u32)),
            Type::Enum(EnumId(e)) => Value::Enum(EnumId(*e), number as u32),
            Type::Option(_) if number == 0 => Value::None,
            Type::Option(inner) => Value::some(self.at_place(inner, number - 1)),
            Type::Record(r) => {
                let fields = self.machine.records[r.index()].fields.iter();
                Value::Record(*r, self.parts(fields.map(|(_, ty)| ty), number))
            }
            Type::OneOf(records) => {
                let (r, number) = self.of_several(records, number);
                self.decode(&Type::Record(r), number)
            }
            Type::Array(index, inner) => {
                let types = (0..self.count(index)).map(|_| &**inner);
                Value::Array(self.parts(types, number))
            }
            Type::Set(inner) => Value::Set(
                (0..self.count(inner))
                    .filter(|place| number >> place & 1 == 1)
                    .map(|place| self.at_place(inner, place as i64))
                    .collect(),
            ),
        }
    }

    /// The weight of a field in the mixed-radix number of its record.
    pub(crate) fn weight(&self, record: RecordId, field: u32) -> Result<i64, String> {
        let behind = &self.machine.records[record.index()].fields[field as usize + 1..];
        behind
            .iter()
            .try_fold(1, |weight, (_, ty)| Ok(weight * self.places(ty)? as i64))
    }

    /// The number of the same value in another type; `None` if the other type does not contain the value.
    pub(crate) fn convert(&self, from: &Type, to: &Type, number: i64) -> Option<i64> {
        match (from, to) {
            (Type::Int(..), Type::Int(lo, hi)) => {
                (*lo <= number && number <= *hi).then_some(number)
            }
            _ if from == to => Some(number),
            (Type::Record(r), Type::OneOf(all)) => Some(self.offset(all, *r) + number),
            (Type::OneOf(all), Type::Record(wanted)) => {
                let (r, number) = self.of_several(all, number);
                (r == *wanted).then_some(number)
            }
            (Type::Option(_), Type::Option(_)) if number == 0 => Some(0),
            (Type::Option(a), Type::Option(b)) => {
                let inner = self.convert(a, b, number - 1 + self.first(a))?;
                Some(1 + inner - self.first(b))
            }
            (Type::Set(a), Type::Set(b)) => (0..self.count(a))
                .filter(|place| number >> place & 1 == 1)
                .try_fold(0, |mask, place| {
                    let element = self.convert(a, b, place as i64 + self.first(a))?;
                    Some(mask | 1 << (element - self.first(b)))
                }),
            (Type::Array(index, a), Type::Array(_, b)) => {
                let (size_a, size_b) = (self.count(a) as i64, self.count(b) as i64);
                let (mut rest, mut weight, mut result) = (number, 1, 0);
                for _ in 0..self.count(index) {
                    let element = self.convert(a, b, rest % size_a + self.first(a))?;
                    result += (element - self.first(b)) * weight;
                    rest /= size_a;
                    weight *= size_b;
                }
                Some(result)
            }
            _ => unreachable!("verified: {from:?} fits {to:?}"),
        }
    }

    /// The number of the first value of `record` in a type of several records.
    pub(crate) fn offset(&self, records: &[RecordId], record: RecordId) -> i64 {
        let before = records.iter().take_while(|r| **r != record);
        before.map(|r| self.count(&Type::Record(*r)) as i64).sum()
    }

    /// The record of a value in a type of several records, and its number in that record.
    fn of_several(&self, records: &[RecordId], number: i64) -> (RecordId, i64) {
        let mut rest = number;
        for record in records {
            let count = self.count(&Type::Record(*record)) as i64;
            if rest < count {
                return (*record, rest);
            }
            rest -= count;
        }
        unreachable!("{number} is no message of these types")
    }

    fn count(&self, ty: &Type) -> u64 {
        self.machine.cardinality(ty) as u64
    }

    fn place(&self, ty: &Type, value: &Value) -> i64 {
        self.encode(ty, value) - self.first(ty)
    }

    fn at_place(&self, ty: &Type, place: i64) -> Value {
        self.decode(ty, place + self.first(ty))
    }

    /// The values of the components of a mixed-radix number.
    fn parts<'t>(
        &self,
        types: impl DoubleEndedIterator<Item = &'t Type>,
        number: i64,
    ) -> Vec<Value> {
        let mut rest = number;
        let last_first = types.rev().map(|ty| {
            let size = self.count(ty) as i64;
            let value = self.at_place(ty, rest % size);
            rest /= size;
            value
        });
        let mut values: Vec<Value> = last_first.collect();
        values.reverse();
        values
    }

    fn mixed<'v>(&self, parts: impl Iterator<Item = (&'v Type, &'v Value)>) -> i64 {
        parts.fold(0, |number, (ty, value)| {
            number * self.count(ty) as i64 + self.place(ty, value)
        })
    }
}
