//! Mutation operators: five ways to change a token of a text.

use crate::Dice;
use crate::texts::{Text, Token};

/// How a token is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// The token is deleted.
    Delete,
    /// The token is doubled.
    Double,
    /// The token is swapped with the next one.
    Swap,
    /// The token is replaced by another token of the same text.
    Replace,
    /// The token, which is a bracket, is deleted.
    Bracket,
}

impl Operator {
    /// All operators.
    pub const ALL: [Operator; 5] = [
        Operator::Delete,
        Operator::Double,
        Operator::Swap,
        Operator::Replace,
        Operator::Bracket,
    ];

    /// A short description of the operator.
    pub fn words(self) -> &'static str {
        match self {
            Operator::Delete => "a token deleted",
            Operator::Double => "a token doubled",
            Operator::Swap => "two tokens swapped",
            Operator::Replace => "a token replaced",
            Operator::Bracket => "a bracket deleted",
        }
    }
}

/// A text with one mutation.
pub struct Mutant<'t> {
    /// The text before the mutation.
    pub of: &'t Text,
    /// The operator that was applied.
    pub operator: Operator,
    /// The text after the mutation.
    pub text: String,
    /// The start and the end (exclusive) of the change in the new text; equal if a token was deleted.
    pub place: (usize, usize),
    /// The token that was deleted or replaced, if any.
    pub removed: Option<&'t str>,
}

/// Mutates a random token of a text; `None` if the mutation would change nothing.
pub fn mutate<'t>(of: &'t Text, operator: Operator, dice: &mut Dice) -> Option<Mutant<'t>> {
    let fitting = |token: &&Token| operator != Operator::Bracket || token.bracket;
    let choice: Vec<Token> = of.tokens.iter().filter(fitting).copied().collect();
    let at = dice.roll(choice.len());
    let token = *choice.get(at)?;
    let word = of.of(token);
    let instead = |end: usize, new: &str, removed| {
        let (before, behind) = (&of.text[..token.start], &of.text[end..]);
        let new = apart(before, new, behind);
        Mutant {
            of,
            operator,
            text: format!("{before}{new}{behind}"),
            place: (token.start, token.start + new.len()),
            removed,
        }
    };
    Some(match operator {
        Operator::Delete | Operator::Bracket => instead(token.end, "", Some(word)),
        Operator::Double => instead(token.end, &format!("{word} {word}"), None),
        Operator::Swap => {
            let next = *choice.get(at + 1)?;
            let other = of.of(next);
            if other == word {
                return None;
            }
            let between = &of.text[token.end..next.start];
            // Tokens with a comment between them are not swapped.
            if between.contains("//") {
                return None;
            }
            let between = if between.is_empty() { " " } else { between };
            instead(next.end, &format!("{other}{between}{word}"), None)
        }
        Operator::Replace => {
            let other = of.of(of.tokens[dice.roll(of.tokens.len())]);
            if other == word {
                return None;
            }
            instead(token.end, other, Some(word))
        }
    })
}

/// A new token, with blanks around it if it would otherwise merge with its neighbours.
fn apart(before: &str, new: &str, behind: &str) -> String {
    let pad = |a: Option<char>, b: Option<char>| match (a, b) {
        (Some(a), Some(b)) if part_of_one_token(a, b) => " ",
        _ => "",
    };
    let first = pad(before.chars().last(), new.chars().next());
    let last = pad(new.chars().last(), behind.chars().next());
    format!("{first}{new}{last}")
}

/// Whether two adjacent characters may belong to the same token.
fn part_of_one_token(a: char, b: char) -> bool {
    let word = |c: char| c == '_' || c.is_alphanumeric();
    let single = |c: char| c.is_whitespace() || "()[]{},;".contains(c);
    !single(a) && !single(b) && word(a) == word(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each operator changes only the place that the mutant states, in the way that the operator says.
    #[test]
    fn one_token_is_changed() {
        let texts = crate::texts();
        for number in 0..500 {
            let mutant = crate::mutant(&texts, number);
            let (start, end) = mutant.place;
            let before = &mutant.of.text;
            let kept = mutant.text.len() - end;
            assert_eq!(mutant.text[..start], before[..start]);
            assert_eq!(mutant.text[end..], before[before.len() - kept..]);
            assert_ne!(mutant.text, *before);
            let was = before[start..before.len() - kept].split_whitespace();
            let is = mutant.text[start..end].split_whitespace();
            let (was, is): (Vec<&str>, Vec<&str>) = (was.collect(), is.collect());
            match mutant.operator {
                Operator::Delete => assert_eq!((was.len(), is.len()), (1, 0)),
                Operator::Double => assert_eq!(is, [was[0], was[0]]),
                Operator::Swap => assert_eq!(is.len(), 2),
                Operator::Replace => assert_eq!((was.len(), is.len()), (1, 1)),
                Operator::Bracket => assert!("(){}[]<>".contains(was[0]) && is.is_empty()),
            }
        }
    }
}
