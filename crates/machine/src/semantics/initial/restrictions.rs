//! Pruning of the enumeration of initial states by their restrictions.
//!
//! *What.* Restrictions are split into conjuncts: the operands of `and`, and the instances of `all` over nodes. The
//! enumeration uses a conjunct according to what it reads:
//! - Nothing of the state: if it is false, there is no initial state.
//! - One variable of one node, and nothing else of the state: it filters the values of that variable.
//! - Several variables, and nothing else of the state: it is evaluated as soon as these have values (`enumeration.rs`).
//!
//! The original restrictions are still evaluated for every remaining candidate.
//!
//! *When.* Only if no restriction can be a runtime error, so that the order of evaluation does not matter, and no node
//! is off, because restrictions do not constrain nodes that are off.
//!
//! *Why.* A state that violates a conjunct is not an initial state.

use crate::{
    BinaryOp, Expr, Fault, InitialPart, Instance, LocalId, Machine, NodeId, Predicate, Quantifier,
    State, Value, may_fail, may_overflow,
};

/// Variables as pairs of a node and an index in [`NodeState::vars`](crate::NodeState).
type Vars = Vec<(NodeId, usize)>;

/// Removes the values that a conjunct on a single variable excludes. If a conjunct that reads nothing is false, removes
/// all values of all parts.
pub(crate) fn filter_by_restrictions(
    instance: &Instance<'_>,
    parts: &mut [(InitialPart, Vec<Value>)],
) {
    if parts.iter().any(|(_, values)| values.is_empty()) {
        return;
    }
    let mut state = instance.blank();
    for (part, values) in &*parts {
        if let InitialPart::Var(node, _) = part {
            state.nodes[node.index()].vars.push(values[0].clone());
        }
    }
    for (condition, reads) in conjuncts(instance) {
        match reads.as_deref() {
            Some([]) if !allows(instance, &state, &condition) => {
                parts.iter_mut().for_each(|(_, values)| values.clear());
                return;
            }
            Some([(node, place)]) => {
                let own =
                    |(part, _): &&mut (InitialPart, _)| *part == InitialPart::Var(*node, *place);
                let Some((_, values)) = parts.iter_mut().find(own) else {
                    continue;
                };
                let mut tried = state.clone();
                values.retain(|value| {
                    tried.nodes[node.index()].vars[*place].clone_from(value);
                    allows(instance, &tried, &condition)
                });
            }
            _ => {}
        }
    }
}

/// Indexed by part: the conjuncts that read this part and otherwise only earlier parts. Conjuncts that read at most one
/// variable are omitted: [`filter_by_restrictions`] has already applied them.
pub(crate) fn early_conjuncts(
    instance: &Instance<'_>,
    parts: &[(InitialPart, Vec<Value>)],
) -> Vec<Vec<Expr>> {
    let mut early = vec![Vec::new(); parts.len()];
    for (condition, reads) in conjuncts(instance) {
        let Some(reads) = reads.filter(|reads| reads.len() > 1) else {
            continue;
        };
        let is_read = |(part, _): &(InitialPart, _)| match part {
            InitialPart::Var(node, place) => reads.contains(&(*node, *place)),
            InitialPart::Inbox(..) => false,
        };
        if let Some(last) = parts.iter().rposition(is_read) {
            early[last].push(condition);
        }
    }
    early
}

/// The conjuncts of the restrictions, each with the variables that it reads, or `None` if it reads other parts of the
/// state. Empty if a restriction may be an error or a node is off.
fn conjuncts(instance: &Instance<'_>) -> Vec<(Expr, Option<Vars>)> {
    let machine = instance.machine;
    let restrictions = || machine.initially.iter();
    let is_off = |node| instance.frozen.fault(node) == Some(Fault::Off);
    let may_be_error = |r: &Predicate| {
        may_fail(machine, &r.condition, &[]) || may_overflow(machine, &r.scope, &r.condition)
    };
    if machine.nodes().any(is_off) || restrictions().any(may_be_error) {
        return Vec::new();
    }
    let mut conjuncts = Vec::new();
    restrictions().for_each(|r| split_conjuncts(machine, &r.condition, &mut conjuncts));
    let blank = instance.blank();
    let with_reads = |condition: Expr| {
        let condition = fold_node_constants(instance, &blank, &condition);
        let reads = reads(machine, &condition).ok()?;
        Some((condition, reads))
    };
    // If a conjunct may read a variable at a node of another kind, which is an error, no conjunct is used.
    let all: Option<Vec<_>> = conjuncts.into_iter().map(with_reads).collect();
    all.unwrap_or_default()
}

