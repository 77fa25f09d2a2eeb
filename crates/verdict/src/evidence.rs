//! Why a claim holds: what an engine has found, as data that somebody else can check.
//!
//! Evidence is about one Machine with one property, which whoever keeps it keeps beside it. It says no more than what is hard
//! to find; what follows from the Machine is made again by who checks it (`audit::evidence`), and nothing in it is believed.

use crate::Relying;
use machine::NodeId;
use rational::Rational;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What proves that a claim holds, for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Evidence {
    /// By the order of events of nodes with a rhythm.
    Order(OrderProof),
    /// By induction over events.
    Induction(Induction),
    /// By an invariant.
    Invariant(Invariant),
    /// By runs that all come to an end.
    Exhausted(Exhausted),
    /// By one of these that relies on claims proved before.
    Relying(Relying),
}

/// The first k states of every run satisfy the claim, and so does each that comes after k different ones that satisfy it, if all
/// satisfy the strengthening, which holds in all reachable states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Induction {
    /// How many states.
    pub k: u32,
    /// What else is true of each state.
    pub strengthening: Invariant,
}

/// True at first, kept by every event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    /// For how many messages the state has room where there is no bound: no event needs more.
    pub room: u32,
    /// Of each clause one literal is true: a bit of the state, from 1, or minus a bit if it is not set.
    pub clauses: Vec<Vec<i32>>,
}

/// No run has so many events, and none breaks the claim before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exhausted {
    /// For how many messages the state has room where there is no bound: no event needs more.
    pub room: u32,
    /// How many events.
    pub events: u32,
}

/// A claim is proved by the rule for ever of `order`: of each question that the rule asks it is said why nothing makes it true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderProof {
    /// Neither the code nor the claim is ever an error.
    pub no_error: Never,
    /// One for each part of the claim (`passes::conjuncts`), in their order.
    pub parts: Vec<OrderPart>,
}

/// A part of a claim is true for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderPart {
    /// So many activations do not count.
    pub spare: u32,
    /// Neither the code nor the part is ever an error.
    pub no_error: Never,
    /// Nobody looks into an inbox and finds nothing from a node that can send, if that is needed.
    pub filled: Option<Never>,
    /// From any moment of a run the part is not broken: one for each case that the rule tells apart.
    pub for_ever: Vec<Never>,
}

/// Why nothing makes the answer to a question yes: orders of events without times, which together with what the question says
/// leave nothing. Those that follow from the times of two or three nodes are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Never {
    /// Each with its reason.
    pub orders: Vec<NoTimes>,
}

/// Choices of who comes first that cannot be made together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum NoTimes {
    /// In this order they lead round from one moment to the next, and together with what nodes take between them to a moment
    /// that would be later than itself.
    Round(Vec<Choice>),
    /// What choices and rhythms demand, multiplied by these numbers, adds up to something impossible.
    Sum(Vec<(Demanded, Rational)>),
}

/// The n-th activation of a node, from 1; 0 is the last one before the beginning, and so on backwards.
pub type Activation = (NodeId, i32);

/// A choice of who comes first. Its text form has nodes from 1: `2.1 reaches 3.4` is about the first activation of node 2 and
/// the fourth of node 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Choice {
    /// What is sent at the first has arrived before the second happens.
    Reaches(Activation, Activation),
    /// It has not.
    Misses(Activation, Activation),
    /// The activation is before the moment that is looked at.
    Passed(Activation),
    /// It is not.
    Ahead(Activation),
}

/// Something that is demanded of times, from any moment of a run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Demanded {
    /// By a choice.
    By(Choice),
    /// The period, or the gap, of a node is at least what is declared.
    PeriodFrom(NodeId),
    /// It is at most that.
    PeriodTo(NodeId),
    /// The first activation of a node is not before the start.
    FirstFrom(NodeId),
    /// It is a whole gap later at most.
    FirstTo(NodeId),
    /// The activation, one before the beginning, is not behind it.
    Over(Activation),
    /// From this activation to the next it is not less than the period allows.
    GapFrom(Activation),
    /// It is not more.
    GapTo(Activation),
    /// The moment that is looked at is not before the start.
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
