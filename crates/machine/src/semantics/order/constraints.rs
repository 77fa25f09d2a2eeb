//! Constraints on the order of activations without times: rounds, and the order rules and chain rules of an
//! abstraction.
//!
//! The part of the past that the constraints need is a list of small counters, [`State::order_state`](crate::State).
//! They are, in this order: leads of rounds; numbers of activations since the start; for every pair of nodes with a
//! rule about gaps, counts in the last gaps; leads of chain rules. A node that does not run imposes no constraint and
//! is under none; its counters are 0.

use crate::semantics::order::leads::Leads;
use crate::{Abstraction, ChainRule, KindId, Machine, NodeId, OrderRule, Timing, Window};

/// The ordering constraints of a Machine, and the layout of their counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderConstraints {
    kinds: Vec<KindId>,
    rounds: Vec<Round>,
    counts: Vec<Count>,
    pairs: Vec<Pair>,
    starts: Vec<OrderRule>,
    leads: Leads,
}

/// A node whose timing is `Round(lead)`. Counter: its number of activations minus that of the slowest running node with
/// such a timing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Round {
    node: NodeId,
    lead: i64,
    place: usize,
}

/// A node whose activations are counted from the start. Counter: the number of activations, saturating at `most`. No
/// rule distinguishes larger numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    node: NodeId,
    most: i64,
    place: usize,
}

/// Two nodes with a rule about gaps. Counters, in this order:
/// - the number of activations of `of`, saturating at the number of gaps of the longest window;
/// - 0 before the first activation of `with`, afterwards 1 plus the number of activations of `of` since then,
///   saturating;
/// - the number of activations of `with` in the current gap of `of`, in the gap before that, and so on, each
///   saturating.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pair {
    of: NodeId,
    with: NodeId,
    rules: Vec<OrderRule>,
    gaps: u32,
    most: i64,
    place: usize,
}

impl Pair {
    fn own(&self) -> usize {
        self.place
    }

    fn since(&self) -> usize {
        self.place + 1
    }

    /// The indices of the counters of the last `gaps` gaps, the current gap first.
    fn counts(&self, gaps: u32) -> std::ops::Range<usize> {
        self.place + 2..self.place + 2 + gaps as usize
    }

    /// Whether the lower bound of a rule applies to a window that began `gaps` activations of `of` ago.
    fn counts_for_least(&self, order_state: &[i64], gaps: u32, early: bool) -> bool {
        let gaps = i64::from(gaps);
        order_state[self.own()] >= gaps && (early || order_state[self.since()] > gaps)
    }
}

/// Consecutive slots of a state vector that describe one node or an ordered pair of nodes. Symmetry reduction permutes
/// the slots together with the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeSlots {
    /// The node, or the first node of the pair.
    pub node: NodeId,
    /// The second node of the pair; `None` for a single node.
    pub other: Option<NodeId>,
    /// The meaning of the slots. A permutation of the nodes maps slots only to slots with an equal `sort`.
    pub sort: (u8, i64, i64),
    /// The index of the first slot.
    pub place: usize,
    /// Number of slots.
    pub width: usize,
}

impl OrderConstraints {
    /// For each group of counters, the node or pair of nodes that it describes.
    pub fn node_slots(&self) -> Vec<NodeSlots> {
        let one = |node, sort, place| NodeSlots {
            node,
            other: None,
            sort,
            place,
            width: 1,
        };
        let rounds = self.rounds.iter().map(|r| one(r.node, (0, 0, 0), r.place));
        let counts = self.counts.iter().map(|c| one(c.node, (1, 0, 0), c.place));
        let pairs = self.pairs.iter().map(|pair| NodeSlots {
            node: pair.of,
            other: Some(pair.with),
            sort: (2, i64::from(pair.gaps), 0),
            place: pair.place,
            width: 2 + pair.gaps as usize,
        });
        let all = rounds.chain(counts).chain(pairs);
        all.chain(self.leads.node_slots()).collect()
    }

