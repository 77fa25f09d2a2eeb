//! Evaluates the claims of a model on the syntax tree.

use crate::build::instances;
use crate::claims::ghosts;
use crate::expressions::types::product;
use crate::instance::data::Instance;
use crate::instance::scope::Scope;
use crate::instance::setup::Setup;
use crate::instance::state::State;
use crate::instance::value::{Res, Stop, Value, refuse};
use crate::instance::walk;
use crate::search::graph::Graph;
use syntax::ast::{self, BinaryOp, Expr, ExprKind, QuantifierKind, TemporalOp};

/// The answer to a claim or to a `possible`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Answer {
    Holds,
    Impossible,
    /// The question is not decided, and some run ends in an error or reaches a time-lock, or there is no initial state.
    Error,
    Fails,
    Possible,
}

/// The answer to a claim. `claim` is its name, its name with arguments, or a formula.
pub fn ask(file: &ast::File, setup: &Setup, claim: &Expr) -> Result<Answer, String> {
    let (answer, _) = judge(file, setup, claim).map_err(Stop::text)?;
    Ok(answer)
}

/// Like [`ask`]; also returns whether the premise of the claim holds in some reachable state.
pub(crate) fn judge(file: &ast::File, setup: &Setup, claim: &Expr) -> Res<(Answer, bool)> {
    let (mut answer, mut initial, mut happens) = (Answer::Holds, 0, false);
    for mut instance in instances::instances(file, setup)? {
        let mut parts = Vec::new();
        let scope = scope_of(&setup.arguments);
        parts_of(&instance, file, claim, scope, &mut parts)?;
        for part in &parts {
            part.keep(&mut instance)?;
        }
        // As soon as a state violates a part, the search ends.
        let mut broken = false;
        let graph = instance.explore(setup.limit, |step| {
            for part in &parts {
                broken |= part.is_broken_in(&instance, step.state)?;
                happens = happens || part.premise_holds_in(&instance, step.state)?;
            }
            Ok(!broken)
        })?;
        if broken {
            return Ok((Answer::Fails, true));
        }
        for part in &parts {
            broken |= part.is_broken_later(&instance, &graph)?;
        }
        let this = match broken {
            true => Answer::Fails,
            false if instance.has_errors(&graph) => Answer::Error,
            false => Answer::Holds,
        };
        answer = answer.max(this);
        initial += graph.initial;
    }
    let answer = if initial == 0 { Answer::Error } else { answer };
    Ok((answer, happens))
}

/// Whether a run reaches a state that satisfies the condition.
pub fn possible(file: &ast::File, setup: &Setup, condition: &Expr) -> Result<Answer, String> {
    let answer = || {
        let mut answer = Answer::Impossible;
        let mut initial = 0;
        for mut instance in instances::instances(file, setup)? {
            let scope = scope_of(&setup.arguments);
            ghosts::keep(&mut instance, condition, &scope, &[])?;
            let mut found = false;
            let graph = instance.explore(setup.limit, |step| {
                found = instance.is_true(condition, &scope, step.state)?;
                Ok(!found)
            })?;
            if found {
                return Ok(Answer::Possible);
            }
            if instance.has_errors(&graph) {
                answer = Answer::Error;
            }
            initial += graph.initial;
        }
        Ok(if initial == 0 { Answer::Error } else { answer })
    };
    answer().map_err(Stop::text)
}

/// The latest time, in the numbers of the file, at which a condition holds in some run; `None` if it never holds. The
/// result `horizon` stands for that time and all later ones.
pub fn latest(
    file: &ast::File,
    setup: &Setup,
    condition: &Expr,
    horizon: i128,
) -> Result<Option<i128>, String> {
    let answer = || {
        let mut latest = None;
        for mut instance in instances::instances(file, setup)? {
            let scope = scope_of(&setup.arguments);
            if ghosts::reads_now(&instance, condition) {
                return refuse("`now` in a condition whose latest time is asked for");
            }
            ghosts::keep(&mut instance, condition, &scope, &[])?;
            ghosts::keep_now(&mut instance, &[horizon], 1)?;
            let mut units = None;
            instance.explore(setup.limit, |step| {
                if instance.is_true(condition, &scope, step.state)? {
                    units = units.max(Some(step.state.now));
                }
                Ok(true)
            })?;
            if let (Some(units), Some(clock)) = (units, &instance.clock) {
                latest = latest.max(Some(clock.time(units)?.min(horizon)));
            }
        }
        Ok(latest)
    };
    answer().map_err(Stop::text)
}

