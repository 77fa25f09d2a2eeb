//! The order rules of the abstraction, and the search for a rule that excludes a spurious counterexample.
//!
//! A rule follows from the declared times of two nodes (`machine::order_rule`) or three nodes (`machine::chain_rule`).
//! To test whether a candidate rule excludes the spurious run, it is evaluated along the run.

use crate::concretise::Spurious;
use machine::{
    Abstraction, ChainRule, KindId, Machine, OrderConstraints, OrderRule, Periodic, Property,
    Window, chain_rule, order_rule,
};
use verdict::{Ending, TimeAbstraction};

/// The order rules of an abstraction.
#[derive(Default)]
pub(crate) struct Rules {
    windows: Vec<OrderRule>,
    chains: Vec<ChainRule>,
    /// Whether rules may count activations from the start (true) or are only about a few consecutive gaps (false).
    pub(crate) from_start: bool,
}

/// One order rule.
pub(crate) enum Rule {
    Window(OrderRule),
    Chain(ChainRule),
}

impl Rules {
    /// An empty set of rules. The rules added to it may count activations from the start.
    pub(crate) fn counting_from_start() -> Rules {
        Rules {
            from_start: true,
            ..Rules::default()
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.windows.len() + self.chains.len()
    }

    pub(crate) fn add(&mut self, rule: Rule) {
        match rule {
            Rule::Window(rule) => self.windows.push(rule),
            Rule::Chain(new) => {
                // The new rule subsumes an old one that differs only in covering fewer activations.
                let is_subsumed = |old: &ChainRule| {
                    let same = ChainRule {
                        activations: new.activations,
                        ..old.clone()
                    };
                    same == new && old.activations <= new.activations
                };
                self.chains.retain(|old| !is_subsumed(old));
                self.chains.push(new);
            }
        }
    }

    /// The abstraction of a Machine that these rules define, with the given properties.
    pub(crate) fn abstraction(
        &self,
        exact: &Machine,
        properties: impl Iterator<Item = Property>,
    ) -> Machine {
        Machine {
            abstraction: Abstraction::Order(self.windows.clone(), self.chains.clone()),
            properties: properties.collect(),
            ..exact.clone()
        }
    }

    /// The rules in the form for the report.
    pub(crate) fn time_abstraction(&self) -> TimeAbstraction {
        TimeAbstraction::OrderRules(self.windows.clone(), self.chains.clone())
    }
}

/// The abstraction of a Machine without order rules: it allows any order of events.
pub fn untimed(exact: &Machine) -> Machine {
    Rules::default().abstraction(exact, exact.properties.iter().cloned())
}

/// The cheapest rule that follows from the declared times and excludes a spurious counterexample. With `only_gaps`,
/// only rules about a few consecutive gaps are candidates. `None` if no candidate excludes it.
pub(crate) fn excluding_rule(
    exact: &Machine,
    spurious: &Spurious,
    only_gaps: bool,
) -> Option<Rule> {
    let rhythms = exact.periodic_kinds();
    let excluding = |rule: Rule| {
        let mut rules = Rules::default();
        rules.add(rule);
        let excluded = excludes(exact, &rules, spurious);
        let windows = rules.windows.pop().map(Rule::Window);
        windows
            .or(rules.chains.pop().map(Rule::Chain))
            .filter(|_| excluded)
    };
    let windows = windows(spurious.run.choices.len() as u32, only_gaps);
    let window = windows.into_iter().find_map(|(window, least)| {
        rhythms.iter().find_map(|of| {
            rhythms.iter().find_map(|with| {
                let rule = one_sided(*of, *with, window, least)?;
                excluding(Rule::Window(rule))
            })
        })
    });
    if window.is_some() || only_gaps {
        return window;
    }
    let most = most_activations(exact, spurious);
    let triples = rhythms.iter().flat_map(|of| {
        let pairs = rhythms
            .iter()
            .flat_map(|with| rhythms.iter().map(move |then| (with, then)));
        pairs.map(move |(with, then)| [*of, *with, *then])
    });
    let mut candidates = triples.flat_map(|kinds| LEADS.map(|leads| (kinds, leads)));
    candidates.find_map(|(kinds, leads)| excluding(Rule::Chain(chain_rule(kinds, most, leads)?)))
}

/// The leads, in activations, for which chain rules about three nodes are tried, the strictest first.
const LEADS: [(u32, u32); 6] = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2)];

/// The largest number of activations of a single node in the run.
fn most_activations(exact: &Machine, spurious: &Spurious) -> u32 {
    let choices = spurious.run.choices.iter();
    let activated: Vec<_> = choices.filter_map(|c| exact.activates(&c.event)).collect();
    let count = |node| activated.iter().filter(|n| **n == node).count() as u32;
    exact.nodes().map(count).max().unwrap_or(0)
}

/// The windows of the candidate rules, the cheapest first. The flag says whether the rule has a lower bound (true) or
/// an upper bound (false).
fn windows(events: u32, only_gaps: bool) -> Vec<(Window, bool)> {
    let gaps = |range: std::ops::RangeInclusive<u32>, least| {
        range.map(move |gaps| (Window::Gaps { gaps, early: true }, least))
    };
    let starts = (1..=events.min(64)).map(Window::Start);
    let starts = starts.flat_map(|window| [(window, true), (window, false)]);
    let few = gaps(1..=4, true).chain(gaps(1..=2, false));
    match only_gaps {
        true => few.collect(),
        false => starts
            .chain(few)
            .chain(gaps(5..=12, true))
            .chain(gaps(3..=12, false))
            .collect(),
    }
}

/// The rule for a window with only its lower bound (`least`) or only its upper bound. `None` for a lower bound of 0,
/// which excludes nothing.
fn one_sided(
    of: (KindId, &Periodic),
    with: (KindId, &Periodic),
    window: Window,
    least: bool,
) -> Option<OrderRule> {
    let both = order_rule(of, with, window);
    match least {
        true if both.least > 0 => Some(OrderRule { most: None, ..both }),
        true => None,
        false => Some(OrderRule { least: 0, ..both }),
    }
}

/// Whether the rules exclude the order of events of a run. The cycle of a lasso is repeated until the counters of the
/// rules repeat.
fn excludes(exact: &Machine, rules: &Rules, spurious: &Spurious) -> bool {
    let machine = rules.abstraction(exact, std::iter::empty());
    let pace = OrderConstraints::of(&machine);
    let mut counters = pace.start();
    let (run, states) = (&spurious.run, &spurious.replayed.states);
    let is_forbidden = |counters: &mut Vec<i64>, event: usize| {
        let runs = |state: usize| {
            let state = &states[state.min(states.len() - 1)];
            move |node: machine::NodeId| state.nodes[node.index()].mode.runs()
        };
        if let Some(node) = machine.activates(&run.choices[event].event) {
            if !pace.allows(counters, node, &runs(event)) {
                return true;
            }
            pace.activated(counters, node, &runs(event + 1));
        }
        pace.normalise(counters, &runs(event + 1));
        false
    };
    for event in 0..run.choices.len() {
        if is_forbidden(&mut counters, event) {
            return true;
        }
    }
    if let Ending::Loops(from) = run.ending {
        let mut seen = Vec::new();
        while !seen.contains(&counters) {
            seen.push(counters.clone());
            for event in from..run.choices.len() {
                if is_forbidden(&mut counters, event) {
                    return true;
                }
            }
        }
    }
    false
}
