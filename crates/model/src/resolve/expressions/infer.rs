//! Type inference: one rule for each form of expression.

use crate::resolve::context::globals::Global;
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Binding, Place, Scope};
use crate::resolve::expressions::matching::as_message;
use crate::{BinaryOp, Expr, ExprKind, MessageId, Type, Unit};
use rational::Rational;
use source::{Diagnostic, Span, codes};
use syntax::ast;

impl Resolver<'_> {
    /// Infers the type of an expression. `hint` is the expected type, if there is one. It determines the type of
    /// `none` and `{ }` and improves messages. The result may have another type; the caller reports that.
    pub(crate) fn infer(&mut self, e: &ast::Expr, scope: &mut Scope, hint: Option<&Type>) -> Expr {
        cancellation::poll();
        let span = e.span;
        let make = |kind, ty| Expr { kind, ty, span };
        match &e.kind {
            ast::ExprKind::Error => Expr::error(span),
            ast::ExprKind::Paren(inner) => Expr {
                span,
                ..self.infer(inner, scope, hint)
            },
            ast::ExprKind::Number {
                numerator,
                denominator,
                unit,
            } => self.number(Rational::new(*numerator, *denominator), *unit, hint, span),
            ast::ExprKind::Bool(b) => make(ExprKind::Bool(*b), Type::Bool),
            ast::ExprKind::None => {
                let inner = match hint {
                    Some(Type::Option(inner)) => inner.clone(),
                    _ => Box::new(Type::Unknown),
                };
                make(ExprKind::None, Type::Option(inner))
            }
            ast::ExprKind::SelfNode => self.self_node(span, scope),
            ast::ExprKind::Any(_) => {
                self.report(
                    Diagnostic::error(
                        codes::MISPLACED_ANY,
                        span,
                        "`any` is what a variable begins with, not a value",
                    )
                    .note("in a block, write `choose x in S` and use `x`"),
                );
                Expr::error(span)
            }
            ast::ExprKind::Name(name) => self.name(name, scope),
            ast::ExprKind::Field(base, field) => self.field(base, field, span, scope),
            ast::ExprKind::Index(base, index) => self.element(base, index, span, scope),
            ast::ExprKind::Call(name, arguments) => self.call(name, arguments, span, scope),
            ast::ExprKind::MethodCall(base, name, arguments) => {
                self.method(base, name, arguments, span, scope)
            }
            ast::ExprKind::Unary(ast::UnaryOp::Neg, inner) => {
                let inner = self.infer(inner, scope, None);
                let inner = match inner.ty {
                    Type::Duration => inner,
                    _ => self.coerce_number(inner, "`-`"),
                };
                let ty = inner.ty.clone();
                make(ExprKind::Neg(Box::new(inner)), ty)
            }
            ast::ExprKind::Unary(ast::UnaryOp::Not, inner) => {
                let inner = self.condition(inner, scope, "`not`").0;
                make(ExprKind::Not(Box::new(inner)), Type::Bool)
            }
            ast::ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span, scope),
            ast::ExprKind::Range(a, b) => {
                let a = self.number_operand(a, scope, "a range");
                let b = self.number_operand(b, scope, "a range");
                let ty = match a.ty.is_error() || b.ty.is_error() {
                    true => Type::Error,
                    false => Type::Set(Box::new(Type::Int)),
                };
                make(ExprKind::Range(Box::new(a), Box::new(b)), ty)
            }
            ast::ExprKind::PlusMinus { .. } => {
                self.report(
                    Diagnostic::error(
                        codes::MISPLACED_INTERVAL,
                        span,
                        "`±` makes an interval, and here one value is wanted",
                    )
                    .note("intervals stand behind `every`, `timing t:`, `jitter`, `first`, `within` and `set t in`"),
                );
                Expr::error(span)
            }
            ast::ExprKind::If(c, a, b) => self.if_then_else(c, a, b, span, scope, hint),
            ast::ExprKind::Match(subject, arms) => {
                self.match_expression(subject, arms, span, scope, hint)
            }
            ast::ExprKind::Set(parts) => self.set_literal(parts, span, scope, hint),
            ast::ExprKind::Filter {
                var,
                domain,
                condition,
            } => self.filter(var, domain, condition, span, scope),
            ast::ExprKind::Struct(name, fields) => self.structure(name, fields, span, scope),
            ast::ExprKind::Quantifier {
                kind,
                vars,
                domain,
                body,
            } => self.quantifier(*kind, vars, domain, body, span, scope),
            ast::ExprKind::Extremum {
                largest,
                var,
                domain,
                by,
            } => self.extremum(*largest, var, domain, by, span, scope),
            ast::ExprKind::Is(..) => self.is(e, scope).0,
            ast::ExprKind::Temporal(..) | ast::ExprKind::Until(..) | ast::ExprKind::LeadsTo(..) => {
                self.misplaced_temporal(e, scope);
                Expr::error(span)
            }
        }
    }

    /// Infers the type of an expression and converts the expression to type `wanted`. `holder` is the beginning of
    /// the message about a mismatch, such as "`leader` is" or "the field `winner` is".
    pub(crate) fn check(
        &mut self,
        e: &ast::Expr,
        scope: &mut Scope,
        wanted: &Type,
        holder: &str,
    ) -> Expr {
        let subject = holder.strip_suffix(" is").unwrap_or(holder);
        if let Some(error) = self.wrong_enum_value(e, scope, wanted, subject) {
            return error;
        }
        let typed = self.infer(e, scope, Some(wanted));
        self.coerce(typed, wanted, holder)
    }

    /// A condition of type `Bool`, and the names that it binds by `x is r`. `of` is the construct that contains it,
    /// for messages.
    pub(crate) fn condition(
        &mut self,
        e: &ast::Expr,
        scope: &mut Scope,
        of: &str,
    ) -> (Expr, Vec<Binding>) {
        match &e.kind {
            ast::ExprKind::Paren(inner) => {
                let (typed, bindings) = self.condition(inner, scope, of);
                (
                    Expr {
                        span: e.span,
                        ..typed
                    },
                    bindings,
                )
            }
            ast::ExprKind::Is(..) => self.is(e, scope),
            ast::ExprKind::Binary(ast::BinaryOp::And, a, b) => {
                let (a, mut bindings) = self.condition(a, scope, "`and`");
                let depth = scope.enter();
                scope.substitute(&bindings);
                let (b, more) = self.condition(b, scope, "`and`");
                scope.leave(depth);
                bindings.extend(more);
                let kind = ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(b));
                let typed = Expr {
                    kind,
                    ty: Type::Bool,
                    span: e.span,
                };
                (typed, bindings)
            }
            _ => {
                let typed = self.infer(e, scope, Some(&Type::Bool));
                (self.coerce_condition(typed, of), Vec::new())
            }
        }
    }

    /// Reports an expression such as `Member[1]`, which selects a node by its number.
    pub(crate) fn picked_by_number(&mut self, span: Span) {
        let text = format!(
            "a node cannot be picked by its number: `{}`",
            self.text(span)
        );
        self.report(
            Diagnostic::error(codes::NOT_A_NODE, span, text)
                .note("code knows `next`, `neighbours`, and who sent a message (`on M from s`)")
                .note(
                    "for one node that is special, declare a kind of its own: `node Leader { … }`",
                ),
        );
    }

    /// An operand that must be a number; `of` is the operator, for messages.
    pub(crate) fn number_operand(&mut self, e: &ast::Expr, scope: &mut Scope, of: &str) -> Expr {
        let typed = self.infer(e, scope, Some(&Type::Int));
        self.coerce_number(typed, of)
    }

    /// An expression that must be a constant number.
    pub(crate) fn constant_number(&mut self, e: &ast::Expr) -> Expr {
        let mut scope = Scope::new(Place::Constant);
        let typed = self.infer(e, &mut scope, Some(&Type::Int));
        let typed = self.coerce_number(typed, "this place");
        self.require_constant(typed)
    }

    fn number(
        &mut self,
        number: Rational,
        unit: Option<Unit>,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        if unit.is_some() || !number.is_integer() && hint != Some(&Type::Int) {
            return self.time(number, unit, span);
        }
        if !number.is_integer() {
            self.report(
                Diagnostic::error(codes::BARE_DIVISION, span, "numbers are whole here")
                    .note("fractions are for times only"),
            );
            return Expr::error(span);
        }
        match number.to_i64() {
            Some(value) if value.unsigned_abs() <= 1 << 62 => Expr {
                kind: ExprKind::Int(value),
                ty: Type::Int,
                span,
            },
            _ => {
                self.error(codes::NUMBER_TOO_LARGE, span, "this number is too large");
                Expr::error(span)
            }
        }
    }

    fn if_then_else(
        &mut self,
        c: &ast::Expr,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
        scope: &mut Scope,
        hint: Option<&Type>,
    ) -> Expr {
        let (c, bindings) = self.condition(c, scope, "`if`");
        let depth = scope.enter();
        scope.substitute(&bindings);
        let a = self.infer(a, scope, hint);
        scope.leave(depth);
        let b = self.infer(b, scope, hint);
        match self.common(a, b) {
            Ok((a, b)) => Expr {
                ty: a.ty.clone(),
                kind: ExprKind::If(Box::new(c), Box::new(a), Box::new(b)),
                span,
            },
            Err(pair) => {
                let (a, b) = *pair;
                let message = format!(
                    "both branches of an `if` have one type; `{}` is {} and `{}` is {}",
                    self.text(a.span),
                    self.model.words(&a.ty),
                    self.text(b.span),
                    self.model.words(&b.ty)
                );
                self.error(codes::TYPE_MISMATCH, span, message);
                Expr::error(span)
            }
        }
    }

    /// The condition `x is r`, and the binding of r to the value of x.
    fn is(&mut self, e: &ast::Expr, scope: &mut Scope) -> (Expr, Vec<Binding>) {
        let ast::ExprKind::Is(option, name) = &e.kind else {
            unreachable!("called for `is` only");
        };
        let span = e.span;
        if let Some(asked) = self.timer_is_set(option, name, span, scope) {
            return (asked, Vec::new());
        }
        let typed = self.infer(option, scope, None);
        if let Some(Global::Message(message)) = self.globals.get(&name.text).copied() {
            return self.is_message(option, typed, message, span);
        }
        let inner = match &typed.ty {
            Type::Option(inner) => (**inner).clone(),
            Type::Error => Type::Error,
            _ if name.text == "set" => {
                self.not_a_timer(option, "is set", scope);
                Type::Error
            }
            other => {
                let message = format!(
                    "`is` asks an option for its value; `{}` is {}",
                    self.text(typed.span),
                    self.model.words(other)
                );
                self.report(
                    Diagnostic::error(codes::TYPE_MISMATCH, typed.span, message)
                        .note("to compare values, write `==`"),
                );
                Type::Error
            }
        };
        let value = Expr {
            kind: if inner.is_error() {
                ExprKind::Error
            } else {
                ExprKind::Unwrap(Box::new(typed.clone()))
            },
            ty: inner,
            span: name.span,
        };
        let test = Expr {
            kind: ExprKind::IsSome(Box::new(typed)),
            ty: Type::Bool,
            span,
        };
        (test, vec![(name.clone(), value)])
    }

    /// The condition `m is M`. If m is a name, it is bound again: as a message of type M.
    fn is_message(
        &mut self,
        tree: &ast::Expr,
        typed: Expr,
        message: MessageId,
        span: Span,
    ) -> (Expr, Vec<Binding>) {
        let make = |kind| Expr {
            kind,
            ty: Type::Bool,
            span,
        };
        if self.message_case(message, &typed, span).is_none() {
            return (make(ExprKind::Error), Vec::new());
        }
        let bindings = match &tree.kind {
            ast::ExprKind::Name(name) if matches!(typed.ty, Type::Messages(_)) => {
                vec![(name.clone(), as_message(&typed, message, name.span))]
            }
            _ => Vec::new(),
        };
        let test = match typed.ty {
            Type::Messages(_) => ExprKind::IsMessage(Box::new(typed), message),
            Type::Option(_) => ExprKind::IsSome(Box::new(typed)),
            _ => ExprKind::Bool(true),
        };
        (make(test), bindings)
    }

    /// The text of a span, shortened for messages.
    pub(crate) fn text(&self, span: Span) -> String {
        let text: Vec<&str> = self.sources.slice(span).split_whitespace().collect();
        let text = text.join(" ");
        if text.chars().count() <= 40 {
            return text;
        }
        let head: String = text.chars().take(37).collect();
        format!("{head}…")
    }
}
