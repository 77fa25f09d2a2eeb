//! Checks: a question, clauses in any order, and the expected answer.

use super::expression::expression;
use super::{names, network, operand};
use crate::lexical::kind::SyntaxKind::*;
use crate::parser::{Mode, Parser, closest};
use source::codes;

/// Words that begin a clause.
const CLAUSES: &[&str] = &["in", "with", "for", "assuming", "unfair", "expect"];

/// Words that are answers, possibly with further words after them.
const ANSWERS: &[&str] = &[
    "holds",
    "fails",
    "possible",
    "impossible",
    "error",
    "unknown",
];

/// `check c1, c2 [in W] [with V] [for …] [assuming e] [unfair] [expect …]`.
pub(super) fn check(p: &mut Parser) {
    p.bump();
    p.with_mode(Mode::CLAUSE, |p| {
        question(p);
        loop {
            if p.reported() {
                skip_to_clause(p);
            }
            if at_clause(p) {
                p.begin();
                clause(p);
            } else if p.ended() {
                break;
            } else {
                unknown_clause(p);
            }
        }
    });
}

/// Skips the part of a check that could not be parsed, up to the next clause. An `in` counts as a clause only at the
/// beginning of a line.
fn skip_to_clause(p: &mut Parser) {
    let error = p.open();
    while !p.at(EndOfFile) && !p.at_item() {
        let clause = at_clause(p) && (!p.at_word("in") || p.fresh_line());
        if clause || p.ended() {
            break;
        }
        p.bump();
    }
    p.close(error, Error);
    p.mark_reported();
    if p.at_item() {
        p.split();
    }
    if at_clause(p) {
        p.clear_reported();
    }
}

fn at_clause(p: &Parser) -> bool {
    p.at(Word) && CLAUSES.contains(&p.word())
}

/// The first word of a question. If the word is misspelt, reports it and returns the intended word.
fn beginning<'t>(p: &mut Parser<'t>) -> &'t str {
    let word = p.word();
    let known: &[&'static str] = match (p.nth(1), p.nth(2)) {
        (Word, _) if word == "possible" && !CLAUSES.contains(&p.nth_word(1)) && p.same_line(1) => {
            let diagnostic = p
                .problem(codes::UNEXPECTED, "`possible` needs `:` and a condition")
                .at("write `possible:`")
                .fix(p.span(), "possible:")
                .note("`check possible: e` asks for a state in which e is true; a claim is asked by its name alone");
            p.report(diagnostic);
            return word;
        }
        (Colon, _) => &["possible"],
        (Word, Colon) => &["least", "greatest"],
        _ => return word,
    };
    let Some(meant) = closest(word, known).filter(|meant| p.at(Word) && *meant != word) else {
        return word;
    };
    let message = format!("`{word}` does not begin a question");
    let diagnostic = p.problem(codes::UNKNOWN_WORD, message);
    let text = format!("did you mean `{meant}`?");
    let diagnostic = diagnostic.at(text).fix(p.span(), meant);
    p.report(diagnostic);
    meant
}

fn question(p: &mut Parser) {
    let question = p.open();
    let kind = match beginning(p) {
        "possible" if p.nth(1) == Colon => {
            p.bump();
            p.bump();
            expression(p);
            Possible
        }
        "least" | "greatest" if p.nth(1) == Word && !CLAUSES.contains(&p.nth_word(1)) => {
            p.bump();
            names::name(p, "the name of what is sought");
            if p.eat(Colon) {
                claims(p);
            } else {
                p.expected("`:` and the claims");
            }
            Least
        }
        _ => {
            claims(p);
            Claims
        }
    };
    p.close(question, kind);
}

/// `c1, c2(4)`.
fn claims(p: &mut Parser) {
    if p.fresh_line() || at_clause(p) || !p.at(Word) {
        p.expected("the name of a claim");
        return;
    }
    expression(p);
    while !p.reported() && p.eat(Comma) {
        if at_clause(p) {
            p.expected("the name of a claim");
            return;
        }
        expression(p);
    }
}

fn clause(p: &mut Parser) {
    let clause = p.open();
    let word = p.word();
    p.bump();
    let kind = match word {
        "in" => {
            names::name(p, "the name of a world");
            InClause
        }
        "with" => {
            names::name(p, "the name of a variant");
            while p.eat(Comma) {
                names::name(p, "the name of a variant");
            }
            WithClause
        }
        "for" => {
            loop {
                range(p);
                if p.reported() || !p.eat(Comma) {
                    break;
                }
            }
            ForClause
        }
        "assuming" => {
            expression(p);
            AssumingClause
        }
        "unfair" => UnfairClause,
        _ => {
            loop {
                answer(p);
                if p.reported() || !p.eat(Comma) {
                    break;
                }
            }
            ExpectClause
        }
    };
    p.close(clause, kind);
}

