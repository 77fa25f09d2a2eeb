//! Text that resembles a statement but is not one: each function reports one form, and states what to write instead.

use super::expression::expression;
use super::statement::STATEMENTS;
use crate::lexical::foreign;
use crate::lexical::kind::SyntaxKind::*;
use crate::parser::{Parser, closest};
use source::{Diagnostic, codes};

/// An item or a part of a node among statements.
pub(super) fn misplaced(p: &mut Parser) {
    let word = p.word();
    let diagnostic = p.problem(
        codes::MISPLACED,
        format!("`{word}` stands inside a block of statements, where it has no meaning"),
    );
    let diagnostic = match word {
        "var" | "persistent" | "ghost" => diagnostic
            .note("variables are declared in the node, beside its blocks; a value for this block only is `let x = e`"),
        _ => diagnostic.note("is a `}` missing before it?"),
    };
    p.report(diagnostic);
    p.skip_statement();
}

/// If the current word begins neither an assignment nor a call, reports an unknown statement and returns true: the
/// word is alone, is followed by another word, or is `while` or `return`.
pub(super) fn unknown_statement(p: &mut Parser) -> bool {
    let word = p.word();
    let lonely = !p.same_line(1) || matches!(p.nth(1), RBrace | Semicolon | EndOfFile);
    let followed = matches!(p.nth(1), Word | Number | LBrace | Text)
        && p.same_line(1)
        && !matches!(
            p.nth_word(1),
            "in" | "is"
                | "and"
                | "or"
                | "implies"
                | "mod"
                | "union"
                | "intersect"
                | "minus"
                | "subset"
                | "until"
                | "not"
        );
    // `while (…)` and `while not …` are neither calls nor binary operations.
    let of_others = matches!(word, "while" | "return")
        && p.same_line(1)
        && (p.nth(1) == LParen || p.nth_word(1) == "not");
    if !lonely && !followed && !of_others {
        return false;
    }
    let (message, foreign) = match word {
        "return" | "break" | "continue" => (
            format!("there is no `{word}`: a block runs to its end; choose with `if` what is done"),
            true,
        ),
        "while" | "loop" | "repeat" => (
            format!("there is no `{word}`: the only loop is `for x in S {{ … }}`"),
            true,
        ),
        _ if lonely => (format!("`{word}` alone is not a statement"), false),
        _ => (format!("`{word}` does not begin a statement"), false),
    };
    let mut diagnostic = p.problem(codes::UNKNOWN_STATEMENT, message);
    let known = if lonely { &["halt"] } else { STATEMENTS };
    if let Some(meant) = closest(word, known) {
        diagnostic = diagnostic
            .at(format!("did you mean `{meant}`?"))
            .fix(p.span(), meant);
    } else if lonely && !foreign {
        diagnostic = diagnostic.note(format!("to run an action write `{word}()`"));
    }
    p.report(diagnostic);
    p.skip_statement();
    true
}

/// `x += e`.
pub(super) fn update(p: &mut Parser, began: usize) {
    let place = p.text_since(began);
    let sign = p.word();
    let operator = foreign::updates_by(sign).unwrap_or("+");
    // Braces make a set.
    let operator = match (p.nth(1), operator) {
        (LBrace, "+") => "union",
        (LBrace, "-") => "minus",
        _ => operator,
    };
    let diagnostic = p
        .problem(
            codes::FOREIGN_OPERATOR,
            format!("there is no `{sign}`: write `{place} = {place} {operator} …`"),
        )
        .fix(p.span(), format!("= {place} {operator}"));
    p.report(diagnostic);
    p.bump();
    p.join();
    expression(p);
}

/// `x++`, `x--`.
pub(super) fn step(p: &mut Parser, began: usize) {
    let place = p.text_since(began);
    let sign = if p.at(Minus) { "-" } else { "+" };
    let from = p.position();
    let twice = p.at(Foreign) || p.nth(1) == Minus && p.span_at(from + 1).start == p.span().end;
    let place_span = p.span_since(began);
    let diagnostic = if twice {
        p.problem(
            codes::FOREIGN_OPERATOR,
            format!("there is no `{sign}{sign}`: write `{place} = {place} {sign} 1`"),
        )
        .fix(
            place_span.to(p.span_at(if p.at(Foreign) { from } else { from + 1 })),
            format!("{place} = {place} {sign} 1"),
        )
    } else {
        p.problem(
            codes::UNKNOWN_STATEMENT,
            format!("`{place}` is not a statement: expected `=`, found `{sign}`"),
        )
    };
    p.report(diagnostic);
    p.skip_statement();
}

/// `next!M`.
pub(super) fn bang(p: &mut Parser, began: usize) {
    let place = p.text_since(began);
    let message = format!("a message is sent by `send M to {place}`, not by `!`");
    let diagnostic = p.problem(codes::FOREIGN_OPERATOR, message);
    p.report(diagnostic);
    p.skip_statement();
}

/// `next.f()`.
pub(super) fn call_of_a_node(p: &mut Parser, began: usize) {
    let what = p.text_since(began);
    let message = format!("nodes do not call each other: `{what}` is not a statement");
    let diagnostic = Diagnostic::error(codes::UNKNOWN_STATEMENT, p.span_since(began), message)
        .note("`send M to next` sends a message, and the other node takes it: `on M { … }`");
    p.report(diagnostic);
    p.skip_statement();
}

/// `for (i = 0; i < n; i++)`.
pub(super) fn three_parts(p: &mut Parser) {
    let diagnostic = p
        .problem(
            codes::UNKNOWN_STATEMENT,
            "the only loop is `for x in S { … }`, without parentheses",
        )
        .note("S is a set: of numbers, both ends included, such as `0..2`; of nodes, such as `neighbours`");
    p.report(diagnostic);
    let error = p.open();
    let mut inside = 0usize;
    while !p.at(EndOfFile) && (p.same_line(0) || inside == 0) {
        match p.kind() {
            LParen => inside += 1,
            RParen => inside -= 1,
            _ => {}
        }
        p.bump();
        if inside == 0 {
            break;
        }
    }
    p.close(error, Error);
    p.mark_reported();
    if !p.at(LBrace) {
        p.skip_to_brace();
    }
}
