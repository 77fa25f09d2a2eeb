//! The stored states of a search: discrete parts are stored once, zones in one table.

use crate::defects::{Defect, broken};
use dbm::{Bound, LuBounds, Zone, ZoneRef};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// When a state is covered by a stored one with the same locations and values of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subsumption {
    /// The zones are equal (`reach`).
    Equality,
    /// The zone is included in the stored one (`covreach`).
    Inclusion,
    /// The zone is included in the abstraction aLU of the stored one (`aLU-covreach`).
    Alu,
}

/// The stored states, numbered in the order in which they were found.
pub(crate) struct States {
    clocks: usize,
    subsumption: Subsumption,
    /// The discrete parts one after the other, each with `width` numbers.
    width: usize,
    discrete: Vec<i32>,
    discrete_index: HashTable<u32>,
    /// By discrete part: its states that are not covered. Used unless only equal states are covered.
    maximal: Vec<Vec<u32>>,
    /// By the hash of discrete part and zone. Used if only equal states are covered.
    index: HashTable<u32>,
    states: Vec<Stored>,
    /// The zones, each in a slot of the size of a matrix. Blocks have `1 << block_bits` slots, so that no block is copied
    /// when the table grows.
    zones: Vec<Vec<Bound>>,
    block_bits: u32,
    slots: u32,
    free_slots: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Stored {
    discrete: u32,
    /// The slot of the zone; `None` if the state is covered by a later one.
    slot: Option<u32>,
}

/// The result of an insertion.
pub(crate) enum Inserted {
    /// The number of the new state.
    New(u32),
    /// The number of a stored state that covers the given one.
    Covered(u32),
    /// There are 2^32 - 1 states.
    Full,
}

impl States {
    pub(crate) fn new(width: usize, clocks: usize, subsumption: Subsumption) -> States {
        States {
            clocks,
            subsumption,
            width,
            discrete: Vec::new(),
            discrete_index: HashTable::new(),
            maximal: Vec::new(),
            index: HashTable::new(),
            states: Vec::new(),
            zones: Vec::new(),
            block_bits: block_bits(clocks),
            slots: 0,
            free_slots: Vec::new(),
        }
    }

    /// The number of states that are not covered by later ones.
    pub(crate) fn stored(&self) -> usize {
        self.slots as usize - self.free_slots.len()
    }

    /// The memory of the tables, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.discrete.capacity() * size_of::<i32>()
            + self.discrete_index.allocation_size()
            + self.maximal.capacity() * size_of::<Vec<u32>>()
            + self.index.allocation_size()
            + self.states.capacity() * size_of::<Stored>()
            + self.zones.len() * ((self.size() << self.block_bits) * size_of::<Bound>())
            + self.free_slots.capacity() * size_of::<u32>()
            // The lists of states by discrete part.
            + (self.maximal.len() + self.stored()) * size_of::<u32>()
    }

    /// The number of states, including covered ones.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// The discrete part of a state.
    pub(crate) fn discrete(&self, state: u32) -> &[i32] {
        self.discrete_part(self.states[state as usize].discrete)
    }

