//! Counters: the operations that they have, and errors about other operations.
//!
//! States that differ by a shift of the counters of a class are identified. Therefore node code and claims cannot
//! read the number of a counter. Initial values, `initially` and `assuming` can.

use crate::resolve::context::resolver::Resolver;
use crate::{BinaryOp, Domain, Expr, Type};
use source::{Diagnostic, Span, codes};
use syntax::ast;

/// A note for a comparison of a counter with a number.
const KEEP_ONE: &str = "only `initially`, `assuming` and first values know its number; to measure how far it has come keep another that stays, `var zero: Counter = 0`, and write `zero + 3`";

/// Maximum nesting depth up to which types are searched for counters.
const DEEPEST: usize = 40;

impl Resolver<'_> {
    /// The result of `+`, `-`, `*`, `mod`, `min` or `max` with a counter as an operand.
    pub(crate) fn counter_arithmetic(
        &mut self,
        op: BinaryOp,
        a: Expr,
        b: Expr,
        of: &str,
        span: Span,
    ) -> Expr {
        let (a, b) = (self.one_value(a), self.one_value(b));
        match (op, &a.ty, &b.ty) {
            (_, Type::Error, _) | (_, _, Type::Error) => Expr::error(span),
            (BinaryOp::Add | BinaryOp::Sub, Type::Counter, Type::Int)
            | (BinaryOp::Min | BinaryOp::Max, Type::Counter, Type::Counter) => {
                Expr::binary(op, a, b, Type::Counter, span)
            }
            (BinaryOp::Add, Type::Int, Type::Counter) => {
                Expr::binary(op, b, a, Type::Counter, span)
            }
            (BinaryOp::Min | BinaryOp::Max, Type::Counter, Type::Int)
            | (BinaryOp::Min | BinaryOp::Max, Type::Int, Type::Counter) => {
                if self.counters_are_numbers {
                    return Expr::binary(op, a, b, Type::Counter, span);
                }
                self.counter_meets_number(&a, &b, span);
                Expr::error(span)
            }
            _ => {
                let counter = if a.ty == Type::Counter { &a } else { &b };
                self.no_counter_arithmetic(counter, of, span);
                Expr::error(span)
            }
        }
    }

    /// In initial values and conditions on initial states, a number beside a counter is converted to a counter.
    pub(crate) fn both_counters(&self, a: Expr, b: Expr) -> (Expr, Expr) {
        let counter = |e: Expr| Expr {
            ty: Type::Counter,
            ..e
        };
        match (a.ty.without_option(), &b.ty) {
            (Type::Counter, Type::Int) if self.counters_are_numbers => (a, counter(b)),
            _ if self.counters_are_numbers && a.ty == Type::Int && is_counter(&b.ty) => {
                (counter(a), b)
            }
            _ => (a, b),
        }
    }

    /// Reports a comparison of a counter with a number.
    pub(crate) fn counter_meets_number(&mut self, a: &Expr, b: &Expr, span: Span) {
        let (counter, number) = match is_counter(&a.ty) {
            true => (a, b),
            false => (b, a),
        };
        let text = format!(
            "`{}` is a counter and `{}` is a number: of counters only the distance to each other is known",
            self.text(counter.span),
            self.text(number.span)
        );
        let diagnostic = Diagnostic::error(codes::COUNTER_AND_NUMBER, span, text);
        self.report(diagnostic.note(KEEP_ONE));
    }

    /// Reports a number where a counter is expected, except in initial values and conditions on initial states; returns
    /// whether it was reported.
    pub(crate) fn number_for_counter(&mut self, wanted: &Type, e: &Expr, holder: &str) -> bool {
        if self.counters_are_numbers || !numbers_for_counters(wanted, &e.ty) {
            return false;
        }
        let what = match e.ty {
            Type::Set(_) => "a set of numbers",
            _ => "a number",
        };
        let text = format!(
            "{holder} {}; `{}` is {what}, which is a counter only before anything runs",
            self.model.words(wanted.without_option()),
            self.text(e.span)
        );
        self.report(
            Diagnostic::error(codes::COUNTER_AND_NUMBER, e.span, text).note(
                "to go on from where it is write `c + 1`; to go back to where it began keep that, `var zero: Counter = 0`, and write `zero`",
            ),
        );
        true
    }

    /// Reports an operation that counters do not have.
    pub(crate) fn no_counter_arithmetic(&mut self, counter: &Expr, of: &str, span: Span) {
        let text = format!(
            "{of} has no meaning for `{}`, a counter: of counters only the distance to each other is known",
            self.text(counter.span)
        );
        self.report(
            Diagnostic::error(codes::COUNTER_ARITHMETIC, span, text).note(
                "there are `c + 1`, `c - 1`, `max`, `min` and comparisons with other counters; for a number that stays small use a range such as `0..9`",
            ),
        );
    }

    /// Reports a variable with counters whose initial value is `any`.
    pub(crate) fn any_counter(&mut self, domain: &Domain, var: &ast::Var) {
        if !self.holds_counter(&domain.ty()) {
            return;
        }
        let whole = *domain == Domain::Counter;
        let text = match whole {
            true => format!(
                "`{}` is a counter, and there is no end to what `any` would be",
                var.name.text
            ),
            false => format!(
                "`{}` holds a counter, and there is no end to what `any` would be",
                var.name.text
            ),
        };
        let diagnostic = Diagnostic::error(codes::ANY_COUNTER, var.init.span, text);
        self.report(match whole {
            true => diagnostic.note("say how far apart they can begin: `any in 0..12`"),
            false => diagnostic
                .note("give it a value, or say which: `any in { … }` with those that are meant"),
        });
    }

    /// Reports a counter where none is allowed; returns whether it was reported.
    pub(crate) fn misplaced_counter(&mut self, domain: &Domain, span: Span, what: &str) -> bool {
        if !self.holds_counter(&domain.ty()) {
            return false;
        }
        let text = format!("{what} never changes, and a counter is there to count");
        self.report(
            Diagnostic::error(codes::MISPLACED_COUNTER, span, text).note(
                "for a number use a range such as `0..9`; a counter is a variable, or a field of a message or struct",
            ),
        );
        true
    }

    fn holds_counter(&self, ty: &Type) -> bool {
        self.holds_counter_below(ty, 0)
    }

    /// Whether a type contains a counter. The depth is limited, because a record that contains itself is reported but
    /// stays in the Model.
    fn holds_counter_below(&self, ty: &Type, depth: usize) -> bool {
        let depth = depth + 1;
        match ty {
            Type::Counter => true,
            _ if depth > DEEPEST => false,
            Type::Option(inner) | Type::Set(inner) | Type::Array(_, inner) => {
                self.holds_counter_below(inner, depth)
            }
            Type::Message(_) | Type::Struct(_) => {
                let fields = ty.record().map(|record| self.model.record_fields(record));
                let mut fields = fields.into_iter().flatten();
                fields.any(|f| self.holds_counter_below(&f.domain.ty(), depth))
            }
            _ => false,
        }
    }
}

/// Whether a type is `Counter` or an option of it.
pub(crate) fn is_counter(ty: &Type) -> bool {
    *ty.without_option() == Type::Counter
}

/// Whether counters are expected and numbers are given: `Counter` and a number, or sets of them.
pub(crate) fn are_counters(wanted: &Type, found: &Type) -> bool {
    match (wanted, found) {
        (Type::Counter, Type::Int) => true,
        (Type::Set(wanted), Type::Set(found)) => are_counters(wanted, found),
        _ => false,
    }
}

/// Whether counters, or options or sets of them, are expected and numbers are given.
pub(crate) fn numbers_for_counters(wanted: &Type, found: &Type) -> bool {
    match (wanted, found) {
        (Type::Counter, Type::Int) => true,
        (Type::Set(wanted), Type::Set(found)) => numbers_for_counters(wanted, found),
        (Type::Option(wanted), found) => numbers_for_counters(wanted, found),
        _ => false,
    }
}
