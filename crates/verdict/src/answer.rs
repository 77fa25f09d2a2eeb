//! Questions about a Machine, and answers.

use crate::{Evidence, Omission, Run, StateExplosion};
use machine::{EdgeId, InitialError, Machine};
use rational::Rational;
use serde::{Deserialize, Serialize};

/// Asks for the answer to every property of a Machine.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The Machine.
    pub machine: &'a Machine,
    /// Runs are weakly fair.
    pub fair: bool,
}

/// The answer to one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Every run satisfies the claim.
    Holds,
    /// This run breaks the claim.
    Fails(Box<Run>),
    /// This run reaches the condition.
    Possible(Box<Run>),
    /// No run reaches the condition.
    Impossible,
    /// No run that was found breaks the claim (or reaches the condition), but this one ends in an error.
    Error(Box<Run>),
    /// Of a sought value: it is this one; the run breaks the claim for its neighbour, if it has one.
    Value(i64, Option<Box<Run>>),
    /// Of a sought time: where those begin, or end, for which the claim holds; the run breaks it just before, or behind.
    Time(Threshold, Option<Box<Run>>),
    /// Of a sought value: there is none; on this run the claim is false for every bound, however large.
    NoBound(Box<Run>),
    /// Nobody knows, and why.
    Unknown(String),
}

/// Where the times for which a claim holds begin or end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The time.
    pub time: Rational,
    /// Whether the claim holds there.
    pub side: Side,
}

/// On which side of a threshold the times are for which a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The threshold is one of them.
    Here,
    /// They are below, and the threshold is none.
    Below,
    /// They are above, and the threshold is none.
    Above,
}

impl Answer {
    /// The same answer, shown by another run; as it is if no run shows it.
    pub fn with_run(self, run: Box<Run>) -> Answer {
        match self {
            Answer::Fails(_) => Answer::Fails(run),
            Answer::Possible(_) => Answer::Possible(run),
            Answer::Error(_) => Answer::Error(run),
            Answer::NoBound(_) => Answer::NoBound(run),
            Answer::Value(value, Some(_)) => Answer::Value(value, Some(run)),
            Answer::Time(threshold, Some(_)) => Answer::Time(threshold, Some(run)),
            Answer::Holds
            | Answer::Impossible
            | Answer::Value(_, None)
            | Answer::Time(_, None)
            | Answer::Unknown(_) => self,
        }
    }

    /// The run that shows it.
    pub fn run(&self) -> Option<&Run> {
        match self {
            Answer::Fails(run)
            | Answer::Possible(run)
            | Answer::Error(run)
            | Answer::NoBound(run)
            | Answer::Value(_, Some(run))
            | Answer::Time(_, Some(run)) => Some(run),
            Answer::Holds
            | Answer::Impossible
            | Answer::Value(_, None)
            | Answer::Time(_, None)
            | Answer::Unknown(_) => None,
        }
    }
}

/// What an engine has to say about a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The method, in a word or two.
    pub method: &'static str,
    /// What was done with time, in words, where there is time.
    pub abstraction: Option<String>,
    /// One for each property.
    pub answers: Vec<Answer>,
    /// What was visited.
    pub counts: Counts,
    /// What else was seen.
    pub findings: Findings,
    /// For each property what proves it, where it holds and the method keeps that; there may be fewer.
    pub evidence: Vec<Option<Evidence>>,
}

impl Report {
    /// What proves a property.
    pub fn evidence_of(&self, property: usize) -> Option<&Evidence> {
        self.evidence.get(property)?.as_ref()
    }
}

/// How much was visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Choices of what is frozen.
    pub instances: u64,
    /// They stand for their rotations, too.
    pub up_to_rotation: bool,
    /// Initial states.
    pub initial: u64,
    /// States.
    pub states: u64,
    /// Choices taken in them.
    pub transitions: u64,
    /// Events from an initial state to the furthest state.
    pub depth: u64,
    /// Bytes used for states, at the most.
    pub memory: u64,
}

