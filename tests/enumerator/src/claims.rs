//! Claims as they are written, and their answers: what always holds, and what follows within a time.

use crate::eval::Scope;
use crate::explore::Explored;
use crate::instance::Instance;
use crate::state::State;
use crate::types::product;
use crate::value::{Res, Stop, Value, refuse};
use crate::{Setup, build, ghosts, walk};
use std::collections::HashSet;
use syntax::ast::{self, BinaryOp, Expr, ExprKind, QuantifierKind, TemporalOp};

/// What is true of a claim, or of something asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Answer {
    Holds,
    Impossible,
    /// No run decides it, and some run ends in an error, or some state lets time not go on for ever.
    Error,
    Fails,
    Possible,
}

/// Whether a claim holds: its name, its name with arguments, or a formula.
pub fn ask(file: &ast::File, setup: &Setup, claim: &Expr) -> Result<Answer, String> {
    let answer = || {
        let mut answer = Answer::Holds;
        let mut initial = 0;
        for instance in build::instances(file, setup)? {
            let mut parts = Vec::new();
            let scope = scope_of(&setup.arguments);
            parts_of(&instance, file, claim, scope, &mut parts)?;
            for part in parts {
                let (broken, explored) = part.judge(&instance, setup)?;
                answer = answer.max(verdict(broken, &explored, Answer::Fails, Answer::Holds));
                initial += explored.initial;
            }
        }
        Ok(if initial == 0 { Answer::Error } else { answer })
    };
    answer().map_err(Stop::text)
}

/// Whether a run reaches a condition.
pub fn possible(file: &ast::File, setup: &Setup, condition: &Expr) -> Result<Answer, String> {
    let answer = || {
        let mut answer = Answer::Impossible;
        let mut initial = 0;
        for mut instance in build::instances(file, setup)? {
            let scope = scope_of(&setup.arguments);
            ghosts::keep(&mut instance, condition, &scope, &[])?;
            let (found, explored) = find(&instance, setup, condition, &scope, true)?;
            initial += explored.initial;
            let this = verdict(found, &explored, Answer::Possible, Answer::Impossible);
            answer = answer.max(this);
        }
        Ok(if initial == 0 { Answer::Error } else { answer })
    };
    answer().map_err(Stop::text)
}

/// The latest time at which a condition holds in some run, in the numbers of the file; the horizon stands for
/// itself and for every later time.
pub fn latest(
    file: &ast::File,
    setup: &Setup,
    condition: &Expr,
    horizon: i128,
) -> Result<Option<i128>, String> {
    let answer = || {
        let mut latest = None;
        for mut instance in build::instances(file, setup)? {
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

fn verdict(found: bool, explored: &Explored, yes: Answer, no: Answer) -> Answer {
    match found {
        true => yes,
        false if explored.errors > 0 || explored.time_ends => Answer::Error,
        false => no,
    }
}

/// Whether a state is reachable in which the condition is as wanted; if not, everything was seen.
pub(crate) fn find(
    instance: &Instance,
    setup: &Setup,
    condition: &Expr,
    scope: &Scope,
    wanted: bool,
) -> Res<(bool, Explored)> {
    let mut found = false;
    let explored = instance.explore(setup.limit, |step| {
        found = instance.is_true(condition, scope, step.state)? == wanted;
        Ok(!found)
    })?;
    Ok((found, explored))
}

/// What a claim says, taken apart.
enum Part<'e> {
    Always(&'e Expr, Scope),
    /// p leads to q within x.
    Follows(&'e Expr, &'e Expr, i128, Scope),
}

/// Takes a claim apart: `and`, and `all` over constants, outside of temporal operators.
fn parts_of<'e>(
    instance: &Instance,
    file: &'e ast::File,
    claim: &'e Expr,
    mut scope: Scope,
    parts: &mut Vec<Part<'e>>,
) -> Res<()> {
    match &walk::bare(claim).kind {
        ExprKind::Temporal(TemporalOp::Always, inner) if is_temporal(inner) => {
            parts_of(instance, file, inner, scope, parts)
        }
        ExprKind::Temporal(TemporalOp::Always, inner) => {
            parts.push(Part::Always(inner, scope));
            Ok(())
        }
        ExprKind::LeadsTo(p, q, Some(within)) if !is_temporal(p) && !is_temporal(q) => {
            let within = instance.eval(within, &State::empty(), &mut scope)?.int()?;
            parts.push(Part::Follows(p, q, within, scope));
            Ok(())
        }
        ExprKind::LeadsTo(..) => refuse("`leads to` without a time, or of something temporal"),
        ExprKind::Temporal(TemporalOp::Eventually, _) => refuse("`eventually`"),
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
        _ => refuse("a claim of another form than `always …` and `… leads to … within …`"),
    }
}

/// A claim by its name, with arguments.
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

impl Part<'_> {
    /// Whether some run breaks it, and what else was seen.
    fn judge(&self, instance: &Instance, setup: &Setup) -> Res<(bool, Explored)> {
        let mut instance = instance.clone();
        match self {
            Part::Always(condition, scope) => {
                ghosts::keep(&mut instance, condition, scope, &[])?;
                find(&instance, setup, condition, scope, false)
            }
            Part::Follows(p, q, within, scope) => {
                if ghosts::reads_now(&instance, p) || ghosts::reads_now(&instance, q) {
                    return refuse("`now` inside of `leads to`");
                }
                let times = [*within];
                ghosts::keep(&mut instance, p, scope, &times)?;
                ghosts::keep(&mut instance, q, scope, &times)?;
                if breaks(&instance, setup.limit, p, q, *within, scope)? {
                    return Ok((true, Explored::default()));
                }
                Ok((false, instance.explore(setup.limit, |_| Ok(true))?))
            }
        }
    }
}

/// Whether some run passes through p and then, until more than the time has passed, never through q.
fn breaks(
    instance: &Instance,
    limit: usize,
    p: &Expr,
    q: &Expr,
    within: i128,
    scope: &Scope,
) -> Res<bool> {
    let Some(clock) = &instance.clock else {
        return refuse("`within` without time");
    };
    let within = clock.units(within)?;
    // A state, and how much time is left for q if p was chosen to be the one that it does not follow.
    let mut todo: Vec<(State, Option<i128>)> = Vec::new();
    for state in instance.initial_states(limit)? {
        todo.push((state, None));
    }
    let mut seen: HashSet<(State, Option<i128>)> = HashSet::new();
    while let Some((state, left)) = todo.pop() {
        if !seen.insert((state.clone(), left)) {
            continue;
        }
        if seen.len() > limit {
            return refuse(format!("more than {limit} states"));
        }
        if left.is_some() && instance.is_true(q, scope, &state)? {
            continue;
        }
        if left.is_none() && instance.is_true(p, scope, &state)? {
            todo.push((state.clone(), Some(within)));
        }
        for after in instance.successors(&state)?.into_iter().flatten() {
            todo.push((after, left));
        }
        match (instance.later(&state), left) {
            (Some(_), Some(0)) => return Ok(true),
            (Some(later), left) => todo.push((later, left.map(|left| left - 1))),
            (None, _) => {}
        }
    }
    Ok(false)
}
