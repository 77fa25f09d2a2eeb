//! Explanations of a run: the smallest false part of a claim with its values, and what blocked nodes wait for.

use machine::{BinaryOp, EdgeId, NodeId, Origin, RecordId, ResponseId, Value};
use rational::Rational;

/// The smallest false part of a claim, and the values that make it false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The part, if its source location is known.
    pub part: Option<Origin>,
    /// Instances of the quantifiers around it.
    pub bindings: Vec<(String, Value)>,
    /// The values of its subexpressions.
    pub facts: Vec<Fact>,
}

/// The value of a subexpression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its source location.
    pub origin: Origin,
    /// Its value.
    pub value: Value,
    /// Its statement about time, if it is one.
    pub timely: Option<Timely>,
    /// The value is a lower bound of a count that was not evaluated further.
    pub or_more: bool,
    /// The node of the value, if it is not one of the bindings.
    pub of: Option<Value>,
    /// The definition of that node, if an abbreviation names it.
    pub meaning: Option<Origin>,
    /// The value that the claim requires, if it differs.
    pub wanted: Option<Value>,
    /// The part is false at every position of the loop of the run, with this value.
    pub stays: bool,
}

/// A statement of a claim about time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timely {
    /// A comparison of `now` with a time.
    Now(BinaryOp, Rational),
    /// A violated bounded-response obligation.
    Overdue(ResponseId),
}

/// Why a claim is false on a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What is wrong with the part.
    pub verdict: PartVerdict,
    /// The part, with its values.
    pub why: Why,
    /// The run violates the claim for every number of activations after which it is to hold.
    pub every_bound: bool,
}

/// What is wrong with a part of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartVerdict {
    /// It is false after this number of events.
    FalseAfter(usize),
    /// It must become true after this number of events, and never does.
    NeverAfter(usize),
}

/// Why a node is blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// It handles messages of these types, and none is in flight to it.
    ForMessage(NodeId, Vec<RecordId>),
    /// It has this message for the edge, and the channel is full.
    ForRoom(NodeId, EdgeId, Value),
    /// This message has reached it, and no block handles it in the current state.
    WithMessage(NodeId, EdgeId, Value),
}
