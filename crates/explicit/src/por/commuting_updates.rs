//! Which pieces of code of one node do not disturb each other: items of a kind, and classes of those that do.
//!
//! An *item* is all code for messages of one type, or one block that runs of the node's own accord. Two items are
//! *apart* if each reads nothing that the other writes, they write different variables, at most one of them sends
//! (in a bag, where order is nothing, both may), none halts, and at most one of them looks at the inbox. Where
//! channels are bounded a node that sends may be busy afterwards: such an item is apart from none. Updates of the
//! same variable are apart, too, if they are of one sort that can be made in any order, if nothing else in the item
//! reads the variable, and if whether the update is an error does not depend on its value: unions, the greater, the
//! lesser, counting up to a limit, always the same value. (Plain `x = x + 1` may leave its range, and then which of
//! two is the error depends on their order.)
//!
//! Messages that enter an inbox are apart from each other: whatever their order, what a node finds in its inbox
//! differs only for who looks, and code that does is in one class with them. (Where only the start looks nobody
//! does any more; and if a property looks, that they enter is seen.)
//!
//! Items that are not apart, directly or by others, form a class.

use crate::defects::{Defect, broken};
use machine::{
    BinaryOp, Block, Channel, Expr, KindId, LocalId, Machine, RecordId, Stmt, StmtKind, Trigger,
    Type, Value, VarId, footprint,
};
use std::collections::{BTreeMap, BTreeSet};

/// The classes of a kind.
pub(crate) struct CommutingClasses {
    pub(crate) count: usize,
    /// By record.
    pub(crate) of_record: Vec<usize>,
    /// By block, if it is of this kind.
    pub(crate) of_block: Vec<usize>,
    /// By class: its events do not disturb each other either.
    pub(crate) commutes_with_itself: Vec<bool>,
    /// By class: variables that it writes.
    pub(crate) writes: Vec<BTreeSet<VarId>>,
    /// By class: it may change the inbox.
    pub(crate) inbox: Vec<bool>,
}

/// How a variable is changed where the order of changes makes no difference.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Update {
    By(BinaryOp),
    CountsTo(i64),
    Becomes(Value),
}

/// Code of a node that one class holds.
#[derive(Default)]
struct Item {
    reads: BTreeSet<VarId>,
    /// With how, where order makes no difference.
    writes: BTreeMap<VarId, Option<Update>>,
    sends: bool,
    halts: bool,
    inbox: bool,
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
                // Before its start a node does nothing else, and nobody disturbs it.
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
        // Of several items in a class some pair is not apart.
        for class in 0..count {
            let members = lead.iter().filter(|l| leads[class..].first() == Some(l));
            classes.commutes_with_itself[class] &= members.count() <= 1;
        }
        classes
    }

    /// Whether events of a class can change anything of their node.
    pub(crate) fn changes(&self, class: usize) -> bool {
        self.inbox[class] || !self.writes[class].is_empty()
    }

    /// Whether events of any class can.
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
                    // Beyond its range it is an error, for one of two.
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

/// How blocks change a variable, if all of them in the same way, whose order makes no difference, and if nothing else in
/// them reads it.
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

/// If a statement assigns to the variable: how, if order makes no difference.
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

/// Whether an expression is a variable of the node that runs the block.
fn is_own(expr: &Expr, var: VarId) -> bool {
    matches!(expr.bare(), Expr::Var(v, node) if *v == var && *node.bare() == Expr::Local(LocalId(0)))
}
