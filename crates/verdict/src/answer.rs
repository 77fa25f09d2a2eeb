//! Questions about a Machine, and answers.

use crate::{Evidence, Omission, Run, StateExplosion};
use machine::{EdgeId, InitialError, Machine};
use rational::Rational;
use serde::{Deserialize, Serialize};

/// The question for the answers to every property of a Machine.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The Machine.
    pub machine: &'a Machine,
    /// Only weakly fair runs count.
    pub fair: bool,
}

/// The answer to one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Every run satisfies the claim.
    Holds,
    /// This run violates the claim.
    Fails(Box<Run>),
    /// This run reaches the condition.
    Possible(Box<Run>),
    /// No run reaches the condition.
    Impossible,
    /// No run that was found violates the claim (or reaches the condition), but this run ends in an error.
    Error(Box<Run>),
    /// For a sought value: this value; the run violates the claim for its neighbour, if it has one.
    Value(i64, Option<Box<Run>>),
    /// For a sought time: the bound of the times for which the claim holds; the run violates the claim just beyond it.
    Time(Threshold, Option<Box<Run>>),
    /// For a sought value: there is none; on this run the claim is false for every bound.
    NoBound(Box<Run>),
    /// The answer is unknown, with the reason.
    Unknown(String),
}

/// The bound of the times for which a claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The time.
    pub time: Rational,
    /// Whether the claim holds at the bound itself, or on which side.
    pub side: Side,
}

/// On which side of a threshold a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The claim holds at the threshold.
    Here,
    /// The claim holds below, not at the threshold.
    Below,
    /// The claim holds above, not at the threshold.
    Above,
}

impl Answer {
    /// The answer with another witness run; unchanged if the answer has no run.
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

    /// The witness run.
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

/// The report of an engine about a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The method, in a word or two.
    pub method: &'static str,
    /// The treatment of time, in words, if the Machine has times.
    pub abstraction: Option<String>,
    /// One for each property.
    pub answers: Vec<Answer>,
    /// The size of the search.
    pub counts: Counts,
    /// Further observations.
    pub findings: Findings,
    /// By property: the evidence for it, if it holds and the method produces evidence; may be shorter than the
    /// properties.
    pub evidence: Vec<Option<Evidence>>,
}

impl Report {
    /// The evidence for a property.
    pub fn evidence_of(&self, property: usize) -> Option<&Evidence> {
        self.evidence.get(property)?.as_ref()
    }
}

/// The size of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Frozen choices.
    pub instances: u64,
    /// Each instance also stands for its rotations.
    pub up_to_rotation: bool,
    /// Initial states.
    pub initial: u64,
    /// States.
    pub states: u64,
    /// Transitions.
    pub transitions: u64,
    /// Maximum number of events from an initial state to a state, along shortest runs.
    pub depth: u64,
    /// Peak memory for states, in bytes.
    pub memory: u64,
}

/// Observations of a search, for the end of the report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// Every state of every instance was visited; otherwise unobserved behaviour may still exist.
    pub complete: bool,
    /// A shortest run to a final state in which a node still waits.
    pub deadlock: Option<Box<Run>>,
    /// A shortest run into an error.
    pub error: Option<Box<Run>>,
    /// For each block, whether it ran.
    pub ran: Vec<bool>,
    /// For each record, whether it was sent.
    pub sent: Vec<bool>,
    /// When a limit was reached: the longest unbounded channel in the last state, and its length.
    pub longest: Option<(EdgeId, u64)>,
    /// When a limit was reached: all runs of up to this many events were explored, in every instance.
    #[serde(skip)]
    pub explored: Option<u64>,
    /// When a limit was reached: the state-explosion diagnosis, unless the search was small.
    #[serde(skip)]
    pub state_explosion: Option<Box<StateExplosion>>,
    /// By property: whether its premise is ever true, if it has one.
    pub premises: Vec<Option<Premise>>,
    /// By property that depends on time only by one upper bound: the latest time at which the bound is needed.
    pub latest: Vec<Option<Latest>>,
    /// By property: the method that answered it, if it differs from the method of the report.
    #[serde(skip)]
    pub by: Vec<Option<&'static str>>,
    /// The reductions that were applied, or why they could not be, in words.
    pub reduced: Vec<String>,
    /// States were identified by hashes only, so that some may have been missed.
    #[serde(skip)]
    pub omission: Option<Omission>,
}

/// The latest time at which a claim needs its upper time bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latest {
    /// In units of the digitisation.
    pub units: u32,
    /// A run to that time.
    pub run: Box<Run>,
}

/// Whether the premise of a claim is ever true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Premise {
    /// In some state of some run.
    Met,
    /// In no state: the claim holds vacuously.
    Never,
    /// Unknown.
    Open,
}

impl Premise {
    /// The premise that is the disjunction of two premises.
    pub fn either(self, other: Premise) -> Premise {
        match (self, other) {
            (Premise::Met, _) | (_, Premise::Met) => Premise::Met,
            (Premise::Never, Premise::Never) => Premise::Never,
            _ => Premise::Open,
        }
    }
}

/// Why an engine produces no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The initial states cannot be computed.
    Initial(InitialError),
    /// No state satisfies the restrictions of initial states.
    NoInitialState,
    /// The engine cannot represent this Machine; in words.
    Unsupported(String),
    /// A stored checkpoint is not trustworthy; in words.
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
