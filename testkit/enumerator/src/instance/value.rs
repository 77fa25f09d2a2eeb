//! Values at run time, without static types.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A value. A present option is represented by its value; an absent one is [`Value::None`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// No value yet: a variable before its initialisation, or a ghost variable that is not stored.
    Unset,
    /// `none`.
    None,
    /// `true`, `false`.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A value of an enum: the name of the enum, and the position of the value, counted from 0.
    Enum(Rc<str>, usize),
    /// An id, represented by its rank among all ids, counted from 1.
    Id(i128),
    /// A node, counted from 0 (models count from 1).
    Node(usize),
    /// The name of a kind with one node. It denotes that node, and also the set that contains it.
    Lone(usize),
    /// A struct or message: the name of its type, and the fields in the order of declaration.
    Record(Rc<str>, Vec<Value>),
    /// A set.
    Set(BTreeSet<Value>),
    /// An array: a value for each index.
    Array(BTreeMap<Value, Value>),
}

/// Why an evaluation yields no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A run-time error of the model; part of the answer.
    Error(String),
    /// A construct that the enumerator does not support, or that is not valid.
    Refused(String),
}

pub(crate) type Res<T> = Result<T, Stop>;

pub(crate) fn error<T>(text: impl Into<String>) -> Res<T> {
    Err(Stop::Error(text.into()))
}

pub(crate) fn refuse<T>(text: impl Into<String>) -> Res<T> {
    Err(Stop::Refused(text.into()))
}

impl Stop {
    /// The text of the reason, for an evaluation that is not part of an event.
    pub(crate) fn text(self) -> String {
        match self {
            Stop::Error(text) => format!("error outside of an event: {text}"),
            Stop::Refused(text) => text,
        }
    }
}

impl Value {
    /// A description of the kind of value, for texts.
    pub(crate) fn what(&self) -> &'static str {
        match self {
            Value::Unset => "nothing (a ghost, or a variable without its value yet)",
            Value::None => "none",
            Value::Bool(_) => "a Bool",
            Value::Int(_) => "an integer",
            Value::Enum(..) => "an enum value",
            Value::Id(_) => "an id",
            Value::Node(_) | Value::Lone(_) => "a node",
            Value::Record(..) => "a struct or message",
            Value::Set(_) => "a set",
            Value::Array(_) => "an array",
        }
    }

    fn not<T>(&self, wanted: &str) -> Res<T> {
        match self {
            Value::None => error(format!("none used as {wanted}")),
            other => refuse(format!("{} where {wanted} is wanted", other.what())),
        }
    }

    pub(crate) fn bool(&self) -> Res<bool> {
        match self {
            Value::Bool(b) => Ok(*b),
            other => other.not("a Bool"),
        }
    }

    pub(crate) fn int(&self) -> Res<i128> {
        match self {
            Value::Int(i) => Ok(*i),
            other => other.not("an integer"),
        }
    }

    pub(crate) fn node(&self) -> Res<usize> {
        match self {
            Value::Node(n) | Value::Lone(n) => Ok(*n),
            other => other.not("a node"),
        }
    }

    pub(crate) fn set(self) -> Res<BTreeSet<Value>> {
        match self {
            Value::Set(s) => Ok(s),
            Value::Lone(n) => Ok(BTreeSet::from([Value::Node(n)])),
            other => other.not("a set"),
        }
    }

    /// The value as an element of a set or array: the name of a kind with one node becomes its node.
    pub(crate) fn element(self) -> Value {
        match self {
            Value::Lone(n) => Value::Node(n),
            other => other,
        }
    }

    /// Whether two values are equal, as `==` in the language; refused for values of different kinds.
    pub(crate) fn same(&self, other: &Value) -> Res<bool> {
        use Value::*;
        Ok(match (self, other) {
            (Unset, _) | (_, Unset) => return refuse(format!("comparison with {}", Unset.what())),
            (None, b) => *b == None,
            (a, None) => *a == None,
            (Node(a) | Lone(a), Node(b) | Lone(b)) => a == b,
            (Lone(a), Set(s)) | (Set(s), Lone(a)) => s.len() == 1 && s.contains(&Node(*a)),
            (Enum(a, i), Enum(b, j)) if a == b => i == j,
            (Record(a, i), Record(b, j)) => a == b && i == j,
            (Bool(a), Bool(b)) => a == b,
            (Int(a), Int(b)) | (Id(a), Id(b)) => a == b,
            (Set(a), Set(b)) => a == b,
            (Array(a), Array(b)) => a == b,
            (a, b) => {
                return refuse(format!("{} compared with {}", a.what(), b.what()));
            }
        })
    }

    /// The order of two integers or of two ids; other values are refused.
    pub(crate) fn order(&self, other: &Value) -> Res<std::cmp::Ordering> {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) | (Value::Id(a), Value::Id(b)) => Ok(a.cmp(b)),
            (Value::None, _) | (_, Value::None) => error("none used as a value in a comparison"),
            (a, b) => refuse(format!("order of {} and {}", a.what(), b.what())),
        }
    }
}
