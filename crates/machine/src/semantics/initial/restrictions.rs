//! What restrictions of initial states say of single variables, and of a few: it narrows what is tried.
//!
//! *What.* A restriction is taken apart: what `and` joins, and what is said of all nodes of a kind, one node after the
//! other. A part that reads one variable of one node and nothing else of the state leaves only the values for which it
//! holds; one that reads none leaves all or nothing; one that reads several is looked at as soon as these have their values
//! (`one_by_one.rs`). The restrictions are evaluated in every state that is left all the same.
//!
//! *When.* No restriction can be an error, so that it does not matter which part is looked at first, and nobody is off
//! (of whom nothing is asked).
//!
//! *Why.* A state in which a part is false is no initial state.

use crate::{
    BinaryOp, Expr, Fault, InitialPart, Instance, LocalId, Machine, NodeId, Predicate, Quantifier,
    State, Value, may_fail, may_overflow,
};

/// Variables, by node and place.
type Vars = Vec<(NodeId, usize)>;

impl Instance<'_> {
    /// Leaves of the values with which parts can begin those that restrictions about one part allow.
    pub(crate) fn filter_by_restrictions(&self, parts: &mut [(InitialPart, Vec<Value>)]) {
        if parts.iter().any(|(_, values)| values.is_empty()) {
            return;
        }
        let mut state = self.blank();
        for (part, values) in &*parts {
            if let InitialPart::Var(node, _) = part {
                state.nodes[node.index()].vars.push(values[0].clone());
            }
        }
        for (condition, reads) in self.conjuncts() {
            match reads.as_deref() {
                Some([]) if !self.allows(&state, &condition) => {
                    parts.iter_mut().for_each(|(_, values)| values.clear());
                    return;
                }
                Some([(node, place)]) => {
                    let own = |(part, _): &&mut (InitialPart, _)| {
                        *part == InitialPart::Var(*node, *place)
                    };
                    let Some((_, values)) = parts.iter_mut().find(own) else {
                        continue;
                    };
                    let mut tried = state.clone();
                    values.retain(|value| {
                        tried.nodes[node.index()].vars[*place].clone_from(value);
                        self.allows(&tried, &condition)
                    });
                }
                _ => {}
            }
        }
    }

    /// By part: what restrictions say of it and of parts before it. What they say of one part alone is not
    /// there; its values have been narrowed.
    pub(crate) fn early_conjuncts(&self, parts: &[(InitialPart, Vec<Value>)]) -> Vec<Vec<Expr>> {
        let mut early = vec![Vec::new(); parts.len()];
        for (condition, reads) in self.conjuncts() {
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

    /// What the restrictions say, all of which must hold, with the variables that each condition reads, if it
    /// reads nothing else of the state. Nothing where it matters what is looked at first.
    fn conjuncts(&self) -> Vec<(Expr, Option<Vars>)> {
        let machine = self.machine;
        let restrictions = || machine.initially.iter();
        let is_off = |node| self.frozen.fault(node) == Some(Fault::Off);
        let may_be_error = |r: &Predicate| {
            may_fail(machine, &r.condition, &[]) || may_overflow(machine, &r.scope, &r.condition)
        };
        if machine.nodes().any(is_off) || restrictions().any(may_be_error) {
            return Vec::new();
        }
        let mut said = Vec::new();
        restrictions().for_each(|r| split_conjuncts(machine, &r.condition, &mut said));
        let blank = self.blank();
        let with_reads = |condition: Expr| {
            let condition = self.fold_node_constants(&blank, &condition);
            let reads = reads(machine, &condition).ok()?;
            Some((condition, reads))
        };
        // One may ask a node for what it does not have.
        let all: Option<Vec<_>> = said.into_iter().map(with_reads).collect();
        all.unwrap_or_default()
    }

    /// The same condition, in which nodes whose variables are read are named if that depends on nothing but what is
    /// frozen.
    fn fold_node_constants(&self, blank: &State, condition: &Expr) -> Expr {
        condition.rebuild(&mut |e| {
            let Expr::Var(var, node) = e else {
                return None;
            };
            let mut reads = false;
            node.walk(&mut |e| reads |= e.reads_state());
            if reads || !is_closed(node, &mut Vec::new()) {
                return None;
            }
            let node = self.value(blank, node, &[]).ok()?;
            Some(Expr::Var(*var, Box::new(Expr::Const(node))))
        })
    }

    /// Whether a condition, which always has a value, holds; if it has none all the same, nothing is ruled out.
    pub(crate) fn allows(&self, state: &State, condition: &Expr) -> bool {
        self.holds(state, condition, &[]).unwrap_or(true)
    }
}

/// The parts of a condition all of which must hold.
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
                    let said = body.rebuild(&mut |e| match e {
                        Expr::Local(l) if l == local => Some(here.clone()),
                        _ => None,
                    });
                    split_conjuncts(machine, &said, parts);
                }
            }
        }
        other => parts.push(other.clone()),
    }
}

/// Whether an expression has no local names but its own and those that are bound.
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

/// A node may be asked for a variable of another kind.
struct WrongKind;

/// The variables that a condition reads, by node and place; nothing if it reads more of the state.
fn reads(machine: &Machine, condition: &Expr) -> Result<Option<Vars>, WrongKind> {
    let mut found = Vars::new();
    let (mut more, mut misses) = (false, false);
    condition.walk(&mut |e| match e {
        Expr::Var(var, node) => {
            let (kind, place) = (machine.vars[var.index()].kind, machine.place_of_var(*var));
            match node.bare() {
                Expr::Const(Value::Node(node)) => {
                    misses |= kind != machine.kind_of(*node);
                    found.push((*node, place));
                }
                _ => {
                    misses |= machine.kinds.len() > 1;
                    found.extend(machine.nodes().map(|node| (node, place)));
                }
            }
        }
        e => more |= e.reads_state(),
    });
    found.sort();
    found.dedup();
    match misses {
        true => Err(WrongKind),
        false => Ok((!more).then_some(found)),
    }
}
