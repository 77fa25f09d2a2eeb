//! Renaming: computes an open state after a permutation of nodes.

use crate::defects::{Defect, broken};
use crate::program::compiled_machine::CompiledMachine;
use crate::state::layout::{Layout, Slots};
use crate::symmetry::node_names::NodeNames;
use machine::{Channel, EdgeId, NodeId, NodeSlots, RecordId, Type};

/// The positions in a state of the numbers that belong to a node or contain node names.
#[derive(Clone, Debug)]
pub(crate) struct StateRenaming {
    pub(crate) nodes: usize,
    pub(crate) edges: Vec<(u32, u32)>,
    /// By node and variable: the positions of node names in its value.
    pub(crate) vars: Vec<Vec<Option<NodeNames>>>,
    /// By record: the positions of node names in such messages.
    pub(crate) messages: Vec<Option<NodeNames>>,
    /// Slots of order constraints and clocks that belong to one node or to a pair of nodes.
    pub(crate) shares: Vec<ShareSort>,
    /// Whether channels are unordered, so that they have to be sorted again.
    pub(crate) bags: bool,
}

/// Slots with the same meaning for all nodes, or for all pairs of nodes.
#[derive(Clone, Debug)]
pub(crate) struct ShareSort {
    width: usize,
    /// By node, or by pair of nodes: the first of its `width` slots.
    table: Vec<Option<usize>>,
    pub(crate) pairs: bool,
}

impl StateRenaming {
    pub(crate) fn new(
        compiled: &CompiledMachine<'_>,
        layout: &Layout,
    ) -> Result<StateRenaming, String> {
        let (machine, codec) = (compiled.machine, compiled.codec);
        let nodes = machine.node_count() as usize;
        let vars = machine.nodes().map(|node| {
            let vars = machine.vars_of(machine.kind_of(node));
            vars.map(|var| NodeNames::new(codec, &var.ty)).collect()
        });
        let messages = machine
            .records
            .iter()
            .enumerate()
            .map(|(r, record)| match record.message {
                true => NodeNames::new(codec, &Type::Record(RecordId(r as u32))),
                false => Ok(None),
            });
        let first = layout.pace().start;
        let mut shares = compiled.timing.pace.node_slots();
        shares.iter_mut().for_each(|share| share.place += first);
        shares.extend(compiled.timing.clocks.shares(machine));
        Ok(StateRenaming {
            nodes,
            edges: machine.edges.iter().map(|(a, b)| (a.0, b.0)).collect(),
            vars: vars.collect::<Result<_, String>>()?,
            messages: messages.collect::<Result<_, String>>()?,
            shares: sorts(&shares, nodes),
            bags: machine.channel == Channel::Unordered,
        })
    }

    /// A message after the permutation `to`.
    fn message(&self, compiled: &CompiledMachine<'_>, message: i64, to: &[u32]) -> i64 {
        let record = compiled.record_of(message).index();
        let first = compiled.messages.ranges[record].0;
        match &self.messages[record] {
            Some(naming) => first + naming.renamed(message - first, to),
            None => message,
        }
    }

    /// Replaces the content of `into` by the state `from` after the permutation `to`.
    pub(crate) fn renamed(
        &self,
        compiled: &CompiledMachine<'_>,
        layout: &Layout,
        from: &Slots,
        to: &[u32],
        into: &mut Vec<i64>,
    ) {
        into.clear();
        into.extend_from_slice(&from[..layout.outbox_base(0)]);
        into.resize(from.len(), 0);
        for (node, vars) in self.vars.iter().enumerate() {
            let new = to[node] as usize;
            let (old_base, base) = (compiled.bases[node] as usize, compiled.bases[new] as usize);
            into[base] = from[old_base];
            for (v, naming) in vars.iter().enumerate() {
                let (value, slot) = (from[old_base + 1 + v], base + 1 + v);
                into[slot] = match naming {
                    Some(naming) if !broken(Defect::NamesStay) => {
                        compiled.masked(slot, naming.renamed(value, to))
                    }
                    _ => value,
                };
            }
        }
        if !broken(Defect::SharesStay) {
            self.shares
                .iter()
                .for_each(|sort| sort.renamed(from, to, into));
        }
        for node in 0..self.nodes {
            let new = to[node] as usize;
            let (old_base, base) = (layout.outbox_base(node), layout.outbox_base(new));
            into[base] = from[old_base];
            for at in 1..=from[old_base] as usize {
                into[base + at] = self.outgoing(compiled, node, from[old_base + at], to);
            }
        }
        for node in (0..self.nodes).filter(|node| from[layout.inbox_base(*node)] > 0) {
            self.inbox(compiled, layout, from, node, to, into);
        }
        for (edge, (a, b)) in self.edges.iter().enumerate() {
            let old_base = layout.channel_base(edge);
            if from[old_base] == 0 {
                continue;
            }
            let new = (to[*a as usize], to[*b as usize]);
            let new = compiled.edge_between(i64::from(new.0), i64::from(new.1));
            let base = layout.channel_base(new.expect("edges are kept").index());
            let count = from[old_base] as usize;
            into[base] = from[old_base];
            for at in 1..=count {
                let (item, delays) = (from[old_base + at], compiled.messages.delays);
                let message = self.message(compiled, item / delays, to);
                into[base + at] = message * delays + item % delays;
            }
            if self.bags && !broken(Defect::MovedBagsUnsorted) {
                into[base + 1..=base + count].sort_unstable();
            }
        }
    }

