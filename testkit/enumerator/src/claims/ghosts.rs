//! Data that claims read and code does not: ghost variables, counts, past faults, the time. Values that the claim
//! cannot distinguish are merged.

use crate::counters::classes::classes_with;
use crate::instance::data::Instance;
use crate::instance::scope::Scope;
use crate::instance::unit::Clock;
use crate::instance::value::{Res, Value, refuse};
use crate::instance::walk;
use syntax::ast::{Expr, ExprKind};

/// Adds the data that a condition reads to the states of an instance. `within` lists the time limits of the claim,
/// which the unit of time must divide.
pub(crate) fn keep(
    instance: &mut Instance,
    condition: &Expr,
    scope: &Scope,
    within: &[i128],
) -> Res<()> {
    instance.ghosts = true;
    instance.classes = classes_with(instance, condition, scope)?;
    let (mut counts, mut greatest) = (false, 0);
    for e in walk::with_abbreviations(condition, &instance.lets, &instance.fns) {
        walk::inside(e, &mut |part| {
            counts |= instance.counted(part).is_some();
            if let ExprKind::Number {
                numerator,
                unit: None,
                ..
            } = part.kind
            {
                greatest = numerator.max(greatest);
            }
        });
    }
    if counts {
        // A count saturates above the greatest number with which the condition can compare it.
        let times = &instance.durations;
        let params = instance.params.iter().filter(|(n, _)| !times.contains(n));
        let params = params.map(|(_, value)| value);
        for value in params.chain(scope.locals.iter().map(|(_, value)| value)) {
            if let Value::Int(number) = value {
                greatest = greatest.max(*number);
            }
        }
        instance.count_to = instance.count_to.max(Some(1 + greatest));
    }
    if reads_now(instance, condition) {
        let times = instance.compared_with_now(condition, scope)?;
        // Of several strict bounds on one time, at most two matter: the greatest lower and the least upper bound.
        let strict = if times.len() > 1 { 2 } else { 1 };
        keep_now(instance, &times, strict)?;
    }
    if !within.is_empty() {
        clock(instance)?.refine(within, 1);
    }
    Ok(())
}

/// Stores the time in the states, up to the greatest of the constants `times` with which it is compared. `strict` is
/// the number of bounds that may be strict.
pub(crate) fn keep_now(instance: &mut Instance, times: &[i128], strict: i128) -> Res<()> {
    let clock = clock(instance)?;
    clock.refine(times, strict);
    clock.keep(times.iter().copied().max().unwrap_or(0).max(0));
    Ok(())
}

/// Whether a condition reads `now`, directly or through an abbreviation.
pub(crate) fn reads_now(instance: &Instance, condition: &Expr) -> bool {
    let mut reads = false;
    for e in walk::with_abbreviations(condition, &instance.lets, &instance.fns) {
        walk::inside(e, &mut |part| reads |= walk::is_now(part));
    }
    reads
}

/// The clock; created if only the claim refers to time.
fn clock<'i>(instance: &'i mut Instance) -> Res<&'i mut Clock> {
    if instance.rounds.iter().any(Option::is_some) {
        return refuse("rounds beside times");
    }
    Ok(instance.clock.get_or_insert_with(|| Clock::new(Vec::new())))
}
