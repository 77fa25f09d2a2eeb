//! The types of values: finite data.

use crate::{EnumId, RecordId};
use serde::{Deserialize, Serialize};

/// What values a place can hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Type {
    /// `true`, `false`.
    Bool,
    /// The integers from the first to the second, both included.
    Int(i64, i64),
    /// A place in the order of ids, from 1; only comparisons are meaningful.
    Id,
    /// A node.
    Node,
    /// One of the names of an enum.
    Enum(EnumId),
    /// A message or struct.
    Record(RecordId),
    /// A message of one of several types, in their order.
    OneOf(Vec<RecordId>),
    /// Nothing, or a value.
    Option(Box<Type>),
    /// A set of values.
    Set(Box<Type>),
    /// One value for each value of the first type.
    Array(Box<Type>, Box<Type>),
}

impl Type {
    /// `Option` of this.
    pub fn option(self) -> Type {
        Type::Option(Box::new(self))
    }

    /// `Set` of this.
    pub fn set(self) -> Type {
        Type::Set(Box::new(self))
    }

    /// A message of one of these types.
    pub fn one_of(records: &[RecordId]) -> Type {
        match records {
            [one] => Type::Record(*one),
            several => Type::OneOf(several.to_vec()),
        }
    }

    /// Whether a value of `other` may stand where `self` is wanted. Integers fit integers whatever the
    /// bounds: those are checked when the value is stored.
    pub fn fits(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Int(..), Type::Int(..)) => true,
            (Type::OneOf(all), Type::Record(one)) => all.contains(one),
            (Type::Option(a), Type::Option(b)) | (Type::Set(a), Type::Set(b)) => a.fits(b),
            (Type::Array(i, a), Type::Array(j, b)) => i == j && a.fits(b),
            _ => self == other,
        }
    }

    /// Whether it has every value of another type.
    pub fn includes(&self, other: &Type) -> bool {
        self.join(other).as_ref() == Some(self)
    }

    /// The smallest type that both fit; `None` if there is none.
    pub fn join(&self, other: &Type) -> Option<Type> {
        match (self, other) {
            (Type::Int(a, b), Type::Int(c, d)) => Some(Type::Int(*a.min(c), *b.max(d))),
            (Type::Option(a), Type::Option(b)) => Some(a.join(b)?.option()),
            (Type::Set(a), Type::Set(b)) => Some(a.join(b)?.set()),
            (Type::Array(i, a), Type::Array(j, b)) if i == j => {
                Some(Type::Array(i.clone(), Box::new(a.join(b)?)))
            }
            _ if self == other => Some(self.clone()),
            (Type::OneOf(all), Type::Record(one)) | (Type::Record(one), Type::OneOf(all)) => {
                all.contains(one).then(|| Type::OneOf(all.clone()))
            }
            _ => None,
        }
    }
}
