//! The checker of proofs. It knows no solver and searches for nothing: each step says why it is true.
//!
//! A step is right if its clause follows from the clauses that it names by unit propagation: let all its literals be false; then
//! each named clause in turn has exactly one literal that is not yet false, and it is not yet true either, so it must be true;
//! and in the last named clause all literals are false. So the clause is a consequence of clauses that were there before. A
//! proof is right if all its steps are and the last one is the empty clause: the given clauses cannot be true together.

use crate::{Clauses, Proof};
use std::fmt;

/// Why something is no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// It is about another number of clauses.
    OtherClauses {
        /// How many there are.
        given: usize,
        /// How many it is about.
        expected: usize,
    },
    /// It does not end with the empty clause.
    Unfinished,
    /// The clause of a step has a literal that is of no variable, or a second time, or also negated.
    Literal {
        /// By its number.
        step: usize,
        /// Which.
        literal: i32,
    },
    /// There is no clause of that number before a step.
    NoClause {
        /// By its number.
        step: usize,
        /// The clause that it names.
        hint: u32,
    },
    /// A clause that a step names leaves more than one literal, or one that is already true, or comes after the end.
    Useless {
        /// By its number.
        step: usize,
        /// The clause that it names.
        hint: u32,
    },
    /// The clauses that a step names do not contradict that all its literals are false.
    NoConflict {
        /// By its number.
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

/// Whether a proof shows that the clauses cannot be true together.
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
        step(clauses, proof, index, &mut values)?;
        values.forget();
    }
    match proof.steps().last() {
        Some(step) if step.clause.is_empty() => Ok(()),
        _ => Err(Mistake::Unfinished),
    }
}

/// Whether a step is right. Nothing is known before.
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

/// What is known of the variables.
struct Values {
    /// By variable.
    of: Vec<Option<bool>>,
    /// The variables of which something is known.
    known: Vec<usize>,
}

impl Values {
    /// Of a literal.
    fn of(&self, literal: i32) -> Option<bool> {
        self.of[literal.unsigned_abs() as usize].map(|value| value == (literal > 0))
    }

    /// That a literal, of which nothing is known, is true.
    fn learn(&mut self, literal: i32) {
        let variable = literal.unsigned_abs() as usize;
        self.of[variable] = Some(literal > 0);
        self.known.push(variable);
    }

    /// Back to the beginning.
    fn forget(&mut self) {
        for variable in self.known.drain(..) {
            self.of[variable] = None;
        }
    }
}
