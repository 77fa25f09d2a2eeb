//! Why a claim about every size is undecided.

use crate::reason::Reason;
use crate::reason::bounds::Sought;
use crate::reason::label::Label;
use serde::{Deserialize, Serialize};

/// Why a claim is not proved for every value of a parameter, and no value was found for which it fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotForEvery {
    /// The parameter.
    pub parameter: String,
    /// What stands in the way of each method.
    pub gaps: Vec<SizeGap>,
    /// The least and the largest size that was searched; `None` if no search began.
    pub tried: Option<(u32, u32)>,
    /// For a sought value: what is known about it.
    pub bound: Option<SizeBound>,
    /// For a sought value: a size for which the value is not known, and the reason.
    pub open: Option<(u32, Reason)>,
}

/// What stands in the way of a method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeGap {
    /// The method.
    pub method: SizeMethod,
    /// What stands in the way, as a noun phrase or a sentence without its full stop.
    pub what: String,
    /// Where it is; `None` if it has no place in the text.
    pub place: Option<Label>,
}

/// A method for claims about every size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SizeMethod {
    /// The construction of an open Machine, which all methods need.
    OpenMachine,
    /// Projection onto the nodes that a claim names: a network of a certain size decides all larger ones.
    Projection,
    /// Rely-guarantee: the code of one node, with what it may rely on about the others.
    OneNode,
    /// The search at small sizes.
    SmallSizes,
}

/// What is known about a sought value for every size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeBound {
    /// A value for which the claim is proved for every size.
    pub proved: Option<Sought>,
    /// A value for which the claim fails, and a size at which it fails.
    pub fails: Option<(Sought, u32)>,
}
