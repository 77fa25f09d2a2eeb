//! Proof checking: a few queries to a solver that did not take part in the proof.
//!
//! An inductive invariant is easy to check and is a complete proof: it holds initially, every step preserves
//! it, and it excludes `bad`. A true condition that is not inductive is rejected. A k-induction is repeated
//! from the base, with all states required to be distinct from the beginning. The checker assumes the
//! conditions that the circuit relies on ([`Circuit::relied`]): the caller must have proved that they hold in
//! all reachable states.

use crate::circuit::{Circuit, Clause, Proof};
use crate::timeline::{Begins, Timeline};
use sat::{Aig, Gate, Lit, Outcome, Solver, Tseitin};

/// A flaw of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A clause contains a literal that is not a latch.
    NotAboutStates,
    /// This clause is not true in all initial states.
    NotInitial(usize),
    /// A step leads from a state with all clauses to a state without this one.
    NotKept(usize),
    /// The invariant does not exclude `bad`.
    AllowsBad,
    /// The base case fails: a run with fewer than `k` steps is bad.
    BaseFails,
    /// The induction step fails: a bad moment follows `k` good states.
    StepFails,
    /// The condition `known` of the circuit is not an inductive invariant.
    KnownIsNot,
    /// The state changes although `moves` is false.
    MovesAnyway,
    /// There is a run with the number of steps that no run should have.
    GoesOn,
    /// The solver gave up.
    Open,
}

/// Whether clauses are an inductive invariant that excludes `bad`. The solver must be new.
pub fn check_invariant(
    circuit: &Circuit,
    invariant: &[Clause],
    solver: &mut dyn Solver,
) -> Result<(), Flaw> {
    let mut check = Check::new(circuit, invariant, solver)?;
    check.is_kept(invariant)?;
    check.excludes(circuit.bad)
}

/// Whether clauses are an inductive invariant. The solver must be new.
pub fn check_inductive(
    circuit: &Circuit,
    invariant: &[Clause],
    solver: &mut dyn Solver,
) -> Result<(), Flaw> {
    Check::new(circuit, invariant, solver)?.is_kept(invariant)
}

/// Whether a proof is valid.
pub fn check_proof(
    circuit: &Circuit,
    proof: &Proof,
    new_solver: &dyn Fn() -> Box<dyn Solver>,
) -> Result<(), Flaw> {
    match proof {
        Proof::Inductive(invariant) => check_invariant(circuit, invariant, &mut *new_solver()),
        Proof::Exhaustive { steps } => {
            check_inductive(circuit, &[], &mut *new_solver())?;
            check_moves(circuit, &mut *new_solver())?;
            let mut time = check_base(circuit, *steps, new_solver())?;
            impossible_now(&mut time, Lit::TRUE, Flaw::GoesOn)
        }
        Proof::KInductive { k, strengthened_by } => {
            check_inductive(circuit, strengthened_by, &mut *new_solver())?;
            check_moves(circuit, &mut *new_solver())?;
            check_base(circuit, *k, new_solver())?;
            check_step(circuit, *k, strengthened_by, new_solver())
        }
    }
}

/// Checks that no run with fewer steps is bad. Returns the unrolling with that many steps, all but the last
/// moment good.
fn check_base(
    circuit: &Circuit,
    steps: usize,
    solver: Box<dyn Solver>,
) -> Result<Timeline<'_>, Flaw> {
    let mut time = Timeline::new(circuit, Begins::Initially, solver);
    for moment in 0..steps {
        let bad = time.at(moment, circuit.bad);
        impossible_now(&mut time, bad, Flaw::BaseFails)?;
        time.require(!bad);
        time.extend();
    }
    Ok(time)
}

/// Checks that no bad moment follows `k` good, distinct states in which the known clauses hold.
fn check_step(
    circuit: &Circuit,
    k: usize,
    known: &[Clause],
    solver: Box<dyn Solver>,
) -> Result<(), Flaw> {
    let mut time = Timeline::new(circuit, Begins::Anywhere, solver);
    for moment in 0..=k {
        if moment > 0 {
            time.require(!time.at(moment - 1, circuit.bad));
            time.extend();
        }
        for clause in known {
            let lits: Vec<Lit> = clause.iter().map(|l| time.at(moment, *l)).collect();
            time.require_one(&lits);
        }
        for earlier in 0..moment {
            time.require_different(earlier, moment);
        }
    }
    let bad = time.at(k, circuit.bad);
    impossible_now(&mut time, bad, Flaw::StepFails)
}

fn impossible_now(time: &mut Timeline<'_>, lit: Lit, flaw: Flaw) -> Result<(), Flaw> {
    match time.ask(lit, &mut || false) {
        Outcome::Unsatisfiable => Ok(()),
        Outcome::Satisfiable => Err(flaw),
        Outcome::Stopped => Err(Flaw::Open),
    }
}

