//! Rules about the order of activations over bits: how many of one node there are between some of another.
//!
//! What `machine::OrderConstraints` keeps as numbers is kept here as numbers of a few bits each; the rules are the same.

use crate::deeds::Setting;
use crate::state::{Source, State};
use bits::{Bits, Number, Sort, Unsupported, packed};
use machine::{Abstraction, KindId, Machine, NodeId, OrderRule, Type, Window};
use sat::{Aig, Lit};

/// What the rules of a abstraction count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Windows {
    /// Rules that count from the start.
    starts: Vec<OrderRule>,
    /// By node: up to which number its activations are counted from the start; 0 if nobody asks.
    counted: Vec<i64>,
    pairs: Vec<Pair>,
}

/// Two nodes with rules about gaps.
#[derive(Clone, Debug)]
struct Pair {
    of: NodeId,
    with: NodeId,
    rules: Vec<OrderRule>,
    gaps: u32,
    most: i64,
}

/// What was counted.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    /// By node: activations from the start.
    starts: Vec<Number>,
    pairs: Vec<InGaps>,
}

/// What was counted of two nodes.
#[derive(Clone, Debug)]
struct InGaps {
    /// How many activations of `of` there were.
    own: Number,
    /// 0 before the first activation of `with`, then 1 more than those of `of` since.
    since: Number,
    /// Activations of `with` in the current gap of `of`, in the one before, and so on.
    counts: Vec<Number>,
}

impl Windows {
    /// Those of a Machine.
    pub(crate) fn of(machine: &Machine) -> Windows {
        let Abstraction::Order(rules, _) = &machine.abstraction else {
            return Windows::default();
        };
        let (starts, gaps): (Vec<OrderRule>, Vec<OrderRule>) =
            { rules.iter().cloned() }.partition(|rule| matches!(rule.window, Window::Start(_)));
        let counted = machine.nodes().map(|node| {
            let kind = machine.kind_of(node);
            starts.iter().map(|rule| needed(rule, kind)).max()
        });
        let counted = counted.map(|most| i64::from(most.unwrap_or(0))).collect();
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
        Windows {
            starts,
            counted,
            pairs,
        }
    }

    /// Any numbers, valid or not.
    pub(crate) fn free(&self, source: &mut Source<'_>) -> Result<Counted, Unsupported> {
        let starts = self.counted.iter().map(|most| source.number(*most));
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
        Ok(Counted { starts, pairs })
    }

    /// The literals of numbers, in the order in which [`Windows::free`] asks for them.
    pub(crate) fn pack(
        &self,
        aig: &mut Aig,
        machine: &Machine,
        counted: &Counted,
        lits: &mut Vec<Lit>,
    ) -> Result<(), Unsupported> {
        let mut number = |number: &Number, most: i64| -> Result<(), Unsupported> {
            let bits = Bits::Number(Sort::Int, number.clone());
            lits.extend(packed(aig, machine, &Type::Int(0, most), &bits)?);
            Ok(())
        };
        for (count, most) in counted.starts.iter().zip(&self.counted) {
            number(count, *most)?;
        }
        for (pair, in_gaps) in self.pairs.iter().zip(&counted.pairs) {
            let gaps = i64::from(pair.gaps);
            number(&in_gaps.own, gaps)?;
            number(&in_gaps.since, gaps + 1)?;
            for count in &in_gaps.counts {
                number(count, pair.most)?;
            }
        }
        Ok(())
    }

    /// That nothing was counted yet.
    pub(crate) fn nothing(&self, aig: &mut Aig, counted: &Counted) -> Vec<Lit> {
        let in_gaps = counted.pairs.iter();
        let in_gaps =
            in_gaps.flat_map(|pair| [&pair.own, &pair.since].into_iter().chain(&pair.counts));
        let all = counted.starts.iter().chain(in_gaps);
        all.map(|number| number.is(aig, 0)).collect()
    }

    /// Whether a node may be activated.
    pub(crate) fn allow(
        &self,
        aig: &mut Aig,
        setting: Setting<'_>,
        now: &State,
        node: NodeId,
    ) -> Lit {
        let runs: Vec<Lit> = runs(aig, setting, now);
        let from_start = self.starts_allow(aig, setting.machine, &now.counted, node, &runs);
        let in_gaps = self.gaps_allow(aig, &now.counted, node, &runs);
        aig.and(from_start, in_gaps)
    }

