//! Names, and comma-separated lists in brackets.

use crate::lexical::kind::SyntaxKind;
use crate::lexical::kind::SyntaxKind::*;
use crate::parser::{Mode, Parser, is_reserved};
use source::codes;

/// Whether the current token can be a name, and no significant newline precedes it.
pub(super) fn at_name(p: &Parser) -> bool {
    p.at(Word) && !p.fresh_line() && !is_reserved(p.word())
}

/// Parses a name. If there is none, reports that `what` is expected and returns false.
pub(super) fn name(p: &mut Parser, what: &str) -> bool {
    if at_name(p) {
        let name = p.open();
        p.bump();
        p.close(name, Name);
        return true;
    }
    if p.at(Word) && !p.fresh_line() {
        let message = format!(
            "`{}` is a word of the language and cannot be {what}",
            p.word()
        );
        let diagnostic = p.problem(codes::RESERVED_WORD, message);
        p.report(diagnostic);
        // The reserved word is in the place of the name: it is skipped.
        if matches!(
            p.nth(1),
            Eq | Colon | LParen | LBrace | LBracket | RParen | Comma
        ) {
            p.bump();
            p.mark_reported();
        }
    } else {
        p.expected(what);
    }
    false
}

/// Parses a bracketed, comma-separated list, including both brackets. Newlines in it are not significant.
pub(super) fn listed(
    p: &mut Parser,
    opening: SyntaxKind,
    closing: SyntaxKind,
    mut element: impl FnMut(&mut Parser),
) {
    let opened = p.position();
    if !p.eat(opening) {
        return;
    }
    p.with_mode(Mode::INSIDE, |p| {
        while !p.at(closing) && !p.at(EndOfFile) {
            let before = p.position();
            element(p);
            if p.at(Semicolon) && closing == RBrace && !p.reported() {
                let diagnostic = p
                    .problem(
                        codes::UNEXPECTED,
                        "between the elements stands `,`, not `;`",
                    )
                    .fix(p.span(), ",");
                p.report(diagnostic);
                p.bump();
                continue;
            }
            if p.eat(Comma) {
                continue;
            }
            if !missing_comma(p, before, closing) {
                break;
            }
        }
        p.close_bracket(opened, closing);
    });
}

/// If only the comma between two elements is missing, reports that and returns true. `before` is the position at
/// which the last element began.
fn missing_comma(p: &mut Parser, before: usize, closing: SyntaxKind) -> bool {
    let element = matches!(p.kind(), Word | Number)
        && (matches!(p.nth(1), Colon | Comma) || p.nth(1) == closing);
    let goes_on = p.position() > before && !p.reported() && !p.at_item() && !p.at_node_part();
    if element && goes_on {
        let message = format!("expected `,` before `{}`", p.word());
        let behind = p.span_behind();
        let diagnostic = p.problem(codes::UNEXPECTED, message).fix(behind, ",");
        p.report(diagnostic);
    }
    element && goes_on
}

/// `(a: T, b: U)`: the parameters of a claim, function or action.
pub(super) fn parameters(p: &mut Parser) {
    let parameters = p.open();
    listed(p, LParen, RParen, |p| {
        let parameter = p.open();
        if name(p, "the name of a parameter") {
            if p.eat(Colon) {
                super::types::ty(p);
            } else {
                p.expected("`:` and a type");
            }
        }
        p.close(parameter, Parameter);
    });
    p.close(parameters, Parameters);
}
