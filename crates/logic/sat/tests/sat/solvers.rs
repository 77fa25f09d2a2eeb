//! Compares every solver with enumeration of all assignments, on incremental queries.

use crate::random::{Rng, holds, pigeons, satisfiable};
use crate::{BACKENDS, go_on};
use sat::{Certified, Outcome, Solver};

/// A new solver of each kind.
fn solvers() -> Vec<(&'static str, Box<dyn Solver>)> {
    let certified: Box<dyn Solver> = Box::new(Certified::new());
    let mut all = vec![("certified batsat", certified)];
    for backend in BACKENDS {
        all.push((backend.name, (backend.new)()));
        all.push((backend.name, (backend.with_phases)()));
    }
    all
}

fn load(solver: &mut dyn Solver, variables: i32, clauses: &[Vec<i32>]) {
    for variable in 1..=variables {
        assert_eq!(solver.variable(), variable);
    }
    for clause in clauses {
        solver.clause(clause);
    }
}

/// Poses a query to a solver, and compares its result, assignment and core with the enumeration.
fn ask(
    name: &str,
    solver: &mut dyn Solver,
    variables: i32,
    clauses: &[Vec<i32>],
    assumed: &[i32],
) -> Outcome {
    let outcome = solver.solve(assumed, &mut go_on);
    let about = || format!("{name}: {clauses:?} under {assumed:?}");
    match outcome {
        Outcome::Satisfiable => {
            let value = |variable| u32::from(solver.value(variable)) << (variable - 1);
            let values = (1..=variables).map(value).sum();
            for variable in 1..=variables {
                assert_ne!(solver.value(variable), solver.value(-variable));
            }
            let clause = |clause: &Vec<i32>| clause.iter().any(|lit| holds(*lit, values));
            assert!(clauses.iter().all(clause), "{}", about());
            assert!(assumed.iter().all(|lit| holds(*lit, values)), "{}", about());
        }
        Outcome::Unsatisfiable => {
            let core = solver.core();
            assert!(core.iter().all(|lit| assumed.contains(lit)), "{}", about());
            assert!(!satisfiable(variables, clauses, &core), "{}", about());
            assert!(!satisfiable(variables, clauses, assumed), "{}", about());
        }
        Outcome::Stopped => panic!("stopped without a reason: {}", about()),
    }
    outcome
}

#[test]
fn queries_between_clauses() {
    let mut outcomes = [0, 0];
    for seed in 0..120 {
        for (name, mut solver) in solvers() {
            let mut rng = Rng::new(seed);
            let mut variables = 3 + rng.below(4) as i32;
            let mut clauses: Vec<Vec<i32>> = Vec::new();
            load(&mut *solver, variables, &clauses);
            for _ in 0..12 {
                if rng.below(3) == 0 {
                    variables += 1;
                    assert_eq!(solver.variable(), variables);
                }
                for _ in 0..rng.below(2 * variables as usize) {
                    let length = 2 + usize::from(rng.below(5) > 0);
                    clauses.push(rng.literals(length, variables));
                    solver.clause(clauses.last().unwrap());
                }
                let length = rng.below(5);
                let assumed = rng.literals(length, variables);
                match ask(name, &mut *solver, variables, &clauses, &assumed) {
                    Outcome::Satisfiable => outcomes[0] += 1,
                    _ => outcomes[1] += 1,
                }
            }
        }
    }
    assert!(outcomes[0] > 500 && outcomes[1] > 500, "{outcomes:?}");
}

#[test]
fn queries_that_need_search() {
    for seed in 0..30 {
        let mut rng = Rng::new(1000 + seed);
        let variables = 14;
        let clauses: Vec<Vec<i32>> = (0..60).map(|_| rng.literals(3, variables)).collect();
        for (name, mut solver) in solvers() {
            load(&mut *solver, variables, &clauses);
            ask(name, &mut *solver, variables, &clauses, &[]);
            for _ in 0..4 {
                let assumed = rng.literals(3, variables);
                ask(name, &mut *solver, variables, &clauses, &assumed);
            }
        }
    }
}

