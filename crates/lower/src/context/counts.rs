//! Counts that claims read: the ghosts that count, and the facts known about them.

use machine::VarId;
use model::{Expr, ExprKind, KindId, LetId, LocalId, MessageId};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

/// The ghosts that count, with their bounds.
#[derive(Default)]
pub(crate) struct Counters {
    pub(crate) known: BTreeMap<(KindId, Counted), Counter>,
    /// Whether an abbreviation counts something, as far as it has been computed.
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

/// A set of nodes with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Range {
    /// All nodes of a kind.
    Kind(KindId),
    /// An abbreviation.
    Let(LetId),
}

/// A known bound of a count.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fact {
    pub(crate) of: Owner,
    pub(crate) counted: Counted,
    pub(crate) most: i64,
}

/// The owner of a bounded count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Local(LocalId),
    Let(LetId),
    The(KindId),
    /// Every node of the set.
    All(Range),
}

impl Range {
    /// The set that an expression names.
    pub(crate) fn of(e: &Expr) -> Option<Range> {
        match &e.kind {
            ExprKind::KindNodes(kind) => Some(Range::Kind(*kind)),
            ExprKind::Let(id) => Some(Range::Let(*id)),
            _ => None,
        }
    }
}
