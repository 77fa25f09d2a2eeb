//! The largest or smallest value of a time parameter for which the events of a run have times in their order.
//!
//! The parameter is an additional unknown of the linear program for the times of a run (`times.rs`). All constraints
//! are closed, so the optimum is attained: for that value, the same events in the same order are a run.

use crate::concretise::times::System;
use crate::rejected::{Rejected, reject};
use crate::replay::replayed::Replayed;
use lp::{Linear, Optimum, Problem, Solver, check_optimum};
use machine::Machine;
use rational::Rational;
use verdict::{Ending, Run};

/// The Machines for two values of an affine parameter. They differ only in declared times, and each declared time is an
/// affine function of the parameter.
#[derive(Clone, Copy)]
pub struct AffineParameter<'m> {
    /// A value of the parameter, with its Machine.
    pub one: (&'m Rational, &'m Machine),
    /// Another value, with its Machine.
    pub other: (&'m Rational, &'m Machine),
}

/// The greatest (or least) value of the parameter for which the events of a run have times in their order; `None` if
/// the value is not bounded, or if there is no such value. `replayed` is the replay of the run, with or without times.
pub fn parameter_bound(
    parameter: AffineParameter<'_>,
    run: &Run,
    replayed: &Replayed,
    greatest: bool,
) -> Result<Option<Rational>, Rejected> {
    if let Ending::Loops(_) = run.ending {
        return reject("how long a loop takes is not a straight line");
    }
    let (one, other) = (parameter.one, parameter.other);
    let rows = |machine| System::of(machine, run, replayed).map(System::into_problem);
    let (Ok(here), Ok(there)) = (rows(one.1), rows(other.1)) else {
        return reject("a node that runs is not activated any more");
    };
    let mut problem = Problem::new();
    (0..here.unknowns()).for_each(|_| {
        problem.unknown();
    });
    let sought = problem.unknown();
    if here.rows().len() != there.rows().len() {
        return reject("two values of the parameter demand different things");
    }
    for (a, b) in here.rows().iter().zip(there.rows()) {
        if (&a.left, a.relation) != (&b.left, b.relation) {
            return reject("two values of the parameter demand different things");
        }
        let slope = (&b.right - &a.right) / (other.0 - one.0);
        let right = &a.right - &slope * one.0;
        let terms = a.left.terms().iter().cloned();
        let left: Linear = terms.chain([(sought, -slope)]).collect();
        problem.row(left, a.relation, right);
    }
    let sign = Rational::from(if greatest { 1 } else { -1 });
    let form = Linear::from(sought).scaled(&sign);
    match Solver::new(problem.clone()).maximise(&form) {
        Optimum::Most {
            value, multipliers, ..
        } => {
            check_optimum(&problem, &form, &value, &multipliers)
                .map_err(|mistake| Rejected(format!("a wrong reason for a bound: {mistake:?}")))?;
            Ok(Some(value * sign))
        }
        Optimum::Unbounded { .. } | Optimum::Infeasible(_) => Ok(None),
    }
}
