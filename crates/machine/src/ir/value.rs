//! Values of variables, fields and expressions, with a total order.

use crate::{EnumId, NodeId, RecordId};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A value. The order compares the variant first, then the contents. Sets are compared by their elements in descending
/// order: the set that contains the greatest element of the symmetric difference is the greater one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A position in the order of ids, from 1.
    Id(u32),
    /// A node.
    Node(NodeId),
    /// A value of an enum, by its index.
    Enum(EnumId, u32),
    /// A message or struct with its fields.
    Record(RecordId, Vec<Value>),
    /// The absent optional value.
    None,
    /// A present optional value.
    Some(Box<Value>),
    /// A set.
    Set(BTreeSet<Value>),
    /// One element for each value of the index type, in the order of that type.
    Array(Vec<Value>),
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Id(a), Value::Id(b)) => a.cmp(b),
            (Value::Node(a), Value::Node(b)) => a.cmp(b),
            (Value::Enum(a, x), Value::Enum(b, y)) => a.cmp(b).then_with(|| x.cmp(y)),
            (Value::Record(a, x), Value::Record(b, y)) => a.cmp(b).then_with(|| x.cmp(y)),
            (Value::Some(a), Value::Some(b)) => a.cmp(b),
            (Value::Set(a), Value::Set(b)) => a.iter().rev().cmp(b.iter().rev()),
            (Value::Array(a), Value::Array(b)) => a.cmp(b),
            (a, b) => a.variant().cmp(&b.variant()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Value {
    /// The rank of the variant in the order of values.
    fn variant(&self) -> u8 {
        match self {
            Value::Bool(_) => 0,
            Value::Int(_) => 1,
            Value::Id(_) => 2,
            Value::Node(_) => 3,
            Value::Enum(..) => 4,
            Value::Record(..) => 5,
            Value::None => 6,
            Value::Some(_) => 7,
            Value::Set(_) => 8,
            Value::Array(_) => 9,
        }
    }

    /// A present optional value.
    pub fn some(value: Value) -> Value {
        Value::Some(Box::new(value))
    }

    /// The truth value. Panics on other variants, which the verifier excludes.
    pub fn as_bool(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            other => unreachable!("verified to be a truth value: {other:?}"),
        }
    }

    /// The integer. Panics on other variants, which the verifier excludes.
    pub fn as_int(&self) -> i64 {
        match self {
            Value::Int(i) => *i,
            other => unreachable!("verified to be an integer: {other:?}"),
        }
    }

    /// The node. Panics on other variants, which the verifier excludes.
    pub fn as_node(&self) -> NodeId {
        match self {
            Value::Node(n) => *n,
            other => unreachable!("verified to be a node: {other:?}"),
        }
    }

    /// The elements of a set. Panics on other variants, which the verifier excludes.
    pub fn as_set(&self) -> &BTreeSet<Value> {
        match self {
            Value::Set(s) => s,
            other => unreachable!("verified to be a set: {other:?}"),
        }
    }

    /// The record type of a message or struct. Panics on other variants, which the verifier excludes.
    pub fn record(&self) -> RecordId {
        match self {
            Value::Record(r, _) => *r,
            other => unreachable!("verified to be a record: {other:?}"),
        }
    }
}
