//! Why a run shows what it shows: the smallest false part and the values in it, and who waits for what.

use machine::{BinaryOp, EdgeId, NodeId, Origin, RecordId, ResponseId, Value};
use rational::Rational;

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
    /// What it says of time, if that is what it does.
    pub timely: Option<Timely>,
    /// It is a count that goes on behind this value, and is not followed further.
    pub or_more: bool,
    /// The node whose value it is, where that is not one of the bindings.
    pub of: Option<Value>,
    /// What that node is, where an abbreviation stands for it.
    pub meaning: Option<Origin>,
    /// What the claim says that it equals, if it does not.
    pub wanted: Option<Value>,
    /// At every moment of the loop of the run the part is false, and this is its value.
    pub stays: bool,
}

/// What a part of a claim says of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timely {
    /// How `now` compares with a time.
    Now(BinaryOp, Rational),
    /// Something should have followed in time.
    Overdue(ResponseId),
}

/// Why a claim is false on a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What is wrong with the part.
    pub verdict: PartVerdict,
    /// The part, and its values.
    pub why: Why,
    /// The run breaks the claim for every number of activations after which it is to be true.
    pub every_bound: bool,
}

/// What is wrong with a part of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartVerdict {
    /// It is false after so many events.
    FalseAfter(usize),
    /// It should become true after so many events, and never does.
    NeverAfter(usize),
}

/// Why a node does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// It would take a message of one of these types, and none is on its way to it.
    ForMessage(NodeId, Vec<RecordId>),
    /// It has this message for the edge, and the channel is full.
    ForRoom(NodeId, EdgeId, Value),
    /// This message has reached it, and no block takes it in its present state.
    WithMessage(NodeId, EdgeId, Value),
}
