//! Stability: which proofs for one value of a time that the model declares are proofs for all values up to a threshold.
//!
//! All that the rule concludes from declared times are comparisons of sums of declared bounds: with a time T, with a
//! threshold of a query, with the longest silence. Let the bounds be affine functions of a parameter x, and x so close to a
//! threshold that all values in between give each sum of at most [`MOST_BOUNDS`] bounds the same sign
//! (`order::stability_radius`). Then all these values have the same queries, up to the numbers in them, so the proof for
//! one of them is a proof for all. It remains to count the bounds.
//!
//! A gap, a first activation and a delay have at most three declared bounds each. The T of a part is a threshold of a query
//! plus gaps, one for each activation at most; a threshold is the T of a part that was proved before, plus a gap and a
//! delay. So with a activations at most, the T of the s-th step has at most s(3a + 10) bounds, and a comparison has two
//! thresholds and gaps between them.

use machine::OpenMachine;
use one_node::Protocol;
use rational::Rational;
use verdict::EverySizeProof;

/// The largest number of declared bounds in a sum whose sign a stable proof may depend on.
pub const MOST_BOUNDS: i64 = 1_000_000_000;

/// An upper bound on the activations of a query whose number does not follow from a T. The engine considers fewer, and
/// the query about missing messages has at most 16.
const ACTIVATIONS: i64 = 20;

/// Whether a proof compares sums of at most [`MOST_BOUNDS`] declared bounds.
pub fn is_stable(open: &OpenMachine, proof: &EverySizeProof) -> bool {
    let Ok(protocol) = Protocol::of(open) else {
        return false;
    };
    let latest = proof.steps.iter().map(|step| &step.from).max();
    let latest = latest.cloned().unwrap_or(Rational::ZERO);
    let gaps = (&latest / &protocol.durations.gap.0).floor();
    let steps = i64::try_from(proof.steps.len()).unwrap_or(MOST_BOUNDS);
    let bounds = gaps.to_i64().and_then(|gaps| {
        let activations = gaps.checked_add(2)?.max(ACTIVATIONS);
        let each = activations.checked_mul(3)?.checked_add(10)?;
        each.checked_mul(steps.checked_add(1)?)?.checked_mul(4)
    });
    bounds.is_some_and(|bounds| bounds <= MOST_BOUNDS)
}
