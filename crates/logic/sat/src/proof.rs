//! Proofs that clauses cannot be true together: each step is a clause and the clauses from which it follows.

use crate::text::{Malformed, Numbers};
use std::fmt;

/// A proof in the manner of LRAT (Cruz-Filipe et al., CADE 2017), without what such a proof may do beyond resolution: no clause
/// is added that only keeps satisfiability (RAT), and none is deleted, as keeping it does no harm.
///
/// Clauses are numbered through: first those that are given, from 1, then the steps. [`check`](crate::check()) says whether
/// it is a proof of something. The text form is LRAT, one step in a line, which other checkers can read:
/// `number literals… 0 hints… 0`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// How many clauses are given.
    given: u32,
    /// Of the clauses of all steps.
    literals: Vec<i32>,
    /// Of all steps.
    hints: Vec<u32>,
    /// Where each step ends in `literals` and in `hints`.
    ends: Vec<(usize, usize)>,
}

/// A step of a [`Proof`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The clause that follows.
    pub clause: &'a [i32],
    /// From which it follows: if all literals of the clause are false, then each of these, by its number, leaves one literal that
    /// must be true, given the ones before, and the last leaves none.
    pub hints: &'a [u32],
}

impl Proof {
    /// No step yet, about so many clauses.
    pub fn new(given: usize) -> Proof {
        Proof {
            given: u32::try_from(given).expect("fewer clauses than 2^32"),
            ..Proof::default()
        }
    }

    /// How many clauses are given.
    pub fn given(&self) -> usize {
        self.given as usize
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The steps in their order. The first has the number after the last clause that is given.
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        (0..self.len()).map(|index| self.step(index))
    }

    /// A step by its place, from 0.
    pub fn step(&self, index: usize) -> Step<'_> {
        let (literals, hints) = match index {
            0 => (0, 0),
            _ => self.ends[index - 1],
        };
        let (literals_end, hints_end) = self.ends[index];
        Step {
            clause: &self.literals[literals..literals_end],
            hints: &self.hints[hints..hints_end],
        }
    }

    /// Adds a step.
    pub fn push(&mut self, clause: &[i32], hints: impl IntoIterator<Item = u32>) {
        self.literals.extend_from_slice(clause);
        self.hints.extend(hints);
        self.ends.push((self.literals.len(), self.hints.len()));
    }

    /// The steps that the last one needs, and no others, numbered anew.
    pub fn trimmed(&self) -> Proof {
        let mut needed = vec![false; self.len()];
        if let Some(last) = needed.last_mut() {
            *last = true;
        }
        for index in (0..self.len()).rev() {
            if needed[index] {
                for hint in self.step(index).hints {
                    if let Some(earlier) = self.earlier(*hint, index) {
                        needed[earlier] = true;
                    }
                }
            }
        }
        let mut trimmed = Proof::new(self.given());
        let mut numbers = Vec::with_capacity(self.len());
        for (index, step) in self.steps().enumerate() {
            numbers.push(self.given + 1 + trimmed.len() as u32);
            if needed[index] {
                let renumbered = |hint: &u32| match self.earlier(*hint, index) {
                    Some(earlier) => numbers[earlier],
                    None if *hint <= self.given => *hint,
                    // What is no proof does not become one.
                    None => 0,
                };
                trimmed.push(step.clause, step.hints.iter().map(renumbered));
            }
        }
        trimmed
    }

    /// The place of the step that a hint of a step names, unless it names a given clause, or nothing that comes before.
    fn earlier(&self, hint: u32, step: usize) -> Option<usize> {
        let earlier = hint.checked_sub(self.given + 1)? as usize;
        (earlier < step).then_some(earlier)
    }

    /// What the text form says.
    pub fn parse(text: &str) -> Result<Proof, Malformed> {
        let mut proof = Proof::default();
        for (index, text) in text.lines().enumerate() {
            let mut numbers = Numbers::new(index + 1, text);
            let number: u32 = numbers.next()?;
            if index == 0 {
                let Some(given) = number.checked_sub(1) else {
                    return Err(numbers.wrong("clauses are numbered from 1"));
                };
                proof.given = given;
            }
            let expected = proof.given as usize + 1 + index;
            if number as usize != expected {
                return Err(numbers.wrong(format!("here is step {number}, not {expected}")));
            }
            numbers.until_zero(&mut proof.literals)?;
            numbers.until_zero(&mut proof.hints)?;
            numbers.end()?;
            proof.ends.push((proof.literals.len(), proof.hints.len()));
        }
        Ok(proof)
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps().enumerate() {
            write!(f, "{} ", self.given() + 1 + index)?;
            for literal in step.clause {
                write!(f, "{literal} ")?;
            }
            write!(f, "0 ")?;
            for hint in step.hints {
                write!(f, "{hint} ")?;
            }
            writeln!(f, "0")?;
        }
        Ok(())
    }
}
