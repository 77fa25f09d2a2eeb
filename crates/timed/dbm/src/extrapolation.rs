//! The extrapolation ExtraLU+ (Behrmann, Bouyer, Larsen, Pelánek, *Lower and upper bounds in zone-based abstractions of
//! timed automata*, STTT 2006): a superset of a zone, one of finitely many for given LU bounds.
//!
//! The result is a subset of the abstraction aLU of the zone (see [`subsumption`](crate::subsumption)), so for automata
//! without tests of differences of clocks the same locations remain reachable. With `c_ij` the bound of `x_i - x_j` in the
//! canonical zone, the new bound is
//!
//! * infinite if `c_ij > L_i`: a guard cannot distinguish larger values of `x_i`;
//! * infinite if `-c_0i > L_i`: all values of `x_i` in the zone are that large;
//! * infinite if `-c_0j > U_j` and `i` is not the reference clock: all values of `x_j` violate every upper bound;
//! * `< -U_j` if `-c_0j > U_j` and `i` is the reference clock: only this lower bound of `x_j` is kept;
//! * `c_ij` otherwise.
//!
//! **Finiteness.** Finite bounds of the result are between `-U` and `L`, so with integer constants there are finitely
//! many results. With an infinitesimal part there are infinitely many: `1 + k·ε` is less than 2 for every `k`. A search
//! in which `k` grows in every iteration of a cycle ends only with [`Overflow`], so its caller must bound the number of
//! iterations.

use crate::bound::Bound;
use crate::defects::{Defect, broken};
use crate::lu::LuBounds;
use crate::matrix;
use crate::weight::{Overflow, Weight};
use crate::zone::Zone;

impl<W: Weight> Zone<W> {
    /// Replaces the zone by its extrapolation ExtraLU+. Takes cubic time if the zone changes. On an error the zone is
    /// unchanged.
    pub fn extrapolate(&mut self, lu: &LuBounds<W>) -> Result<(), Overflow> {
        let dimension = self.dimension;
        let size = matrix::size(&self.bounds).or(matrix::size(lu.minus_upper()));
        matrix::check_paths(size, dimension)?;
        let (lower_bounds, rows) = self.bounds.split_at_mut(dimension);
        let mut changed = false;
        for (i, row) in (1..).zip(rows.chunks_exact_mut(dimension)) {
            // The code of `< -L`: a bound `c` is greater than `L` iff it is greater than the complement `<= L`.
            let minus_lower = lu.minus_lower(i);
            let lower = minus_lower.complement();
            let all_above = lower.is_none() || lower_bounds[i] < minus_lower;
            let above = |bound: Bound<W>| match broken(Defect::EqualToLower) {
                true => lower.is_none_or(|lower| bound >= lower),
                false => lower.is_none_or(|lower| bound > lower),
            };
            for (j, bound) in row.iter_mut().enumerate() {
                let is_free = all_above || above(*bound) || is_above_upper(lu, lower_bounds, j);
                if is_free && i != j && !bound.is_infinite() {
                    *bound = Bound::INFINITE;
                    changed = true;
                }
            }
        }
        for j in 1..dimension {
            if is_above_upper(lu, lower_bounds, j) {
                let kept = lu.minus_upper()[j].strict().min(Bound::ZERO);
                let kept = match broken(Defect::LowerBoundsRemoved) {
                    true => Bound::ZERO,
                    false => kept,
                };
                changed |= lower_bounds[j] != kept;
                lower_bounds[j] = kept;
            }
        }
        if changed {
            matrix::close_checked(&mut self.bounds, dimension);
        }
        Ok(())
    }
}

/// Whether all values of the clock are greater than its `U`.
#[inline]
fn is_above_upper<W: Weight>(lu: &LuBounds<W>, lower_bounds: &[Bound<W>], clock: usize) -> bool {
    let upper = match broken(Defect::LowerForUpper) {
        true => lu.minus_lower(clock),
        false => lu.minus_upper()[clock],
    };
    upper.is_infinite() || lower_bounds[clock] < upper.strict()
}
