//! Evidence for claims that hold: certificates that an independent checker verifies.
//!
//! Evidence is about one Machine with one property; the Machine is stored beside the evidence. Evidence contains only
//! what is hard to compute. The checker (`audit::evidence`) recomputes everything that follows from the Machine and
//! trusts nothing in the evidence.

use crate::{EverySizeProof, Relying};
use machine::NodeId;
use rational::Rational;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A certificate that a claim holds in every run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Evidence {
    /// By the proof rule of the method order of events.
    Order(OrderProof),
    /// By k-induction.
    Induction(Induction),
    /// By an inductive invariant.
    Invariant(Invariant),
    /// By exhaustion: all runs are finite and were checked up to their end.
    Exhausted(Exhausted),
    /// By one of the other forms, under the assumption of claims that were proved before.
    Relying(Relying),
    /// For every size: by projection onto the nodes that the claim names. Evidence about an open Machine.
    Projection(Projected),
    /// For every size: from the code of one node. Evidence about an open Machine.
    OneNode(OneNodeProof),
}

/// A proof from the code of one node, about one of the claims of an open Machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneNodeProof {
    /// The number of the claim among the properties, from 0. The parts of the other claims are lemmas.
    pub claim: u32,
    /// The proof.
    pub proof: EverySizeProof,
}

/// Projection: the claim holds at each of the sizes, and the last size decides all larger ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Projected {
    /// The number of nodes that the claim names.
    pub names: u32,
    /// The number of nodes that decides.
    pub nodes: u32,
    /// The evidence at each size, from the least size to the deciding one.
    pub sizes: Vec<Evidence>,
}

impl Evidence {
    /// Whether the evidence is about an open Machine.
    pub fn is_for_every_size(&self) -> bool {
        matches!(self, Evidence::Projection(_) | Evidence::OneNode(_))
    }
}

/// k-induction. Base: the first k states of every run satisfy the claim. Step: k consecutive distinct states that
/// satisfy the claim are followed only by states that satisfy it, where all these states satisfy the strengthening. The
/// strengthening holds in all reachable states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Induction {
    /// The number k of consecutive states in the induction hypothesis.
    pub k: u32,
    /// An inductive invariant that strengthens the induction hypothesis.
    pub strengthening: Invariant,
}

/// An inductive invariant: it is true in all initial states and preserved by every event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    /// Number of messages that the circuit represents per unbounded channel; no event needs more.
    pub room: u32,
    /// Clauses over the bits of the state. A literal is the number of a bit, from 1, negative if the bit is negated.
    pub clauses: Vec<Vec<i32>>,
}

/// Exhaustion: no run has `events` events, and no shorter run violates the claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exhausted {
    /// Number of messages that the circuit represents per unbounded channel; no event needs more.
    pub room: u32,
    /// A number of events that no run has.
    pub events: u32,
}

/// A proof by the proof rule of the crate `order`: for each query of the rule, why it is unsatisfiable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderProof {
    /// That neither the code nor the claim can be a runtime error.
    pub no_error: Never,
    /// One proof for each conjunct of the claim (`passes::conjuncts`), in the same order.
    pub parts: Vec<OrderPart>,
}

/// The proof that one conjunct of a claim always holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderPart {
    /// The slack: the number of additional activations, which the step of the rule does not count.
    pub spare: u32,
    /// That neither the code nor the conjunct can be a runtime error.
    pub no_error: Never,
    /// That every read of an inbox finds a message from every node that can send; `None` if the rule does not use this.
    pub filled: Option<Never>,
    /// That the conjunct is not violated after any state of a run: one proof for each case of the rule.
    pub for_ever: Vec<Never>,
}

/// Why a query is unsatisfiable: a list of infeasible orders of events. If these orders are excluded, the query is
/// contradictory. Infeasible orders that follow from the times of two or three nodes are omitted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Never {
    /// The infeasible orders, each with its reason.
    pub orders: Vec<NoTimes>,
}

/// Decisions about the order of events that no schedule satisfies, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum NoTimes {
    /// A negative cycle of difference constraints: in the given sequence, the decisions and the gaps of nodes between
    /// them imply that some time is later than itself.
    Round(Vec<Choice>),
    /// A Farkas certificate: the constraints, multiplied by these factors, add up to a contradiction.
    Sum(Vec<(Demanded, Rational)>),
}

/// The n-th activation of a node after the start, from 1. Activation 0 is the last one before the start, -1 the one
/// before that, and so on.
pub type Activation = (NodeId, i32);

/// A decision about the order of two events. The text form counts nodes from 1: in `2.1 reaches 3.4` the first
/// activation of node 2 precedes the fourth activation of node 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Choice {
    /// A message sent at the first activation arrives before the second activation.
    Reaches(Activation, Activation),
    /// A message sent at the first activation does not arrive before the second activation.
    Misses(Activation, Activation),
    /// The activation is before the time at which the claim is evaluated.
    Passed(Activation),
    /// The activation is not before the time at which the claim is evaluated.
    Ahead(Activation),
}

