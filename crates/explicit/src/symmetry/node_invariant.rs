//! Node invariants: a hash of everything an open state says about a node, independent of node names. Nodes with
//! different invariants cannot be exchanged without changing the state.
//!
//! Nodes have colours, which initially distinguish only nodes that no permutation of the group exchanges. Each number
//! of the state contributes to the invariants of the nodes to which it belongs or which it names, with the colours of
//! the other nodes. With the invariants as colours, the next round distinguishes more nodes (colour refinement).
//!
//! After a permutation, a node has the invariant of the node that it replaces. Canonical forms need no more than this;
//! an accidental collision of invariants only costs time.

use crate::program::compiled_machine::CompiledMachine;
use crate::state::layout::{Layout, Slots};
use crate::symmetry::node_names::mix;
use crate::symmetry::renaming::StateRenaming;
use machine::{EdgeId, NodeId};

/// A constant that is combined with the colour of a node while the numbers of the node itself are hashed.
const OWN: u64 = 0x5bd1_e995_7f4a_7c15;

/// A constant that is combined with the colours of the sender and the receiver of a message.
const FROM: u64 = 0x2545_f491_4f6c_dd1d;
const TO: u64 = 0x6c62_272e_07bb_0142;

impl StateRenaming {
    /// Replaces the content of `found` by the invariant of each node. `colours` is unchanged on return.
    pub(crate) fn node_invariants(
        &self,
        compiled: &CompiledMachine<'_>,
        layout: &Layout,
        slots: &Slots,
        colours: &mut [u64],
        found: &mut Vec<u64>,
    ) {
        found.clear();
        found.resize(self.nodes, 0);
        for node in 0..self.nodes {
            let colour = colours[node];
            colours[node] ^= OWN;
            let hash = self.own(compiled, layout, slots, node, (colour, &*colours), found);
            colours[node] = colour;
            add(&mut found[node], mix(hash, 11));
        }
        for (at, sort) in self.shares.iter().enumerate() {
            for (key, numbers) in sort.each(slots) {
                let start = at as u64 + 12;
                let hash = numbers.iter().fold(start, |hash, n| mix(hash, *n as u64));
                if sort.pairs {
                    let (a, b) = (key / self.nodes, key % self.nodes);
                    add(&mut found[a], mix(hash, colours[b] ^ TO));
                    add(&mut found[b], mix(hash, colours[a] ^ FROM));
                } else {
                    add(&mut found[key], hash);
                }
            }
        }
        for (edge, (a, b)) in self.edges.iter().enumerate() {
            let items = layout.queue(slots, EdgeId(edge as u32));
            if items.is_empty() {
                continue;
            }
            let (a, b) = (*a as usize, *b as usize);
            let (from, to) = (colours[a], colours[b]);
            colours[a] ^= FROM;
            colours[b] ^= TO;
            let path = mix(colours[a], colours[b]);
            let mut hash = 0u64;
            for item in items {
                let left = (item % compiled.messages.delays) as u64;
                let message = item / compiled.messages.delays;
                let one = mix(self.hash(compiled, message, path, colours, found), left);
                hash = match self.bags {
                    true => hash.wrapping_add(mix(one, 21)),
                    false => mix(hash, one),
                };
            }
            (colours[a], colours[b]) = (from, to);
            add(&mut found[a], mix(hash, to ^ TO));
            add(&mut found[b], mix(hash, from ^ FROM));
        }
        for (invariant, colour) in found.iter_mut().zip(colours.iter()) {
            *invariant = mix(*invariant, *colour);
        }
    }

    /// Whether variables, order constraints or clocks may relate two nodes that the group moves. If so, nodes with
    /// equal invariants need not be exchangeable.
    pub(crate) fn vars_relate(&self, moves: &[bool]) -> bool {
        let vars = self.vars.iter().zip(moves).any(|(vars, moves)| {
            let mut namings = vars.iter().flatten();
            namings.any(|naming| *moves || !naming.relates_no_nodes())
        });
        vars || self.shares.iter().any(|sort| sort.pairs)
    }

    /// Whether messages of a state may relate two nodes that the group moves.
    pub(crate) fn relates(
        &self,
        compiled: &CompiledMachine<'_>,
        layout: &Layout,
        slots: &Slots,
        moves: &[bool],
    ) -> bool {
        let names = |message: i64| self.messages[compiled.record_of(message).index()].is_some();
        let edges = self.edges.iter().enumerate().any(|(edge, (a, b))| {
            let items = layout.queue(slots, EdgeId(edge as u32));
            !items.is_empty()
                && (moves[*a as usize] && moves[*b as usize]
                    || items
                        .iter()
                        .any(|item| names(item / compiled.messages.delays)))
        });
        let nodes = (0..self.nodes as u32).map(NodeId);
        edges || { nodes }.any(|node| {
            // The order of messages in an outbox relates their receivers.
            !layout.outbox(slots, node).is_empty()
                || layout.inbox(slots, node).iter().any(|entry| {
                    let (sender, message) = compiled.received(*entry);
                    moves[node.index()] && moves[sender.index()] || names(message)
                })
        })
    }

    /// The contribution of a node's own variables, outbox and inbox to its invariant.
    fn own(
        &self,
        compiled: &CompiledMachine<'_>,
        layout: &Layout,
        slots: &Slots,
        node: usize,
        (colour, colours): (u64, &[u64]),
        found: &mut [u64],
    ) -> u64 {
        let base = compiled.bases[node] as usize;
        let mut hash = mix(slots[base] as u64, 31);
        for (v, naming) in self.vars[node].iter().enumerate() {
            let value = slots[base + 1 + v];
            let seen = match naming {
                Some(naming) => {
                    let path = mix(colour, v as u64 + 32);
                    naming.invariant_part(value, path, colours, found)
                }
                None => value as u64,
            };
            hash = mix(hash, seen);
        }
        let this = NodeId(node as u32);
        for item in layout.outbox(slots, this) {
            let (edge, message) = compiled.outgoing(this, *item);
            let receiver = self.edges[edge.index()].1 as usize;
            let seen = self.hash(compiled, message, mix(colour, 22), colours, found);
            hash = mix(hash, mix(colours[receiver], seen));
            add(&mut found[receiver], mix(colour, mix(seen, 23)));
        }
        let mut all = 0u64;
        for entry in layout.inbox(slots, this) {
            let (sender, message) = compiled.received(*entry);
            let seen = self.hash(compiled, message, mix(colour, 24), colours, found);
            all = all.wrapping_add(mix(colours[sender.index()], seen));
            add(&mut found[sender.index()], mix(colour, mix(seen, 25)));
        }
        mix(hash, all)
    }

    /// The hash of a message with nodes replaced by their colours.
    fn hash(
        &self,
        compiled: &CompiledMachine<'_>,
        message: i64,
        path: u64,
        colours: &[u64],
        found: &mut [u64],
    ) -> u64 {
        let record = compiled.record_of(message).index();
        match &self.messages[record] {
            Some(naming) => {
                let plain = message - compiled.messages.ranges[record].0;
                let seen = naming.invariant_part(plain, mix(path, record as u64), colours, found);
                mix(seen, record as u64)
            }
            None => message as u64,
        }
    }
}

fn add(to: &mut u64, share: u64) {
    *to = to.wrapping_add(share);
}
