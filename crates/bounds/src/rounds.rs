//! The least number of activations in rounds for which a claim holds, by one search over all states.
//!
//! The claim for N is `always (c >= N implies q)`. Here c is the smallest activation count of all nodes, or the
//! largest, and q reads no count. The claim holds for N if and only if no reachable state has q false and c >= N. So
//! the least N is one more than the largest c of a state in which q is false, and the run to that state violates the
//! claim for every smaller N. If there is no largest c, the claim fails for every N.

use crate::every_bound::counted;
use crate::oracle::{Found, Oracle};
use explicit::{Count, Last};
use machine::{Abstraction, BinaryOp, Expr, Machine, Property, PropertyKind, Quantifier, Value};
use model::{Constant, Searched};
use source::Diagnostic;
use verdict::{Answer, Run, Sought, Unsought};

/// The result of the search over all states.
pub(crate) enum InRounds {
    /// The least value, and the run that violates the claim for the value before it; or the answer `unknown` if the
    /// least value is outside of the range.
    Found(Box<Found>),
    /// The claim fails for every value. The run violates it for one value; the caller searches for a run that violates
    /// it for all.
    Endless(Box<Run>),
    /// The claim or the model does not have the required form, or the search gave no result.
    NotApplicable,
}

/// The least value of a range for which a claim about activation counts in rounds holds.
pub(crate) fn least_in_rounds(
    oracle: Oracle<'_>,
    claim: usize,
    (low, high): (i64, i64),
) -> Result<InRounds, Vec<Diagnostic>> {
    let (Some(claims), true) = (argument_of(oracle.asks()), low < high) else {
        return Ok(InRounds::NotApplicable);
    };
    // If the claims for two values have the same c and q, nothing else in the claim depends on the value.
    let both = [Constant::Int(high), Constant::Int(high - 1)];
    let lowered =
        { oracle.request.with(oracle.model, &both) }.and_then(|request| oracle.lowered(&request));
    // The Machine has all claims of the check, and another claim may be invalid for these values.
    let Ok(lowered) = lowered else {
        return Ok(InRounds::NotApplicable);
    };
    let exact = &lowered.machine;
    let property = &exact.properties[claim];
    let other = parts(exact, &exact.properties[claims + claim], high - 1);
    let Some((count, condition)) =
        parts(exact, property, high).filter(|p| Some(p) == other.as_ref())
    else {
        return Ok(InRounds::NotApplicable);
    };
    // The cone of influence of q alone drops the counters and everything that only they need.
    let asked = Machine {
        properties: vec![always(property, condition.clone())],
        ..exact.clone()
    };
    let shrunk = passes::shrink(&asked);
    let question = oracle.question(&shrunk.machine);
    let found = match explicit::last(&question, count, oracle.budget) {
        Ok(Some(found)) => found,
        // The caller continues with the plan for numbers, which reports the reason if it fails too.
        Ok(None) | Err(_) => return Ok(InRounds::NotApplicable),
    };
    let (last, report) = found;
    let back = |run: &Run| shrunk.lift(run).map(Box::new);
    let (value, below) = match last {
        Last::Never => (low, None),
        Last::ForEver(run) => {
            return Ok(match back(&run) {
                Some(run) => InRounds::Endless(run),
                None => InRounds::NotApplicable,
            });
        }
        Last::At(count, _) if count < low => (low, None),
        Last::At(count, run) => match back(&run) {
            Some(run) => (count + 1, Some(run)),
            None => return Ok(InRounds::NotApplicable),
        },
    };
    if value > high {
        let why = Unsought::Beyond {
            value: Sought::Number(high),
            ascending: true,
            holds: false,
            open: None,
        };
        return Ok(InRounds::Found(Box::new(Found::unknown(
            why,
            Constant::Int(high),
        ))));
    }
    let about = if below.is_some() { value - 1 } else { value };
    Ok(InRounds::Found(Box::new(Found {
        answer: Answer::Value(value, below),
        about: Constant::Int(about),
        report: Some(report),
    })))
}

/// The number of claims of a question, if the sought number is an argument of the claims; `None` if it is a model
/// parameter, because another value of a parameter gives another Machine.
fn argument_of(asks: &model::Question) -> Option<usize> {
    match asks {
        model::Question::Extreme {
            searched: Searched::Argument { .. },
            claims,
            ..
        } => Some(claims.len()),
        _ => None,
    }
}

fn always(property: &Property, condition: Expr) -> Property {
    let state = machine::Formula::State(condition);
    Property {
        kind: PropertyKind::Claim(machine::Formula::Always(Box::new(state))),
        ..property.clone()
    }
}

/// The count c and the condition q of a claim `always (c >= number implies q)`. `None` if the claim has another form, q
/// reads a count, or the Machine has time or is an abstraction.
fn parts(machine: &Machine, property: &Property, number: i64) -> Option<(Count, Expr)> {
    if machine.abstraction != Abstraction::Exact || machine.has_time() {
        return None;
    }
    let PropertyKind::Claim(claim) = &property.kind else {
        return None;
    };
    let condition = claim.invariant()?;
    let Expr::Binary(BinaryOp::Implies, premise, rest) = condition.bare() else {
        return None;
    };
    let Expr::Quantified(quantifier, local, domain, body) = premise.bare() else {
        return None;
    };
    let count = match quantifier {
        Quantifier::All => Count::Least,
        Quantifier::Exists => Count::Greatest,
        _ => return None,
    };
    let all_nodes = match domain.bare() {
        Expr::Nodes(None) => true,
        Expr::Nodes(Some(_)) => machine.kinds.len() == 1,
        _ => false,
    };
    let is_count = |e: &Expr| {
        let node = counted(machine, e).map(Expr::bare);
        node == Some(&Expr::Local(*local))
    };
    let at_least = match body.bare() {
        Expr::Binary(BinaryOp::Ge, c, n) => {
            is_count(c) && *n.bare() == Expr::Const(Value::Int(number))
        }
        _ => false,
    };
    let mut reads_count = false;
    rest.walk(&mut |e| {
        reads_count |= matches!(e, Expr::Var(var, _) if machine.vars[var.index()].ghost)
    });
    (all_nodes && at_least && !reads_count).then(|| (count, (**rest).clone()))
}
