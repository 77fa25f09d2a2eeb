//! Items of a file.

use super::expression::expression;
use super::statement::{equals_expression, let_statement};
use super::{check, every, faults, names, network, node, types};
use crate::lexical::kind::SyntaxKind;
use crate::lexical::kind::SyntaxKind::*;
use crate::parser::{ITEMS, Mode, Parser, closest};
use source::{Diagnostic, codes};

/// A whole file.
pub(crate) fn file(p: &mut Parser) {
    while !p.at(EndOfFile) {
        if p.eat(Semicolon) {
            continue;
        }
        let before = p.begin();
        let problems = p.problems();
        item(p, None);
        p.end_of_statement();
        if p.problems() > problems || p.reported() {
            p.skip_continuation();
        }
        if p.position() == before {
            p.bump_error();
        }
    }
}

/// Parses one item. `world` is the position of the brace of the enclosing world, in which only some items are
/// allowed.
fn item(p: &mut Parser, world: Option<usize>) {
    if !p.at(Word) {
        not_an_item(p);
        return;
    }
    let word = p.word();
    let Some((parse, kind)) = parser_of(word) else {
        unknown_item(p);
        return;
    };
    if world.is_some() && !matches!(word, "timing" | "network" | "faults" | "initially") {
        let message = format!("`{word}` cannot stand in a world");
        let diagnostic = p
            .problem(codes::MISPLACED, message)
            .note("a world has other `timing`, `network`, `faults` or `initially` items; is a `}` missing?");
        p.report(diagnostic);
    }
    if world.is_none() {
        p.braces.doubtful = false;
        p.braces.early = None;
    }
    let item = p.open();
    parse(p);
    p.close(item, kind);
}

type Parse = fn(&mut Parser);

fn parser_of(word: &str) -> Option<(Parse, SyntaxKind)> {
    Some(match word {
        "param" => (param, Param),
        "let" => (let_statement, Let),
        "fn" => (function, Fn),
        "enum" => (enumeration, Enum),
        "struct" => (structure, Struct),
        "message" => (message, Message),
        "timing" => (timing, Timing),
        "node" => (node::node, Node),
        "network" => (network::network, Network),
        "faults" => (faults::faults, Faults),
        "initially" => (initially, Initially),
        "claim" => (claim, Claim),
        "world" => (world, World),
        "variant" => (node::variant, Variant),
        "check" => (check::check, Check),
        _ => return None,
    })
}

/// Reports a word that begins no item. Parses a misspelt item like the intended one, and parts of a node up to the
/// next item; skips other text.
fn unknown_item(p: &mut Parser) {
    let word = p.word();
    if p.at_node_part() || word == "on" || word == "every" && p.same_line(1) {
        let message = format!("`{word}` stands outside of a node");
        let mut diagnostic = p.problem(codes::MISPLACED, message).note(
            "it belongs between the braces of a `node`; is there one `}` too many before it?",
        );
        if let Some(brace) = p.last_brace() {
            diagnostic = diagnostic.other(brace, "this closes the last item");
        }
        if !p.braces.doubtful && !p.refuse_early_brace() {
            p.report(diagnostic);
        }
        let orphans = p.open();
        node::orphans(p);
        p.close(orphans, Error);
        p.mark_reported();
        return;
    }
    let note = elsewhere(word);
    if note.is_none()
        && let Some(meant) = closest(word, ITEMS)
        && p.nth(1) == Word
        && let Some((parse, kind)) = parser_of(meant)
    {
        let diagnostic = p
            .problem(
                codes::UNKNOWN_ITEM,
                format!("`{word}` does not begin an item: did you mean `{meant}`?"),
            )
            .at(format!("did you mean `{meant}`?"))
            .fix(p.span(), meant);
        p.report(diagnostic);
        let item = p.open();
        parse(p);
        p.close(item, kind);
        return;
    }
    let message = format!("`{word}` does not begin an item");
    let mut diagnostic = p
        .problem(codes::UNKNOWN_ITEM, message)
        .note(format!("items begin with one of: {}", ITEMS.join(", ")));
    if let Some(note) = note {
        diagnostic = diagnostic.note(note);
    }
    p.report(diagnostic);
    p.skip_to_margin();
}

/// For a keyword of another language, a note with the corresponding keyword of this language.
fn elsewhere(word: &str) -> Option<&'static str> {
    Some(match word {
        "const" | "constant" => {
            "A constant that checks may set is `param x = 3`, any other `let x = 3`."
        }
        "type" => "Types of one's own are `enum` and `struct`.",
        "process" | "proctype" | "module" => "A kind of node is `node Name[n] { … }`.",
        "assert" | "property" | "ltl" | "invariant" => "What should be true is `claim name: …`.",
        _ => return None,
    })
}

