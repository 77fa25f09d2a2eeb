//! Both solvers against trying all values, asked again and again while clauses are added.

mod chance;

use chance::{Chance, holds, pigeons, satisfiable};
use sat::{Batsat, Cadical, Outcome, Solver};

/// Each solver, new.
fn solvers() -> [(&'static str, Box<dyn Solver>); 2] {
    [
        ("CaDiCaL", Box::new(Cadical::new())),
        ("batsat", Box::new(Batsat::new())),
    ]
}

fn go_on() -> bool {
    false
}

fn load(solver: &mut dyn Solver, variables: i32, clauses: &[Vec<i32>]) {
    for variable in 1..=variables {
        assert_eq!(solver.variable(), variable);
    }
    for clause in clauses {
        solver.clause(clause);
    }
}

/// Asks, and compares the answer, its values and its core with all values.
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
        Outcome::Stopped => panic!("nobody stopped {}", about()),
    }
    outcome
}

#[test]
fn questions_between_clauses() {
    let mut outcomes = [0, 0];
    for seed in 0..120 {
        for (name, mut solver) in solvers() {
            let mut chance = Chance::new(seed);
            let mut variables = 3 + chance.below(4) as i32;
            let mut clauses: Vec<Vec<i32>> = Vec::new();
            load(&mut *solver, variables, &clauses);
            for _ in 0..12 {
                if chance.below(3) == 0 {
                    variables += 1;
                    assert_eq!(solver.variable(), variables);
                }
                for _ in 0..chance.below(2 * variables as usize) {
                    let length = 2 + usize::from(chance.below(5) > 0);
                    clauses.push(chance.literals(length, variables));
                    solver.clause(clauses.last().unwrap());
                }
                let length = chance.below(5);
                let assumed = chance.literals(length, variables);
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
fn questions_that_need_search() {
    for seed in 0..30 {
        let mut chance = Chance::new(1000 + seed);
        let variables = 14;
        let clauses: Vec<Vec<i32>> = (0..60).map(|_| chance.literals(3, variables)).collect();
        for (name, mut solver) in solvers() {
            load(&mut *solver, variables, &clauses);
            ask(name, &mut *solver, variables, &clauses, &[]);
            for _ in 0..4 {
                let assumed = chance.literals(3, variables);
                ask(name, &mut *solver, variables, &clauses, &assumed);
            }
        }
    }
}

#[test]
fn assumptions_are_for_one_question() {
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
fn the_empty_clause_stays() {
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
        // All but one pigeon have a place, and the one that has none is named.
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
fn a_solver_that_was_stopped_can_be_asked_again() {
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
        assert_eq!(left, 0, "{name} is asked now and then");
        // One place that two pigeons want makes it easy.
        let outcome = solver.solve(&[1, 12], &mut go_on);
        assert_eq!(outcome, Outcome::Unsatisfiable, "{name}");
        assert_eq!(solver.core(), [1, 12], "{name}");
    }
}

#[test]
fn the_same_questions_have_the_same_answers() {
    let values = || {
        let mut all: Vec<Vec<bool>> = Vec::new();
        for (_, mut solver) in solvers() {
            let mut chance = Chance::new(7);
            let clauses: Vec<Vec<i32>> = (0..390).map(|_| chance.literals(3, 100)).collect();
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
