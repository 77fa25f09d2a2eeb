//! `now` and deadlines: which expressions may contain `now`, and what it may be compared with.

use crate::resolve::claims::formulas::has_temporal;
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Place, Scope};
use crate::{
    BinaryOp, Constant, Environment, Expr, ExprKind, Formula, FormulaKind, LocalId, Pattern, Type,
    evaluate,
};
use source::{Diagnostic, Span, codes};
use syntax::ast;

impl Resolver<'_> {
    /// The expression `now`; reports it in node code and initial values.
    pub(crate) fn now(&mut self, span: Span, scope: &Scope) -> Expr {
        if matches!(scope.place, Place::Code(_) | Place::First(_)) {
            self.now_in_code("now", span, None);
            return Expr::error(span);
        }
        Expr {
            kind: ExprKind::Now,
            ty: Type::Duration,
            span,
        }
    }

    /// Reports that node code cannot read `now`. `word` is `now` or the name of an abbreviation or function that
    /// reads it; `declared` is the span of its declaration.
    pub(crate) fn now_in_code(&mut self, word: &str, span: Span, declared: Option<Span>) {
        let text = match declared {
            None => "`now` is known to claims only: no node can see it".to_string(),
            Some(_) => format!("`{word}` asks for `now`, which no node can see"),
        };
        let mut diagnostic = Diagnostic::error(codes::CLAIM_WORD_IN_CODE, span, text).note(
            "a node measures time with a timer: `timer t` in the node, `set t in 10 ms .. 12 ms`, and `on t { … }`",
        );
        if let Some(declared) = declared {
            diagnostic = diagnostic.other(declared, "defined here");
        }
        self.report(diagnostic);
    }

    /// Whether an expression reads `now`, directly or through an abbreviation or function.
    pub(crate) fn reads_now(&self, e: &Expr) -> bool {
        self.place_of_now(e).is_some()
    }

    /// Reports every `now` that is not compared with a constant time.
    pub(crate) fn misplaced_now(&mut self, e: &Expr) {
        let mut compared: Vec<Span> = Vec::new();
        let mut wrong: Vec<Diagnostic> = Vec::new();
        e.walk(&mut |part| match &part.kind {
            ExprKind::Binary(op, a, b) if compares(*op) => {
                for (now, other) in [(a, b), (b, a)] {
                    if now.kind != ExprKind::Now {
                        continue;
                    }
                    compared.push(now.span);
                    if let Some(span) = self.varies(other) {
                        let text = format!(
                            "`now` is compared with a time that is known before anything runs; `{}` is not",
                            self.text(span)
                        );
                        wrong.push(Diagnostic::error(codes::NOW_COMPARED, span, text).note(
                            "times between two moments of a run are for `p leads to q within x`",
                        ));
                    }
                }
            }
            ExprKind::Now if !compared.contains(&part.span) => wrong.push(
                Diagnostic::error(
                    codes::NOW_COMPARED,
                    part.span,
                    "`now` is compared with a time, and nothing else is done with it",
                )
                .note("write `now <= 5 ms`; what would be added to `now` is taken from the other side"),
            ),
            _ => {}
        });
        for problem in wrong {
            self.report(problem);
        }
    }

    /// Reports `now` in a condition on initial states.
    pub(crate) fn now_at_the_start(&mut self, condition: &Expr, of: &str) {
        if let Some(span) = self.place_of_now(condition) {
            let text = format!("{of} is about the start, and there `now` is always 0");
            self.error(codes::NOW_COMPARED, span, text);
        }
    }

    /// The formula `p leads to q within x`. Reports temporal operators and `now` in p and q, and an x that is not
    /// constant or is negative.
    pub(crate) fn leads_to_within(
        &mut self,
        from: &ast::Expr,
        to: &ast::Expr,
        within: &ast::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> FormulaKind {
        let mut broken = false;
        let mut sides = Vec::new();
        for side in [from, to] {
            if has_temporal(side) {
                let what = "something about whole runs beside `leads to … within`";
                self.refuse(side.span, what);
                broken = true;
                continue;
            }
            let condition = self.condition(side, scope, "`leads to`").0;
            if let Some(place) = self.place_of_now(&condition) {
                let text =
                    "`leads to … within` counts the time itself: beside it nothing asks for `now`";
                self.report(
                    Diagnostic::error(codes::NOW_COMPARED, place, text)
                        .note("for one time of the whole run write `always (… implies now <= x)`"),
                );
                broken = true;
            }
            sides.push(condition);
        }
        let holder = "what stands behind `within` is";
        let within = self.check(within, scope, &Type::Duration, holder);
        if within.ty.is_error() {
            broken = true;
        } else if let Some(place) = self.varies(&within) {
            let text = format!(
                "a deadline is known before anything runs; `{}` is not",
                self.text(place)
            );
            self.error(codes::NOT_CONSTANT, place, text);
            broken = true;
        } else if let Ok(Constant::Duration(time)) =
            evaluate(&within, &Environment::new(&self.model, &[]))
            && time.is_negative()
        {
            let text = format!(
                "a deadline of {} is over before it begins",
                self.model.time(&time)
            );
            self.error(codes::BAD_TIMING, within.span, text);
            broken = true;
        }
        match (<[Expr; 2]>::try_from(sides), broken) {
            (Ok([from, to]), false) => FormulaKind::LeadsToWithin { from, to, within },
            _ => FormulaKind::State(Expr::error(span)),
        }
    }

    /// Reports every `leads to … within` under an operator other than `always`, `and` and `all`. `under` is the
    /// innermost such operator around the formula.
    pub(crate) fn misplaced_deadlines(&mut self, formula: &Formula, under: Option<&str>) {
        let (word, inside): (&str, Vec<&Formula>) = match &formula.kind {
            FormulaKind::State(_) => return,
            FormulaKind::LeadsToWithin { .. } => {
                if let Some(word) = under {
                    let text = format!("`leads to … within` under `{word}`: not in this version");
                    self.report(
                        Diagnostic::error(codes::NOT_IN_THIS_VERSION, formula.span, text).note(
                            "it counts from every moment of the run, so it stands alone or under `always`, `and` and `all`; a claim of its own can say the rest",
                        ),
                    );
                }
                return;
            }
            FormulaKind::Always(a) | FormulaKind::All { body: a, .. } => {
                return self.misplaced_deadlines(a, under);
            }
            FormulaKind::And(a, b) => {
                self.misplaced_deadlines(a, under);
                return self.misplaced_deadlines(b, under);
            }
            FormulaKind::Not(a) => ("not", vec![a]),
            FormulaKind::Eventually(a) => ("eventually", vec![a]),
            FormulaKind::Exists { body: a, .. } => ("exists", vec![a]),
            FormulaKind::Or(a, b) => ("or", vec![a, b]),
            FormulaKind::Implies(a, b) => ("implies", vec![a, b]),
            FormulaKind::Until(a, b) => ("until", vec![a, b]),
            FormulaKind::LeadsTo(a, b) => ("leads to", vec![a, b]),
        };
        for part in inside {
            self.misplaced_deadlines(part, Some(word));
        }
    }

    /// The span of the first part that reads `now`, if there is one.
    fn place_of_now(&self, e: &Expr) -> Option<Span> {
        let mut found = None;
        e.walk(&mut |part| {
            let asks = match &part.kind {
                ExprKind::Now => true,
                ExprKind::Let(id) => self.reads_now(&self.model.abbreviation(*id).value),
                ExprKind::Call(id, _) => self.reads_now(&self.model.function(*id).body),
                _ => false,
            };
            if asks && found.is_none() {
                found = Some(part.span);
            }
        });
        found
    }

    /// `None` if the value of the expression is determined when the claim is used; otherwise the span that is reported.
    /// Parameters of claims and functions are constants here.
    fn varies(&self, e: &Expr) -> Option<Span> {
        if let Some(span) = self.not_constant(e) {
            return Some(span);
        }
        let mut own: Vec<LocalId> = self.given.clone();
        e.walk(&mut |part| match &part.kind {
            ExprKind::Quantifier { var, .. }
            | ExprKind::Filter { var, .. }
            | ExprKind::Extremum { var, .. } => own.push(*var),
            ExprKind::Match(cases) => {
                own.push(cases.found);
                own.extend(cases.arms.iter().filter_map(|arm| match arm.pattern {
                    Pattern::Bind(local) => Some(local),
                    _ => None,
                }));
            }
            _ => {}
        });
        let mut found = None;
        e.walk(&mut |part| match &part.kind {
            ExprKind::Local(local) if !own.contains(local) && found.is_none() => {
                found = Some(e.span);
            }
            _ => {}
        });
        found
    }
}

fn compares(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}
