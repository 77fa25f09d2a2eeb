//! Clauses as data, independent of a solver, with their text form; and a solver that records its clauses.

use crate::text::{Malformed, Numbers};
use crate::{Outcome, Sink, Solver};
use std::fmt;

/// A set of clauses. Variables are numbered from 1. Clauses are numbered from 1, in the order in which they are added.
///
/// The text form is DIMACS with one clause per line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clauses {
    variables: i32,
    /// The literals of all clauses, one clause after the other.
    literals: Vec<i32>,
    /// By clause: the index in `literals` after its last literal.
    ends: Vec<usize>,
}

impl Clauses {
    /// No variables and no clauses.
    pub fn new() -> Clauses {
        Clauses::default()
    }

    /// The number of variables.
    pub fn variables(&self) -> i32 {
        self.variables
    }

    /// The number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The clause with this number, from 1; `None` if there is none.
    pub fn get(&self, number: usize) -> Option<&[i32]> {
        let end = *self.ends.get(number.checked_sub(1)?)?;
        let start = match number {
            1 => 0,
            _ => self.ends[number - 2],
        };
        Some(&self.literals[start..end])
    }

    /// All clauses in order.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        (1..=self.len()).filter_map(|number| self.get(number))
    }

    /// Whether an assignment satisfies all clauses. Index 0 of `values` is variable 1.
    pub fn hold(&self, values: &[bool]) -> bool {
        let holds = |lit: &i32| values[lit.unsigned_abs() as usize - 1] == (*lit > 0);
        self.iter().all(|clause| clause.iter().any(holds))
    }

    /// Adds all clauses to a sink, over new variables of the sink. Returns the new variables; index 0 is the one for
    /// variable 1. If the sink has no variables before, the numbers do not change.
    pub fn load(&self, into: &mut dyn Sink) -> Vec<i32> {
        let theirs: Vec<i32> = (0..self.variables).map(|_| into.variable()).collect();
        let mut renamed = Vec::new();
        for clause in self.iter() {
            cancellation::poll();
            renamed.clear();
            renamed.extend(clause.iter().map(|literal| {
                let variable = theirs[literal.unsigned_abs() as usize - 1];
                variable * literal.signum()
            }));
            into.clause(&renamed);
        }
        theirs
    }

    /// Parses the text form.
    pub fn parse(text: &str) -> Result<Clauses, Malformed> {
        let mut clauses = Clauses::new();
        let mut announced = None;
        let mut last = 1;
        for (index, text) in text.lines().enumerate() {
            last = index + 1;
            if text.starts_with('c') || text.trim_ascii().is_empty() {
                continue;
            }
            if let Some(header) = text.strip_prefix("p cnf ") {
                let mut numbers = Numbers::new(last, header);
                if announced.is_some() {
                    return Err(numbers.wrong("there is a second header"));
                }
                clauses.variables = numbers.next()?;
                if clauses.variables < 0 {
                    return Err(numbers.wrong("there cannot be fewer than no variables"));
                }
                announced = Some(numbers.next::<usize>()?);
                numbers.end()?;
                continue;
            }
            let mut numbers = Numbers::new(last, text);
            if announced.is_none() {
                return Err(numbers.wrong("a clause comes before the header `p cnf`"));
            }
            let start = clauses.literals.len();
            numbers.until_zero(&mut clauses.literals)?;
            numbers.end()?;
            let unknown = |literal: &&i32| literal.unsigned_abs() > clauses.variables as u32;
            if let Some(literal) = clauses.literals[start..].iter().find(unknown) {
                return Err(numbers.wrong(format!("{literal} is of no variable")));
            }
            clauses.ends.push(clauses.literals.len());
        }
        let end = Numbers::new(last, "");
        match announced {
            None => Err(end.wrong("there is no header `p cnf`")),
            Some(count) if count != clauses.len() => Err(end.wrong(format!(
                "there are {} clauses, the header says {count}",
                clauses.len()
            ))),
            Some(_) => Ok(clauses),
        }
    }
}

impl Sink for Clauses {
    fn variable(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    fn clause(&mut self, literals: &[i32]) {
        for literal in literals {
            assert!((1..=self.variables).contains(&literal.abs()));
        }
        self.literals.extend_from_slice(literals);
        self.ends.push(self.literals.len());
    }
}

impl fmt::Display for Clauses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "p cnf {} {}", self.variables, self.len())?;
        for clause in self.iter() {
            for literal in clause {
                write!(f, "{literal} ")?;
            }
            writeln!(f, "0")?;
        }
        Ok(())
    }
}

/// A solver that keeps a copy of its clauses, so that a query can be repeated with another solver or with a proof.
#[derive(Clone, Debug, Default)]
pub struct Recording<S> {
    solver: S,
    clauses: Clauses,
}

impl<S: Solver> Recording<S> {
    /// Wraps a solver, which must have no variables yet.
    pub fn new(solver: S) -> Recording<S> {
        Recording {
            solver,
            clauses: Clauses::new(),
        }
    }

    /// The clauses added so far.
    pub fn clauses(&self) -> &Clauses {
        &self.clauses
    }

    /// A query as clauses: those of the solver, and a unit clause for each assumption.
    pub fn question(&self, assumptions: &[i32]) -> Clauses {
        let mut question = self.clauses.clone();
        for literal in assumptions {
            question.clause(&[*literal]);
        }
        question
    }
}

impl<S: Solver> Sink for Recording<S> {
    fn variable(&mut self) -> i32 {
        let variable = self.solver.variable();
        assert_eq!(variable, self.clauses.variable(), "the solver was new");
        variable
    }

    fn clause(&mut self, literals: &[i32]) {
        self.clauses.clause(literals);
        self.solver.clause(literals);
    }
}

impl<S: Solver> Solver for Recording<S> {
    fn solve(&mut self, assumptions: &[i32], stop: &mut dyn FnMut() -> bool) -> Outcome {
        self.solver.solve(assumptions, stop)
    }

    fn value(&self, literal: i32) -> bool {
        self.solver.value(literal)
    }

    fn core(&self) -> Vec<i32> {
        self.solver.core()
    }
}
