//! The types of values: finite data, and counters.

use crate::{ClassId, EnumId, RecordId};
use serde::{Deserialize, Serialize};

/// A type of values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Type {
    /// `true`, `false`.
    Bool,
    /// The integers from the first to the second, both included.
    Int(i64, i64),
    /// Any integer. Only differences between counters of the same class matter.
    Counter(ClassId),
    /// A position in the order of ids, from 1. Only comparisons of ids matter.
    Id,
    /// A node.
    Node,
    /// A value of an enum type.
    Enum(EnumId),
    /// A message or struct.
    Record(RecordId),
    /// A message of one of several types; the list is sorted.
    OneOf(Vec<RecordId>),
    /// An optional value: absent, or present with a value of this type.
    Option(Box<Type>),
    /// A set of values.
    Set(Box<Type>),
    /// An array: one element of the second type for each value of the first type.
    Array(Box<Type>, Box<Type>),
}

impl Type {
    /// The option type over this type.
    pub fn option(self) -> Type {
        Type::Option(Box::new(self))
    }

    /// The type of sets of this type.
    pub fn set(self) -> Type {
        Type::Set(Box::new(self))
    }

    /// The type of a message of one of the given types: `Record` for a single one, `OneOf` for several.
    pub fn one_of(records: &[RecordId]) -> Type {
        match records {
            [one] => Type::Record(*one),
            several => Type::OneOf(several.to_vec()),
        }
    }

    /// Whether a value of type `other` may be used where `self` is expected. Ranges of integers are not compared:
    /// assignments check them at run time.
    pub fn fits(&self, other: &Type) -> bool {
        self.fits_if(other, &mut |a, b| a == b)
    }

    /// [`Type::fits`], with `same` as the equality of counter classes.
    pub(crate) fn fits_if(
        &self,
        other: &Type,
        same: &mut dyn FnMut(ClassId, ClassId) -> bool,
    ) -> bool {
        match (self, other) {
            (Type::Int(..), Type::Int(..)) => true,
            (Type::Counter(a), Type::Counter(b)) => same(*a, *b),
            (Type::OneOf(all), Type::Record(one)) => all.contains(one),
            (Type::Option(a), Type::Option(b)) | (Type::Set(a), Type::Set(b)) => a.fits_if(b, same),
            (Type::Array(i, a), Type::Array(j, b)) => i == j && a.fits_if(b, same),
            _ => self == other,
        }
    }

    /// Whether every value of `other` is a value of `self`.
    pub fn includes(&self, other: &Type) -> bool {
        self.join(other).as_ref() == Some(self)
    }

    /// The smallest type that contains both types; `None` if there is none.
    pub fn join(&self, other: &Type) -> Option<Type> {
        self.join_if(other, &mut |a, b| a == b)
    }

    /// [`Type::join`], with `same` as the equality of counter classes. The result has the counter classes of `self`.
    pub(crate) fn join_if(
        &self,
        other: &Type,
        same: &mut dyn FnMut(ClassId, ClassId) -> bool,
    ) -> Option<Type> {
        match (self, other) {
            (Type::Int(a, b), Type::Int(c, d)) => Some(Type::Int(*a.min(c), *b.max(d))),
            (Type::Counter(a), Type::Counter(b)) => same(*a, *b).then_some(Type::Counter(*a)),
            (Type::Option(a), Type::Option(b)) => Some(a.join_if(b, same)?.option()),
            (Type::Set(a), Type::Set(b)) => Some(a.join_if(b, same)?.set()),
            (Type::Array(i, a), Type::Array(j, b)) if i == j => {
                Some(Type::Array(i.clone(), Box::new(a.join_if(b, same)?)))
            }
            _ if self == other => Some(self.clone()),
            (Type::OneOf(all), Type::Record(one)) | (Type::Record(one), Type::OneOf(all)) => {
                all.contains(one).then(|| Type::OneOf(all.clone()))
            }
            _ => None,
        }
    }

    /// The type with each counter class c replaced by the type `class(c)`.
    pub(crate) fn with_classes(&self, class: &mut dyn FnMut(ClassId) -> Type) -> Type {
        match self {
            Type::Counter(c) => class(*c),
            Type::Option(inner) => inner.with_classes(class).option(),
            Type::Set(inner) => inner.with_classes(class).set(),
            Type::Array(index, inner) => {
                Type::Array(index.clone(), Box::new(inner.with_classes(class)))
            }
            other => other.clone(),
        }
    }
}
