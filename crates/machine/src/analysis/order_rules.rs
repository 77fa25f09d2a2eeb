//! Order rules and chain rules that follow from declared times.
//!
//! The rules do not use that a fixed period is the same for all gaps of a node: each gap may take any value of its
//! range. The rules therefore exclude no order that an exact run has.

use crate::{ChainRule, KindId, Machine, OrderRule, Periodic, Window};

/// A cap on the numbers of activations in rules. Gaps of very different lengths can exceed it.
const MOST_ACTIVATIONS: u32 = 1 << 30;

/// The least number for which a monotone predicate is true; [`MOST_ACTIVATIONS`] if it is false for all smaller
/// numbers.
fn least(mut is_true: impl FnMut(u32) -> bool) -> u32 {
    let mut step = 1;
    let mut high = 0;
    while high < MOST_ACTIVATIONS && !is_true(high) {
        high = MOST_ACTIVATIONS.min(high + step);
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

/// The order rule that bounds the number of activations of a node of `with` in a window of a node of `of`.
pub fn order_rule(of: (KindId, &Periodic), with: (KindId, &Periodic), window: Window) -> OrderRule {
    let (i, j) = (of.1, with.1);
    let rule = |window, least, most| OrderRule {
        of: of.0,
        with: with.0,
        window,
        least,
        // An upper bound at the cap may be too small, so it is omitted.
        most: (most < MOST_ACTIVATIONS).then_some(most),
    };
    match window {
        Window::Start(n) => {
            let (earliest, latest) = i.nth(n);
            // `surely` counts the activations that are always before the end of the window; `perhaps` also those that
            // can be before it or at the same time.
            let surely = least(|count| j.nth(count + 1).1 >= earliest);
            let perhaps = least(|count| j.nth(count + 1).0 > latest);
            rule(window, surely, perhaps)
        }
        Window::Gaps { gaps, .. } => {
            let (shortest, longest) = i.span(gaps);
            // If n activations of j are in the window, the last one before it and the first one after it are n + 1 gaps
            // apart and enclose the window.
            let surely = least(|count| j.span(count + 1).1 >= shortest);
            // If n activations of j are in the window, the first and the last are n - 1 gaps apart, and this span is at
            // most the length of the window.
            let perhaps = least(|count| j.span(count).0 > longest);
            // Whether the lower bound also holds if j has no activation before the window: even in the first window, j
            // makes `surely` activations before the window ends.
            let early = surely == 0 || j.nth(surely).1 < i.first_bounds().0 + &shortest;
            rule(Window::Gaps { gaps, early }, surely, perhaps)
        }
    }
}

/// The largest n such that at each node's n-th activation, and all earlier ones, every other periodic node is at most
/// `lead` activations behind. `None` if this is so for all n up to `limit`.
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

/// The chain rule with the given kinds, number of activations and leads if it follows from the timings, otherwise
/// `None`. See [`ChainRule`] for its meaning.
pub fn chain_rule(
    kinds: [(KindId, &Periodic); 3],
    activations: u32,
    leads: (u32, u32),
) -> Option<ChainRule> {
    let [(of, first), (with, second), (then, third)] = kinds;
    let excluded = |a: u32, c: u32| {
        // Assume that the leads occur at the a-th activation of the first node and at the c-th of the second. Then the
        // first node's a-th activation is before the second node's b-th, and the second node's c-th before the third
        // node's d-th.
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

#[cfg(test)]
mod bounds_of_numbers {
    use super::least;

    #[test]
    fn a_number_that_is_too_large_is_not_sought() {
        assert_eq!(least(|n| n >= 1_000_000), 1_000_000);
        assert_eq!(least(|n| n == u32::MAX), super::MOST_ACTIVATIONS);
        assert_eq!(least(|_| false), super::MOST_ACTIVATIONS);
    }
}
