//! Timings of activations, after `every` and `timing t:`.

use super::expression::{at_level, level};
use crate::lexical::kind::SyntaxKind::*;
use crate::parser::{Mode, Parser};
use source::codes;

/// `any`, `round(Δ)`, a name, or `a .. b [fixed] [, jitter …] [, first …]`.
pub(super) fn every(p: &mut Parser, mode: Mode) {
    let whole = p.open();
    p.with_mode(mode, |p| {
        at_level(p, level::RANGE);
        p.eat_word("fixed");
        while p.at(Comma) && !p.reported() {
            p.bump();
            if p.at_word("jitter") {
                jitter(p);
            } else if p.at_word("first") {
                let first = p.open();
                p.bump();
                at_level(p, level::RANGE);
                p.close(first, First);
            } else {
                p.expected("`jitter` or `first`");
            }
        }
    });
    p.close(whole, Every);
}

/// `jitter ± j per gap`, `jitter ± j on the grid`.
fn jitter(p: &mut Parser) {
    let jitter = p.open();
    p.bump();
    at_level(p, level::RANGE);
    if p.at_word("per") && p.nth_is(1, "gap") {
        p.bump();
        p.bump();
    } else if p.at_word("on") && p.nth_is(1, "the") && p.nth_is(2, "grid") {
        p.bump();
        p.bump();
        p.bump();
    } else {
        let message = format!(
            "the jitter needs `per gap` or `on the grid`, found {}",
            p.found()
        );
        let diagnostic = p.problem(codes::WHICH_JITTER, message).note(
            "`per gap`: new in every gap, and they add up; `on the grid`: around a strict beat, they do not",
        );
        p.report(diagnostic);
    }
    p.close(jitter, Jitter);
}
