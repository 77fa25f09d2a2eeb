//! What declared times say about the order of activations: spans of time, and the rules that follow.
//!
//! Everything here is about the *gaps* reading: a fixed period is taken for a gap that may change, so that
//! rules include at least the orders of exact runs.

use crate::{ChainRule, KindId, Machine, OrderRule, Periodic, Window};

/// The least number, from 0, of which something is true that is true of all greater ones as well.
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

/// The rule for a window of one rhythm in which activations of another are counted.
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
            // Those that are surely before, and those that can be before or at the same time.
            let surely = least(|count| j.nth(count + 1).1 >= earliest);
            let perhaps = least(|count| j.nth(count + 1).0 > latest);
            rule(window, surely, perhaps)
        }
        Window::Gaps { gaps, .. } => {
            let (shortest, longest) = i.span(gaps);
            // Between two activations of j that enclose the window lie all that are in it.
            let surely = least(|count| j.span(count + 1).1 >= shortest);
            // All that are in the window lie within its length.
            let perhaps = least(|count| j.span(count).0 > longest);
            // Without an activation of j before the window: its first ones are early enough, even if the window is the first.
            let early = surely == 0 || j.nth(surely).1 < i.first_bounds().0 + &shortest;
            rule(Window::Gaps { gaps, early }, surely, perhaps)
        }
    }
}

/// Up to how many activations of the fastest node numbers of activations differ by at most `lead`; nothing
/// if they do for ever, as far as `limit`.
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

/// The rule that within so many activations a node of the first kind cannot have been ahead of one of the second by
/// the first number, and that ahead of one of the third by the second; if it follows from their rhythms.
pub fn chain_rule(
    kinds: [(KindId, &Periodic); 3],
    activations: u32,
    leads: (u32, u32),
) -> Option<ChainRule> {
    let [(of, first), (with, second), (then, third)] = kinds;
    let excluded = |a: u32, c: u32| {
        // The first node's a-th is before the second's b-th, whose c-th is before the third's d-th.
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
