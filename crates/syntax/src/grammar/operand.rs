//! Operands: numbers, names, brackets, quantifiers, and the postfix forms `.`, `[` and `(`.

use super::expression::{self, at_level, expression, level};
use super::names;
use super::operator::level_of;
use crate::lexical::foreign;
use crate::lexical::kind::SyntaxKind::*;
use crate::parser::{Done, Mode, Parser, is_reserved};
use source::{Diagnostic, codes};

/// Units of time, after a number.
pub(super) const UNITS: &[&str] = &["ns", "us", "ms", "s", "min", "h"];

/// Parses an operand with its postfix forms. Reports an error and returns `None` if there is none.
pub(super) fn operand(p: &mut Parser) -> Option<Done> {
    // A line that begins an item or a part of a node ends the expression, which is therefore incomplete.
    if p.fresh_line() || p.at_item() || p.at_node_part() {
        p.split();
        missing(p);
        return None;
    }
    match p.kind() {
        Number => Some(number(p)),
        LParen => {
            let parenthesis = parenthesis(p);
            Some(postfix(p, parenthesis))
        }
        LBrace if p.mode.head && p.brace_begins_block() => {
            missing(p);
            None
        }
        LBrace => {
            let set = set(p);
            Some(postfix(p, set))
        }
        LBracket if p.nth(1) == RBracket && claims(p) => Some(always(p)),
        LBracket if p.nth(1) == RBracket => {
            let set = empty(p);
            Some(postfix(p, set))
        }
        LBracket => {
            let diagnostic = p.problem(
                codes::UNEXPECTED,
                "a list `[ … ]` can stand only behind `for c =` in a check",
            )
            .note("a set is written `{ 1, 2 }`; an array is filled by one value, and others are set place by place, for example in `start`");
            p.report(diagnostic);
            let list = list(p);
            p.mark_reported();
            Some(list)
        }
        Minus => {
            let unary = p.open();
            p.bump();
            at_level(p, level::UNARY);
            Some(p.close(unary, UnaryExpr))
        }
        PlusMinus => {
            let whole = p.open();
            p.bump();
            expression::deviation(p);
            Some(p.close(whole, PlusMinusExpr))
        }
        Word => word(p),
        Foreign => foreign_operand(p),
        _ => {
            missing(p);
            None
        }
    }
}

/// Whether the `[]` at the current token means `always`: an operand follows on the same line, and the operator before
/// it does not require a value.
fn claims(p: &Parser) -> bool {
    let wants_value = |operator: &str| level_of(operator).is_some_and(|l| l >= level::COMPARISON);
    let before = p.position().checked_sub(1).map(|at| p.text_since(at));
    let operand = match p.nth(2) {
        Number | LParen | LBracket => true,
        LBrace => !p.mode.head,
        Word => level_of(p.nth_word(2)).is_none() && !matches!(p.nth_word(2), "then" | "else"),
        Foreign => matches!(
            foreign::ours(p.nth_word(2)),
            Some("not" | "always" | "eventually" | "all" | "exists")
        ),
        _ => false,
    };
    operand && p.same_line(2) && !before.is_some_and(|before| wants_value(&before))
}

/// Parses `[]` as the empty set and reports it.
fn empty(p: &mut Parser) -> Done {
    let set = p.open();
    let sign = p.span().to(p.span_at(p.position() + 1));
    let diagnostic = Diagnostic::error(codes::FOREIGN_OPERATOR, sign, "the empty set is `{}`")
        .at("write `{}`")
        .fix(sign, "{}");
    p.report(diagnostic);
    p.bump();
    p.bump();
    p.close(set, SetExpr)
}

/// Parses `[] p` as `always p` and reports it.
fn always(p: &mut Parser) -> Done {
    let whole = p.open();
    let sign = p.span().to(p.span_at(p.position() + 1));
    let message = "`[]` is not an operator of this language: write `always`";
    let diagnostic = Diagnostic::error(codes::FOREIGN_OPERATOR, sign, message)
        .at("write `always`")
        .fix(sign, "always");
    p.report(diagnostic);
    p.bump();
    p.bump();
    expression(p);
    p.close(whole, TemporalExpr)
}

