//! Values of a Machine over bits: their representation, constants, and decoding from an assignment.

use crate::Unsupported;
use crate::values::number::Number;
use machine::{EnumId, Machine, NodeId, RecordId, Type, Value};
use sat::Lit;
use std::collections::BTreeSet;

/// A value that depends on the inputs of a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bits {
    /// A Boolean.
    Bool(Lit),
    /// An integer, id, node or enum name.
    Number(Sort, Number),
    /// A message or struct: exactly one alternative has a true literal, and its type and fields are the value.
    Record(Vec<Alternative>),
    /// An optional value: the literal that is true if it is present, and the value. If it is absent, the value is
    /// unspecified.
    Option(Lit, Box<Bits>),
    /// A set.
    Set(Set),
    /// One value per index, in the order of the index type.
    Array(Vec<Bits>),
}

/// The kind of values that a number encodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// An integer.
    Int,
    /// A rank in the order of ids, counted from 1.
    Id,
    /// A node index, counted from 0.
    Node,
    /// A value of an enum, by its position in the declaration.
    Enum(EnumId),
}

/// One of the record types that a value can have, with the fields for this case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Whether the value has this type.
    pub when: Lit,
    /// The record type.
    pub record: RecordId,
    /// The fields of the value if it has this type.
    pub fields: Vec<Bits>,
}

/// A set over bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Set {
    /// All candidate elements as constants, sorted, each with its membership literal.
    Table(Vec<Entry>),
    /// Candidate elements with their membership literals, in any order and possibly with duplicates.
    List(Vec<Member>),
}

/// A constant that may be an element of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value.
    pub value: Value,
    /// The same value as constant bits.
    pub bits: Bits,
    /// Whether it is in the set.
    pub present: Lit,
}

/// A value that may be an element of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Whether it is in the set.
    pub present: Lit,
    /// The value.
    pub value: Bits,
}

/// The largest number of values that are enumerated for a type.
pub(crate) const MOST_VALUES: u128 = 4096;

/// All values of a type, in order; refused if there are more than [`MOST_VALUES`].
pub(crate) fn few_values(machine: &Machine, ty: &Type) -> Result<Vec<Value>, Unsupported> {
    match machine.cardinality(ty) {
        0..=MOST_VALUES => Ok(machine.values(ty)),
        _ => Err(Unsupported::new(
            "a set or array over a type of many values",
        )),
    }
}

impl Bits {
    /// The literal of a Boolean. Panics for other values, which the verifier of the Machine excludes.
    pub fn lit(&self) -> Lit {
        match self {
            Bits::Bool(lit) => *lit,
            other => unreachable!("verified to be a truth value: {other:?}"),
        }
    }

    /// The number. Panics for values that are no numbers, which the verifier of the Machine excludes.
    pub fn number(&self) -> &Number {
        match self {
            Bits::Number(_, number) => number,
            other => unreachable!("verified to be a number: {other:?}"),
        }
    }

    /// The set. Panics for values that are no sets, which the verifier of the Machine excludes.
    pub fn set(&self) -> &Set {
        match self {
            Bits::Set(set) => set,
            other => unreachable!("verified to be a set: {other:?}"),
        }
    }

    /// A constant Boolean.
    pub fn bool(value: bool) -> Bits {
        Bits::Bool(Lit::constant(value))
    }

    /// A constant integer.
    pub fn int(value: i64) -> Bits {
        Bits::Number(Sort::Int, Number::constant(i128::from(value)))
    }

    /// A constant node.
    pub fn node(node: NodeId) -> Bits {
        Bits::Number(Sort::Node, Number::constant(i128::from(node.0)))
    }

    /// A record whose type is constant.
    pub fn record(record: RecordId, fields: Vec<Bits>) -> Bits {
        Bits::Record(vec![Alternative {
            when: Lit::TRUE,
            record,
            fields,
        }])
    }

    /// The value in an assignment of the inputs.
    pub fn decode(&self, model: &dyn Fn(Lit) -> bool) -> Value {
        let all = |parts: &[Bits]| parts.iter().map(|part| part.decode(model)).collect();
        match self {
            Bits::Bool(lit) => Value::Bool(model(*lit)),
            Bits::Number(sort, number) => sort.value(number.decode(model)),
            Bits::Record(alternatives) => {
                let found = alternatives.iter().find(|a| model(a.when));
                // If no alternative is true, the value is unspecified.
                match found.or(alternatives.first()) {
                    Some(a) => Value::Record(a.record, all(&a.fields)),
                    None => Value::None,
                }
            }
            Bits::Option(present, value) if model(*present) => Value::some(value.decode(model)),
            Bits::Option(..) => Value::None,
            Bits::Set(Set::Table(entries)) => {
                let elements = entries.iter().filter(|entry| model(entry.present));
                Value::Set(elements.map(|entry| entry.value.clone()).collect())
            }
            Bits::Set(Set::List(members)) => {
                let elements = members.iter().filter(|member| model(member.present));
                let elements: BTreeSet<Value> =
                    elements.map(|member| member.value.decode(model)).collect();
                Value::Set(elements)
            }
            Bits::Array(values) => Value::Array(all(values)),
        }
    }