    /// An outbox item of a node after the permutation `to`.
    fn outgoing(&self, compiled: &CompiledMachine<'_>, node: usize, item: i64, to: &[u32]) -> i64 {
        let (edge, message) = compiled.outgoing(NodeId(node as u32), item);
        let (a, b) = self.edges[edge.index()];
        let (a, b) = (to[a as usize], to[b as usize]);
        let edge: Option<EdgeId> = compiled.edge_between(i64::from(a), i64::from(b));
        let mut out = compiled.network.out_edges[a as usize].iter();
        let place = match broken(Defect::OutboxesStay) {
            true => Some((item / compiled.messages.count) as usize),
            false => out.position(|e| Some(*e) == edge),
        };
        let message = self.message(compiled, message, to);
        place.expect("edges are kept") as i64 * compiled.messages.count + message
    }

    /// Writes the inbox of a node after the permutation `to`.
    fn inbox(
        &self,
        compiled: &CompiledMachine<'_>,
        layout: &Layout,
        from: &Slots,
        node: usize,
        to: &[u32],
        into: &mut [i64],
    ) {
        let new = NodeId(to[node]);
        let (old_base, base) = (layout.inbox_base(node), layout.inbox_base(new.index()));
        let count = from[old_base] as usize;
        into[base] = from[old_base];
        for at in 1..=count {
            let (sender, message) = compiled.received(from[old_base + at]);
            let message = self.message(compiled, message, to);
            let message = compiled.masked_message(new, message).unwrap_or(message);
            into[base + at] = compiled.entry(NodeId(to[sender.index()]), message);
        }
        if !broken(Defect::MovedInboxesUnsorted) {
            into[base + 1..=base + count].sort_unstable();
        }
    }
}

/// Groups slots by their meaning.
fn sorts(shares: &[NodeSlots], nodes: usize) -> Vec<ShareSort> {
    let mut found: Vec<((u8, i64, i64), ShareSort)> = Vec::new();
    for share in shares.iter().filter(|share| share.width > 0) {
        let at = found.iter().position(|(sort, _)| *sort == share.sort);
        let at = at.unwrap_or_else(|| {
            let pairs = share.other.is_some();
            let places = if pairs { nodes * nodes } else { nodes };
            let sort = ShareSort {
                width: share.width,
                table: vec![None; places],
                pairs,
            };
            found.push((share.sort, sort));
            found.len() - 1
        });
        let sort = &mut found[at].1;
        let key = match share.other {
            Some(other) => share.node.index() * nodes + other.index(),
            None => share.node.index(),
        };
        debug_assert_eq!(sort.width, share.width);
        sort.table[key] = Some(share.place);
    }
    found.into_iter().map(|(_, sort)| sort).collect()
}

impl ShareSort {
    fn renamed(&self, from: &Slots, to: &[u32], into: &mut [i64]) {
        let nodes = to.len();
        for (key, slot) in self.table.iter().enumerate() {
            let new = match self.pairs {
                true => to[key / nodes] as usize * nodes + to[key % nodes] as usize,
                false => to[key] as usize,
            };
            if let (Some(slot), Some(new)) = (slot, self.table[new]) {
                into[new..new + self.width].copy_from_slice(&from[*slot..slot + self.width]);
            }
        }
    }

    /// The slots of each node or pair of nodes, with its index in the table.
    pub(crate) fn each<'s>(&'s self, slots: &'s Slots) -> impl Iterator<Item = (usize, &'s [i64])> {
        let table = self.table.iter().enumerate();
        table.filter_map(|(key, slot)| slot.map(|slot| (key, &slots[slot..slot + self.width])))
    }
}
