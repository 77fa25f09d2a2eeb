//! The cone of influence: which parts of an instance can influence the answers. An engine may omit the rest.

use machine::{BlockId, Frozen, Stmt};
use std::collections::BTreeSet;

/// How much of a value can influence the answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Influence {
    /// Nothing: a variable may keep the first of its initial values, and a message may be absent.
    #[default]
    Nothing,
    /// These fields of a record; for a message also its presence.
    Fields(BTreeSet<u32>),
    /// All of it.
    Everything,
}

/// Which parts of a node can influence the answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeCone {
    /// By variable, in the order of the node.
    pub vars: Vec<Influence>,
    /// By record: messages in the inbox.
    pub inbox: Vec<Influence>,
    /// Its blocks, reduced to the statements and fields of new records that have influence.
    pub code: Vec<(BlockId, Vec<Stmt>)>,
}

/// The cone of influence of each node, for one frozen choice.
pub type ConeOfInfluence<'a> = dyn Fn(&Frozen) -> Vec<NodeCone> + 'a;

impl Influence {
    /// Whether any part has influence.
    pub fn at_all(&self) -> bool {
        *self != Influence::Nothing
    }

    /// Whether a field has influence.
    pub fn has(&self, field: u32) -> bool {
        match self {
            Influence::Nothing => false,
            Influence::Fields(fields) => fields.contains(&field),
            Influence::Everything => true,
        }
    }

    /// Adds the influence of `other`; returns whether this changed anything.
    pub fn add(&mut self, other: &Influence) -> bool {
        let before = self.clone();
        match (&mut *self, other) {
            (_, Influence::Nothing) | (Influence::Everything, _) => {}
            (Influence::Fields(mine), Influence::Fields(others)) => mine.extend(others),
            (this, other) => *this = other.clone(),
        }
        *self != before
    }
}
