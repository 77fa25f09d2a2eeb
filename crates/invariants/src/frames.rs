//! The frames of PDR, and the solver queries about them.

use circuits::{Circuit, Clause, Moment, value_of};
use sat::{Lit, Outcome, Solver, Tseitin};
use std::collections::HashMap;

/// A cube: literals of state bits that are true together, in the order of the latches.
pub(crate) type Cube = Vec<Lit>;

/// The search was stopped.
pub(crate) struct Stopped;

/// The largest number of retired activation literals, each with a clause, before the solver is rebuilt.
const MAX_RETIRED: usize = 1000;

/// The answer to a query about frames.
pub(crate) enum Reply {
    /// Satisfiable, at this moment.
    Yes(Moment),
    /// Unsatisfiable, because of this part of the cube.
    No(Cube),
    /// The solver was stopped.
    Stopped,
}

/// Sets of states, each a subset of the next: over-approximations of the states reachable within i steps.
pub(crate) struct Frames<'c> {
    circuit: &'c Circuit,
    new_solver: &'c dyn Fn() -> Box<dyn Solver>,
    /// The next-state literal of each latch, by its gate.
    next: HashMap<u32, Lit>,
    /// By frame: the cubes that are excluded up to this frame, but not known to be excluded after it.
    blocked: Vec<Vec<Cube>>,
    solver: Box<dyn Solver>,
    tseitin: Tseitin,
    /// By frame: the activation literal of its clauses.
    active: Vec<i32>,
    retired: usize,
}

impl<'c> Frames<'c> {
    /// Frame 0 alone: the initial states.
    pub(crate) fn new(
        circuit: &'c Circuit,
        new_solver: &'c dyn Fn() -> Box<dyn Solver>,
    ) -> Frames<'c> {
        let latches = circuit.latches.iter();
        let mut frames = Frames {
            circuit,
            new_solver,
            next: latches.map(|l| (l.now.gate(), l.next)).collect(),
            blocked: vec![Vec::new()],
            solver: new_solver(),
            tseitin: Tseitin::compact(&circuit.aig),
            active: Vec::new(),
            retired: 0,
        };
        frames.encode_all();
        frames
    }

    /// The number of the last frame.
    pub(crate) fn last(&self) -> usize {
        self.blocked.len() - 1
    }

    /// Adds a frame.
    pub(crate) fn add(&mut self) {
        self.blocked.push(Vec::new());
        self.active.push(self.solver.variable());
    }

    /// The next-state literal of a literal of a latch.
    pub(crate) fn next(&self, lit: Lit) -> Lit {
        let next = self.next[&lit.gate()];
        if lit.is_negated() { !next } else { next }
    }

    /// The cubes that are excluded up to this frame, and not known to be excluded after it.
    pub(crate) fn only_in(&self, frame: usize) -> Vec<Cube> {
        self.blocked[frame].clone()
    }

    /// The clauses of a frame and of later ones.
    pub(crate) fn clauses_from(&self, frame: usize) -> Vec<Clause> {
        let cubes = self.blocked[frame..].iter().flatten();
        cubes
            .map(|cube| cube.iter().map(|lit| !*lit).collect())
            .collect()
    }

    /// Whether a cube is syntactically excluded from a frame.
    pub(crate) fn is_blocked(&self, cube: &Cube, frame: usize) -> bool {
        let mut excluded = self.blocked[frame..].iter().flatten();
        excluded.any(|other| is_part(other, cube))
    }

    /// Excludes a cube from a frame and from earlier ones.
    pub(crate) fn block(&mut self, cube: Cube, frame: usize) {
        for earlier in &mut self.blocked[..=frame] {
            earlier.retain(|other| !is_part(&cube, other));
        }
        self.add_clause(&cube, frame);
        self.blocked[frame].push(cube);
    }

    /// Whether a literal can be true in a frame.
    pub(crate) fn state_with(
        &mut self,
        frame: usize,
        lit: Lit,
        stop: &mut dyn FnMut() -> bool,
    ) -> Reply {
        let mut assumptions = self.active[frame..].to_vec();
        assumptions.push(self.literal(lit));
        self.ask(&assumptions, &[], stop)
    }

    /// Whether a step leads into a cube, from outside of it and from the previous frame.
    pub(crate) fn predecessor_of(
        &mut self,
        cube: &Cube,
        frame: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> Reply {
        if self.retired >= MAX_RETIRED {
            self.renew();
        }
        let outside = self.solver.variable();
        let mut clause: Vec<i32> = cube.iter().map(|lit| self.literal(!*lit)).collect();
        clause.push(-outside);
        self.solver.clause(&clause);
        let mut assumptions = self.active[frame - 1..].to_vec();
        assumptions.push(outside);
        let next: Vec<(i32, Lit)> = cube
            .iter()
            .map(|lit| (self.literal(self.next(*lit)), *lit))
            .collect();
        assumptions.extend(next.iter().map(|(literal, _)| *literal));
        let reply = self.ask(&assumptions, &next, stop);
        self.solver.clause(&[-outside]);
        self.retired += 1;
        reply
    }

    /// Queries the solver; a core is returned as a part of the cube with these literals.
    fn ask(
        &mut self,
        assumptions: &[i32],
        cube: &[(i32, Lit)],
        stop: &mut dyn FnMut() -> bool,
    ) -> Reply {
        if stop() {
            return Reply::Stopped;
        }
        match self.solver.solve(assumptions, stop) {
            Outcome::Stopped => Reply::Stopped,
            Outcome::Satisfiable => Reply::Yes(self.moment()),
            Outcome::Unsatisfiable => {
                let core = self.solver.core();
                let part = cube.iter().filter(|(literal, _)| core.contains(literal));
                Reply::No(part.map(|(_, lit)| *lit).collect())
            }
        }
    }

    fn moment(&self) -> Moment {
        let value = |lit: Lit| {
            self.tseitin
                .known(lit)
                .is_some_and(|l| self.solver.value(l))
        };
        Moment {
            latches: self.circuit.latches.iter().map(|l| value(l.now)).collect(),
            inputs: self.circuit.inputs.iter().map(|i| value(*i)).collect(),
        }
    }

    fn renew(&mut self) {
        self.solver = (self.new_solver)();
        self.tseitin = Tseitin::compact(&self.circuit.aig);
        self.active.clear();
        self.retired = 0;
        self.encode_all();
    }

    /// Adds all constraints to a new solver.
    fn encode_all(&mut self) {
        for _ in 0..self.blocked.len() {
            self.active.push(self.solver.variable());
        }
        let initially = self.literal(self.circuit.init);
        self.solver.clause(&[-self.active[0], initially]);
        let Circuit {
            constraint,
            known,
            relied,
            ..
        } = self.circuit;
        for lit in [*constraint, *known, *relied] {
            let literal = self.literal(lit);
            self.solver.clause(&[literal]);
        }
        for frame in 0..self.blocked.len() {
            for cube in self.blocked[frame].clone() {
                self.add_clause(&cube, frame);
            }
        }
    }

    fn add_clause(&mut self, cube: &Cube, frame: usize) {
        let mut clause: Vec<i32> = cube.iter().map(|lit| self.literal(!*lit)).collect();
        clause.push(-self.active[frame]);
        self.solver.clause(&clause);
    }

    fn literal(&mut self, lit: Lit) -> i32 {
        self.tseitin
            .literal(&self.circuit.aig, lit, &mut *self.solver)
    }
}

