//! The checker of LRAT proofs. It uses no solver and does not search, because each step names the clauses from which it
//! follows (hints).
//!
//! A step is correct if its clause follows from its hints by unit propagation. The checker assumes that all literals of
//! the clause are false. Each hint in turn must be a clause with exactly one literal that is not false; that literal
//! must have no value yet and becomes true. In the last hint all literals must be false. Then the clause is a
//! consequence of earlier clauses. A proof is correct if all its steps are correct and the last one is the empty
//! clause. Then the given clauses are unsatisfiable.

use crate::{Clauses, Proof};
use std::fmt;

/// Why the checker rejects a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// The proof is for a different number of given clauses.
    OtherClauses {
        /// The number of clauses.
        given: usize,
        /// The number of given clauses that the proof expects.
        expected: usize,
    },
    /// The proof does not end with the empty clause.
    Unfinished,
    /// A literal of a step is 0, has an unknown variable, or has a variable that occurs twice in the clause.
    Literal {
        /// The number of the step.
        step: usize,
        /// The literal.
        literal: i32,
    },
    /// A hint is not the number of a given clause or of an earlier step.
    NoClause {
        /// The number of the step.
        step: usize,
        /// The hint.
        hint: u32,
    },
    /// A hint has more than one literal that is not false, or one that is already true, or comes after the conflict.
    Useless {
        /// The number of the step.
        step: usize,
        /// The hint.
        hint: u32,
    },
    /// The hints of a step do not lead to a conflict.
    NoConflict {
        /// The number of the step.
        step: usize,
    },
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mistake::OtherClauses { given, expected } => {
                write!(
                    f,
                    "the proof is about {expected} clauses, but there are {given}"
                )
            }
            Mistake::Unfinished => write!(f, "the proof does not end with the empty clause"),
            Mistake::Literal { step, literal } => {
                write!(f, "step {step}: literal {literal} cannot stand there")
            }
            Mistake::NoClause { step, hint } => {
                write!(f, "step {step}: there is no clause {hint} before it")
            }
            Mistake::Useless { step, hint } => {
                write!(f, "step {step}: nothing follows from clause {hint}")
            }
            Mistake::NoConflict { step } => {
                write!(f, "step {step}: its clause does not follow")
            }
        }
    }
}

impl std::error::Error for Mistake {}

/// Checks that the proof is correct for these clauses, so that they are unsatisfiable.
pub fn check(clauses: &Clauses, proof: &Proof) -> Result<(), Mistake> {
    if proof.given() != clauses.len() {
        return Err(Mistake::OtherClauses {
            given: clauses.len(),
            expected: proof.given(),
        });
    }
    let mut values = Values {
        of: vec![None; clauses.variables() as usize + 1],
        known: Vec::new(),
    };
    for index in 0..proof.len() {
        cancellation::poll();
        step(clauses, proof, index, &mut values)?;
        values.forget();
    }
    match proof.steps().last() {
        Some(step) if step.clause.is_empty() => Ok(()),
        _ => Err(Mistake::Unfinished),
    }
}

/// Checks the step with this index, from 0. Before the call no variable has a value.
fn step(
    clauses: &Clauses,
    proof: &Proof,
    index: usize,
    values: &mut Values,
) -> Result<(), Mistake> {
    let step = clauses.len() + 1 + index;
    let content = proof.step(index);
    for &literal in content.clause {
        let variable = literal.unsigned_abs() as usize;
        if variable == 0 || variable >= values.of.len() || values.of[variable].is_some() {
            return Err(Mistake::Literal { step, literal });
        }
        values.learn(-literal);
    }
    for (place, &hint) in content.hints.iter().enumerate() {
        let named = match (hint as usize).checked_sub(clauses.len() + 1) {
            None => clauses.get(hint as usize),
            Some(earlier) if earlier < index => Some(proof.step(earlier).clause),
            Some(_) => None,
        };
        let named = named.ok_or(Mistake::NoClause { step, hint })?;
        let mut open = named
            .iter()
            .filter(|literal| values.of(**literal) != Some(false));
        match open.next() {
            None => {
                return match content.hints.get(place + 1) {
                    None => Ok(()),
                    Some(&hint) => Err(Mistake::Useless { step, hint }),
                };
            }
            Some(&literal)
                if values.of(literal).is_none() && open.all(|other| *other == literal) =>
            {
                values.learn(literal);
            }
            Some(_) => return Err(Mistake::Useless { step, hint }),
        }
    }
    Err(Mistake::NoConflict { step })
}

/// A partial assignment.
struct Values {
    /// By variable: its value, if it has one.
    of: Vec<Option<bool>>,
    /// The variables that have a value.
    known: Vec<usize>,
}

impl Values {
    /// The value of a literal, if its variable has one.
    fn of(&self, literal: i32) -> Option<bool> {
        self.of[literal.unsigned_abs() as usize].map(|value| value == (literal > 0))
    }

    /// Makes a literal true whose variable has no value.
    fn learn(&mut self, literal: i32) {
        let variable = literal.unsigned_abs() as usize;
        self.of[variable] = Some(literal > 0);
        self.known.push(variable);
    }

    /// Withdraws all values.
    fn forget(&mut self) {
        for variable in self.known.drain(..) {
            self.of[variable] = None;
        }
    }
}
