//! Tree compression: equal parts of rows are stored once.
//!
//! The columns of a row are split into two halves, and each half again until it is short. A leaf of this tree holds a
//! set of short pieces of rows. An inner node holds a set of pairs (`pairs.rs`): the numbers of the pieces of its two
//! halves. A row is a pair of the root. Since many rows share few different halves, a row takes little more than the
//! bits of two small numbers and its entry in a hash table. The compression is lossless.
//!
//! When columns become wider, the numbers of pieces stay the same and only the leaves are rewritten. With few rows, or
//! if a piece becomes too long, the tree is rebuilt from all rows.

use crate::store::pairs::Pairs;
use crate::store::rows::{Rows, hash};
use crate::store::visited_set::Column;
use std::ops::Range;

/// A set of rows, numbered in the order of arrival.
pub(crate) struct CompressedTree {
    /// Words per row.
    words: usize,
    root: Node,
}

enum Node {
    Leaf(Leaf),
    Join(Box<[Node; 2]>, Pairs),
}

/// A set of pieces of rows.
struct Leaf {
    /// The columns that a piece consists of.
    columns: Range<usize>,
    /// The index of the first word of a row that contains bits of the piece.
    first: usize,
    /// By word from `first` on: the bits that belong to the piece.
    masks: Vec<u64>,
    pieces: Rows,
}

/// The largest number of bits of a range of columns that is not split when the tree is built.
const LONG: u32 = 64;

/// The greatest number of words that a piece may span.
const WORDS: usize = 3;

/// The number of rows below which the tree is rebuilt when columns become wider.
const FEW: u32 = 20_000;

impl CompressedTree {
    /// An empty tree for rows with these columns, in the order of their position.
    pub(crate) fn new(columns: &[Column], words: usize) -> CompressedTree {
        let all = 0..columns.len();
        let root = match all.len() {
            0 | 1 => Node::leaf(columns, all),
            _ => Node::join(columns, all),
        };
        CompressedTree { words, root }
    }

    pub(crate) fn len(&self) -> u32 {
        match &self.root {
            Node::Leaf(leaf) => leaf.pieces.len(),
            Node::Join(_, pairs) => pairs.len(),
        }
    }

    /// Words per row.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        self.root.memory()
    }

    /// Bytes that are added soon if hash tables are almost full.
    pub(crate) fn growth(&self) -> u64 {
        self.root.growth()
    }

    /// Appends the row with this number to `row`.
    pub(crate) fn read(&self, number: u32, row: &mut Vec<u64>) {
        let before = row.len();
        row.resize(before + self.words, 0);
        self.root.read(number, &mut row[before..]);
    }

    /// The number of a row, if it is in the tree.
    pub(crate) fn find(&self, row: &[u64]) -> Option<u32> {
        self.root.find(row)
    }

    /// Inserts a row. Returns its number, and whether it is new.
    pub(crate) fn insert(&mut self, row: &[u64]) -> (u32, bool) {
        self.root.insert(row)
    }

    /// Converts all rows to a format with these columns and this many words. `write` must map different rows to
    /// different rows.
    pub(crate) fn rewrite(
        &mut self,
        columns: &[Column],
        words: usize,
        write: impl Fn(&[u64], &mut [u64]),
    ) {
        let mut new_row = vec![0; words];
        if self.len() >= FEW && self.root.fits(columns) {
            let mut old_row = vec![0; self.words];
            self.root.each_leaf(&mut |leaf| {
                let old = Leaf::of(columns, leaf.columns.clone());
                let old = std::mem::replace(leaf, old);
                let length = leaf.masks.len();
                let mut pieces = Rows::default();
                pieces.rewrite(length, |_, _| {});
                for number in 0..old.pieces.len() {
                    old_row.fill(0);
                    new_row.fill(0);
                    old.read(number, &mut old_row);
                    write(&old_row, &mut new_row);
                    let piece = &new_row[leaf.first..leaf.first + length];
                    pieces.insert(piece, hash(piece));
                }
                leaf.pieces = pieces;
            });
            self.words = words;
            return;
        }
        let mut new = CompressedTree::new(columns, words);
        self.drain(|row| {
            cancellation::poll();
            new_row.fill(0);
            write(row, &mut new_row);
            new.insert(&new_row);
        });
        *self = new;
    }

    /// Removes all rows in order. Releases the pairs of the root while it removes the rows.
    fn drain(&mut self, mut each: impl FnMut(&[u64])) {
        let mut row = vec![0; self.words];
        match &mut self.root {
            Node::Leaf(leaf) => {
                for number in 0..leaf.pieces.len() {
                    row.fill(0);
                    leaf.read(number, &mut row);
                    each(&row);
                }
            }
            Node::Join(halves, pairs) => pairs.drain(|(a, b)| {
                row.fill(0);
                halves[0].read(a, &mut row);
                halves[1].read(b, &mut row);
                each(&row);
            }),
        }
    }
}