fn scope_of(arguments: &[(String, Value)]) -> Scope {
    Scope {
        me: None,
        locals: arguments.to_vec(),
    }
}

/// A conjunct of a claim, with the names bound around it.
enum Part<'e> {
    Always(&'e Expr, Scope),
    Eventually(&'e Expr, Scope),
    /// The first condition leads to the second, within the given time if there is one.
    LeadsTo(&'e Expr, &'e Expr, Option<i128>, Scope),
}

/// Splits a claim into conjuncts at `and`, and at `all` over sets that do not depend on the state.
fn parts_of<'e>(
    instance: &Instance,
    file: &'e ast::File,
    claim: &'e Expr,
    mut scope: Scope,
    parts: &mut Vec<Part<'e>>,
) -> Res<()> {
    match &walk::bare(claim).kind {
        // `always` is idempotent, and redundant around `leads to` and conjunctions of such formulas.
        ExprKind::Temporal(TemporalOp::Always, inner) if is_temporal(inner) => {
            if contains_eventually(inner) {
                return refuse("`eventually` inside of `always`");
            }
            parts_of(instance, file, inner, scope, parts)
        }
        ExprKind::Temporal(TemporalOp::Always, inner) => {
            parts.push(Part::Always(inner, scope));
            Ok(())
        }
        ExprKind::LeadsTo(p, q, within) if !is_temporal(p) && !is_temporal(q) => {
            let within = match within {
                None => None,
                Some(x) => Some(instance.eval(x, &State::empty(), &mut scope)?.int()?),
            };
            parts.push(Part::LeadsTo(p, q, within, scope));
            Ok(())
        }
        ExprKind::LeadsTo(..) => refuse("`leads to` of something temporal"),
        ExprKind::Temporal(TemporalOp::Eventually, inner) if !is_temporal(inner) => {
            parts.push(Part::Eventually(inner, scope));
            Ok(())
        }
        ExprKind::Temporal(..) => refuse("`eventually` of something temporal"),
        ExprKind::Until(..) => refuse("`until`"),
        ExprKind::Binary(BinaryOp::And, a, b) if is_temporal(a) && is_temporal(b) => {
            parts_of(instance, file, a, scope.clone(), parts)?;
            parts_of(instance, file, b, scope, parts)
        }
        ExprKind::Quantifier {
            kind: QuantifierKind::All,
            vars,
            domain,
            body,
        } if is_temporal(body) => {
            let domain = instance.eval(domain, &State::empty(), &mut scope)?.set()?;
            let domain: Vec<Value> = domain.into_iter().collect();
            for values in product(vec![domain; vars.len()])? {
                let mut inner = scope.clone();
                for (var, value) in vars.iter().zip(values) {
                    inner.bind(&var.text, value);
                }
                parts_of(instance, file, body, inner, parts)?;
            }
            Ok(())
        }
        ExprKind::Name(name) => call(instance, file, &name.text, &[], scope, parts),
        ExprKind::Call(name, given) => call(instance, file, &name.text, given, scope, parts),
        _ => refuse("a claim of another form than `always`, `eventually` and `leads to`"),
    }
}

