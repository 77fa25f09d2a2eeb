//! Timed reductions: facts that a search over digitised times may use. The Machine is unchanged.
//!
//! *Invisible deliveries.* A message that must arrive within a time may be delivered at any moment of its
//! interval, and a search that tries all moments spends most of its states on that. Assume that the handler of
//! the message consists of commuting updates (`commuting_updates.rs`) of variables that only the receiver's own
//! code reads, that it is never an error, and that the message can have no other outcome. Take any run and any
//! such delivery in it, and move the delivery to just before the next other event of the receiver, or to the
//! last moment at which it is in time, whichever is first. The delivery moves past events of other nodes, which
//! neither read nor write its variables; past deliveries to the same receiver, with which it commutes, because
//! both perform the same kind of update or update different variables; and past moments at which claims are
//! evaluated, which do not read its variables. So the result is a run, and all claims keep their values. It is
//! therefore enough to deliver such messages just before other events of the receiver, any subset of those that
//! can have arrived by then, and where time would pass beyond the last moment. (A crash of the receiver is no
//! such event: the updated variables are not read afterwards. A node that stops and restarts does read them:
//! then no delivery to it is invisible.)
//!
//! *Nodes that no longer run.* The private variables of a node that has halted, has crashed or is off are never
//! read, and a message to it changes nothing when it arrives, which it can do whenever it must. A search may
//! forget both at once. The same holds for dead elements of arrays (`dead_elements.rs`).

use crate::analysis::commuting_updates::{CommutingUpdate, commuting_update, reads};
use crate::analysis::dead_elements::dead_elements;
use crate::analysis::sites::{Site, conditions, handler};
use crate::analysis::totality::is_total;
use crate::defects::{Defect, broken};
use machine::{
    Block, Delay, Expr, KindId, LocalId, Machine, RecordId, Stmt, StmtKind, Trigger, VarId,
};
use verdict::TimedReductions;

/// The timed reductions of a Machine.
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
    // Where the sender waits for delivery, messages are not forgotten.
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
        // No handler of the group reads a variable that another one writes, and all handlers that write a
        // variable perform the same kind of update.
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

/// Whether these are all the message types that can arrive at a kind: then such messages can wait for each
/// other in a queue.
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

/// Whether the only outcome of a message is that the receiver handles it.
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

/// Whether the handlers of these message types consist of commuting updates of private variables only.
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

/// Whether statements are commuting updates, all of the same form for the same variable, and never an error.
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