fn missing(p: &mut Parser) {
    p.expected("an expression");
    if matches!(p.kind(), Text | Unknown) && !p.fresh_line() {
        p.bump_error();
    }
}

/// `3`, `0.5 ms`.
fn number(p: &mut Parser) -> Done {
    let number = p.open();
    p.bump();
    if p.at(Word) && p.same_line(0) && UNITS.contains(&p.word()) {
        p.bump();
    } else if p.at(Word) && p.same_line(0) {
        wrong_unit(p);
    }
    p.close(number, NumberExpr)
}

/// Reports a wrong unit or number format after a number: `3 sec`, `1e5`, `1_000`.
fn wrong_unit(p: &mut Parser) {
    let word = p.word();
    let meant = match word {
        "sec" | "secs" | "second" | "seconds" => Some("s"),
        "msec" | "msecs" | "millis" | "milliseconds" => Some("ms"),
        "µs" | "μs" | "usec" | "microseconds" => Some("us"),
        "nsec" | "nanoseconds" => Some("ns"),
        "mins" | "minute" | "minutes" => Some("min"),
        "hour" | "hours" => Some("h"),
        _ => None,
    };
    let adjacent = p.span().start == p.span_behind().start;
    if meant.is_none() && (!adjacent || is_reserved(word)) {
        return;
    }
    let mut diagnostic = p
        .problem(codes::UNKNOWN_WORD, format!("`{word}` is not a unit of time"))
        .note("units are `ns`, `us`, `ms`, `s`, `min`, `h`; numbers are written in digits, such as `1000` or `0.5`");
    if let Some(meant) = meant {
        diagnostic = diagnostic
            .at(format!("write `{meant}`"))
            .fix(p.span(), meant);
    }
    p.report(diagnostic);
    p.bump();
    p.mark_reported();
}

fn parenthesis(p: &mut Parser) -> Done {
    let parenthesis = p.open();
    let opened = p.position();
    p.bump();
    p.with_mode(Mode::INSIDE, |p| {
        expression(p);
        p.close_bracket(opened, RParen);
    });
    p.close(parenthesis, ParenExpr)
}

/// `{ }`, `{ a, b }`, `{ x in S: φ }`.
fn set(p: &mut Parser) -> Done {
    let set = p.open();
    let opened = p.position();
    p.bump();
    let mut kind = SetExpr;
    p.with_mode(Mode::INSIDE, |p| {
        while !p.at(RBrace) && !p.at(EndOfFile) {
            let began = p.position();
            if p.at(Word) && !is_reserved(p.word()) && p.nth_is(1, "in") {
                let Some(element) = at_level(p, level::COMPARISON) else {
                    break;
                };
                if p.at(Colon) && began == opened + 1 {
                    p.become_kind(element, Binding);
                    kind = FilterExpr;
                    p.bump();
                    expression(p);
                    break;
                }
                expression::operators(p, element, began, level::WEAKEST);
            } else {
                expression(p);
            }
            if !p.eat(Comma) {
                break;
            }
        }
        p.close_bracket(opened, RBrace);
    });
    p.close(set, kind)
}

/// `[ a, b ]`: allowed after `for` only, but parsed everywhere.
pub(super) fn list(p: &mut Parser) -> Done {
    let list = p.open();
    names::listed(p, LBracket, RBracket, |p| {
        expression(p);
    });
    p.close(list, ListExpr)
}