    /// The ordering constraints of a Machine.
    pub fn of(machine: &Machine) -> OrderConstraints {
        let mut place = 0;
        let mut take = |numbers: u32| {
            place += numbers as usize;
            place - numbers as usize
        };
        let kinds: Vec<KindId> = machine.nodes().map(|n| machine.kind_of(n)).collect();
        let mut rounds = Vec::new();
        for node in machine.nodes() {
            if let Some(Timing::Round(lead)) = machine.timing(machine.kind_of(node)) {
                rounds.push(Round {
                    node,
                    lead: i64::from(*lead),
                    place: take(1),
                });
            }
        }
        let (rules, chains): (&[OrderRule], &[ChainRule]) = match &machine.abstraction {
            Abstraction::Exact | Abstraction::Digitised(_) => (&[], &[]),
            Abstraction::Order(rules, chains) => (rules, chains),
        };
        let starts: Vec<OrderRule> = rules
            .iter()
            .filter(|rule| matches!(rule.window, Window::Start(_)))
            .cloned()
            .collect();
        let mut counts = Vec::new();
        for node in machine.nodes() {
            let kind = machine.kind_of(node);
            let needed = starts.iter().map(|rule| {
                let Window::Start(n) = rule.window else {
                    return 0;
                };
                let own = if rule.of == kind { n } else { 0 };
                let other = if rule.with == kind { enough(rule) } else { 0 };
                own.max(other)
            });
            let most = needed.max().unwrap_or(0);
            let most = most.max(Leads::counted(chains, kind));
            if most > 0 {
                counts.push(Count {
                    node,
                    most: i64::from(most),
                    place: take(1),
                });
            }
        }
        let in_gaps = |rule: &&OrderRule| matches!(rule.window, Window::Gaps { .. });
        let in_gaps: Vec<&OrderRule> = rules.iter().filter(in_gaps).collect();
        let kind = |node: NodeId| machine.kind_of(node);
        let mut pairs = Vec::new();
        for of in machine.nodes() {
            let own = in_gaps.iter().filter(|rule| rule.of == kind(of));
            let own: Vec<&&OrderRule> = own.collect();
            if own.is_empty() {
                continue;
            }
            cancellation::poll();
            for with in machine.nodes().filter(|with| *with != of) {
                let rules = own.iter().filter(|rule| rule.with == kind(with));
                let rules: Vec<OrderRule> = rules.map(|rule| (**rule).clone()).collect();
                let gaps = rules.iter().map(gaps_of).max().unwrap_or(0);
                if gaps > 0 {
                    pairs.push(Pair {
                        of,
                        with,
                        gaps,
                        most: i64::from(rules.iter().map(enough).max().unwrap_or(0)),
                        rules,
                        place: take(2 + gaps),
                    });
                }
            }
        }
        OrderConstraints {
            kinds,
            rounds,
            counts,
            pairs,
            starts,
            leads: Leads::of(machine, chains, &mut || take(1)),
        }
    }

    /// The greatest value of each counter.
    pub fn limits(&self) -> Vec<i64> {
        let mut limits = Vec::new();
        // The largest lead of all rounds bounds each counter; not all these values are reachable.
        let ahead = self.rounds.iter().map(|round| round.lead).max();
        limits.extend(self.rounds.iter().map(|_| ahead.unwrap_or(0)));
        limits.extend(self.counts.iter().map(|count| count.most));
        for pair in &self.pairs {
            let gaps = i64::from(pair.gaps);
            limits.extend([gaps, gaps + 1]);
            limits.extend((0..pair.gaps).map(|_| pair.most));
        }
        limits.extend((0..self.leads.len()).map(|_| 1));
        limits
    }

    /// The counters in the initial state.
    pub fn start(&self) -> Vec<i64> {
        vec![0; self.limits().len()]
    }

    /// Whether the constraints allow an activation of `node` in the current state; `runs` says whether a node runs.
    pub fn allows(&self, order_state: &[i64], node: NodeId, runs: &dyn Fn(NodeId) -> bool) -> bool {
        self.round_allows(order_state, node, runs)
            && self.starts_allow(order_state, node, runs)
            && self.gaps_allow(order_state, node, runs)
            && (self.leads).allow(order_state, node, &|n| self.count(order_state, n), runs)
    }

    /// Number of activations of a node, saturating at the largest number that a rule distinguishes.
    fn count(&self, order_state: &[i64], node: NodeId) -> i64 {
        let counted = self.counts.iter().find(|count| count.node == node);
        counted.map_or(0, |count| order_state[count.place])
    }

    fn round_allows(
        &self,
        order_state: &[i64],
        node: NodeId,
        runs: &dyn Fn(NodeId) -> bool,
    ) -> bool {
        let Some(own) = self.rounds.iter().find(|round| round.node == node) else {
            return true;
        };
        let mut others = self
            .rounds
            .iter()
            .filter(|r| r.node != node && runs(r.node));
        others.all(|other| order_state[own.place] < order_state[other.place] + own.lead)
    }

