//! A claim about every state as several, each about less.
//!
//! *What.* `always (p implies (q and all k in S: r(k)))` is `always (p implies q)` and, for each node n,
//! `always ((p and n in S) implies r(n))`.
//!
//! *When.* It is known that nothing in the claim is ever an error, so that it does not matter what is looked at first.
//!
//! *Why it is exact.* A state satisfies the condition if and only if it satisfies all conjuncts. Where the nodes look the same,
//! up to rotation, the part about one node stands for those about the others, as in `each_node`.

use crate::analysis::sites::binders;
use crate::split::each_node::{at, member};
use machine::{
    BinaryOp, Expr, Formula, Machine, NodeId, Property, PropertyKind, Quantifier, Type, Typing,
    rotations_without_errors,
};

/// A claim is not cut into more conjuncts than this.
const MAX_CONJUNCTS: usize = 64;

/// The claims that together are the only claim of a Machine, which is never an error; just it if it has no conjuncts.
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
    /// Adds the conjuncts of a condition under premises; whether no node is named yet.
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
