//! Formulas of linear temporal logic, as the caller states them.

use std::fmt;

/// A formula of linear temporal logic over numbered atomic propositions.
///
/// A formula holds or does not hold for an infinite word. A word is a sequence of letters; a letter is the set of atoms
/// that hold at its position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// Holds for every word.
    True,
    /// Holds for no word.
    False,
    /// The atom holds at the first position.
    Atom(u32),
    /// The negation.
    Not(Box<Formula>),
    /// The conjunction; it is true if empty.
    And(Vec<Formula>),
    /// The disjunction; it is false if empty.
    Or(Vec<Formula>),
    /// The implication of the second formula by the first.
    Implies(Box<Formula>, Box<Formula>),
    /// The formula holds for every suffix of the word.
    Always(Box<Formula>),
    /// The formula holds for some suffix of the word.
    Eventually(Box<Formula>),
    /// The second formula holds for some suffix, and the first one for every longer suffix.
    Until(Box<Formula>, Box<Formula>),
    /// The second formula holds for every suffix up to and including the earliest one for which the first formula
    /// holds; for all suffixes if the first formula holds for none. The dual of [`Formula::Until`].
    Release(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// The negation of `of`.
    #[expect(
        clippy::should_implement_trait,
        reason = "a constructor, like its siblings"
    )]
    pub fn not(of: Formula) -> Formula {
        Formula::Not(Box::new(of))
    }

    /// `left` implies `right`.
    pub fn implies(left: Formula, right: Formula) -> Formula {
        Formula::Implies(Box::new(left), Box::new(right))
    }

    /// Always `of`.
    pub fn always(of: Formula) -> Formula {
        Formula::Always(Box::new(of))
    }

    /// Eventually `of`.
    pub fn eventually(of: Formula) -> Formula {
        Formula::Eventually(Box::new(of))
    }

    /// `left` until `right`.
    pub fn until(left: Formula, right: Formula) -> Formula {
        Formula::Until(Box::new(left), Box::new(right))
    }

    /// `left` releases `right`.
    pub fn release(left: Formula, right: Formula) -> Formula {
        Formula::Release(Box::new(left), Box::new(right))
    }
}

/// Prints with parentheses around every binary operator, so that no operator precedence is needed.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, members: &[Formula], sign: &str, empty: &str| {
            let Some((first, rest)) = members.split_first() else {
                return write!(f, "{empty}");
            };
            write!(f, "({first}")?;
            for member in rest {
                write!(f, " {sign} {member}")?;
            }
            write!(f, ")")
        };
        match self {
            Formula::True => write!(f, "true"),
            Formula::False => write!(f, "false"),
            Formula::Atom(atom) => write!(f, "a{atom}"),
            Formula::Not(of) => write!(f, "!{of}"),
            Formula::And(members) => list(f, members, "&", "true"),
            Formula::Or(members) => list(f, members, "|", "false"),
            Formula::Implies(left, right) => write!(f, "({left} -> {right})"),
            Formula::Always(of) => write!(f, "G {of}"),
            Formula::Eventually(of) => write!(f, "F {of}"),
            Formula::Until(left, right) => write!(f, "({left} U {right})"),
            Formula::Release(left, right) => write!(f, "({left} R {right})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints() {
        let request_answered = Formula::always(Formula::implies(
            Formula::Atom(0),
            Formula::eventually(Formula::not(Formula::Atom(1))),
        ));
        assert_eq!(request_answered.to_string(), "G (a0 -> F !a1)");
        assert_eq!(Formula::And(vec![]).to_string(), "true");
        assert_eq!(
            Formula::Or(vec![Formula::Atom(2), Formula::False]).to_string(),
            "(a2 | false)"
        );
    }
}
