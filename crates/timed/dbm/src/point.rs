//! Single values of clocks: membership in a zone, and a sample of a zone.
//!
//! **Grid.** A zone of `n` clocks with integer constants contains a point at multiples of `1/(n + 1)`. With the unit
//! `1/(n + 1)`, a closed bound `<= c` becomes `<= c(n + 1)` and a strict one becomes `<= c(n + 1) - 1`. A simple cycle of
//! bounds has at most `n + 1` edges. If the sum of its constants is positive, its weight is at least `(n + 1) - (n + 1)`;
//! if the sum is 0, all its bounds are closed and its weight is 0. So there is no negative cycle, and the system has a
//! solution in integers. For constants with an infinitesimal part the same holds with the unit `ε/(n + 1)`.

use crate::bound::{Bound, Constraint};
use crate::view::ZoneRef;
use crate::weight::{Overflow, Weight};
use crate::zone::Zone;

/// Values of the clocks `1..=n`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Point<W: Weight = i64> {
    /// The values of the clocks in units of `1/denominator`, beginning with clock 1.
    pub numerators: Vec<W>,
    /// The number of units per 1; positive.
    pub denominator: i64,
}

impl<W: Weight> ZoneRef<'_, W> {
    /// Whether the point, which has as many clocks, is in the zone.
    pub fn contains(self, point: &Point<W>) -> bool {
        let value = |clock: usize| match clock.checked_sub(1) {
            None => W::default(),
            Some(place) => point.numerators[place],
        };
        let mut constraints = self.constraints();
        constraints.all(|c| {
            c.bound.value().is_none_or(|constant| {
                let (left, right) = (value(c.left), value(c.right));
                constant.bounds(c.bound.is_strict(), left, right, point.denominator)
            })
        })
    }

    /// The point of the zone with the least values on the grid of `1/(n + 1)`, for `n` clocks.
    pub fn sample(self) -> Result<Point<W>, Overflow> {
        let denominator = self.dimension as i64;
        let on_grid = |c: Constraint<W>| {
            let most = c.bound.value().unwrap_or_default().times(denominator)?;
            let most = match c.bound.is_strict() {
                true => most.predecessor()?,
                false => most,
            };
            let bound = Bound::at_most(most)?;
            Ok(Constraint { bound, ..c })
        };
        let constraints: Result<Vec<_>, Overflow> = self.constraints().map(on_grid).collect();
        let zone = Zone::from_constraints(self.clocks(), constraints?)?;
        // The head of the file shows that there is a solution.
        let zone = zone.ok_or(Overflow)?;
        let least = (1..self.dimension).map(|clock| zone.view().infimum(clock));
        Ok(Point {
            numerators: least.collect(),
            denominator,
        })
    }
}
