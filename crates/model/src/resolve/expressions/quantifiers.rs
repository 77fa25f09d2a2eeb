//! Sets, and quantifiers over them.

use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::Scope;
use crate::resolve::types::coerce::with_known_types;
use crate::{Expr, ExprKind, LocalId, Quantifier, Type};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, Name};

impl Resolver<'_> {
    /// The set `{ a, b }`.
    pub(crate) fn set_literal(
        &mut self,
        parts: &[ast::Expr],
        span: Span,
        scope: &mut Scope,
        hint: Option<&Type>,
    ) -> Expr {
        let hint = match hint {
            Some(Type::Set(element)) => Some(&**element),
            _ => None,
        };
        let mut typed: Vec<Expr> = Vec::new();
        for part in parts {
            let element = self.infer(part, scope, hint);
            let element = match element.ty {
                // The name of a kind with one node stands for that node.
                Type::Set(_) => self.one_value(element),
                _ => element,
            };
            match typed.pop() {
                None => typed.push(element),
                Some(last) => match self.common(last, element) {
                    Ok((last, element)) => typed.extend([last, element]),
                    Err(pair) => {
                        let (last, element) = *pair;
                        let text = format!(
                            "the elements of a set have one type; `{}` is {} and `{}` is {}",
                            self.text(last.span),
                            self.model.words(&last.ty),
                            self.text(element.span),
                            self.model.words(&element.ty)
                        );
                        self.error(codes::TYPE_MISMATCH, element.span, text);
                        return Expr::error(span);
                    }
                },
            }
        }
        let mut ty = hint.cloned().unwrap_or(Type::Unknown);
        for element in &typed {
            ty = ty.join(&element.ty).unwrap_or_else(|| element.ty.clone());
        }
        // So far only neighbouring elements have a common type. If a later element is an option, the earlier ones
        // become options, too.
        let typed = typed
            .into_iter()
            .map(|element| self.coerce(element, &ty, "an element of this set is"))
            .collect();
        Expr {
            kind: ExprKind::Set(typed),
            ty: Type::Set(Box::new(ty)),
            span,
        }
    }

    /// The set `{ x in S: φ }`.
    pub(crate) fn filter(
        &mut self,
        var: &Name,
        domain: &ast::Expr,
        condition: &ast::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        let (domain, local, depth) = self.range_over(var, domain, scope, "a set in braces");
        let condition = self.condition(condition, scope, "the condition of a set").0;
        scope.leave(depth);
        Expr {
            ty: domain.ty.clone(),
            kind: ExprKind::Filter {
                var: local,
                domain: Box::new(domain),
                condition: Box::new(condition),
            },
            span,
        }
    }

    /// `all i, j in S: e` and other quantifiers, as nested quantifiers with one name each.
    pub(crate) fn quantifier(
        &mut self,
        kind: ast::QuantifierKind,
        vars: &[Name],
        domain: &ast::Expr,
        body: &ast::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        let (kind, word) = quantifier_word(kind);
        if kind == Quantifier::The && vars.len() > 1 {
            self.error(
                codes::WRONG_ARGUMENTS,
                span,
                "`the` looks for one element: it binds one name",
            );
            return Expr::error(span);
        }
        let depth = scope.enter();
        let mut domains = Vec::new();
        for var in vars {
            let (domain, local, _) = self.range_over(var, domain, scope, word);
            domains.push((domain, local));
        }
        let body = match kind {
            Quantifier::All | Quantifier::Exists | Quantifier::The | Quantifier::Count => {
                self.condition(body, scope, word).0
            }
            Quantifier::Sum => self.number_operand(body, scope, word),
            Quantifier::Union | Quantifier::Intersect => self.set_operand(body, scope, word),
            Quantifier::Max | Quantifier::Min => {
                let typed = self.infer(body, scope, None);
                let typed = self.one_value(typed);
                match typed.ty {
                    Type::Id | Type::Counter => typed,
                    _ => self.coerce_number(typed, word),
                }
            }
        };
        scope.leave(depth);
        let mut result = body;
        for (index, (domain, local)) in domains.into_iter().rev().enumerate() {
            // The number of pairs is the sum, over the first elements, of the number of second elements.
            let kind = match kind {
                Quantifier::Count if index > 0 => Quantifier::Sum,
                other => other,
            };
            let ty = match (kind, &domain.ty) {
                (Quantifier::All | Quantifier::Exists, _) => Type::Bool,
                (Quantifier::Count | Quantifier::Sum, _) => Type::Int,
                (
                    Quantifier::Max | Quantifier::Min | Quantifier::Union | Quantifier::Intersect,
                    _,
                ) => result.ty.clone(),
                (Quantifier::The, Type::Set(element)) => (**element).clone(),
                (Quantifier::The, _) => Type::Error,
            };
            result = Expr {
                kind: ExprKind::Quantifier {
                    kind,
                    var: local,
                    domain: Box::new(domain),
                    body: Box::new(result),
                },
                ty,
                span,
            };
        }
        result
    }

    /// The element `largest k in S by e` or `smallest k in S by e`.
    pub(crate) fn extremum(
        &mut self,
        largest: bool,
        var: &Name,
        domain: &ast::Expr,
        by: &ast::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        let word = if largest { "`largest`" } else { "`smallest`" };
        let (domain, local, depth) = self.range_over(var, domain, scope, word);
        let by = self.infer(by, scope, None);
        let by = self.one_value(by);
        let by = match by.ty {
            Type::Id | Type::Counter => by,
            _ => self.coerce_number(by, &format!("{word} … by")),
        };
        scope.leave(depth);
        let ty = match &domain.ty {
            Type::Set(element) => (**element).clone(),
            _ => Type::Error,
        };
        Expr {
            kind: ExprKind::Extremum {
                largest,
                var: local,
                domain: Box::new(domain),
                by: Box::new(by),
            },
            ty,
            span,
        }
    }

    /// Resolves a set and binds a name that ranges over it. Also returns the depth for [`Scope::leave`].
    pub(crate) fn range_over(
        &mut self,
        var: &Name,
        domain: &ast::Expr,
        scope: &mut Scope,
        of: &str,
    ) -> (Expr, LocalId, usize) {
        let domain = self.set_operand(domain, scope, of);
        let element = match &domain.ty {
            Type::Set(element) if element.is_unclear() => {
                self.report(
                    Diagnostic::error(codes::UNCLEAR_TYPE, domain.span, "this set is always empty")
                        .note("nothing says what its elements would be"),
                );
                Type::Error
            }
            Type::Set(element) => (**element).clone(),
            _ => Type::Error,
        };
        let domain = with_known_types(domain, &Type::Set(Box::new(element.clone())));
        let depth = scope.enter();
        let local = self.local(var, element);
        scope.bind(&var.text, local);
        (domain, local, depth)
    }
}

fn quantifier_word(kind: ast::QuantifierKind) -> (Quantifier, &'static str) {
    match kind {
        ast::QuantifierKind::All => (Quantifier::All, "`all`"),
        ast::QuantifierKind::Exists => (Quantifier::Exists, "`exists`"),
        ast::QuantifierKind::The => (Quantifier::The, "`the`"),
        ast::QuantifierKind::Max => (Quantifier::Max, "`max`"),
        ast::QuantifierKind::Min => (Quantifier::Min, "`min`"),
        ast::QuantifierKind::Count => (Quantifier::Count, "`count`"),
        ast::QuantifierKind::Sum => (Quantifier::Sum, "`sum`"),
        ast::QuantifierKind::Union => (Quantifier::Union, "`union`"),
        ast::QuantifierKind::Intersect => (Quantifier::Intersect, "`intersect`"),
    }
}
