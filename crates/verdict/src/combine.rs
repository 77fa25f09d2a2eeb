//! Construction of reports: a report without answers, and the combination of two reports about one Machine.

use crate::{
    Answer, Counts, Findings, Premise, PropertyResult, Reason, Report, Run, StateExplosion,
};
use machine::{Machine, Property};

/// The method of a report in which no engine answered.
pub const NO_METHOD: &str = "none";

impl Answer {
    /// Whether the answer is `Unknown`.
    pub fn is_open(&self) -> bool {
        matches!(self, Answer::Unknown(_))
    }
}

impl Report {
    /// A report in which every property of a Machine is unknown, for one reason.
    pub fn unanswered(machine: &Machine, why: Reason) -> Report {
        let result = |property| PropertyResult {
            premise: Premise::of(property),
            ..Answer::Unknown(why.clone()).into()
        };
        Report {
            method: NO_METHOD,
            abstraction: None,
            results: machine.properties.iter().map(result).collect(),
            counts: Counts::default(),
            findings: Findings::default(),
        }
    }

    /// Whether some answer is `Unknown`.
    pub fn has_open(&self) -> bool {
        self.answers().any(Answer::is_open)
    }

    /// Combines two reports about the same Machine with different properties: the results of `self`, then those of
    /// `other`.
    pub fn beside(mut self, other: Report) -> Report {
        self.results.extend(other.results);
        self.counts = self.counts.beside(other.counts);
        self.findings = self.findings.beside(other.findings);
        self
    }
}

impl Counts {
    /// The combined counts of two searches of the same instances.
    fn beside(self, other: Counts) -> Counts {
        Counts {
            instances: self.instances.max(other.instances),
            up_to_rotation: self.up_to_rotation && other.up_to_rotation,
            initial: self.initial + other.initial,
            states: self.states + other.states,
            transitions: self.transitions + other.transitions,
            depth: self.depth.max(other.depth),
            memory: self.memory.max(other.memory),
        }
    }
}

impl Findings {
    fn beside(self, other: Findings) -> Findings {
        let either = |a: Vec<bool>, b: Vec<bool>| a.iter().zip(&b).map(|(a, b)| *a || *b).collect();
        let shorter = |a: Option<Box<Run>>, b: Option<Box<Run>>| match (a, b) {
            (Some(a), Some(b)) if b.choices.len() < a.choices.len() => Some(b),
            (a, b) => a.or(b),
        };
        Findings {
            explored: explored(&self, &other),
            ran: either(self.ran, other.ran),
            sent: either(self.sent, other.sent),
            deadlock: shorter(self.deadlock, other.deadlock),
            error: shorter(self.error, other.error),
            complete: self.complete && other.complete,
            longest: self.longest.max(other.longest),
            state_explosion: larger(self.state_explosion, other.state_explosion),
            apart: self.apart.or(other.apart),
            reduced: [self.reduced, other.reduced].concat(),
            omission: match (self.omission, other.omission) {
                (Some(a), Some(b)) => Some(a.beside(b)),
                (a, b) => a.or(b),
            },
        }
    }
}

/// The number of events up to which both searches explored all runs; `None` if both are complete or it is not known.
fn explored(a: &Findings, b: &Findings) -> Option<u64> {
    match (a.complete, b.complete) {
        (true, _) => b.explored,
        (_, true) => a.explored,
        (false, false) => a.explored.min(b.explored),
    }
}

/// The diagnosis of the search with more states.
fn larger(
    a: Option<Box<StateExplosion>>,
    b: Option<Box<StateExplosion>>,
) -> Option<Box<StateExplosion>> {
    [a, b].into_iter().flatten().max_by_key(|search| search.of)
}

/// The reason why a conjunction is unknown if both parts are unknown: the first one other than hash compaction. If both
/// reasons are hash compaction, their omission probabilities are added.
pub fn both_open(a: Reason, b: Reason) -> Reason {
    match (a, b) {
        (Reason::MayBeOmitted(a, goal), Reason::MayBeOmitted(b, _)) => {
            Reason::MayBeOmitted(a.beside(b), goal)
        }
        (Reason::MayBeOmitted(..), b) => b,
        (a, _) => a,
    }
}

/// The Machine with `property` as its only property.
pub fn with_only(machine: &Machine, property: &Property) -> Machine {
    Machine {
        properties: vec![property.clone()],
        ..machine.clone()
    }
}
