//! Commuting updates: which code of one node is independent of which other code.
//!
//! An *item* is all code for messages of one type, or one block that needs no message. Two items are *independent* if
//! - neither reads a variable that the other writes, and they write different variables;
//! - at most one of them sends (on an unordered channel both may);
//! - neither halts;
//! - neither reads the inbox, if the other reads it or puts a message there.
//!
//! With bounded channels, an item that sends is independent of no other, because its node may be busy afterwards.
//!
//! Updates of the same variable are independent, too, if they are of the same commuting kind: union, maximum, minimum,
//! counting up to a limit, assignment of the same constant. In addition, nothing else in the item may read the
//! variable, and the value of the variable must not determine whether the update is an error. (For `x = x + 1` it does:
//! the value may leave its range, and then the order of two updates determines which one is the error.)
//!
//! Messages that enter an inbox are independent of each other: only code that reads the inbox depends on their order,
//! and that code is in one class with them. (If only the start block reads the inbox, no code reads it later; and if a
//! property reads it, entering is visible.)
//!
//! Items that are directly or transitively dependent form a class.

use crate::defects::{Defect, broken};
use machine::{
    BinaryOp, Block, Channel, Expr, KindId, LocalId, Machine, RecordId, Stmt, StmtKind, Trigger,
    Type, Value, VarId, footprint,
};
use std::collections::{BTreeMap, BTreeSet};

/// The classes of a node kind.
pub(crate) struct CommutingClasses {
    pub(crate) count: usize,
    /// By record: the class of the code for such messages.
    pub(crate) of_record: Vec<usize>,
    /// By block of this kind: its class.
    pub(crate) of_block: Vec<usize>,
    /// By class: whether its events commute with each other.
    pub(crate) commutes_with_itself: Vec<bool>,
    /// By class: the variables that it writes.
    pub(crate) writes: Vec<BTreeSet<VarId>>,
    /// By class: whether it may change the inbox.
    pub(crate) inbox: Vec<bool>,
}

/// An update that commutes with others of the same kind.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Update {
    /// `x = x op e` or `x = e op x` with union, maximum or minimum.
    By(BinaryOp),
    /// `x = min(x + c, limit)` with a constant `c >= 0`.
    CountsTo(i64),
    /// `x = value`.
    Becomes(Value),
}

/// The reads, writes and other effects of an item.
#[derive(Default)]
struct Item {
    reads: BTreeSet<VarId>,
    /// By written variable: the kind of its updates, if they commute.
    writes: BTreeMap<VarId, Option<Update>>,
    sends: bool,
    halts: bool,
    inbox: bool,
    /// Whether messages of the item's type enter the inbox.
    stores: bool,
}

impl CommutingClasses {
    pub(crate) fn new(machine: &Machine, kind: KindId) -> CommutingClasses {
        let records = machine.records.len();
        let mut items = Vec::new();
        for r in 0..records {
            let record = RecordId(r as u32);
            let handles = |b: &&Block| {
                b.kind == kind && matches!(b.trigger, Trigger::On(wanted, _) if wanted == record)
            };
            let mut item = Item::new(machine, machine.blocks.iter().filter(handles).collect());
            item.stores = machine.enters_inbox(kind, record);
            items.push(item);
        }
        let mut item_of_block = vec![0; machine.blocks.len()];
        for (b, block) in machine.blocks.iter().enumerate() {
            match block.trigger {
                _ if block.kind != kind => {}
                Trigger::On(record, _) => item_of_block[b] = record.index(),
                // Before its start a node has no other event, so the start block interferes with nothing.
                Trigger::Start => {}
                Trigger::When(_) | Trigger::Every(_) | Trigger::Timer(_) => {
                    item_of_block[b] = items.len();
                    items.push(Item::new(machine, vec![block]));
                }
            }
        }
        let mut lead: Vec<usize> = (0..items.len()).collect();
        for a in 0..items.len() {
            for b in 0..a {
                if items[a].interferes(&items[b], machine.channel) {
                    let (old, new) = (lead[a], lead[b]);
                    lead.iter_mut()
                        .filter(|l| **l == old)
                        .for_each(|l| *l = new);
                }
            }
        }
        let mut leads: Vec<usize> = lead.clone();
        leads.sort_unstable();
        leads.dedup();
        let class = |item: usize| leads.binary_search(&lead[item]).expect("its lead");
        let count = leads.len().max(1);
        let mut classes = CommutingClasses {
            count,
            of_record: (0..records).map(class).collect(),
            of_block: item_of_block
                .iter()
                .map(|i| if items.is_empty() { 0 } else { class(*i) })
                .collect(),
            commutes_with_itself: vec![true; count],
            writes: vec![BTreeSet::new(); count],
            inbox: vec![false; count],
        };
        for (i, item) in items.iter().enumerate() {
            let class = class(i);
            let alone = i < records && !item.interferes(item, machine.channel);
            classes.commutes_with_itself[class] &= alone;
            classes.writes[class].extend(item.writes.keys());
            classes.inbox[class] |= item.inbox || item.stores || item.halts;
        }
        // A class of several items contains a dependent pair, so its events do not commute with each other.
        for class in 0..count {
            let members = lead.iter().filter(|l| leads[class..].first() == Some(l));
            classes.commutes_with_itself[class] &= members.count() <= 1;
        }
        classes
    }

