//! The Tseitin encoding (Tseitin, 1968): one variable for each gate in the cone of influence, created on first use.
//!
//! For many small queries about one circuit, fewer variables are better than short clauses. [`Tseitin::compact`]
//! creates no variable for a gate whose only use is inside a larger conjunction or a multiplexer.

use crate::{Aig, Gate, Lit, Sink, Solver};

/// The mapping from gates of a circuit to variables of a solver.
#[derive(Clone, Debug, Default)]
pub struct Tseitin {
    /// By gate: its variable, or 0 if it has none.
    variables: Vec<i32>,
    /// By gate: the number of gates that use it (saturating), for the compact encoding; otherwise none.
    uses: Option<Vec<u8>>,
}

impl Tseitin {
    /// An encoding without variables.
    pub fn new() -> Tseitin {
        Tseitin::default()
    }

    /// An encoding with fewer variables. The circuit should be complete, because gates added later always get
    /// variables.
    pub fn compact(aig: &Aig) -> Tseitin {
        cancellation::claim(aig.len());
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

    /// The solver's literal for a literal of the circuit. Adds the missing gates of its cone of influence to the
    /// solver.
    pub fn literal(&mut self, aig: &Aig, lit: Lit, solver: &mut dyn Sink) -> i32 {
        if self.variables.len() < aig.len() {
            if self.variables.capacity() < aig.len() {
                cancellation::claim(aig.len() * 2 * size_of::<i32>());
            }
            self.variables.resize(aig.len(), 0);
        }
        let mut open = vec![lit.gate()];
        while let Some(gate) = open.pop() {
            cancellation::poll();
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
        self.known(lit).expect("the loop has created it")
    }

    /// The definition of the gate `a and b`. In the compact encoding, operands without a variable are expanded.
    fn made_of(&self, aig: &Aig, a: Lit, b: Lit) -> MadeOf {
        if self.uses.is_none() {
            return MadeOf::All(vec![a, b]);
        }
        // `not (p and q) and not (r and s)` with `p = not r` is the multiplexer `if p then not q else not s`.
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

    /// The operands of a literal in the compact encoding, if it is a positive conjunction that is used once and has no
    /// variable.
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

    /// Adds the clauses that define the variable of a gate. All operands must have variables.
    fn define(&self, variable: i32, made_of: &MadeOf, solver: &mut dyn Sink) {
        let literal = |lit: &Lit| self.known(*lit).expect("operands have variables");
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
                // Redundant clauses: with them unit propagation works even if the condition has no value.
                if t != -e {
                    solver.clause(&[-variable, t, e]);
                    solver.clause(&[variable, -t, -e]);
                }
            }
        }
    }

    /// The solver's literal for a literal of the circuit, if its gate has a variable.
    pub fn known(&self, lit: Lit) -> Option<i32> {
        match self.variables.get(lit.gate() as usize) {
            None | Some(0) => None,
            Some(variable) if lit.is_negated() => Some(-variable),
            Some(variable) => Some(*variable),
        }
    }

    /// By input of the circuit: its value in the solver's assignment; `false` if it has no variable.
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

/// The definition of a gate, from which its clauses follow.
enum MadeOf {
    /// The conjunction of these literals.
    All(Vec<Lit>),
    /// The multiplexer `if condition then then else otherwise`.
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
