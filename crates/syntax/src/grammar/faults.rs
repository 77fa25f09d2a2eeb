//! Faults of nodes and messages.

use super::expression::{at_level, level};
use super::names;
use super::network::unknown_word;
use crate::lexical::foreign;
use crate::lexical::kind::SyntaxKind::*;
use crate::parser::Parser;
use source::codes;

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
        verb @ ("lose" | "repeat") => {
            let verb = verb.to_owned();
            p.bump();
            messages(p, &verb);
            one_alone(p);
            MessageFaults
        }
        "at" | "any" => {
            nodes(p);
            NodeFaults
        }
        word if foreign::fault(word).is_some() => {
            let ours = foreign::fault(word).unwrap_or_default();
            let message = format!("there is no `faults {word}`");
            let diagnostic = p
                .problem(codes::UNKNOWN_WORD, message)
                .at(format!("did you mean `{ours}`?"))
                .fix(p.span(), ours);
            p.report(diagnostic);
            p.skip_statement();
            Error
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

/// `at most N` or `any`; returns false after reporting that neither is there.
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
fn messages(p: &mut Parser, verb: &str) {
    let limited = p.at_word("at") && p.nth_is(1, "most");
    if limited {
        p.bump();
        p.bump();
        if at_level(p, level::SUM).is_none() {
            return;
        }
    } else if !p.fresh_line() && p.at_word("any") {
        p.bump();
    } else {
        how_many(p, verb);
        return;
    }
    if p.fresh_line() || !(p.eat_word("messages") || p.eat_word("message")) {
        how_many(p, verb);
        return;
    }
    if p.eat_word("of") {
        names::name(p, "the name of a message");
    }
}

/// Reports that the number of lost or repeated messages is missing or malformed.
fn how_many(p: &mut Parser, verb: &str) {
    if p.refuse_token() {
        return;
    }
    let message = format!(
        "`faults {verb}` says how many messages: `{verb} at most 2 messages` or `{verb} any messages`"
    );
    let diagnostic = p
        .problem(codes::UNEXPECTED, message)
        .at("expected `at most 2 messages` or `any messages`")
        .note("`of M` behind it means messages of one type");
    p.report(diagnostic);
    p.skip_statement();
}

/// Reports a second fault on the same line: it needs a line of its own.
fn one_alone(p: &mut Parser) {
    let joined = p.at(Comma) || p.at_word("and");
    if p.reported() || p.fresh_line() || !joined {
        return;
    }
    let diagnostic = p
        .problem(codes::LEFTOVER, "a line of `faults` says one thing")
        .at("write a second `faults` line")
        .note("several `faults` lines add up");
    p.report(diagnostic);
    p.skip_statement();
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
        if p.reported() || !p.eat(Comma) {
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
