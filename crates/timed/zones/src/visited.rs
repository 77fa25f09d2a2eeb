//! The visited symbolic states.

use crate::defects::{Defect, broken};
use dbm::{LuBounds, Zone};

/// The number that stands for no state.
pub(crate) const NONE: u32 = u32::MAX;

/// A visited symbolic state.
pub(crate) struct Node {
    /// The number of the discrete part of the state.
    pub(crate) part: u32,
    /// The zone; `None` if a later state covers this one.
    pub(crate) zone: Option<Zone>,
    /// The state before this one, and the number of the transition from there; for an initial state, `NONE` and the
    /// number of the initial state.
    pub(crate) from: (u32, u32),
    /// The number of events on the path to the state.
    pub(crate) depth: u32,
}

/// The visited symbolic states of an instance, in the order in which they were found.
#[derive(Default)]
pub(crate) struct Visited {
    pub(crate) nodes: Vec<Node>,
    /// By discrete part: its states that are not covered.
    maximal: Vec<Vec<u32>>,
    /// The size of all zones, in bytes.
    pub(crate) bytes: u64,
}

impl Visited {
    /// Adds a state unless a visited one covers it, and returns the number of the new state. Visited states that the
    /// new state covers are dropped. There must be fewer than `NONE` states.
    pub(crate) fn insert(&mut self, node: Node, lu: &LuBounds) -> Option<u32> {
        let part = node.part as usize;
        if self.maximal.len() <= part {
            self.maximal.resize_with(part + 1, Vec::new);
        }
        let new = node.zone.as_ref()?;
        let covers = |number: &u32| {
            let zone = self.nodes[*number as usize].zone.as_ref();
            zone.is_some_and(|zone| {
                broken(Defect::ZonesIgnored) || new.view().is_subset_of_alu(zone.view(), lu)
            })
        };
        if self.maximal[part].iter().any(covers) {
            return None;
        }
        let size = bytes(new);
        let mut kept = std::mem::take(&mut self.maximal[part]);
        kept.retain(|number| {
            let slot = &mut self.nodes[*number as usize].zone;
            let is_covered = slot
                .as_ref()
                .is_none_or(|zone| zone.view().is_subset_of_alu(new.view(), lu));
            if is_covered && let Some(zone) = slot.take() {
                self.bytes -= bytes(&zone);
            }
            !is_covered
        });
        let number = self.nodes.len() as u32;
        kept.push(number);
        self.maximal[part] = kept;
        self.bytes += size;
        self.nodes.push(node);
        Some(number)
    }

    /// The transitions on the path to a state, after the number of its initial state.
    pub(crate) fn path(&self, number: u32) -> (u32, Vec<(u32, u32)>) {
        let mut steps = Vec::new();
        let mut node = &self.nodes[number as usize];
        while node.from.0 != NONE {
            let before = &self.nodes[node.from.0 as usize];
            steps.push((before.part, node.from.1));
            node = before;
        }
        steps.reverse();
        (node.from.1, steps)
    }
}

fn bytes(zone: &Zone) -> u64 {
    size_of_val(zone.view().bounds()) as u64
}
