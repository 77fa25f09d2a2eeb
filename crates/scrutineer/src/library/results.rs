//! Results as data: reports, verdicts, witnesses, counts.

use crate::library::evidence::Evidence;
use report::RunData;
use serde::Serialize;
use std::time::Duration;
use verdict::ReasonKind;

/// The results of a check.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// One result for each claim and each instance (choice of parameter values).
    pub properties: Vec<PropertyResult>,
    /// The assumptions of the results, as text; empty for a Machine that was built in code.
    pub assumed: String,
    /// The wall-clock time of the check.
    pub took: Duration,
}

impl Report {
    /// Whether every result is as expected. An unknown result is not, unless the check says `expect unknown`.
    pub fn is_good(&self) -> bool {
        let mut all = self.properties.iter();
        all.all(|result| result.judgement == Judgement::Good)
    }
}

/// The result for one claim, or for one condition of `possible`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PropertyResult {
    /// The claim with its arguments, or the condition, as in the model text. For a Machine, the name of the property.
    pub claim: String,
    /// Whether it is a claim, a condition of `possible`, or a search for a value.
    pub kind: PropertyKind,
    /// The parameter values of the instance that decides the verdict, in the order of the model.
    pub parameters: Vec<Parameter>,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether the verdict is as `expect` says, or acceptable if there is no `expect`.
    pub judgement: Judgement,
    /// Whether the claim holds vacuously: its premise is true in no state.
    pub vacuous: bool,
    /// What the verdict covers, as text: parameters, networks, orders of ids. Empty for a Machine that was built in
    /// code.
    pub covers: String,
    /// The run that shows the verdict: it violates the claim, reaches the condition, or ends in an error. `None` if the
    /// verdict has no run.
    pub witness: Option<Witness>,
    /// The proof, if the claim holds and the method produces one.
    pub evidence: Option<Evidence>,
    /// The name of the method that decided the question.
    pub method: &'static str,
    /// The size of the search.
    pub counts: Counts,
}

impl PropertyResult {
    /// Whether all runs are covered by a proof: the claim holds and is not known to be vacuous, the condition is
    /// impossible, or the sought value is found. Never true for an unknown verdict.
    pub fn is_proved(&self) -> bool {
        match self.verdict {
            Verdict::Holds => !self.vacuous,
            Verdict::Impossible | Verdict::Value { .. } => true,
            _ => false,
        }
    }

    /// The reason if the verdict is unknown, else `None`.
    pub fn reason(&self) -> Option<&str> {
        match &self.verdict {
            Verdict::Unknown { reason, .. } => Some(reason),
            _ => None,
        }
    }
}

impl std::fmt::Display for PropertyResult {
    /// The claim, its verdict and what it covers in one line; then the story of the witness, one sentence per line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.claim, self.verdict)?;
        if !self.covers.is_empty() {
            write!(f, " ({})", self.covers)?;
        }
        for line in self.witness.iter().flat_map(|witness| &witness.story) {
            write!(f, "\n  {line}")?;
        }
        Ok(())
    }
}

/// The kind of question that a property asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PropertyKind {
    /// Whether every run satisfies a claim.
    Claim,
    /// Whether some run reaches a state in which a condition is true.
    Possible,
    /// The least value for which every run satisfies a claim.
    Least,
    /// The greatest value for which every run satisfies a claim.
    Greatest,
}

/// The answer to a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "is")]
#[non_exhaustive]
pub enum Verdict {
    /// Every run satisfies the claim.
    Holds,
    /// The witness violates the claim.
    Fails,
    /// The witness reaches the condition.
    Possible,
    /// No run reaches the condition.
    Impossible,
    /// The least or greatest value for which the claim holds. If the value is a number, a witness violates the claim
    /// for the neighbouring value: the one below for `least`, the one above for `greatest`.
    #[non_exhaustive]
    Value {
        /// The number or time, in the notation of the model.
        text: String,
        /// The value if it is a number; `None` if it is a time.
        number: Option<i64>,
    },
    /// The claim holds for no value: the witness violates it for every one.
    FailsForEveryBound,
    /// The witness ends in an error of the model, and no run that violates the claim was found.
    Error,
    /// No method decided the question. Nothing is proved or refuted.
    #[non_exhaustive]
    Unknown {
        /// The kind of the reason: a limit, an unsupported question, a method without a result, or a defect.
        kind: ReasonKind,
        /// The reason as text.
        reason: String,
    },
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::Holds => f.write_str("holds"),
            Verdict::Fails => f.write_str("fails"),
            Verdict::Possible => f.write_str("possible"),
            Verdict::Impossible => f.write_str("impossible"),
            Verdict::Value { text, .. } => f.write_str(text),
            Verdict::FailsForEveryBound => f.write_str("fails for every bound"),
            Verdict::Error => f.write_str("error in a run"),
            Verdict::Unknown { reason, .. } => write!(f, "unknown: {reason}"),
        }
    }
}

/// Whether a verdict is as expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Judgement {
    /// The verdict is as `expect` says; or there is no `expect`, and the verdict is neither a failed claim, nor an
    /// error, nor unknown.
    Good,
    /// The verdict differs from `expect`; or `holds` is expected and the claim holds vacuously; or there is no
    /// `expect`, and the claim fails or a run ends in an error.
    Bad,
    /// The verdict is unknown and was not expected to be, or `holds` is expected and it is unknown whether the premise
    /// of the claim is ever true.
    Unknown,
}

/// A parameter of a model with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Parameter {
    /// The name of the parameter.
    pub name: String,
    /// The value, in the notation of the model.
    pub value: String,
}

/// The run that shows a verdict. It has been replayed on the reference interpreter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Witness {
    /// The run as text for the user, one sentence per line.
    pub story: Vec<String>,
    /// The run as data, with all its events.
    pub run: RunData,
}

/// The size of a search, over all instances that the result covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Counts {
    /// The number of choices of frozen values, such as orders of ids.
    pub instances: u64,
    /// The number of initial states.
    pub initial: u64,
    /// The number of states.
    pub states: u64,
    /// The number of transitions.
    pub transitions: u64,
    /// The largest number of events on a shortest run from an initial state to a state.
    pub depth: u64,
    /// The peak memory for states, in bytes.
    pub bytes: u64,
}
