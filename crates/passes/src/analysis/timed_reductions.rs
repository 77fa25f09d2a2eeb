//! What a search over times may take for granted. It gives no other Machine: it is a word to the engine.
//!
//! *Unseen messages.* A message that must arrive within a time may be handed over at any moment of its interval, and a
//! search that tries them all visits most of its states for that. Say that the code for the message does nothing but
//! gather (see `commuting_update.rs`) into variables that nobody sees but the receiver's own code, that it is never an error, and
//! that nothing else can become of the message. Then take any run, and any hand-over in it; move it to just before the
//! receiver's next other event, or to the last moment at which it is in time, whichever is first. What it passes on
//! the update are events of other nodes, which neither read nor write what it does; hand-overs to the same receiver, with
//! which it can be exchanged, as both gather in the same update or into different variables; and moments at which claims are
//! evaluated, which do not see it. So the run stays one, and all claims keep their values. It is enough, therefore, to
//! hand such messages over just before other events of the receiver, any of those that can be there by then, and where
//! time would pass beyond the last moment. (A crash of the receiver is no such event: afterwards what it gathered is not
//! read. A node that stops and begins again reads it: then nothing is invisible.)
//!
//! *Nodes that are gone.* Nobody reads the private variables of a node that has halted or crashed, or is off, and messages
//! for it change nothing when they arrive, which they can whenever they must: both can be forgotten at once. The same
//! for elements of arrays that have been dead_elements (`dead_elements.rs`).

use crate::analysis::commuting_updates::{CommutingUpdate, commuting_update, reads};
use crate::analysis::dead_elements::dead_elements;
use crate::analysis::sites::{Site, conditions, handler};
use crate::analysis::totality::is_total;
use crate::defects::{Defect, broken};
use machine::{
    Block, Delay, Expr, KindId, LocalId, Machine, RecordId, Stmt, StmtKind, Trigger, VarId,
};
use verdict::TimedReductions;

/// What a search over times may take for granted of a Machine.
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
    // Where the sender waits for them to arrive they are not forgotten.
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
        // What one of them writes none of the others may read, and all that write it must gather in the same update.
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

/// Whether all messages that can come to a kind are among these: then they can wait for each other in a queue.
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

/// Whether nothing else can become of a message than that the receiver takes it.
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

/// Whether the code for messages of these types only commuting_update, invisible.
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

/// Whether statements only gather, all in the same update into the same variable, and are never an error.
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
