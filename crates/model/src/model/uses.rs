//! Uses of parameters and abbreviations, and whether the declared times are affine in a parameter.
//!
//! Name resolution records every use of a parameter or abbreviation ([`Use`]). This module classifies the uses of one
//! parameter: in declared times of schedules and delays, in parts that do not matter for the check, and elsewhere.

use crate::{
    BinaryOp, Body, Check, Delay, Every, Expr, ExprKind, First, Head, LetId, Model, Network,
    ParamId, Schedule, Type,
};
use source::Span;

/// A use of a parameter or abbreviation in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The parameter or abbreviation.
    pub of: Used,
    /// The span of the use.
    pub span: Span,
}

/// A parameter or an abbreviation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Used {
    Param(ParamId),
    Let(LetId),
}

/// How a check depends on a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterUse {
    /// Only through declared times of schedules and delays. Each of them is a multiple of the parameter plus a
    /// constant.
    InTimes,
    /// Through a time that is not a multiple of the parameter plus a constant: its span.
    NotAffine(Span),
    /// Through a use at this span that is not in a declared time.
    Elsewhere(Span),
    /// Not at all.
    Nowhere,
}

impl Model {
    /// How a check depends on a parameter, directly or through values computed from it. If the dependence cannot be
    /// determined, the result is `Elsewhere`.
    pub fn parameter_use(&self, param: ParamId, check: &Check) -> ParameterUse {
        let times = self.declared_times();
        let mut names = vec![Used::Param(param)];
        let mut in_times = false;
        let mut next = 0;
        while let Some(name) = names.get(next).copied() {
            next += 1;
            for place in self.uses.iter().filter(|place| place.of == name) {
                let inside = |span: Span| holds(span, place.span);
                if times.iter().any(|time| inside(time.span)) {
                    in_times = true;
                    continue;
                }
                let param = self.params.iter().position(|p| inside(p.value.span));
                let let_ = self.lets.iter().position(|l| inside(l.value.span));
                let computed = match (param, let_) {
                    (Some(index), _) => Used::Param(ParamId(index as u32)),
                    (_, Some(index)) => Used::Let(LetId(index as u32)),
                    _ if self.is_irrelevant(place.span, check) => continue,
                    _ => return ParameterUse::Elsewhere(place.span),
                };
                if *self.type_of(computed) != Type::Duration {
                    return ParameterUse::Elsewhere(place.span);
                }
                if !names.contains(&computed) {
                    names.push(computed);
                }
            }
        }
        let values = names[1..].iter().map(|name| match name {
            Used::Param(param) => &self.param(*param).value,
            Used::Let(id) => &self.abbreviation(*id).value,
        });
        let mut bent = times
            .into_iter()
            .chain(values)
            .filter(|e| !is_affine(e, &names));
        match bent.next() {
            Some(e) => ParameterUse::NotAffine(e.span),
            None if in_times => ParameterUse::InTimes,
            None => ParameterUse::Nowhere,
        }
    }

    fn type_of(&self, name: Used) -> &Type {
        match name {
            Used::Param(param) => &self.param(param).value.ty,
            Used::Let(id) => &self.abbreviation(id).value.ty,
        }
    }

    /// Whether a span does not matter for the check: it is in another check, in the expected answer, or in a claim
    /// that the check does not name.
    fn is_irrelevant(&self, place: Span, check: &Check) -> bool {
        let asked = |claim: usize| {
            let mut claims = check.question.claims().iter();
            claims.any(|used| used.claim.index() == claim)
        };
        let mut claims = self.claims.iter().enumerate();
        let mut checks = self.checks.iter();
        checks.any(|other| other.span != check.span && holds(other.span, place))
            || check.expect.iter().any(|answer| holds(answer.span, place))
            || claims.any(|(c, claim)| !asked(c) && holds(claim.formula.span, place))
    }

    /// All declared times of schedules and delays, in the file and in its worlds.
    fn declared_times(&self) -> Vec<&Expr> {
        let mut times = Vec::new();
        let bodies = self.kinds.iter().map(|kind| &kind.body);
        let bodies = bodies.chain(self.variants.iter().map(|variant| &variant.body));
        bodies.for_each(|body| times_of_body(body, &mut times));
        let worlds = self.worlds.iter();
        let replaced = worlds.flat_map(|world| world.timings.iter().map(|(_, schedule)| schedule));
        let named = self.timings.iter().map(|timing| &timing.schedule);
        named
            .chain(replaced)
            .for_each(|schedule| times_of_schedule(schedule, &mut times));
        let networks = self
            .worlds
            .iter()
            .filter_map(|world| world.network.as_ref());
        for network in networks.chain(self.network.as_ref()) {
            times_of_network(network, &mut times);
        }
        times
    }
}

fn times_of_body<'m>(body: &'m Body, times: &mut Vec<&'m Expr>) {
    for block in &body.blocks {
        if let Head::Every(Every::Own(schedule)) = &block.head {
            times_of_schedule(schedule, times);
        }
    }
}

fn times_of_schedule<'m>(schedule: &'m Schedule, times: &mut Vec<&'m Expr>) {
    let Schedule::Periodic(periodic) = schedule else {
        return;
    };
    times.extend([&periodic.gap.0, &periodic.gap.1]);
    times.extend(periodic.jitter.as_ref().map(|jitter| &jitter.amount));
    if let Some((from, to)) = &periodic.first {
        for end in [from, to] {
            if let First::At(time) = end {
                times.push(time);
            }
        }
    }
}

fn times_of_network<'m>(network: &'m Network, times: &mut Vec<&'m Expr>) {
    if let Some(Delay::Within(interval)) = &network.delay {
        times.extend([&interval.from, &interval.to]);
    }
}

/// Whether `outer` contains `inner`.
fn holds(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

/// Whether an expression is affine in these names: a sum of multiples of them and a constant.
fn is_affine(e: &Expr, names: &[Used]) -> bool {
    if !mentions(e, names) {
        return true;
    }
    let affine = |e: &Expr| is_affine(e, names);
    match &e.kind {
        ExprKind::Param(_) | ExprKind::Let(_) => true,
        ExprKind::Neg(inner) => affine(inner),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => affine(a) && affine(b),
        ExprKind::Binary(BinaryOp::Mul, a, b) => {
            (affine(a) && !mentions(b, names)) || (affine(b) && !mentions(a, names))
        }
        ExprKind::Binary(BinaryOp::Div, a, b) => affine(a) && !mentions(b, names),
        _ => false,
    }
}

fn mentions(e: &Expr, names: &[Used]) -> bool {
    let mut found = false;
    e.walk(&mut |part| {
        found |= match part.kind {
            ExprKind::Param(id) => names.contains(&Used::Param(id)),
            ExprKind::Let(id) => names.contains(&Used::Let(id)),
            _ => false,
        }
    });
    found
}
