//! Evidence for claims that hold: certificates that an independent checker verifies.
//!
//! Evidence is about one Machine with one property, which is stored beside it. It contains only what is hard to find.
//! The checker (`audit::evidence`) recomputes everything that follows from the Machine, and trusts nothing in the
//! evidence.

use crate::Relying;
use machine::NodeId;
use rational::Rational;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A certificate that a claim holds in every run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Evidence {
    /// By the order of events of periodic nodes.
    Order(OrderProof),
    /// By k-induction.
    Induction(Induction),
    /// By an inductive invariant.
    Invariant(Invariant),
    /// By exhaustion: all runs are finite.
    Exhausted(Exhausted),
    /// By one of these, relying on claims proved before.
    Relying(Relying),
}

/// k-induction: the first k states of every run satisfy the claim, and so does each state after k distinct states that
/// satisfy it, if all satisfy the strengthening, which holds in all reachable states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Induction {
    /// The induction depth.
    pub k: u32,
    /// An invariant that strengthens the induction hypothesis.
    pub strengthening: Invariant,
}

/// An inductive invariant: true in all initial states, preserved by every event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    /// Number of message slots per unbounded channel in the encoding: no event needs more.
    pub room: u32,
    /// Clauses over the bits of the state: a literal is a bit, from 1, or minus a bit if it is negated.
    pub clauses: Vec<Vec<i32>>,
}

/// No run has this many events, and no shorter run violates the claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exhausted {
    /// Number of message slots per unbounded channel in the encoding: no event needs more.
    pub room: u32,
    /// Number of events.
    pub events: u32,
}

/// A proof by the rule for ever of `order`: for each query of the rule the reason why it is unsatisfiable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderProof {
    /// Neither the code nor the claim can be an error.
    pub no_error: Never,
    /// One for each part of the claim (`passes::conjuncts`), in their order.
    pub parts: Vec<OrderPart>,
}

/// The proof that a part of a claim always holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderPart {
    /// Number of activations that the rule disregards.
    pub spare: u32,
    /// Neither the code nor the part can be an error.
    pub no_error: Never,
    /// No node reads an inbox that has no message from a node that can send, if the rule needs this.
    pub filled: Option<Never>,
    /// From any position of a run the part is not violated: one proof for each case of the rule.
    pub for_ever: Vec<Never>,
}

/// Why a query is unsatisfiable: orders of events without a schedule, which together with the query are contradictory.
/// Orders that follow from the times of two or three nodes are omitted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Never {
    /// The infeasible orders, each with its reason.
    pub orders: Vec<NoTimes>,
}

/// Order decisions that have no common schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum NoTimes {
    /// A cycle: in this order the decisions lead from one time to the next, and with the gaps of the nodes in between
    /// to a time that is later than itself.
    Round(Vec<Choice>),
    /// A Farkas certificate: the constraints of decisions and timings, multiplied by these factors, add up to a
    /// contradiction.
    Sum(Vec<(Demanded, Rational)>),
}

/// The n-th activation of a node, from 1; 0 is the last activation before the beginning, and so on backwards.
pub type Activation = (NodeId, i32);

/// A decision about the order of two events. The text form counts nodes from 1: `2.1 reaches 3.4` is about the first
/// activation of node 2 and the fourth of node 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Choice {
    /// A message sent at the first activation arrives before the second.
    Reaches(Activation, Activation),
    /// A message sent at the first activation does not arrive before the second.
    Misses(Activation, Activation),
    /// The activation is before the observed time.
    Passed(Activation),
    /// The activation is not before the observed time.
    Ahead(Activation),
}

/// A constraint on times, from any position of a run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Demanded {
    /// The constraint of a decision.
    By(Choice),
    /// The period or gap of a node is at least the declared minimum.
    PeriodFrom(NodeId),
    /// The period or gap of a node is at most the declared maximum.
    PeriodTo(NodeId),
    /// The first activation of a node is not before the start.
    FirstFrom(NodeId),
    /// The first activation of a node is at most one whole gap after the start.
    FirstTo(NodeId),
    /// The activation, one before the beginning, is not after the beginning.
    Over(Activation),
    /// The gap from this activation to the next is at least the minimum.
    GapFrom(Activation),
    /// The gap from this activation to the next is at most the maximum.
    GapTo(Activation),
    /// The observed time is not before the start.
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
