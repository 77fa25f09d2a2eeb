//! What is asked: unknowns and the rows that must hold of them.

use rational::Rational;
use std::fmt;

/// An unknown of a problem, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unknown(pub u32);

/// A row of a problem, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(pub u32);

/// A linear form: a sum of unknowns with coefficients.
///
/// Terms are in the order of the unknowns, each unknown at most once and with a coefficient that
/// is not 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Linear(Vec<(Unknown, Rational)>);

impl Linear {
    /// `later - earlier`.
    pub fn difference(later: Unknown, earlier: Unknown) -> Linear {
        [(later, Rational::ONE), (earlier, Rational::from(-1))]
            .into_iter()
            .collect()
    }

    /// The terms.
    pub fn terms(&self) -> &[(Unknown, Rational)] {
        &self.0
    }

    /// Every coefficient multiplied.
    pub fn scaled(&self, by: &Rational) -> Linear {
        let terms = self.0.iter().map(|(unknown, c)| (*unknown, c * by));
        terms.collect()
    }
}

impl FromIterator<(Unknown, Rational)> for Linear {
    /// Adds the terms up, in whatever order they come.
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

/// How the two sides of a row compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The left is at most the right.
    AtMost,
    /// The left is at least the right.
    AtLeast,
    /// Both are equal.
    Equal,
}

/// What a row says: `left <= right`, `left >= right` or `left = right`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// The sum on the left.
    pub left: Linear,
    /// How it compares.
    pub relation: Relation,
    /// With which number.
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

/// Unknowns, and rows that must hold of them all at once.
///
/// An unknown is any number unless a row says otherwise: that it is not negative is a row like
/// every other, and has its place in the reason when there is no solution.
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

    /// Another unknown; they are numbered from 0.
    pub fn unknown(&mut self) -> Unknown {
        self.unknowns += 1;
        Unknown(self.unknowns - 1)
    }

    /// Another row; they are numbered from 0.
    ///
    /// # Panics
    ///
    /// If it speaks of an unknown that is not there.
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

    /// Another row: `left <= right`.
    pub fn at_most(&mut self, left: impl Into<Linear>, right: impl Into<Rational>) -> Row {
        self.row(left, Relation::AtMost, right.into())
    }

    /// Another row: `left >= right`.
    pub fn at_least(&mut self, left: impl Into<Linear>, right: impl Into<Rational>) -> Row {
        self.row(left, Relation::AtLeast, right.into())
    }

    /// Another row: `left = right`.
    pub fn equal(&mut self, left: impl Into<Linear>, right: impl Into<Rational>) -> Row {
        self.row(left, Relation::Equal, right.into())
    }

    /// How many unknowns there are.
    pub fn unknowns(&self) -> usize {
        self.unknowns as usize
    }

    /// What the rows say, by their numbers.
    pub fn rows(&self) -> &[Constraint] {
        &self.rows
    }

    /// What one row says.
    ///
    /// # Panics
    ///
    /// If it is not there.
    pub fn constraint(&self, row: Row) -> &Constraint {
        &self.rows[row.0 as usize]
    }

    /// Takes all rows back but the first ones.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.rows.truncate(rows);
    }

    /// A row that says something else now.
    pub(crate) fn replace(&mut self, row: Row, constraint: Constraint) {
        self.rows[row.0 as usize] = constraint;
    }
}

/// Numbers by which rows are multiplied to be added up: at least 0 for a row with `<=`, at most 0
/// for one with `>=`, any for one with `=`. Whatever satisfies the rows satisfies the sum with
/// `<=`.
///
/// In the order of the rows, each at most once and with a number that is not 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Multipliers(pub Vec<(Row, Rational)>);

impl Multipliers {
    /// The rows that are used.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        self.0.iter().map(|(row, _)| *row)
    }
}

impl FromIterator<(Row, Rational)> for Multipliers {
    /// Adds up what comes more than once.
    fn from_iter<I: IntoIterator<Item = (Row, Rational)>>(parts: I) -> Multipliers {
        let mut sums = std::collections::BTreeMap::<Row, Rational>::new();
        for (row, multiplier) in parts {
            *sums.entry(row).or_default() += multiplier;
        }
        let used = sums.into_iter().filter(|(_, number)| !number.is_zero());
        Multipliers(used.collect())
    }
}
