//! Counts that claims read: the ghosts that count, and known upper bounds of counts.

use machine::VarId;
use model::{Expr, ExprKind, KindId, LetId, LocalId, MessageId};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

/// The ghosts that count, and caches for the search for their bounds.
#[derive(Default)]
pub(crate) struct Counters {
    pub(crate) known: BTreeMap<(KindId, Counted), Counter>,
    /// For each abbreviation that has been examined, whether its value is computed from counts.
    pub(crate) lets: RefCell<HashMap<LetId, bool>>,
    /// The number of abbreviations that have been searched for bounds of counts.
    pub(crate) searched_lets: u32,
}

/// The events that a ghost counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Counted {
    Sent(MessageId),
    Activations,
}

/// A ghost that counts.
#[derive(Clone, Copy)]
pub(crate) struct Counter {
    pub(crate) var: VarId,
    /// The value at which it saturates.
    pub(crate) most: i64,
}

/// A set of nodes that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Range {
    /// All nodes of a kind.
    Kind(KindId),
    /// The set that an abbreviation stands for.
    Let(LetId),
}

/// A known upper bound of a count.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fact {
    pub(crate) of: Owner,
    pub(crate) counted: Counted,
    pub(crate) most: i64,
}

/// The nodes whose count is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Local(LocalId),
    Let(LetId),
    The(KindId),
    /// Every node of a set.
    All(Range),
}

impl Range {
    /// The named set that an expression denotes; `None` for other expressions.
    pub(crate) fn of(e: &Expr) -> Option<Range> {
        match &e.kind {
            ExprKind::KindNodes(kind) => Some(Range::Kind(*kind)),
            ExprKind::Let(id) => Some(Range::Let(*id)),
            _ => None,
        }
    }
}
