//! From circuits to clauses: a variable for each gate that matters, made when it is first asked for (Tseitin, 1968).
//!
//! Where many small questions are asked about one circuit, fewer variables are better than short clauses: [`Tseitin::compact`]
//! gives none to gates that are used once, inside a larger conjunction or a choice between two.

use crate::{Aig, Gate, Lit, Sink, Solver};

/// Which gates of a circuit have variables of a solver.
#[derive(Clone, Debug, Default)]
pub struct Tseitin {
    /// By gate; 0 if it has none yet.
    variables: Vec<i32>,
    /// By gate: how often it is used, where that makes a difference.
    uses: Option<Vec<u8>>,
}

impl Tseitin {
    /// No gate yet.
    pub fn new() -> Tseitin {
        Tseitin::default()
    }

    /// The same with as few variables as is easy, for a circuit that does not grow any more.
    pub fn compact(aig: &Aig) -> Tseitin {
        let mut uses = vec![0u8; aig.len()];
        for gate in 0..aig.len() as u32 {
            if let Gate::And(a, b) = aig.gate(gate) {
                for part in [a, b] {
                    let uses = &mut uses[part.gate() as usize];
                    *uses = uses.saturating_add(1);
                }
            }
        }
        Tseitin {
            variables: Vec::new(),
            uses: Some(uses),
        }
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
                Gate::And(a, b) => {
                    let made_of = self.made_of(aig, a, b);
                    let mut missing = made_of.parts().filter(|part| self.known(*part).is_none());
                    if let Some(first) = missing.next() {
                        open.push(gate);
                        open.extend([first].into_iter().chain(missing).map(Lit::gate));
                        continue;
                    }
                    let variable = solver.variable();
                    self.define(variable, &made_of, solver);
                    self.variables[gate as usize] = variable;
                }
            }
        }
        self.known(lit).expect("made above")
    }

    /// What a conjunction is made of.
    fn made_of(&self, aig: &Aig, a: Lit, b: Lit) -> MadeOf {
        if self.uses.is_none() {
            return MadeOf::All(vec![a, b]);
        }
        // Neither both of the condition and one, nor both of its negation and the other.
        if let (Some((p, q)), Some((r, s))) = (self.hidden(aig, !a), self.hidden(aig, !b)) {
            for (condition, then) in [(p, q), (q, p)] {
                for (other, otherwise) in [(r, s), (s, r)] {
                    if condition == !other {
                        return MadeOf::Choice(condition, !then, !otherwise);
                    }
                }
            }
        }
        let (mut parts, mut open) = (Vec::new(), vec![a, b]);
        while let Some(part) = open.pop() {
            match self.hidden(aig, part) {
                Some((x, y)) => open.extend([x, y]),
                None => parts.push(part),
            }
        }
        MadeOf::All(parts)
    }

    /// The parts of a conjunction that needs no variable.
    fn hidden(&self, aig: &Aig, lit: Lit) -> Option<(Lit, Lit)> {
        let uses = self.uses.as_ref()?.get(lit.gate() as usize);
        match aig.gate(lit.gate()) {
            Gate::And(x, y)
                if !lit.is_negated() && uses == Some(&1) && self.known(lit).is_none() =>
            {
                Some((x, y))
            }
            _ => None,
        }
    }

    /// Tells the solver what a variable is. The literals of the parts are known.
    fn define(&self, variable: i32, made_of: &MadeOf, solver: &mut dyn Sink) {
        let literal = |lit: &Lit| self.known(*lit).expect("made before");
        match made_of {
            MadeOf::All(parts) => {
                let mut all = vec![variable];
                for part in parts {
                    let part = literal(part);
                    solver.clause(&[-variable, part]);
                    all.push(-part);
                }
                solver.clause(&all);
            }
            MadeOf::Choice(condition, then, otherwise) => {
                let (c, t, e) = (literal(condition), literal(then), literal(otherwise));
                solver.clause(&[-variable, -c, t]);
                solver.clause(&[variable, -c, -t]);
                solver.clause(&[-variable, c, e]);
                solver.clause(&[variable, c, -e]);
                // These follow, and say at once what both would say.
                if t != -e {
                    solver.clause(&[-variable, t, e]);
                    solver.clause(&[variable, -t, -e]);
                }
            }
        }
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

/// What a gate is made of, for its clauses.
enum MadeOf {
    /// It is true if all are.
    All(Vec<Lit>),
    /// It is the second if the first is true, otherwise the third.
    Choice(Lit, Lit, Lit),
}

impl MadeOf {
    fn parts(&self) -> impl Iterator<Item = Lit> {
        match self {
            MadeOf::All(parts) => parts.clone(),
            MadeOf::Choice(condition, then, otherwise) => vec![*condition, *then, *otherwise],
        }
        .into_iter()
    }
}