/// Checks that the state does not change where `moves` is false. The solver must be new.
fn check_moves(circuit: &Circuit, solver: &mut dyn Solver) -> Result<(), Flaw> {
    let mut check = Check::new(circuit, &[], solver)?;
    let changes: Vec<Lit> = { circuit.latches.iter() }
        .map(|latch| check.aig.xor(latch.now, latch.next))
        .collect();
    let changes = check.aig.any(changes);
    let changes = check.literal(changes);
    check.impossible_with(changes, !circuit.moves, Flaw::MovesAnyway)
}

/// A query about one step of a circuit.
struct Check<'c> {
    circuit: &'c Circuit,
    /// The circuit, extended by conditions on the next state in terms of the current one.
    aig: Aig,
    tseitin: Tseitin,
    solver: &'c mut dyn Solver,
}

impl<'c> Check<'c> {
    /// Checks that the clauses hold initially; then requires them, the constraint and the relied conditions.
    fn new(
        circuit: &'c Circuit,
        invariant: &[Clause],
        solver: &'c mut dyn Solver,
    ) -> Result<Check<'c>, Flaw> {
        let latches: Vec<u32> = circuit.latches.iter().map(|l| l.now.gate()).collect();
        let about_states = |lit: &Lit| latches.contains(&lit.gate());
        if !invariant.iter().flatten().all(about_states) {
            return Err(Flaw::NotAboutStates);
        }
        let mut check = Check {
            circuit,
            aig: circuit.aig.clone(),
            tseitin: Tseitin::new(),
            solver,
        };
        let initially = check.literal(circuit.init);
        for (place, clause) in invariant.iter().enumerate() {
            let mut assumptions: Vec<i32> = clause.iter().map(|l| check.literal(!*l)).collect();
            assumptions.push(initially);
            check.impossible(&assumptions, Flaw::NotInitial(place))?;
        }
        for clause in invariant {
            let literals: Vec<i32> = clause.iter().map(|l| check.literal(*l)).collect();
            check.solver.clause(&literals);
        }
        check.impossible_with(initially, !circuit.known, Flaw::KnownIsNot)?;
        for lit in [circuit.constraint, circuit.known, circuit.relied] {
            let literal = check.literal(lit);
            check.solver.clause(&[literal]);
        }
        let next = check.next(circuit.known);
        let lost = check.literal(!next);
        check.impossible(&[lost], Flaw::KnownIsNot)?;
        Ok(check)
    }

    fn is_kept(&mut self, invariant: &[Clause]) -> Result<(), Flaw> {
        for (place, clause) in invariant.iter().enumerate() {
            let next: Vec<Lit> = clause.iter().map(|l| self.circuit.next_of(*l)).collect();
            let assumptions: Vec<i32> = next.iter().map(|l| self.literal(!*l)).collect();
            self.impossible(&assumptions, Flaw::NotKept(place))?;
        }
        Ok(())
    }

    fn excludes(&mut self, lit: Lit) -> Result<(), Flaw> {
        let assumption = self.literal(lit);
        self.impossible(&[assumption], Flaw::AllowsBad)
    }

    fn impossible(&mut self, assumptions: &[i32], flaw: Flaw) -> Result<(), Flaw> {
        match self.solver.solve(assumptions, &mut || false) {
            Outcome::Unsatisfiable => Ok(()),
            Outcome::Satisfiable => Err(flaw),
            Outcome::Stopped => Err(Flaw::Open),
        }
    }

    fn literal(&mut self, lit: Lit) -> i32 {
        self.tseitin.literal(&self.aig, lit, self.solver)
    }

    fn impossible_with(&mut self, assumed: i32, lit: Lit, flaw: Flaw) -> Result<(), Flaw> {
        let literal = self.literal(lit);
        self.impossible(&[assumed, literal], flaw)
    }

    /// A condition on latches, evaluated in the next state.
    fn next(&mut self, lit: Lit) -> Lit {
        let mut next = vec![Lit::FALSE; self.circuit.aig.len()];
        for latch in &self.circuit.latches {
            next[latch.now.gate() as usize] = latch.next;
        }
        let part = |next: &[Lit], lit: Lit| {
            let part = next[lit.gate() as usize];
            if lit.is_negated() { !part } else { part }
        };
        for gate in self.circuit.aig.cone([lit]) {
            if let Gate::And(a, b) = self.circuit.aig.gate(gate) {
                next[gate as usize] = self.aig.and(part(&next, a), part(&next, b));
            }
        }
        part(&next, lit)
    }
}
