//! Implicit conversions: a value to an option, an option to its value, one value to an array filled with it, a kind
//! with one node to that node. In the Model these conversions are explicit.

use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::Scope;
use crate::resolve::types::counters::{are_counters, is_counter};
use crate::resolve::types::data::SAME_INDEX;
use crate::{Domain, Environment, Expr, ExprKind, Type, evaluate};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, Name};

impl Resolver<'_> {
    /// Converts an expression to type `wanted`, or reports a mismatch. `holder` is the beginning of the message, such
    /// as "`leader` is".
    pub(crate) fn coerce(&mut self, e: Expr, wanted: &Type, holder: &str) -> Expr {
        match self.converted(e, wanted) {
            Ok(converted) => converted,
            Err(e) if *wanted == Type::Duration && e.ty == Type::Int => {
                let text = format!("{holder} a time; `{}` is a plain number", self.text(e.span));
                let note = format!(
                    "write its unit, as elsewhere in this file: `{}`",
                    self.with_unit(&e)
                );
                self.report(Diagnostic::error(codes::NEEDS_UNIT, e.span, text).note(note));
                Expr::error(e.span)
            }
            Err(e) if self.number_for_counter(wanted, &e, holder) => Expr::error(e.span),
            Err(e) => {
                let text = format!(
                    "{holder} {}; `{}` is {}",
                    self.model.words(wanted),
                    self.text(e.span),
                    self.model.words(&e.ty)
                );
                let mut diagnostic = Diagnostic::error(codes::TYPE_MISMATCH, e.span, text);
                if matches!(
                    (wanted.without_option(), e.ty.without_option()),
                    (Type::Id, Type::Int) | (Type::Int, Type::Id)
                ) {
                    diagnostic = diagnostic.note(
                        "ids are no numbers: only their order is known; for numbers use a range such as `1..9`",
                    );
                }
                if matches!(
                    (wanted.without_option(), e.ty.without_option()),
                    (Type::Node(_), Type::Id)
                ) {
                    diagnostic = diagnostic.note(
                        "an id is not its node: who sent a message is named in the head of the block, `on M as m from s`",
                    );
                }
                match (wanted, &e.ty) {
                    (Type::Array(..), Type::Array(..)) => {
                        diagnostic = diagnostic.note(SAME_INDEX);
                    }
                    (Type::Set(wanted), Type::Set(_)) if matches!(**wanted, Type::Array(..)) => {
                        diagnostic = diagnostic.note(
                            "an element would be an array with all its places; to say something of each place write `= any`, and `initially all i in …: …`",
                        );
                    }
                    (Type::Set(wanted), Type::Set(_)) if **wanted == Type::Duration => {
                        diagnostic = diagnostic.note(match self.model.unit {
                            Some(_) => "list times, with their unit: `{ 1 ms, 2 ms }`",
                            None => "between two times there are too many: list those that are meant, `{ 1, 2 }`",
                        });
                    }
                    _ => {}
                }
                if let Some(field) = self.field_of_type(&e.ty, wanted) {
                    let text = format!("{}.{field}", self.text(e.span));
                    diagnostic = diagnostic.at(format!("did you mean `{text}`?"));
                }
                self.report(diagnostic);
                Expr::error(e.span)
            }
        }
    }

    /// The name of the field of a message or struct that has the wanted type; `None` if there is none or more than
    /// one.
    fn field_of_type(&self, ty: &Type, wanted: &Type) -> Option<String> {
        let fields = self.model.record_fields(ty.record()?);
        let mut fitting = fields
            .iter()
            .filter(|f| f.domain.ty().without_option() == wanted.without_option());
        let first = fitting.next()?;
        fitting.next().is_none().then(|| first.name.clone())
    }

    /// Converts an expression to a condition; `of` is the construct that contains it, for messages.
    pub(crate) fn coerce_condition(&mut self, e: Expr, of: &str) -> Expr {
        match self.converted(e, &Type::Bool) {
            Ok(converted) => converted,
            Err(e) => {
                let text = format!(
                    "{of} wants something true or false; `{}` is {}",
                    self.text(e.span),
                    self.model.words(&e.ty)
                );
                let mut diagnostic = Diagnostic::error(codes::NOT_A_CONDITION, e.span, text);
                match &e.ty {
                    Type::Option(_) => {
                        diagnostic =
                            diagnostic.note("write `… != none`, or `… is x` to use its value");
                    }
                    Type::Set(_) => {
                        diagnostic = diagnostic.note("write `… != { }`, or `size(…) > 0`");
                    }
                    _ => {}
                }
                self.report(diagnostic);
                Expr::error(e.span)
            }
        }
    }

    /// Converts an expression to a number; `of` is the operator that needs one, for messages.
    pub(crate) fn coerce_number(&mut self, e: Expr, of: &str) -> Expr {
        match self.converted(e, &Type::Int) {
            Ok(converted) => converted,
            Err(e) => {
                if e.ty.without_option() == &Type::Id {
                    self.report(
                        Diagnostic::error(
                            codes::ID_ARITHMETIC,
                            e.span,
                            format!("{of} wants a number; `{}` is an id, and of ids only the order is known", self.text(e.span)),
                        )
                        .note("compare ids with each other; to calculate, use a range such as `1..9` instead of `Id`, for the constant and wherever its value is sent or kept"),
                    );
                } else if is_counter(&e.ty) {
                    self.no_counter_arithmetic(&e, of, e.span);
                } else {
                    let text = format!(
                        "{of} wants a number; `{}` is {}",
                        self.text(e.span),
                        self.model.words(&e.ty)
                    );
                    let diagnostic = Diagnostic::error(codes::NOT_A_NUMBER, e.span, text);
                    self.report(match e.ty.without_option() {
                        Type::Duration if of == "a range" => diagnostic.note(
                            "between two times there are too many: list those that are meant, `{ 1 ms, 2 ms }`",
                        ),
                        Type::Set(_) => diagnostic.note(
                            "to add to a set write `s union { x }`, to take away `s minus { x }`, to count `size(s)`",
                        ),
                        _ => diagnostic,
                    });
                }
                Expr::error(e.span)
            }
        }
    }

    /// Both expressions converted to a common type; an option and a value both become options. `Err` with the
    /// expressions if there is no common type.
    pub(crate) fn common(&mut self, a: Expr, b: Expr) -> Result<(Expr, Expr), Box<(Expr, Expr)>> {
        let (a, b) = match (a.ty.without_option(), b.ty.without_option()) {
            (Type::Node(_), Type::Set(_)) => {
                let b = self.one_value(b);
                (a, b)
            }
            (Type::Set(_), Type::Node(_)) => (self.one_value(a), b),
            _ => (a, b),
        };
        let (a, b) = self.both_times(a, b);
        let (a, b) = self.both_counters(a, b);
        if let Some(ty) = a.ty.join(&b.ty) {
            return Ok((with_known_types(a, &ty), with_known_types(b, &ty)));
        }
        match (&a.ty, &b.ty) {
            (Type::Option(inner), other) if inner.join(other).is_some() => {
                let wanted = a.ty.clone();
                let b = wrap(b, &wanted);
                let ty =
                    a.ty.join(&b.ty)
                        .expect("the value was wrapped in an option");
                Ok((with_known_types(a, &ty), with_known_types(b, &ty)))
            }
            (other, Type::Option(inner)) if inner.join(other).is_some() => {
                let wanted = b.ty.clone();
                let a = wrap(a, &wanted);
                let ty =
                    a.ty.join(&b.ty)
                        .expect("the value was wrapped in an option");
                Ok((with_known_types(a, &ty), with_known_types(b, &ty)))
            }
            _ => Err(Box::new((a, b))),
        }
    }

    /// In a file without units, a number beside a time is converted to a time.
    pub(crate) fn both_times(&self, a: Expr, b: Expr) -> (Expr, Expr) {
        match (&a.ty, &b.ty) {
            (Type::Duration, Type::Int) => {
                let b = self.plain_time(b);
                (a, b)
            }
            (Type::Int, Type::Duration) => (self.plain_time(a), b),
            _ => (a, b),
        }
    }

    /// An option converted to its value, or a kind with one node converted to that node; any other expression
    /// unchanged.
    pub(crate) fn one_value(&mut self, e: Expr) -> Expr {
        match (&e.kind, &e.ty) {
            (ExprKind::KindNodes(kind), _) if self.model.kind(*kind).single => Expr {
                kind: ExprKind::TheNode(*kind),
                ty: Type::Node(Some(*kind)),
                span: e.span,
            },
            (_, Type::Option(inner)) if !inner.is_unclear() => Expr {
                ty: (**inner).clone(),
                span: e.span,
                kind: ExprKind::Unwrap(Box::new(e)),
            },
            _ => e,
        }
    }

    /// An operand that must be a node; `what` is the beginning of the message, such as "`sent` is asked of a node".
    pub(crate) fn node_operand(&mut self, e: &ast::Expr, scope: &mut Scope, what: &str) -> Expr {
        let typed = self.infer(e, scope, None);
        let typed = self.one_value(typed);
        match typed.ty {
            Type::Node(_) | Type::Error => typed,
            _ => {
                let text = format!(
                    "{what}; `{}` is {}",
                    self.text(typed.span),
                    self.model.words(&typed.ty)
                );
                self.error(codes::NOT_A_NODE, typed.span, text);
                Expr::error(typed.span)
            }
        }
    }

    /// Reports a value that is outside the range of its domain for all parameter values.
    pub(crate) fn certain_range(&mut self, value: &Expr, domain: &Domain, holder: &str) {
        let (low, high) = match (&value.kind, domain) {
            (ExprKind::Some(inner), Domain::Option(domain))
            | (ExprKind::Fill(inner), Domain::Array(_, domain)) => {
                return self.certain_range(inner, domain, holder);
            }
            (_, Domain::Range(low, high)) => (low, high),
            _ => return,
        };
        let known = (self.literal(value), self.literal(low), self.literal(high));
        if let (Some(found), Some(low), Some(high)) = known
            && !(low..=high).contains(&found)
        {
            let text = format!("{holder} a number in {low}..{high}; {found} is outside");
            self.error(codes::OUT_OF_RANGE, value.span, text);
        }
    }

    /// The number that an expression has for all parameter values, if there is one.
    pub(crate) fn literal(&self, e: &Expr) -> Option<i64> {
        evaluate(e, &Environment::new(&self.model, &[]))
            .ok()?
            .as_int()
    }

    /// The expression itself if it is constant; otherwise reports it and returns an error expression.
    pub(crate) fn require_constant(&mut self, e: Expr) -> Expr {
        if let Some(span) = self.not_constant(&e) {
            let text = format!(
                "`{}` is not known before anything runs: here only numbers, parameters and abbreviations of them can stand",
                self.text(span)
            );
            self.error(codes::NOT_CONSTANT, span, text);
            return Expr::error(e.span);
        }
        e
    }

    pub(crate) fn not_constant(&self, e: &Expr) -> Option<Span> {
        let mut found = None;
        e.walk(&mut |part| {
            let bad = match &part.kind {
                ExprKind::Let(id) => self
                    .not_constant(&self.model.abbreviation(*id).value)
                    .is_some(),
                ExprKind::Call(id, _) => {
                    self.not_constant(&self.model.function(*id).body).is_some()
                }
                ExprKind::KindNodes(_)
                | ExprKind::AllNodes
                | ExprKind::TheNode(_)
                | ExprKind::NodeField(..)
                | ExprKind::Halted(_)
                | ExprKind::Distance(..)
                | ExprKind::NeighboursOf(_)
                | ExprKind::Status(..)
                | ExprKind::Sent(..)
                | ExprKind::Activations(_)
                | ExprKind::InFlight(..)
                | ExprKind::TimerSet(..)
                | ExprKind::Now
                | ExprKind::Quiescent => true,
                _ => false,
            };
            if bad && found.is_none() {
                found = Some(part.span);
            }
        });
        found
    }

    /// Whether an expression reads nodes, directly or through an abbreviation or function.
    pub(crate) fn reads_nodes(&self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |part| {
            found |= match &part.kind {
                ExprKind::Let(id) => self.model.abbreviation(*id).reads_nodes,
                ExprKind::Call(id, _) => self.model.function(*id).reads_nodes,
                ExprKind::NodeField(..)
                | ExprKind::Halted(_)
                | ExprKind::Distance(..)
                | ExprKind::NeighboursOf(_)
                | ExprKind::Status(..)
                | ExprKind::Sent(..)
                | ExprKind::Activations(_)
                | ExprKind::InFlight(..)
                | ExprKind::TimerSet(..)
                | ExprKind::Now
                | ExprKind::Quiescent => true,
                _ => false,
            };
        });
        found
    }

    /// Reports an expression whose type is not determined because it contains `none` or `{ }`.
    pub(crate) fn require_clear(&mut self, e: &Expr, name: &Name) {
        if e.ty.is_unclear() {
            let text = format!(
                "nothing says what `{}` could hold: `{}` is {}",
                name.text,
                self.text(e.span),
                self.model.words(&e.ty)
            );
            self.error(codes::UNCLEAR_TYPE, e.span, text);
        }
    }

    fn converted(&mut self, e: Expr, wanted: &Type) -> Result<Expr, Expr> {
        if let Some(ty) = wanted.join(&e.ty) {
            return Ok(with_known_types(e, &ty));
        }
        if self.counters_are_numbers && are_counters(wanted, &e.ty) {
            return Ok(Expr {
                ty: wanted.clone(),
                ..e
            });
        }
        if *wanted == Type::Duration && e.ty == Type::Int && self.model.unit.is_none() {
            return Ok(self.plain_time(e));
        }
        if let (Type::Set(element), ExprKind::Set(parts)) = (wanted, &e.kind)
            && **element == Type::Duration
            && e.ty == Type::Set(Box::new(Type::Int))
            && self.model.unit.is_none()
        {
            let times = parts.iter().map(|part| self.plain_time(part.clone()));
            return Ok(Expr {
                kind: ExprKind::Set(times.collect()),
                ty: wanted.clone(),
                span: e.span,
            });
        }
        if let Type::Option(inner) = wanted {
            return self.converted(e, inner).map(|value| wrap(value, wanted));
        }
        if let Type::Array(_, inner) = wanted {
            return self.converted(e, inner).map(|value| Expr {
                span: value.span,
                ty: wanted.clone(),
                kind: ExprKind::Fill(Box::new(value)),
            });
        }
        let simple = self.one_value(e.clone());
        match wanted.join(&simple.ty) {
            Some(_) => Ok(simple),
            None => Err(e),
        }
    }
}

