//! A linear feasibility problem: unknowns and rows.

use rational::Rational;
use std::fmt;

/// An unknown of a problem, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unknown(pub u32);

/// A row of a problem, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(pub u32);

/// A linear form: a sum of unknowns with coefficients.
///
/// Terms are in the order of the unknowns; each unknown occurs at most once and with a nonzero coefficient.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Linear(Vec<(Unknown, Rational)>);

impl Linear {
    /// The form `later - earlier`.
    pub fn difference(later: Unknown, earlier: Unknown) -> Linear {
        [(later, Rational::ONE), (earlier, Rational::from(-1))]
            .into_iter()
            .collect()
    }

    /// The unknowns with their coefficients.
    pub fn terms(&self) -> &[(Unknown, Rational)] {
        &self.0
    }

    /// The form multiplied by a number.
    pub fn scaled(&self, by: &Rational) -> Linear {
        let terms = self.0.iter().map(|(unknown, c)| (*unknown, c * by));
        terms.collect()
    }
}

impl FromIterator<(Unknown, Rational)> for Linear {
    /// The sum of the terms, which may come in any order and repeat unknowns.
    fn from_iter<I: IntoIterator<Item = (Unknown, Rational)>>(terms: I) -> Linear {
        let mut terms: Vec<(Unknown, Rational)> = terms.into_iter().collect();
        terms.sort_by_key(|(unknown, _)| *unknown);
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += &next.1;
            }
            same
        });
        terms.retain(|(_, coefficient)| !coefficient.is_zero());
        Linear(terms)
    }
}

impl From<Unknown> for Linear {
    fn from(unknown: Unknown) -> Linear {
        Linear(vec![(unknown, Rational::ONE)])
    }
}

impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("0");
        }
        for (place, (unknown, coefficient)) in self.0.iter().enumerate() {
            f.write_str(match (place, coefficient.is_negative()) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            let size = coefficient.abs();
            if size != Rational::ONE {
                write!(f, "{size} ")?;
            }
            write!(f, "x{}", unknown.0)?;
        }
        Ok(())
    }
}

/// The relation between the two sides of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The left is at most the right.
    AtMost,
    /// The left is at least the right.
    AtLeast,
    /// The two sides are equal.
    Equal,
}

/// A constraint: `left <= right`, `left >= right` or `left = right`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// The linear form on the left.
    pub left: Linear,
    /// The relation.
    pub relation: Relation,
    /// The constant on the right.
    pub right: Rational,
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = match self.relation {
            Relation::AtMost => "<=",
            Relation::AtLeast => ">=",
            Relation::Equal => "=",
        };
        write!(f, "{} {relation} {}", self.left, self.right)
    }
}

/// Unknowns, and the rows that must hold simultaneously.
///
/// Unknowns may be negative. A bound of 0 is a row like every other, and can occur in a certificate of infeasibility.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    unknowns: u32,
    rows: Vec<Constraint>,
}

impl Problem {
    /// A problem without unknowns and rows.
    pub fn new() -> Problem {
        Problem::default()
    }

    /// Adds an unknown and returns it; indices start at 0.
    pub fn unknown(&mut self) -> Unknown {
        self.unknowns += 1;
        Unknown(self.unknowns - 1)
    }

    /// Adds a row and returns its index; indices start at 0.
    ///
    /// # Panics
    ///
    /// If the row contains an unknown that does not exist.
    pub fn row(&mut self, left: impl Into<Linear>, relation: Relation, right: Rational) -> Row {
        let left = left.into();
        if let Some((last, _)) = left.terms().last() {
            assert!(last.0 < self.unknowns, "there is no unknown x{}", last.0);
        }
        let row = Row(u32::try_from(self.rows.len()).expect("fewer rows than 2^32"));
        self.rows.push(Constraint {
            left,
            relation,
            right,
        });
        row
    }

    /// Adds the row `left <= right`.
    pub fn at_most(&mut self, left: impl Into<Linear>, right: impl Into<Rational>) -> Row {
        self.row(left, Relation::AtMost, right.into())
    }

    /// Adds the row `left >= right`.
    pub fn at_least(&mut self, left: impl Into<Linear>, right: impl Into<Rational>) -> Row {
        self.row(left, Relation::AtLeast, right.into())
    }

    /// Adds the row `left = right`.
    pub fn equal(&mut self, left: impl Into<Linear>, right: impl Into<Rational>) -> Row {
        self.row(left, Relation::Equal, right.into())
    }

    /// The number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.unknowns as usize
    }

    /// By row: its constraint.
    pub fn rows(&self) -> &[Constraint] {
        &self.rows
    }

    /// The constraint of a row.
    ///
    /// # Panics
    ///
    /// If the row does not exist.
    pub fn constraint(&self, row: Row) -> &Constraint {
        &self.rows[row.0 as usize]
    }

    /// Removes all rows except the first `rows`.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.rows.truncate(rows);
    }

    /// Replaces the constraint of a row.
    pub(crate) fn replace(&mut self, row: Row, constraint: Constraint) {
        self.rows[row.0 as usize] = constraint;
    }
}

/// Farkas multipliers of rows: at least 0 for a row with `<=`, at most 0 for a row with `>=`, any number for a row with
/// `=`. A solution of the rows satisfies `sum of multiplied left sides <= sum of multiplied right sides`.
///
/// Sorted by row; each row occurs at most once and with a nonzero multiplier.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Multipliers(pub Vec<(Row, Rational)>);

impl Multipliers {
    /// The rows with a multiplier.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        self.0.iter().map(|(row, _)| *row)
    }
}

impl FromIterator<(Row, Rational)> for Multipliers {
    /// Adds up the multipliers of each row.
    fn from_iter<I: IntoIterator<Item = (Row, Rational)>>(parts: I) -> Multipliers {
        let mut sums = std::collections::BTreeMap::<Row, Rational>::new();
        for (row, multiplier) in parts {
            *sums.entry(row).or_default() += multiplier;
        }
        let used = sums.into_iter().filter(|(_, number)| !number.is_zero());
        Multipliers(used.collect())
    }
}
