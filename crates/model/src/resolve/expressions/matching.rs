//! `match`: patterns, and the check that the arms cover every value.

use crate::resolve::context::globals::Global;
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Place, Scope};
use crate::resolve::context::suggest::{listed, suggest};
use crate::{Arm, Case, Expr, ExprKind, Match, MessageId, Pattern, Type};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, Name};

impl Resolver<'_> {
    /// A `match` as an expression.
    pub(crate) fn match_expression(
        &mut self,
        subject: &ast::Expr,
        arms: &[ast::MatchArm<ast::Expr>],
        span: Span,
        scope: &mut Scope,
        hint: Option<&Type>,
    ) -> Expr {
        let cases = self.cases(subject, arms, span, scope, &mut |this, result, scope| {
            this.infer(result, scope, hint)
        });
        let Some(mut cases) = cases else {
            return Expr::error(span);
        };
        let mut ty: Option<Expr> = None;
        for arm in &cases.arms {
            let next = arm.result.clone();
            ty = Some(match ty {
                None => next,
                Some(before) => match self.common(before, next) {
                    Ok((_, next)) => next,
                    Err(pair) => {
                        let (a, b) = *pair;
                        let text = format!(
                            "the arms of a `match` have one type; `{}` is {} and `{}` is {}",
                            self.text(a.span),
                            self.model.words(&a.ty),
                            self.text(b.span),
                            self.model.words(&b.ty)
                        );
                        self.error(codes::TYPE_MISMATCH, b.span, text);
                        return Expr::error(span);
                    }
                },
            });
        }
        let ty = ty.map_or(Type::Error, |e| e.ty);
        for arm in &mut cases.arms {
            let result = std::mem::replace(&mut arm.result, Expr::error(arm.span));
            arm.result = self.coerce(result, &ty, "this arm is");
        }
        Expr {
            kind: ExprKind::Match(Box::new(cases)),
            ty,
            span,
        }
    }

    /// The subject of a `match`, its patterns, and the results of its arms, which `result` resolves. `None` after a
    /// reported error.
    pub(crate) fn cases<T, R>(
        &mut self,
        subject: &ast::Expr,
        arms: &[ast::MatchArm<T>],
        span: Span,
        scope: &mut Scope,
        result: &mut dyn FnMut(&mut Self, &T, &mut Scope) -> R,
    ) -> Option<Match<R>> {
        let typed = self.infer(subject, scope, None);
        let typed = match typed.kind {
            ExprKind::KindNodes(_) => self.one_value(typed),
            _ => typed,
        };
        if typed.ty.has_duration() {
            let text = format!(
                "`{}` is a time: times are compared, not listed",
                self.text(typed.span)
            );
            self.report(
                Diagnostic::error(codes::TYPE_MISMATCH, typed.span, text)
                    .note("write `if … < … { … } else { … }`"),
            );
        }
        let of = Name {
            text: self.text(typed.span),
            span: typed.span,
        };
        self.require_clear(&typed, &of);
        let found = self.local(&of, typed.ty.clone());
        let narrowed = match &subject.kind {
            ast::ExprKind::Name(name) if matches!(typed.ty, Type::Messages(_)) => Some(name),
            _ => None,
        };
        let mut typed_arms = Vec::new();
        let mut right = !(typed.ty.is_error() || typed.ty.is_unclear() || typed.ty.has_duration());
        for arm in arms {
            let depth = scope.enter();
            let pattern = match &arm.pattern {
                None => Some(Pattern::Rest),
                Some(tree) => self.pattern(tree, &typed, scope),
            };
            match &pattern {
                Some(Pattern::OneOf(cases)) => {
                    if let (Some(name), [Case::Message(m)]) = (narrowed, &cases[..]) {
                        let value = as_message(&typed, *m, name.span);
                        scope.substitute(&[(name.clone(), value)]);
                    }
                }
                Some(Pattern::Bind(local)) => {
                    let name = self.model.local(*local).name.clone();
                    scope.bind(&name, *local);
                }
                Some(Pattern::Rest) | None => {}
            }
            let result = result(self, &arm.result, scope);
            scope.leave(depth);
            match pattern {
                Some(pattern) => typed_arms.push(Arm {
                    pattern,
                    result,
                    span: arm.pattern.as_ref().map_or(span, |p| p.span),
                }),
                None => right = false,
            }
        }
        if !right {
            return None;
        }
        self.complete(&typed, &typed_arms, span)?;
        Some(Match {
            subject: typed,
            found,
            arms: typed_arms,
        })
    }

    fn pattern(&mut self, tree: &ast::Expr, of: &Expr, scope: &mut Scope) -> Option<Pattern> {
        if let ast::ExprKind::Name(name) = &tree.kind
            && !self.is_known(name, scope)
        {
            let value = of.ty.without_option();
            let capital = name.text.len() > 1 && name.text.starts_with(char::is_uppercase);
            if capital {
                self.unknown_pattern(name, of);
                return None;
            }
            return Some(Pattern::Bind(self.local(name, value.clone())));
        }
        let mut cases = Vec::new();
        self.alternatives(tree, of, scope, &mut cases)?;
        Some(Pattern::OneOf(cases))
    }

    /// Adds the cases of a pattern `a or b` to `cases`. `None` after a reported error.
    fn alternatives(
        &mut self,
        tree: &ast::Expr,
        of: &Expr,
        scope: &mut Scope,
        cases: &mut Vec<Case>,
    ) -> Option<()> {
        match &tree.kind {
            ast::ExprKind::Paren(inner) => self.alternatives(inner, of, scope, cases),
            ast::ExprKind::Binary(ast::BinaryOp::Or, a, b) => {
                let first = self.alternatives(a, of, scope, cases);
                self.alternatives(b, of, scope, cases).and(first)
            }
            _ => {
                cases.push(self.case(tree, of, scope)?);
                Some(())
            }
        }
    }

    fn case(&mut self, tree: &ast::Expr, of: &Expr, scope: &mut Scope) -> Option<Case> {
        let value = of.ty.without_option().clone();
        let holder = format!("`{}` is", self.text(of.span));
        match &tree.kind {
            ast::ExprKind::None => {
                if !matches!(of.ty, Type::Option(_) | Type::Error) {
                    let text = format!(
                        "`{}` is {}: it is never `none`",
                        self.text(of.span),
                        self.model.words(&of.ty)
                    );
                    self.error(codes::TYPE_MISMATCH, tree.span, text);
                    return None;
                }
                return Some(Case::None);
            }
            ast::ExprKind::Range(a, b) => {
                if !matches!(value, Type::Int | Type::Error) {
                    let text = format!("{holder} {}, and not in a range", self.model.words(&of.ty));
                    self.error(codes::TYPE_MISMATCH, tree.span, text);
                    return None;
                }
                let (a, b) = (self.constant_number(a), self.constant_number(b));
                let right = !a.ty.is_error() && !b.ty.is_error();
                return right.then_some(Case::Range(a, b));
            }
            ast::ExprKind::Name(name) => {
                if let Some(Global::Message(m)) = self.globals.get(&name.text).copied() {
                    return self.message_case(m, of, tree.span);
                }
                if self.bound(name, scope).is_some() || self.field_in_scope(&name.text, scope) {
                    let text = format!(
                        "`{}` has a value already, and an arm is for values that are known before anything runs",
                        name.text
                    );
                    self.report(
                        Diagnostic::error(codes::MATCH_ARMS, tree.span, text)
                            .note("to compare with it, write `if … == … { … } else { … }`")
                            .note("to name what was found, take a name that is not used yet"),
                    );
                    return None;
                }
            }
            _ => {}
        }
        let mut inside = Scope::new(Place::Constant);
        let typed = self.check(tree, &mut inside, &value, &holder);
        let typed = match typed.kind {
            // A kind with one node is a constant in patterns.
            ExprKind::TheNode(_) => typed,
            _ => self.require_constant(typed),
        };
        (!typed.ty.is_error()).then_some(Case::Value(typed))
    }

    pub(crate) fn message_case(
        &mut self,
        message: MessageId,
        of: &Expr,
        span: Span,
    ) -> Option<Case> {
        let possible = match of.ty.without_option() {
            Type::Message(m) => *m == message,
            Type::Messages(all) => all.contains(&message),
            Type::Error => return None,
            _ => false,
        };
        if !possible {
            let text = format!(
                "`{}` is {}, never a message `{}`",
                self.text(of.span),
                self.model.words(&of.ty),
                self.model.message(message).name
            );
            self.error(codes::TYPE_MISMATCH, span, text);
            return None;
        }
        Some(Case::Message(message))
    }

    fn unknown_pattern(&mut self, name: &Name, of: &Expr) {
        let known = self.names_of_values(of.ty.without_option());
        let text = format!("`{}` is no value of `{}`", name.text, self.text(of.span));
        let diagnostic = Diagnostic::error(codes::NOT_A_VALUE, name.span, text)
            .note("a new name for what was found begins with a small letter");
        self.report(suggest(diagnostic, name, known.iter().map(String::as_str)));
    }

    /// The names of all values of a type; empty if the values have no names.
    fn names_of_values(&self, ty: &Type) -> Vec<String> {
        match ty {
            Type::Bool => vec!["false".into(), "true".into()],
            Type::Enum(e) => self.model.enumeration(*e).values.clone(),
            Type::Messages(all) => {
                let names = all.iter().map(|m| self.model.message(*m).name.clone());
                names.collect()
            }
            Type::Message(m) => vec![self.model.message(*m).name.clone()],
            _ => Vec::new(),
        }
    }

    /// Reports values that no arm covers, and arms that are never taken. Numbers are not checked here, because the
    /// parameters have no values yet.
    fn complete<R>(&mut self, of: &Expr, arms: &[Arm<R>], span: Span) -> Option<()> {
        let value = of.ty.without_option();
        let names = self.names_of_values(value);
        let mut open: Vec<String> = names.clone();
        let mut none_open = matches!(of.ty, Type::Option(_));
        let mut values_open = true;
        let mut problems = Vec::new();
        for arm in arms {
            let before = (open.len(), none_open, values_open);
            if !none_open && !values_open {
                problems.push(arm.span);
                continue;
            }
            match &arm.pattern {
                Pattern::Rest => (none_open, values_open) = (false, false),
                Pattern::Bind(_) => values_open = false,
                Pattern::OneOf(cases) => {
                    for case in cases {
                        let taken = match case {
                            Case::None => {
                                none_open = false;
                                continue;
                            }
                            Case::Value(e) => match &e.kind {
                                ExprKind::Bool(b) => b.to_string(),
                                ExprKind::EnumValue(e, n) => {
                                    self.model.enumeration(*e).values[*n as usize].clone()
                                }
                                _ => continue,
                            },
                            Case::Range(..) => continue,
                            Case::Message(m) => self.model.message(*m).name.clone(),
                        };
                        open.retain(|name| *name != taken);
                    }
                    values_open &= names.is_empty() || !open.is_empty();
                }
            }
            let named = !names.is_empty() || matches!(of.ty, Type::Option(_));
            if named && before == (open.len(), none_open, values_open) && listed_only(&arm.pattern)
            {
                problems.push(arm.span);
            }
        }
        for span in &problems {
            self.report(
                Diagnostic::error(codes::MATCH_ARMS, *span, "this arm is never taken")
                    .note("the arms above it take everything that it is for"),
            );
        }
        let mut missing: Vec<String> = Vec::new();
        if none_open {
            missing.push("`none`".into());
        }
        match value {
            _ if !values_open => {}
            // Lowering checks numbers, for given parameter values.
            Type::Int => {}
            _ if names.is_empty() => missing.push("other values".into()),
            _ => missing.extend(open.iter().map(|name| format!("`{name}`"))),
        }
        if missing.is_empty() {
            return problems.is_empty().then_some(());
        }
        let text = format!(
            "`match {}` says nothing for {}",
            self.text(of.span),
            listed(&missing, "and")
        );
        let at = Span {
            end: of.span.end,
            ..span
        };
        let note = match values_open && matches!(of.ty, Type::Option(_)) {
            true => "a name takes every value that is there, `_` whatever is left: `_ => …`",
            false => "write an arm for it; `_` takes whatever is left: `_ => …`",
        };
        self.report(Diagnostic::error(codes::MATCH_ARMS, at, text).note(note));
        None
    }
}

/// Whether a pattern consists only of values with names.
fn listed_only(pattern: &Pattern) -> bool {
    let named = |case: &Case| match case {
        Case::None | Case::Message(_) => true,
        Case::Value(e) => matches!(e.kind, ExprKind::Bool(_) | ExprKind::EnumValue(..)),
        Case::Range(..) => false,
    };
    matches!(pattern, Pattern::OneOf(cases) if cases.iter().all(named))
}

/// A message that may be of several types, as a message of type `message`.
pub(crate) fn as_message(of: &Expr, message: MessageId, span: Span) -> Expr {
    Expr {
        kind: ExprKind::AsMessage(Box::new(of.clone()), message),
        ty: Type::Message(message),
        span,
    }
}
