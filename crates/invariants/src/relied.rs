//! Claims that were proved before, as conditions that hold in all states that need to be looked at.
//!
//! *Sound*: a state of a circuit that is reached is one of the Machine that is reached, however much room for messages there is; so
//! what holds in all those of the Machine excludes no run. It need not be inductive: it is required of every state of an
//! induction, and of every frame of a reachability.

use crate::answer::Known;
use circuits::{Encoded, Proof, check_proof, property};
use sat::{Backend, Lit};

/// Where an induction looks back further, it is not asked which claims it needs.
const FEW_STEPS: usize = 10;

/// What is relied on in a circuit.
pub(crate) struct Relied<'k> {
    /// Each with what never happens by it.
    claims: Vec<(Known<'k>, Vec<Lit>)>,
}

impl<'k> Relied<'k> {
    /// Relies on what is known, as far as it can be said of single states.
    pub(crate) fn of(encoded: &mut Encoded<'_>, known: &[Known<'k>]) -> Relied<'k> {
        let mut claims = Vec::new();
        for known in known {
            if let Ok(Some(asked)) = property(encoded, known.0) {
                claims.push((*known, vec![asked.sought, asked.no_value]));
            }
        }
        let relied = Relied { claims };
        relied.rely_on(encoded, |_| true);
        relied
    }

    fn rely_on(&self, encoded: &mut Encoded<'_>, is_asked: impl Fn(usize) -> bool) {
        let claims = self.claims.iter().enumerate();
        let asked = claims.filter(|(place, _)| is_asked(*place));
        encoded.rely_on(asked.flat_map(|(_, (_, never))| never.iter().copied()));
    }

    /// Those without which a proof is none, as far as that is quickly found out.
    pub(crate) fn needed(
        &self,
        encoded: &mut Encoded<'_>,
        proof: &Proof,
        backend: Backend,
    ) -> Vec<Known<'k>> {
        let is_quick = match proof {
            Proof::Inductive(_) => true,
            Proof::KInductive { k, .. } => *k <= FEW_STEPS,
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