fn word(p: &mut Parser) -> Option<Done> {
    let whole = p.open();
    let kind = match p.word() {
        "not" => {
            p.bump();
            at_level(p, level::NOT);
            UnaryExpr
        }
        "always" | "eventually" => {
            p.bump();
            expression(p);
            TemporalExpr
        }
        "if" => {
            if_then_else(p);
            IfExpr
        }
        "match" => {
            p.bump();
            p.with_mode(Mode::HEAD, expression);
            super::statement::arms(p, |p| {
                expression(p);
            });
            MatchExpr
        }
        "true" | "false" | "none" | "self" => {
            p.bump();
            let word = p.close(whole, WordExpr);
            return Some(postfix(p, word));
        }
        "any" => {
            p.bump();
            if p.at_word("in") && !p.fresh_line() && !p.mode.without_in {
                p.bump();
                p.join();
                at_level(p, level::SETS);
            }
            AnyExpr
        }
        "largest" | "smallest" if binds(p) => {
            p.bump();
            binder(p);
            if p.eat_word("by") {
                expression(p);
            } else {
                p.expected("`by` and what is compared");
            }
            ExtremumExpr
        }
        "all" | "exists" | "the" | "max" | "min" | "count" | "sum" | "union" | "intersect"
            if binds(p) =>
        {
            p.bump();
            binder(p);
            if p.eat(Colon) {
                expression(p);
            } else {
                p.expected("`:` and what is said of them");
            }
            QuantifierExpr
        }
        word if foreign::quantifier(word).is_some() && binds(p) => {
            let ours = foreign::quantifier(word).unwrap_or("all");
            let message = format!("`{word}` is not a word of this language: write `{ours}`");
            let diagnostic = p
                .problem(codes::FOREIGN_OPERATOR, message)
                .at(format!("write `{ours}`"))
                .fix(p.span(), ours);
            p.report(diagnostic);
            p.bump();
            binder(p);
            if p.eat(Colon) {
                expression(p);
            } else {
                p.mark_reported();
            }
            QuantifierExpr
        }
        quantifier @ ("all" | "exists") if p.nth(1) != LParen => {
            let message = format!("`{quantifier}` is written `{quantifier} x in S: …`");
            p.bump();
            let diagnostic = p.problem(codes::UNEXPECTED, message);
            p.report(diagnostic);
            p.close_error(whole);
            return None;
        }
        reserved if is_reserved(reserved) && (p.nth(1) != LParen || is_infix(reserved)) => {
            p.expected("an expression");
            return None;
        }
        _ => return Some(name_or_struct(p)),
    };
    Some(p.close(whole, kind))
}

/// Whether a word is a binary operator and not also a function or quantifier.
fn is_infix(word: &str) -> bool {
    level_of(word).is_some() && !matches!(word, "union" | "intersect" | "minus")
}

/// Whether a name and then `in` or `,` follow the current word.
fn binds(p: &Parser) -> bool {
    p.nth(1) == Word
        && (p.same_line(1) || p.mode.free)
        && !is_reserved(p.nth_word(1))
        && (p.nth(2) == Comma
            || p.nth_is(2, "in")
            || p.nth(2) == Foreign && foreign::ours(p.nth_word(2)) == Some("in"))
}

/// `i, j in S`.
fn binder(p: &mut Parser) {
    names::name(p, "a name");
    while p.eat(Comma) {
        names::name(p, "a name");
    }
    if p.at(Foreign) {
        let diagnostic = p.foreign_problem();
        p.report(diagnostic);
        p.bump();
        p.join();
    } else if p.eat_word("in") {
        p.join();
    } else {
        p.expected("`in` and a set");
        return;
    }
    // The domain ends before a further `in`, because `in` has lower precedence than set operators.
    at_level(p, level::SETS);
}

fn if_then_else(p: &mut Parser) {
    p.bump();
    expression(p);
    if !p.at_word("then") {
        p.expected("`then` and a value");
        return;
    }
    p.bump();
    p.join();
    expression(p);
    if !p.at_word("else") {
        p.expected("`else` and another value");
        return;
    }
    p.bump();
    p.join();
    expression(p);
}

fn name_or_struct(p: &mut Parser) -> Done {
    let whole = p.open();
    if begins_struct(p) {
        let name = p.open();
        p.bump();
        p.close(name, Name);
        names::listed(p, LBrace, RBrace, field_value);
        let done = p.close(whole, StructExpr);
        return postfix(p, done);
    }
    p.bump();
    let name = p.close(whole, NameExpr);
    postfix(p, name)
}

