//! Zones for reading: a slice of bounds, of a [`Zone`] or of a row in a table of the caller.

use crate::bound::{Bound, Constraint};
use crate::weight::{Code, Overflow, Weight};
use crate::zone::Zone;
use std::fmt;

/// The number of bounds in a block; a block is compared without branches.
const BLOCK: usize = 16;

/// A zone whose matrix is stored elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ZoneRef<'z, W: Weight = i64> {
    pub(crate) dimension: usize,
    pub(crate) bounds: &'z [Bound<W>],
}

impl<'z, W: Weight> ZoneRef<'z, W> {
    /// The zone with this matrix, which has been the [`bounds`](ZoneRef::bounds) of a zone over as many clocks. `None` if
    /// the matrix has another size. Whether it is canonical is checked with debug assertions only.
    pub fn new(clocks: usize, bounds: &'z [Bound<W>]) -> Option<ZoneRef<'z, W>> {
        let dimension = clocks.checked_add(1)?;
        (dimension.checked_mul(dimension)? == bounds.len()).then_some(())?;
        let zone = ZoneRef { dimension, bounds };
        debug_assert!(zone.is_canonical());
        Some(zone)
    }

    /// The number of clocks, not counting the reference clock.
    pub fn clocks(self) -> usize {
        self.dimension - 1
    }

    /// The matrix, row by row; the entry in row `i` and column `j` is the least upper bound of `x_i - x_j`.
    pub fn bounds(self) -> &'z [Bound<W>] {
        self.bounds
    }

    /// The least upper bound of `left - right`.
    #[inline]
    pub fn bound(self, left: usize, right: usize) -> Bound<W> {
        self.row(left)[right]
    }

    /// The greatest lower bound of a clock. The clock can have it iff `bound(0, clock)` is not strict.
    pub fn infimum(self, clock: usize) -> W {
        let lower = self.bound(0, clock).value().unwrap_or_default();
        // A lower bound is in range, and so is its negative.
        W::default().minus(lower).unwrap_or_default()
    }

    /// The least upper bound of a clock; `None` if there is none. The clock can have it iff `bound(clock, 0)` is not
    /// strict.
    pub fn supremum(self, clock: usize) -> Option<W> {
        self.bound(clock, 0).value()
    }

    /// Whether every value of this zone is one of the other, which has as many clocks. Linear in the size of the matrix.
    #[inline]
    pub fn is_subset_of(self, other: ZoneRef<'_, W>) -> bool {
        debug_assert_eq!(self.dimension, other.dimension);
        let (mine, rest) = self.bounds.as_chunks::<BLOCK>();
        let (theirs, other_rest) = other.bounds.as_chunks::<BLOCK>();
        let mut blocks = mine.iter().zip(theirs);
        blocks.all(|(mine, theirs)| is_at_most(mine, theirs)) && is_at_most(rest, other_rest)
    }

    /// Whether the zones, which have as many clocks, have a common value.
    pub fn intersects(self, other: ZoneRef<'_, W>) -> Result<bool, Overflow> {
        self.to_zone().intersect(other)
    }

    /// A copy that owns its matrix.
    pub fn to_zone(self) -> Zone<W> {
        Zone {
            dimension: self.dimension,
            bounds: self.bounds.to_vec(),
        }
    }

    /// The finite bounds of differences of two clocks.
    pub fn constraints(self) -> impl Iterator<Item = Constraint<W>> + 'z {
        let entries = self.bounds.iter().enumerate();
        let entries = entries.map(move |(place, bound)| Constraint {
            left: place / self.dimension,
            right: place % self.dimension,
            bound: *bound,
        });
        entries.filter(|c| c.left != c.right && !c.bound.is_infinite())
    }

    #[inline]
    pub(crate) fn row(self, clock: usize) -> &'z [Bound<W>] {
        &self.bounds[clock * self.dimension..][..self.dimension]
    }

    /// Whether the matrix is that of a non-empty zone without negative values, and each entry is a least upper bound.
    fn is_canonical(self) -> bool {
        let all = 0..self.dimension;
        all.clone().all(|i| {
            self.bound(i, i) == Bound::ZERO
                && self.bound(0, i) <= Bound::ZERO
                && all.clone().all(|j| {
                    let through = |k: usize| self.bound(i, k).sum(self.bound(k, j));
                    all.clone().all(|k| self.bound(i, j) <= through(k))
                })
        })
    }
}

/// Whether each bound is at most that of the other slice. There are no branches, so the loop compiles to vector
/// instructions.
#[inline(always)]
fn is_at_most<W: Weight>(mine: &[Bound<W>], theirs: &[Bound<W>]) -> bool {
    let pairs = mine.iter().zip(theirs);
    let signs = pairs.map(|(mine, theirs)| theirs.less(*mine));
    signs.fold(W::Code::NOTHING, |all, sign| all | sign) >= W::Code::NOTHING
}

impl<W: Weight> fmt::Debug for ZoneRef<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let constraint = |c: Constraint<W>| match (c.left, c.right) {
            (left, 0) => format!("x{left} {:?}", c.bound),
            (0, right) => format!("-x{right} {:?}", c.bound),
            (left, right) => format!("x{left}-x{right} {:?}", c.bound),
        };
        f.debug_set()
            .entries(self.constraints().map(constraint))
            .finish()
    }
}
