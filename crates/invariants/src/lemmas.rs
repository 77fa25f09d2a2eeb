//! Lemmas: claims proved earlier, which are assumed in every state of a circuit.
//!
//! *Soundness.* Each reachable state of a circuit is a reachable state of the Machine, for every number of messages
//! that the circuit represents. So a claim that holds in all reachable states of the Machine excludes no run. A lemma
//! need not be inductive: it is assumed in every state of an induction and in every frame of PDR.

use crate::answer::Lemma;
use circuits::{Encoded, Proof, check_proof, property};
use sat::{Backend, Lit};

/// The largest k of a k-induction for which unneeded lemmas are removed.
const MAX_MINIMISED_STEPS: usize = 10;

/// The lemmas that a circuit assumes.
pub(crate) struct Lemmas<'k> {
    /// Each lemma with the literals that are false in all states because of it.
    claims: Vec<(Lemma<'k>, Vec<Lit>)>,
}

impl<'k> Lemmas<'k> {
    /// Assumes in the circuit all lemmas that are conditions on single states.
    pub(crate) fn of(encoded: &mut Encoded<'_>, known: &[Lemma<'k>]) -> Lemmas<'k> {
        let mut claims = Vec::new();
        for known in known {
            if let Ok(Some(asked)) = property(encoded, known.0) {
                claims.push((*known, vec![asked.sought, asked.no_value]));
            }
        }
        let lemmas = Lemmas { claims };
        lemmas.rely_on(encoded, |_| true);
        lemmas
    }

    fn rely_on(&self, encoded: &mut Encoded<'_>, is_asked: impl Fn(usize) -> bool) {
        let claims = self.claims.iter().enumerate();
        let asked = claims.filter(|(place, _)| is_asked(*place));
        encoded.rely_on(asked.flat_map(|(_, (_, never))| never.iter().copied()));
    }

    /// The lemmas that remain after removing, all together or one by one, those without which the proof still checks.
    /// All lemmas if such checks would take long.
    pub(crate) fn needed(
        &self,
        encoded: &mut Encoded<'_>,
        proof: &Proof,
        backend: Backend,
    ) -> Vec<Lemma<'k>> {
        let is_quick = match proof {
            Proof::Inductive(_) => true,
            Proof::KInductive { k, .. } => *k <= MAX_MINIMISED_STEPS,
            Proof::Exhaustive { .. } => false,
        };
        let mut needed = vec![true; self.claims.len()];
        let mut try_without = |needed: &mut Vec<bool>, without: &[usize]| {
            let before = needed.clone();
            without.iter().for_each(|place| needed[*place] = false);
            self.rely_on(encoded, |place| needed[place]);
            if check_proof(&encoded.circuit, proof, &backend.new).is_err() {
                *needed = before;
            }
        };
        if is_quick && !self.claims.is_empty() {
            let all: Vec<usize> = (0..needed.len()).collect();
            try_without(&mut needed, &all);
            if needed.len() > 1 && needed.contains(&true) {
                all.iter()
                    .for_each(|place| try_without(&mut needed, &[*place]));
            }
        }
        self.rely_on(encoded, |_| true);
        let claims = self.claims.iter().zip(needed);
        claims
            .filter_map(|((known, _), needed)| needed.then_some(*known))
            .collect()
    }
}
