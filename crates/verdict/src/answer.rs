//! Questions about a Machine, and the answers of engines.

use crate::{
    CountersApart, Evidence, Omission, Premise, Reason, Reduction, Run, StateExplosion,
    TimeAbstraction,
};
use machine::{EdgeId, InitialError, Machine};
use rational::Rational;
use serde::{Deserialize, Serialize};

/// A question: whether the properties of a Machine hold.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The Machine.
    pub machine: &'a Machine,
    /// Whether only weakly fair runs count (true) or all runs (false).
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
    /// This run ends in a runtime error, and no run was found that violates the claim or reaches the condition.
    Error(Box<Run>),
    /// For a sought number: the value found. The run violates the claim for the next value, for which the claim fails;
    /// `None` if there is no such value.
    Value(i64, Option<Box<Run>>),
    /// For a sought time: the threshold of the claim. The run violates the claim at the threshold or just beyond it.
    Time(Threshold, Option<Box<Run>>),
    /// For a sought value: no value satisfies the claim. This run violates the claim for every value, or for the last
    /// value that was tried, after all others were refuted.
    NoBound(Box<Run>),
    /// The question is not decided, for this reason.
    Unknown(Reason),
}

/// The threshold of a time parameter: where a claim stops holding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The time at the threshold.
    pub time: Rational,
    /// Whether the claim holds at the threshold, or on which side of it.
    pub side: Side,
}

/// Where a claim holds relative to a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The claim holds at the threshold.
    Here,
    /// The claim holds below the threshold, but not at it.
    Below,
    /// The claim holds above the threshold, but not at it.
    Above,
}

impl Answer {
    /// The answer with another run; unchanged if the answer has no run.
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

    /// The run that shows the answer; `None` if the answer has no run.
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
    /// The name of the method, as reports show it.
    pub method: &'static str,
    /// How the method treats time; `None` if the Machine has no real times.
    pub abstraction: Option<TimeAbstraction>,
    /// One result for each property, in the order of the Machine.
    pub results: Vec<PropertyResult>,
    /// The size of the search.
    pub counts: Counts,
    /// Further observations of the search.
    pub findings: Findings,
}

/// The result for one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyResult {
    /// The answer, with its run.
    pub answer: Answer,
    /// The evidence; `None` if the property does not hold or the method produces no evidence.
    pub evidence: Option<Evidence>,
    /// Whether the premise of the claim is ever true; `None` if the claim has no premise.
    pub premise: Option<Premise>,
    /// If the property depends on time only by one upper bound: the latest time at which the property needs this bound.
    pub latest: Option<Latest>,
    /// The method that gave the answer; `None` if it is the method of the report.
    pub by: Option<&'static str>,
    /// For an answer about every size that follows from the answers at small sizes: the number of nodes that decides.
    pub projection: Option<Projection>,
}

/// How many nodes decide a claim about any number of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Projection {
    /// The number of nodes that the claim names.
    pub names: u32,
    /// The number of nodes that decides: if the claim holds for this number of nodes, it holds for every larger number.
    pub nodes: u32,
}

impl From<Answer> for PropertyResult {
    fn from(answer: Answer) -> PropertyResult {
        PropertyResult {
            answer,
            evidence: None,
            premise: None,
            latest: None,
            by: None,
            projection: None,
        }
    }
}

impl Report {
    /// The answers, one for each property.
    pub fn answers(&self) -> impl Iterator<Item = &Answer> + Clone {
        self.results.iter().map(|result| &result.answer)
    }

    /// The answer to the only property; `None` if the number of properties is not 1.
    pub fn only_answer(&self) -> Option<&Answer> {
        match &self.results[..] {
            [only] => Some(&only.answer),
            _ => None,
        }
    }
}

/// The size of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Number of frozen choices that were searched.
    pub instances: u64,
    /// Whether each instance also represents its rotations.
    pub up_to_rotation: bool,
    /// Number of initial states.
    pub initial: u64,
    /// Number of visited states.
    pub states: u64,
    /// Number of transitions.
    pub transitions: u64,
    /// The largest distance of a state from the initial states, in events.
    pub depth: u64,
    /// Peak memory for states, in bytes.
    pub memory: u64,
}

/// Observations of a search beyond the answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// Whether every reachable state of every instance was visited. If not, the absence of an observation proves
    /// nothing.
    pub complete: bool,
    /// A shortest run to a deadlock: a final state in which a node still waits.
    pub deadlock: Option<Box<Run>>,
    /// A shortest run that ends in a runtime error.
    pub error: Option<Box<Run>>,
    /// Indexed by block: whether it was executed.
    pub ran: Vec<bool>,
    /// Indexed by record type: whether a message of the type was sent.
    pub sent: Vec<bool>,
    /// If a limit was reached: the unbounded channel with the most messages in the last state, and their number.
    pub longest: Option<(EdgeId, u64)>,
    /// If a limit was reached: all runs of up to this many events were explored, in every instance.
    #[serde(skip)]
    pub explored: Option<u64>,
    /// If a limit was reached: the state-explosion diagnosis, unless the search was small.
    #[serde(skip)]
    pub state_explosion: Option<Box<StateExplosion>>,
    /// If the search is unfinished: the counters whose bounds were widened several times.
    #[serde(skip)]
    pub apart: Option<CountersApart>,
    /// The reductions that were applied, or why they were not.
    pub reduced: Vec<Reduction>,
    /// The omission probability, if states were identified by hashes only.
    #[serde(skip)]
    pub omission: Option<Omission>,
}

/// The latest time at which the claim without its upper time bound is violated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latest {
    /// The time, in units of the digitisation.
    pub units: u32,
    /// A run up to that time.
    pub run: Box<Run>,
}

/// Why an engine returns no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The initial states cannot be computed.
    Initial(InitialError),
    /// No state satisfies the restrictions of initial states.
    NoInitialState,
    /// The engine cannot represent this Machine, for the reason given as text.
    Unsupported(String),
    /// A stored checkpoint cannot be used, for the reason given as text.
    Checkpoint(String),
    /// Two methods give contradictory answers to a property, so one of them is wrong.
    Contradiction(Box<Contradiction>),
}

/// Two answers to the same property that cannot both be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The index of the property in the Machine.
    pub property: usize,
    /// The earlier answer.
    pub first: Opinion,
    /// The later answer.
    pub second: Opinion,
}

/// The answer of one method, with its run or evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// The method.
    pub method: &'static str,
    /// The answer, with its run.
    pub answer: Answer,
    /// The evidence, if the method produces it.
    pub evidence: Option<Evidence>,
}

impl Answer {
    /// Whether two answers to the same property cannot both be true. `Error` and `Unknown` contradict no answer.
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
