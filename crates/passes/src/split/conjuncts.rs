//! Splitting of an invariant claim into conjuncts.
//!
//! *What.* `always (p implies (q and all k in S: r(k)))` becomes `always (p implies q)` and, for each node n, `always
//! (p implies (n in S implies r(n)))`.
//!
//! *When.* No part of the claim is ever a runtime error, so the order of evaluation does not matter.
//!
//! *Why it is exact.* A state satisfies the condition if and only if it satisfies all conjuncts. If rotation is a
//! symmetry of the Machine, the conjunct about one node stands for those about the other nodes (see `each_node.rs`).

use crate::analysis::sites::binders;
use crate::split::each_node::{at, member};
use machine::{
    BinaryOp, Expr, Formula, Machine, NodeId, Property, PropertyKind, Quantifier, Type, Typing,
    rotations_without_errors,
};

/// The largest number of conjuncts. A claim with more conjuncts is not split.
const MAX_CONJUNCTS: usize = 64;

/// The claims into which the only claim of a Machine is split. The claim must never be a runtime error. Returns the
/// properties unchanged if there are several, or if the claim is not an invariant or has too many conjuncts.
pub fn conjuncts(machine: &Machine) -> Vec<Property> {
    let [property] = &machine.properties[..] else {
        return machine.properties.clone();
    };
    let condition = match &property.kind {
        PropertyKind::Claim(claim) => claim.invariant(),
        PropertyKind::Possible(_) => None,
    };
    let Some(condition) = condition else {
        return vec![property.clone()];
    };
    let mut split = Split {
        machine,
        property,
        rotates: rotations_without_errors(machine),
        found: Vec::new(),
    };
    split.split(&condition, &[], true);
    if split.found.len() > MAX_CONJUNCTS {
        return vec![property.clone()];
    }
    let claim = |condition| Property {
        kind: PropertyKind::Claim(Formula::Always(Box::new(Formula::State(condition)))),
        ..property.clone()
    };
    split.found.into_iter().map(claim).collect()
}

struct Split<'m> {
    machine: &'m Machine,
    property: &'m Property,
    rotates: bool,
    found: Vec<Expr>,
}

impl Split<'_> {
    /// Appends the conjuncts of `condition`, each under the given premises. `nameless` says whether no premise names a
    /// node.
    fn split(&mut self, condition: &Expr, premises: &[Expr], nameless: bool) {
        match condition.bare() {
            Expr::Binary(BinaryOp::And, a, b) => {
                self.split(a, premises, nameless);
                self.split(b, premises, nameless);
            }
            Expr::Binary(BinaryOp::Implies, premise, then) => {
                let premises = [premises, &[(**premise).clone()]].concat();
                self.split(then, &premises, nameless);
            }
            Expr::Quantified(Quantifier::All, local, domain, body)
                if self.is_of_nodes(domain)
                    && binders(condition, *local) == 1
                    && self.found.len() <= MAX_CONJUNCTS =>
            {
                let needed = if self.rotates && nameless {
                    1
                } else {
                    usize::MAX
                };
                let nodes: Vec<NodeId> = self.machine.nodes().take(needed).collect();
                for node in nodes {
                    let inside = member(self.machine, node, domain);
                    let premises = [premises, &[inside]].concat();
                    self.split(&at(body, *local, node), &premises, false);
                }
            }
            _ => {
                let all = premises
                    .iter()
                    .rev()
                    .fold(condition.clone(), |then, premise| {
                        premise.clone().binary(BinaryOp::Implies, then)
                    });
                self.found.push(all);
            }
        }
    }

    fn is_of_nodes(&self, domain: &Expr) -> bool {
        let typing = &mut Typing::all_bound(self.machine, &self.property.scope);
        typing.type_of(domain) == Ok(Type::Node.set())
    }
}