/// Whether a cube is a subset of another. Both are in the order of the latches.
fn is_part(part: &Cube, whole: &Cube) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|lit| rest.any(|other| other == lit))
}

/// The initial states, and whether cubes are disjoint from them.
pub(crate) struct Initial<'c> {
    circuit: &'c Circuit,
    /// By gate: the value of a latch that is constant in all initial states.
    plain: HashMap<u32, bool>,
    solver: Box<dyn Solver>,
    tseitin: Tseitin,
}

impl<'c> Initial<'c> {
    pub(crate) fn new(circuit: &'c Circuit, mut solver: Box<dyn Solver>) -> Initial<'c> {
        let mut tseitin = Tseitin::new();
        let initially = tseitin.literal(&circuit.aig, circuit.init, &mut *solver);
        solver.clause(&[initially]);
        let latches = circuit.latches.iter().zip(circuit.plainly_initial());
        Initial {
            circuit,
            plain: latches
                .filter_map(|(l, value)| Some((l.now.gate(), value?)))
                .collect(),
            solver,
            tseitin,
        }
    }

    /// An initial state in the cube.
    pub(crate) fn initial_state_in(
        &mut self,
        cube: &Cube,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Vec<bool>>, Stopped> {
        if cube.iter().any(|lit| self.is_trivially_disjoint(*lit)) {
            return Ok(None);
        }
        match self.ask(cube, stop)? {
            Outcome::Satisfiable => {
                let inputs = self.tseitin.inputs(&self.circuit.aig, &*self.solver);
                let values = self.circuit.aig.simulate(&inputs);
                let latches = self.circuit.latches.iter();
                Ok(Some(latches.map(|l| value_of(&values, l.now)).collect()))
            }
            Outcome::Unsatisfiable => Ok(None),
            Outcome::Stopped => Err(Stopped),
        }
    }

    /// A part of a cube, with as few additional bits as are found, that is disjoint from the initial states, as
    /// the cube is.
    pub(crate) fn keep_disjoint(
        &mut self,
        cube: &Cube,
        part: Cube,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Cube, Stopped> {
        if self.initial_state_in(&part, stop)?.is_none() {
            return Ok(part);
        }
        let plain = cube.iter().find(|lit| self.is_trivially_disjoint(**lit));
        let more: Vec<Lit> = match plain {
            Some(lit) => vec![*lit],
            None => {
                self.ask(cube, stop)?;
                let core = self.solver.core();
                let literal = |lit: Lit| self.tseitin.known(lit);
                let needed = |lit: &&Lit| literal(**lit).is_some_and(|l| core.contains(&l));
                cube.iter().filter(needed).copied().collect()
            }
        };
        let both = |lit: &&Lit| part.contains(lit) || more.contains(lit);
        Ok(cube.iter().filter(both).copied().collect())
    }

    fn is_trivially_disjoint(&self, lit: Lit) -> bool {
        self.plain.get(&lit.gate()) == Some(&lit.is_negated())
    }

    fn ask(&mut self, cube: &Cube, stop: &mut dyn FnMut() -> bool) -> Result<Outcome, Stopped> {
        let mut literals = Vec::new();
        for lit in cube {
            let aig = &self.circuit.aig;
            literals.push(self.tseitin.literal(aig, *lit, &mut *self.solver));
        }
        match self.solver.solve(&literals, stop) {
            Outcome::Stopped => Err(Stopped),
            outcome => Ok(outcome),
        }
    }
}
