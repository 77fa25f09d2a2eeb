//! What of an instance can make a difference to the answers; an engine may leave out the rest.

use machine::{BlockId, Frozen, Stmt};
use std::collections::BTreeSet;

/// What of a value can make a difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Influence {
    /// Nothing: it may be taken to be the first of its initial values all the time, and a message not to be there.
    #[default]
    Nothing,
    /// Of a record these fields; of a message also that it is there.
    Fields(BTreeSet<u32>),
    /// All of it.
    Everything,
}

/// What of a node can make a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeCone {
    /// For each variable, by its place.
    pub vars: Vec<Influence>,
    /// For each record: of messages in the inbox.
    pub inbox: Vec<Influence>,
    /// Its blocks, with only the statements that can, and only those parts of new records.
    pub code: Vec<(BlockId, Vec<Stmt>)>,
}

/// Says of each node what can make a difference, for one choice of what is frozen.
pub type ConeOfInfluence<'a> = dyn Fn(&Frozen) -> Vec<NodeCone> + 'a;

impl Influence {
    /// Whether anything of it does.
    pub fn at_all(&self) -> bool {
        *self != Influence::Nothing
    }

    /// Whether a field does.
    pub fn has(&self, field: u32) -> bool {
        match self {
            Influence::Nothing => false,
            Influence::Fields(fields) => fields.contains(&field),
            Influence::Everything => true,
        }
    }

    /// What another does is added; whether that changed anything.
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
