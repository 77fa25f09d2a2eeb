//! Explanations of a run: the smallest false part of a claim with its values, and why nodes are blocked.

use machine::{BinaryOp, EdgeId, NodeId, Origin, RecordId, ResponseId, Value};
use rational::Rational;

/// The smallest false part of a claim, and the values that make it false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The source location of the part, if it has one.
    pub part: Option<Origin>,
    /// The values of the quantified variables around the part.
    pub bindings: Vec<(String, Value)>,
    /// The values of the subexpressions of the part.
    pub facts: Vec<Fact>,
}

/// The value of a subexpression, as shown in an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its source location.
    pub origin: Origin,
    /// Its value.
    pub value: Value,
    /// The statement about time, if the subexpression is one.
    pub timely: Option<Timely>,
    /// Whether the value is a saturated count, so that the actual count may be larger.
    pub or_more: bool,
    /// The node whose variable the subexpression reads, if it is not one of the bindings.
    pub of: Option<Value>,
    /// The source location of the definition of that node, if an abbreviation denotes it.
    pub meaning: Option<Origin>,
    /// The parameters of functions, and other names of `let`, that the subexpression reads and that are not among the
    /// bindings, with their values.
    pub given: Vec<(String, Value)>,
    /// The value that the claim requires, if it is known and differs.
    pub wanted: Option<Value>,
    /// Whether the part is false in all states of the cycle of a lasso, with this value in each.
    pub stays: bool,
}

/// A part of a claim about time.
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
    /// Since when the part is false.
    pub verdict: PartVerdict,
    /// The part, with its values.
    pub why: Why,
    /// Whether the run violates the claim for every value of the sought bound on activations.
    pub every_bound: bool,
    /// What else is needed to make the claim false, such as the other operands of `or`.
    pub also: Vec<Explanation>,
}

/// Since when a part of a claim is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartVerdict {
    /// The part is false in the state after this number of events.
    FalseAfter(usize),
    /// The part must become true in some state after this number of events, and it never does.
    NeverAfter(usize),
}

/// Why a node cannot execute an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// It handles messages of these types, and no such message is in flight to it.
    ForMessage(NodeId, Vec<RecordId>),
    /// It has this message to send on the edge, and the channel is full.
    ForRoom(NodeId, EdgeId, Value),
    /// This message is at the head of the edge to it, and no block handles it in the current state.
    WithMessage(NodeId, EdgeId, Value),
}
