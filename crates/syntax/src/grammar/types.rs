//! Types.

use super::expression::{self, level};
use super::names;
use crate::lexical::kind::SyntaxKind::*;
use crate::parser::{Mode, Parser};
use source::codes;

/// `Bool`, `a .. b`, `Option<T>`, `Set<T>`, `[T; I]`, or a name.
pub(super) fn ty(p: &mut Parser) {
    p.nested(|p| {
        one(p);
        Some(())
    });
}

fn one(p: &mut Parser) {
    if p.fresh_line() {
        p.expected("a type");
        return;
    }
    let ty = p.open();
    match p.kind() {
        LBracket => {
            let opened = p.position();
            p.bump();
            p.with_mode(Mode::INSIDE, |p| {
                self::ty(p);
                if !p.eat(Semicolon) {
                    p.expected("`;` and what the array goes over");
                } else if p.at(Number) && p.nth(1) == RBracket {
                    size(p);
                } else {
                    self::ty(p);
                }
                p.close_bracket(opened, RBracket);
            });
            p.close(ty, ArrayType);
        }
        Word if matches!(p.word(), "Option" | "Set") => {
            let kind = if p.at_word("Set") {
                SetType
            } else {
                OptionType
            };
            p.bump();
            if p.eat(Less) {
                p.with_mode(Mode::INSIDE, self::ty);
                if !p.eat(Greater) {
                    p.expected("`>`");
                }
            } else {
                p.expected("`<` and a type");
            }
            p.close(ty, kind);
        }
        Word if names::at_name(p) && p.nth(1) == Less && p.same_line(1) => {
            foreign(p);
            p.close_error(ty);
        }
        Word if names::at_name(p) && !goes_on(p) => {
            p.bump();
            p.close(ty, NameType);
        }
        Word | Number | Minus | LParen => {
            let found = expression::at_level(p, level::SUM);
            if found.is_some() {
                if p.at(DotDot) {
                    p.bump();
                    p.join();
                    expression::at_level(p, level::SUM);
                } else {
                    p.expected("`..` and the largest value");
                }
            }
            p.close(ty, RangeType);
        }
        LBrace => {
            p.expected(
                "a type (for values with names, declare `enum E { A, B }` and write `E` here)",
            );
            p.close_error(ty);
        }
        _ => {
            p.expected("a type");
            p.close_error(ty);
        }
    }
}

/// Reports a number where the index type of an array is expected.
fn size(p: &mut Parser) {
    let ty = p.open();
    let text = "an array goes over a range, an enum or `Node`: it has no size of its own";
    let diagnostic = p.problem(codes::UNEXPECTED, text);
    p.report(match p.word().parse::<u32>() {
        Ok(places @ 1..) => diagnostic.fix(p.span(), format!("0..{}", places - 1)),
        _ => diagnostic,
    });
    p.bump();
    p.close_error(ty);
}

/// Reports `Map<Node, Bool>` and other foreign types.
fn foreign(p: &mut Parser) {
    let text = format!("there is no type `{}<…>`", p.word());
    let note = match p.word() {
        "Map" | "HashMap" | "BTreeMap" | "Dict" => {
            "a value for each node is `[T; Node]`, a value for each number `[T; 0..7]`"
        }
        _ => "there are `Option<T>` and `Set<T>`; an array is `[T; 0..7]`: a value for each number",
    };
    let diagnostic = p.problem(codes::UNKNOWN_TYPE, &text).note(note);
    p.report(diagnostic);
    p.bump();
    let mut open = 0usize;
    while !p.fresh_line() && !p.at(EndOfFile) {
        match p.kind() {
            Less => open += 1,
            Greater => open -= 1,
            _ => {}
        }
        p.bump();
        if open == 0 {
            break;
        }
    }
}

/// Whether the name at the current token is only the beginning of the lower bound of a range.
fn goes_on(p: &Parser) -> bool {
    matches!(
        p.nth(1),
        DotDot | Plus | Minus | Star | Slash | Dot | LParen | LBracket
    ) && p.same_line(1)
        || p.nth_is(1, "mod")
}
