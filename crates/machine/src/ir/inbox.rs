//! Which messages enter inboxes, and how many messages an inbox can hold.

use crate::{Expr, Inbox, KindId, Machine, RecordId, Trigger, Type};

/// A cap on bounds of inbox sizes. No inbox in memory exceeds it.
const MAX_COPIES: i64 = 1 << 40;

impl Machine {
    /// An upper bound on the number of messages of a type that a quantifier over an inbox visits.
    pub(crate) fn inbox_bound(&self, message: &Type) -> i64 {
        let senders = u128::from(self.node_count());
        let most = match self.inbox {
            Inbox { latest: true, .. } => match message {
                Type::OneOf(types) => senders * types.len() as u128,
                _ => senders,
            },
            Inbox { copies: true, .. } => MAX_COPIES as u128,
            _ => senders.saturating_mul(self.cardinality(message)),
        };
        most.min(MAX_COPIES as u128) as i64
    }

    /// Whether messages of a type enter the inboxes of a kind. They do if the kind has no code for the type, does not
    /// ignore it, and reads its inbox. False for structs.
    pub fn enters_inbox(&self, kind: KindId, record: RecordId) -> bool {
        let mut handles = false;
        let mut reads = false;
        for block in self.blocks.iter().filter(|block| block.kind == kind) {
            handles |= matches!(&block.trigger, Trigger::On(wanted, _) if *wanted == record);
            let mut look = |e: &Expr| reads |= matches!(e, Expr::Inbox(..) | Expr::Senders(..));
            if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &block.trigger {
                guard.walk(&mut look);
            }
            for statement in &block.body {
                statement.walk_exprs(&mut look);
            }
        }
        let message = self.records[record.index()].message;
        message && reads && !handles && !self.kinds[kind.index()].ignores.contains(&record)
    }
}
