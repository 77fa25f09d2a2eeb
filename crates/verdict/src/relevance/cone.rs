//! The cone of influence: the parts of an instance that can influence the answers. An engine may omit the other parts.

use machine::{BlockId, Frozen, Stmt};
use std::collections::BTreeSet;

/// The part of a value that can influence the answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Influence {
    /// No part: a variable may keep its first initial value, and a message may be absent.
    #[default]
    Nothing,
    /// These fields of a record. For a message, also whether it is present.
    Fields(BTreeSet<u32>),
    /// The whole value.
    Everything,
}

/// The parts of a node that can influence the answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeCone {
    /// Indexed by the variables of the node's kind.
    pub vars: Vec<Influence>,
    /// Indexed by record type: the influence of messages of the type in the inbox.
    pub inbox: Vec<Influence>,
    /// The blocks of the node, reduced to the statements that have influence. Fields without influence are replaced by
    /// constants.
    pub code: Vec<(BlockId, Vec<Stmt>)>,
}

/// Computes the cone of influence for a frozen choice, indexed by node.
pub type ConeOfInfluence<'a> = dyn Fn(&Frozen) -> Vec<NodeCone> + 'a;

impl Influence {
    /// Whether any part of the value has influence.
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

    /// Adds the influence of `other`. Returns whether the influence has grown.
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
