//! Chain rules: a node that was far behind a second node cannot be far ahead of a third one.
//!
//! The ranges of first activations and of gaps bound how far two nodes drift apart. A node is far behind another only
//! if it started late or has long gaps. The same node then cannot also be far ahead of a third one. Rules about pairs
//! of nodes cannot express this.

use crate::semantics::order::constraints::NodeSlots;
use crate::{ChainRule, KindId, Machine, NodeId};
use std::collections::BTreeSet;

/// A lead: at one of its first `within` activations, `ahead` had a lead of at least `by` activations over `behind`. The
/// counter at index `place` is 1 if this has happened, else 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lead {
    ahead: NodeId,
    behind: NodeId,
    by: i64,
    within: i64,
    place: usize,
}

/// The indices of two leads that exclude each other.
type Excluded = (usize, usize);

/// The leads of all chain rules of a Machine, and which of them exclude each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Leads {
    leads: Vec<Lead>,
    excluded: Vec<Excluded>,
}

impl Leads {
    /// The leads of the given chain rules. `take` allocates a counter and returns its index.
    pub(crate) fn of(
        machine: &Machine,
        rules: &[ChainRule],
        take: &mut dyn FnMut() -> usize,
    ) -> Leads {
        let mut all = Leads::default();
        let mut seen = BTreeSet::new();
        for rule in rules {
            for first in machine.nodes_of(rule.of) {
                for second in machine.nodes_of(rule.with).filter(|n| *n != first) {
                    let others = machine.nodes_of(rule.then);
                    for third in others.filter(|n| *n != first && *n != second) {
                        let within = rule.activations;
                        let one = all.lead(first, second, (rule.leads.0, within), take);
                        let other = all.lead(second, third, (rule.leads.1, within), take);
                        if seen.insert((one, other)) {
                            all.excluded.push((one, other));
                        }
                    }
                }
            }
        }
        all
    }

    fn lead(
        &mut self,
        ahead: NodeId,
        behind: NodeId,
        (by, within): (u32, u32),
        take: &mut dyn FnMut() -> usize,
    ) -> usize {
        let (by, within) = (i64::from(by), i64::from(within));
        let same = |l: &Lead| (l.ahead, l.behind, l.by, l.within) == (ahead, behind, by, within);
        if let Some(known) = self.leads.iter().position(same) {
            return known;
        }
        let place = take();
        self.leads.push(Lead {
            ahead,
            behind,
            by,
            within,
            place,
        });
        self.leads.len() - 1
    }

    /// The pair of nodes that each counter describes.
    pub(crate) fn node_slots(&self) -> impl Iterator<Item = NodeSlots> {
        self.leads.iter().map(|lead| NodeSlots {
            node: lead.ahead,
            other: Some(lead.behind),
            sort: (3, lead.by, lead.within),
            place: lead.place,
            width: 1,
        })
    }

    /// Number of counters.
    pub(crate) fn len(&self) -> usize {
        self.leads.len()
    }

    /// Whether the next activation of `node` establishes the lead. `count` gives the number of activations of a node so
    /// far, and `runs` whether a node runs.
    fn begins(
        lead: &Lead,
        node: NodeId,
        count: &dyn Fn(NodeId) -> i64,
        runs: &dyn Fn(NodeId) -> bool,
    ) -> bool {
        let own = count(node) + 1;
        lead.ahead == node
            && runs(lead.behind)
            && own <= lead.within
            && count(lead.behind) + lead.by <= own
    }

    /// Whether the chain rules allow an activation of `node` in the current state.
    pub(crate) fn allow(
        &self,
        order_state: &[i64],
        node: NodeId,
        count: &dyn Fn(NodeId) -> i64,
        runs: &dyn Fn(NodeId) -> bool,
    ) -> bool {
        let is_so = |l: usize| {
            let lead = &self.leads[l];
            order_state[lead.place] > 0 || Leads::begins(lead, node, count, runs)
        };
        !self.excluded.iter().any(|(a, b)| is_so(*a) && is_so(*b))
    }

    /// Updates the counters of the leads for an allowed activation. Must be called before the activation is counted.
    pub(crate) fn activated(
        &self,
        order_state: &mut [i64],
        node: NodeId,
        count: &dyn Fn(&[i64], NodeId) -> i64,
        runs: &dyn Fn(NodeId) -> bool,
    ) {
        for lead in &self.leads {
            if Leads::begins(lead, node, &|n| count(order_state, n), runs) {
                order_state[lead.place] = 1;
            }
        }
    }

    /// Resets the counters that no longer restrict later activations.
    pub(crate) fn normalise(
        &self,
        order_state: &mut [i64],
        count: &dyn Fn(&[i64], NodeId) -> i64,
        runs: &dyn Fn(NodeId) -> bool,
    ) {
        for (l, lead) in self.leads.iter().enumerate() {
            let can_begin = |other: usize| {
                let other = &self.leads[other];
                runs(other.ahead)
                    && runs(other.behind)
                    && count(order_state, other.ahead) < other.within
            };
            let mut pairs = self.excluded.iter();
            let matters = pairs.any(|(a, b)| *a == l && can_begin(*b) || *b == l && can_begin(*a));
            if !matters || !runs(lead.ahead) || !runs(lead.behind) {
                order_state[lead.place] = 0;
            }
        }
    }

    /// The number up to which activations of nodes of a kind must be counted; 0 if no rule is about the kind.
    pub(crate) fn counted(rules: &[ChainRule], kind: KindId) -> u32 {
        let about = |rule: &&ChainRule| [rule.of, rule.with, rule.then].contains(&kind);
        let counts = rules.iter().filter(about).map(|rule| rule.activations);
        counts.max().unwrap_or(0)
    }
}
