//! Statistics about mutants: how many are refused, and how many of those have a diagnostic that leads to the mutation.

use crate::{Judgement, Mutant, Operator, Outcome, judge::LONG, lines_of};
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// The statistics of a sample of mutants.
#[derive(Default)]
pub struct Tally {
    rows: [Row; Operator::ALL.len()],
    /// Defects of the front end, with the mutants that show them.
    pub defects: Vec<String>,
    /// Rejected mutants without a diagnostic that leads to the mutation.
    pub misses: Vec<String>,
    /// Rejected mutants with more than one error, with the number of errors; sorted by this number, largest first.
    pub talkative: Vec<(usize, String)>,
}

/// The statistics of one operator.
#[derive(Clone, Copy, Default)]
pub struct Row {
    /// The number of mutants.
    pub mutants: usize,
    /// Mutants of texts that are refused without a mutation.
    pub of_refused: usize,
    /// Mutants without errors.
    pub accepted: usize,
    /// Mutants with errors.
    pub rejected: usize,
    /// Rejected mutants with an error near the mutation.
    pub near: usize,
    /// Rejected mutants with an error that names the removed token.
    pub named: usize,
    /// Rejected mutants with an error that is near the mutation or names the removed token.
    pub led: usize,
    /// Rejected mutants whose first error is near the mutation.
    pub first_near: usize,
    /// The total number of errors of the rejected mutants.
    pub errors: usize,
    /// The longest time for a mutant.
    pub slowest: Duration,
}

impl Row {
    /// Whether enough rejected mutants have a diagnostic that leads to the mutation.
    pub fn leads(&self, operator: Operator) -> bool {
        self.rejected > 0 && self.led * 100 >= self.rejected * wanted(operator)
    }

    /// Whether there are few follow-up errors. More than one error per mutant is allowed on average, because a wrong
    /// name may be missing in one place and unknown in another.
    pub fn to_the_point(&self) -> bool {
        self.errors * 100 <= self.rejected * 115
    }
}

/// The required percentage of rejected mutants with a diagnostic that leads to the mutation. It is lower for brackets,
/// because a missing bracket is noticed only at the next unmatched one.
fn wanted(operator: Operator) -> usize {
    match operator {
        Operator::Bracket => 70,
        _ => 90,
    }
}

impl Tally {
    /// Adds a mutant with its judgement.
    pub fn add(&mut self, mutant: &Mutant, judgement: Judgement) {
        let row = &mut self.rows[mutant.operator as usize];
        row.mutants += 1;
        row.slowest = row.slowest.max(judgement.took);
        let shown = || shown(mutant, &judgement);
        for defect in &judgement.defects {
            self.defects
                .push(format!("{defect}\n{}\n{}", shown(), mutant.text));
        }
        match &judgement.outcome {
            Outcome::OfRefused => row.of_refused += 1,
            Outcome::Accepted => row.accepted += 1,
            Outcome::Rejected {
                errors,
                near,
                first_near,
                named,
            } => {
                row.rejected += 1;
                row.near += usize::from(*near);
                row.named += usize::from(*named);
                row.led += usize::from(*near || *named);
                row.first_near += usize::from(*first_near);
                row.errors += errors.len();
                if !near && !named {
                    self.misses.push(shown());
                }
                if errors.len() > 1 {
                    self.talkative.push((errors.len(), shown()));
                }
            }
        }
    }

    /// The sum of two statistics.
    pub fn and(mut self, other: Tally) -> Tally {
        for (row, more) in self.rows.iter_mut().zip(other.rows) {
            *row = Row {
                mutants: row.mutants + more.mutants,
                of_refused: row.of_refused + more.of_refused,
                accepted: row.accepted + more.accepted,
                rejected: row.rejected + more.rejected,
                near: row.near + more.near,
                named: row.named + more.named,
                led: row.led + more.led,
                first_near: row.first_near + more.first_near,
                errors: row.errors + more.errors,
                slowest: row.slowest.max(more.slowest),
            };
        }
        self.defects.extend(other.defects);
        self.misses.extend(other.misses);
        self.talkative.extend(other.talkative);
        self.talkative.sort_by(|a, b| b.cmp(a));
        self
    }

    /// The rows, each with its operator.
    pub fn rows(&self) -> impl Iterator<Item = (Operator, Row)> {
        Operator::ALL.into_iter().zip(self.rows)
    }

    /// Whether some mutant took longer than the limit.
    pub fn too_slow(&self) -> bool {
        self.rows.iter().any(|row| row.slowest > LONG)
    }
}

/// A text that shows a mutant: the mutated lines, and the diagnostics.
fn shown(mutant: &Mutant, judgement: &Judgement) -> String {
    let (start, end) = mutant.place;
    let damaged = lines_of(&mutant.text, start, end);
    let lines: Vec<&str> = mutant.text.lines().collect();
    let mut shown = format!("{} of {}", mutant.operator.words(), mutant.of.name);
    if let Some(removed) = mutant.removed {
        shown += &format!(", was `{removed}`");
    }
    for line in damaged {
        shown += &format!("\n    {line}: {}", lines.get(line - 1).unwrap_or(&""));
    }
    if let Outcome::Rejected { errors, .. } = &judgement.outcome {
        for error in errors {
            let place = error.primary.span;
            let at = lines_of(&mutant.text, place.start as usize, place.start as usize);
            shown += &format!("\n  {} at {}: {}", error.code, at.start(), error.message);
        }
    }
    shown
}

impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:18} {:>8} {:>9} {:>9} {:>9} {:>8} {:>8} {:>7} {:>8} {:>7} {:>9}",
            "",
            "mutants",
            "refused",
            "accepted",
            "rejected",
            "near",
            "named",
            "led to",
            "first",
            "errors",
            "slowest"
        )?;
        writeln!(
            f,
            "{:18} {:>8} {:>9} {:>39} {:>17} {:>7}",
            "", "", "before", "", "near", "each"
        )?;
        for (operator, row) in self.rows() {
            let of = |part: usize| 100.0 * part as f64 / row.rejected.max(1) as f64;
            writeln!(
                f,
                "{:18} {:>8} {:>9} {:>9} {:>9} {:>8} {:>8} {:>5.1} % {:>6.1} % {:>6.2} {:>6.1} ms",
                operator.words(),
                row.mutants,
                row.of_refused,
                row.accepted,
                row.rejected,
                row.near,
                row.named,
                of(row.led),
                of(row.first_near),
                row.errors as f64 / row.rejected.max(1) as f64,
                row.slowest.as_secs_f64() * 1000.0,
            )?;
        }
        Ok(())
    }
}
