//! Values of the reference interpreter.

use crate::{EnumId, NodeId, RecordId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A place in the order of ids, from 1.
    Id(u32),
    /// A node.
    Node(NodeId),
    /// A name of an enum, by its number.
    Enum(EnumId, u32),
    /// A message or struct with its fields.
    Record(RecordId, Vec<Value>),
    /// No value, where one is optional.
    None,
    /// A value, where one is optional.
    Some(Box<Value>),
    /// A set.
    Set(BTreeSet<Value>),
    /// One value for each index, in the order of the index type.
    Array(Vec<Value>),
}

impl Value {
    /// An optional value that is there.
    pub fn some(value: Value) -> Value {
        Value::Some(Box::new(value))
    }

    /// The truth value that verification says this is.
    pub fn as_bool(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            other => unreachable!("verified to be a truth value: {other:?}"),
        }
    }

    /// The integer that verification says this is.
    pub fn as_int(&self) -> i64 {
        match self {
            Value::Int(i) => *i,
            other => unreachable!("verified to be an integer: {other:?}"),
        }
    }

    /// The node that verification says this is.
    pub fn as_node(&self) -> NodeId {
        match self {
            Value::Node(n) => *n,
            other => unreachable!("verified to be a node: {other:?}"),
        }
    }

    /// The set that verification says this is.
    pub fn as_set(&self) -> &BTreeSet<Value> {
        match self {
            Value::Set(s) => s,
            other => unreachable!("verified to be a set: {other:?}"),
        }
    }

    /// The message type that verification says this has.
    pub fn record(&self) -> RecordId {
        match self {
            Value::Record(r, _) => *r,
            other => unreachable!("verified to be a record: {other:?}"),
        }
    }
}
