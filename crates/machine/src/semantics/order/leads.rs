//! Chain rules: a node that is far behind a second node is not far ahead of a third.
//!
//! Two nodes can drift apart by the sum of the slack of their first activations and gaps. That slack is used only once:
//! if the first of three nodes is ahead of the second, the second started late or is slow, and cannot be as far ahead
//! of the third. Rules about pairs of nodes do not express this.

use crate::semantics::order::constraints::NodeSlots;
use crate::{ChainRule, KindId, Machine, NodeId};
use std::collections::BTreeSet;

/// A lead: within its first `within` activations a node was ahead of another by at least `by`. Counter: 1 if so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lead {
    ahead: NodeId,
    behind: NodeId,
    by: i64,
    within: i64,
    place: usize,
}

/// Two leads, by their indices, that exclude each other.
type Excluded = (usize, usize);

/// The leads of a Machine's chain rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Leads {
    leads: Vec<Lead>,
    excluded: Vec<Excluded>,
}

impl Leads {
    /// The leads of chain rules; `take` allocates a counter for each.
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

    /// The nodes that each counter describes.
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

    /// Whether the next activation of a node establishes the lead.
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

    /// Whether an activation of a node is allowed now.
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

    /// Updates the counters for an allowed activation, before it is counted.
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

    /// Resets counters that no longer influence later activations.
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

    /// Up to which number the activations of a kind must be counted.
    pub(crate) fn counted(rules: &[ChainRule], kind: KindId) -> u32 {
        let about = |rule: &&ChainRule| [rule.of, rule.with, rule.then].contains(&kind);
        let counts = rules.iter().filter(about).map(|rule| rule.activations);
        counts.max().unwrap_or(0)
    }
}
