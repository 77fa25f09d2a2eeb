//! The argument of a proof from the code of one node, as data for reports. The audit builds it from the steps that it
//! has checked.

use machine::Origin;
use rational::Rational;

/// The checked steps, in the order of proof. The crate `one_node` defines the terms part and right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EverySizeArgument {
    /// The name of the size parameter, and its least value.
    pub size: (String, u32),
    /// Whether every read finds a message of every sender.
    pub filled: bool,
    /// The parts that were proved, each for any node.
    pub right: Vec<RightPart>,
    /// The parts of the claim, each with the number of activations after which the time since the start of a run
    /// exceeds the time from which the part without counts is right. For fewer activations the part was proved from the
    /// start of a run.
    pub claimed: Vec<(NamedPart, u32)>,
    /// The facts about the Machine that the proof does not use.
    pub left_out: Vec<LeftOut>,
    /// The shortest and the longest gap between two activations of a node.
    pub gap: (Rational, Rational),
}

/// A part that is right from some time on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RightPart {
    /// The part, with the nodes that have names in its queries.
    pub part: NamedPart,
    /// The part is right later than this time after any moment of a run; `None` if it is right at every moment.
    pub from: Option<Rational>,
}

/// A part, with the nodes that have names in the queries about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPart {
    /// The claim that contains the part, or the heuristic that proposed it.
    pub of: String,
    /// The source location of its conclusion; `None` if it has none.
    pub place: Option<Origin>,
    /// Which half of an equality it is, if it is one.
    pub half: Option<Half>,
    /// The nodes that the part speaks of, beginning with the node whose code runs.
    pub nodes: Vec<NamedNode>,
    /// The number of last reads in which nodes that decide a condition get names.
    pub looks: u32,
    /// The number of names, including those for nodes that decide a condition.
    pub names: u32,
}

/// A half of an equality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// The left side is a subset of the right side, or less than or equal to it.
    AtMost,
    /// The right side is a subset of the left side, or less than or equal to it.
    AtLeast,
}

/// A node that a part speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedNode {
    /// Any node, with its name in the claim.
    Any(String),
    /// Any element of a set of nodes that is compared with another one.
    Element,
    /// The node that an expression denotes, with the source location of the expression.
    Defined(Option<Origin>),
}

/// A fact that a proof does not use. Without it there are only more runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// Restrictions of the initial states.
    Restrictions,
    /// That a period is the same for the whole run.
    FixedPeriods,
    /// Limits of faults that depend on the number of nodes, other than that at least one node is spared.
    LimitsOfFaults,
    /// The results of reads before the last ones.
    EarlierReads,
}
