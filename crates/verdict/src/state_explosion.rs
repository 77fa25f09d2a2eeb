//! What was measured of a search that came to a limit: what it is that makes its states so many, and how it would have gone on.

use crate::Spent;

/// What a search knows of its size when it comes to a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateExplosion {
    /// Which limit it was.
    pub spent: Spent,
    /// States that were measured: the first so many that were found.
    pub measured: u64,
    /// States that there were, in the instance in which the limit was reached.
    pub of: u64,
    /// What multiplies the states, most first; nothing that does so by less than one and a half.
    pub multipliers: Vec<Multiplier>,
    /// How many states were found at each number of events from a beginning; the last number may not be complete.
    pub levels: Vec<u64>,
    /// How many more states there may be, at least and at most, where the search was on the way to its end.
    pub left: Option<(u64, u64)>,
    /// Which of how many arrangements the limit was reached in, from 1, where there are several and somebody counted them.
    pub arrangement: Option<(u64, u64)>,
}

impl StateExplosion {
    /// By how much one more event multiplied the states lately, in hundredths: over the last complete levels, if they all
    /// grew.
    pub fn growth(&self) -> Option<u64> {
        let [.., a, b, c, _] = self.levels[..] else {
            return None;
        };
        let grows = a > 0 && a < b && b < c;
        grows.then(|| ((c as f64 / a as f64).sqrt() * 100.0).round() as u64)
    }
}

/// A part of all states, and by what it multiplies them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multiplier {
    /// The part.
    pub what: Component,
    /// So many states, in hundredths, are the same but for it.
    pub hundredths: u64,
}

/// A part of a state: the same of all nodes of a kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Component {
    /// A variable.
    Variable {
        /// Whose it is.
        kind: String,
        /// Its name.
        name: String,
    },
    /// Who has begun, is at work, has halted or has crashed.
    Mode(String),
    /// What nodes of a kind have sent and not yet handed over.
    Outbox(String),
    /// What was received and not yet looked at.
    Inbox(String),
    /// What is on the way.
    Channel {
        /// From nodes of this kind.
        from: String,
        /// To nodes of this kind.
        to: String,
    },
    /// Everything that is on the way, where there are channels between several kinds.
    Channels,
    /// How many faults may still happen.
    Faults,
    /// Who may be active next, by rhythms.
    Pace,
    /// Clocks and times that are counted.
    Clocks,
    /// What is chosen before a run begins and never changes: each choice has a search of its own.
    Arrangements,
}
