//! Stability radius: how close the times of two Machines must be so that they imply the same about the order of
//! events.
//!
//! **What is compared.** Every conclusion from free gaps is the sign of a sum of declared bounds: whether a
//! constraint, or a path of constraints from moment to moment, has positive, zero or negative length
//! (`difference.rs`, `atoms.rs`, and the number of activations in `times.rs`). A path that implies something
//! visits no moment twice, and each of its constraints consists of at most as many gaps as are counted. So the
//! number of bounds in a sum is limited, for every query ([`most_bounds`]).
//!
//! **Near a threshold.** Let the bounds be affine functions of a parameter x, let them be multiples of a unit
//! at some threshold of x, and let none of them change by as much as the unit divided by that number on the way
//! to another x. Then no sum changes by a unit. So a sum that is not 0 at the threshold has the same sign
//! everywhere on the way, and a sum that is 0 there has one sign everywhere beyond it. Hence all x on the way,
//! except the threshold itself, give the same conclusions: a proof for one of them is a proof for all. With
//! fixed periods, or with jitter that does not accumulate, conclusions are more than signs of sums
//! (`theory/exact.rs`), and there is no stability radius ([`has_free_gaps`]).

use crate::constraints::times::MAX_SPANS;
use machine::{Jitter, Machine, Timing};
use rational::Rational;

/// The largest distance of x from a threshold such that all x between give the same conclusions; `other` is the
/// Machine for an x at distance `apart`. None where times depend on more than free gaps, or not on x.
pub fn stability_radius(
    threshold: &Machine,
    other: &Machine,
    apart: &Rational,
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
    let most = most_bounds(threshold);
    Some(unit / (steepest * Rational::from(2) * most))
}

/// Whether every node is periodic with free gaps: each gap has its own bounds.
pub fn has_free_gaps(machine: &Machine) -> bool {
    let mut nodes = machine.nodes();
    nodes.all(|node| match machine.timing(machine.kind_of(node)) {
        Some(Timing::Periodic(periodic)) => {
            !periodic.fixed && !matches!(periodic.jitter, Jitter::OnGrid(_))
        }
        _ => false,
    })
}

/// An upper bound of the number of bounds in a sum from which something is concluded. The moments are the
/// start, the cut, and at most [`MAX_SPANS`] activations of each node before and after the start. A constraint,
/// or what the times of a node imply about a moment by themselves, consists of at most [`MAX_SPANS`] gaps, each
/// with its jitter, a first activation, and the delays of two messages.
fn most_bounds(machine: &Machine) -> Rational {
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
        let near = stability_radius(&threshold, &machine("(per-gap 44/3)"), &Rational::ONE);
        // The unit is a third of a millisecond, and jitter changes as much as x.
        let half_a_unit = Rational::new(1, 6);
        assert_eq!(near, Some(half_a_unit / most_bounds(&threshold)));
        // A bound that changes three times as much allows a third of the radius.
        let thrice = stability_radius(&threshold, &machine("(per-gap 38/3)"), &Rational::ONE);
        assert_eq!(thrice, near.map(|near| near / Rational::from(3)));
    }

    #[test]
    fn nothing_is_said_where_nothing_changes_or_more_than_sums_matters() {
        let (one, other) = (machine("(per-gap 1)"), machine("(per-gap 2)"));
        assert!(stability_radius(&one, &other, &Rational::ONE).is_some());
        assert_eq!(stability_radius(&one, &one, &Rational::ONE), None);
        for periodic in ["fixed (per-gap 1)", "(on-grid 1)"] {
            assert_eq!(
                stability_radius(&machine(periodic), &other, &Rational::ONE),
                None
            );
        }
    }
}
