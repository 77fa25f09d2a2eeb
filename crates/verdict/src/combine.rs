//! Reports put together: no answers at all, and two reports about one Machine side by side.

use crate::{Answer, Counts, Findings, Omission, Report, Run, StateExplosion};
use machine::{Machine, Property};

/// The method of a report in which no engine answered.
pub const NO_METHOD: &str = "none";

impl Answer {
    /// Whether the property is still undecided.
    pub fn is_open(&self) -> bool {
        matches!(self, Answer::Unknown(_))
    }
}

impl Report {
    /// A report that leaves every property of a Machine open for one reason.
    pub fn unanswered(machine: &Machine, why: &str) -> Report {
        Report {
            method: NO_METHOD,
            abstraction: None,
            answers: vec![Answer::Unknown(why.to_string()); machine.properties.len()],
            counts: Counts::default(),
            findings: Findings::default(),
            evidence: Vec::new(),
        }
    }

    /// Whether some property is undecided.
    pub fn has_open(&self) -> bool {
        self.answers.iter().any(Answer::is_open)
    }

    /// One report of two about the same Machine with different properties: the answers of the first, then those of the second.
    pub fn beside(mut self, mut other: Report) -> Report {
        for report in [&mut self, &mut other] {
            report.evidence.resize(report.answers.len(), None);
            report.findings.by.resize(report.answers.len(), None);
        }
        self.answers.extend(other.answers);
        self.evidence.extend(other.evidence);
        self.counts = self.counts.beside(other.counts);
        self.findings = self.findings.beside(other.findings);
        self
    }
}

impl Counts {
    /// The counts of two searches of the same instances.
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
            premises: [self.premises, other.premises].concat(),
            deadlock: shorter(self.deadlock, other.deadlock),
            error: shorter(self.error, other.error),
            complete: self.complete && other.complete,
            longest: self.longest.max(other.longest),
            state_explosion: larger(self.state_explosion, other.state_explosion),
            latest: [self.latest, other.latest].concat(),
            by: [self.by, other.by].concat(),
            reduced: [self.reduced, other.reduced].concat(),
            omission: match (self.omission, other.omission) {
                (Some(a), Some(b)) => Some(a.beside(b)),
                (a, b) => a.or(b),
            },
        }
    }
}

/// The number of events up to which both searches looked at every run; nothing if both are complete.
fn explored(a: &Findings, b: &Findings) -> Option<u64> {
    match (a.complete, b.complete) {
        (true, _) => b.explored,
        (_, true) => a.explored,
        (false, false) => a.explored.min(b.explored),
    }
}

/// The diagnosis of the larger of two searches.
fn larger(
    a: Option<Box<StateExplosion>>,
    b: Option<Box<StateExplosion>>,
) -> Option<Box<StateExplosion>> {
    [a, b].into_iter().flatten().max_by_key(|search| search.of)
}

/// The answer to a conjunction of which both parts are open. If hash compaction alone leaves both open, the omission probabilities
/// of both count; if it leaves one open, the reason of the other says more.
pub fn both_open(
    (a, b): (Answer, Answer),
    omission: (Option<Omission>, Option<Omission>),
) -> Answer {
    let told = |omission: &Omission| Answer::Unknown(omission.told("breaks"));
    let by_hashes = |answer: &Answer, omission: &Option<Omission>| {
        omission
            .as_ref()
            .is_some_and(|omission| told(omission) == *answer)
    };
    match (
        by_hashes(&a, &omission.0),
        by_hashes(&b, &omission.1),
        omission,
    ) {
        (true, true, (Some(one), Some(other))) => told(&one.beside(other)),
        (true, ..) => b,
        (false, ..) => a,
    }
}

/// The Machine with one property.
pub fn with_only(machine: &Machine, property: &Property) -> Machine {
    Machine {
        properties: vec![property.clone()],
        ..machine.clone()
    }
}
