//! The predecessor table: the state from which each state was found.
//!
//! States are numbered in the order in which they are found, and visited in the same order. So the table is a bit
//! sequence: a one for each state that is found, a zero for each visit that ends. A one belongs to the visit that the
//! next zero ends. Repeated visits, which are out of order, are stored by number. The table takes two bits per state,
//! plus samples for random access.

/// The state from which each state was found.
#[derive(Default)]
pub(crate) struct PredecessorTable {
    /// The number of initial states; they have the numbers from 0.
    initial: u32,
    bits: Vec<u64>,
    length: u64,
    /// The bit position of every 512th one.
    samples: Vec<u64>,
    found: u32,
    visits: u32,
    /// Repeated visits: index of the visit, and the visited state.
    again: Vec<(u32, u32)>,
}

const ONES_PER_SAMPLE: u32 = 512;

impl PredecessorTable {
    /// Adds an initial state. All initial states come before the first visit.
    pub(crate) fn begin(&mut self) {
        self.initial += 1;
    }

    /// Adds a state that was found from the state being visited.
    pub(crate) fn found(&mut self) {
        if self.found.is_multiple_of(ONES_PER_SAMPLE) {
            self.samples.push(self.length);
        }
        self.found += 1;
        self.push(1);
    }

    /// Ends the visit of a state.
    pub(crate) fn visited(&mut self) {
        self.visits += 1;
        self.push(0);
    }

    /// Declares that the next visit is a repeated visit of `state`.
    pub(crate) fn revisit(&mut self, state: u32) {
        self.again.push((self.visits, state));
    }

    fn push(&mut self, bit: u64) {
        if self.length.is_multiple_of(64) {
            self.bits.push(0);
        }
        *self.bits.last_mut().expect("there is one") |= bit << (self.length % 64);
        self.length += 1;
    }

    /// The number of visits without the repeated ones.
    pub(crate) fn visits(&self) -> u32 {
        self.visits - self.again.len() as u32
    }

    /// Whether a state is initial.
    pub(crate) fn is_initial(&self, state: u32) -> bool {
        state < self.initial
    }

    /// The number of initial states.
    pub(crate) fn initial(&self) -> u32 {
        self.initial
    }

    /// The state from which `state` was found; `None` if `state` is initial.
    pub(crate) fn parent(&self, state: u32) -> Option<u32> {
        let one = state.checked_sub(self.initial)?;
        let mut left = u64::from(one % ONES_PER_SAMPLE);
        let mut at = self.samples[(one / ONES_PER_SAMPLE) as usize];
        let mut word = self.bits[(at / 64) as usize] >> (at % 64);
        let mut rest = 64 - at % 64;
        while u64::from(word.count_ones()) <= left {
            left -= u64::from(word.count_ones());
            at += rest;
            (word, rest) = (self.bits[(at / 64) as usize], 64);
        }
        (0..left).for_each(|_| word &= word - 1);
        at += u64::from(word.trailing_zeros());
        let visit = (at - u64::from(one)) as u32;
        Some(match self.again.binary_search_by_key(&visit, |(v, _)| *v) {
            Ok(place) => self.again[place].1,
            Err(before) => visit - before as u32,
        })
    }

    /// The number of bits in the table.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Whether the bit at this position stands for a found state (true) or for the end of a visit (false).
    pub(crate) fn was_found(&self, at: u64) -> bool {
        self.bits[(at / 64) as usize] >> (at % 64) & 1 == 1
    }

    /// The numbers of found states (without initial ones) and of visits.
    pub(crate) fn so_far(&self) -> (u32, u32) {
        (self.found, self.visits)
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        (self.bits.capacity() * 8 + self.samples.capacity() * 8 + self.again.capacity() * 8) as u64
    }
}