#[test]
fn assumptions_hold_for_one_query() {
    for (_, mut solver) in solvers() {
        load(&mut *solver, 3, &[vec![1, 2]]);
        assert_eq!(
            solver.solve(&[-1, 3, -2], &mut go_on),
            Outcome::Unsatisfiable
        );
        assert_eq!(solver.core(), [-1, -2]);
        assert_eq!(solver.solve(&[-1], &mut go_on), Outcome::Satisfiable);
        assert!(solver.value(2) && !solver.value(-2) && solver.value(-1));
        assert_eq!(solver.core(), []);
        assert_eq!(
            solver.solve(&[3, -3, 1], &mut go_on),
            Outcome::Unsatisfiable
        );
        assert_eq!(solver.core(), [3, -3]);
    }
}

#[test]
fn the_empty_clause_is_permanent() {
    for (_, mut solver) in solvers() {
        assert_eq!(solver.solve(&[], &mut go_on), Outcome::Satisfiable);
        load(&mut *solver, 2, &[vec![1], vec![]]);
        assert_eq!(solver.solve(&[2], &mut go_on), Outcome::Unsatisfiable);
        assert_eq!(solver.core(), []);
        solver.clause(&[1, -1]);
        assert_eq!(solver.solve(&[], &mut go_on), Outcome::Unsatisfiable);
    }
}

#[test]
fn more_pigeons_than_holes() {
    for holes in 1..=7 {
        let (variables, clauses) = pigeons(holes);
        for (name, mut solver) in solvers() {
            load(&mut *solver, variables, &clauses);
            let outcome = solver.solve(&[], &mut go_on);
            assert_eq!(outcome, Outcome::Unsatisfiable, "{name}");
        }
        // If the clause of one pigeon is active only under a guard literal, the clauses are satisfiable. With the guard
        // assumed, they are not, and the core is the guard.
        for (name, mut solver) in solvers() {
            let guard = variables + 1;
            load(&mut *solver, guard, &clauses[1..]);
            let first: Vec<i32> = clauses[0].iter().copied().chain([-guard]).collect();
            solver.clause(&first);
            assert_eq!(
                solver.solve(&[], &mut go_on),
                Outcome::Satisfiable,
                "{name}"
            );
            assert_eq!(solver.solve(&[guard], &mut go_on), Outcome::Unsatisfiable);
            assert_eq!(solver.core(), [guard], "{name}");
        }
    }
}

#[test]
fn a_stopped_solver_accepts_the_next_query() {
    let (variables, clauses) = pigeons(11);
    for (name, mut solver) in solvers() {
        load(&mut *solver, variables, &clauses);
        assert_eq!(solver.solve(&[], &mut || true), Outcome::Stopped, "{name}");
        let mut left = 3;
        let mut stop = || {
            left -= 1;
            left == 0
        };
        assert_eq!(solver.solve(&[1], &mut stop), Outcome::Stopped, "{name}");
        assert_eq!(left, 0, "{name} calls `stop` regularly");
        // With two pigeons assumed in the same hole, the query is easy.
        let outcome = solver.solve(&[1, 12], &mut go_on);
        assert_eq!(outcome, Outcome::Unsatisfiable, "{name}");
        assert_eq!(solver.core(), [1, 12], "{name}");
    }
}

#[test]
fn results_are_deterministic() {
    let values = || {
        let mut all: Vec<Vec<bool>> = Vec::new();
        for (_, mut solver) in solvers() {
            let mut rng = Rng::new(7);
            let clauses: Vec<Vec<i32>> = (0..390).map(|_| rng.literals(3, 100)).collect();
            load(&mut *solver, 100, &clauses);
            for variable in 1..=20 {
                match solver.solve(&[variable], &mut go_on) {
                    Outcome::Satisfiable => all.push((1..=100).map(|v| solver.value(v)).collect()),
                    _ => all.push(Vec::new()),
                }
            }
        }
        all
    };
    let first = values();
    assert!(first.iter().any(|one| !one.is_empty()));
    assert_eq!(first, values());
}

#[test]
fn a_preferred_literal_is_true_where_clauses_allow_it() {
    for backend in BACKENDS {
        let mut solver = (backend.with_phases)();
        load(&mut *solver, 40, &[vec![1, 2], vec![-1, -2], vec![-3, 4]]);
        for variable in 3..=40 {
            let is_even = variable % 2 == 0;
            solver.prefer(if is_even { variable } else { -variable });
        }
        assert_eq!(solver.solve(&[], &mut go_on), Outcome::Satisfiable);
        for variable in 3..=40 {
            let name = backend.name;
            assert_eq!(
                solver.value(variable),
                variable % 2 == 0,
                "{name}: {variable}"
            );
        }
    }
}