    fn starts_allow(
        &self,
        aig: &mut Aig,
        machine: &Machine,
        counted: &Counted,
        node: NodeId,
        runs: &[Lit],
    ) -> Lit {
        let kind = machine.kind_of(node);
        let own = &counted.starts.get(node.index());
        let mut conditions = Vec::new();
        for rule in &self.starts {
            let (Window::Start(n), Some(own)) = (rule.window, own) else {
                continue;
            };
            let n = i128::from(n);
            let others = machine.nodes().filter(|other| *other != node);
            let others: Vec<NodeId> = others.filter(|o| self.counted[o.index()] > 0).collect();
            if rule.of == kind {
                let ends = own.is(aig, n - 1);
                for other in others.iter().filter(|o| machine.kind_of(**o) == rule.with) {
                    let count = &counted.starts[other.index()];
                    let fewer = count.less(aig, &Number::constant(i128::from(rule.least)));
                    let broken = aig.all([ends, runs[other.index()], fewer]);
                    conditions.push(!broken);
                }
            }
            if let (true, Some(most)) = (rule.with == kind, rule.most) {
                let fewer = own.less(aig, &Number::constant(i128::from(most)));
                for other in others.iter().filter(|o| machine.kind_of(**o) == rule.of) {
                    let count = &counted.starts[other.index()];
                    let is_open = count.less(aig, &Number::constant(n));
                    let broken = aig.all([!fewer, runs[other.index()], is_open]);
                    conditions.push(!broken);
                }
            }
        }
        aig.all(conditions)
    }

    fn gaps_allow(&self, aig: &mut Aig, counted: &Counted, node: NodeId, runs: &[Lit]) -> Lit {
        let mut conditions = Vec::new();
        for (pair, numbers) in self.pairs.iter().zip(&counted.pairs) {
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
                    // Of those windows that have begun the longest says most.
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

    /// Notes an activation that was allowed.
    pub(crate) fn activated(&self, aig: &mut Aig, counted: &mut Counted, node: NodeId) {
        if let Some(count) = counted.starts.get_mut(node.index()) {
            *count = up(aig, count, self.counted[node.index()]);
        }
        for (pair, numbers) in self.pairs.iter().zip(&mut counted.pairs) {
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

    /// Nodes that do not run any more neither hold others back nor are held.
    pub(crate) fn settle(&self, aig: &mut Aig, counted: &mut Counted, runs: &[Lit]) {
        let zero = Number::constant(0);
        for (count, runs) in counted.starts.iter_mut().zip(runs) {
            *count = Number::ite(aig, *runs, count, &zero);
        }
        for (pair, numbers) in self.pairs.iter().zip(&mut counted.pairs) {
            let both = aig.and(runs[pair.of.index()], runs[pair.with.index()]);
            let all = [&mut numbers.own, &mut numbers.since];
            for number in all.into_iter().chain(&mut numbers.counts) {
                *number = Number::ite(aig, both, number, &zero);
            }
        }
    }
}

/// By node: whether it runs, or waits for its start.
pub(crate) fn runs(aig: &mut Aig, setting: Setting<'_>, now: &State) -> Vec<Lit> {
    let seen = setting.see(now);
    let nodes = setting.machine.nodes();
    nodes.map(|node| !seen.is_gone(aig, node)).collect()
}

/// One more, but not more than that.
fn up(aig: &mut Aig, number: &Number, most: i64) -> Number {
    let most = i128::from(most);
    let choices: Vec<(Lit, i128)> = (0..=most)
        .map(|v| (number.is(aig, v), (v + 1).min(most)))
        .collect();
    Number::one_of(aig, &choices)
}

/// Up to which number a rule counts the activations of a kind from the start.
fn needed(rule: &OrderRule, kind: KindId) -> u32 {
    let Window::Start(n) = rule.window else {
        return 0;
    };
    let own = if rule.of == kind { n } else { 0 };
    let other = if rule.with == kind { enough(rule) } else { 0 };
    own.max(other)
}

/// From where on a rule cannot tell numbers of activations in its window apart.
fn enough(rule: &OrderRule) -> u32 {
    rule.least.max(rule.most.map_or(0, |most| most + 1))
}

fn gaps_of(rule: &OrderRule) -> u32 {
    match rule.window {
        Window::Gaps { gaps, .. } => gaps,
        Window::Start(_) => 0,
    }
}
