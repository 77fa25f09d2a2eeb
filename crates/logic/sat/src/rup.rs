//! Reverse unit propagation: whether a clause follows from others, with the hints of an LRAT step.
//!
//! A clause has the property RUP (Goldberg and Novikov, DATE 2003) if unit propagation refutes the assignment that makes all its
//! literals false. Each clause that a CDCL solver learns has it with respect to the clauses before it. Propagation uses two
//! watched literals per clause; clauses are not deleted, as a superset of clauses implies no less.

use crate::Sink;

/// A set of clauses with the literals that they imply by unit propagation.
///
/// Clauses have numbers, from 1, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub struct Rup {
    /// The literals of all clauses, without repetition. The first two of a clause are watched.
    literals: Vec<i32>,
    /// By clause: where its literals end.
    ends: Vec<usize>,
    /// By index of a literal: the clauses, from 0, that watch it.
    watches: Vec<Vec<u32>>,
    /// By variable.
    values: Vec<Option<bool>>,
    /// By variable that has a value: the clause, from 0, that implies it, or `ASSUMED`.
    reasons: Vec<u32>,
    /// The literals that are true, in the order in which they became true. The permanent ones come first.
    trail: Vec<i32>,
    /// Literals of the trail whose consequences are known.
    propagated: usize,
    /// The clause, from 0, whose literals are all permanently false.
    refuted: Option<u32>,
    /// By index of a literal: the last clause, from 0, that has it.
    marks: Vec<u32>,
}

/// In place of a clause: the reason of a literal that is assumed.
const ASSUMED: u32 = u32::MAX;

impl Rup {
    /// No variables and no clauses.
    pub fn new() -> Rup {
        Rup::default()
    }

    /// Whether unit propagation refutes the clauses.
    pub fn is_refuted(&self) -> bool {
        self.refuted.is_some()
    }

    /// Whether a clause follows by unit propagation, or is a tautology.
    pub fn implies(&mut self, clause: &[i32]) -> bool {
        let is_tautology = || clause.iter().any(|literal| clause.contains(&-literal));
        self.find_conflict(clause, |_, _| ()).is_some() || is_tautology()
    }

    /// The numbers of the clauses from which a clause follows by unit propagation, in the order of an LRAT step; `None` if it
    /// does not follow. Where [`Rup::is_refuted`], the hints are those of the empty clause.
    pub fn hints(&mut self, clause: &[i32]) -> Option<Vec<u32>> {
        self.find_conflict(clause, Rup::explain)
    }

    /// Assumes that all literals of a clause are false and propagates. On a conflict, `then` reads the trail and the clause,
    /// from 0, that is false; then the assumptions are withdrawn.
    fn find_conflict<T>(&mut self, clause: &[i32], then: impl FnOnce(&Rup, u32) -> T) -> Option<T> {
        if let Some(refuted) = self.refuted {
            return Some(then(self, refuted));
        }
        let permanent = self.trail.len();
        let is_true = |literal: &i32| self.value(*literal) == Some(true);
        let conflict = match clause.iter().any(is_true) {
            // The reason of a true literal is false under the assumption. The first one of the trail depends on no other
            // literal of the clause that is true.
            true => { self.trail.iter() }
                .find(|literal| clause.contains(literal))
                .map(|literal| self.reasons[variable(*literal)]),
            false => {
                for literal in clause {
                    if self.value(*literal).is_none() {
                        self.assign(-literal, ASSUMED);
                    }
                }
                self.propagate()
            }
        };
        // The permanent literals of the clause are assumptions as well: their reasons are no hints.
        let replaced: Vec<(usize, u32)> = { clause.iter() }
            .map(|literal| variable(*literal))
            .filter(|v| self.values[*v].is_some())
            .map(|v| (v, std::mem::replace(&mut self.reasons[v], ASSUMED)))
            .collect();
        let result = conflict.map(|conflict| then(self, conflict));
        for (variable, reason) in replaced.into_iter().rev() {
            self.reasons[variable] = reason;
        }
        for literal in self.trail.drain(permanent..) {
            self.values[variable(literal)] = None;
        }
        self.propagated = permanent;
        result
    }