impl Node {
    fn new(columns: &[Column], range: Range<usize>) -> Node {
        match range.len() {
            2.. if width(&columns[range.clone()]) > LONG => Node::join(columns, range),
            _ => Node::leaf(columns, range),
        }
    }

    fn leaf(columns: &[Column], range: Range<usize>) -> Node {
        Node::Leaf(Leaf::of(columns, range))
    }

    /// A node whose halves have about the same width. The range contains at least two columns.
    fn join(columns: &[Column], range: Range<usize>) -> Node {
        let all = width(&columns[range.clone()]);
        let middle = (range.start + 1..range.end)
            .min_by_key(|at| (2 * width(&columns[range.start..*at])).abs_diff(all))
            .expect("two columns");
        let halves = [range.start..middle, middle..range.end];
        let halves = halves.map(|half| Node::new(columns, half));
        Node::Join(Box::new(halves), Pairs::default())
    }

    fn memory(&self) -> u64 {
        match self {
            Node::Leaf(leaf) => leaf.pieces.memory(),
            Node::Join(halves, pairs) => halves[0].memory() + halves[1].memory() + pairs.memory(),
        }
    }

    fn growth(&self) -> u64 {
        match self {
            Node::Leaf(leaf) => leaf.pieces.growth(),
            Node::Join(halves, pairs) => halves[0].growth() + halves[1].growth() + pairs.growth(),
        }
    }

    fn read(&self, number: u32, row: &mut [u64]) {
        match self {
            Node::Leaf(leaf) => leaf.read(number, row),
            Node::Join(halves, pairs) => {
                let (a, b) = pairs.get(number);
                halves[0].read(a, row);
                halves[1].read(b, row);
            }
        }
    }

    fn find(&self, row: &[u64]) -> Option<u32> {
        match self {
            Node::Leaf(leaf) => {
                let (piece, length) = leaf.piece(row);
                leaf.pieces.find(&piece[..length], hash(&piece[..length]))
            }
            Node::Join(halves, pairs) => {
                let a = halves[0].find(row)?;
                let b = halves[1].find(row)?;
                pairs.find((a, b))
            }
        }
    }

    fn insert(&mut self, row: &[u64]) -> (u32, bool) {
        match self {
            Node::Leaf(leaf) => {
                let (piece, length) = leaf.piece(row);
                let piece = &piece[..length];
                leaf.pieces.insert(piece, hash(piece))
            }
            Node::Join(halves, pairs) => {
                let (a, _) = halves[0].insert(row);
                let (b, _) = halves[1].insert(row);
                pairs.insert((a, b))
            }
        }
    }

    /// Whether all leaves stay within the limits on the length of a piece if rows have these columns.
    fn fits(&self, columns: &[Column]) -> bool {
        match self {
            Node::Leaf(leaf) => {
                let few = Leaf::of(columns, leaf.columns.clone()).masks.len() <= WORDS;
                few && width(&columns[leaf.columns.clone()]) <= 2 * LONG
            }
            Node::Join(halves, _) => halves.iter().all(|half| half.fits(columns)),
        }
    }

    fn each_leaf(&mut self, visit: &mut dyn FnMut(&mut Leaf)) {
        match self {
            Node::Leaf(leaf) => visit(leaf),
            Node::Join(halves, _) => halves.iter_mut().for_each(|half| half.each_leaf(visit)),
        }
    }
}