    /// The zone of a state; `None` if a later state covers it.
    pub(crate) fn zone(&self, state: u32) -> Option<ZoneRef<'_>> {
        let slot = self.states[state as usize].slot?;
        let size = self.size();
        let (block, place) = self.place(slot);
        ZoneRef::new(self.clocks, &self.zones[block][place..][..size])
    }

    /// Stores a state unless a stored one covers it. States that it covers are removed.
    pub(crate) fn insert(
        &mut self,
        discrete: &[i32],
        zone: ZoneRef<'_>,
        lu: &LuBounds,
    ) -> Inserted {
        let Some(part) = self.intern(discrete) else {
            return Inserted::Full;
        };
        if self.subsumption == Subsumption::Equality {
            return self.insert_equal(part, zone);
        }
        let subsumption = self.subsumption;
        let is_covered = |one: ZoneRef<'_>, other: ZoneRef<'_>| match subsumption {
            Subsumption::Alu => one.is_subset_of_alu(other, lu),
            _ => one.is_subset_of(other),
        };
        let states = &self.maximal[part as usize];
        let covers = |state: &&u32| {
            let stored = self.zone(**state);
            stored.is_some_and(|z| is_covered(zone, z) || broken(Defect::ZonesIgnored))
        };
        if let Some(state) = states.iter().find(covers) {
            return Inserted::Covered(*state);
        }
        let mut states = std::mem::take(&mut self.maximal[part as usize]);
        states.retain(|state| {
            let is_kept = self.zone(*state).is_some_and(|z| !is_covered(z, zone));
            if !is_kept {
                self.free_slots
                    .extend(self.states[*state as usize].slot.take());
            }
            is_kept
        });
        self.maximal[part as usize] = states;
        let state = self.add(part, zone);
        if let Inserted::New(state) = state {
            self.maximal[part as usize].push(state);
        }
        state
    }

    fn insert_equal(&mut self, part: u32, zone: ZoneRef<'_>) -> Inserted {
        let hasher = FixedState::default();
        let hash = hasher.hash_one((part, zone));
        let is_equal = |state: &u32| {
            self.states[*state as usize].discrete == part && self.zone(*state) == Some(zone)
        };
        if let Some(state) = self.index.find(hash, is_equal) {
            return Inserted::Covered(*state);
        }
        let inserted = self.add(part, zone);
        if let Inserted::New(state) = inserted {
            let mut index = std::mem::take(&mut self.index);
            index.insert_unique(hash, state, |state| {
                let part = self.states[*state as usize].discrete;
                self.zone(*state)
                    .map_or(0, |zone| hasher.hash_one((part, zone)))
            });
            self.index = index;
        }
        inserted
    }

    fn add(&mut self, discrete: u32, zone: ZoneRef<'_>) -> Inserted {
        // The largest number is reserved and stands for no state.
        let state = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
        if state == u32::MAX {
            return Inserted::Full;
        }
        let slot = match self.free_slots.pop() {
            Some(slot) => {
                let (size, (block, place)) = (self.size(), self.place(slot));
                self.zones[block][place..][..size].copy_from_slice(zone.bounds());
                slot
            }
            None => self.append(zone),
        };
        let slot = Some(slot);
        cancellation::claim_next(&self.states);
        self.states.push(Stored { discrete, slot });
        Inserted::New(state)
    }

    /// Stores a zone in a new slot.
    fn append(&mut self, zone: ZoneRef<'_>) -> u32 {
        let slot = self.slots;
        let (block, _) = self.place(slot);
        if block == self.zones.len() {
            let bounds = self.size() << self.block_bits;
            cancellation::claim(bounds * size_of::<Bound>());
            self.zones.push(Vec::with_capacity(bounds));
        }
        self.zones[block].extend_from_slice(zone.bounds());
        self.slots += 1;
        slot
    }

    /// The block of a slot, and the index of its first bound in the block.
    fn place(&self, slot: u32) -> (usize, usize) {
        let in_block = slot & ((1 << self.block_bits) - 1);
        (
            (slot >> self.block_bits) as usize,
            in_block as usize * self.size(),
        )
    }

    /// The number of a discrete part, which is stored if it is new.
    fn intern(&mut self, discrete: &[i32]) -> Option<u32> {
        let hasher = FixedState::default();
        let hash = hasher.hash_one(discrete);
        let is_equal = |part: &u32| self.discrete_part(*part) == discrete;
        if let Some(part) = self.discrete_index.find(hash, is_equal) {
            return Some(*part);
        }
        let part = u32::try_from(self.maximal.len()).ok()?;
        cancellation::claim_next(&self.maximal);
        self.maximal.push(Vec::new());
        if self.discrete.len() + self.width > self.discrete.capacity() {
            cancellation::claim(2 * self.discrete.capacity() * size_of::<i32>());
        }
        self.discrete.extend_from_slice(discrete);
        let (all, width) = (&self.discrete, self.width);
        self.discrete_index.insert_unique(hash, part, |part| {
            hasher.hash_one(&all[*part as usize * width..][..width])
        });
        Some(part)
    }

    fn discrete_part(&self, part: u32) -> &[i32] {
        &self.discrete[part as usize * self.width..][..self.width]
    }

    fn size(&self) -> usize {
        (self.clocks + 1) * (self.clocks + 1)
    }

    /// Copies a state into buffers. `false` if a later state covers the state.
    pub(crate) fn copy(&self, state: u32, discrete: &mut Vec<i32>, zone: &mut Zone) -> bool {
        let Some(stored) = self.zone(state) else {
            return false;
        };
        discrete.clear();
        discrete.extend_from_slice(self.discrete(state));
        zone.copy_from(stored);
        true
    }
}

/// The binary logarithm of the number of slots in a block: blocks have about 64 kB, or one slot.
fn block_bits(clocks: usize) -> u32 {
    let size = (clocks + 1) * (clocks + 1) * size_of::<Bound>();
    (65_536 / size).max(1).ilog2()
}
