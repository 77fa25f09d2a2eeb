//! From circuits to clauses: a variable for each gate that matters, made when it is first asked for (Tseitin, 1968).

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
