//! Use of the restrictions of initial states to prune the enumeration.
//!
//! *What.* Restrictions are split into conjuncts: the operands of `and`, and the instances of `all` over the nodes of a
//! kind. A conjunct that reads one variable of one node and nothing else of the state filters the values of that
//! variable. A conjunct that reads nothing keeps all candidates or none. A conjunct that reads several variables is
//! evaluated as soon as these have values (`enumeration.rs`). The original restrictions are still evaluated in every
//! remaining state.
//!
//! *When.* No restriction can be an error, so that the order of evaluation does not matter, and no node is off
//! (restrictions do not apply to nodes that are off).
//!
//! *Why.* A state that violates a conjunct is not an initial state.

use crate::{
    BinaryOp, Expr, Fault, InitialPart, Instance, LocalId, Machine, NodeId, Predicate, Quantifier,
    State, Value, may_fail, may_overflow,
};

/// Variables, by node and index.
type Vars = Vec<(NodeId, usize)>;

/// Removes the values of single parts that conjuncts about one variable exclude.
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

/// By part: the conjuncts that read it and otherwise only earlier parts. Conjuncts about one variable are omitted:
/// they have already filtered the values.
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

/// The conjuncts of the restrictions, with the variables that each reads if it reads nothing else of the state.
/// Empty if the order of evaluation matters.
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
    // A conjunct may read a variable of a node of another kind, which is an error.
    let all: Option<Vec<_>> = conjuncts.into_iter().map(with_reads).collect();
    all.unwrap_or_default()
}

/// The condition with the nodes of variable reads replaced by constants where they depend only on frozen values.
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

/// Whether a condition holds. An error excludes nothing; conditions here are error-free.
pub(crate) fn allows(instance: &Instance<'_>, state: &State, condition: &Expr) -> bool {
    instance.holds(state, condition, &[]).unwrap_or(true)
}

/// The conjuncts of a condition.
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

/// Whether all locals of an expression are bound in it or listed.
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

/// A variable may be read at a node of another kind.
struct WrongKind;

/// The variables that a condition reads, by node and index; `None` if it reads more of the state.
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
