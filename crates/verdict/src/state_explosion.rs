//! State-explosion diagnosis of a search that reached a limit: which components multiply the states, and how the number
//! of states grew.

use crate::Spent;

/// The diagnosis of a search that reached a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateExplosion {
    /// The limit that was reached.
    pub spent: Spent,
    /// Number of states that were measured; they are the first states found.
    pub measured: u64,
    /// Number of states found in the instance in which the limit was reached.
    pub of: u64,
    /// Components that multiply the states by at least 1.5, largest first.
    pub multipliers: Vec<Multiplier>,
    /// Number of states for each distance from the initial states. The last number may be incomplete.
    pub levels: Vec<u64>,
    /// An estimate of the number of remaining states (minimum, maximum); `None` if the levels were not shrinking.
    pub left: Option<(u64, u64)>,
    /// The number of the frozen choice in which the limit was reached, from 1, and the number of all choices; `None` if
    /// there is only one or they were not counted.
    pub arrangement: Option<(u64, u64)>,
}

/// Counters that grow apart. If their difference has no bound, there are infinitely many states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountersApart {
    /// The name of each counter, and the kind or message type that has it.
    pub counters: Vec<(String, String)>,
    /// Two of them differ by more than this.
    pub by: i64,
}

impl StateExplosion {
    /// The growth factor per level, in hundredths, over the last three complete levels; `None` unless each is larger
    /// than the one before.
    pub fn growth(&self) -> Option<u64> {
        let [.., a, b, c, _] = self.levels[..] else {
            return None;
        };
        let grows = a > 0 && a < b && b < c;
        grows.then(|| ((c as f64 / a as f64).sqrt() * 100.0).round() as u64)
    }
}

/// A component of the state, with the factor by which it multiplies the states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multiplier {
    /// The component.
    pub what: Component,
    /// The factor in hundredths: the average size of a class of states that differ only in the component.
    pub hundredths: u64,
}

/// A component of the state; most components comprise all nodes of a kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Component {
    /// A variable.
    Variable {
        /// The kind of node that has it.
        kind: String,
        /// Its name.
        name: String,
    },
    /// The modes of the nodes of a kind.
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
    /// The remaining numbers of limited message faults.
    Faults,
    /// The counters of the ordering constraints of activations.
    Pace,
    /// Clocks, and times stored in the state.
    Clocks,
    /// The frozen choices: each is searched separately.
    Arrangements,
}
