//! The sentences for abstractions of time.

use machine::{ChainRule, KindId, Machine, OrderRule, Window};
use verdict::{Digitised, Labels, TimeAbstraction};

/// How a method treats the times of a Machine, in words, without a full stop.
pub fn time_abstraction(
    abstraction: &TimeAbstraction,
    machine: &Machine,
    labels: &Labels,
) -> String {
    match abstraction {
        TimeAbstraction::EventOrder => {
            "event order: bounds of gaps, and exact times for runs".into()
        }
        TimeAbstraction::OrderRules(windows, chains) if windows.is_empty() && chains.is_empty() => {
            "untimed: any order of events".into()
        }
        TimeAbstraction::OrderRules(windows, chains) => {
            let windows = windows.iter().map(|rule| window(rule, machine));
            let chains = chains.iter().map(|rule| chain(rule, machine));
            let rules: Vec<String> = windows.chain(chains).collect();
            format!("order rules: {}", rules.join("; "))
        }
        TimeAbstraction::Digitised(unit, of) => {
            let of = match of {
                Digitised::Exact => "",
                Digitised::Coarsened => " of a coarsening, with intervals that end there",
                Digitised::Relaxed => {
                    " of a relaxation, with periods that may change from gap to gap"
                }
                Digitised::ToFindRuns => ", to find runs",
            };
            format!("digitisation in units of {}{of}", labels.time(unit))
        }
        TimeAbstraction::Zones => "zones: all real times".into(),
        TimeAbstraction::Several(all) => {
            let all = all.iter().map(|one| time_abstraction(one, machine, labels));
            all.collect::<Vec<_>>().join("; ")
        }
    }
}

fn name(kind: KindId, machine: &Machine) -> &str {
    &machine.kinds[kind.index()].name
}

fn window(rule: &OrderRule, machine: &Machine) -> String {
    let of = name(rule.of, machine);
    let window = match rule.window {
        Window::Gaps { gaps: 1, .. } => format!("in a gap of {of}"),
        Window::Gaps { gaps, .. } => format!("in {gaps} gaps of {of}"),
        Window::Start(n) => format!("before activation {n} of {of}"),
    };
    let count = match rule.most {
        Some(most) => format!("at most {most}"),
        None => format!("at least {}", rule.least),
    };
    format!("{window} {count} of {}", name(rule.with, machine))
}

fn chain(rule: &ChainRule, machine: &Machine) -> String {
    let (n, (first, second)) = (rule.activations, rule.leads);
    let name = |kind| name(kind, machine);
    let (of, with, then) = (name(rule.of), name(rule.with), name(rule.then));
    format!(
        "within {n} activations no {with} that a {of} was {first} ahead of is itself {second} ahead of a {then}"
    )
}
