//! From circuits to clauses: a variable for each gate that matters, made when it is first asked for (Tseitin, 1968).
//!
//! Three gates that together choose between two values by a third are said as one, without variables for the two inside.

use crate::{Aig, Gate, Lit, Sink, Solver};

/// Which gates of a circuit have variables of a solver.
#[derive(Clone, Debug, Default)]
pub struct Tseitin {
    /// By gate; 0 if it has none yet.
    variables: Vec<i32>,
}

impl Tseitin {
    /// No gate yet.
    pub fn new() -> Tseitin {
        Tseitin::default()
    }

    /// The literal of the solver for one of the circuit; its cone is given to the solver, as far as it is new.
    pub fn literal(&mut self, aig: &Aig, lit: Lit, solver: &mut dyn Sink) -> i32 {
        if self.variables.len() < aig.len() {
            self.variables.resize(aig.len(), 0);
        }
        let mut open = vec![lit.gate()];
        while let Some(gate) = open.pop() {
            if self.variables[gate as usize] != 0 {
                continue;
            }
            match aig.gate(gate) {
                Gate::False => {
                    let variable = solver.variable();
                    solver.clause(&[-variable]);
                    self.variables[gate as usize] = variable;
                }
                Gate::Input(_) => self.variables[gate as usize] = solver.variable(),
                Gate::And(a, b) if let Some([s, t, e]) = choice(aig, a, b) => {
                    match (self.known(s), self.known(t), self.known(e)) {
                        (Some(s), Some(t), Some(e)) => {
                            let variable = solver.variable();
                            solver.clause(&[-s, -variable, t]);
                            solver.clause(&[-s, variable, -t]);
                            solver.clause(&[s, -variable, e]);
                            solver.clause(&[s, variable, -e]);
                            if t != -e {
                                // Whatever is chosen, if it does not matter.
                                solver.clause(&[variable, -t, -e]);
                                solver.clause(&[-variable, t, e]);
                            }
                            self.variables[gate as usize] = variable;
                        }
                        _ => open.extend([gate, s.gate(), t.gate(), e.gate()]),
                    }
                }
                Gate::And(a, b) => match (self.known(a), self.known(b)) {
                    (Some(a), Some(b)) => {
                        let variable = solver.variable();
                        solver.clause(&[-variable, a]);
                        solver.clause(&[-variable, b]);
                        solver.clause(&[variable, -a, -b]);
                        self.variables[gate as usize] = variable;
                    }
                    _ => open.extend([gate, a.gate(), b.gate()]),
                },
            }
        }
        self.known(lit).expect("made above")
    }

    /// The literal of the solver for one of the circuit, if the solver has met it.
    pub fn known(&self, lit: Lit) -> Option<i32> {
        match self.variables.get(lit.gate() as usize) {
            None | Some(0) => None,
            Some(variable) if lit.is_negated() => Some(-variable),
            Some(variable) => Some(*variable),
        }
    }

    /// The values of all inputs of the circuit in the solver's answer; `false` for those that it has not met.
    pub fn inputs(&self, aig: &Aig, solver: &dyn Solver) -> Vec<bool> {
        let mut values = vec![false; aig.inputs() as usize];
        for gate in 0..aig.len() as u32 {
            if let (Gate::Input(input), Some(literal)) =
                (aig.gate(gate), self.known(Lit::of_gate(gate)))
            {
                values[input as usize] = solver.value(literal);
            }
        }
        values
    }
}

/// What chooses, and what is chosen if it is true and if it is not, where that is what two literals say together: not
/// (s and not t), and not (not s and not e).
fn choice(aig: &Aig, a: Lit, b: Lit) -> Option<[Lit; 3]> {
    let parts = |lit: Lit| match aig.gate(lit.gate()) {
        Gate::And(x, y) if lit.is_negated() => Some([(x, y), (y, x)]),
        _ => None,
    };
    let (first, second) = (parts(a)?, parts(b)?);
    for (s, not_t) in first {
        for (not_s, not_e) in second {
            if s == !not_s {
                return Some([s, !not_t, !not_e]);
            }
        }
    }
    None
}
