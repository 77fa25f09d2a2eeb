//! Numbers in as many bits as they need, one behind the other.

/// Bits that hold the numbers below `places`.
pub(crate) fn bits_for(places: u64) -> u32 {
    64 - places.saturating_sub(1).leading_zeros()
}

/// Lengths of unbounded containers are written in groups of this many bits, all ones meaning "and more".
const LENGTH_BITS: u32 = 2;

/// Writes numbers into bytes.
pub(crate) struct Writer<'b> {
    bytes: &'b mut Vec<u8>,
    /// Fewer than 64 bits that are not written yet, the lowest first.
    pending: u64,
    bits: u32,
}

impl<'b> Writer<'b> {
    pub(crate) fn new(bytes: &'b mut Vec<u8>) -> Writer<'b> {
        bytes.clear();
        Writer {
            bytes,
            pending: 0,
            bits: 0,
        }
    }

    pub(crate) fn put(&mut self, number: u64, bits: u32) {
        // One more bit would be part of the next number, and lengths could become anything.
        debug_assert!(
            bits == 64 || number >> bits == 0,
            "{number} has {bits} bits"
        );
        self.pending |= number << self.bits;
        let total = self.bits + bits;
        if total < 64 {
            self.bits = total;
            return;
        }
        self.bytes.extend_from_slice(&self.pending.to_le_bytes());
        self.pending = number.checked_shr(64 - self.bits).unwrap_or(0);
        self.bits = total - 64;
    }

    pub(crate) fn put_length(&mut self, mut length: u64, capacity: Option<u32>) {
        if let Some(capacity) = capacity {
            return self.put(length, bits_for(u64::from(capacity) + 1));
        }
        let more = (1 << LENGTH_BITS) - 1;
        while length >= more {
            self.put(more, LENGTH_BITS);
            length -= more;
        }
        self.put(length, LENGTH_BITS);
    }

    pub(crate) fn finish(self) {
        let whole = self.bits.div_ceil(8) as usize;
        self.bytes
            .extend_from_slice(&self.pending.to_le_bytes()[..whole]);
    }
}

/// Reads what a [`Writer`] has written.
pub(crate) struct Reader<'b> {
    bytes: &'b [u8],
    /// Bits that are read and not taken yet, the lowest first.
    pending: u64,
    bits: u32,
}

impl<'b> Reader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader {
            bytes,
            pending: 0,
            bits: 0,
        }
    }

    pub(crate) fn get(&mut self, bits: u32) -> u64 {
        if bits > self.bits {
            return self.get_beyond(bits);
        }
        let number = self.pending & ((1 << bits) - 1);
        self.pending >>= bits;
        self.bits -= bits;
        number
    }

    /// Takes what is left, and the rest from the next bytes.
    fn get_beyond(&mut self, bits: u32) -> u64 {
        let (low, taken) = (self.pending, self.bits);
        let mut window = [0; 8];
        let length = self.bytes.len().min(8);
        window[..length].copy_from_slice(&self.bytes[..length]);
        self.bytes = &self.bytes[length..];
        let fresh = u64::from_le_bytes(window);
        let rest = bits - taken;
        let high = fresh & ((1 << rest) - 1);
        self.pending = fresh >> rest;
        self.bits = 64 - rest;
        low | high << taken
    }

    pub(crate) fn get_length(&mut self, capacity: Option<u32>) -> u64 {
        if let Some(capacity) = capacity {
            return self.get(bits_for(u64::from(capacity) + 1));
        }
        let more = (1 << LENGTH_BITS) - 1;
        let mut length = 0;
        loop {
            let part = self.get(LENGTH_BITS);
            length += part;
            if part < more {
                return length;
            }
        }
    }
}
