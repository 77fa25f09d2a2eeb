//! `match`: becomes a chain of tests. The last arm needs no test, because the arms cover every value.

use crate::context::lowering::Lowering;
use crate::context::names::Names;
use machine::{BinaryOp as Op, Expr as M, LocalId, Stmt, StmtKind as S, Type, UnaryOp};
use model::{Case, Expr, KindId, Match, Pattern};
use source::{Diagnostic, codes};

impl Lowering<'_> {
    /// A `match` expression. Counts must not occur in its arms.
    pub(crate) fn match_value(&mut self, cases: &Match<Expr>, names: &mut Names) -> M {
        let (found, outside) = self.found(cases, names);
        let mut tests = Vec::new();
        for arm in &cases.arms {
            let test = self.test(&arm.pattern, &found, names);
            let bound = self.bound_by(&arm.pattern, &found, names);
            let result = self.expr(&arm.result, names);
            let result = match bound {
                Some((local, value)) => M::Let(local, Box::new(value), Box::new(result)),
                None => result,
            };
            tests.push((test, result, self.origins.of(arm.span)));
        }
        let (_, mut value, _) = tests.pop().expect("a match with arms");
        for (test, result, origin) in tests.into_iter().rev() {
            value = match test {
                Some(test) => {
                    let either = M::If(Box::new(test), Box::new(result), Box::new(value));
                    M::At(origin, Box::new(either))
                }
                None => result,
            };
        }
        match outside {
            Some((local, subject)) => M::Let(local, Box::new(subject), Box::new(value)),
            None => value,
        }
    }

    /// The statements for a `match` statement.
    pub(crate) fn match_statement(
        &mut self,
        kind: KindId,
        cases: &Match<Vec<model::Stmt>>,
        names: &mut Names,
    ) -> Vec<Stmt> {
        let (found, outside) = self.found(cases, names);
        let mut tests = Vec::new();
        for arm in &cases.arms {
            let origin = self.origins.of(arm.span);
            let test = self.test(&arm.pattern, &found, names);
            let bound = self.bound_by(&arm.pattern, &found, names);
            let mut body = Vec::new();
            body.extend(bound.map(|(local, value)| Stmt {
                origin,
                kind: S::Let(local, value),
            }));
            body.extend(self.statements(kind, &arm.result, names));
            tests.push((test, body, origin));
        }
        let (_, mut rest, _) = tests.pop().expect("a match with arms");
        for (test, body, origin) in tests.into_iter().rev() {
            rest = match test {
                Some(test) => vec![Stmt {
                    origin,
                    kind: S::If(test, body, rest),
                }],
                None => body,
            };
        }
        let origin = self.origins.of(cases.subject.span);
        let outside = outside.map(|(local, subject)| Stmt {
            origin,
            kind: S::Let(local, subject),
        });
        outside.into_iter().chain(rest).collect()
    }

    /// The local name of the matched value, with its binding. There is no binding if the subject is already a local
    /// name.
    pub(crate) fn found<T>(
        &mut self,
        cases: &Match<T>,
        names: &mut Names,
    ) -> (M, Option<(LocalId, M)>) {
        let subject = self.expr(&cases.subject, names);
        let ty = self.type_of(&subject, names);
        self.numbers_left(cases, &ty);
        if let M::Local(_) = subject {
            names.bound.insert(cases.found, subject.clone());
            return (subject, None);
        }
        let local = self.bind(cases.found, ty, names);
        (M::Local(local), Some((local, subject)))
    }

    /// The condition that a pattern matches; `None` if it matches all remaining values.
    pub(crate) fn test(&mut self, pattern: &Pattern, found: &M, names: &mut Names) -> Option<M> {
        let is_some = M::Unary(UnaryOp::IsSome, Box::new(found.clone()));
        let option = matches!(self.type_of(found, names), Type::Option(_));
        let list = match pattern {
            Pattern::Rest => return None,
            Pattern::Bind(_) => return option.then_some(is_some),
            Pattern::OneOf(list) => list,
        };
        let mut tests = Vec::new();
        for case in list {
            let (test, span) = match case {
                Case::None => {
                    tests.push(M::Unary(UnaryOp::Not, Box::new(is_some.clone())));
                    continue;
                }
                Case::Value(e) => {
                    let value = self.expr(e, names);
                    let value = match option {
                        true => M::Some(Box::new(value)),
                        false => value,
                    };
                    (found.clone().binary(Op::Eq, value), e.span)
                }
                Case::Range(a, b) => {
                    let range =
                        M::Range(Box::new(self.expr(a, names)), Box::new(self.expr(b, names)));
                    let value = inside(found, option);
                    let test = value.binary(Op::In, range);
                    let test = match option {
                        true => is_some.clone().binary(Op::And, test),
                        false => test,
                    };
                    (test, a.span.to(b.span))
                }
                Case::Message(message) => {
                    let record = machine::RecordId(message.0);
                    let test = M::IsRecord(record, Box::new(inside(found, option)));
                    tests.push(match option {
                        true => is_some.clone().binary(Op::And, test),
                        false => test,
                    });
                    continue;
                }
            };
            tests.push(M::At(self.origins.of(span), Box::new(test)));
        }
        tests.into_iter().reduce(|a, b| a.binary(Op::Or, b))
    }

    /// The name that a pattern binds, with its value; `None` if it binds none.
    pub(crate) fn bound_by(
        &mut self,
        pattern: &Pattern,
        found: &M,
        names: &mut Names,
    ) -> Option<(LocalId, M)> {
        let Pattern::Bind(id) = pattern else {
            return None;
        };
        let option = matches!(self.type_of(found, names), Type::Option(_));
        let value = inside(found, option);
        let ty = self.type_of(&value, names);
        Some((self.bind(*id, ty, names), value))
    }

    /// Reports numbers that no arm covers.
    fn numbers_left<T>(&mut self, cases: &Match<T>, ty: &Type) {
        let bounds = match ty {
            Type::Option(inner) => &**inner,
            other => other,
        };
        let Type::Int(low, high) = bounds else {
            return;
        };
        let mut left = vec![(*low, *high)];
        for arm in &cases.arms {
            match &arm.pattern {
                Pattern::Rest | Pattern::Bind(_) => return,
                Pattern::OneOf(list) => {
                    for case in list {
                        let (from, to) = match case {
                            Case::Value(e) => (e, e),
                            Case::Range(a, b) => (a, b),
                            Case::None | Case::Message(_) => continue,
                        };
                        let (Some(from), Some(to)) = (self.number(from), self.number(to)) else {
                            return;
                        };
                        if from <= to {
                            left = without(&left, from, to);
                        }
                    }
                }
            }
        }
        if left.is_empty() {
            return;
        }
        let parts: Vec<String> = left
            .iter()
            .take(4)
            .map(|(low, high)| match low == high {
                true => low.to_string(),
                false => format!("{low}..{high}"),
            })
            .collect();
        let subject = &self.model.local(cases.found).name;
        let text = format!("`match {subject}` says nothing for {}", parts.join(", "));
        self.report(
            Diagnostic::error(codes::MATCH_ARMS, cases.subject.span, text)
                .at(format!("here it is in {low}..{high}"))
                .note("write an arm for it; `_` takes whatever is left: `_ => …`"),
        );
    }
}

/// The parts of `ranges` outside `from ..= to`.
fn without(ranges: &[(i64, i64)], from: i64, to: i64) -> Vec<(i64, i64)> {
    let below = |high: i64| high.min(from.saturating_sub(1));
    let above = |low: i64| low.max(to.saturating_add(1));
    let parts = ranges
        .iter()
        .flat_map(|(low, high)| [(*low, below(*high)), (above(*low), *high)]);
    parts.filter(|(low, high)| low <= high).collect()
}

/// The matched value, unwrapped if it is an option.
fn inside(found: &M, option: bool) -> M {
    match option {
        true => M::Unwrap(Box::new(found.clone())),
        false => found.clone(),
    }
}