/// The condition in which each expression for the node of a variable is replaced by a constant, if it depends only on
/// frozen values.
fn fold_node_constants(instance: &Instance<'_>, blank: &State, condition: &Expr) -> Expr {
    condition.rebuild(&mut |e| {
        let Expr::Var(var, node) = e else {
            return None;
        };
        let mut reads = false;
        node.walk(&mut |e| reads |= e.reads_state());
        if reads || !is_closed(node, &mut Vec::new()) {
            return None;
        }
        let node = instance.value(blank, node, &[]).ok()?;
        Some(Expr::Var(*var, Box::new(Expr::Const(node))))
    })
}

/// Whether a condition holds. An error counts as true and excludes nothing.
pub(crate) fn allows(instance: &Instance<'_>, state: &State, condition: &Expr) -> bool {
    instance.holds(state, condition, &[]).unwrap_or(true)
}

/// Appends the conjuncts of a condition to `parts`.
fn split_conjuncts(machine: &Machine, condition: &Expr, parts: &mut Vec<Expr>) {
    match condition.bare() {
        Expr::Binary(BinaryOp::And, a, b) => {
            split_conjuncts(machine, a, parts);
            split_conjuncts(machine, b, parts);
        }
        Expr::Quantified(Quantifier::All, local, domain, body)
            if let Expr::Nodes(kind) = domain.bare() =>
        {
            for node in machine.nodes() {
                if kind.is_none_or(|kind| machine.kind_of(node) == kind) {
                    let here = Expr::Const(Value::Node(node));
                    let instance = body.rebuild(&mut |e| match e {
                        Expr::Local(l) if l == local => Some(here.clone()),
                        _ => None,
                    });
                    split_conjuncts(machine, &instance, parts);
                }
            }
        }
        other => parts.push(other.clone()),
    }
}

/// Whether each local of an expression is bound inside it or listed in `bound`.
fn is_closed(expr: &Expr, bound: &mut Vec<LocalId>) -> bool {
    match expr {
        Expr::Local(local) => bound.contains(local),
        Expr::Let(local, first, inside)
        | Expr::Filter(local, first, inside)
        | Expr::Quantified(_, local, first, inside)
        | Expr::Extremum(_, local, first, inside) => {
            is_closed(first, bound) && {
                bound.push(*local);
                let closed = is_closed(inside, bound);
                bound.pop();
                closed
            }
        }
        other => other.children().iter().all(|part| is_closed(part, bound)),
    }
}

/// A condition may read a variable at a node of another kind than the variable's.
struct WrongKind;

/// The variables that a condition reads; `None` if it reads other parts of the state.
fn reads(machine: &Machine, condition: &Expr) -> Result<Option<Vars>, WrongKind> {
    let mut found = Vars::new();
    let (mut more, mut wrong_kind) = (false, false);
    condition.walk(&mut |e| match e {
        Expr::Var(var, node) => {
            let (kind, place) = (machine.vars[var.index()].kind, machine.place_of_var(*var));
            match node.bare() {
                Expr::Const(Value::Node(node)) => {
                    wrong_kind |= kind != machine.kind_of(*node);
                    found.push((*node, place));
                }
                _ => {
                    wrong_kind |= machine.kinds.len() > 1;
                    found.extend(machine.nodes().map(|node| (node, place)));
                }
            }
        }
        e => more |= e.reads_state(),
    });
    found.sort();
    found.dedup();
    match wrong_kind {
        true => Err(WrongKind),
        false => Ok((!more).then_some(found)),
    }
}
