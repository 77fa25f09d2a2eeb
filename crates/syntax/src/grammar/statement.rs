//! Statements of node code.

use super::expression::{at_level, expression, level};
use super::names;
use super::no_statement::{
    bang, call_of_a_node, misplaced, step, three_parts, unknown_statement, update,
};
use crate::lexical::foreign;
use crate::lexical::kind::SyntaxKind;
use crate::lexical::kind::SyntaxKind::*;
use crate::parser::{Mode, Parser, is_reserved};
use source::{Diagnostic, codes};

/// Words that begin a statement.
pub(super) const STATEMENTS: &[&str] = &[
    "if",
    "match",
    "for",
    "let",
    "choose",
    "send",
    "broadcast",
    "clear",
    "assert",
    "halt",
    "set",
    "cancel",
];

/// Whether the current token probably begins a statement.
pub(super) fn begins(p: &Parser) -> bool {
    let name = !is_reserved(p.word()) && p.nth(1) == Eq;
    p.at(Word) && (name || STATEMENTS.contains(&p.word()))
}

/// `{ … }` with statements; reports an error if there is none. `what` describes the statements in the error message.
pub(super) fn body(p: &mut Parser, what: &str) {
    block(p, what, false);
}

/// Like [`body`]. If `branch` is true, the block belongs to an `if` or `else`; then an `else` in it that is not
/// indented more than the block's head shows that the closing brace is missing.
fn block(p: &mut Parser, what: &str, branch: bool) {
    p.nested(|p| {
        let body = p.open();
        let opened = p.open_brace(what)?;
        p.with_mode(Mode::default(), |p| {
            while !p.at(EndOfFile) && !p.at(RBrace) {
                if p.eat(Semicolon) {
                    continue;
                }
                let dangling_else = branch && p.at_word("else") && p.outside_of(opened);
                if p.leaves_block(opened) || dangling_else {
                    break;
                }
                let before = p.begin();
                statement(p);
                p.end_of_statement();
                if p.position() == before {
                    p.bump_error();
                }
            }
            p.close_brace(opened);
        });
        p.close(body, Body);
        Some(())
    });
}

/// A parser of one kind of statement.
type Parse = fn(&mut Parser);

/// One statement.
fn statement(p: &mut Parser) {
    // A keyword followed by `=`, `.` or `[` is a name.
    let name = matches!(p.nth(1), Eq | Dot | LBracket) && !is_reserved(p.word());
    if p.at(Word) && !name {
        let keyword = p.word();
        if p.at_item() && !STATEMENTS.contains(&keyword) || p.at_node_part() {
            misplaced(p);
            return;
        }
        let parse: Option<(Parse, SyntaxKind)> = match keyword {
            "if" => Some((if_statement, IfStmt)),
            "match" => Some((match_statement, MatchStmt)),
            "for" => Some((for_statement, ForStmt)),
            "let" => Some((let_statement, LetStmt)),
            "choose" if p.nth(1) == Word => Some((choose, ChooseStmt)),
            "send" if p.nth(1) != LParen => Some((send, SendStmt)),
            "broadcast" if p.nth(1) != LParen => Some((broadcast, BroadcastStmt)),
            "clear" if p.nth(1) != LParen => Some((clear, ClearStmt)),
            "assert" => Some((keyword_and_expression, AssertStmt)),
            "halt" => Some((|p| p.bump(), HaltStmt)),
            "set" if p.nth(1) == Word => Some((set_timer, SetStmt)),
            "cancel" if p.nth(1) == Word => Some((keyword_and_expression, CancelStmt)),
            "else" => Some((stray_else, Error)),
            _ => None,
        };
        if let Some((parse, kind)) = parse {
            let statement = p.open();
            parse(p);
            p.close(statement, kind);
            return;
        }
        if unknown_statement(p) {
            return;
        }
    }
    assignment_or_call(p);
}

fn if_statement(p: &mut Parser) {
    p.bump();
    head(p);
    branch(p);
    if let "elif" | "elsif" | "elseif" = p.word() {
        let message = format!("there is no `{}`: write `else if`", p.word());
        let diagnostic =
            Diagnostic::error(codes::UNKNOWN_STATEMENT, p.span(), message).fix(p.span(), "else if");
        p.report(diagnostic);
        let otherwise = p.open();
        p.nested(|p| {
            let nested = p.open();
            if_statement(p);
            p.close(nested, IfStmt);
            Some(())
        });
        p.close(otherwise, ElseBranch);
    } else if p.at_word("else") {
        let otherwise = p.open();
        p.bump();
        if p.at_word("if") && !p.fresh_line() {
            p.nested(|p| {
                let nested = p.open();
                if_statement(p);
                p.close(nested, IfStmt);
                Some(())
            });
        } else {
            branch(p);
        }
        p.close(otherwise, ElseBranch);
    }
}

