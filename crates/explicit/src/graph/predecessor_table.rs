//! From which state each was found.
//!
//! States are numbered in the order in which they are found, and visited in that order, so it is enough to know how many
//! are found from each: a one for each state that is found, a zero for each that has been visited. Who is visited once more, out of
//! order, is noted by its number. Two bits for each state, and a few to find one's place.

/// Who was found from whom.
#[derive(Default)]
pub(crate) struct PredecessorTable {
    /// How many are not found from another.
    initial: u32,
    bits: Vec<u64>,
    length: u64,
    /// For every so many ones: where the first of them is.
    samples: Vec<u64>,
    found: u32,
    visits: u32,
    /// Visits that were once more: which, and of whom.
    again: Vec<(u32, u32)>,
}

const ONES_PER_SAMPLE: u32 = 512;

impl PredecessorTable {
    /// One more in which runs begin; before anything is visited.
    pub(crate) fn begin(&mut self) {
        self.initial += 1;
    }

    /// One more was found from the state that is visited.
    pub(crate) fn found(&mut self) {
        if self.found.is_multiple_of(ONES_PER_SAMPLE) {
            self.samples.push(self.length);
        }
        self.found += 1;
        self.push(1);
    }

    /// The next state has been visited.
    pub(crate) fn visited(&mut self) {
        self.visits += 1;
        self.push(0);
    }

    /// The next visit is one more of this state.
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

    /// How many have been visited in the order of their numbers.
    pub(crate) fn visits(&self) -> u32 {
        self.visits - self.again.len() as u32
    }

    /// Whether runs begin in a state.
    pub(crate) fn is_initial(&self, state: u32) -> bool {
        state < self.initial
    }

    /// How many states runs begin in; they are the first ones.
    pub(crate) fn initial(&self) -> u32 {
        self.initial
    }

    /// The state from which a state was found; none if runs begin in it.
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

    /// How much has been noted: who was found and who visited, in order.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Whether something that was noted is that one was found, rather than visited.
    pub(crate) fn was_found(&self, at: u64) -> bool {
        self.bits[(at / 64) as usize] >> (at % 64) & 1 == 1
    }

    /// How many have been found from others, and how many visited.
    pub(crate) fn so_far(&self) -> (u32, u32) {
        (self.found, self.visits)
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        (self.bits.capacity() * 8 + self.samples.capacity() * 8 + self.again.capacity() * 8) as u64
    }
}
