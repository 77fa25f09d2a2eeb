//! Calls: built-in functions, and functions of the file.

use crate::resolve::context::foreign;
use crate::resolve::context::globals::Global;
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::Scope;
use crate::resolve::context::suggest::suggest;
use crate::{BinaryOp, Expr, ExprKind, Type};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, Name};

impl Resolver<'_> {
    /// The expression for a call of a built-in function (`floor(a / b)`, `min(a, b)`, `size(S)`, `in_flight(M, a,
    /// b)`, …) or of a function of the file.
    pub(crate) fn call(
        &mut self,
        name: &Name,
        arguments: &[ast::Expr],
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        match (name.text.as_str(), arguments) {
            (word @ ("floor" | "ceil"), [one]) => self.rounded(word, one, span, scope),
            (word @ ("min" | "max"), [a, b]) => {
                let a = self.infer(a, scope, None);
                let b = self.infer(b, scope, None);
                let (a, b) = (self.one_value(a), self.one_value(b));
                let op = if word == "min" {
                    BinaryOp::Min
                } else {
                    BinaryOp::Max
                };
                if a.ty == Type::Id && b.ty == Type::Id {
                    return Expr::binary(op, a, b, Type::Id, span);
                }
                self.arithmetic(op, a, b, span)
            }
            ("size", [set]) => {
                let set = self.set_operand(set, scope, "`size`");
                Expr {
                    kind: ExprKind::Size(Box::new(set)),
                    ty: Type::Int,
                    span,
                }
            }
            ("in_flight", [message, a, b]) => {
                if self.claims_only("in_flight", span, scope) {
                    return Expr::error(span);
                }
                let message = self.message_argument(message);
                let what = "`in_flight(M, a, b)` counts messages from node a to node b";
                let a = self.node_operand(a, scope, what);
                let b = self.node_operand(b, scope, what);
                match message {
                    Some(message) => Expr {
                        kind: ExprKind::InFlight(message, Box::new(a), Box::new(b)),
                        ty: Type::Int,
                        span,
                    },
                    None => Expr::error(span),
                }
            }
            ("inbox", arguments) => self.inbox_of(arguments, span, scope),
            ("senders", arguments) => self.senders(arguments, span, scope),
            ("distance", [a, b]) => {
                if self.claims_only("distance", span, scope) {
                    return Expr::error(span);
                }
                self.require_network(span, "`distance`");
                let what = "`distance(a, b)` is the length of a shortest way from node a to node b";
                let a = self.node_operand(a, scope, what);
                let b = self.node_operand(b, scope, what);
                Expr {
                    kind: ExprKind::Distance(Box::new(a), Box::new(b)),
                    ty: Type::Int,
                    span,
                }
            }
            ("floor" | "ceil" | "min" | "max" | "size" | "in_flight" | "distance", _) => {
                let text = match name.text.as_str() {
                    "min" | "max" => format!("`{}` takes two values", name.text),
                    "in_flight" => "`in_flight` takes a message type and two nodes".into(),
                    "distance" => "`distance` takes two nodes".into(),
                    _ => format!("`{}` takes one value", name.text),
                };
                self.error(codes::WRONG_ARGUMENTS, span, text);
                Expr::error(span)
            }
            _ => {
                if let Some(Global::Fn(id)) = self.globals.get(&name.text).copied() {
                    return self.call_function(id, name, arguments, span, scope);
                }
                if !self.is_refused(&name.text) {
                    let text = format!("there is no function `{}`", name.text);
                    let diagnostic = Diagnostic::error(codes::UNKNOWN_FUNCTION, name.span, text);
                    let words = [
                        "floor",
                        "ceil",
                        "min",
                        "max",
                        "size",
                        "in_flight",
                        "distance",
                    ];
                    let fns = self.model.fns.iter().map(|f| f.name.clone());
                    let fns: Vec<String> = fns.collect();
                    let known = words.into_iter().chain(fns.iter().map(String::as_str));
                    let diagnostic = match (foreign::call(&name.text), self.as_written(name)) {
                        _ if self.is_action(&name.text) => diagnostic.note(format!(
                            "`{0}` is an action, which gives no value: it stands alone, `{0}(…)`",
                            name.text
                        )),
                        (Some(note), _) => diagnostic.note(note),
                        (None, Some(written)) => diagnostic.note(format!(
                            "a message or struct is written with the names of its fields: `{written}`"
                        )),
                        (None, None) => suggest(diagnostic, name, known),
                    };
                    self.report(diagnostic);
                }
                Expr::error(span)
            }
        }
    }

    /// An operand that must be a set; `of` is the operator or construct, for messages.
    pub(crate) fn set_operand(&mut self, e: &ast::Expr, scope: &mut Scope, of: &str) -> Expr {
        let typed = self.infer(e, scope, None);
        match typed.ty {
            Type::Set(_) | Type::Error => typed,
            _ => {
                let text = format!(
                    "{of} wants a set; `{}` is {}",
                    self.text(typed.span),
                    self.model.words(&typed.ty)
                );
                self.error(codes::NOT_A_SET, typed.span, text);
                Expr::error(typed.span)
            }
        }
    }

    fn is_refused(&self, name: &str) -> bool {
        matches!(self.globals.get(name), Some(Global::Refused))
    }

    fn rounded(&mut self, word: &str, e: &ast::Expr, span: Span, scope: &mut Scope) -> Expr {
        let mut inner = e;
        while let ast::ExprKind::Paren(next) = &inner.kind {
            inner = next;
        }
        let ast::ExprKind::Binary(ast::BinaryOp::Div, a, b) = &inner.kind else {
            self.infer(e, scope, None);
            self.report(
                Diagnostic::error(
                    codes::BARE_DIVISION,
                    e.span,
                    format!("`{word}` rounds one division, and there is none here"),
                )
                .note(format!("write `{word}(a / b)`")),
            );
            return Expr::error(span);
        };
        let a = self.infer(a, scope, None);
        let b = self.infer(b, scope, None);
        let (a, b) = match (&a.ty, &b.ty) {
            (Type::Duration, Type::Duration) => (a, b),
            (Type::Int, Type::Duration) => (
                self.coerce(a, &Type::Duration, "what is divided by a time is"),
                b,
            ),
            (Type::Duration, Type::Int) => {
                let text = format!("`{word}` gives a whole number, and a part of a time is a time");
                self.report(
                    Diagnostic::error(codes::BARE_DIVISION, e.span, text).note(format!(
                        "divide by a time, `{word}(a / 5 ms)`, or leave out `{word}`"
                    )),
                );
                return Expr::error(span);
            }
            _ => (self.coerce_number(a, "`/`"), self.coerce_number(b, "`/`")),
        };
        let op = if word == "floor" {
            BinaryOp::FloorDiv
        } else {
            BinaryOp::CeilDiv
        };
        Expr::binary(op, a, b, Type::Int, span)
    }
}