/// The condition of an `if`, the value of a `match` or the set of a `for`. After an error in it, parsing continues at
/// the block.
fn head(p: &mut Parser) {
    p.with_mode(Mode::HEAD, expression);
    if p.reported() {
        p.skip_to_brace();
    }
}

/// The block of an `if`, `else` or `for`; reports `:`, `then` and `do` of other languages.
fn branch(p: &mut Parser) {
    let foreign = p.at(Colon) || p.at_word("then") || p.at_word("do");
    if foreign && !p.fresh_line() {
        let message = format!(
            "the statements stand in `{{ … }}`, not behind `{}`",
            p.word()
        );
        let diagnostic = p.problem(codes::NO_BRACES, message).note(
            "a value is chosen by `if c then a else b`, statements by `if c { … } else { … }`",
        );
        p.report(diagnostic);
        p.bump();
        p.mark_reported();
        if p.at(LBrace) {
            body(p, "statements");
        }
        return;
    }
    if !p.at(LBrace) && !p.reported() {
        let message = format!("expected `{{` and the statements, found {}", p.found());
        let diagnostic = p.problem(codes::NO_BRACES, message).note(
            "statements stand in braces, also a single one: `if c { … }`, `for x in S { … }`",
        );
        p.report(diagnostic);
        p.skip_to_brace();
    }
    block(p, "statements", true);
}

fn stray_else(p: &mut Parser) {
    if p.braces.doubtful {
        p.mark_reported();
    }
    let reported = p.reported();
    let diagnostic = p.problem(
        codes::MISPLACED,
        "this `else` has no `if`: it stands directly behind the `}` of one",
    );
    p.report(diagnostic);
    p.bump();
    if p.at_word("if") {
        p.bump();
        p.skip_to_brace();
    }
    if p.eat(Colon) {
        p.mark_reported();
    }
    if p.at(LBrace) {
        body(p, "statements");
    } else if reported {
        p.mark_reported();
    }
}

fn match_statement(p: &mut Parser) {
    p.bump();
    head(p);
    arms(p, |p| {
        if p.at(LBrace) {
            body(p, "statements");
        } else {
            let one = p.open();
            statement(p);
            p.close(one, Body);
        }
    });
}

/// `{ pattern => result … }`.
pub(super) fn arms(p: &mut Parser, mut result: impl FnMut(&mut Parser)) {
    let Some(opened) = p.open_brace("what is matched") else {
        return;
    };
    p.with_mode(Mode::default(), |p| {
        while !p.at(EndOfFile) && !p.at(RBrace) {
            if p.eat(Comma) || p.eat(Semicolon) {
                continue;
            }
            if p.leaves_block(opened) {
                break;
            }
            let before = p.begin();
            let arm = p.open();
            pattern(p);
            p.nested(|p| {
                result(p);
                Some(())
            });
            p.close(arm, MatchArm);
            if !p.at(Comma) {
                p.end_of_statement();
            }
            if p.position() == before {
                p.bump_error();
            }
        }
        p.close_brace(opened);
    });
}

fn pattern(p: &mut Parser) {
    let pattern = p.open();
    if p.at_word("else") || p.at_word("_") {
        p.bump();
    } else {
        expression(p);
    }
    p.close(pattern, Pattern);
    if p.eat(Arrow) {
        return;
    }
    if p.at(Foreign) && p.word() == "->" {
        let diagnostic = p.foreign_problem();
        p.report(diagnostic);
        p.bump();
        p.join();
    } else {
        p.expected("`=>`");
    }
}

fn for_statement(p: &mut Parser) {
    p.bump();
    if p.at(LParen) {
        three_parts(p);
        branch(p);
        return;
    }
    names::name(p, "a name for the element");
    if p.eat_word("in") {
        p.join();
        head(p);
    } else {
        p.expected("`in` and a set");
        p.skip_to_brace();
    }
    branch(p);
}

