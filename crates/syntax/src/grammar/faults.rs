//! Faults: what may go wrong.

use super::expression::{at_level, level};
use super::names;
use super::network::unknown_word;
use crate::kind::SyntaxKind::*;
use crate::parser::Parser;

/// `faults …`.
pub(super) fn faults(p: &mut Parser) {
    p.bump();
    let whole = p.open();
    let kind = match p.word() {
        _ if p.fresh_line() => {
            p.expected("what may go wrong");
            Error
        }
        "none" => {
            p.bump();
            NoFaults
        }
        "lose" | "repeat" => {
            p.bump();
            messages(p);
            MessageFaults
        }
        "at" | "any" => {
            nodes(p);
            NodeFaults
        }
        _ => {
            let known = ["none", "lose", "repeat", "any"];
            unknown_word(
                p,
                &known,
                "`at most …`, `any nodes`, `lose`, `repeat` or `none`",
            );
            Error
        }
    };
    p.close(whole, kind);
}

/// `at most N`, `any`; whether one of them was there.
fn amount(p: &mut Parser) -> bool {
    if p.eat_word("any") {
        return true;
    }
    if p.eat_word("at") && p.eat_word("most") {
        return at_level(p, level::SUM).is_some();
    }
    p.expected("`at most` and a number, or `any`");
    false
}

/// `at most L messages | any messages [of M]`.
fn messages(p: &mut Parser) {
    if !amount(p) {
        return;
    }
    if !p.eat_word("messages") && !p.eat_word("message") {
        unknown_word(p, &["messages"], "`messages`");
        return;
    }
    if p.eat_word("of") {
        names::name(p, "the name of a message");
    }
}

/// `at most N nodes | any nodes | at most N Kind: …`.
fn nodes(p: &mut Parser) {
    if !amount(p) {
        return;
    }
    if !p.eat_word("nodes") && !p.eat_word("node") && !names::name(p, "`nodes` or a kind of node") {
        return;
    }
    if !p.eat(Colon) {
        p.expected("`:` and what happens to them");
        return;
    }
    loop {
        mode(p);
        if p.said() || !p.eat(Comma) {
            break;
        }
    }
}

/// `crash any time, during broadcast`, `stop any time, restart …`, `off from start`.
fn mode(p: &mut Parser) {
    let mode = p.open();
    names::name(p, "a fault such as `off` or `crash`");
    if p.eat_word("from") {
        if !p.eat_word("start") {
            p.expected("`start`");
        }
    } else if p.eat_word("any") && !p.eat_word("time") {
        p.expected("`time`");
    }
    loop {
        let comma = usize::from(p.at(Comma));
        if p.nth_is(comma, "during") && p.nth_is(comma + 1, "broadcast") {
            p.eat(Comma);
            p.bump();
            p.bump();
        } else if p.nth_is(comma, "restart") && !(comma == 0 && p.fresh_line()) {
            p.eat(Comma);
            restart(p);
        } else {
            break;
        }
    }
    p.close(mode, Mode);
}

/// `restart fresh | keeping state [within x .. y]`.
fn restart(p: &mut Parser) {
    let restart = p.open();
    p.bump();
    let kept = p.at_word("keeping") && p.nth_is(1, "state");
    if kept {
        p.bump();
        p.bump();
    } else if !p.eat_word("fresh") {
        unknown_word(p, &["fresh", "keeping"], "`fresh` or `keeping state`");
    }
    if p.eat_word("within") {
        at_level(p, level::RANGE);
    }
    p.close(restart, Restart);
}