/// What was seen on the way, for the end of the report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// Every state of every instance was visited; otherwise what was not seen may still exist.
    pub complete: bool,
    /// A shortest run that reaches a final state in which a node still waits.
    pub deadlock: Option<Box<Run>>,
    /// A shortest run into an error.
    pub error: Option<Box<Run>>,
    /// For each block, whether it ran.
    pub ran: Vec<bool>,
    /// For each record, whether it was sent.
    pub sent: Vec<bool>,
    /// When a limit was reached: the longest unbounded channel in the state found last, and its length.
    pub longest: Option<(EdgeId, u64)>,
    /// When a limit was reached: every run of up to so many events was looked at, in every instance.
    #[serde(skip)]
    pub explored: Option<u64>,
    /// When a limit was reached: what makes the search so big, if it was not a small one.
    #[serde(skip)]
    pub state_explosion: Option<Box<StateExplosion>>,
    /// For each property: whether its premise is ever true, if it has one.
    pub premises: Vec<Option<Premise>>,
    /// For each property that says no more of the time than that it is up to then: the last moment at which it must be.
    pub latest: Vec<Option<Latest>>,
    /// For each property: who answered it, if that is somebody else than the method of the report.
    #[serde(skip)]
    pub by: Vec<Option<&'static str>>,
    /// What was left out because nobody can tell, or why it could not be, in words.
    pub reduced: Vec<String>,
    /// States were told apart by hashes only, so that some may have been missed.
    #[serde(skip)]
    pub omission: Option<Omission>,
}

/// The last moment at which a claim needs that the time is up to a bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latest {
    /// In units of the grid.
    pub units: u32,
    /// A run to that moment.
    pub run: Box<Run>,
}

/// Whether the premise of a claim is ever true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Premise {
    /// In some state of some run.
    Met,
    /// In none: the claim says nothing.
    Never,
    /// Nobody knows.
    Open,
}

impl Premise {
    /// Of a premise that is true where either of two is.
    pub fn either(self, other: Premise) -> Premise {
        match (self, other) {
            (Premise::Met, _) | (_, Premise::Met) => Premise::Met,
            (Premise::Never, Premise::Never) => Premise::Never,
            _ => Premise::Open,
        }
    }
}

/// Why an engine gives no report at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The initial states cannot be made.
    Initial(InitialError),
    /// No state satisfies what is asked of initial states.
    NoInitialState,
    /// The engine cannot represent this Machine; in words.
    Unsupported(String),
    /// What was kept of an earlier search is not to be trusted; in words.
    Checkpoint(String),
    /// Two methods answer the same property differently: one of them is wrong.
    Contradiction(Box<Contradiction>),
}

/// Two answers to the same property that cannot both be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The property, by its place in the Machine.
    pub property: usize,
    /// The earlier answer.
    pub first: Opinion,
    /// The later answer.
    pub second: Opinion,
}

/// The answer of one method, with its witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// The method.
    pub method: &'static str,
    /// The answer; a run in it is its witness.
    pub answer: Answer,
    /// The proof, if the method keeps one.
    pub evidence: Option<Evidence>,
}

impl Answer {
    /// Whether two answers to the same property cannot both be true. Errors and open answers contradict nothing.
    pub fn contradicts(&self, other: &Answer) -> bool {
        use Answer::{Fails, Holds, Impossible, NoBound, Possible, Time, Value};
        match (self, other) {
            (Holds, Fails(_)) | (Fails(_), Holds) => true,
            (Possible(_), Impossible) | (Impossible, Possible(_)) => true,
            (Value(a, _), Value(b, _)) => a != b,
            (Time(a, _), Time(b, _)) => a != b,
            (Value(..) | Time(..), NoBound(_)) | (NoBound(_), Value(..) | Time(..)) => true,
            _ => false,
        }
    }
}
