//! Expressions by precedence climbing: operands and binary operators.

use super::operand;
use super::operator::{self, Infix};
use crate::lexical::kind::SyntaxKind::*;
use crate::parser::{Done, Parser, closest, is_reserved};
use source::{Diagnostic, codes};

/// Precedence levels; a larger number binds more strongly.
pub(super) mod level {
    pub const WEAKEST: u8 = 0;
    pub const LEADS_TO: u8 = 1;
    pub const IMPLIES: u8 = 2;
    pub const UNTIL: u8 = 3;
    pub const OR: u8 = 4;
    pub const AND: u8 = 5;
    pub const NOT: u8 = 6;
    pub const COMPARISON: u8 = 7;
    pub const SETS: u8 = 8;
    pub const RANGE: u8 = 9;
    pub const SUM: u8 = 10;
    pub const PRODUCT: u8 = 11;
    pub const UNARY: u8 = 12;
    pub const PLACE: u8 = 13;
}

/// Parses the longest expression that begins at the current token. Reports an error and returns `None` if there is
/// none.
pub(super) fn expression(p: &mut Parser) -> Option<Done> {
    at_level(p, level::WEAKEST)
}

/// Parses an expression whose operators, outside of brackets, have at least the precedence `least`.
pub(super) fn at_level(p: &mut Parser, least: u8) -> Option<Done> {
    p.nested(|p| {
        let began = p.position();
        let left = operand::operand(p)?;
        Some(operators(p, left, began, least))
    })
}

/// Parses the operators of at least the precedence `least` after the operand `left`, with their right operands.
/// `began` is the position at which the operand begins.
pub(super) fn operators(p: &mut Parser, mut left: Done, began: usize, least: u8) -> Done {
    let mut last_level = u8::MAX;
    let mut chained = false;
    while let Some(operator) = operator::infix(p) {
        // After an operand with an error the expression ends.
        if operator.level < least || p.reported() {
            break;
        }
        if operator.level == last_level && !std::mem::replace(&mut chained, true) {
            refuse_chain(p, operator, began);
        }
        last_level = match operator.level {
            single @ (level::COMPARISON | level::RANGE) => single,
            _ => u8::MAX,
        };
        left = right_side(p, left, operator);
    }
    left
}

/// Parses the operator at the current token and its right operand. The new node contains the left operand.
fn right_side(p: &mut Parser, left: Done, operator: Infix) -> Done {
    operator::report_operator(p, operator);
    let whole = p.wrap(left);
    for _ in 0..operator.tokens {
        p.bump();
    }
    if !p.at_next_statement() {
        p.join();
    }
    match operator.node {
        IsExpr => is_what(p),
        PlusMinusExpr => deviation(p),
        LeadsToExpr => {
            if at_level(p, operator.level + 1).is_some() && at_within(p) {
                p.bump();
                at_level(p, level::SUM);
            }
        }
        _ => {
            // `implies` is right-associative.
            let next = operator.level + u8::from(operator.level != level::IMPLIES);
            at_level(p, next);
        }
    }
    p.close(whole, operator.node)
}

/// Whether the current token is `within` or a misspelling of it, which is reported.
fn at_within(p: &mut Parser) -> bool {
    if p.at_word("within") {
        return true;
    }
    let word = p.word();
    let near =
        p.at(Word) && !p.fresh_line() && !is_reserved(word) && closest(word, &["within"]).is_some();
    if near {
        let message = format!("`{word}` is no word between a condition and a time");
        let diagnostic = p.problem(codes::UNKNOWN_WORD, message);
        let diagnostic = diagnostic
            .at("did you mean `within`?")
            .fix(p.span(), "within");
        p.report(diagnostic);
    }
    near
}

/// The deviation after `±`: absolute, or relative with `%` or `ppm`.
pub(super) fn deviation(p: &mut Parser) {
    let outer = p.mode;
    p.mode.deviation = true;
    let found = at_level(p, level::SUM);
    p.mode = outer;
    if found.is_some() && !p.fresh_line() && (p.at(Percent) || p.at_word("ppm")) {
        p.bump();
    }
}

/// What follows `is`: the bound name, or `set`.
fn is_what(p: &mut Parser) {
    let negated = p.at_word("not");
    if p.at_word("none") || negated && p.nth_is(1, "none") {
        let operator = if negated { "!=" } else { "==" };
        let is = p.position() - 1;
        if negated {
            p.bump();
        }
        let whole = p.span_at(is).to(p.span());
        let diagnostic = Diagnostic::error(
            codes::ASSIGN_OR_COMPARE,
            whole,
            format!("`is` gives a value a name; to compare with `none` write `{operator} none`"),
        )
        .fix(whole, format!("{operator} none"));
        p.report(diagnostic);
        p.bump();
        return;
    }
    super::names::name(p, "a name for the value");
}

/// Reports `a < b < c` or `a .. b .. c`: comparisons and ranges do not chain.
fn refuse_chain(p: &mut Parser, operator: Infix, began: usize) {
    let left = p.text_since(began);
    let diagnostic = if operator.level == level::RANGE {
        p.problem(
            codes::CHAINED,
            "a range has two ends: a second `..` or `±` has no meaning",
        )
    } else {
        p.problem(
            codes::CHAINED,
            format!(
                "comparisons are not chained: `{left} {} …` has no meaning",
                p.word()
            ),
        )
        .note("write two comparisons with `and` between them: `a < b and b < c`")
    };
    p.report(diagnostic);
}
