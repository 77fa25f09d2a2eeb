//! Why a condition is false in a state: the smallest false part, and the values in it.

use machine::{Origin, Value};

/// The smallest part of a claim that is false, and the values that make it so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The part, if its place is known.
    pub part: Option<Origin>,
    /// Instances of the quantifiers around it.
    pub bindings: Vec<(String, Value)>,
    /// What its sub-expressions are.
    pub facts: Vec<Fact>,
}

/// The value of a sub-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Where it stands.
    pub origin: Origin,
    /// Its value.
    pub value: Value,
    /// The node whose value it is, where that is not one of the bindings.
    pub of: Option<Value>,
}
