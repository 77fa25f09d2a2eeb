//! Activation counters over bits: they count the activations of one node between activations of another, for order
//! rules.
//!
//! The counters and rules are those of `machine::OrderConstraints`; each counter is a number of a few bits.

use crate::effects::Setting;
use crate::state::{Source, State};
use bits::{Bits, Number, Sort, Unsupported, packed};
use machine::{Abstraction, KindId, Machine, NodeId, OrderRule, Type, Window};
use sat::{Aig, Lit};

/// The activation counters that the order rules of an abstraction need.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActivationCounters {
    /// The rules that count activations from the start.
    starts: Vec<OrderRule>,
    /// By node: the limit at which the count of its activations from the start saturates; 0 if no rule reads the count.
    limits: Vec<i64>,
    pairs: Vec<Pair>,
}

/// Two nodes about which there are rules with gaps, with these rules, the largest number of gaps, and the limit at
/// which counts saturate.
#[derive(Clone, Debug)]
struct Pair {
    of: NodeId,
    with: NodeId,
    rules: Vec<OrderRule>,
    gaps: u32,
    most: i64,
}

/// The values of all activation counters in a state.
#[derive(Clone, Debug)]
pub(crate) struct ActivationCounts {
    /// By node: its activations from the start.
    starts: Vec<Number>,
    pairs: Vec<InGaps>,
}

/// The values of the counters for a pair of nodes.
#[derive(Clone, Debug)]
struct InGaps {
    /// The number of activations of `of`, up to the number of gaps.
    own: Number,
    /// 0 before the first activation of `with`; afterwards 1 plus the number of activations of `of` since that
    /// activation.
    since: Number,
    /// The number of activations of `with` in the current gap of `of`, in the previous gap, and so on.
    counts: Vec<Number>,
}

impl ActivationCounters {
    /// The counters that a Machine needs; none if its abstraction has no order rules.
    pub(crate) fn of(machine: &Machine) -> ActivationCounters {
        let Abstraction::Order(rules, _) = &machine.abstraction else {
            return ActivationCounters::default();
        };
        let (starts, gaps): (Vec<OrderRule>, Vec<OrderRule>) =
            { rules.iter().cloned() }.partition(|rule| matches!(rule.window, Window::Start(_)));
        let limits = machine.nodes().map(|node| {
            let kind = machine.kind_of(node);
            starts.iter().map(|rule| needed(rule, kind)).max()
        });
        let limits = limits.map(|most| i64::from(most.unwrap_or(0))).collect();
        let mut pairs = Vec::new();
        for of in machine.nodes() {
            for with in machine.nodes().filter(|with| *with != of) {
                let kinds = (machine.kind_of(of), machine.kind_of(with));
                let about = |rule: &&OrderRule| (rule.of, rule.with) == kinds;
                let rules: Vec<OrderRule> = gaps.iter().filter(about).cloned().collect();
                let gaps = rules.iter().map(gaps_of).max().unwrap_or(0);
                if gaps > 0 {
                    let most = i64::from(rules.iter().map(enough).max().unwrap_or(0));
                    pairs.push(Pair {
                        of,
                        with,
                        rules,
                        gaps,
                        most,
                    });
                }
            }
        }
        ActivationCounters {
            starts,
            limits,
            pairs,
        }
    }

    /// Counters over fresh literals, including values that are not reachable.
    pub(crate) fn free(&self, source: &mut Source<'_>) -> Result<ActivationCounts, Unsupported> {
        let starts = self.limits.iter().map(|most| source.number(*most));
        let starts = starts.collect::<Result<_, _>>()?;
        let mut pairs = Vec::new();
        for pair in &self.pairs {
            let gaps = i64::from(pair.gaps);
            pairs.push(InGaps {
                own: source.number(gaps)?,
                since: source.number(gaps + 1)?,
                counts: (0..gaps)
                    .map(|_| source.number(pair.most))
                    .collect::<Result<_, _>>()?,
            });
        }
        Ok(ActivationCounts { starts, pairs })
    }

