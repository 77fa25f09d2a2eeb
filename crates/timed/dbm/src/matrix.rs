//! Closure of difference bound matrices: shortest paths in the graph whose edges are the bounds.
//!
//! A matrix over `n` clocks is a slice of `(n + 1)²` bounds in row-major order. The entry in row `i` and column `j` is the
//! bound of `x_i - x_j`.

use crate::bound::Bound;
use crate::defects::{Defect, broken};
use crate::weight::{Overflow, Size, Weight};

/// The largest size of a finite entry.
pub(crate) fn size<W: Weight>(bounds: &[Bound<W>]) -> Size {
    let sizes = bounds.iter().map(|bound| bound.size());
    sizes.fold(Size::default(), Size::or)
}

/// The canonical form by the algorithm of Floyd and Warshall: every entry becomes the weight of a shortest path.
/// `Ok(false)` if there is a negative cycle, that is, no solution; the matrix is then arbitrary.
pub(crate) fn close<W: Weight>(
    bounds: &mut [Bound<W>],
    dimension: usize,
) -> Result<bool, Overflow> {
    check_paths(size(bounds), dimension)?;
    Ok(close_checked(bounds, dimension))
}

/// An error if the weight of a path may be out of range, for bounds of at most this size. Until [`close`] detects a
/// negative cycle, an entry is at most the weight of two simple paths.
pub(crate) fn check_paths(size: Size, dimension: usize) -> Result<(), Overflow> {
    size.times(2 * dimension).check()
}

/// [`close`] for bounds that [`check_paths`] has accepted.
pub(crate) fn close_checked<W: Weight>(bounds: &mut [Bound<W>], dimension: usize) -> bool {
    (0..dimension).all(|k| {
        relax(bounds, dimension, k, k, Bound::ZERO);
        let mut diagonal = bounds.iter().step_by(dimension + 1);
        diagonal.all(|bound| *bound >= Bound::ZERO)
    })
}

/// Adds the bound of `x_i - x_j` to a canonical matrix and restores the canonical form in quadratic time, as every
/// shortest path contains the new edge at most once. `Ok(false)` if there is no solution; the matrix is then unchanged.
pub(crate) fn tighten<W: Weight>(
    bounds: &mut [Bound<W>],
    dimension: usize,
    (i, j): (usize, usize),
    bound: Bound<W>,
) -> Result<bool, Overflow> {
    if bound >= bounds[i * dimension + j] {
        return Ok(true);
    }
    let row = &bounds[j * dimension..][..dimension];
    let column = bounds[i..].iter().step_by(dimension);
    let into = column.fold(Size::default(), |size, bound| size.or(bound.size()));
    into.plus(bound.size()).plus(size(row)).check()?;
    if row[i].sum(bound) < Bound::ZERO {
        return Ok(false);
    }
    relax(bounds, dimension, i, j, bound);
    Ok(true)
}

/// Compares every entry with the weight of the path through the edge from `i` to `j`.
///
/// Row `j` does not change: with a canonical matrix its entry in column `i` plus `bound` is not negative, and if `i` is
/// `j`, the path through the edge is no shorter. Rows whose entry in column `j` is not improved are not improved at all.
fn relax<W: Weight>(
    bounds: &mut [Bound<W>],
    dimension: usize,
    i: usize,
    j: usize,
    bound: Bound<W>,
) {
    let (before, rest) = bounds.split_at_mut(j * dimension);
    let (row, after) = rest.split_at_mut(dimension);
    // No path leads through a clock without upper bounds, which is frequent after an extrapolation.
    let mut others = row.iter().enumerate().filter(|(other, _)| *other != j);
    if i == j && others.all(|(_, bound)| bound.is_infinite()) {
        return;
    }
    let before = before.chunks_exact_mut(dimension);
    for target in before.chain(after.chunks_exact_mut(dimension)) {
        let first = target[i].sum(bound);
        if first.is_infinite() || (i != j && first >= target[j]) {
            continue;
        }
        let upper = target[0];
        for (entry, last) in target.iter_mut().zip(row.iter()) {
            *entry = (*entry).min(first.sum(*last));
        }
        if broken(Defect::ColumnNotUpdated) {
            target[0] = upper;
        }
    }
}