/// Whether `Name {` begins a struct. In the head of a block it does not. If no field can follow the brace, the brace
/// opens a block, and an earlier bracket is not closed.
fn begins_struct(p: &Parser) -> bool {
    let brace = p.nth(1) == LBrace && (p.same_line(1) || p.mode.free) && !p.mode.head;
    let fields = match (p.nth(2), p.nth(3)) {
        (RBrace | EndOfFile, _) | (Word | Colon, Colon) | (Colon, _) => true,
        (Word, Eq) => p.same_line(2),
        (Word, _) => p.same_line(2) && p.nth(3) != LParen,
        _ => false,
    };
    brace && fields
}

/// `field: e`.
fn field_value(p: &mut Parser) {
    let field = p.open();
    if names::name(p, "the name of a field") {
        if p.at(Eq) {
            let diagnostic = p
                .problem(
                    codes::UNEXPECTED,
                    "the value of a field stands behind `:`, not `=`",
                )
                .fix(p.span(), ":");
            p.report(diagnostic);
            p.bump();
            expression(p);
        } else if p.eat(Colon) {
            expression(p);
        } else {
            p.expected("`:` and a value");
        }
    }
    p.close(field, FieldInit);
}

/// `.name`, `[i]`, `(a, b)` after an operand.
fn postfix(p: &mut Parser, mut left: Done) -> Done {
    loop {
        match p.kind() {
            Dot => {
                let whole = p.wrap(left);
                p.bump();
                if p.at(Word) && !p.fresh_line() {
                    let name = p.open();
                    p.bump();
                    p.close(name, Name);
                } else {
                    p.expected("the name of a field");
                }
                left = p.close(whole, FieldExpr);
            }
            LBracket if !p.fresh_line() => {
                let whole = p.wrap(left);
                let opened = p.position();
                p.bump();
                p.with_mode(Mode::INSIDE, |p| {
                    expression(p);
                    p.close_bracket(opened, RBracket);
                });
                left = p.close(whole, IndexExpr);
            }
            LParen if !p.fresh_line() && matches!(left.kind, NameExpr | FieldExpr) => {
                let method = left.kind == FieldExpr;
                let whole = p.wrap(left);
                let arguments = p.open();
                names::listed(p, LParen, RParen, |p| match p.nth(1) {
                    Colon if p.at(Word) => named_argument(p),
                    _ => {
                        expression(p);
                    }
                });
                p.close(arguments, Arguments);
                left = p.close(whole, if method { MethodCallExpr } else { CallExpr });
            }
            _ => return left,
        }
    }
}

/// `x: e` among the arguments in parentheses, which is reported.
fn named_argument(p: &mut Parser) {
    let message = format!("arguments have no names, found `{}:`", p.word());
    let diagnostic = p.problem(codes::UNEXPECTED, message).note(
        "fields stand in braces: `M { x: 1 }`; arguments in parentheses are in order: `f(1)`",
    );
    p.report(diagnostic);
    p.bump();
    p.bump();
    expression(p);
}

/// Parses an operand that begins with a foreign operator (`!p`, `∀ k …`) like its equivalent, and reports the
/// operator.
fn foreign_operand(p: &mut Parser) -> Option<Done> {
    let ours = foreign::ours(p.word());
    let diagnostic = p.foreign_problem();
    p.report(diagnostic);
    let whole = p.open();
    p.bump();
    let kind = match ours {
        Some("not") => {
            at_level(p, level::NOT);
            UnaryExpr
        }
        Some("-") => {
            at_level(p, level::UNARY);
            UnaryExpr
        }
        Some("always" | "eventually") => {
            expression(p);
            TemporalExpr
        }
        Some("all" | "exists") if p.at(Word) => {
            binder(p);
            if p.eat(Colon) {
                expression(p);
            } else {
                p.mark_reported();
            }
            QuantifierExpr
        }
        _ => Error,
    };
    Some(p.close(whole, kind))
}
