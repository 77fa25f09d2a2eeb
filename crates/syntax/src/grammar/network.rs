//! Networks: topology, delivery, inboxes.

use super::expression::{at_level, expression, level, operators};
use super::names;
use crate::lexical::kind::SyntaxKind::*;
use crate::parser::{Mode, Parser, closest};
use source::codes;

/// Words that begin an item of a network.
const ITEMS: &[&str] = &["channel", "delivery", "to", "inbox"];

/// `network TOPOLOGY { … }`.
pub(super) fn network(p: &mut Parser) {
    p.bump();
    topology(p);
    if p.reported() {
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
        let mut refused = false;
        names::listed(p, LParen, RParen, |p| match edges {
            true => edge(p, &mut refused),
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

/// `1 - 2`, `2 to 3`. Only the first arrow in a list of edges is reported.
fn edge(p: &mut Parser, refused: &mut bool) {
    let edge = p.open();
    let began = p.position();
    if let Some(end) = at_level(p, level::SUM) {
        if ["->", "=>", "→", "⇒"].contains(&p.word()) {
            if !std::mem::replace(refused, true) {
                refuse_arrow(p, began);
            }
            p.bump();
            expression(p);
        } else {
            operators(p, end, began, level::WEAKEST);
        }
    }
    if p.eat_word("to") {
        expression(p);
    }
    p.close(edge, Edge);
}

/// Reports an arrow in an edge: `1 -> 2`.
fn refuse_arrow(p: &mut Parser, began: usize) {
    let (from, to) = (p.text_since(began), p.nth_word(1));
    let message = format!(
        "edges have no arrows: write `{from} to {to}` if only node {from} can send, `{from} - {to}` if both can"
    );
    let blank = |before: u32, behind: u32| if before == behind { " " } else { "" };
    let span = p.span();
    let before = blank(p.span_behind().end, span.start);
    let behind = blank(span.end, p.span_at(p.position() + 1).start);
    let diagnostic = p
        .problem(codes::FOREIGN_OPERATOR, message)
        .at("write `to`")
        .fix(span, format!("{before}to{behind}"));
    p.report(diagnostic);
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
                if word == "starts" {
                    diagnostic = diagnostic.note(
                        "what an inbox starts with stands behind a comma: `inbox all, starts …`",
                    );
                } else if let Some(meant) = closest(word, ITEMS) {
                    diagnostic = diagnostic
                        .at(format!("did you mean `{meant}`?"))
                        .fix(p.span(), meant);
                }
                p.report(diagnostic);
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
    let began = p.position() - 1;
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
    let more = comma(p, began, &["fifo", "unordered"]);
    if more && !p.eat_word("fifo") && !p.eat_word("unordered") {
        unknown_word(p, &["fifo", "unordered"], "`fifo` or `unordered`");
    }
}

/// `all | latest per sender [, starts …]`.
fn inbox(p: &mut Parser) {
    let began = p.position() - 1;
    if p.eat_word("latest") {
        if !(p.eat_word("per") && p.eat_word("sender")) {
            p.expected("`per sender`");
            return;
        }
    } else if !p.eat_word("all") {
        unknown_word(p, &["all", "latest"], "`all` or `latest per sender`");
        return;
    }
    if !comma(p, began, &["starts"]) {
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

/// Takes the comma before the optional rest of an item, and returns whether there is a rest. If one of the words
/// `more` follows without a comma or after `;`, reports that and also returns true. `began` is the position of the
/// item.
fn comma(p: &mut Parser, began: usize, more: &[&str]) -> bool {
    if p.eat(Comma) {
        return true;
    }
    let semicolon = p.at(Semicolon) && p.same_line(0) && p.same_line(1);
    let word = p.nth_word(usize::from(semicolon));
    if !more.contains(&word) || p.fresh_line() {
        return false;
    }
    let item = p.text_since(began);
    let message = format!("before `{word}` a comma is wanted: `{item}, {word} …`");
    let diagnostic = p.problem(codes::LEFTOVER, message);
    let (at, place) = match semicolon {
        true => ("write `,`", p.span()),
        false => ("a comma is missing before this", p.span_behind()),
    };
    p.report(diagnostic.at(at).fix(place, ","));
    if semicolon {
        p.bump();
    }
    true
}

/// Reports a word that is not among the words allowed here, with the nearest word of `known` as a fix.
pub(super) fn unknown_word(p: &mut Parser, known: &[&str], expected: &str) {
    let meant = closest(p.word(), known).filter(|_| p.at(Word) && !p.fresh_line());
    match meant {
        Some(meant) => {
            let message = format!("expected {expected}, found `{}`", p.word());
            let diagnostic = p
                .problem(codes::UNKNOWN_WORD, message)
                .at(format!("did you mean `{meant}`?"))
                .fix(p.span(), meant);
            p.report(diagnostic);
        }
        None => p.expected(expected),
    }
}