    /// The numbers of the clauses that lead to a conflict: first the reasons, in the order of the trail, then the false clause.
    fn explain(&self, conflict: u32) -> Vec<u32> {
        let mut needed = vec![false; self.values.len()];
        let mut hints = vec![conflict + 1];
        for literal in self.clause_at(conflict) {
            needed[variable(*literal)] = true;
        }
        for literal in self.trail.iter().rev() {
            let reason = self.reasons[variable(*literal)];
            if needed[variable(*literal)] && reason != ASSUMED {
                hints.push(reason + 1);
                for literal in self.clause_at(reason) {
                    needed[variable(*literal)] = true;
                }
            }
        }
        hints.reverse();
        hints
    }

    fn clause_at(&self, clause: u32) -> &[i32] {
        &self.literals[self.range(clause)]
    }

    fn range(&self, clause: u32) -> std::ops::Range<usize> {
        let start = match clause {
            0 => 0,
            _ => self.ends[clause as usize - 1],
        };
        start..self.ends[clause as usize]
    }

    fn value(&self, literal: i32) -> Option<bool> {
        self.values[variable(literal)].map(|value| value == (literal > 0))
    }

    /// Makes a literal that has no value true.
    fn assign(&mut self, literal: i32, reason: u32) {
        self.values[variable(literal)] = Some(literal > 0);
        self.reasons[variable(literal)] = reason;
        self.trail.push(literal);
    }

    /// Assigns all literals that are implied; the first clause, from 0, that is false.
    fn propagate(&mut self) -> Option<u32> {
        while self.propagated < self.trail.len() {
            let falsified = -self.trail[self.propagated];
            self.propagated += 1;
            let mut watching = std::mem::take(&mut self.watches[index(falsified)]);
            let mut conflict = None;
            watching.retain(|clause| {
                conflict.is_some() || self.keeps_watching(*clause, falsified, &mut conflict)
            });
            self.watches[index(falsified)] = watching;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Updates a clause one of whose watched literals is false; whether the clause still watches that literal.
    fn keeps_watching(&mut self, clause: u32, falsified: i32, conflict: &mut Option<u32>) -> bool {
        let range = self.range(clause);
        let start = range.start;
        if self.literals[start] == falsified {
            self.literals.swap(start, start + 1);
        }
        let other = self.literals[start];
        if self.value(other) == Some(true) {
            return true;
        }
        for place in start + 2..range.end {
            let literal = self.literals[place];
            if self.value(literal) != Some(false) {
                self.literals.swap(start + 1, place);
                self.watches[index(literal)].push(clause);
                return false;
            }
        }
        match self.value(other) {
            None => self.assign(other, clause),
            _ => *conflict = Some(clause),
        }
        true
    }
}

impl Sink for Rup {
    fn variable(&mut self) -> i32 {
        // There is no variable 0, but it has a place in the tables.
        let number = self.values.len().max(1);
        self.values.resize(number + 1, None);
        self.reasons.resize(number + 1, ASSUMED);
        self.watches.resize(2 * number + 2, Vec::new());
        self.marks.resize(2 * number + 2, ASSUMED);
        number as i32
    }

    /// Adds a clause, given or derived, and its permanent consequences.
    fn clause(&mut self, literals: &[i32]) {
        let number = self.ends.len() as u32;
        let start = self.literals.len();
        let mut is_tautology = false;
        for literal in literals {
            if self.marks[index(*literal)] != number {
                self.marks[index(*literal)] = number;
                self.literals.push(*literal);
                is_tautology |= self.marks[index(-literal)] == number;
            }
        }
        self.ends.push(self.literals.len());
        if self.refuted.is_some() || is_tautology {
            return;
        }
        // Literals that are not permanently false come first: these may be watched.
        let mut open = start;
        for place in start..self.literals.len() {
            if open < start + 2 && self.value(self.literals[place]) != Some(false) {
                self.literals.swap(open, place);
                open += 1;
            }
        }
        match open - start {
            0 => self.refuted = Some(number),
            1 => {
                let literal = self.literals[start];
                if self.value(literal).is_none() {
                    self.assign(literal, number);
                    self.refuted = self.propagate();
                }
            }
            _ => {
                for place in [start, start + 1] {
                    let watched = index(self.literals[place]);
                    self.watches[watched].push(number);
                }
            }
        }
    }
}

fn variable(literal: i32) -> usize {
    literal.unsigned_abs() as usize
}

fn index(literal: i32) -> usize {
    2 * variable(literal) + usize::from(literal < 0)
}
