//! Order rules derived from declared times: bounds on the order of activations.
//!
//! All rules use the *gaps* reading: a fixed period is treated as a gap that may vary, so that the rules allow at least
//! the orders of exact runs.

use crate::{ChainRule, KindId, Machine, OrderRule, Periodic, Window};

/// The least number for which a monotone predicate is true.
fn least(mut is_true: impl FnMut(u32) -> bool) -> u32 {
    let mut step = 1;
    let mut high = 0;
    while !is_true(high) {
        high += step;
        step *= 2;
    }
    let mut low = 0;
    while low < high {
        let middle = low + (high - low) / 2;
        if is_true(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// The order rule for the activations of `with` in a window of `of`.
pub fn order_rule(of: (KindId, &Periodic), with: (KindId, &Periodic), window: Window) -> OrderRule {
    let (i, j) = (of.1, with.1);
    let rule = |window, least, most| OrderRule {
        of: of.0,
        with: with.0,
        window,
        least,
        most: Some(most),
    };
    match window {
        Window::Start(n) => {
            let (earliest, latest) = i.nth(n);
            // Activations that are certainly before, and activations that may be before or at the same time.
            let surely = least(|count| j.nth(count + 1).1 >= earliest);
            let perhaps = least(|count| j.nth(count + 1).0 > latest);
            rule(window, surely, perhaps)
        }
        Window::Gaps { gaps, .. } => {
            let (shortest, longest) = i.span(gaps);
            // Two activations of j that enclose the window also enclose all activations in it.
            let surely = least(|count| j.span(count + 1).1 >= shortest);
            // All activations in the window lie within its length.
            let perhaps = least(|count| j.span(count).0 > longest);
            // Without an activation of j before the window: its first activations are early enough, even in the first
            // window.
            let early = surely == 0 || j.nth(surely).1 < i.first_bounds().0 + &shortest;
            rule(Window::Gaps { gaps, early }, surely, perhaps)
        }
    }
}

/// The number of activations of the fastest node up to which all activation counts differ by at most `lead`; `None` if
/// they do up to `limit`.
pub fn horizon(machine: &Machine, lead: u32, limit: u32) -> Option<u32> {
    let kinds = machine.periodic_kinds();
    let holds = |n: u32| {
        kinds.iter().all(|of| {
            let others = kinds.iter();
            others
                .filter(|with| with.0 != of.0 || machine.kinds[of.0.index()].count > 1)
                .all(|with| {
                    let rule = order_rule(*of, *with, Window::Start(n));
                    rule.least.saturating_add(lead) >= n
                })
        })
    };
    (1..=limit).find(|n| !holds(*n)).map(|n| n - 1)
}

/// The chain rule with the given bounds, if it follows from the timings: within `activations` activations it is
/// excluded that a node of the first kind was ahead of one of the second by `leads.0`, and that one ahead of a node of
/// the third by `leads.1`.
pub fn chain_rule(
    kinds: [(KindId, &Periodic); 3],
    activations: u32,
    leads: (u32, u32),
) -> Option<ChainRule> {
    let [(of, first), (with, second), (then, third)] = kinds;
    let excluded = |a: u32, c: u32| {
        // The first node's a-th activation is before the second's b-th, whose c-th is before the third's d-th.
        let (b, d) = (a - leads.0 + 1, c - leads.1 + 1);
        let (earliest, latest) = (first.nth(a).0, third.nth(d).1);
        match c >= b {
            true => earliest + second.span(c - b).0 > latest,
            false => earliest > latest + second.span(b - c).1,
        }
    };
    let mut pairs =
        (leads.0..=activations).flat_map(|a| (leads.1..=activations).map(move |c| (a, c)));
    pairs.all(|(a, c)| excluded(a, c)).then_some(ChainRule {
        of,
        with,
        then,
        activations,
        leads,
    })
}
