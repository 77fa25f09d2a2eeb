//! Whether a claim fails for every bound: the question for one run that breaks them all.
//!
//! The claim is `always B(x)`, and x stands in it only where a count of activations is compared with it, as a
//! lower bound that is a premise: the larger x, the weaker the claim. Take a run whose loop is repeated for
//! ever, in which B(x) is false again and again, and in which every node either is activated in the loop or
//! has a count below x. In the loop the counts stand still in the Machine (they count no further), and go
//! on in truth. Let y > x: once the counts of the nodes in the loop are y or more, every comparison with
//! y is what it is with x, so B(y) is false, too. So the run breaks the claim for every y.

use machine::{
    BinaryOp, Choice, Expr, Formula, Instance, Machine, Property, PropertyKind, Quantifier,
    UnaryOp, Var,
};
use verdict::{Ending, Run};

/// The name of the ghosts that count activations.
const ACTIVATIONS: &str = "activations";

/// The node whose activations are counted, if a value is their number. Where nodes of several kinds are meant it is asked of
/// what kind the node is, of all of them in turn.
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
        // Nobody is of another kind.
        Some(_) => node.filter(|_| left == 0 && *value == Expr::int(0)),
    }
}

/// The ghost that counts the activations of a node, and the node.
fn count_of<'e>(machine: &'e Machine, value: &'e Expr) -> Option<(&'e Var, &'e Expr)> {
    let Expr::Var(var, node) = value.bare() else {
        return None;
    };
    let var = &machine.vars[var.index()];
    (var.ghost && var.name == ACTIVATIONS).then_some((var, node))
}

/// The claim that from some moment on the body is true for ever, if a run that breaks it can break the claim
/// for every bound: the claims for two values differ as they must. A run that stands still shows nothing, so where there is no time, in
/// which nodes go on, it breaks no such claim.
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

/// Whether two conditions differ only in the numbers with which counts of activations are compared as lower
/// bounds, in places where the condition is truer the less is true there (if `positive`, for the whole).
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

/// Whether in the loop of a run every node is activated, or its count is below the bound that was asked about.
pub(crate) fn is_shown(machine: &Machine, run: &Run, bound: i64) -> bool {
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

/// Rounds by which a run is made longer, at most.
const MOST_ROUNDS: usize = 64;

/// The same run, which goes around so often before its loop is said to begin that the loop comes back in a Machine
/// that counts further.
pub(crate) fn unrolled(machine: &Machine, run: &Run) -> Run {
    let mut longer = run.clone();
    let Ending::Loops(from) = run.ending else {
        return longer;
    };
    let round = &run.choices[from..];
    let time = |number: usize| run.choices.get(number).and_then(|c| c.time.clone());
    let began = from.checked_sub(1).and_then(time).unwrap_or_default();
    let lasts = time(run.choices.len() - 1).unwrap_or_default() - began;
    let mut shift = lasts.clone();
    for _ in 0..MOST_ROUNDS {
        if audit::replay(machine, &longer).is_ok() {
            break;
        }
        longer.ending = Ending::Loops(longer.choices.len());
        longer.choices.extend(round.iter().map(|choice| Choice {
            time: choice.time.as_ref().map(|time| time + &shift),
            ..choice.clone()
        }));
        shift += &lasts;
    }
    longer
}
