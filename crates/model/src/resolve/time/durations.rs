//! Times: numbers with units, intervals, and the schedules after `every` and `timing t:`.

use crate::resolve::context::globals::Global;
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Place, Scope};
use crate::resolve::context::suggest::suggest_or_list;
use crate::{
    BinaryOp, Environment, Every, Expr, ExprKind, First, Interval, Jitter, Periodic, Schedule,
    TimingError, Type, Unit,
};
use rational::Rational;
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, Item, Name};

/// The beginning of messages about the times after `first`.
const FIRST: &str = "what `first` says is";

impl Resolver<'_> {
    /// Resolves the named timings of the file, and their replacements in worlds.
    pub(crate) fn timings(&mut self) {
        let file = self.trees.file;
        let mut index = 0;
        for item in &file.items {
            if let Item::Timing(tree) = item {
                if let Some(schedule) = self.complete_schedule(&tree.every) {
                    self.model.timings[index].schedule = schedule;
                }
                index += 1;
            }
        }
        for index in 0..self.trees.worlds.len() {
            let mut seen: Vec<&Name> = Vec::new();
            for item in &self.trees.worlds[index].items {
                let Item::Timing(tree) = item else {
                    continue;
                };
                if let Some(first) = seen.iter().find(|n| n.text == tree.name.text) {
                    let first = first.span;
                    self.duplicate(&tree.name, first, "for timings of this world");
                    continue;
                }
                seen.push(&tree.name);
                let schedule = self.complete_schedule(&tree.every);
                match self.globals.get(&tree.name.text) {
                    Some(Global::Timing(id)) => {
                        let replaced = schedule.map(|schedule| (*id, schedule));
                        self.model.worlds[index].timings.extend(replaced);
                    }
                    _ => self.unknown_timing(&tree.name),
                }
            }
        }
    }

    /// The schedule after `every` of a block. `None` after a reported error.
    pub(crate) fn every(&mut self, tree: &ast::Every) -> Option<Every> {
        if let ast::Every::Named(name) = tree {
            match self.globals.get(&name.text) {
                Some(Global::Timing(id)) => return Some(Every::Named(*id)),
                Some(_) => {}
                None => {
                    self.unknown_timing(name);
                    return None;
                }
            }
        }
        self.schedule(tree).map(Every::Own)
    }

    /// The duration for a number with a unit, or for a fraction without one. Reports a fraction without a unit in a
    /// file with units.
    pub(crate) fn time(&mut self, number: Rational, unit: Option<Unit>, span: Span) -> Expr {
        match self.model.in_unit(number, unit) {
            Some(time) => Expr {
                kind: ExprKind::Duration(time),
                ty: Type::Duration,
                span,
            },
            None => {
                self.report(
                    Diagnostic::error(codes::BARE_DIVISION, span, "numbers are whole here").note(
                        format!(
                            "fractions are for times only, and those have a unit: `{} {}`",
                            self.text(span),
                            self.model.unit.map_or("ms", Unit::name)
                        ),
                    ),
                );
                Expr::error(span)
            }
        }
    }

    /// In a file without units, a number converted to a duration; any other expression unchanged.
    pub(crate) fn plain_time(&self, e: Expr) -> Expr {
        if self.model.unit.is_some() || e.ty != Type::Int {
            return e;
        }
        let span = e.span;
        let kind = match e.kind {
            ExprKind::Int(i) => ExprKind::Duration(Rational::from(i)),
            _ => {
                let one = Expr {
                    kind: ExprKind::Duration(Rational::ONE),
                    ty: Type::Duration,
                    span,
                };
                ExprKind::Binary(BinaryOp::Mul, Box::new(e), Box::new(one))
            }
        };
        Expr {
            kind,
            ty: Type::Duration,
            span,
        }
    }

    /// A number as it would be written as a time in this file, for messages.
    pub(crate) fn with_unit(&self, e: &Expr) -> String {
        let unit = self.model.unit.map_or("ms", Unit::name);
        match e.kind {
            ExprKind::Int(i) => format!("{i} {unit}"),
            _ => format!("{} * 1 {unit}", self.text(e.span)),
        }
    }

    fn unknown_timing(&mut self, name: &Name) {
        let mut known: Vec<String> = self.model.timings.iter().map(|t| t.name.clone()).collect();
        known.dedup();
        let text = format!("there is no timing `{}`", name.text);
        let diagnostic = Diagnostic::error(codes::UNKNOWN_TIMING, name.span, text);
        let diagnostic = match known.is_empty() {
            true => diagnostic.note(format!(
                "declare it, `timing {}: 49 ms .. 51 ms`, or write `every any`, `every round` or times",
                name.text
            )),
            false => suggest_or_list(diagnostic, "timing", name, &known),
        };
        self.report(diagnostic);
    }

    /// The schedule of a `timing`, which must not be the name of an unknown timing. `None` after a reported error.
    fn complete_schedule(&mut self, tree: &ast::Every) -> Option<Schedule> {
        if let ast::Every::Named(name) = tree
            && !self.globals.contains_key(&name.text)
        {
            self.unknown_timing(name);
            return None;
        }
        self.schedule(tree)
    }

    fn schedule(&mut self, tree: &ast::Every) -> Option<Schedule> {
        match tree {
            ast::Every::Any(_) => Some(Schedule::Any),
            ast::Every::Round(None, _) => Some(Schedule::Round(None)),
            ast::Every::Round(Some(ahead), _) => {
                let ahead = self.constant_number(ahead);
                if self.literal(&ahead).is_some_and(|ahead| ahead < 1) {
                    let text =
                        "nobody could begin: a node must be able to be one ahead of the others";
                    self.error(codes::BAD_TIMING, ahead.span, text);
                    return None;
                }
                (!ahead.ty.is_error()).then_some(Schedule::Round(Some(ahead)))
            }
            ast::Every::Named(name) => {
                let interval = ast::Expr {
                    kind: ast::ExprKind::Name(name.clone()),
                    span: name.span,
                };
                self.periodic(&interval, false, None, None, name.span)
            }
            ast::Every::Gap {
                interval,
                fixed,
                jitter,
                first,
                span,
            } => self.periodic(interval, *fixed, jitter.as_ref(), first.as_ref(), *span),
        }
    }

    fn periodic(
        &mut self,
        interval: &ast::Expr,
        fixed: bool,
        jitter: Option<&ast::Jitter>,
        first: Option<&ast::Expr>,
        span: Span,
    ) -> Option<Schedule> {
        if self.without_times(interval) {
            return None;
        }
        let gap = self.interval(interval, "a gap is", None);
        let jitter = jitter.map(|j| self.jitter(j));
        let first = first.map(|f| self.first(f));
        let broken = |e: &Expr| e.ty.is_error();
        let broken_first = |first: &First| matches!(first, First::At(e) if e.ty.is_error());
        if broken(&gap.0)
            || broken(&gap.1)
            || jitter.as_ref().is_some_and(|j| broken(&j.amount))
            || first
                .as_ref()
                .is_some_and(|(a, b)| broken_first(a) || broken_first(b))
        {
            return None;
        }
        let periodic = Periodic {
            gap,
            fixed,
            jitter,
            first,
            span,
        };
        // Times that depend on parameters are checked when the parameters have values.
        let certain = periodic.times(&self.model, &Environment::new(&self.model, &[]));
        if let Err(TimingError::Bad(span, text)) = certain {
            self.error(codes::BAD_TIMING, span, text);
            return None;
        }
        Some(Schedule::Periodic(Box::new(periodic)))
    }

    /// Reports `any`, `round` or the name of a timing where gaps are expected, and returns whether it is one of
    /// these.
    fn without_times(&mut self, interval: &ast::Expr) -> bool {
        let word = match &interval.kind {
            ast::ExprKind::Any(_) => "any",
            ast::ExprKind::Name(name) | ast::ExprKind::Call(name, _) if name.text == "round" => {
                "round"
            }
            ast::ExprKind::Name(name)
                if matches!(self.globals.get(&name.text), Some(Global::Timing(_))) =>
            {
                let text = format!("the timing `{}` says everything itself", name.text);
                self.report(
                    Diagnostic::error(codes::BAD_TIMING, interval.span, text).note(
                        "write `every` and its name alone; `fixed`, `jitter` and `first` stand where gaps are given",
                    ),
                );
                return true;
            }
            _ => return false,
        };
        let text = format!("`{word}` has no times: `fixed`, `jitter` and `first` belong to gaps");
        self.report(
            Diagnostic::error(codes::BAD_TIMING, interval.span, text)
                .note("gaps are written as times: `every 49 ms .. 51 ms fixed`"),
        );
        true
    }

    /// The ends of an interval: `a .. b`, `x ± y`, or one time for both ends. `holder` is the beginning of messages,
    /// such as "a gap is". If `code` is the scope of node code, the times may depend on the variables of the node;
    /// otherwise they must be constant.
    pub(crate) fn interval(
        &mut self,
        e: &ast::Expr,
        holder: &str,
        mut code: Option<&mut Scope>,
    ) -> (Expr, Expr) {
        match &e.kind {
            ast::ExprKind::Paren(inner) => self.interval(inner, holder, code),
            ast::ExprKind::Range(a, b) => (
                self.a_time(a, holder, code.as_deref_mut()),
                self.a_time(b, holder, code),
            ),
            ast::ExprKind::PlusMinus {
                middle: Some(middle),
                deviation,
                relative,
            } => {
                let middle = self.a_time(middle, holder, code.as_deref_mut());
                let deviation = match relative {
                    Some(part) => self.share(&middle, deviation, *part),
                    None => self.a_time(deviation, "what stands behind `±` is", code),
                };
                let end = |op| combined(op, middle.clone(), deviation.clone(), e.span);
                (end(BinaryOp::Sub), end(BinaryOp::Add))
            }
            // In node code, `if` can choose between two intervals.
            ast::ExprKind::If(c, a, b) if code.is_some() => {
                let Some(scope) = code else {
                    unreachable!("matched above");
                };
                let (c, bindings) = self.condition(c, scope, "`if`");
                let depth = scope.enter();
                scope.substitute(&bindings);
                let a = self.interval(a, holder, Some(&mut *scope));
                scope.leave(depth);
                let b = self.interval(b, holder, Some(scope));
                let branch = |a: Expr, b: Expr| Expr {
                    ty: match a.ty.is_error() || b.ty.is_error() || c.ty.is_error() {
                        true => Type::Error,
                        false => Type::Duration,
                    },
                    kind: ExprKind::If(Box::new(c.clone()), Box::new(a), Box::new(b)),
                    span: e.span,
                };
                (branch(a.0, b.0), branch(a.1, b.1))
            }
            _ => {
                let one = self.a_time(e, holder, code);
                (one.clone(), one)
            }
        }
    }

    /// The given share (`part / whole`, for example 1/100) of a time, multiplied by `amount`: `5 %` of x.
    fn share(&mut self, of: &Expr, amount: &ast::Expr, (part, whole): (i128, i128)) -> Expr {
        let factor = Rational::new(part, whole);
        let (factor, times) = match amount.kind {
            ast::ExprKind::Number {
                numerator,
                denominator,
                unit: None,
            } => (factor * Rational::new(numerator, denominator), None),
            _ => (factor, Some(self.constant_number(amount))),
        };
        let span = amount.span;
        let number = |of: Rational| {
            of.to_i64().map(|i| Expr {
                kind: ExprKind::Int(i),
                ty: Type::Int,
                span,
            })
        };
        let parts = number(factor.numerator().into()).zip(number(factor.denominator().into()));
        let Some((above, below)) = parts else {
            self.error(codes::NUMBER_TOO_LARGE, span, "this number is too large");
            return Expr::error(span);
        };
        let mut share = combined(BinaryOp::Mul, of.clone(), above, span);
        if let Some(times) = times {
            share = combined(BinaryOp::Mul, share, times, span);
        }
        combined(BinaryOp::Div, share, below, span)
    }

    fn jitter(&mut self, tree: &ast::Jitter) -> Jitter {
        let amount = match &tree.amount.kind {
            ast::ExprKind::PlusMinus {
                middle: None,
                deviation,
                relative: None,
            } => self.constant_time(deviation, "a jitter is"),
            ast::ExprKind::PlusMinus {
                relative: Some(_), ..
            } => {
                self.refuse(tree.amount.span, "a jitter as a part of the period");
                Expr::error(tree.amount.span)
            }
            ast::ExprKind::Error => Expr::error(tree.amount.span),
            _ => {
                let text = "a jitter goes both ways: it is written with `±`";
                self.report(
                    Diagnostic::error(codes::BAD_TIMING, tree.amount.span, text)
                        .note("write `jitter ± 0.5 ms per gap`, without a middle"),
                );
                Expr::error(tree.amount.span)
            }
        };
        Jitter {
            amount,
            on_the_grid: tree.on_the_grid,
            span: tree.span,
        }
    }

    fn first(&mut self, e: &ast::Expr) -> (First, First) {
        match &e.kind {
            ast::ExprKind::Paren(inner) => self.first(inner),
            ast::ExprKind::Range(a, b) => (self.first_bound(a), self.first_bound(b)),
            ast::ExprKind::Name(_) => {
                let bound = self.first_bound(e);
                (bound.clone(), bound)
            }
            _ => {
                let (a, b) = self.interval(e, FIRST, None);
                (First::At(a), First::At(b))
            }
        }
    }

    fn first_bound(&mut self, e: &ast::Expr) -> First {
        match &e.kind {
            ast::ExprKind::Name(name)
                if name.text == "period" && !self.globals.contains_key("period") =>
            {
                First::Period(e.span)
            }
            _ => First::At(self.constant_time(e, FIRST)),
        }
    }

    /// An interval of times; `None` after a reported error. For `holder` and `code` see [`Resolver::interval`];
    /// `what` is the beginning of messages about impossible times, such as "a message would travel".
    pub(crate) fn span_of_time(
        &mut self,
        e: &ast::Expr,
        holder: &str,
        what: &str,
        code: Option<&mut Scope>,
    ) -> Option<Interval> {
        let (from, to) = self.interval(e, holder, code);
        if from.ty.is_error() || to.ty.is_error() {
            return None;
        }
        let span = e.span;
        let interval = Interval { from, to, span };
        // Times that depend on parameters or variables are checked when these have values.
        let env = Environment::new(&self.model, &[]);
        match interval.times(&self.model, &env, what) {
            Err(TimingError::Bad(span, text)) => {
                self.error(codes::BAD_TIMING, span, text);
                None
            }
            _ => Some(interval),
        }
    }

    fn a_time(&mut self, e: &ast::Expr, holder: &str, code: Option<&mut Scope>) -> Expr {
        match code {
            Some(scope) => self.check(e, scope, &Type::Duration, holder),
            None => self.constant_time(e, holder),
        }
    }

    /// A time that must be constant; `holder` is the beginning of messages.
    pub(crate) fn constant_time(&mut self, e: &ast::Expr, holder: &str) -> Expr {
        let mut scope = Scope::new(Place::Constant);
        let typed = self.check(e, &mut scope, &Type::Duration, holder);
        self.require_constant(typed)
    }
}

fn combined(op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
    let ty = match a.ty.is_error() || b.ty.is_error() {
        true => Type::Error,
        false => Type::Duration,
    };
    Expr {
        kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
        ty,
        span,
    }
}
