//! Recognises claims that fail for every bound: one run violates the claim for all values of the sought number x.
//!
//! The claim is `always B(x)`. In B, x occurs only as a lower bound of an activation count, in negative polarity (in a
//! premise), so a larger x makes the claim weaker. Take a lasso such that B(x) is false somewhere in the cycle, and
//! each node either is activated in the cycle or has a count below x. The counters of the Machine saturate, but the
//! true counts of the nodes in the cycle grow for ever. Let y > x. As soon as these counts are at least y, every
//! comparison with y has the same value as the comparison with x, so B(y) is false too. Hence the lasso violates the
//! claim for every y.

use machine::{
    BinaryOp, Choice, Expr, Formula, Instance, Machine, Property, PropertyKind, Quantifier,
    UnaryOp, Var,
};
use verdict::{Ending, Run};

/// The name of the ghost variables that count activations, one for each kind.
const ACTIVATIONS: &str = "activations";

/// The node n, if the expression is the number of activations of n; `None` if it is another expression. If the Machine
/// has several kinds, the expression is a chain of conditionals with one case for each kind.
pub(crate) fn counted<'e>(machine: &'e Machine, value: &'e Expr) -> Option<&'e Expr> {
    let (mut value, mut left) = (value.bare(), machine.kinds.len());
    let mut node = None;
    while let Expr::If(of_kind, count, rest) = value {
        let (var, of) = count_of(machine, count)?;
        let Expr::Binary(BinaryOp::In, asked, kind) = of_kind.bare() else {
            return None;
        };
        let asks = *kind.bare() == Expr::Nodes(Some(var.kind)) && **asked == *of;
        if !asks || node.is_some_and(|node| node != of) {
            return None;
        }
        node = Some(of);
        value = rest.bare();
        left = left.checked_sub(1)?;
    }
    match node {
        None => count_of(machine, value).map(|(_, of)| of),
        // The chain must have one case for each kind.
        Some(_) => node.filter(|_| left == 0 && *value == Expr::int(0)),
    }
}

/// The ghost variable and the node, if the expression reads the activation counter of a node.
fn count_of<'e>(machine: &'e Machine, value: &'e Expr) -> Option<(&'e Var, &'e Expr)> {
    let Expr::Var(var, node) = value.bare() else {
        return None;
    };
    let var = &machine.vars[var.index()];
    (var.ghost && var.name == ACTIVATIONS).then_some((var, node))
}

/// The claim `eventually always B(x)`, if a run that violates it may violate `always B(x)` for every x. `here` and
/// `there` are the claims for two values. `None` unless they differ only as described at the head of this file. Without
/// time, the condition is B(x) or quiescence: a run that ends in a final state then satisfies the claim, because its
/// counts do not grow.
pub(crate) fn question(machine: &Machine, here: &Property, there: &Property) -> Option<Property> {
    let (PropertyKind::Claim(a), PropertyKind::Claim(b)) = (&here.kind, &there.kind) else {
        return None;
    };
    let (a, b) = (a.invariant()?, b.invariant()?);
    if a == b || !weaker(machine, &a, &b, true) {
        return None;
    }
    let body = match machine.has_time() {
        true => a,
        false => Expr::Binary(BinaryOp::Or, Box::new(a), Box::new(Expr::Quiescent)),
    };
    let always = Formula::Always(Box::new(Formula::State(body)));
    Some(Property {
        kind: PropertyKind::Claim(Formula::Eventually(Box::new(always))),
        ..here.clone()
    })
}

/// Whether two conditions differ only in constants that are lower bounds of activation counts, in negative polarity.
/// `positive` is the polarity of this subexpression in the whole condition.
fn weaker(machine: &Machine, a: &Expr, b: &Expr, positive: bool) -> bool {
    use BinaryOp::*;
    let counted = |e: &Expr| counted(machine, e).is_some();
    let number = |e: &Expr| matches!(e.bare(), Expr::Const(_));
    match (a.bare(), b.bare()) {
        (a, b) if a == b => true,
        (Expr::Binary(Ge | Gt, x, m), Expr::Binary(Ge | Gt, y, n)) if x == y && counted(x) => {
            !positive && number(m) && number(n)
        }
        (Expr::Binary(Le | Lt, m, x), Expr::Binary(Le | Lt, n, y)) if x == y && counted(x) => {
            !positive && number(m) && number(n)
        }
        (Expr::Binary(p, a, c), Expr::Binary(q, b, d)) if p == q => match p {
            And | Or => weaker(machine, a, b, positive) && weaker(machine, c, d, positive),
            Implies => weaker(machine, a, b, !positive) && weaker(machine, c, d, positive),
            _ => false,
        },
        (Expr::Unary(UnaryOp::Not, a), Expr::Unary(UnaryOp::Not, b)) => {
            weaker(machine, a, b, !positive)
        }
        (Expr::Quantified(p, j, c, a), Expr::Quantified(q, k, d, b)) => {
            let plain = matches!(p, Quantifier::All | Quantifier::Exists);
            plain && p == q && j == k && c == d && weaker(machine, a, b, positive)
        }
        _ => false,
    }
}

/// Whether the run is a lasso in which each node either is activated in the cycle or has an activation count below the
/// bound.
pub(crate) fn breaks_every_bound(machine: &Machine, run: &Run, bound: i64) -> bool {
    let Ending::Loops(from) = run.ending else {
        return false;
    };
    let instance = Instance {
        machine,
        frozen: &run.frozen,
    };
    let mut state = run.initial.clone();
    for choice in &run.choices {
        match instance.step(&state, choice) {
            Ok(next) => state = next,
            Err(_) => return false,
        }
    }
    machine.nodes().all(|node| {
        let activated = run.choices[from..]
            .iter()
            .any(|choice| machine.activates(&choice.event) == Some(node));
        let kind = machine.kind_of(node);
        let vars = machine.vars_of(kind).zip(&state.nodes[node.index()].vars);
        let mut counts = vars.filter(|(var, _)| var.ghost && var.name == ACTIVATIONS);
        activated
            || counts
                .all(|(_, value)| matches!(value, machine::Value::Int(count) if *count < bound))
    })
}

/// The largest number of times that the cycle of a lasso is unrolled.
const MOST_UNROLLINGS: usize = 64;

/// The lasso with its cycle unrolled until the lasso is a run of this Machine. The lasso comes from a Machine whose
/// counters saturate earlier, so the state after its cycle may not repeat here before the counters saturate.
pub(crate) fn unrolled(machine: &Machine, run: &Run) -> Run {
    let mut longer = run.clone();
    let Ending::Loops(from) = run.ending else {
        return longer;
    };
    let cycle = &run.choices[from..];
    let time = |number: usize| run.choices.get(number).and_then(|c| c.time.clone());
    let start = from.checked_sub(1).and_then(time).unwrap_or_default();
    let duration = time(run.choices.len() - 1).unwrap_or_default() - start;
    let mut shift = duration.clone();
    for _ in 0..MOST_UNROLLINGS {
        if audit::replay(machine, &longer).is_ok() {
            break;
        }
        longer.ending = Ending::Loops(longer.choices.len());
        longer.choices.extend(cycle.iter().map(|choice| Choice {
            time: choice.time.as_ref().map(|time| time + &shift),
            ..choice.clone()
        }));
        shift += &duration;
    }
    longer
}
