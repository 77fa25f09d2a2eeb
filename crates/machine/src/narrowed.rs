//! Restrictions of initial states that are about one variable each: they narrow its initial values.
//!
//! *What.* A restriction is taken apart: what `and` joins, and what is said of all nodes of a kind, one node after the
//! other. A part that reads one variable of one node and nothing else of the state leaves only the values for which it
//! holds; one that reads none leaves all or nothing. The restrictions are evaluated in every state that is left
//! all the same.
//!
//! *When.* No restriction can be an error, so that it does not matter which part is looked at first, and nobody is off
//! (of whom nothing is asked).
//!
//! *Why.* A state in which a part is false is no initial state.

use crate::{
    Beginning, BinaryOp, Expr, Fault, Instance, Machine, NodeId, Quantifier, State, Value, VarId,
    may_fail,
};

impl Instance<'_> {
    /// Leaves of the values with which parts can begin those that restrictions about one part allow.
    pub(crate) fn narrow(&self, parts: &mut [(Beginning, Vec<Value>)]) {
        let machine = self.machine;
        let restrictions = || machine.initially.iter().map(|r| &r.condition);
        let is_off = |node| self.rigid.fault(node) == Some(Fault::Off);
        if parts.iter().any(|(_, values)| values.is_empty())
            || machine.nodes().any(is_off)
            || restrictions().any(|e| may_fail(machine, e, &[]))
        {
            return;
        }
        let mut said = Vec::new();
        restrictions().for_each(|condition| take_apart(machine, condition, &mut said));
        let Some(reads) = said
            .iter()
            .map(|e| reads(machine, e))
            .collect::<Option<Vec<_>>>()
        else {
            return; // one may ask a node for what it does not have
        };
        let mut state = self.blank();
        for (part, values) in &*parts {
            if let Beginning::Var(node, _) = part {
                state.nodes[node.index()].vars.push(values[0].clone());
            }
        }
        for (condition, reads) in said.iter().zip(reads) {
            match reads {
                Reads::Nothing => {
                    if !self.allows(&state, condition) {
                        parts.iter_mut().for_each(|(_, values)| values.clear());
                        return;
                    }
                }
                Reads::One(node, place) => {
                    let own =
                        |(part, _): &&mut (Beginning, _)| *part == Beginning::Var(node, place);
                    let Some((_, values)) = parts.iter_mut().find(own) else {
                        continue;
                    };
                    let mut tried = state.clone();
                    values.retain(|value| {
                        tried.nodes[node.index()].vars[place] = value.clone();
                        self.allows(&tried, condition)
                    });
                }
                Reads::More => {}
            }
        }
    }

    /// Whether a condition, which always has a value, holds; if it has none all the same, nothing is ruled out.
    fn allows(&self, state: &State, condition: &Expr) -> bool {
        self.holds(state, condition, &[]).unwrap_or(true)
    }
}

/// The parts of a condition all of which must hold.
fn take_apart(machine: &Machine, condition: &Expr, parts: &mut Vec<Expr>) {
    match condition.bare() {
        Expr::Binary(BinaryOp::And, a, b) => {
            take_apart(machine, a, parts);
            take_apart(machine, b, parts);
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
                    take_apart(machine, &said, parts);
                }
            }
        }
        other => parts.push(other.clone()),
    }
}

/// What of the state a condition reads.
enum Reads {
    Nothing,
    /// A variable of a node, by its place.
    One(NodeId, usize),
    More,
}

/// What a condition reads; nothing is known if it may ask a node for a variable of another kind.
fn reads(machine: &Machine, condition: &Expr) -> Option<Reads> {
    let mut found: Vec<(NodeId, VarId)> = Vec::new();
    let (mut more, mut misses) = (false, false);
    condition.walk(&mut |e| match e {
        Expr::Var(var, node) => match node.bare() {
            Expr::Const(Value::Node(node)) => {
                misses |= machine.vars[var.index()].kind != machine.kind_of(*node);
                found.push((*node, *var));
            }
            _ => {
                more = true;
                misses |= machine.kinds.len() > 1;
            }
        },
        e => more |= e.reads_state(),
    });
    if misses {
        return None;
    }
    found.sort();
    found.dedup();
    Some(match found[..] {
        _ if more => Reads::More,
        [] => Reads::Nothing,
        [(node, var)] => {
            let vars = machine.vars.iter().enumerate();
            let mut own = vars.filter(|(_, v)| v.kind == machine.kind_of(node));
            let place = own.position(|(v, _)| v == var.index());
            Reads::One(node, place.expect("a variable of its kind"))
        }
        _ => Reads::More,
    })
}
