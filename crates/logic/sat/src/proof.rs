//! LRAT proofs of unsatisfiability. Each step is a clause with hints: the clauses from which it follows.

use crate::text::{Malformed, Numbers};
use std::fmt;

/// An LRAT proof (Cruz-Filipe et al., CADE 2017) without RAT steps and without deletions. Each clause follows by unit
/// propagation, so deletions would only save memory.
///
/// The given clauses are numbered from 1, and the steps continue these numbers. [`check`](crate::check()) verifies a
/// proof. The text form is standard LRAT with one step per line: `number literals… 0 hints… 0`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// The number of given clauses.
    given: u32,
    /// The literals of all steps, one step after the other.
    literals: Vec<i32>,
    /// The hints of all steps, one step after the other.
    hints: Vec<u32>,
    /// By step: the index in `literals` and in `hints` after its last entry.
    ends: Vec<(usize, usize)>,
}

/// A step of a [`Proof`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The derived clause.
    pub clause: &'a [i32],
    /// The numbers of the clauses from which it follows, in the order of unit propagation: if all literals of the
    /// clause are false, each hint implies one literal, and all literals of the last hint are false.
    pub hints: &'a [u32],
}

impl Proof {
    /// A proof without steps, for this number of given clauses.
    pub fn new(given: usize) -> Proof {
        Proof {
            given: u32::try_from(given).expect("fewer clauses than 2^32"),
            ..Proof::default()
        }
    }

    /// The number of given clauses.
    pub fn given(&self) -> usize {
        self.given as usize
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The steps in order. The number of the first one is `given() + 1`.
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        (0..self.len()).map(|index| self.step(index))
    }

    /// The step with this index, from 0.
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

    /// The proof without the steps on which the last one does not depend, renumbered.
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
                    // An invalid hint remains invalid: no clause has the number 0.
                    None => 0,
                };
                trimmed.push(step.clause, step.hints.iter().map(renumbered));
            }
        }
        trimmed
    }

    /// The index of the step to which a hint refers, if it is before `step`. `None` if the hint refers to a given
    /// clause or to no earlier step.
    fn earlier(&self, hint: u32, step: usize) -> Option<usize> {
        let earlier = hint.checked_sub(self.given + 1)? as usize;
        (earlier < step).then_some(earlier)
    }

    /// Parses the text form.
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
