//! Nodes and variants: constants, variables, timers, and blocks with their heads.

use super::expression::expression;
use super::statement::{self, STATEMENTS, equals_expression};
use super::{every, names, types};
use crate::lexical::kind::SyntaxKind::*;
use crate::parser::{Mode, Parser, closest, is_reserved};
use source::{Diagnostic, codes};

/// Words that begin a part of a node.
const PARTS: &[&str] = &[
    "var",
    "persistent",
    "ghost",
    "timer",
    "start",
    "on",
    "every",
    "when",
    "action",
    "ignore",
    "without",
];

/// `node K[n] { … }`.
pub(super) fn node(p: &mut Parser) {
    p.bump();
    names::name(p, "the name of a kind of node");
    if p.at(LBracket) && !p.fresh_line() {
        let number = p.open();
        let opened = p.position();
        p.bump();
        p.with_mode(Mode::INSIDE, |p| {
            expression(p);
            p.close_bracket(opened, RBracket);
        });
        p.close(number, NodeNumber);
    }
    body(p);
}

/// `variant V of K { … }`.
pub(super) fn variant(p: &mut Parser) {
    p.bump();
    names::name(p, "the name of a variant");
    if p.eat_word("of") {
        names::name(p, "the name of the node that is changed");
    } else {
        p.expected("`of` and the name of the node that is changed");
        p.skip_to_brace();
    }
    body(p);
}

fn body(p: &mut Parser) {
    let body = p.open();
    let Some(opened) = p.open_brace("the parts of the node") else {
        return;
    };
    p.with_mode(Mode::default(), |p| {
        while !p.at(EndOfFile) && !p.at(RBrace) {
            if p.eat(Semicolon) {
                continue;
            }
            if p.at_item() && p.outside_of(opened) {
                break;
            }
            one(p);
        }
        p.close_brace(opened);
    });
    p.close(body, NodeBody);
}

/// Parses parts of a node that are outside of any node, up to the next item.
pub(super) fn orphans(p: &mut Parser) {
    while !p.at(EndOfFile) && !p.at_item() {
        if !p.eat(RBrace) && !p.eat(Semicolon) {
            one(p);
        }
    }
}

fn one(p: &mut Parser) {
    let before = p.begin();
    part(p);
    p.end_of_statement();
    if p.position() == before {
        p.bump_error();
    }
}

fn part(p: &mut Parser) {
    if p.at(Word) && p.nth(1) == Colon && !is_reserved(p.word()) {
        let constant = p.open();
        let name = p.word();
        let place = p.span();
        names::name(p, "the name of a constant");
        p.bump();
        types::ty(p);
        if p.at(Eq) && !p.reported() {
            let message = format!("`{name}` has a value to begin with, but no `var` before it");
            let diagnostic = Diagnostic::error(codes::INCOMPLETE, place, message)
                .at("write `var`")
                .note(format!("without `var` it is a constant, which has no value here: checks give it one, `for {name} = [ … ]`"))
                .fix(place, format!("var {name}"));
            p.report(diagnostic);
            p.bump();
            expression(p);
            p.close(constant, Var);
            return;
        }
        p.close(constant, Constant);
        return;
    }
    match p.word() {
        "var" => var(p),
        "persistent" | "ghost" if p.nth(1) == Word => var(p),
        "timer" => timer(p),
        "start" | "on" | "every" | "when" => block(p),
        "action" => action(p),
        "ignore" => ignore(p),
        "without" => without(p),
        _ => unknown_part(p),
    }
}

/// `[persistent | ghost] var x: T = e`.
fn var(p: &mut Parser) {
    let var = p.open();
    while p.at_word("persistent") || p.at_word("ghost") {
        p.bump();
    }
    if !p.eat_word("var") {
        p.expected("`var`");
    }
    let position = p.position();
    if names::name(p, "the name of a variable") {
        let name = p.text_since(position);
        if p.at(Eq) {
            let message = format!("variable `{name}` has no type: expected `:`, found `=`");
            let diagnostic = p
                .problem(codes::INCOMPLETE, message)
                .note(format!("write `var {name}: T = …`, where T says which values it can have, such as `0..9` or `Bool`"));
            p.report(diagnostic);
            p.bump();
            expression(p);
        } else if p.eat(Colon) {
            types::ty(p);
            beginning(p, &name);
        } else {
            p.expected("`:` and a type");
        }
    }
    p.close(var, Var);
}

/// `= e` after the type of variable `name`; reports a missing initial value.
fn beginning(p: &mut Parser, name: &str) {
    if p.reported() {
        return;
    }
    if p.at(Eq) || !p.ended() {
        equals_expression(p);
        return;
    }
    let message = format!(
        "variable `{name}` has no value to begin with: expected `=`, found {}",
        p.found()
    );
    let diagnostic = p
        .problem(codes::INCOMPLETE, message)
        .note("give it a value, or `= any` if the claims must be true whatever it begins with");
    p.report(diagnostic);
}

/// `timer t`, `timer t[Node]`.
fn timer(p: &mut Parser) {
    let timer = p.open();
    p.bump();
    names::name(p, "the name of a timer");
    if p.at(LBracket) && !p.fresh_line() {
        let opened = p.position();
        p.bump();
        p.with_mode(Mode::INSIDE, |p| {
            types::ty(p);
            p.close_bracket(opened, RBracket);
        });
    }
    p.close(timer, Timer);
}