/// Converts a value to an option.
fn wrap(value: Expr, wanted: &Type) -> Expr {
    let ty = match wanted {
        Type::Option(inner) if inner.is_unclear() => Type::Option(Box::new(value.ty.clone())),
        other => other.clone(),
    };
    Expr {
        span: value.span,
        ty,
        kind: ExprKind::Some(Box::new(value)),
    }
}

/// Sets the type of an expression whose type is not determined, and of every `none` and `{ }` inside it, to the
/// inferred type.
pub(crate) fn with_known_types(mut e: Expr, ty: &Type) -> Expr {
    if !e.ty.is_unclear() {
        return e;
    }
    e.kind = match e.kind {
        ExprKind::If(c, a, b) => ExprKind::If(
            c,
            Box::new(with_known_types(*a, ty)),
            Box::new(with_known_types(*b, ty)),
        ),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(
            op,
            Box::new(with_known_types(*a, ty)),
            Box::new(with_known_types(*b, ty)),
        ),
        ExprKind::Match(mut cases) => {
            for arm in &mut cases.arms {
                let result = std::mem::replace(&mut arm.result, Expr::error(arm.span));
                arm.result = with_known_types(result, ty);
            }
            ExprKind::Match(cases)
        }
        // If the type of a quantifier is not determined, it is the type of its body.
        ExprKind::Quantifier {
            kind,
            var,
            domain,
            body,
        } => ExprKind::Quantifier {
            kind,
            var,
            domain,
            body: Box::new(with_known_types(*body, ty)),
        },
        ExprKind::Set(parts) => {
            let element = match ty {
                Type::Set(element) => (**element).clone(),
                _ => Type::Unknown,
            };
            ExprKind::Set(
                parts
                    .into_iter()
                    .map(|p| with_known_types(p, &element))
                    .collect(),
            )
        }
        other => other,
    };
    e.ty = ty.clone();
    e
}