    /// Whether events of a class can change variables or the inbox of their node.
    pub(crate) fn changes(&self, class: usize) -> bool {
        self.inbox[class] || !self.writes[class].is_empty()
    }

    /// Whether events of any class can change variables or the inbox of their node.
    pub(crate) fn any_changes(&self) -> bool {
        (0..self.count).any(|class| self.changes(class))
    }
}

impl Item {
    fn new(machine: &Machine, blocks: Vec<&Block>) -> Item {
        let mut item = Item::default();
        for block in &blocks {
            let found = footprint(block);
            item.reads.extend(found.reads);
            item.writes
                .extend(found.writes.into_iter().map(|v| (v, None)));
            item.sends |= found.sends;
            item.halts |= found.halts;
            item.inbox |= found.inbox;
        }
        for (var, how) in &mut item.writes {
            *how =
                update_of(*var, &blocks).filter(|how| match (how, &machine.vars[var.index()].ty) {
                    // If the limit is out of range, an update may be an error.
                    (Update::CountsTo(limit), Type::Int(_, most)) => limit <= most,
                    (Update::CountsTo(_), _) => false,
                    _ => true,
                });
            if how.is_some() {
                item.reads.remove(var);
            }
        }
        item
    }

    fn interferes(&self, other: &Item, channel: Channel) -> bool {
        let bounded = matches!(channel, Channel::Fifo(Some(_)));
        let ordered = channel != Channel::Unordered;
        let crosses = |a: &Item, b: &Item| {
            a.writes.iter().any(|(var, how)| {
                b.reads.contains(var)
                    || b.writes
                        .get(var)
                        .is_some_and(|other| how.is_none() || how != other)
            })
        };
        let any_order = broken(Defect::UpdatesInAnyOrder);
        self.halts
            || other.halts
            || bounded && (self.sends || other.sends)
            || ordered && self.sends && other.sends && !broken(Defect::SendsInAnyOrder)
            || self.inbox && (other.inbox || other.stores)
            || other.inbox && self.stores
            || !any_order && (crosses(self, other) || crosses(other, self))
    }
}

/// The kind of updates of a variable in these blocks, if all of them are of one commuting kind and nothing else in the
/// blocks reads the variable.
fn update_of(var: VarId, blocks: &[&Block]) -> Option<Update> {
    let mut found: Option<Update> = None;
    let (mut same, mut updates, mut reads) = (true, 0, 0);
    let mut count = |e: &Expr| reads += usize::from(matches!(e, Expr::Var(v, _) if *v == var));
    for block in blocks {
        if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &block.trigger {
            guard.walk(&mut count);
        }
        for statement in &block.body {
            statement.walk_exprs(&mut count);
            statement.walk(&mut |s| match assigned(s, var) {
                None => {}
                Some(how) => {
                    let fits = how.is_some() && (found.is_none() || found == how);
                    same &= fits;
                    updates += usize::from(!matches!(how, Some(Update::Becomes(_))));
                    found = how;
                }
            });
        }
    }
    found.filter(|_| same && reads == updates)
}

/// If a statement assigns to the variable: the kind of the update, or `Some(None)` if it does not commute.
fn assigned(statement: &Stmt, var: VarId) -> Option<Option<Update>> {
    let StmtKind::Assign(place, value) = &statement.kind else {
        return None;
    };
    if place.var != var {
        return None;
    }
    if !place.path.is_empty() {
        return Some(None);
    }
    Some(match value.bare() {
        Expr::Const(value) => Some(Update::Becomes(value.clone())),
        Expr::Binary(BinaryOp::Min, sum, limit) => match (sum.bare(), limit.bare()) {
            (Expr::Binary(BinaryOp::Add, old, one), Expr::Const(Value::Int(limit)))
                if is_own(old, var) =>
            {
                match one.bare() {
                    Expr::Const(Value::Int(one)) if *one >= 0 => Some(Update::CountsTo(*limit)),
                    _ => None,
                }
            }
            (_, _) if is_own(sum, var) || is_own(limit, var) => Some(Update::By(BinaryOp::Min)),
            _ => None,
        },
        Expr::Binary(op @ (BinaryOp::Union | BinaryOp::Max), a, b)
            if is_own(a, var) || is_own(b, var) =>
        {
            Some(Update::By(*op))
        }
        _ => None,
    })
}

/// Whether an expression is this variable of the node that runs the block.
fn is_own(expr: &Expr, var: VarId) -> bool {
    matches!(expr.bare(), Expr::Var(v, node) if *v == var && *node.bare() == Expr::Local(LocalId(0)))
}