    /// Appends the literals of the counters, in the order of [`ActivationCounters::free`].
    pub(crate) fn pack(
        &self,
        aig: &mut Aig,
        machine: &Machine,
        activation_counts: &ActivationCounts,
        lits: &mut Vec<Lit>,
    ) -> Result<(), Unsupported> {
        let mut number = |number: &Number, most: i64| -> Result<(), Unsupported> {
            let bits = Bits::Number(Sort::Int, number.clone());
            lits.extend(packed(aig, machine, &Type::Int(0, most), &bits)?);
            Ok(())
        };
        for (count, most) in activation_counts.starts.iter().zip(&self.limits) {
            number(count, *most)?;
        }
        for (pair, in_gaps) in self.pairs.iter().zip(&activation_counts.pairs) {
            let gaps = i64::from(pair.gaps);
            number(&in_gaps.own, gaps)?;
            number(&in_gaps.since, gaps + 1)?;
            for count in &in_gaps.counts {
                number(count, pair.most)?;
            }
        }
        Ok(())
    }

    /// The conditions that all counters are 0.
    pub(crate) fn nothing(&self, aig: &mut Aig, activation_counts: &ActivationCounts) -> Vec<Lit> {
        let in_gaps = activation_counts.pairs.iter();
        let in_gaps =
            in_gaps.flat_map(|pair| [&pair.own, &pair.since].into_iter().chain(&pair.counts));
        let all = activation_counts.starts.iter().chain(in_gaps);
        all.map(|number| number.is(aig, 0)).collect()
    }

    /// Whether the order rules allow an activation of a node in the state.
    pub(crate) fn allow(
        &self,
        aig: &mut Aig,
        setting: Setting<'_>,
        now: &State,
        node: NodeId,
    ) -> Lit {
        let runs: Vec<Lit> = runs(aig, setting, now);
        let from_start =
            self.starts_allow(aig, setting.machine, &now.activation_counts, node, &runs);
        let in_gaps = self.gaps_allow(aig, &now.activation_counts, node, &runs);
        aig.and(from_start, in_gaps)
    }

    fn starts_allow(
        &self,
        aig: &mut Aig,
        machine: &Machine,
        activation_counts: &ActivationCounts,
        node: NodeId,
        runs: &[Lit],
    ) -> Lit {
        let kind = machine.kind_of(node);
        let own = &activation_counts.starts.get(node.index());
        let mut conditions = Vec::new();
        for rule in &self.starts {
            let (Window::Start(n), Some(own)) = (rule.window, own) else {
                continue;
            };
            let n = i128::from(n);
            let others = machine.nodes().filter(|other| *other != node);
            let others: Vec<NodeId> = others.filter(|o| self.limits[o.index()] > 0).collect();
            if rule.of == kind {
                let ends = own.is(aig, n - 1);
                for other in others.iter().filter(|o| machine.kind_of(**o) == rule.with) {
                    let count = &activation_counts.starts[other.index()];
                    let fewer = count.less(aig, &Number::constant(i128::from(rule.least)));
                    let broken = aig.all([ends, runs[other.index()], fewer]);
                    conditions.push(!broken);
                }
            }
            if let (true, Some(most)) = (rule.with == kind, rule.most) {
                let fewer = own.less(aig, &Number::constant(i128::from(most)));
                for other in others.iter().filter(|o| machine.kind_of(**o) == rule.of) {
                    let count = &activation_counts.starts[other.index()];
                    let is_open = count.less(aig, &Number::constant(n));
                    let broken = aig.all([!fewer, runs[other.index()], is_open]);
                    conditions.push(!broken);
                }
            }
        }
        aig.all(conditions)
    }

    fn gaps_allow(
        &self,
        aig: &mut Aig,
        activation_counts: &ActivationCounts,
        node: NodeId,
        runs: &[Lit],
    ) -> Lit {
        let mut conditions = Vec::new();
        for (pair, numbers) in self.pairs.iter().zip(&activation_counts.pairs) {
            for rule in &pair.rules {
                let Window::Gaps { gaps, early } = rule.window else {
                    continue;
                };
                let in_all = |aig: &mut Aig, gaps: u32| {
                    let sum = numbers.counts.iter().take(gaps as usize);
                    sum.fold(Number::constant(0), |sum, count| sum.add(aig, count))
                };
                let length = i128::from(gaps);
                if pair.of == node {
                    let short = numbers.own.less(aig, &Number::constant(length));
                    let known = Number::constant(length).less(aig, &numbers.since);
                    let known = aig.or(known, Lit::constant(early));
                    let counts = aig.and(!short, known);
                    let sum = in_all(aig, gaps);
                    let fewer = sum.less(aig, &Number::constant(i128::from(rule.least)));
                    let broken = aig.all([runs[pair.with.index()], counts, fewer]);
                    conditions.push(!broken);
                } else if let (true, Some(most)) = (pair.with == node, rule.most) {
                    // Among the windows that have begun, the longest gives the strictest upper bound.
                    for begun in 1..=gaps {
                        let is_this = match begun == gaps {
                            true => !numbers.own.less(aig, &Number::constant(length)),
                            false => numbers.own.is(aig, i128::from(begun)),
                        };
                        let sum = in_all(aig, begun);
                        let fewer = sum.less(aig, &Number::constant(i128::from(most)));
                        let broken = aig.all([runs[pair.of.index()], is_this, !fewer]);
                        conditions.push(!broken);
                    }
                }
            }
        }
        aig.all(conditions)
    }

