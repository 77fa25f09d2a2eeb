//! The property cache: evaluates conditions on packed states by component numbers.
//!
//! A condition is decomposed into leaves, conditions on the variables of one node each. If all leaves have the wanted
//! values, the state has nothing to report. The result of a leaf is cached by the component number of the node's
//! variables. If a leaf has another value or none, the search evaluates the property on the open state.

use crate::expand::expander::Expander;
use crate::expand::transition_cache::is_local;
use crate::program::condition::Condition;
use crate::properties::property::MonitoredProperty;
use crate::state::component_table::Numbering;
use machine::{BinaryOp, Expr, LocalId, Machine, NodeId, Quantifier, Scope, UnaryOp};
use verdict::Premise;

/// A condition, decomposed into leaves.
pub(crate) struct PropertyCache {
    leaves: Vec<Leaf>,
}

/// A condition on the variables of one node, which should have the value `wanted`.
struct Leaf {
    node: usize,
    condition: Condition,
    bound: Vec<(LocalId, i64)>,
    wanted: bool,
    /// By component number of the node's variables: whether the condition has the wanted value, if it has been
    /// evaluated.
    seen: Vec<Option<bool>>,
}

/// The caches of all conditions that a search monitors.
pub(crate) struct PropertyCaches {
    /// By property: the cache of its premise, and (`monitored`) of its condition; `None` if it has none.
    premises: Vec<Option<PropertyCache>>,
    monitored: Vec<Option<PropertyCache>>,
    /// By node: bit `v` is set if the variables of the node had component number `v` (below 64) in a state without
    /// anything to report. Since each leaf reads one node, states can be combined: a state in which this bit is set for
    /// every node has nothing to report.
    fine: Vec<u64>,
}

impl PropertyCaches {
    /// The caches of all conditions; `None` if a condition cannot be decomposed.
    pub(crate) fn new(
        machine: &Machine,
        monitored: &[MonitoredProperty<'_>],
        premises: &[Option<Condition>],
    ) -> Option<PropertyCaches> {
        let mut property_caches = PropertyCaches {
            premises: Vec::new(),
            monitored: Vec::new(),
            fine: machine.nodes().map(|_| 0).collect(),
        };
        let parts = machine.properties.iter().zip(monitored).zip(premises);
        for ((property, property_kind), premise) in parts {
            let scope = &property.scope;
            let divide =
                |c: &Condition, wanted| PropertyCache::new(machine, scope, &c.written, wanted);
            property_caches.monitored.push(match property_kind {
                MonitoredProperty::Invariant(condition) => Some(divide(condition, true)?),
                MonitoredProperty::Reach(condition) => Some(divide(condition, false)?),
                MonitoredProperty::Temporal(..) => None,
            });
            property_caches.premises.push(match premise {
                Some(premise) => Some(divide(premise, false)?),
                None => None,
            });
        }
        Some(property_caches)
    }

    /// Whether the caches show that the state has nothing to report. Only premises that are open according to `met` are
    /// considered.
    pub(crate) fn nothing_to_report(
        &mut self,
        met: &[Option<Premise>],
        expander: &mut Expander<'_>,
        numbering: &impl Numbering,
    ) -> bool {
        let open = self.premises.iter_mut().zip(met);
        let mut open = open.filter(|(_, met)| **met == Some(Premise::Open));
        let mut sure =
            |property_cache: &mut PropertyCache| property_cache.is_sure(expander, numbering);
        if !open.all(|(property_cache, _)| property_cache.as_mut().is_some_and(&mut sure)) {
            return false;
        }
        if self.are_fine(expander) {
            return true;
        }
        let mut monitored = self.monitored.iter_mut().flatten();
        let sure = monitored.all(|property_cache| property_cache.is_sure(expander, numbering));
        if sure {
            for (node, (number, fine)) in expander.numbers.iter().zip(&mut self.fine).enumerate() {
                if *number < u64::BITS && numbering.is_settled(node, *number) {
                    *fine |= 1 << *number;
                }
            }
        }
        sure
    }

    /// Whether, for every node, the bit of the component number of its variables is set in `fine`.
    fn are_fine(&self, expander: &Expander<'_>) -> bool {
        let mut nodes = expander.numbers.iter().zip(&self.fine);
        let fine = |(number, fine): (&u32, &u64)| *number < u64::BITS && fine >> number & 1 == 1;
        !self.fine.is_empty() && nodes.all(fine)
    }
}

/// The greatest number of leaves of a condition.
const MOST_LEAVES: usize = 1_000;

impl PropertyCache {
    /// The cache of a condition that should have the value `wanted`; `None` if it cannot be decomposed.
    pub(crate) fn new(
        machine: &Machine,
        scope: &Scope,
        condition: &Expr,
        wanted: bool,
    ) -> Option<PropertyCache> {
        let mut property_cache = PropertyCache { leaves: Vec::new() };
        let divided = property_cache.divide(machine, scope, condition, wanted, &mut Vec::new());
        divided.then_some(property_cache)
    }