    /// The value if it is constant; otherwise `None`.
    pub fn known(&self) -> Option<Value> {
        let known = self.literals().iter().all(|lit| lit.known().is_some());
        known.then(|| self.decode(&|lit| lit == Lit::TRUE))
    }

    /// All literals of the value, in a fixed order.
    pub fn literals(&self) -> Vec<Lit> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect(&self, found: &mut Vec<Lit>) {
        match self {
            Bits::Bool(lit) => found.push(*lit),
            Bits::Number(_, number) => found.extend(number.digits()),
            Bits::Record(alternatives) => {
                for alternative in alternatives {
                    found.push(alternative.when);
                    alternative.fields.iter().for_each(|f| f.collect(found));
                }
            }
            Bits::Option(present, value) => {
                found.push(*present);
                // The value of an absent option is never read.
                if *present != Lit::FALSE {
                    value.collect(found);
                }
            }
            Bits::Set(Set::Table(entries)) => found.extend(entries.iter().map(|e| e.present)),
            Bits::Set(Set::List(members)) => {
                for member in members {
                    found.push(member.present);
                    member.value.collect(found);
                }
            }
            Bits::Array(values) => values.iter().for_each(|value| value.collect(found)),
        }
    }
}

impl Sort {
    /// The value that a number represents.
    fn value(self, number: i128) -> Value {
        let place = u32::try_from(number).unwrap_or(0);
        match self {
            Sort::Int => Value::Int(i64::try_from(number).unwrap_or(i64::MAX)),
            Sort::Id => Value::Id(place),
            Sort::Node => Value::Node(NodeId(place)),
            Sort::Enum(e) => Value::Enum(e, place),
        }
    }

    /// How numbers encode a type: their kind, the least and the greatest number. `None` for types that are not encoded
    /// as numbers, and for counters, which have no bounds.
    pub(crate) fn of(machine: &Machine, ty: &Type) -> Option<(Sort, i128, i128)> {
        Some(match ty {
            Type::Int(lo, hi) => (Sort::Int, i128::from(*lo), i128::from(*hi)),
            Type::Id => (Sort::Id, 1, i128::from(machine.ids)),
            Type::Node => (Sort::Node, 0, i128::from(machine.node_count()) - 1),
            Type::Enum(e) => {
                let count = machine.enums[e.index()].values.len() as i128;
                (Sort::Enum(*e), 0, count - 1)
            }
            _ => return None,
        })
    }
}

/// A constant value of a type, as bits.
pub fn constant(machine: &Machine, value: &Value, ty: &Type) -> Bits {
    let number = |sort, number: i128| Bits::Number(sort, Number::constant(number));
    match (value, ty) {
        (Value::Bool(b), _) => Bits::bool(*b),
        (Value::Int(i), _) => Bits::int(*i),
        (Value::Id(i), _) => number(Sort::Id, i128::from(*i)),
        (Value::Node(n), _) => Bits::node(*n),
        (Value::Enum(e, v), _) => number(Sort::Enum(*e), i128::from(*v)),
        (Value::Record(r, values), _) => {
            let fields = values.iter().zip(&machine.records[r.index()].fields);
            let fields = fields.map(|(value, (_, ty))| constant(machine, value, ty));
            Bits::record(*r, fields.collect())
        }
        (Value::None, Type::Option(inner)) => {
            Bits::Option(Lit::FALSE, Box::new(blank(machine, inner)))
        }
        (Value::Some(value), Type::Option(inner)) => {
            Bits::Option(Lit::TRUE, Box::new(constant(machine, value, inner)))
        }
        (Value::Set(values), Type::Set(inner)) => {
            let entries = values.iter().map(|value| Entry {
                value: value.clone(),
                bits: constant(machine, value, inner),
                present: Lit::TRUE,
            });
            Bits::Set(Set::Table(entries.collect()))
        }
        (Value::Array(values), Type::Array(_, inner)) => {
            let values = values.iter().map(|value| constant(machine, value, inner));
            Bits::Array(values.collect())
        }
        (value, ty) => unreachable!("verified to be a {ty:?}: {value:?}"),
    }
}

/// Some constant of a type, for values that are unspecified.
pub fn blank(machine: &Machine, ty: &Type) -> Bits {
    match ty {
        Type::Bool => Bits::bool(false),
        Type::Counter(_) => Bits::int(0),
        Type::Int(..) | Type::Id | Type::Node | Type::Enum(_) => match Sort::of(machine, ty) {
            Some((sort, lo, _)) => Bits::Number(sort, Number::constant(lo)),
            None => Bits::int(0),
        },
        Type::Record(r) => {
            let fields = machine.records[r.index()].fields.iter();
            Bits::record(*r, fields.map(|(_, ty)| blank(machine, ty)).collect())
        }
        Type::OneOf(records) => match records.first() {
            Some(first) => blank(machine, &Type::Record(*first)),
            None => Bits::Record(Vec::new()),
        },
        Type::Option(inner) => Bits::Option(Lit::FALSE, Box::new(blank(machine, inner))),
        Type::Set(_) => Bits::Set(Set::Table(Vec::new())),
        Type::Array(index, inner) => {
            let places = machine.cardinality(index).min(MOST_VALUES) as usize;
            Bits::Array(vec![blank(machine, inner); places])
        }
    }
}