/// A linear constraint on times, measured from any state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Demanded {
    /// The constraint that a decision implies.
    By(Choice),
    /// The fixed period of a node is at least the declared minimum.
    PeriodFrom(NodeId),
    /// The fixed period of a node is at most the declared maximum.
    PeriodTo(NodeId),
    /// The first activation of a node is not before the start.
    FirstFrom(NodeId),
    /// The time from the start to the first activation of a node is at most the longest gap or the latest declared
    /// first activation, whichever is larger.
    FirstTo(NodeId),
    /// The activation, which has a number of at most 0, is not after the start.
    Over(Activation),
    /// The gap from this activation to the next is at least the minimum.
    GapFrom(Activation),
    /// The gap from this activation to the next is at most the maximum.
    GapTo(Activation),
    /// The time at which the claim is evaluated is not before the start.
    Now,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Reaches(sent, read) => write!(f, "{} reaches {}", text(*sent), text(*read)),
            Choice::Misses(sent, read) => write!(f, "{} misses {}", text(*sent), text(*read)),
            Choice::Passed(activation) => write!(f, "{} passed", text(*activation)),
            Choice::Ahead(activation) => write!(f, "{} ahead", text(*activation)),
        }
    }
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(said: &str) -> Result<Choice, String> {
        let words: Vec<&str> = said.split(' ').collect();
        match words[..] {
            [sent, "reaches", read] => Ok(Choice::Reaches(activation(sent)?, activation(read)?)),
            [sent, "misses", read] => Ok(Choice::Misses(activation(sent)?, activation(read)?)),
            [one, "passed"] => Ok(Choice::Passed(activation(one)?)),
            [one, "ahead"] => Ok(Choice::Ahead(activation(one)?)),
            _ => Err(format!("`{said}` says nothing about who comes first")),
        }
    }
}

impl fmt::Display for Demanded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Demanded::By(choice) => choice.fmt(f),
            Demanded::PeriodFrom(node) => write!(f, "{} period from", node.0 + 1),
            Demanded::PeriodTo(node) => write!(f, "{} period to", node.0 + 1),
            Demanded::FirstFrom(node) => write!(f, "{} first from", node.0 + 1),
            Demanded::FirstTo(node) => write!(f, "{} first to", node.0 + 1),
            Demanded::Over(one) => write!(f, "{} over", text(*one)),
            Demanded::GapFrom(after) => write!(f, "{} gap from", text(*after)),
            Demanded::GapTo(after) => write!(f, "{} gap to", text(*after)),
            Demanded::Now => f.write_str("now"),
        }
    }
}

impl FromStr for Demanded {
    type Err = String;

    fn from_str(said: &str) -> Result<Demanded, String> {
        let words: Vec<&str> = said.split(' ').collect();
        Ok(match words[..] {
            [one, "period", "from"] => Demanded::PeriodFrom(node(one)?),
            [one, "period", "to"] => Demanded::PeriodTo(node(one)?),
            [one, "first", "from"] => Demanded::FirstFrom(node(one)?),
            [one, "first", "to"] => Demanded::FirstTo(node(one)?),
            [one, "over"] => Demanded::Over(activation(one)?),
            [one, "gap", "from"] => Demanded::GapFrom(activation(one)?),
            [one, "gap", "to"] => Demanded::GapTo(activation(one)?),
            ["now"] => Demanded::Now,
            _ => Demanded::By(said.parse()?),
        })
    }
}

fn text((node, n): Activation) -> String {
    format!("{}.{n}", node.0 + 1)
}

fn activation(said: &str) -> Result<Activation, String> {
    let parts = said.split_once('.');
    let (of, n) = parts.ok_or_else(|| format!("`{said}` is no activation of a node"))?;
    match n.parse() {
        Ok(n) => Ok((node(of)?, n)),
        Err(_) => Err(format!("`{n}` is no number of an activation")),
    }
}

fn node(said: &str) -> Result<NodeId, String> {
    match said.parse::<u32>() {
        Ok(number) if number > 0 => Ok(NodeId(number - 1)),
        _ => Err(format!("`{said}` is no number of a node")),
    }
}

impl From<Choice> for String {
    fn from(choice: Choice) -> String {
        choice.to_string()
    }
}

impl TryFrom<String> for Choice {
    type Error = String;

    fn try_from(said: String) -> Result<Choice, String> {
        said.parse()
    }
}

impl From<Demanded> for String {
    fn from(demanded: Demanded) -> String {
        demanded.to_string()
    }
}

impl TryFrom<String> for Demanded {
    type Error = String;

    fn try_from(said: String) -> Result<Demanded, String> {
        said.parse()
    }
}