    /// Whether the cache shows that the condition has the wanted value in the state.
    pub(crate) fn is_sure(
        &mut self,
        expander: &mut Expander<'_>,
        numbering: &impl Numbering,
    ) -> bool {
        self.leaves.iter_mut().all(|leaf| {
            let number = expander.numbers[leaf.node];
            let at = number as usize;
            if let Some(Some(seen)) = leaf.seen.get(at) {
                return *seen;
            }
            expander.make_sure_open(numbering);
            let sure = leaf.condition.holds(&expander.context(), &leaf.bound) == Some(leaf.wanted);
            if numbering.is_settled(leaf.node, number) {
                leaf.seen.resize(leaf.seen.len().max(at + 1), None);
                leaf.seen[at] = Some(sure);
            }
            sure
        })
    }

    fn divide(
        &mut self,
        machine: &Machine,
        scope: &Scope,
        expr: &Expr,
        wanted: bool,
        bound: &mut Vec<(LocalId, NodeId)>,
    ) -> bool {
        match expr {
            Expr::At(_, inner) => self.divide(machine, scope, inner, wanted, bound),
            Expr::Unary(UnaryOp::Not, inner) => self.divide(machine, scope, inner, !wanted, bound),
            Expr::Binary(BinaryOp::And, a, b) if wanted => {
                self.divide(machine, scope, a, true, bound)
                    && self.divide(machine, scope, b, true, bound)
            }
            Expr::Binary(BinaryOp::Or, a, b) if !wanted => {
                self.divide(machine, scope, a, false, bound)
                    && self.divide(machine, scope, b, false, bound)
            }
            Expr::Binary(BinaryOp::Implies, a, b) if !wanted => {
                self.divide(machine, scope, a, true, bound)
                    && self.divide(machine, scope, b, false, bound)
            }
            Expr::Quantified(quantifier, local, domain, body)
                if (*quantifier, wanted) == (Quantifier::All, true)
                    || (*quantifier, wanted) == (Quantifier::Exists, false) =>
            {
                let Some(nodes) = nodes(machine, domain) else {
                    return self.leaf(machine, scope, expr, wanted, bound);
                };
                nodes.into_iter().all(|node| {
                    bound.push((*local, node));
                    let divided = self.divide(machine, scope, body, wanted, bound);
                    bound.pop();
                    divided
                })
            }
            _ => self.leaf(machine, scope, expr, wanted, bound),
        }
    }

    fn leaf(
        &mut self,
        machine: &Machine,
        scope: &Scope,
        expr: &Expr,
        wanted: bool,
        bound: &[(LocalId, NodeId)],
    ) -> bool {
        let (mut node, mut one) = (None, true);
        expr.walk(&mut |e| match e {
            Expr::Var(_, of) | Expr::InMode(_, of) => {
                let mut names = bound.iter().rev();
                let found = names.find(|(local, _)| is_local(of, *local));
                one &= found.is_some_and(|(_, n)| *node.get_or_insert(*n) == *n);
            }
            Expr::Inbox(..) | Expr::Senders(..) | Expr::InFlight(..) | Expr::Quiescent => {
                one = false
            }
            Expr::TimerSet(..) | Expr::Faultless(_) | Expr::Now(..) | Expr::Overdue(_) => {
                one = false
            }
            _ => {}
        });
        let Some(condition) = Condition::new(machine, scope, expr).ok().filter(|_| one) else {
            return false;
        };
        let bound = bound.iter().map(|(local, n)| (*local, i64::from(n.0)));
        self.leaves.push(Leaf {
            node: node.map_or(0, NodeId::index),
            condition,
            bound: bound.collect(),
            wanted,
            seen: Vec::new(),
        });
        self.leaves.len() <= MOST_LEAVES
    }
}

/// The nodes of a domain that is the same in all states; `None` for other domains.
fn nodes(machine: &Machine, domain: &Expr) -> Option<Vec<NodeId>> {
    match domain {
        Expr::At(_, inner) => nodes(machine, inner),
        Expr::Nodes(None) => Some(machine.nodes().collect()),
        Expr::Nodes(Some(kind)) => Some(machine.nodes_of(*kind).collect()),
        _ => None,
    }
}
