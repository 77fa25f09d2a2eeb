//! Binary operators: their precedence, and mistakes that look like operators.

use super::expression::level;
use crate::lexical::foreign;
use crate::lexical::kind::SyntaxKind;
use crate::lexical::kind::SyntaxKind::*;
use crate::parser::Parser;
use source::codes;

/// A binary operator, or a mistake in place of one.
#[derive(Clone, Copy)]
pub(super) struct Infix {
    /// The precedence.
    pub level: u8,
    /// The kind of the node of the binary operation.
    pub node: SyntaxKind,
    /// The number of tokens of the operator.
    pub tokens: usize,
    /// The mistake; `None` for a correct operator.
    pub mistake: Option<Mistake>,
}

/// What was written in place of a correct operator.
#[derive(Clone, Copy)]
pub(super) enum Mistake {
    /// `=` where `==` is meant.
    Assignment,
    /// `&&` and other foreign operators.
    Foreign,
    /// `%` for `mod`.
    Percent,
    /// `<>` for `!=`.
    Unequal,
    /// `x not in S` for `not (x in S)`.
    NotIn,
}

/// The binary operator at the current token; `None` if the expression ends before the token.
pub(super) fn infix(p: &Parser) -> Option<Infix> {
    let sound = |level, node| Infix {
        level,
        node,
        tokens: 1,
        mistake: None,
    };
    let fresh = p.fresh_line();
    match p.kind() {
        Minus if fresh => None,
        Eq => Some(Infix {
            mistake: Some(Mistake::Assignment),
            ..sound(level::COMPARISON, BinaryExpr)
        }),
        Percent if !p.mode.deviation && !fresh => Some(Infix {
            mistake: Some(Mistake::Percent),
            ..sound(level::PRODUCT, BinaryExpr)
        }),
        // Before an operand `<>` is `eventually`; between two operands it can only be a comparison.
        Foreign if p.word() == "<>" && !fresh => Some(Infix {
            mistake: Some(Mistake::Unequal),
            ..sound(level::COMPARISON, BinaryExpr)
        }),
        Foreign => {
            let (level, node) = spelled(foreign::ours(p.word())?)?;
            Some(Infix {
                mistake: Some(Mistake::Foreign),
                ..sound(level, node)
            })
        }
        Word => match p.word() {
            "in" if p.mode.without_in => None,
            "leads" if p.nth_is(1, "to") => Some(Infix {
                tokens: 2,
                ..sound(level::LEADS_TO, LeadsToExpr)
            }),
            "not" if p.nth_is(1, "in") && !fresh => Some(Infix {
                tokens: 2,
                mistake: Some(Mistake::NotIn),
                ..sound(level::COMPARISON, BinaryExpr)
            }),
            word => spelled(word).map(|(level, node)| sound(level, node)),
        },
        _ => spelled(p.word()).map(|(level, node)| sound(level, node)),
    }
}

/// The precedence and the node kind of an operator that is one token; `None` for other tokens.
fn spelled(operator: &str) -> Option<(u8, SyntaxKind)> {
    Some(match operator {
        "*" | "/" | "mod" => (level::PRODUCT, BinaryExpr),
        "+" | "-" => (level::SUM, BinaryExpr),
        ".." => (level::RANGE, RangeExpr),
        "±" => (level::RANGE, PlusMinusExpr),
        "union" | "intersect" | "minus" => (level::SETS, BinaryExpr),
        "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "subset" => (level::COMPARISON, BinaryExpr),
        "is" => (level::COMPARISON, IsExpr),
        "and" => (level::AND, BinaryExpr),
        "or" => (level::OR, BinaryExpr),
        "until" => (level::UNTIL, UntilExpr),
        "implies" => (level::IMPLIES, BinaryExpr),
        _ => return None,
    })
}

/// The precedence of the binary operator that begins with this token; a larger number binds more strongly.
pub(crate) fn level_of(operator: &str) -> Option<u8> {
    match operator {
        "leads" => Some(level::LEADS_TO),
        _ => spelled(operator).map(|(level, _)| level),
    }
}

/// Reports the mistake at the current token, if there is one.
pub(super) fn report_operator(p: &mut Parser, operator: Infix) {
    let Some(mistake) = operator.mistake else {
        return;
    };
    let diagnostic = match mistake {
        Mistake::Assignment => p
            .problem(
                codes::ASSIGN_OR_COMPARE,
                "`=` gives a variable a value; to compare two values write `==`",
            )
            .at("write `==`")
            .fix(p.span(), "=="),
        Mistake::Percent => p
            .problem(
                codes::FOREIGN_OPERATOR,
                "the remainder of a division is written `mod`; `%` stands behind `±` only",
            )
            .at("write `mod`")
            .fix(p.span(), "mod"),
        Mistake::Unequal => p
            .problem(
                codes::FOREIGN_OPERATOR,
                "`<>` is not an operator of this language: write `!=`",
            )
            .at("write `!=`")
            .fix(p.span(), "!="),
        Mistake::NotIn => p
            .problem(
                codes::FOREIGN_OPERATOR,
                "`not in` is not an operator: write `not (x in S)`",
            )
            .at("put `not` before the comparison"),
        Mistake::Foreign => p.foreign_problem(),
    };
    p.report(diagnostic);
}
