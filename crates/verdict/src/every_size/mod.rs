//! Evidence for claims that hold for every number of nodes: which parts are right from when on.
//!
//! The evidence is about one claim of an open Machine, in a list of claims whose parts the proof may rely on. The parts
//! are derived again by the checker, in a fixed order; the evidence refers to them by number.

mod argument;

pub use argument::{EverySizeArgument, Half, LeftOut, NamedNode, NamedPart, RightPart};

use rational::Rational;
use serde::{Deserialize, Serialize};

/// A proof by the rule of the crate `one_node`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EverySizeProof {
    /// Whether it uses that every read finds a message of every sender.
    pub filled: bool,
    /// The parts that are invariants, proved together by induction, in ascending order.
    pub invariants: Vec<EverySizeInvariant>,
    /// The parts that are right from some time on, in the order of proof. A later step for the same part replaces an
    /// earlier one.
    pub steps: Vec<EverySizeStep>,
    /// By part of the claim: how it follows with counts.
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

/// A part that is right from a time on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EverySizeStep {
    /// The part.
    pub part: u32,
    /// The least time such that it is right at every moment later than this after any moment of any run, as far as the
    /// steps before tell.
    pub from: Rational,
    /// The names of its queries.
    pub by: EverySizeNames,
}

/// The nodes with names in the queries about a part: with one name or one look fewer, some query is not refuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EverySizeNames {
    /// The number of last reads whose quantifiers get witnesses.
    pub looks: u32,
    /// The number of names: of the nodes that the part speaks of, and of those reserved for witnesses.
    pub names: u32,
}