    /// Updates the counters for an activation of a node.
    pub(crate) fn activated(
        &self,
        aig: &mut Aig,
        activation_counts: &mut ActivationCounts,
        node: NodeId,
    ) {
        if let Some(count) = activation_counts.starts.get_mut(node.index()) {
            *count = up(aig, count, self.limits[node.index()]);
        }
        for (pair, numbers) in self.pairs.iter().zip(&mut activation_counts.pairs) {
            let gaps = i64::from(pair.gaps);
            if pair.of == node {
                numbers.own = up(aig, &numbers.own, gaps);
                let begun = !numbers.since.is(aig, 0);
                let later = up(aig, &numbers.since, gaps + 1);
                numbers.since = Number::ite(aig, begun, &later, &Number::constant(0));
                numbers.counts.rotate_right(1);
                numbers.counts[0] = Number::constant(0);
            } else if pair.with == node {
                let never = numbers.since.is(aig, 0);
                numbers.since = Number::ite(aig, never, &Number::constant(1), &numbers.since);
                numbers.counts[0] = up(aig, &numbers.counts[0], pair.most);
            }
        }
    }

    /// Resets the counters of inactive nodes, because order rules do not apply to them.
    pub(crate) fn settle(
        &self,
        aig: &mut Aig,
        activation_counts: &mut ActivationCounts,
        runs: &[Lit],
    ) {
        let zero = Number::constant(0);
        for (count, runs) in activation_counts.starts.iter_mut().zip(runs) {
            *count = Number::ite(aig, *runs, count, &zero);
        }
        for (pair, numbers) in self.pairs.iter().zip(&mut activation_counts.pairs) {
            let both = aig.and(runs[pair.of.index()], runs[pair.with.index()]);
            let all = [&mut numbers.own, &mut numbers.since];
            for number in all.into_iter().chain(&mut numbers.counts) {
                *number = Number::ite(aig, both, number, &zero);
            }
        }
    }
}

/// By node: whether it is active, that is, running or waiting for its start.
pub(crate) fn runs(aig: &mut Aig, setting: Setting<'_>, now: &State) -> Vec<Lit> {
    let view = setting.view(now);
    let nodes = setting.machine.nodes();
    nodes.map(|node| !view.is_gone(aig, node)).collect()
}

/// The number plus one, saturating at `most`.
fn up(aig: &mut Aig, number: &Number, most: i64) -> Number {
    let most = i128::from(most);
    let choices: Vec<(Lit, i128)> = (0..=most)
        .map(|v| (number.is(aig, v), (v + 1).min(most)))
        .collect();
    Number::one_of(aig, &choices)
}

/// The largest count of activations from the start, of a node of the given kind, that a rule distinguishes.
fn needed(rule: &OrderRule, kind: KindId) -> u32 {
    let Window::Start(n) = rule.window else {
        return 0;
    };
    let own = if rule.of == kind { n } else { 0 };
    let other = if rule.with == kind { enough(rule) } else { 0 };
    own.max(other)
}

/// The count from which on a rule treats all numbers of activations in its window alike.
fn enough(rule: &OrderRule) -> u32 {
    rule.least.max(rule.most.map_or(0, |most| most + 1))
}

fn gaps_of(rule: &OrderRule) -> u32 {
    match rule.window {
        Window::Gaps { gaps, .. } => gaps,
        Window::Start(_) => 0,
    }
}