/// `n in 2..6`, `f = 1`, `ids = […]`, `every p`, `line(4)`.
fn range(p: &mut Parser) {
    if !names::at_name(p) {
        p.expected("the name of a parameter");
        return;
    }
    if p.at_word("every") && p.nth(1) == Word && p.nth_word(1) != "in" {
        let range = p.open();
        p.bump();
        names::name(p, "the name of a parameter, or `graph`");
        p.close(range, ForEvery);
        return;
    }
    let parameter = matches!(p.nth(1), Eq | EqEq) || p.nth_is(1, "in");
    if !parameter {
        network::topology(p);
        return;
    }
    let range = p.open();
    names::name(p, "the name of a parameter");
    let kind = if p.eat_word("in") {
        p.join();
        expression(p);
        ForIn
    } else {
        super::statement::equals(p);
        if p.at(LBracket) {
            operand::list(p);
            ForList
        } else {
            expression(p);
            if p.at(Comma) && p.nth(1) == Number {
                let diagnostic = p
                    .problem(codes::UNEXPECTED, "`=` gives a parameter one value")
                    .note("several values are a set: `n in { 1, 2 }`, `n in 1..4`");
                p.report(diagnostic);
            }
            ForIs
        }
    };
    p.close(range, kind);
}

/// `holds`, `fails for every bound`, `14`, `below 47/3 ms`.
fn answer(p: &mut Parser) {
    let answer = p.open();
    let bounded = p.eat_word("below") || p.eat_word("above");
    if matches!(p.kind(), Number | Minus) && !p.fresh_line() {
        value(p);
    } else if bounded || !p.at(Word) || p.fresh_line() {
        p.expected(if bounded {
            "a number"
        } else {
            "an answer such as `holds` or `fails`"
        });
    } else if p.eat_word("fails") {
        if p.at_word("for") && p.nth_is(1, "every") && p.nth_is(2, "bound") {
            p.bump();
            p.bump();
            p.bump();
        }
    } else if ANSWERS.contains(&p.word()) {
        p.bump();
    } else {
        unknown_answer(p);
    }
    p.close(answer, Answer);
}

/// A number: an optional sign, an optional fraction and an optional unit.
fn value(p: &mut Parser) {
    let number = p.open();
    p.eat(Minus);
    if !p.eat(Number) {
        p.expected("a number");
    }
    if p.at(Slash) {
        p.bump();
        if !p.eat(Number) {
            p.expected("a number");
        }
    }
    if p.at(Word) && p.same_line(0) && operand::UNITS.contains(&p.word()) {
        p.bump();
    }
    p.close(number, NumberExpr);
}

fn unknown_answer(p: &mut Parser) {
    let word = p.word();
    let meant = match word {
        "true" | "yes" | "ok" | "pass" | "passes" | "hold" | "success" => Some("holds"),
        "false" | "no" | "fail" | "failure" | "violated" => Some("fails"),
        _ => closest(word, ANSWERS),
    };
    let message = format!("`{word}` is not an answer");
    let mut diagnostic = p.problem(codes::UNKNOWN_ANSWER, message).note(
        "answers are `holds`, `fails`, a number or a time, `above` or `below` a time, `fails for every bound`, `possible`, `impossible`, `error` and `unknown`",
    );
    if let Some(meant) = meant {
        diagnostic = diagnostic
            .at(format!("did you mean `{meant}`?"))
            .fix(p.span(), meant);
    }
    p.report(diagnostic);
    p.bump();
    p.mark_reported();
}

fn unknown_clause(p: &mut Parser) {
    if p.refuse_token() {
        return;
    }
    let word = p.word();
    let message = format!("`{word}` does not begin a clause of a check");
    let mut diagnostic = p
        .problem(codes::UNKNOWN_WORD, message)
        .note("clauses are `in W`, `with V`, `for …`, `assuming e`, `unfair`, `expect …`");
    if word == "." {
        diagnostic = diagnostic.note(
            "`in` begins a clause here: a condition with an `in` of its own stands in parentheses, `(k in S)`",
        );
    }
    let meant = match word {
        "where" | "when" | "if" => Some("assuming"),
        "expects" | "expected" => Some("expect"),
        _ => closest(word, CLAUSES),
    };
    if p.at(Word)
        && let Some(meant) = meant
    {
        diagnostic = diagnostic
            .at(format!("did you mean `{meant}`?"))
            .fix(p.span(), meant);
    }
    p.report(diagnostic);
}
