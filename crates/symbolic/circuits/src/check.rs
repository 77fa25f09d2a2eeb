//! Proof checking: a few queries to a solver that did not take part in finding the proof.
//!
//! An inductive invariant is checked by three kinds of queries: it holds initially, every step preserves it, and it
//! excludes `bad`. A condition that holds in all reachable states but is not inductive is rejected. A k-induction is checked by
//! repeating base case and induction step; the step requires all states to be distinct. The checker assumes the
//! conditions that the circuit relies on ([`Circuit::relied`]): the caller must have proved that they hold in all
//! reachable states.

use crate::circuit::{Circuit, Clause, Proof};
use crate::timeline::{Begins, Timeline};
use sat::{Aig, Gate, Lit, Outcome, Solver, Tseitin};

/// Why a proof is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A clause contains a literal that is not the value of a latch.
    NotAboutStates,
    /// The clause at this index is false in some initial state.
    NotInitial(usize),
    /// A step leads from a state that satisfies all clauses to a state that violates the clause at this index.
    NotKept(usize),
    /// Some state that satisfies all clauses is bad.
    AllowsBad,
    /// The base case fails: some run with fewer than `k` steps ends in a bad moment.
    BaseFails,
    /// The induction step fails: some bad moment follows `k` good, distinct states.
    StepFails,
    /// The condition [`Circuit::known`] is not an inductive invariant.
    KnownIsNot,
    /// A step changes the state although [`Circuit::moves`] is false.
    MovesAnyway,
    /// There is a run with as many steps as the proof claims to be impossible.
    GoesOn,
    /// The solver stopped without a result.
    Open,
}

/// Checks that clauses are an inductive invariant that excludes `bad`. The solver must not contain clauses yet.
pub fn check_invariant(
    circuit: &Circuit,
    invariant: &[Clause],
    solver: &mut dyn Solver,
) -> Result<(), Flaw> {
    let mut check = Check::new(circuit, invariant, solver)?;
    check.is_kept(invariant)?;
    check.excludes(circuit.bad)
}

/// Checks that clauses are an inductive invariant. The solver must not contain clauses yet.
pub fn check_inductive(
    circuit: &Circuit,
    invariant: &[Clause],
    solver: &mut dyn Solver,
) -> Result<(), Flaw> {
    Check::new(circuit, invariant, solver)?.is_kept(invariant)
}

/// Checks that a proof is valid for a circuit.
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

/// Checks that no run with fewer than `steps` steps ends in a bad moment. Returns the unrolling with `steps` steps, in
/// which all moments but the last are required to be good.
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

/// Checks that no bad moment follows `k` good, distinct states in which the clauses `known` hold.
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

/// Checks that the state does not change if `moves` is false. The solver must not contain clauses yet.
fn check_moves(circuit: &Circuit, solver: &mut dyn Solver) -> Result<(), Flaw> {
    let mut check = Check::new(circuit, &[], solver)?;
    let changes: Vec<Lit> = { circuit.latches.iter() }
        .map(|latch| check.aig.xor(latch.now, latch.next))
        .collect();
    let changes = check.aig.any(changes);
    let changes = check.literal(changes);
    check.impossible_with(changes, !circuit.moves, Flaw::MovesAnyway)
}

/// Queries about a single step of a circuit.
struct Check<'c> {
    circuit: &'c Circuit,
    /// The gates of the circuit, extended by conditions on the next state as functions of the current one.
    aig: Aig,
    tseitin: Tseitin,
    solver: &'c mut dyn Solver,
}

impl<'c> Check<'c> {
    /// Checks that the clauses hold initially and that `known` is inductive. Then adds the clauses, the constraint,
    /// `known` and the relied conditions to the solver.
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

    /// The value of a condition on latches in the next state.
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
