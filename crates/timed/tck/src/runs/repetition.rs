//! Whether a part of a run can be repeated for ever.
//!
//! Two states are equivalent if they have the same locations and values of integers, and their clock values are in the
//! same region (Alur and Dill, *A theory of timed automata*, 1994). The regions are those for the largest constants to
//! which the part compares each clock: a clock is greater than its constant in both states, or has the same integer
//! part in both; the same clocks have the fractional part 0; and the fractional parts have the same order. If the part
//! begins and ends in equivalent states, the same events are possible again after its end, possibly with other delays,
//! and lead to an equivalent state. The constant of a clock is at least that of every clock to which the part assigns
//! its value.

use crate::runs::replay::{Replay, State};
use crate::runs::times::Times;

/// Whether the events between two states of a run can be repeated for ever.
pub(crate) fn is_repeated(replay: &Replay, times: &Times, from: usize, to: usize) -> bool {
    let (first, last) = (&replay.states[from], &replay.states[to]);
    if first.locations != last.locations || !has_equal_ints(replay, from, to) {
        return false;
    }
    let mut constants: Vec<Option<i64>> = vec![None; first.clocks.len() + 1];
    for effects in &replay.events[from..to] {
        cancellation::poll();
        for (clock, constant) in &effects.tests {
            let constant = Some((*constant).max(0));
            constants[*clock] = constant.max(constants[*clock]);
        }
    }
    let copies = replay.events[from..to].iter().flat_map(|e| &e.assigned);
    let copies: Vec<_> = copies.filter(|assigned| assigned.source != 0).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for copy in &copies {
            cancellation::poll();
            let needed = constants[copy.clock];
            changed |= constants[copy.source] < needed;
            constants[copy.source] = needed.max(constants[copy.source]);
        }
    }
    is_same_region(first, last, &constants[1..], times.denominator)
}

/// Whether the integers have the same values in two states: the changes between them cancel out.
fn has_equal_ints(replay: &Replay, from: usize, to: usize) -> bool {
    let mut first = std::collections::HashMap::new();
    for (int, before, after) in replay.events[from..to].iter().flat_map(|e| &e.changes) {
        first.entry(*int).or_insert((*before, *after)).1 = *after;
    }
    first.values().all(|(before, after)| before == after)
}

fn is_same_region(a: &State, b: &State, constants: &[Option<i64>], unit: i64) -> bool {
    // Integer and fractional part of a clock that is not greater than its constant.
    let parts = |state: &State, clock: usize| {
        let value = state.clocks[clock];
        let constant = i128::from(constants[clock]?) * i128::from(unit);
        let is_small = i128::from(value) <= constant;
        is_small.then(|| (value.div_euclid(unit), value.rem_euclid(unit)))
    };
    let both: Vec<_> = (0..a.clocks.len())
        .map(|clock| (parts(a, clock), parts(b, clock)))
        .collect();
    let is_equal = both.iter().all(|pair| match pair {
        (None, None) => true,
        (Some((i, f)), Some((j, g))) => i == j && (*f == 0) == (*g == 0),
        _ => false,
    });
    let mut small = both
        .iter()
        .filter_map(|(a, b)| Some((a.as_ref()?.1, b.as_ref()?.1)));
    is_equal && {
        // The fractional parts have the same order if and only if the pairs sorted by the first part are sorted by the
        // second, with the same ties.
        let mut fractions: Vec<(i64, i64)> = small.by_ref().collect();
        fractions.sort_unstable();
        let mut pairs = fractions.windows(2);
        pairs.all(|pair| pair[0].0.cmp(&pair[1].0) == pair[0].1.cmp(&pair[1].1))
    }
}
