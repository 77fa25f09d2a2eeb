//! Timed reductions: facts that a search over digitised times may use. The Machine itself is not changed.
//!
//! *Invisible deliveries.* A message with a bounded delay may be delivered at any time of an interval. A search that
//! tries all these times spends most of its states on them. A delivery is invisible if its handler consists of
//! commuting updates (`commuting_updates.rs`) of variables that only the receiver's own code reads, is never a runtime
//! error, and is the only outcome of the message.
//!
//! Take any run with an invisible delivery, and delay the delivery until just before the next other event of the
//! receiver, or until its deadline if that is earlier. The delivery thereby moves past three kinds of event or
//! observation:
//! - events of other nodes, which neither read nor write its variables;
//! - other invisible deliveries to the same receiver, with which it commutes, because both perform the same form of
//!   update or update different variables;
//! - evaluations of claims, which do not read its variables.
//!
//! So the result is again a run, and all claims keep their values. It is therefore enough to deliver such messages at
//! two moments: just before another event of the receiver (any subset of the messages that can have arrived by then),
//! and at their deadline. A crash of the receiver needs no earlier delivery, because the updated variables are not read
//! afterwards. A node that restarts does read them, so no delivery to a kind that may restart is invisible.
//!
//! *Nodes that no longer run.* The private variables of a node that has halted, has crashed or is off are never read,
//! and a message to such a node has no effect when it arrives. A search may forget both immediately. The same holds for
//! dead elements of arrays (`dead_elements.rs`).

use crate::analysis::commuting_updates::{CommutingUpdate, commuting_update, reads};
use crate::analysis::dead_elements::dead_elements;
use crate::analysis::sites::{Site, conditions, handler};
use crate::analysis::totality::is_total;
use crate::defects::{Defect, broken};
use machine::{
    Block, Delay, Expr, KindId, LocalId, Machine, RecordId, Stmt, StmtKind, Trigger, VarId,
};
use verdict::TimedReductions;

/// The timed reductions of a Machine. There are none if time is not digitised or if a condition contains `Quiescent`.
pub fn timed_reductions(machine: &Machine) -> TimedReductions {
    let mut asks_of_everything = false;
    let mut watched = Vec::new();
    let mut seen: Vec<VarId> = Vec::new();
    conditions(machine, &mut |_, condition| {
        condition.walk(&mut |e| match e {
            Expr::Quiescent => asks_of_everything = true,
            Expr::InFlight(record, ..) if !broken(Defect::UnwatchedCounted) => {
                watched.push(*record)
            }
            Expr::Var(var, _) if !broken(Defect::UnseenInConditions) => seen.push(*var),
            _ => {}
        });
    });
    if asks_of_everything || machine.digitisation().is_none() {
        return TimedReductions::default();
    }
    for block in &machine.blocks {
        let mut look = |e: &Expr| {
            if let Expr::Var(var, node) = e
                && *node.bare() != Expr::Local(LocalId(0))
            {
                seen.push(*var);
            }
        };
        if let Some(guard) = crate::analysis::sites::guard(block) {
            guard.walk(&mut look);
        }
        block.body.iter().for_each(|s| s.walk_exprs(&mut look));
    }
    let vars = (0..machine.vars.len() as u32).map(VarId);
    let private: Vec<VarId> = vars.filter(|var| !seen.contains(var)).collect();
    let records = (0..machine.records.len() as u32).map(RecordId);
    // With `Delay::BeforeNext` the sender waits for the delivery, so messages must not be forgotten.
    let in_time = matches!(machine.delay, Delay::Within(..));
    let messages = records.filter(|r| in_time && machine.records[r.index()].message);
    let unwatched: Vec<RecordId> = messages.filter(|r| !watched.contains(r)).collect();
    let invisible = invisible(machine, &private, &unwatched);
    let dead_elements = dead_elements(machine, &private, &invisible);
    TimedReductions {
        invisible,
        private,
        unwatched,
        dead_elements,
    }
}

fn invisible(
    machine: &Machine,
    private: &[VarId],
    unwatched: &[RecordId],
) -> Vec<(KindId, RecordId)> {
    let kinds = (0..machine.kinds.len() as u32).map(KindId);
    let mut found = Vec::new();
    for kind in kinds {
        let begins_again = machine
            .runtime_faults
            .iter()
            .any(|item| item.stop.is_some() && item.is_about(kind));
        if begins_again && !broken(Defect::UnseenAtRestarts) {
            continue;
        }
        let mut own: Vec<RecordId> = unwatched.to_vec();
        own.retain(|record| is_always_handled(machine, kind, *record));
        // No handler of the group may read a variable that another handler writes, and all handlers that write a
        // variable must perform the same form of update. Message types are removed from the group until both conditions
        // hold.
        while !is_invisible(machine, kind, &own, private) {
            own.pop();
        }
        let may_wait = machine.channel == machine::Channel::Unordered
            || covers_all_messages(machine, kind, &own)
            || broken(Defect::UnseenInQueues);
        if may_wait {
            found.extend(own.into_iter().map(|record| (kind, record)));
        }
    }
    found
}

