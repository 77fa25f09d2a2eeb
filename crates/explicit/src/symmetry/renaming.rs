//! Renaming: an open state after a permutation of nodes.

use crate::defects::{Defect, broken};
use crate::program::compiled_machine::CompiledMachine;
use crate::state::layout::{Layout, Slots};
use crate::symmetry::node_names::NodeNames;
use machine::{Channel, EdgeId, NodeId, NodeSlots, RecordId, Type};

/// The positions of the numbers of each node, and which of them name nodes.
#[derive(Clone, Debug)]
pub(crate) struct StateRenaming {
    pub(crate) nodes: usize,
    pub(crate) edges: Vec<(u32, u32)>,
    /// By node and variable: the positions of node names.
    pub(crate) vars: Vec<Vec<Option<NodeNames>>>,
    /// By record: the positions of node names in such messages.
    pub(crate) messages: Vec<Option<NodeNames>>,
    /// Other numbers about one node or two.
    pub(crate) shares: Vec<ShareSort>,
    /// Channels are unordered.
    pub(crate) bags: bool,
}

/// Numbers with the same meaning for all nodes or pairs of nodes.
#[derive(Clone, Debug)]
pub(crate) struct ShareSort {
    width: usize,
    /// By node, or by pair of nodes: the first slot.
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
        let mut shares = compiled.pace.node_slots();
        shares.iter_mut().for_each(|share| share.place += first);
        shares.extend(compiled.clocks.shares(machine));
        Ok(StateRenaming {
            nodes,
            edges: machine.edges.iter().map(|(a, b)| (a.0, b.0)).collect(),
            vars: vars.collect::<Result<_, String>>()?,
            messages: messages.collect::<Result<_, String>>()?,
            shares: sorts(&shares, nodes),
            bags: machine.channel == Channel::Unordered,
        })
    }

    /// A message after a permutation of nodes.
    fn message(&self, compiled: &CompiledMachine<'_>, message: i64, to: &[u32]) -> i64 {
        let record = compiled.record_of(message).index();
        let first = compiled.messages[record].0;
        match &self.messages[record] {
            Some(naming) => first + naming.renamed(message - first, to),
            None => message,
        }
    }

    /// Writes the state after a permutation of nodes.
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
                let (item, delays) = (from[old_base + at], compiled.delays);
                let message = self.message(compiled, item / delays, to);
                into[base + at] = message * delays + item % delays;
            }
            if self.bags && !broken(Defect::MovedBagsUnsorted) {
                into[base + 1..=base + count].sort_unstable();
            }
        }
    }

    /// An item of an outbox after a permutation of nodes.
    fn outgoing(&self, compiled: &CompiledMachine<'_>, node: usize, item: i64, to: &[u32]) -> i64 {
        let (edge, message) = compiled.outgoing(NodeId(node as u32), item);
        let (a, b) = self.edges[edge.index()];
        let (a, b) = (to[a as usize], to[b as usize]);
        let edge: Option<EdgeId> = compiled.edge_between(i64::from(a), i64::from(b));
        let mut out = compiled.out_edges[a as usize].iter();
        let place = match broken(Defect::OutboxesStay) {
            true => Some((item / compiled.message_count) as usize),
            false => out.position(|e| Some(*e) == edge),
        };
        let message = self.message(compiled, message, to);
        place.expect("edges are kept") as i64 * compiled.message_count + message
    }

    /// The inbox of a node after a permutation of nodes.
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

/// Groups numbers by their meaning.
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

    /// The numbers of each node or pair of nodes, by its index in the table.
    pub(crate) fn each<'s>(&'s self, slots: &'s Slots) -> impl Iterator<Item = (usize, &'s [i64])> {
        let table = self.table.iter().enumerate();
        table.filter_map(|(key, slot)| slot.map(|slot| (key, &slots[slot..slot + self.width])))
    }
}
