//! Stability radius: how close the declared times of two Machines must be to imply the same orders of events.
//!
//! **Sums of bounds.** Every conclusion from free gaps is the sign of a sum of declared bounds: it asks whether a
//! constraint, or a path of constraints, has positive, zero or negative length (`difference.rs`, `atoms.rs`, and the
//! number of activations in `times.rs`). A path visits no moment twice, and each of its constraints is a sum of at most
//! `MAX_SPANS` gaps. So the number of bounds in a sum is at most [`most_bounds`], for every query.
//!
//! **Near a threshold.** Let the bounds be affine functions of a parameter x, and let all of them be multiples of a
//! unit u at a threshold of x. Between the threshold and some other x, let each bound change by less than u /
//! `most_bounds`. Then no sum changes by u or more. So a sum that is not 0 at the threshold keeps its sign, and a sum
//! that is 0 at the threshold has one sign on the whole side beyond it. Hence all x between, except the threshold, give
//! the same conclusions, and a proof for one of them is a proof for all. With fixed periods, or with jitter that does
//! not accumulate, conclusions are not only signs of sums (`theory/exact.rs`), so there is no stability radius
//! ([`has_free_gaps`]).

use crate::constraints::times::MAX_SPANS;
use machine::{Jitter, Machine, Timing};
use rational::Rational;

/// The largest distance from the threshold of x within which all x on the side of `other` give the same conclusions from
/// sums of at most `most` declared bounds. `threshold` is the Machine at the threshold, `other` the Machine at distance
/// `apart` from it. `None` if some node has no free gaps, or if no declared time depends on x.
pub fn stability_radius(
    threshold: &Machine,
    other: &Machine,
    apart: &Rational,
    most: &Rational,
) -> Option<Rational> {
    if !has_free_gaps(threshold) || !has_free_gaps(other) {
        return None;
    }
    let (here, there) = (threshold.declared_bounds(), other.declared_bounds());
    if here.len() != there.len() {
        return None;
    }
    let mut unit = Rational::ZERO;
    let mut steepest = Rational::ZERO;
    for (here, there) in here.iter().zip(&there) {
        unit = unit.gcd(&here.time);
        let slope = ((&there.time - &here.time) / apart).abs();
        steepest = steepest.max(slope);
    }
    if unit.is_zero() || steepest.is_zero() {
        return None;
    }
    Some(unit / (steepest * Rational::from(2) * most.clone()))
}

/// Whether every node is periodic with free gaps: no fixed period, and no jitter around a grid, so that the gaps are
/// independent of each other.
pub fn has_free_gaps(machine: &Machine) -> bool {
    let mut nodes = machine.nodes();
    nodes.all(|node| match machine.timing(machine.kind_of(node)) {
        Some(Timing::Periodic(periodic)) => {
            !periodic.fixed && !matches!(periodic.jitter, Jitter::OnGrid(_))
        }
        _ => false,
    })
}

/// An upper bound on the number of declared bounds in a sum whose sign matters to a query about the order of events.
/// The moments are the start, the cut, and at most `MAX_SPANS` activations of each node before and after the start. A
/// constraint is a sum of at most `MAX_SPANS` gaps, each with its jitter, a first activation, and the delays of two
/// messages.
pub fn most_bounds(machine: &Machine) -> Rational {
    let moments = 2 * i128::from(machine.node_count()) * i128::from(MAX_SPANS) + 2;
    let bounds = 2 * i128::from(MAX_SPANS) + 8;
    Rational::new(2 * moments * bounds, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(periodic: &str) -> Machine {
        let text = format!("(kind P 2) (block P tick (every 49 51 {periodic} (first 0 51)))");
        machine::parse(&text).expect("a machine")
    }

    #[test]
    fn bounds_are_multiples_of_a_unit_at_the_border() {
        let threshold = machine("(per-gap 47/3)");
        let most = most_bounds(&threshold);
        let radius = |other| stability_radius(&threshold, &machine(other), &Rational::ONE, &most);
        let near = radius("(per-gap 44/3)");
        // The unit is 1/3 ms, and the jitter changes by as much as x.
        let half_a_unit = Rational::new(1, 6);
        assert_eq!(near, Some(half_a_unit / most.clone()));
        // A bound that changes three times as fast divides the radius by three.
        let thrice = radius("(per-gap 38/3)");
        assert_eq!(thrice, near.map(|near| near / Rational::from(3)));
    }

    #[test]
    fn nothing_is_said_where_nothing_changes_or_more_than_sums_matters() {
        let (one, other) = (machine("(per-gap 1)"), machine("(per-gap 2)"));
        let radius = |one: &Machine, other: &Machine| {
            stability_radius(one, other, &Rational::ONE, &Rational::ONE)
        };
        assert!(radius(&one, &other).is_some());
        assert_eq!(radius(&one, &one), None);
        for periodic in ["fixed (per-gap 1)", "(on-grid 1)"] {
            assert_eq!(radius(&machine(periodic), &other), None);
        }
    }
}