    fn starts_allow(
        &self,
        order_state: &[i64],
        node: NodeId,
        runs: &dyn Fn(NodeId) -> bool,
    ) -> bool {
        let count = |node: NodeId| self.count(order_state, node);
        let kind = self.kinds[node.index()];
        let others = || {
            self.counts
                .iter()
                .map(|c| c.node)
                .filter(|n| *n != node && runs(*n))
        };
        self.starts.iter().all(|rule| {
            let Window::Start(n) = rule.window else {
                return true;
            };
            let n = i64::from(n);
            let ends = rule.of == kind && count(node) + 1 == n;
            let enough = |other: NodeId| count(other) >= i64::from(rule.least);
            let counted = |other: NodeId| self.kinds[other.index()] == rule.with;
            let open = |other: NodeId| self.kinds[other.index()] == rule.of && count(other) < n;
            (!ends || others().filter(|o| counted(*o)).all(enough))
                && (rule.with != kind
                    || rule
                        .most
                        .is_none_or(|most| count(node) < i64::from(most) || !others().any(open)))
        })
    }

    fn gaps_allow(&self, order_state: &[i64], node: NodeId, runs: &dyn Fn(NodeId) -> bool) -> bool {
        let in_window = |pair: &Pair, gaps| order_state[pair.counts(gaps)].iter().sum::<i64>();
        self.pairs.iter().all(|pair| {
            if pair.of == node && runs(pair.with) {
                pair.rules.iter().all(|rule| match rule.window {
                    Window::Gaps { gaps, early }
                        if pair.counts_for_least(order_state, gaps, early) =>
                    {
                        in_window(pair, gaps) >= i64::from(rule.least)
                    }
                    _ => true,
                })
            } else if pair.with == node && runs(pair.of) {
                pair.rules.iter().all(|rule| match rule.window {
                    // Of all windows that have begun and not ended, the longest gives the strongest upper bound.
                    Window::Gaps { gaps, .. } if order_state[pair.own()] > 0 => {
                        let begun = gaps.min(order_state[pair.own()] as u32);
                        rule.most
                            .is_none_or(|most| in_window(pair, begun) < i64::from(most))
                    }
                    _ => true,
                })
            } else {
                true
            }
        })
    }

    /// Updates the counters for an allowed activation of `node`.
    pub fn activated(&self, order_state: &mut [i64], node: NodeId, runs: &dyn Fn(NodeId) -> bool) {
        (self.leads).activated(
            order_state,
            node,
            &|order_state, n| self.count(order_state, n),
            runs,
        );
        let up = |number: &mut i64, most: i64| *number = (*number + 1).min(most);
        for round in self.rounds.iter().filter(|round| round.node == node) {
            order_state[round.place] += 1;
        }
        for count in self.counts.iter().filter(|count| count.node == node) {
            up(&mut order_state[count.place], count.most);
        }
        for pair in &self.pairs {
            if pair.of == node {
                let gaps = i64::from(pair.gaps);
                up(&mut order_state[pair.own()], gaps);
                if order_state[pair.since()] > 0 {
                    up(&mut order_state[pair.since()], gaps + 1);
                }
                let counts = &mut order_state[pair.counts(pair.gaps)];
                counts.rotate_right(1);
                counts[0] = 0;
            } else if pair.with == node {
                order_state[pair.since()] = order_state[pair.since()].max(1);
                let current = pair.counts(1).start;
                up(&mut order_state[current], pair.most);
            }
        }
    }

    /// Brings the counters to a normal form after an event, so that more states with the same later activations are
    /// equal.
    pub fn normalise(&self, order_state: &mut [i64], runs: &dyn Fn(NodeId) -> bool) {
        let running = || self.rounds.iter().filter(|round| runs(round.node));
        let least = running()
            .map(|round| order_state[round.place])
            .min()
            .unwrap_or(0);
        for round in &self.rounds {
            let lead = &mut order_state[round.place];
            *lead = if runs(round.node) { *lead - least } else { 0 };
        }
        for count in self.counts.iter().filter(|count| !runs(count.node)) {
            order_state[count.place] = 0;
        }
        for pair in &self.pairs {
            if !runs(pair.of) || !runs(pair.with) {
                order_state[pair.place..pair.place + 2 + pair.gaps as usize].fill(0);
            }
        }
        (self.leads).normalise(
            order_state,
            &|order_state, n| self.count(order_state, n),
            runs,
        );
    }
}

/// The least count such that the rule treats all larger counts in a window alike.
fn enough(rule: &OrderRule) -> u32 {
    rule.least.max(rule.most.map_or(0, |most| most + 1))
}

fn gaps_of(rule: &OrderRule) -> u32 {
    match rule.window {
        Window::Gaps { gaps, .. } => gaps,
        Window::Start(_) => 0,
    }
}
