//! Values of a Machine over bits: their shapes, constants, and the way back from a model.

use crate::Unsupported;
use crate::values::number::Number;
use machine::{EnumId, Machine, NodeId, RecordId, Type, Value};
use sat::Lit;
use std::collections::BTreeSet;

/// A value that depends on the inputs of a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bits {
    /// A truth value.
    Bool(Lit),
    /// An integer, id, node or enum name.
    Number(Sort, Number),
    /// A message or struct: exactly one of these, the one whose literal is true.
    Record(Vec<Alternative>),
    /// Nothing, or a value. Where it is nothing the value means nothing.
    Option(Lit, Box<Bits>),
    /// A set.
    Set(Set),
    /// One value for each index, in the order of the index type.
    Array(Vec<Bits>),
}

/// What a number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// An integer.
    Int,
    /// A place in the order of ids, from 1.
    Id,
    /// A node, from 0.
    Node,
    /// A name of an enum, by its number.
    Enum(EnumId),
}

/// What a value of several record types is, if it is of one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Whether it is.
    pub when: Lit,
    /// Of which type.
    pub record: RecordId,
    /// The fields.
    pub fields: Vec<Bits>,
}

/// A set over bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Set {
    /// For each value that can be an element, in their order, whether it is.
    Table(Vec<Entry>),
    /// Values that are elements if their literal is true, in no order; some may be the same.
    List(Vec<Member>),
}

/// A known value that may be an element of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value.
    pub value: Value,
    /// The same over bits.
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

/// So many values of a type are told apart one by one.
pub(crate) const MOST_VALUES: u128 = 4096;

/// All values of a type, in order, if there are not too many.
pub(crate) fn few_values(machine: &Machine, ty: &Type) -> Result<Vec<Value>, Unsupported> {
    match machine.cardinality(ty) {
        0..=MOST_VALUES => Ok(machine.values(ty)),
        _ => Err(Unsupported::new(
            "a set or array over a type of many values",
        )),
    }
}

impl Bits {
    /// The truth value that verification says this is.
    pub fn lit(&self) -> Lit {
        match self {
            Bits::Bool(lit) => *lit,
            other => unreachable!("verified to be a truth value: {other:?}"),
        }
    }

    /// The number that verification says this is.
    pub fn number(&self) -> &Number {
        match self {
            Bits::Number(_, number) => number,
            other => unreachable!("verified to be a number: {other:?}"),
        }
    }

    /// The set that verification says this is.
    pub fn set(&self) -> &Set {
        match self {
            Bits::Set(set) => set,
            other => unreachable!("verified to be a set: {other:?}"),
        }
    }

    /// A constant truth value.
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

    /// A record of one known type.
    pub fn record(record: RecordId, fields: Vec<Bits>) -> Bits {
        Bits::Record(vec![Alternative {
            when: Lit::TRUE,
            record,
            fields,
        }])
    }

    /// Its value in a model.
    pub fn decode(&self, model: &dyn Fn(Lit) -> bool) -> Value {
        let all = |parts: &[Bits]| parts.iter().map(|part| part.decode(model)).collect();
        match self {
            Bits::Bool(lit) => Value::Bool(model(*lit)),
            Bits::Number(sort, number) => sort.value(number.decode(model)),
            Bits::Record(alternatives) => {
                let found = alternatives.iter().find(|a| model(a.when));
                // Of a value that means nothing any will do.
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

    /// Its value, if that is known.
    pub fn known(&self) -> Option<Value> {
        let known = self.literals().iter().all(|lit| lit.known().is_some());
        known.then(|| self.decode(&|lit| lit == Lit::TRUE))
    }

    /// All literals of which it is made, in a fixed order.
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
                // Nobody asks for the value of nothing.
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
    /// The value for a number.
    fn value(self, number: i128) -> Value {
        let place = u32::try_from(number).unwrap_or(0);
        match self {
            Sort::Int => Value::Int(i64::try_from(number).unwrap_or(i64::MAX)),
            Sort::Id => Value::Id(place),
            Sort::Node => Value::Node(NodeId(place)),
            Sort::Enum(e) => Value::Enum(e, place),
        }
    }

    /// What numbers of a type stand for, and their bounds; none if they are no numbers. Counters have no bounds: none.
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

/// A known value of a type.
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

/// A value with the shape of a type, where it does not matter which.
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
