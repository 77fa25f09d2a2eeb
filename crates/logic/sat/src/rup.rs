//! Reverse unit propagation (RUP): checks whether a clause follows from others, and finds the hints of an LRAT step.
//!
//! A clause is RUP with respect to other clauses (Goldberg and Novikov, DATE 2003) if unit propagation finds a conflict
//! when all its literals are false. Each clause that a CDCL solver learns is RUP with respect to the clauses before it.
//! Propagation uses two watched literals per clause. Clauses are never deleted; more clauses can only imply more.

use crate::Sink;

/// A set of clauses, with the literals that follow from it by unit propagation (the *permanent* literals).
///
/// Hints number clauses from 1, in the order in which they are added. Inside, clauses are indexed from 0.
#[derive(Clone, Debug, Default)]
pub struct Rup {
    /// The literals of all clauses, without repetition within a clause. The first two of a clause are watched.
    literals: Vec<i32>,
    /// By clause: the index in `literals` after its last literal.
    ends: Vec<usize>,
    /// By `index` of a literal: the clauses that watch it.
    watches: Vec<Vec<u32>>,
    /// By variable: its value, if it has one.
    values: Vec<Option<bool>>,
    /// By variable with a value: the clause that implies the value, or `ASSUMED`.
    reasons: Vec<u32>,
    /// The true literals, in the order in which they became true. Permanent ones come first.
    trail: Vec<i32>,
    /// The number of literals of the trail that have been propagated.
    propagated: usize,
    /// A clause whose literals are all permanently false, if there is one.
    refuted: Option<u32>,
    /// By `index` of a literal: the last clause that contains it.
    marks: Vec<u32>,
}

/// The reason of an assumed literal, in place of a clause.
const ASSUMED: u32 = u32::MAX;

impl Rup {
    /// No variables and no clauses.
    pub fn new() -> Rup {
        Rup::default()
    }

    /// Whether unit propagation alone finds the clauses unsatisfiable.
    pub fn is_refuted(&self) -> bool {
        self.refuted.is_some()
    }

    /// Whether a clause is RUP or a tautology.
    pub fn implies(&mut self, clause: &[i32]) -> bool {
        let is_tautology = || clause.iter().any(|literal| clause.contains(&-literal));
        self.find_conflict(clause, |_, _| ()).is_some() || is_tautology()
    }

    /// The numbers of the clauses from which a clause follows, in the order of an LRAT step; `None` if the clause is
    /// not RUP. If [`Rup::is_refuted`], the hints are those of the empty clause.
    pub fn hints(&mut self, clause: &[i32]) -> Option<Vec<u32>> {
        self.find_conflict(clause, Rup::explain)
    }

    /// Assumes that all literals of a clause are false, and propagates. On a conflict it calls `then` with the false
    /// clause, while the trail has the assignment, and returns the result. Afterwards the assumptions are withdrawn.
    /// `None` if there is no conflict.
    fn find_conflict<T>(&mut self, clause: &[i32], then: impl FnOnce(&Rup, u32) -> T) -> Option<T> {
        cancellation::poll();
        if let Some(refuted) = self.refuted {
            return Some(then(self, refuted));
        }
        let permanent = self.trail.len();
        let is_true = |literal: &i32| self.value(*literal) == Some(true);
        let conflict = match clause.iter().any(is_true) {
            // If a literal of the clause is already true, its reason is false under the assumption. The first such
            // literal on the trail does not depend on another one.
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
        // Literals of the clause that have a permanent value count as assumed, so that their reasons do not become
        // hints.
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

    /// The numbers of the clauses that lead to a conflict: first the reasons in the order of the trail, then the clause
    /// that is false.
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

    /// Makes a literal true whose variable has no value.
    fn assign(&mut self, literal: i32, reason: u32) {
        self.values[variable(literal)] = Some(literal > 0);
        self.reasons[variable(literal)] = reason;
        self.trail.push(literal);
    }

    /// Propagates until nothing more is implied, or a clause is false; returns that clause.
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

    /// Updates a clause whose watched literal `falsified` has become false: finds another literal to watch, or assigns
    /// the other watched literal, or sets `conflict`. Returns whether the clause still watches `falsified`.
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
        // There is no variable 0, but the tables have an unused entry for it.
        let number = self.values.len().max(1);
        self.values.resize(number + 1, None);
        self.reasons.resize(number + 1, ASSUMED);
        self.watches.resize(2 * number + 2, Vec::new());
        self.marks.resize(2 * number + 2, ASSUMED);
        number as i32
    }

    /// Adds a clause, given or derived, and propagates permanently if it is a unit clause.
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
        // Up to two literals that are not permanently false are moved to the front, to be watched.
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
