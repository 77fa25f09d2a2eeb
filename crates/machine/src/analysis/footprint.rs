//! What a block reads and writes, so that an engine can tell which events do not disturb each other.

use crate::{Block, Expr, StmtKind, Trigger, VarId};
use std::collections::BTreeSet;

/// What a block reads and writes. Writes are at the node that runs it; reads may be anywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Variables whose value matters.
    pub reads: BTreeSet<VarId>,
    /// Variables that may change.
    pub writes: BTreeSet<VarId>,
    /// It may send.
    pub sends: bool,
    /// It may halt.
    pub halts: bool,
    /// It may look into the inbox or clear it.
    pub inbox: bool,
}

/// What a block reads and writes.
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
                    result.reads.insert(place.var); // the rest of it stays
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
