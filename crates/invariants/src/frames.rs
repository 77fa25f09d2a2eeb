//! The frames of PDR, and the solver queries about frames.

use circuits::{Circuit, Clause, Moment, value_of};
use sat::{Lit, Outcome, Solver, Tseitin};
use std::collections::HashMap;

/// A cube: a conjunction of literals of state bits, in the order of the latches.
pub(crate) type Cube = Vec<Lit>;

/// The stop callback ended the search.
pub(crate) struct Stopped;

/// The number of retired activation literals, each with a clause, at which the solver is rebuilt.
const MAX_RETIRED: usize = 1000;

/// The answer to a query about a frame.
pub(crate) enum Reply {
    /// Satisfiable, with the latch and input values of a model.
    Yes(Moment),
    /// Unsatisfiable; the literals of the cube in the unsatisfiable core.
    No(Cube),
    /// The stop callback ended the query.
    Stopped,
}

/// The frames: frame i is an overapproximation of the states reachable in at most i steps, and a subset of frame i + 1.
pub(crate) struct Frames<'c> {
    circuit: &'c Circuit,
    new_solver: &'c dyn Fn() -> Box<dyn Solver>,
    /// The next-state literal of each latch, by the gate of the latch.
    next: HashMap<u32, Lit>,
    /// Indexed by frame: the cubes that are excluded from this frame and all earlier ones, but not known to be excluded
    /// from the next.
    blocked: Vec<Vec<Cube>>,
    solver: Box<dyn Solver>,
    tseitin: Tseitin,
    /// Indexed by frame: the activation literal of its clauses.
    active: Vec<i32>,
    retired: usize,
}

impl<'c> Frames<'c> {
    /// Creates frame 0, the initial states.
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

    /// The index of the last frame.
    pub(crate) fn last(&self) -> usize {
        self.blocked.len() - 1
    }

    /// Appends a frame.
    pub(crate) fn add(&mut self) {
        self.blocked.push(Vec::new());
        self.active.push(self.solver.variable());
    }

    /// The next-state literal that corresponds to a literal of a latch.
    pub(crate) fn next(&self, lit: Lit) -> Lit {
        let next = self.next[&lit.gate()];
        if lit.is_negated() { !next } else { next }
    }

    /// The cubes that are excluded from this frame but not known to be excluded from the next.
    pub(crate) fn only_in(&self, frame: usize) -> Vec<Cube> {
        self.blocked[frame].clone()
    }

    /// The clauses of a frame, which include those of all later frames.
    pub(crate) fn clauses_from(&self, frame: usize) -> Vec<Clause> {
        let cubes = self.blocked[frame..].iter().flatten();
        cubes
            .map(|cube| cube.iter().map(|lit| !*lit).collect())
            .collect()
    }

    /// Whether a cube is excluded from a frame because it contains a blocked cube.
    pub(crate) fn is_blocked(&self, cube: &Cube, frame: usize) -> bool {
        let mut excluded = self.blocked[frame..].iter().flatten();
        excluded.any(|other| is_part(other, cube))
    }

    /// Excludes a cube from a frame and from all earlier frames.
    pub(crate) fn block(&mut self, cube: Cube, frame: usize) {
        for earlier in &mut self.blocked[..=frame] {
            earlier.retain(|other| !is_part(&cube, other));
        }
        self.add_clause(&cube, frame);
        self.blocked[frame].push(cube);
    }

    /// Whether some state of a frame makes the literal true.
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

    /// Whether some state of frame `frame - 1` outside the cube has a successor in the cube.
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

    /// Queries the solver under assumptions. The core is returned as the literals of `cube` whose solver literals are
    /// in it.
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

    /// Adds all constraints to the solver.
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

/// Whether each literal of `part` is in `whole`. Both are in the order of the latches.
fn is_part(part: &Cube, whole: &Cube) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|lit| rest.any(|other| other == lit))
}

/// The initial states, and queries whether a cube contains one.
pub(crate) struct Initial<'c> {
    circuit: &'c Circuit,
    /// The value of each latch that is constant in all initial states, by the gate of the latch.
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

    /// An initial state in the cube; `None` if there is none.
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

    /// Extends `part`, a subset of the literals of `cube`, by literals of `cube` until it contains no initial state.
    /// The cube itself must contain none. Adds only few literals.
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
