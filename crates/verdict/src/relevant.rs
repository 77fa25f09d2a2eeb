//! What of an instance can make a difference to the answers; an engine may leave out the rest.

use machine::{BlockId, Rigid, Stmt};

/// What of a node can make a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relevant {
    /// For each variable, by its place: whether its value can. If not, it may be taken to be its first
    /// initial value all the time.
    pub vars: Vec<bool>,
    /// Whether what is in its inbox can. If not, it may be taken to be empty all the time.
    pub inbox: bool,
    /// Its blocks, with only the statements that can.
    pub code: Vec<(BlockId, Vec<Stmt>)>,
}

/// Says of each node what can make a difference, for one choice of what is rigid.
pub type Relevance<'a> = dyn Fn(&Rigid) -> Vec<Relevant> + 'a;
