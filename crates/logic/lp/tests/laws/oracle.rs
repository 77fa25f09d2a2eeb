//! The oracle: Fourier-Motzkin elimination. It is slow and short, and shares no code with the solver.

use lp::{Linear, Problem, Relation};
use rational::Rational;

/// The inequality `sum of coefficient * unknown <= right`: the coefficients by unknown, and the right side.
type Inequality = (Vec<Rational>, Rational);

/// Whether a problem has a solution.
pub fn feasible(problem: &Problem) -> bool {
    let mut rows = inequalities(problem, None);
    for unknown in 0..problem.unknowns() {
        rows = eliminate(rows, unknown);
    }
    rows.iter().all(|(_, right)| !right.is_negative())
}

/// The maximum of a linear form in a feasible problem; `None` if there is no upper bound.
pub fn most(problem: &Problem, form: &Linear) -> Option<Rational> {
    // An additional unknown is at most the form. After elimination of all others, only bounds of this unknown remain.
    let mut rows = inequalities(problem, Some(form));
    for unknown in 0..problem.unknowns() {
        rows = eliminate(rows, unknown);
    }
    let last = problem.unknowns();
    rows.iter()
        .filter(|(left, _)| left[last].is_positive())
        .map(|(left, right)| right / &left[last])
        .min()
}

fn inequalities(problem: &Problem, form: Option<&Linear>) -> Vec<Inequality> {
    let width = problem.unknowns() + usize::from(form.is_some());
    let dense = |form: &Linear, sign: i64| {
        let mut left = vec![Rational::ZERO; width];
        for (unknown, coefficient) in form.terms() {
            left[unknown.0 as usize] = coefficient * Rational::from(sign);
        }
        left
    };
    let mut rows = Vec::new();
    for row in problem.rows() {
        if row.relation != Relation::AtLeast {
            rows.push((dense(&row.left, 1), row.right.clone()));
        }
        if row.relation != Relation::AtMost {
            rows.push((dense(&row.left, -1), -&row.right));
        }
    }
    if let Some(form) = form {
        let mut left = dense(form, -1);
        left[width - 1] = Rational::ONE;
        rows.push((left, Rational::ZERO));
    }
    rows
}

fn eliminate(rows: Vec<Inequality>, unknown: usize) -> Vec<Inequality> {
    let (mut without, mut above, mut below) = (Vec::new(), Vec::new(), Vec::new());
    for (left, right) in rows {
        let size = left[unknown].abs();
        if size.is_zero() {
            without.push((left, right));
            continue;
        }
        let sign = left[unknown].is_positive();
        let left: Vec<Rational> = left.into_iter().map(|c| c / &size).collect();
        let row = (left, right / &size);
        match sign {
            true => above.push(row),
            false => below.push(row),
        }
    }
    for (a, x) in &above {
        for (b, y) in &below {
            let left: Vec<Rational> = a.iter().zip(b).map(|(c, d)| c + d).collect();
            without.push((left, x + y));
        }
    }
    keep_strongest(without)
}

/// Of rows whose left sides are positive multiples of each other, keeps the strongest. Drops rows `0 <= r` with r ≥ 0.
fn keep_strongest(rows: Vec<Inequality>) -> Vec<Inequality> {
    let mut kept = std::collections::BTreeMap::<Vec<Rational>, Rational>::new();
    for (mut left, mut right) in rows {
        match left.iter().find(|c| !c.is_zero()).map(Rational::abs) {
            Some(size) => {
                left.iter_mut().for_each(|c| *c /= &size);
                right /= size;
            }
            None if !right.is_negative() => continue,
            None => {}
        }
        let least = kept.entry(left).or_insert_with(|| right.clone());
        if right < *least {
            *least = right;
        }
    }
    kept.into_iter().collect()
}
