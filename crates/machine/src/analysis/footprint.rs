//! Footprints: the variables, inboxes and channels that a block may use. Engines derive the independence of events from
//! them.

use crate::{Block, Expr, StmtKind, Trigger, VarId};
use std::collections::BTreeSet;

/// What a block may read and write, except for timers. All writes are at the node that executes the block; reads may be
/// at any node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Variables that the block may read, at any node.
    pub reads: BTreeSet<VarId>,
    /// Variables that the block may change.
    pub writes: BTreeSet<VarId>,
    /// Whether the block may send messages.
    pub sends: bool,
    /// Whether the block may halt the node.
    pub halts: bool,
    /// Whether the block may read or clear an inbox.
    pub inbox: bool,
}

/// The footprint of a block, including its guard.
pub fn footprint(block: &Block) -> Footprint {
    let mut result = Footprint::default();
    let mut read = |e: &Expr| match e {
        Expr::Var(var, _) => drop(result.reads.insert(*var)),
        Expr::Inbox(..) | Expr::Senders(..) => result.inbox = true,
        _ => {}
    };
    if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &block.trigger {
        guard.walk(&mut read);
    }
    for statement in &block.body {
        statement.walk_exprs(&mut read);
    }
    for statement in &block.body {
        statement.walk(&mut |s| match &s.kind {
            StmtKind::Assign(place, _) => {
                result.writes.insert(place.var);
                if !place.path.is_empty() {
                    result.reads.insert(place.var); // a partial update depends on the old value
                }
            }
            StmtKind::Send(..) => result.sends = true,
            StmtKind::ClearInbox => result.inbox = true,
            StmtKind::Halt => result.halts = true,
            _ => {}
        });
    }
    result
}