impl Leaf {
    /// An empty leaf for these columns.
    fn of(columns: &[Column], range: Range<usize>) -> Leaf {
        let there = || columns[range.clone()].iter().filter(|c| c.width() > 0);
        let first = there().map(|c| c.word()).min().unwrap_or(0);
        let last = there().map(|c| c.word()).max().unwrap_or(0);
        let mut masks = vec![0; last - first + 1];
        for column in there() {
            masks[column.word() - first] |= column.mask();
        }
        let mut pieces = Rows::default();
        pieces.rewrite(masks.len(), |_, _| {});
        Leaf {
            columns: range,
            first,
            masks,
            pieces,
        }
    }

    /// The piece of a row in this leaf, and its number of words.
    fn piece(&self, row: &[u64]) -> ([u64; WORDS], usize) {
        let mut piece = [0; WORDS];
        let words = row[self.first..].iter().zip(&self.masks);
        for (to, (word, mask)) in piece.iter_mut().zip(words) {
            *to = word & mask;
        }
        (piece, self.masks.len())
    }

    /// Writes a piece into a row in which the bits of the piece are zero.
    fn read(&self, number: u32, row: &mut [u64]) {
        let piece = self.pieces.get(number).iter();
        let to = row[self.first..].iter_mut();
        to.zip(piece).for_each(|(to, word)| *to |= word);
    }
}

/// The total width of columns, in bits.
fn width(columns: &[Column]) -> u32 {
    columns.iter().map(|column| column.width()).sum()
}

#[cfg(test)]
mod tests {
    use crate::store::visited_set::{Size, VisitedSet};
    use machine::random::Rng;
    use verdict::Storage;

    /// A state with correlated components; the range of their values grows with `most`.
    fn draw(rng: &mut Rng, parts: usize, most: usize) -> Vec<u32> {
        let half = |rng: &mut Rng| rng.below(1 + most.min(40)) as u32;
        let (a, b) = (half(rng), half(rng));
        let part = |p: usize, rng: &mut Rng| match p % 4 {
            0 => a % (p as u32 + 2),
            1 => b / (p as u32 + 1),
            2 => rng.below(1 + most / 30) as u32,
            _ => (a + b) / (p as u32 + 1) * (most as u32 / 100),
        };
        (0..parts).map(|p| part(p, rng)).collect()
    }

    /// Visited sets in all exact forms. The last one starts in plain form and is compressed by the test.
    fn stores(parts: usize) -> Vec<VisitedSet> {
        let sizes = |p: usize| match p % 5 {
            4 => Size::Bits(17),
            _ => Size::Group(p % 3),
        };
        let sizes: Vec<Size> = (0..parts).map(sizes).collect();
        let ways = [Storage::Plain, Storage::Compressed, Storage::AsNeeded(0)];
        let make = |way| {
            let mut store = VisitedSet::new(sizes.clone());
            let order = (0..parts as u32).rev().collect();
            store.keep_by(way, order);
            store
        };
        ways.map(make).into()
    }

    /// Columns become wider several times, with few and with many rows; one set is converted to a tree on the way. All
    /// sets assign the same numbers and return the same rows.
    #[test]
    fn trees_are_as_rows_are() {
        for parts in [1, 2, 9, 40, 150] {
            let mut stores = stores(parts);
            let mut rng = Rng(parts as u64);
            let rounds = 60_000 / parts.max(2) + 25_000;
            for round in 0..rounds {
                let state = draw(&mut rng, parts, round * 1_500 / rounds);
                let found: Vec<_> = stores.iter().map(|store| store.find(&state)).collect();
                assert!(
                    found.iter().all(|one| *one == found[0]),
                    "{parts}: {found:?}"
                );
                let came: Vec<_> = stores
                    .iter_mut()
                    .map(|store| store.insert(&state))
                    .collect();
                assert!(came.iter().all(|one| *one == came[0]), "{parts}: {came:?}");
                assert_eq!(found[0].is_none(), came[0].1);
                if round == rounds / 3 {
                    assert!(stores[2].compress() && !stores[1].compress());
                }
            }
            let count = stores[0].len();
            for number in 0..count {
                let read = |store: &VisitedSet| {
                    let (mut row, mut parts) = (Vec::new(), Vec::new());
                    store.read_row(number, &mut row);
                    store.read(number, &mut parts);
                    (row, parts)
                };
                let plain = read(&stores[0]);
                assert!(stores.iter().all(|store| read(store) == plain));
            }
        }
    }
}
