//! Networks: who can send to whom, and how messages travel.

use super::expression::{at_level, expression, level};
use super::names;
use crate::kind::SyntaxKind::*;
use crate::parser::{Mode, Parser, closest};
use source::codes;

/// Words that begin an item of a network.
const ITEMS: &[&str] = &["channel", "delivery", "to", "inbox"];

/// `network TOPOLOGY { … }`.
pub(super) fn network(p: &mut Parser) {
    p.bump();
    topology(p);
    if p.said() {
        p.skip_to_brace();
    }
    if !p.at(LBrace) {
        return;
    }
    let body = p.open();
    let opened = p.position();
    p.bump();
    p.with_mode(Mode::default(), |p| {
        while !p.at(EndOfFile) && !p.at(RBrace) {
            if p.eat(Semicolon) {
                continue;
            }
            if p.at_item() {
                break;
            }
            let before = p.begin();
            item(p);
            p.end_of_statement();
            if p.position() == before {
                p.bump_error();
            }
        }
        p.close_brace(opened);
    });
    p.close(body, NetworkBody);
}

/// `ring`, `line(4)`, `edges(1 - 2, 2 to 3)`, `graphs where φ`.
pub(super) fn topology(p: &mut Parser) {
    let topology = p.open();
    let edges = p.at_word("edges");
    names::name(p, "a topology such as `ring` or `complete`");
    if p.at(LParen) && !p.fresh_line() {
        let arguments = p.open();
        names::listed(p, LParen, RParen, |p| match edges {
            true => edge(p),
            false => {
                expression(p);
            }
        });
        p.close(arguments, Arguments);
    }
    if p.eat_word("where") {
        let condition = p.open();
        p.with_mode(Mode::HEAD, expression);
        p.close(condition, Where);
    }
    p.close(topology, Topology);
}

/// `1 - 2`, `2 to 3`.
fn edge(p: &mut Parser) {
    let edge = p.open();
    expression(p);
    if p.eat_word("to") {
        expression(p);
    }
    p.close(edge, Edge);
}

fn item(p: &mut Parser) {
    let item = p.open();
    let kind = match p.word() {
        "channel" => {
            p.bump();
            channel(p);
            Channel
        }
        "delivery" => {
            p.bump();
            delivery(p);
            Delivery
        }
        "to" => {
            p.bump();
            if !p.eat_word("self") {
                p.expected("`self`");
            }
            ToSelf
        }
        "inbox" => {
            p.bump();
            inbox(p);
            Inbox
        }
        word => {
            if !p.refuse_token() {
                let message = format!("`{word}` says nothing about a network");
                let mut diagnostic = p
                    .problem(codes::UNKNOWN_WORD, message)
                    .note("a network has `channel …` or `delivery …`, `to self`, `inbox …`");
                if let Some(meant) = closest(word, ITEMS) {
                    diagnostic = diagnostic
                        .at(format!("did you mean `{meant}`?"))
                        .fix(p.span(), meant);
                }
                p.say(diagnostic);
            }
            p.skip_statement();
            Error
        }
    };
    p.close(item, kind);
}

/// `fifo`, `fifo(c)`, `unordered`.
fn channel(p: &mut Parser) {
    if p.eat_word("fifo") {
        if p.at(LParen) && !p.fresh_line() {
            let opened = p.position();
            p.bump();
            p.with_mode(Mode::INSIDE, |p| {
                expression(p);
                p.close_bracket(opened, RParen);
            });
        }
    } else if !p.eat_word("unordered") {
        unknown_word(
            p,
            &["fifo", "unordered"],
            "`fifo`, `fifo(c)` or `unordered`",
        );
    }
}

/// `instant`, `within x .. y [, fifo | unordered]`, `before next activation [, …]`.
fn delivery(p: &mut Parser) {
    if p.eat_word("instant") {
        return;
    }
    if p.eat_word("within") {
        at_level(p, level::RANGE);
    } else if p.eat_word("before") {
        if !(p.eat_word("next") && p.eat_word("activation")) {
            p.expected("`next activation`");
            return;
        }
    } else {
        let known = ["instant", "within", "before"];
        unknown_word(
            p,
            &known,
            "`instant`, `within x .. y` or `before next activation`",
        );
        return;
    }
    if p.eat(Comma) && !p.eat_word("fifo") && !p.eat_word("unordered") {
        unknown_word(p, &["fifo", "unordered"], "`fifo` or `unordered`");
    }
}

/// `all | latest per sender [, starts …]`.
fn inbox(p: &mut Parser) {
    if p.eat_word("latest") {
        if !(p.eat_word("per") && p.eat_word("sender")) {
            p.expected("`per sender`");
            return;
        }
    } else if !p.eat_word("all") {
        unknown_word(p, &["all", "latest"], "`all` or `latest per sender`");
        return;
    }
    if !p.eat(Comma) {
        return;
    }
    if !p.eat_word("starts") {
        unknown_word(p, &["starts"], "`starts`");
        return;
    }
    let known = "`empty`, `with one from each sender` or `with anything`";
    if p.eat_word("empty") {
        return;
    }
    let rest: &[&str] = match (p.eat_word("with"), p.word()) {
        (true, "one") => &["one", "from", "each", "sender"],
        (true, _) => &["anything"],
        _ => &["empty"],
    };
    if !rest.iter().all(|word| p.eat_word(word)) {
        unknown_word(p, rest, known);
    }
}

/// A word that is not among those that can stand here.
pub(super) fn unknown_word(p: &mut Parser, known: &[&str], expected: &str) {
    let meant = closest(p.word(), known).filter(|_| p.at(Word) && !p.fresh_line());
    match meant {
        Some(meant) => {
            let message = format!("expected {expected}, found `{}`", p.word());
            let diagnostic = p
                .problem(codes::UNKNOWN_WORD, message)
                .at(format!("did you mean `{meant}`?"))
                .fix(p.span(), meant);
            p.say(diagnostic);
        }
        None => p.expected(expected),
    }
}
