//! State-explosion diagnosis of a search that reached a limit: which components multiply the states, and how the search
//! was growing.

use crate::Spent;

/// The diagnosis of a search that reached a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateExplosion {
    /// The limit that was reached.
    pub spent: Spent,
    /// Number of measured states: the first ones that were found.
    pub measured: u64,
    /// Number of states in the instance in which the limit was reached.
    pub of: u64,
    /// Components that multiply the states by at least 1.5, largest first.
    pub multipliers: Vec<Multiplier>,
    /// Number of states per distance from an initial state; the last number may be incomplete.
    pub levels: Vec<u64>,
    /// An estimate of the number of remaining states, minimum and maximum, if the search was converging.
    pub left: Option<(u64, u64)>,
    /// The frozen choice in which the limit was reached, from 1, and their number, if there are several and they were
    /// counted.
    pub arrangement: Option<(u64, u64)>,
}

impl StateExplosion {
    /// The recent growth factor per level, in hundredths: over the last complete levels, if all of them grew.
    pub fn growth(&self) -> Option<u64> {
        let [.., a, b, c, _] = self.levels[..] else {
            return None;
        };
        let grows = a > 0 && a < b && b < c;
        grows.then(|| ((c as f64 / a as f64).sqrt() * 100.0).round() as u64)
    }
}

/// A component of the state, with its multiplication factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multiplier {
    /// The component.
    pub what: Component,
    /// Number of states per class of states that differ only in the component, in hundredths.
    pub hundredths: u64,
}

/// A component of the state, summed over the nodes of a kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Component {
    /// A variable.
    Variable {
        /// The kind of node that has it.
        kind: String,
        /// Its name.
        name: String,
    },
    /// The modes of nodes.
    Mode(String),
    /// The outboxes of nodes of a kind.
    Outbox(String),
    /// The inboxes of nodes of a kind.
    Inbox(String),
    /// The messages in flight between two kinds.
    Channel {
        /// The kind of the senders.
        from: String,
        /// The kind of the receivers.
        to: String,
    },
    /// All messages in flight, if there are channels between several kinds.
    Channels,
    /// The remaining budgets of faults.
    Faults,
    /// The counters of the ordering constraints of activations.
    Pace,
    /// Clocks and counted times.
    Clocks,
    /// The frozen choices: each has a search of its own.
    Arrangements,
}