fn block(p: &mut Parser) {
    let block = p.open();
    let head = p.open();
    let kind = match p.word() {
        "start" => {
            p.bump();
            StartHead
        }
        "every" => {
            p.bump();
            every::every(p, Mode::HEAD);
            EveryHead
        }
        "when" => {
            p.bump();
            when(p);
            WhenHead
        }
        _ => {
            p.bump();
            on(p);
            OnHead
        }
    };
    p.close(head, kind);
    if p.reported() && !statement::begins(p) {
        p.skip_to_brace();
    }
    statement::body(p, "the statements of the block");
    p.close(block, Block);
}

/// `NAME: g` after `when`.
fn when(p: &mut Parser) {
    if p.at(Word) && p.nth(1) == Colon {
        names::name(p, "a name for the block");
        p.bump();
        guard_expression(p);
    } else {
        let diagnostic = p
            .problem(codes::INCOMPLETE, "a `when` block needs a name")
            .note("write `when NAME: condition { … }`; stories and variants call it by this name");
        p.report(diagnostic);
        p.skip_to_brace();
    }
}

fn guard_expression(p: &mut Parser) {
    let guard = p.open();
    p.with_mode(Mode::HEAD, expression);
    p.close(guard, Guard);
}

/// What follows `on`: `M as m from s when g`, or `t[j]`.
fn on(p: &mut Parser) {
    names::name(p, "the name of a message or timer");
    if p.at(LBracket) && !p.fresh_line() {
        let index = p.open();
        let opened = p.position();
        p.bump();
        p.with_mode(Mode::INSIDE, |p| {
            names::name(p, "a name for the index");
            p.close_bracket(opened, RBracket);
        });
        p.close(index, TimerIndex);
    }
    while !p.at(LBrace) && !p.ended() {
        match p.word() {
            "as" => {
                let binding = p.open();
                p.bump();
                names::name(p, "a name for the message");
                p.close(binding, Binding);
            }
            "from" => {
                let from = p.open();
                p.bump();
                names::name(p, "a name for the sender");
                p.close(from, From);
            }
            "when" => {
                p.bump();
                guard_expression(p);
            }
            _ => {
                p.expected("`as`, `from`, `when` or `{`");
                // A statement begins here, so only the brace is missing.
                if statement::begins(p) {
                    return;
                }
                p.skip_to_brace();
            }
        }
        if p.reported() {
            p.skip_to_brace();
        }
    }
}

/// `action f(a: T) { … }`.
fn action(p: &mut Parser) {
    let action = p.open();
    p.bump();
    names::name(p, "the name of an action");
    if p.at(LParen) {
        names::parameters(p);
    } else {
        p.expected("`(` and the parameters");
        p.skip_to_brace();
    }
    statement::body(p, "the statements of the action");
    p.close(action, Action);
}

/// `ignore M`.
fn ignore(p: &mut Parser) {
    let ignore = p.open();
    p.bump();
    names::name(p, "the name of a message");
    while p.eat(Comma) {
        names::name(p, "the name of a message");
    }
    p.close(ignore, Ignore);
}

/// `without on M`, `without start`, `without every`, `without when NAME`, `without action f`.
fn without(p: &mut Parser) {
    let without = p.open();
    p.bump();
    let head = p.open();
    let (kind, named) = match p.word() {
        "start" => (StartHead, false),
        "every" => (EveryHead, false),
        "on" => (OnHead, true),
        "when" => (WhenHead, true),
        "action" => (ActionHead, true),
        _ => {
            p.expected("`start`, `every`, `on`, `when` or `action`");
            p.close(head, Error);
            p.close(without, Without);
            return;
        }
    };
    p.bump();
    if named {
        names::name(p, "the name of what is left out");
    }
    p.close(head, kind);
    p.close(without, Without);
}

fn unknown_part(p: &mut Parser) {
    if p.refuse_token() {
        p.skip_statement();
        return;
    }
    let word = p.word();
    let message = match word {
        "let" => "`let` cannot stand beside the blocks of a node".to_owned(),
        _ => format!("`{word}` does not begin a part of a node"),
    };
    let mut diagnostic = p.problem(codes::MISPLACED, message);
    if p.at(Word)
        && let Some(meant) = closest(word, PARTS)
    {
        diagnostic = diagnostic
            .at(format!("did you mean `{meant}`?"))
            .fix(p.span(), meant);
    }
    diagnostic = match word {
        "let" => diagnostic.note("write it at the top level, or inside a block; what the node remembers is a `var`"),
        // A declaration as in other languages: `bool x = false`.
        _ if p.nth(1) == Word && p.nth(2) == Eq && p.same_line(1) => diagnostic.note(format!("a variable is declared `var {}: T = …`, where T says which values it can have, such as `0..9` or `Bool`", p.nth_word(1))),
        _ if p.nth(1) == Eq || STATEMENTS.contains(&word) => diagnostic.note("statements stand inside a block such as `start { … }` or `on M { … }`"),
        _ => diagnostic.note("a node has constants `c: T`, `var`, `timer`, `start`, `on`, `every`, `when`, `action`, `ignore`"),
    };
    // A statement among the parts of a node shows that a brace before it is wrong. Only the first such statement is
    // reported.
    let statement = STATEMENTS.contains(&word) && word != "let";
    let follows = p.nth(1) == Eq || statement || word == "else";
    if follows && std::mem::replace(&mut p.braces.doubtful, true) {
        p.mark_reported();
    }
    p.report(diagnostic);
    p.skip_statement();
}
