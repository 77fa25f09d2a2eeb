//! Random circuits, and an enumeration of their states.

use ::circuits::{Circuit, Latch, Moment};
use sat::{Aig, Lit};
use std::collections::BTreeSet;

/// A pseudo-random number generator (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn pick(&mut self, lits: &[Lit]) -> Lit {
        let lit = lits[self.below(lits.len())];
        if self.below(2) == 0 { lit } else { !lit }
    }
}

/// A random circuit with at most `most_latches` latches and at most four inputs. Some latches never change, and some
/// initial values are arbitrary.
pub fn circuit(dice: &mut Dice, most_latches: usize) -> Circuit {
    let mut aig = Aig::new();
    let latches = 1 + dice.below(most_latches);
    let now: Vec<Lit> = (0..latches).map(|_| aig.input()).collect();
    let inputs: Vec<Lit> = (0..dice.below(5)).map(|_| aig.input()).collect();
    let mut pool: Vec<Lit> = now.iter().chain(&inputs).copied().collect();
    for _ in 0..3 + dice.below(5 * latches) {
        let (a, b) = (dice.pick(&pool), dice.pick(&pool));
        let made = match dice.below(4) {
            0 => aig.xor(a, b),
            1 => {
                let c = dice.pick(&pool);
                aig.ite(c, a, b)
            }
            _ => aig.and(a, b),
        };
        if made.known().is_none() {
            pool.push(made);
        }
    }
    let mut next: Vec<Lit> = now.clone();
    for lit in &mut next {
        *lit = match dice.below(8) {
            0 => *lit,
            1 => Lit::constant(dice.below(2) == 0),
            _ => dice.pick(&pool),
        };
    }
    // The initial value of a bit is 0, 1, equal to that of another bit, or arbitrary.
    let mut init = Vec::new();
    for lit in &now {
        match dice.below(8) {
            0 => {}
            1 => {
                let other = dice.pick(&now);
                init.push(aig.iff(*lit, other));
            }
            2 => init.push(*lit),
            _ => init.push(!*lit),
        }
    }
    let init = aig.all(init);
    let constraint = match dice.below(3) {
        0 => {
            let pair = [dice.pick(&pool), dice.pick(&pool)];
            aig.any(pair)
        }
        _ => Lit::TRUE,
    };
    let rare: Vec<Lit> = (0..2 + dice.below(4)).map(|_| dice.pick(&pool)).collect();
    let bad = aig.all(rare);
    let latches = now.iter().zip(next);
    Circuit {
        latches: latches
            .map(|(now, next)| Latch { now: *now, next })
            .collect(),
        aig,
        inputs,
        init,
        constraint,
        known: Lit::TRUE,
        relied: Lit::TRUE,
        moves: Lit::TRUE,
        bad,
    }
}

/// The result of an enumeration of all reachable states.
pub struct Visited {
    /// The length of a shortest run to a bad state; `None` if no bad state is reachable.
    pub shortest: Option<usize>,
}

/// Enumerates all reachable states.
pub fn visit(circuit: &Circuit) -> Visited {
    let bits = |number: usize, count: usize| -> Vec<bool> {
        (0..count).map(|b| number >> b & 1 == 1).collect()
    };
    let value = |values: &[bool], lit: Lit| values[lit.gate() as usize] != lit.is_negated();
    let (latches, inputs) = (circuit.latches.len(), circuit.inputs.len());
    let mut reached: BTreeSet<Vec<bool>> = BTreeSet::new();
    let mut layer: Vec<Vec<bool>> = (0..1usize << latches)
        .map(|state| bits(state, latches))
        .filter(|state| {
            let inputs = vec![false; inputs];
            let moment = Moment {
                latches: state.clone(),
                inputs,
            };
            value(&circuit.simulate(&moment), circuit.init)
        })
        .collect();
    let (mut depth, mut shortest) = (0, None);
    while !layer.is_empty() {
        let mut following = Vec::new();
        for state in layer {
            if !reached.insert(state.clone()) {
                continue;
            }
            for input in 0..1usize << inputs {
                let moment = Moment {
                    latches: state.clone(),
                    inputs: bits(input, inputs),
                };
                let values = circuit.simulate(&moment);
                if value(&values, circuit.constraint) {
                    if value(&values, circuit.bad) && shortest.is_none() {
                        shortest = Some(depth);
                    }
                    let next = circuit.latches.iter().map(|l| value(&values, l.next));
                    following.push(next.collect());
                }
            }
        }
        layer = following;
        depth += 1;
    }
    Visited { shortest }
}
