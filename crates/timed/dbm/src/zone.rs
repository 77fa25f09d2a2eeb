//! Zones: sets of clock values, as canonical difference bound matrices, with the operations that change them in place.

use crate::bound::{Bound, Constraint};
use crate::defects::{Defect, broken};
use crate::matrix;
use crate::view::ZoneRef;
use crate::weight::{Overflow, Weight};

/// A non-empty set of values of the clocks `1..=n` that is given by bounds of the differences of two clocks. Clock 0 is
/// the reference clock; its value is always 0. Values of clocks are not negative.
///
/// The matrix is canonical: each entry is the least upper bound of a difference. So zones are equal iff they are the
/// same set. An operation whose result is out of range, or is empty, leaves the zone unchanged; only
/// [`Zone::constrain_all`] and [`Zone::intersect`] may have applied a part of the constraints.
///
/// Indices of clocks are at most [`ZoneRef::clocks`]; larger indices panic.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Zone<W: Weight = i64> {
    pub(crate) dimension: usize,
    pub(crate) bounds: Vec<Bound<W>>,
}

impl<W: Weight> Zone<W> {
    /// The zone in which all clocks are 0.
    pub fn zero(clocks: usize) -> Zone<W> {
        Zone {
            dimension: clocks + 1,
            bounds: vec![Bound::ZERO; (clocks + 1) * (clocks + 1)],
        }
    }

    /// The zone of all values.
    pub fn universe(clocks: usize) -> Zone<W> {
        let mut zone = Zone::zero(clocks);
        for clock in 1..=clocks {
            zone.row_mut(clock).fill(Bound::INFINITE);
            zone.row_mut(clock)[clock] = Bound::ZERO;
        }
        zone
    }

    /// The values that satisfy all constraints; `None` if there are none.
    pub fn from_constraints(
        clocks: usize,
        constraints: impl IntoIterator<Item = Constraint<W>>,
    ) -> Result<Option<Zone<W>>, Overflow> {
        let mut zone = Zone::universe(clocks);
        for Constraint { left, right, bound } in constraints {
            let entry = &mut zone.row_mut(left)[right];
            *entry = bound.min(*entry);
        }
        let is_possible = matrix::close(&mut zone.bounds, zone.dimension)?;
        Ok(is_possible.then_some(zone))
    }

    /// A view of the zone.
    #[inline]
    pub fn view(&self) -> ZoneRef<'_, W> {
        ZoneRef {
            dimension: self.dimension,
            bounds: &self.bounds,
        }
    }

    /// Makes the zone a copy of another one. The buffer is kept.
    pub fn copy_from(&mut self, source: ZoneRef<'_, W>) {
        self.dimension = source.dimension;
        self.bounds.clear();
        self.bounds.extend_from_slice(source.bounds);
    }

    /// Replaces the zone by one over `clocks.len()` clocks, each a copy of the given clock of another zone. This
    /// projects the zone, permutes its clocks, and adds clocks: a copy of the reference clock is a clock with the value
    /// 0. The buffer is kept.
    pub fn copy_clocks(&mut self, source: ZoneRef<'_, W>, clocks: &[usize]) {
        self.dimension = clocks.len() + 1;
        self.bounds.clear();
        for row in std::iter::once(0).chain(clocks.iter().copied()) {
            let row = source.row(row);
            self.bounds.push(row[0]);
            self.bounds.extend(clocks.iter().map(|clock| row[*clock]));
        }
    }

    /// Lets any amount of time pass (`up`): removes the upper bounds of all clocks.
    pub fn delay(&mut self) {
        let dimension = self.dimension;
        let upper = self.bounds.iter_mut().step_by(dimension).skip(1);
        upper.for_each(|bound| *bound = Bound::INFINITE);
    }

    /// The values from which time leads into the zone (`down`): removes lower bounds, except those that follow from
    /// differences of clocks.
    pub fn past(&mut self) {
        for clock in 1..self.dimension {
            let column = self.bounds[clock..].iter().step_by(self.dimension);
            let least = column.skip(1).min().copied();
            self.bounds[clock] = least.map_or(Bound::ZERO, |least| least.min(Bound::ZERO));
        }
    }

    /// Forgets the value of a clock: it becomes arbitrary.
    pub fn free(&mut self, clock: usize) {
        debug_assert!(clock != 0, "the reference clock is 0");
        let dimension = self.dimension;
        for other in 0..dimension {
            let row = &mut self.bounds[other * dimension..][..dimension];
            if !broken(Defect::FreedKeepsDifferences) || other == 0 {
                row[clock] = row[0];
            }
        }
        let row = self.row_mut(clock);
        row.fill(Bound::INFINITE);
        row[clock] = Bound::ZERO;
    }

    /// Assigns a value to a clock. The value must not be negative.
    pub fn reset(&mut self, clock: usize, value: W) -> Result<(), Overflow> {
        self.assign(clock, 0, value)
    }

    /// Assigns `source + offset` to a clock. The offset must not be negative.
    pub fn assign(&mut self, clock: usize, source: usize, offset: W) -> Result<(), Overflow> {
        debug_assert!(clock != 0, "the reference clock is 0");
        let negative = W::default().minus(offset)?;
        if offset < W::default() {
            return Err(Overflow);
        }
        let plus = Bound::at_most(offset)?;
        let minus = Bound::at_most(negative)?;
        let dimension = self.dimension;
        let column = self.bounds[source..].iter().step_by(dimension);
        let into = column.fold(plus.size(), |size, bound| size.or(bound.size()));
        let size = into.or(matrix::size(self.view().row(source)));
        size.plus(plus.size()).check()?;
        // No entry is read after it is written, also if the clock is its own source.
        for other in 0..dimension {
            if other != clock {
                let from_source = self.bounds[source * dimension + other];
                let to_source = self.bounds[other * dimension + source];
                self.bounds[clock * dimension + other] = from_source.sum(plus);
                self.bounds[other * dimension + clock] = to_source.sum(minus);
            }
        }
        Ok(())
    }

    /// Intersects the zone with `left - right ≺ bound`, in quadratic time. `Ok(false)` if nothing remains; the zone is
    /// then unchanged.
    #[inline]
    pub fn constrain(
        &mut self,
        left: usize,
        right: usize,
        bound: Bound<W>,
    ) -> Result<bool, Overflow> {
        matrix::tighten(&mut self.bounds, self.dimension, (left, right), bound)
    }

    /// Intersects the zone with the constraints one after the other. `Ok(false)` if nothing remains; the zone then
    /// satisfies the constraints before the one that excludes the rest.
    pub fn constrain_all(
        &mut self,
        constraints: impl IntoIterator<Item = Constraint<W>>,
    ) -> Result<bool, Overflow> {
        for Constraint { left, right, bound } in constraints {
            if !self.constrain(left, right, bound)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Intersects the zone with a zone over as many clocks. `Ok(false)` if nothing remains; the zone is then as
    /// after [`Zone::constrain_all`].
    pub fn intersect(&mut self, other: ZoneRef<'_, W>) -> Result<bool, Overflow> {
        debug_assert_eq!(self.dimension, other.dimension);
        self.constrain_all(other.constraints())
    }

    #[inline]
    pub(crate) fn row_mut(&mut self, clock: usize) -> &mut [Bound<W>] {
        &mut self.bounds[clock * self.dimension..][..self.dimension]
    }
}

impl<W: Weight> std::fmt::Debug for Zone<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.view().fmt(f)
    }
}