/// `let x = e`.
pub(super) fn let_statement(p: &mut Parser) {
    p.bump();
    names::name(p, "a name for the value");
    if p.at(Colon) {
        let diagnostic = p
            .problem(
                codes::UNEXPECTED,
                "`let` takes no type: it follows from the value",
            )
            .note("write `let x = e`");
        p.report(diagnostic);
        p.bump();
        super::types::ty(p);
        p.mark_reported();
    }
    equals_expression(p);
}

/// `=`, or a reported foreign sign in its place; returns false if neither is there.
pub(super) fn equals(p: &mut Parser) -> bool {
    let other = p.at(EqEq) || p.at(Foreign) && p.word() == ":=";
    if other && !p.fresh_line() {
        let message = format!("a value is given with `=`, not `{}`", p.word());
        let diagnostic = p
            .problem(codes::ASSIGN_OR_COMPARE, message)
            .at("write `=`")
            .fix(p.span(), "=");
        p.report(diagnostic);
        p.bump();
        p.join();
    } else if !p.eat(Eq) {
        p.expected("`=` and a value");
        return false;
    }
    true
}

/// `= e`.
pub(super) fn equals_expression(p: &mut Parser) {
    if equals(p) {
        expression(p);
    }
}

fn choose(p: &mut Parser) {
    p.bump();
    names::name(p, "a name for the choice");
    if p.eat_word("in") {
        p.join();
        expression(p);
    } else {
        p.expected("`in` and a set");
    }
}

fn send(p: &mut Parser) {
    let began = p.position();
    p.bump();
    expression(p);
    if p.at_word("to") {
        p.bump();
        expression(p);
    } else if !p.reported() {
        let sent = p.text_since(began);
        let message = format!(
            "`send` needs a receiver: expected `to`, found {}",
            p.found()
        );
        let place = p.span_since(began);
        let mut diagnostic = Diagnostic::error(codes::NO_RECEIVER, place, message).note(
            "`send M to e` sends to a node or a set of nodes; `broadcast M` to all neighbours",
        );
        if !p.ended() {
            diagnostic = diagnostic.fix(p.span_behind(), " to");
        } else if !sent.contains('\n') {
            diagnostic = diagnostic.at("to whom?");
        }
        p.report(diagnostic);
    }
}

fn broadcast(p: &mut Parser) {
    p.bump();
    expression(p);
    if p.at_word("to") && !p.fresh_line() {
        let diagnostic = p.problem(
            codes::NO_RECEIVER,
            "`broadcast` goes to all neighbours and takes no `to`; `send … to …` chooses receivers",
        );
        p.report(diagnostic);
    }
}

fn clear(p: &mut Parser) {
    p.bump();
    if !p.eat_word("inbox") {
        p.expected("`inbox`");
    }
}

fn keyword_and_expression(p: &mut Parser) {
    p.bump();
    expression(p);
}

fn set_timer(p: &mut Parser) {
    p.bump();
    p.with_mode(Mode::CLAUSE, |p| at_level(p, level::PLACE));
    if p.eat_word("in") {
        p.join();
        expression(p);
    } else {
        p.expected("`in` and when the timer expires");
    }
}

fn assignment_or_call(p: &mut Parser) {
    let statement = p.open();
    let began = p.position();
    let Some(place) = at_level(p, level::PLACE) else {
        p.close(statement, Error);
        return;
    };
    let kind = match p.kind() {
        Eq => {
            p.bump();
            expression(p);
            AssignStmt
        }
        _ if place.kind == CallExpr && p.ended() => CallStmt,
        EqEq => {
            equals_expression(p);
            AssignStmt
        }
        Foreign if p.word() == ":=" => {
            equals_expression(p);
            AssignStmt
        }
        Foreign if foreign::updates_by(p.word()).is_some() => {
            update(p, began);
            AssignStmt
        }
        Foreign | Minus if matches!(p.word(), "++" | "-") && !p.fresh_line() => {
            step(p, began);
            Error
        }
        Foreign if p.word() == "!" && !p.fresh_line() => {
            bang(p, began);
            Error
        }
        _ if p.reported() || !p.at(Foreign) && p.refuse_token() => Error,
        _ if place.kind == MethodCallExpr => {
            call_of_a_node(p, began);
            Error
        }
        _ => {
            let what = p.text_since(began);
            let message = format!(
                "`{what}` is not a statement: expected `=`, found {}",
                p.found()
            );
            let diagnostic = p.problem(codes::UNKNOWN_STATEMENT, message);
            p.report(diagnostic);
            Error
        }
    };
    p.close(statement, kind);
}
