//! The least number of activations in rounds for which a claim holds, by one look at all states.
//!
//! The claim for N is `always (c >= N implies q)`, where c is the number of activations of the node with the fewest, or
//! with the most, and q counts nothing. It holds for N if and only if no run has a moment at which q is false and c is
//! at least N. So the least N is one more than the largest c at which q can be false, and the run to there breaks the
//! claim for every smaller number. If there is no largest, no N will do.

use crate::every_bound::counted;
use crate::oracle::{Found, Oracle};
use explicit::{Count, Last};
use machine::{Abstraction, BinaryOp, Expr, Machine, Property, PropertyKind, Quantifier, Value};
use model::{Constant, Searched};
use source::Diagnostic;
use verdict::{Answer, Run};

/// What there is to say.
pub(crate) enum InRounds {
    /// The least value, and the run that breaks the one before it.
    Found(Box<Found>),
    /// The claim fails for every value, and a run breaks it for one; somebody has to show a run that breaks all.
    Endless(Box<Run>),
    /// The claim, or the model, is of another form.
    NotHere,
}

/// The least value of a range for which a claim about rounds holds.
pub(crate) fn least_in_rounds(
    oracle: Oracle<'_>,
    claim: usize,
    (low, high): (i64, i64),
) -> Result<InRounds, Vec<Diagnostic>> {
    let (Some(claims), true) = (argument_of(oracle.asks()), low < high) else {
        return Ok(InRounds::NotHere);
    };
    // The claim for two values shows that nothing else in it depends on them.
    let both = [Constant::Int(high), Constant::Int(high - 1)];
    let lowered =
        { oracle.request.with(oracle.model, &both) }.and_then(|request| oracle.lowered(&request));
    // Another claim may have no meaning for these values.
    let Ok(lowered) = lowered else {
        return Ok(InRounds::NotHere);
    };
    let exact = &lowered.machine;
    let property = &exact.properties[claim];
    let other = parts(exact, &exact.properties[claims + claim], high - 1);
    let Some((count, condition)) =
        parts(exact, property, high).filter(|p| Some(p) == other.as_ref())
    else {
        return Ok(InRounds::NotHere);
    };
    // What only the counts were there for is taken away; the condition keeps what it reads.
    let asked = Machine {
        properties: vec![always(property, condition.clone())],
        ..exact.clone()
    };
    let shrunk = passes::shrink(&asked);
    let question = oracle.question(&shrunk.machine);
    let told = match explicit::last(&question, count, oracle.budget) {
        Ok(Some(told)) => told,
        // Somebody else answers, or says why not.
        Ok(None) | Err(_) => return Ok(InRounds::NotHere),
    };
    let (last, mut report) = told;
    report.findings.premises = vec![None];
    report.findings.latest = vec![None];
    let back = |run: &Run| shrunk.lift(run).map(Box::new);
    let (value, below) = match last {
        Last::Never => (low, None),
        Last::ForEver(run) => {
            return Ok(match back(&run) {
                Some(run) => InRounds::Endless(run),
                None => InRounds::NotHere,
            });
        }
        Last::At(count, _) if count < low => (low, None),
        Last::At(count, run) => match back(&run) {
            Some(run) => (count + 1, Some(run)),
            None => return Ok(InRounds::NotHere),
        },
    };
    if value > high {
        let why = format!("more than {high}: it fails for every value up to there");
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

/// How many claims a question has, if it seeks an argument of them: a parameter of the model makes another model.
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

/// Which count the premise of a claim is about, if it is that this is at least the number, and the rest of the claim
/// counts nothing.
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
    let everybody = match domain.bare() {
        Expr::Nodes(None) => true,
        Expr::Nodes(Some(_)) => machine.kinds.len() == 1,
        _ => false,
    };
    let own = |e: &Expr| {
        let node = counted(machine, e).map(Expr::bare);
        node == Some(&Expr::Local(*local))
    };
    let at_least = match body.bare() {
        Expr::Binary(BinaryOp::Ge, c, n) => own(c) && *n.bare() == Expr::Const(Value::Int(number)),
        _ => false,
    };
    let mut counts = false;
    rest.walk(&mut |e| counts |= matches!(e, Expr::Var(var, _) if machine.vars[var.index()].ghost));
    (everybody && at_least && !counts).then(|| (count, (**rest).clone()))
}