/// Whether `records` contains all message types that a kind handles or stores, and the kind ignores none. If so,
/// invisible deliveries never wait behind visible ones in a queue.
fn covers_all_messages(machine: &Machine, kind: KindId, records: &[RecordId]) -> bool {
    let mut handled = machine.blocks.iter().filter(|block| block.kind == kind);
    let messages = (0..machine.records.len() as u32).map(RecordId);
    let mut entering = messages.filter(|r| machine.enters_inbox(kind, *r));
    machine.kinds[kind.index()].ignores.is_empty()
        && entering.all(|r| records.contains(&r))
        && handled.all(|block| match &block.trigger {
            Trigger::On(record, _) => records.contains(record),
            _ => true,
        })
}

/// Whether the only outcome of delivering a message to a running node of a kind is that the node handles or stores it.
fn is_always_handled(machine: &Machine, kind: KindId, record: RecordId) -> bool {
    let faulty = machine
        .faults
        .iter()
        .any(|fault| fault.of.is_none_or(|of| of == record));
    let ignored = machine.kinds[kind.index()].ignores.contains(&record);
    let taken = match handler(machine, kind, record) {
        Some(block) => matches!(block.trigger, Trigger::On(_, None)),
        None => {
            machine.enters_inbox(kind, record)
                && (!machine.inbox.latest || broken(Defect::UnseenLatest))
        }
    };
    taken && (!faulty || broken(Defect::UnseenLostOrRepeated)) && !ignored
}

/// Whether the handlers of these message types consist only of commuting updates of private variables, and no guard or
/// handler observes the deliveries.
fn is_invisible(machine: &Machine, kind: KindId, records: &[RecordId], private: &[VarId]) -> bool {
    let blocks: Vec<&Block> = records
        .iter()
        .filter_map(|r| handler(machine, kind, *r))
        .collect();
    let stored = blocks.len() < records.len();
    let mut written: Vec<VarId> = Vec::new();
    for block in &blocks {
        for statement in &block.body {
            statement.walk(&mut |s| {
                if let StmtKind::Assign(place, _) = &s.kind {
                    written.push(place.var);
                }
            });
        }
    }
    if !written.iter().all(|var| private.contains(var)) {
        return false;
    }
    let guards = machine.blocks.iter().filter(|block| block.kind == kind);
    let mut guards = guards.filter_map(crate::analysis::sites::guard);
    let looks_at_inbox = |e: &Expr| {
        let mut looks = false;
        e.walk(&mut |e| looks |= matches!(e, Expr::Inbox(..) | Expr::Senders(..)));
        looks
    };
    if guards.any(|guard| reads(guard, &written) || stored && looks_at_inbox(guard)) {
        return false;
    }
    let mut updates: Vec<(VarId, CommutingUpdate)> = Vec::new();
    let mut all = blocks.iter();
    all.all(|block| {
        only_commuting_updates(
            &Site::block(machine, block),
            &block.body,
            &written,
            &mut updates,
        )
    }) && !blocks
        .iter()
        .any(|block| stored && block.body.iter().any(reads_inbox))
}

fn reads_inbox(statement: &Stmt) -> bool {
    let mut found = false;
    statement.walk_exprs(&mut |e| found |= matches!(e, Expr::Inbox(..) | Expr::Senders(..)));
    found
}

/// Whether statements consist of commuting updates, all updates of one variable having the same form, and are never a
/// runtime error. Appends the updates to `updates`.
fn only_commuting_updates(
    site: &Site<'_>,
    body: &[Stmt],
    written: &[VarId],
    updates: &mut Vec<(VarId, CommutingUpdate)>,
) -> bool {
    body.iter().all(|statement| match &statement.kind {
        StmtKind::Assign(place, value) => {
            let Some(update) = commuting_update(site, place, value, written) else {
                return broken(Defect::UnseenAnything);
            };
            let same = updates
                .iter()
                .all(|(var, other)| *var != place.var || *other == update);
            updates.push((place.var, update));
            same || broken(Defect::UnseenAnything)
        }
        StmtKind::If(condition, then, otherwise) => {
            is_total(site, condition)
                && !reads(condition, written)
                && !reads_inbox(statement)
                && only_commuting_updates(site, then, written, updates)
                && only_commuting_updates(site, otherwise, written, updates)
        }
        _ => false,
    })
}
