//! The argument of a proof from the code of one node, as data for people. The audit makes it from what it has checked.

use machine::Origin;
use rational::Rational;

/// What was checked, in the order of proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EverySizeArgument {
    /// The name of the size parameter, and its least value.
    pub size: (String, u32),
    /// Whether every read finds a message of every sender.
    pub filled: bool,
    /// The parts that were proved, each of any node.
    pub right: Vec<RightPart>,
    /// The parts of the claim, each with the number of activations from the start of a run after which it was asked for
    /// with its counts.
    pub claimed: Vec<(NamedPart, u32)>,
    /// What of the Machine the proof does not use.
    pub left_out: Vec<LeftOut>,
    /// What a gap between two activations is at least and at most.
    pub gap: (Rational, Rational),
}

/// A part that is right from some time on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RightPart {
    /// The part, with the nodes that have names in its queries.
    pub part: NamedPart,
    /// The time from which on it is right after any moment of a run; `None` if it is right at every moment.
    pub from: Option<Rational>,
}

/// A part, with the nodes that have names in the queries about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPart {
    /// The claim that has the part, or what proposed it.
    pub of: String,
    /// Where its conclusion is; `None` if it has no place.
    pub place: Option<Origin>,
    /// Which half of an equality it is, if it is one.
    pub half: Option<Half>,
    /// The nodes that the part speaks of, the one first whose code runs.
    pub nodes: Vec<NamedNode>,
    /// The number of reads, from the last one, in which nodes that decide a condition get names.
    pub looks: u32,
    /// The number of names, those for nodes that decide a condition included.
    pub names: u32,
}

/// A half of an equality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// The left side is a subset of the right one, or at most it.
    AtMost,
    /// The right side is a subset of the left one, or at most it.
    AtLeast,
}

/// A node that a part speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedNode {
    /// Any node, with its name in the claim.
    Any(String),
    /// Any element of a set of nodes that is compared with another one.
    Element,
    /// The node that an expression denotes, with its place.
    Defined(Option<Origin>),
}

/// What a proof does not use. Leaving it out makes more runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// Restrictions of the initial states.
    Restrictions,
    /// That a period is the same for the whole run.
    FixedPeriods,
    /// Limits of faults that depend on the number of nodes, other than that at least one node is spared.
    LimitsOfFaults,
    /// What reads before the last ones find.
    EarlierReads,
}
