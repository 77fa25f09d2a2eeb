//! Types.

use super::expression::{self, level};
use super::names;
use crate::kind::SyntaxKind::*;
use crate::parser::{Mode, Parser};

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
                if p.eat(Semicolon) {
                    self::ty(p);
                } else {
                    p.expected("`;` and what the array goes over");
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

/// Whether the name here is only the beginning of a lower bound.
fn goes_on(p: &Parser) -> bool {
    matches!(
        p.nth(1),
        DotDot | Plus | Minus | Star | Slash | Dot | LParen | LBracket
    ) && p.same_line(1)
        || p.nth_is(1, "mod")
}
