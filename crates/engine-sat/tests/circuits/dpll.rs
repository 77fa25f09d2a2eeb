//! A solver that anybody can read: assign, propagate, go back (Davis, Logemann, Loveland, 1962).

use sat::{Outcome, Solver};

/// Clauses, and the values of the last answer.
#[derive(Default)]
pub struct Dpll {
    variables: i32,
    clauses: Vec<Vec<i32>>,
    values: Vec<bool>,
    core: Vec<i32>,
}

impl Solver for Dpll {
    fn variable(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    fn clause(&mut self, literals: &[i32]) {
        self.clauses.push(literals.to_vec());
    }

    fn solve(&mut self, assumptions: &[i32], _: &mut dyn FnMut() -> bool) -> Outcome {
        let mut values = vec![None; self.variables as usize + 1];
        for literal in assumptions {
            let value = &mut values[literal.unsigned_abs() as usize];
            if value.is_some_and(|value| value != (*literal > 0)) {
                self.core = assumptions.to_vec();
                return Outcome::Unsatisfiable;
            }
            *value = Some(*literal > 0);
        }
        match self.search(values) {
            Some(values) => {
                self.values = values.iter().map(|value| value.unwrap_or(false)).collect();
                Outcome::Satisfiable
            }
            None => {
                self.core = assumptions.to_vec();
                Outcome::Unsatisfiable
            }
        }
    }

    fn value(&self, literal: i32) -> bool {
        let known = self.values.get(literal.unsigned_abs() as usize);
        known.copied().unwrap_or(false) == (literal > 0)
    }

    fn core(&self) -> Vec<i32> {
        self.core.clone()
    }
}

impl Dpll {
    fn search(&self, mut values: Vec<Option<bool>>) -> Option<Vec<Option<bool>>> {
        loop {
            let mut changed = false;
            for clause in &self.clauses {
                let value = |l: &i32| values[l.unsigned_abs() as usize].map(|v| v == (*l > 0));
                if clause.iter().any(|l| value(l) == Some(true)) {
                    continue;
                }
                let mut free = clause.iter().filter(|l| value(l).is_none());
                match (free.next().copied(), free.next()) {
                    (None, _) => return None,
                    (Some(unit), None) => {
                        values[unit.unsigned_abs() as usize] = Some(unit > 0);
                        changed = true;
                    }
                    _ => {}
                }
            }
            if !changed {
                break;
            }
        }
        let Some(free) = (1..values.len()).find(|v| values[*v].is_none()) else {
            return Some(values);
        };
        [false, true].into_iter().find_map(|value| {
            let mut values = values.clone();
            values[free] = Some(value);
            self.search(values)
        })
    }
}