/// Splits a claim given by its name, with arguments.
fn call<'e>(
    instance: &Instance,
    file: &'e ast::File,
    name: &str,
    given: &[Expr],
    mut scope: Scope,
    parts: &mut Vec<Part<'e>>,
) -> Res<()> {
    let claims = file.items.iter().filter_map(|item| match item {
        ast::Item::Claim(claim) => Some(claim),
        _ => None,
    });
    let Some(claim) = { claims }.find(|claim| claim.name.text == name) else {
        return refuse(format!("there is no claim `{name}`"));
    };
    if claim.parameters.len() != given.len() {
        return refuse(format!("`{name}` with another number of arguments"));
    }
    let mut inner = Scope::default();
    for (parameter, argument) in claim.parameters.iter().zip(given) {
        let value = instance.eval(argument, &State::empty(), &mut scope)?;
        let ty = &parameter.ty;
        let value = instance.conform(value, ty, &State::empty(), &mut Scope::default())?;
        inner.bind(&parameter.name.text, value);
    }
    parts_of(instance, file, &claim.formula, inner, parts)
}

fn is_temporal(e: &Expr) -> bool {
    let mut temporal = false;
    walk::inside(e, &mut |part| {
        temporal |= matches!(
            part.kind,
            ExprKind::Temporal(..) | ExprKind::Until(..) | ExprKind::LeadsTo(..)
        );
    });
    temporal
}

fn contains_eventually(e: &Expr) -> bool {
    let mut found = false;
    walk::inside(e, &mut |part| {
        found |= matches!(part.kind, ExprKind::Temporal(TemporalOp::Eventually, _));
    });
    found
}

impl Part<'_> {
    /// Adds the ghost data that the part reads to the states of the instance.
    fn keep(&self, instance: &mut Instance) -> Res<()> {
        let (conditions, within, scope) = match self {
            Part::Always(condition, scope) => {
                return ghosts::keep(instance, condition, scope, &[]);
            }
            Part::Eventually(q, scope) => (vec![q], None, scope),
            Part::LeadsTo(p, q, within, scope) => (vec![p, q], *within, scope),
        };
        for condition in conditions {
            if ghosts::reads_now(instance, condition) {
                return refuse("`now` inside of `leads to` or `eventually`");
            }
            ghosts::keep(instance, condition, scope, within.as_slice())?;
        }
        Ok(())
    }

    /// Whether a state alone violates the part.
    fn is_broken_in(&self, instance: &Instance, state: &State) -> Res<bool> {
        match self {
            Part::Always(condition, scope) => Ok(!instance.is_true(condition, scope, state)?),
            Part::Eventually(..) | Part::LeadsTo(..) => Ok(false),
        }
    }

    /// Whether the premise of the part holds in a state; true if it has no premise.
    fn premise_holds_in(&self, instance: &Instance, state: &State) -> Res<bool> {
        match self {
            Part::Always(condition, scope) => match &walk::bare(condition).kind {
                ExprKind::Binary(BinaryOp::Implies, p, _) => instance.is_true(p, scope, state),
                _ => Ok(true),
            },
            Part::Eventually(..) => Ok(true),
            Part::LeadsTo(p, _, _, scope) => instance.is_true(p, scope, state),
        }
    }

    /// Whether some run violates the part because its goal is never reached, or too late.
    fn is_broken_later(&self, instance: &Instance, graph: &Graph) -> Res<bool> {
        let truth = |condition: &Expr, scope: &Scope| -> Res<Vec<bool>> {
            let states = (0..graph.size()).map(|place| graph.state(place));
            states
                .map(|state| instance.is_true(condition, scope, &state))
                .collect()
        };
        match self {
            Part::Always(..) => Ok(false),
            Part::Eventually(q, scope) => {
                instance.check_urgency()?;
                let avoids = graph.avoiding(&truth(q, scope)?);
                Ok(avoids[..graph.initial].contains(&true))
            }
            Part::LeadsTo(p, q, None, scope) => {
                instance.check_urgency()?;
                let avoids = graph.avoiding(&truth(q, scope)?);
                Ok(truth(p, scope)?.iter().zip(avoids).any(|(p, a)| *p && a))
            }
            Part::LeadsTo(p, q, Some(within), scope) => {
                let Some(clock) = &instance.clock else {
                    return refuse("`within` without time");
                };
                let within = clock.units(*within)?;
                Ok(graph.misses(&truth(p, scope)?, &truth(q, scope)?, within))
            }
        }
    }
}
