//! Lifting in PDR: a state is generalised to a cube of states that have the same successor literals for the same
//! inputs.
//!
//! *Idea*. Given the values of all gates, a true conjunction needs both operands, and a false conjunction needs only
//! one false operand. A traversal from the literals that must stay true down to the latches yields a sufficient set of
//! latches: for all values of the other latches, the same inputs keep these literals true. If both operands are false,
//! the one that needs fewer latches is taken, by an upper bound that is computed bottom-up.
//!
//! *Source*. The original PDR lifts by ternary simulation (Eén, Mishchenko, Brayton, 2011), IC3 by unsatisfiable cores
//! (Chockler and others, 2011). The method here generalises less than either, and needs two passes over the gates and
//! no solver.
//!
//! *Soundness*, by induction over the gates: each gate that is kept has the same value in every state of the cube.

use circuits::{Circuit, Moment, value_of};
use sat::{Gate, Lit};

/// A cube: literals of latches, true at `moment`, that suffice to keep all literals of `keep` true for the same inputs.
/// All of `keep` must be true at `moment`.
pub(crate) fn lift(circuit: &Circuit, moment: &Moment, keep: &[Lit]) -> Vec<Lit> {
    let values = circuit.simulate(moment);
    let top = keep.iter().map(|lit| lit.gate()).max().unwrap_or(0) as usize;
    let mut latch = vec![false; circuit.aig.len()];
    for l in &circuit.latches {
        latch[l.now.gate() as usize] = true;
    }
    let needs = needs(circuit, &values, &latch, top);
    let mut kept = vec![false; top + 1];
    for lit in keep {
        debug_assert!(value_of(&values, *lit), "only what is true can be kept");
        kept[lit.gate() as usize] = true;
    }
    for gate in (0..=top).rev() {
        if !kept[gate] {
            continue;
        }
        if let Gate::And(a, b) = circuit.aig.gate(gate as u32) {
            let (x, y) = (a.gate() as usize, b.gate() as usize);
            if values[gate] {
                kept[x] = true;
                kept[y] = true;
                continue;
            }
            let enough = |lit: Lit| !value_of(&values, lit);
            let first = match (enough(a), enough(b)) {
                (true, true) if kept[x] || kept[y] => kept[x],
                (true, true) => needs[x] <= needs[y],
                (first, _) => first,
            };
            kept[if first { x } else { y }] = true;
        }
    }
    let lits = circuit.latches.iter().map(|l| l.now);
    let lits = lits.filter(|lit| kept.get(lit.gate() as usize).is_some_and(|kept| *kept));
    lits.map(|lit| if value_of(&values, lit) { lit } else { !lit })
        .collect()
}

/// Indexed by gate: an upper bound on the number of latches that the gate needs to keep its value. A latch that both
/// operands need counts twice.
fn needs(circuit: &Circuit, values: &[bool], latch: &[bool], top: usize) -> Vec<u32> {
    let mut needs: Vec<u32> = Vec::with_capacity(top + 1);
    for (gate, is_latch) in latch.iter().enumerate().take(top + 1) {
        let need = match circuit.aig.gate(gate as u32) {
            Gate::False => 0,
            Gate::Input(_) => u32::from(*is_latch),
            Gate::And(a, b) => {
                let (x, y) = (needs[a.gate() as usize], needs[b.gate() as usize]);
                match (value_of(values, a), value_of(values, b)) {
                    (true, true) => x.saturating_add(y),
                    (false, true) => x,
                    (true, false) => y,
                    (false, false) => x.min(y),
                }
            }
        };
        needs.push(need);
    }
    needs
}
