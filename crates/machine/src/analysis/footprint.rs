//! Footprints: the reads and writes of a block, from which engines derive the independence of events.

use crate::{Block, Expr, StmtKind, Trigger, VarId};
use std::collections::BTreeSet;

/// The reads and writes of a block. Writes are at the node that runs it; reads may be at any node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Variables that it reads.
    pub reads: BTreeSet<VarId>,
    /// Variables that it may change.
    pub writes: BTreeSet<VarId>,
    /// It may send.
    pub sends: bool,
    /// It may halt.
    pub halts: bool,
    /// It may read or clear the inbox.
    pub inbox: bool,
}

/// The footprint of a block.
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
                    result.reads.insert(place.var); // a partial update keeps the rest
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
