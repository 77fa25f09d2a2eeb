//! On random problems the solver agrees with the oracle, and the checker accepts every answer.

use crate::oracle;
use crate::random::{Clock, Random, schedule};
use lp::{
    Answer, Linear, Multipliers, Optimum, Problem, Relation, Solver, Unknown, check_infeasible,
    check_optimum, check_point,
};
use rational::Rational;

/// Whether the rows of a certificate are a minimal infeasible set.
fn is_core(problem: &Problem, reason: &Multipliers) -> bool {
    let without = |left_out: Option<usize>| {
        let mut part = Problem::new();
        for _ in 0..problem.unknowns() {
            part.unknown();
        }
        for (place, row) in reason.rows().enumerate() {
            let c = problem.constraint(row);
            if Some(place) != left_out {
                part.row(c.left.clone(), c.relation, c.right.clone());
            }
        }
        oracle::feasible(&part)
    };
    !without(None) && (0..reason.0.len()).all(|place| without(Some(place)))
}

/// Solves, checks the certificate, compares with the oracle, and returns whether there is a solution.
fn solve(solver: &mut Solver) -> bool {
    let answer = solver.solve();
    let problem = solver.problem();
    let feasible = match &answer {
        Answer::Point(point) => {
            assert_eq!(check_point(problem, point), Ok(()));
            true
        }
        Answer::Infeasible(reason) => {
            assert_eq!(check_infeasible(problem, reason), Ok(()));
            assert!(is_core(problem, reason), "{problem:?} {reason:?}");
            false
        }
    };
    assert_eq!(feasible, oracle::feasible(problem), "{problem:?}");
    feasible
}

/// Maximises, checks the certificate, and compares with the oracle.
fn maximise(solver: &mut Solver, form: &Linear) {
    let optimum = solver.maximise(form);
    let problem = solver.problem();
    let value_at = |point: &[Rational]| -> Rational {
        let terms = form.terms().iter();
        terms.map(|(Unknown(x), c)| c * &point[*x as usize]).sum()
    };
    match optimum {
        Optimum::Most {
            value,
            point,
            multipliers,
        } => {
            assert_eq!(check_point(problem, &point), Ok(()));
            assert_eq!(value_at(&point), value);
            assert_eq!(check_optimum(problem, form, &value, &multipliers), Ok(()));
            assert_eq!(oracle::most(problem, form), Some(value));
        }
        Optimum::Unbounded { point, ray } => {
            assert_eq!(oracle::most(problem, form), None);
            assert!(value_at(&ray).is_positive());
            for times in [0, 1, 1_000_000] {
                let far: Vec<Rational> = point
                    .iter()
                    .zip(&ray)
                    .map(|(x, r)| x + r * Rational::from(times))
                    .collect();
                assert_eq!(check_point(problem, &far), Ok(()));
            }
        }
        Optimum::Infeasible(reason) => {
            assert_eq!(check_infeasible(problem, &reason), Ok(()));
            assert!(!oracle::feasible(problem));
        }
    }
}

#[test]
fn small_problems() {
    let mut random = Random(1);
    let mut feasible = 0;
    for _ in 0..3_000 {
        let problem = random.problem();
        let form = random.linear(problem.unknowns() as u32, 3);
        let mut solver = Solver::new(problem);
        feasible += u32::from(solve(&mut solver));
        maximise(&mut solver, &form);
        maximise(&mut solver, &form.scaled(&Rational::from(-1)));
        solve(&mut solver);
    }
    assert!((500..2_500).contains(&feasible), "{feasible}");
}

#[test]
fn rows_come_and_go() {
    let mut random = Random(2);
    for _ in 0..300 {
        let problem = random.problem();
        let unknowns = problem.unknowns() as u32;
        let mut solver = Solver::new(problem);
        let mut shadows = vec![solver.problem().clone()];
        for _ in 0..20 {
            match random.below(6) {
                0 | 1 => {
                    solver.push();
                    shadows.push(solver.problem().clone());
                }
                2 if shadows.len() > 1 => {
                    solver.pop();
                    assert_eq!(Some(solver.problem()), shadows.pop().as_ref());
                }
                3 => maximise(&mut solver, &random.linear(unknowns, 2)),
                _ if shadows.len() > 1 => {
                    let left = random.linear(unknowns, 2);
                    let relation = match random.below(5) {
                        0 => Relation::Equal,
                        1 | 2 => Relation::AtMost,
                        _ => Relation::AtLeast,
                    };
                    solver.row(left, relation, random.number());
                }
                _ => {}
            }
            solve(&mut solver);
        }
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let mut random = Random(3);
    for _ in 0..100 {
        let problem = random.problem();
        let once = Solver::new(problem.clone()).solve();
        assert_eq!(once, Solver::new(problem).solve());
    }
}

#[test]
fn schedules_prove_themselves() {
    let mut random = Random(4);
    for clock in [Clock::Free, Clock::Drifting, Clock::OnGrid] {
        for _ in 0..10 {
            let good = schedule(&mut random, 3, 6, clock, false).problem;
            let Answer::Point(point) = Solver::new(good.clone()).solve() else {
                panic!("a run that was real");
            };
            assert_eq!(check_point(&good, &point), Ok(()));
            let bad = schedule(&mut random, 3, 6, clock, true).problem;
            match Solver::new(bad.clone()).solve() {
                Answer::Point(point) => assert_eq!(check_point(&bad, &point), Ok(())),
                Answer::Infeasible(reason) => {
                    assert_eq!(check_infeasible(&bad, &reason), Ok(()));
                }
            }
        }
    }
}
