//! Operators: arithmetic, comparisons, sets, logic.

use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::Scope;
use crate::resolve::types::coerce::with_known_types;
use crate::resolve::types::counters::is_counter;
use crate::resolve::types::data::SAME_INDEX;
use crate::{BinaryOp, Expr, Type};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self};

impl Resolver<'_> {
    /// The expression `a op b`.
    pub(crate) fn binary(
        &mut self,
        op: ast::BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        let Some(typed_op) = BinaryOp::from_ast(op) else {
            return self.division(a, b, span, scope);
        };
        match op {
            ast::BinaryOp::And | ast::BinaryOp::Or | ast::BinaryOp::Implies => {
                self.logic(typed_op, a, b, span, scope)
            }
            ast::BinaryOp::Eq | ast::BinaryOp::Ne => self.equality(typed_op, a, b, span, scope),
            ast::BinaryOp::Lt | ast::BinaryOp::Le | ast::BinaryOp::Gt | ast::BinaryOp::Ge => {
                self.order(typed_op, a, b, span, scope)
            }
            ast::BinaryOp::In => self.membership(a, b, span, scope),
            ast::BinaryOp::Union
            | ast::BinaryOp::Intersect
            | ast::BinaryOp::Minus
            | ast::BinaryOp::Subset => self.sets(typed_op, a, b, span, scope),
            ast::BinaryOp::Add
            | ast::BinaryOp::Sub
            | ast::BinaryOp::Mul
            | ast::BinaryOp::Div
            | ast::BinaryOp::Mod => {
                let a = self.infer(a, scope, None);
                let b = self.infer(b, scope, None);
                self.arithmetic(typed_op, a, b, span)
            }
        }
    }

    /// The result of `+`, `-`, `*`, `mod`, `min` or `max` for numbers, times or counters.
    pub(crate) fn arithmetic(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let of = match op {
            BinaryOp::Add => "`+`",
            BinaryOp::Sub => "`-`",
            BinaryOp::Mul => "`*`",
            BinaryOp::Min => "`min`",
            BinaryOp::Max => "`max`",
            _ => "`mod`",
        };
        if is_counter(&a.ty) || is_counter(&b.ty) {
            return self.counter_arithmetic(op, a, b, of, span);
        }
        let (first, second) = (a.ty == Type::Duration, b.ty == Type::Duration);
        match op {
            BinaryOp::Mul if first && second => {
                let text = format!(
                    "`{}` and `{}` are times: one of them must be a number",
                    self.text(a.span),
                    self.text(b.span)
                );
                self.error(codes::NOT_A_NUMBER, span, text);
                Expr::error(span)
            }
            BinaryOp::Mul if first || second => {
                let (a, b) = match first {
                    true => (a, self.coerce_number(b, of)),
                    false => (self.coerce_number(a, of), b),
                };
                Expr::binary(op, a, b, Type::Duration, span)
            }
            BinaryOp::Mod => {
                let (a, b) = (self.coerce_number(a, of), self.coerce_number(b, of));
                Expr::binary(op, a, b, Type::Int, span)
            }
            _ if first || second => {
                let holder = format!("what {of} puts beside a time is");
                let a = self.coerce(a, &Type::Duration, &holder);
                let b = self.coerce(b, &Type::Duration, &holder);
                Expr::binary(op, a, b, Type::Duration, span)
            }
            _ => {
                let (a, b) = (self.coerce_number(a, of), self.coerce_number(b, of));
                Expr::binary(op, a, b, Type::Int, span)
            }
        }
    }

    /// The expression `a / b` without rounding, which is allowed only for a time divided by a number.
    fn division(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span, scope: &mut Scope) -> Expr {
        let a = self.infer(a, scope, None);
        let b = self.infer(b, scope, None);
        let diagnostic = match (&a.ty, &b.ty) {
            (Type::Error, _) | (_, Type::Error) => return Expr::error(span),
            (Type::Duration, Type::Duration) => Diagnostic::error(
                codes::BARE_DIVISION,
                span,
                "`/` between times says nothing about the rest",
            )
            .note("how often one is in the other is `floor(a / b)` or `ceil(a / b)`"),
            (Type::Duration, _) => {
                let b = self.coerce_number(b, "`/`");
                return Expr::binary(BinaryOp::Div, a, b, Type::Duration, span);
            }
            (_, Type::Duration) => {
                let text = format!(
                    "`{}` is a time: nothing but a time is divided by it",
                    self.text(b.span)
                );
                Diagnostic::error(codes::NOT_A_NUMBER, span, text)
                    .note("for a fraction of a time write the time first: `47 ms / 3`")
            }
            _ => Diagnostic::error(
                codes::BARE_DIVISION,
                span,
                "`/` between numbers says nothing about the rest",
            )
            .note("write `floor(a / b)` or `ceil(a / b)`"),
        };
        self.report(diagnostic);
        Expr::error(span)
    }

    fn logic(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        let of = match op {
            BinaryOp::And => "`and`",
            BinaryOp::Or => "`or`",
            _ => "`implies`",
        };
        let (a, bindings) = self.condition(a, scope, of);
        let depth = scope.enter();
        // r is bound to the right of `x is r and` and of `x is r implies`.
        if op != BinaryOp::Or {
            scope.substitute(&bindings);
        }
        let b = self.condition(b, scope, of).0;
        scope.leave(depth);
        Expr::binary(op, a, b, Type::Bool, span)
    }

    fn equality(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        let (a, b) = self.compared(a, b, scope);
        match self.common(a, b) {
            Ok((a, b)) => {
                if a.ty.is_unclear() {
                    self.error(
                        codes::UNCLEAR_TYPE,
                        span,
                        "nothing says what is compared here: both sides are empty",
                    );
                    return Expr::error(span);
                }
                Expr::binary(op, a, b, Type::Bool, span)
            }
            Err(pair) => {
                self.not_comparable(&pair.0, &pair.1, span);
                Expr::error(span)
            }
        }
    }

    fn order(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        let (a, b) = self.compared(a, b, scope);
        let (a, b) = (self.one_value(a), self.one_value(b));
        let (a, b) = self.both_times(a, b);
        let (a, b) = self.both_counters(a, b);
        match (&a.ty, &b.ty) {
            (Type::Error, _) | (_, Type::Error) => Expr {
                ty: Type::Bool,
                ..Expr::error(span)
            },
            (Type::Int, Type::Int)
            | (Type::Id, Type::Id)
            | (Type::Counter, Type::Counter)
            | (Type::Duration, Type::Duration) => Expr::binary(op, a, b, Type::Bool, span),
            (x, y) if x == y => {
                let text = format!(
                    "`{}` is {}: only numbers, times, counters and ids have an order",
                    self.text(a.span),
                    self.model.words(x)
                );
                self.error(codes::NOT_COMPARABLE, span, text);
                Expr::error(span)
            }
            _ => {
                self.not_comparable(&a, &b, span);
                Expr::error(span)
            }
        }
    }

    /// The operands of a comparison. Each operand can determine the type of the other.
    fn compared(&mut self, a: &ast::Expr, b: &ast::Expr, scope: &mut Scope) -> (Expr, Expr) {
        let unknown_left =
            matches!(&a.kind, ast::ExprKind::Name(name) if !self.is_known(name, scope));
        if unknown_left {
            let right = self.infer(b, scope, None);
            let left = self.value_of(a, scope, &right);
            return (left, right);
        }
        let left = self.infer(a, scope, None);
        let right = self.value_of(b, scope, &left);
        (left, right)
    }

    /// One operand of a comparison; `other` is the other operand, whose type is the hint.
    fn value_of(&mut self, e: &ast::Expr, scope: &mut Scope, other: &Expr) -> Expr {
        let subject = format!("`{}`", self.text(other.span));
        match self.wrong_enum_value(e, scope, &other.ty, &subject) {
            Some(error) => error,
            None => self.infer(e, scope, Some(&other.ty)),
        }
    }

    fn not_comparable(&mut self, a: &Expr, b: &Expr, span: Span) {
        if let (Type::Counter, Type::Int) | (Type::Int, Type::Counter) =
            (a.ty.without_option(), b.ty.without_option())
        {
            return self.counter_meets_number(a, b, span);
        }
        let text = format!(
            "`{}` is {} and `{}` is {}: they cannot be compared",
            self.text(a.span),
            self.model.words(&a.ty),
            self.text(b.span),
            self.model.words(&b.ty)
        );
        let mut diagnostic = Diagnostic::error(codes::NOT_COMPARABLE, span, text);
        let pair = (a.ty.without_option(), b.ty.without_option());
        if matches!(pair, (Type::Id, Type::Int) | (Type::Int, Type::Id)) {
            diagnostic = diagnostic.note(
                "ids are no numbers: only their order is known; for numbers use a range such as `1..9`",
            );
        } else if matches!(pair, (Type::Id, Type::Node(_)) | (Type::Node(_), Type::Id)) {
            diagnostic = diagnostic.note("a node is not its id: write `k.id` for the id of k");
        } else if matches!(
            pair,
            (Type::Int, Type::Node(_)) | (Type::Node(_), Type::Int)
        ) {
            diagnostic = diagnostic
                .note("nodes are no numbers; for one node that is special, declare a kind of its own: `node Root { … }`")
                .note("or give every node a constant such as `root: Bool`, and say in the check whose is true: `for root = [true, false, …]`");
        } else if let (Type::Int, Type::Duration) | (Type::Duration, Type::Int) = pair {
            let number = if a.ty == Type::Duration { b } else { a };
            diagnostic =
                diagnostic.note(format!("a time has a unit: `{}`", self.with_unit(number)));
        } else if matches!(pair, (Type::Set(_), _) | (_, Type::Set(_))) {
            diagnostic = diagnostic.note("for an element of a set write `in`");
        } else if let (Type::Array(..), Type::Array(..)) = pair {
            diagnostic = diagnostic.note(SAME_INDEX);
        } else if let (Type::Array(..), _) | (_, Type::Array(..)) = pair {
            let array = if matches!(pair.0, Type::Array(..)) {
                a
            } else {
                b
            };
            let name = self.text(array.span);
            diagnostic = diagnostic.note(format!(
                "one place is `{name}[i]`; for all of them write `all i in …: {name}[i] == …`"
            ));
        }
        self.report(diagnostic);
    }

    fn membership(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span, scope: &mut Scope) -> Expr {
        let set = self.set_operand(b, scope, "`in`");
        let element = match &set.ty {
            Type::Set(element) => (**element).clone(),
            _ => Type::Error,
        };
        let holder = format!("an element of `{}` is", self.text(set.span));
        let value = self.check(a, scope, &element, &holder);
        let set = with_known_types(set, &Type::Set(Box::new(value.ty.clone())));
        Expr::binary(BinaryOp::In, value, set, Type::Bool, span)
    }

    fn sets(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        let of = match op {
            BinaryOp::Union => "`union`",
            BinaryOp::Intersect => "`intersect`",
            BinaryOp::Minus => "`minus`",
            _ => "`subset`",
        };
        let a = self.set_operand(a, scope, of);
        let b = self.set_operand(b, scope, of);
        let Some(ty) = a.ty.join(&b.ty) else {
            self.not_comparable(&a, &b, span);
            return Expr::error(span);
        };
        let (a, b) = (with_known_types(a, &ty), with_known_types(b, &ty));
        let result = if op == BinaryOp::Subset {
            Type::Bool
        } else {
            ty
        };
        Expr::binary(op, a, b, result, span)
    }
}
