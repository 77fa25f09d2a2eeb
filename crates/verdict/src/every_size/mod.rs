//! Evidence for claims that hold for every number of nodes: which parts are right, and from which time on. The crate
//! `one_node` defines these terms.
//!
//! The evidence is about one claim in a list of claims of an open Machine; the proof may rely on the parts of all of
//! them. The checker derives the parts again, in a fixed order, and the evidence refers to them by number.

mod argument;

pub use argument::{EverySizeArgument, Half, LeftOut, NamedNode, NamedPart, RightPart};

use rational::Rational;
use serde::{Deserialize, Serialize};

/// A proof by the rule of the crate `one_node`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EverySizeProof {
    /// Whether the proof uses that every read finds a message of every sender.
    pub filled: bool,
    /// The parts that are invariants, proved together by induction, in ascending order.
    pub invariants: Vec<EverySizeInvariant>,
    /// The parts that are right from some time on, in the order of proof. A later step for the same part replaces an
    /// earlier one.
    pub steps: Vec<EverySizeStep>,
    /// By part of the claim: the names in the queries about its counts of activations.
    pub counts: Vec<EverySizeNames>,
}

impl EverySizeProof {
    /// The largest number of names in a query.
    pub fn names(&self) -> u32 {
        let invariants = self.invariants.iter().map(|invariant| invariant.by);
        let steps = self.steps.iter().map(|step| step.by);
        let all = invariants.chain(steps).chain(self.counts.iter().copied());
        all.map(|by| by.names).max().unwrap_or(0)
    }

    /// The latest time from which on a part is right; `None` if all parts are invariants.
    pub fn latest(&self) -> Option<&Rational> {
        let last = |step: &&EverySizeStep| {
            let later = self.steps.iter().rfind(|other| other.part == step.part);
            later == Some(step)
        };
        self.steps.iter().filter(last).map(|step| &step.from).max()
    }
}

/// A part that is right at every moment of every run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EverySizeInvariant {
    /// The part.
    pub part: u32,
    /// The names of its queries.
    pub by: EverySizeNames,
}

/// A part that is right from some time on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EverySizeStep {
    /// The part.
    pub part: u32,
    /// The least time such that the earlier steps imply that the part is right later than this time after any moment of
    /// any run.
    pub from: Rational,
    /// The names of its queries.
    pub by: EverySizeNames,
}

/// The numbers of reads and names in the queries about a part. With one fewer of either, some query is not refuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EverySizeNames {
    /// The number of last reads whose quantifiers get witnesses.
    pub looks: u32,
    /// The number of names: of the nodes that the part speaks of, and of those reserved for witnesses.
    pub names: u32,
}
