//! Compares the solver with the algorithm of Bellman and Ford on difference constraints.

use crate::random::Random;
use lp::{Answer, Problem, Solver, check_infeasible, check_point};
use rational::Rational;

/// Whether there is no cycle of negative length, by the algorithm of Bellman and Ford.
fn feasible(problem: &Problem) -> bool {
    // `x - y <= c` is an edge from y to x of length c. A row `0 <= c` is an edge from node 0 to itself.
    let edges: Vec<(usize, usize, &Rational)> = problem
        .rows()
        .iter()
        .map(|row| {
            let end = |sign: i64| {
                let mut terms = row.left.terms().iter();
                let term = terms.find(|(_, c)| *c == Rational::from(sign));
                term.map_or(0, |(unknown, _)| unknown.0 as usize)
            };
            (end(-1), end(1), &row.right)
        })
        .collect();
    let mut distance = vec![Rational::ZERO; problem.unknowns()];
    for _ in 0..=problem.unknowns() {
        let mut changed = false;
        for (from, to, length) in &edges {
            let way = &distance[*from] + *length;
            if way < distance[*to] {
                distance[*to] = way;
                changed = true;
            }
        }
        if !changed {
            assert_eq!(check_point(problem, &distance), Ok(()));
            return true;
        }
    }
    false
}

#[test]
fn differences_are_shortest_paths() {
    let mut random = Random(5);
    let mut found = [0, 0];
    for round in 0..400 {
        let unknowns = 2 + round % 12;
        let rows = random.below(4 * u64::from(unknowns)) as u32;
        let problem = random.differences(unknowns, rows);
        let expected = feasible(&problem);
        found[usize::from(expected)] += 1;
        match Solver::new(problem.clone()).solve() {
            Answer::Point(point) => {
                assert!(expected);
                assert_eq!(check_point(&problem, &point), Ok(()));
            }
            Answer::Infeasible(reason) => {
                assert!(!expected);
                assert_eq!(check_infeasible(&problem, &reason), Ok(()));
                // The certificate is a simple cycle: all multipliers are equal.
                assert!(reason.0.iter().all(|(_, by)| *by == reason.0[0].1));
            }
        }
    }
    assert!(found.iter().all(|n| *n > 50), "{found:?}");
}