fn not_an_item(p: &mut Parser) {
    if p.at(RBrace) {
        let diagnostic = p.problem(codes::STRAY_BRACKET, "this `}` closes nothing");
        if !p.braces.doubtful && !p.refuse_early_brace() {
            p.report(diagnostic);
        }
        p.bump_error();
        return;
    }
    if !p.refuse_token() {
        let message = format!("expected an item, found {}", p.found_here());
        let diagnostic = Diagnostic::error(codes::UNKNOWN_ITEM, p.span(), message)
            .note(format!("items begin with one of: {}", ITEMS.join(", ")));
        p.report(diagnostic);
    }
    p.skip_to_margin();
}

/// `param x: T = v`.
fn param(p: &mut Parser) {
    p.bump();
    names::name(p, "the name of a parameter");
    if p.eat(Colon) {
        types::ty(p);
    }
    if p.reported() {
        return;
    }
    if p.ended() {
        let message = format!(
            "a parameter needs a value: expected `=`, found {}",
            p.found()
        );
        let diagnostic = p
            .problem(codes::INCOMPLETE, message)
            .note("write `param n: 1..9 = 3`; `for n = …` in a check gives it another value");
        p.report(diagnostic);
        return;
    }
    equals_expression(p);
}

/// `fn f(a: T): U = e`.
fn function(p: &mut Parser) {
    p.bump();
    names::name(p, "the name of a function");
    if p.at(LParen) {
        names::parameters(p);
    } else {
        p.expected("`(` and the parameters");
    }
    if p.at(Foreign) && p.word() == "->" {
        let diagnostic = p
            .problem(
                codes::FOREIGN_OPERATOR,
                "the type of the result stands behind `:`, not `->`",
            )
            .fix(p.span(), ":");
        p.report(diagnostic);
        p.bump();
        types::ty(p);
    } else if p.eat(Colon) {
        types::ty(p);
    }
    if p.at(LBrace) {
        let diagnostic = p.problem(
            codes::UNEXPECTED,
            "a function has no block: write `= e` with its value",
        );
        p.report(diagnostic);
        return;
    }
    equals_expression(p);
}

/// `enum E { A, B }`.
fn enumeration(p: &mut Parser) {
    p.bump();
    names::name(p, "the name of an enum");
    if p.at(LBrace) {
        let fields = p.open();
        names::listed(p, LBrace, RBrace, |p| {
            names::name(p, "a value of the enum");
        });
        p.close(fields, Fields);
    } else {
        p.expected("`{` and the values of the enum");
    }
}

/// `struct S { … }`.
fn structure(p: &mut Parser) {
    p.bump();
    names::name(p, "the name of a struct");
    if p.at(LBrace) {
        fields(p);
    } else {
        p.expected("`{` and the fields of the struct");
    }
}

/// `message M { … }`, `message M`.
fn message(p: &mut Parser) {
    p.bump();
    names::name(p, "the name of a message");
    if p.at(LBrace) {
        fields(p);
    }
}

fn fields(p: &mut Parser) {
    let fields = p.open();
    names::listed(p, LBrace, RBrace, |p| {
        let field = p.open();
        if names::name(p, "the name of a field") {
            if p.eat(Colon) {
                types::ty(p);
            } else {
                p.expected("`:` and a type");
            }
        }
        p.close(field, Field);
    });
    p.close(fields, Fields);
}

/// `timing t: …`.
fn timing(p: &mut Parser) {
    p.bump();
    names::name(p, "the name of a timing");
    if p.eat(Colon) {
        every::every(p, Mode::default());
    } else {
        p.expected("`:` and how often a node wakes up");
    }
}

fn initially(p: &mut Parser) {
    p.bump();
    expression(p);
}

/// `claim c(x: T): φ`.
fn claim(p: &mut Parser) {
    p.bump();
    names::name(p, "the name of a claim");
    if p.at(LParen) && !p.fresh_line() {
        names::parameters(p);
    }
    if p.at(Eq) {
        let diagnostic = p
            .problem(
                codes::UNEXPECTED,
                "what a claim says stands behind `:`, not `=`",
            )
            .fix(p.span(), ":");
        p.report(diagnostic);
        p.bump();
    } else if !p.eat(Colon) {
        let behind = p.span_behind();
        let message = format!(
            "expected `:` behind the name of the claim, found {}",
            p.found()
        );
        let diagnostic = p.problem(codes::UNEXPECTED, message).fix(behind, ":");
        p.report(diagnostic);
        if p.ended() {
            return;
        }
    }
    expression(p);
}

/// `world W { … }`.
fn world(p: &mut Parser) {
    p.bump();
    names::name(p, "the name of a world");
    let body = p.open();
    let Some(opened) = p.open_brace("what differs in this world") else {
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
            let before = p.begin();
            item(p, Some(opened));
            p.end_of_statement();
            if p.position() == before {
                p.bump_error();
            }
        }
        p.close_brace(opened);
    });
    p.close(body, WorldBody);
}
