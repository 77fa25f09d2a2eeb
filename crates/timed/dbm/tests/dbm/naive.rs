//! Difference bounds without codes: a pair of a constant and a strictness, and closure by repetition.

use dbm::{Bound, Constraint, Zone};

/// A finite bound: its constant and whether it is strict; `None` is infinite.
pub type Naive = Option<(i64, bool)>;

/// Bounds by row and column.
pub type Matrix = Vec<Vec<Naive>>;

/// Whether the first bound is at most the second one.
pub fn at_most(one: Naive, other: Naive) -> bool {
    match (one, other) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some((c, strict)), Some((d, other))) => c < d || (c == d && (strict || !other)),
    }
}

pub fn plus(one: Naive, other: Naive) -> Naive {
    let ((c, strict), (d, other)) = (one?, other?);
    Some((c + d, strict || other))
}

/// Replaces bounds by shorter paths until nothing changes. `false` if there is no solution.
pub fn close(matrix: &mut Matrix) -> bool {
    let all = 0..matrix.len();
    loop {
        let mut changed = false;
        for i in all.clone() {
            for j in all.clone() {
                for k in all.clone() {
                    let through = plus(matrix[i][k], matrix[k][j]);
                    if !at_most(matrix[i][j], through) {
                        matrix[i][j] = through;
                        changed = true;
                    }
                }
            }
        }
        if all
            .clone()
            .any(|i| !at_most(Some((0, false)), matrix[i][i]))
        {
            return false;
        }
        if !changed {
            return true;
        }
    }
}

pub fn is_canonical(matrix: &Matrix) -> bool {
    let mut closed = matrix.clone();
    close(&mut closed) && closed == *matrix
}

pub fn bound(naive: Naive) -> Bound {
    match naive {
        None => Bound::INFINITE,
        Some((c, true)) => Bound::below(c).expect("small"),
        Some((c, false)) => Bound::at_most(c).expect("small"),
    }
}

pub fn naive(bound: Bound) -> Naive {
    bound.value().map(|value| (value, bound.is_strict()))
}

pub fn matrix(zone: &Zone) -> Matrix {
    let view = zone.view();
    let all = 0..=view.clocks();
    let row = |i| all.clone().map(move |j| naive(view.bound(i, j))).collect();
    all.clone().map(row).collect()
}

/// The constraints of a matrix, also infinite ones.
pub fn constraints(matrix: &Matrix) -> impl Iterator<Item = Constraint> + '_ {
    let rows = matrix.iter().enumerate();
    rows.flat_map(|(left, row)| {
        let entries = row.iter().enumerate();
        entries.map(move |(right, entry)| Constraint {
            left,
            right,
            bound: bound(*entry),
        })
    })
}
