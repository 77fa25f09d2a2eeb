//! How near to each other the times of two Machines must be so that they say the same about the order of events.
//!
//! **What is compared.** Everything that is concluded here from free gaps is the sign of a sum of declared bounds: whether a
//! constraint, or a path of constraints from moment to moment, takes time, none, or less (`difference.rs`, `atoms.rs`, and which
//! activations there can be, `times.rs`). A path that says something passes no moment twice, and each of its constraints is made of as
//! many gaps as are counted at most. So a sum has at most so many bounds, however the question is asked ([`most_bounds`]).
//!
//! **Near a threshold.** Let the bounds depend on a number x in a straight line, let them be multiples of a unit where x is at some
//! threshold, and let none of them change by as much as the unit divided by that number on the path to another x. Then no sum
//! changes by a unit. So a sum that is not 0 at the threshold has the same sign everywhere on the path, and one that is 0 there has
//! one sign everywhere behind it. Hence all x on the path, without the threshold, give the same conclusions: a proof for
//! one of them is one for all. With fixed periods, or jitter that does not add up, more is concluded than signs of sums (`exact.rs`), and
//! nothing is said here ([`has_free_gaps`]).

use crate::constraints::times::MAX_SPANS;
use machine::{Jitter, Machine, Timing};
use rational::Rational;

/// How far x may be from a threshold so that all x between give the same conclusions; `other` is the Machine for an x that is
/// `apart` from it. Nothing where times depend on more than gaps that are free, or not at all on x.
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

/// Whether every node has a periodic of free gaps, each of which has its own bounds.
pub fn has_free_gaps(machine: &Machine) -> bool {
    let mut nodes = machine.nodes();
    nodes.all(|node| match machine.timing(machine.kind_of(node)) {
        Some(Timing::Periodic(periodic)) => {
            !periodic.fixed && !matches!(periodic.jitter, Jitter::OnGrid(_))
        }
        _ => false,
    })
}

/// More bounds than a sum has about which something is concluded. Moments are the start, the one that is looked at, and at most
/// [`MAX_SPANS`] activations of each node before and after the beginning. A constraint, or what a node's times say of a moment by
/// themselves, is about at most [`MAX_SPANS`] gaps, each with its jitter, a first activation, and the delays of two messages.
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
        // What changes three times as much must be three times as near.
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
