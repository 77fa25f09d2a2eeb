//! The solver batsat, a port of MiniSat (Eén and Sörensson, SAT 2003) to Rust, as an implementation of [`Solver`].
//!
//! batsat shares no code with CaDiCaL, so an audit can check an answer of one with the other. The search runs in
//! slices, and `stop` is called before each slice. A slice ends after a number of decisions. batsat resets its restart
//! sequence and its limit of learnt clauses at the start of a slice. Therefore slices grow without bound.

use crate::{Clauses, Decision, Outcome, Proof, Rup, Sink, Solver};
use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, SolverOpts, Var, lbool};
use std::cell::Cell;

/// The number of decisions in the first slice of a query.
const FIRST_SLICE: u64 = 5_000;

/// An incremental solver by batsat.
pub struct Batsat {
    solver: batsat::Solver<Monitor>,
    variables: Vec<Var>,
    /// Whether the last query was satisfiable and no clause has been added since.
    satisfied: bool,
    core: Vec<i32>,
}

/// The callbacks of batsat: ends slices and logs learnt clauses.
#[derive(Default)]
struct Monitor {
    /// The number of decisions left in this slice.
    left: Cell<u64>,
    /// The learnt clauses in order, each followed by 0; `None` if they are not logged.
    learnt: Option<Vec<i32>>,
}

impl Callbacks for Monitor {
    /// Whether the slice ends, or the computation is cancelled. batsat calls this before each decision.
    fn stop(&self) -> bool {
        self.left.set(self.left.get().saturating_sub(1));
        self.left.get() == 0 || cancellation::is_cancelled()
    }

    fn on_new_clause(&mut self, clause: &[Lit], _: ClauseKind) {
        if let Some(learnt) = &mut self.learnt {
            let number = |lit: &Lit| match lit.sign() {
                true => lit.var().idx() as i32 + 1,
                false => -(lit.var().idx() as i32 + 1),
            };
            learnt.extend(clause.iter().map(number).chain([0]));
        }
    }
}

impl Batsat {
    /// A solver without variables and clauses.
    pub fn new() -> Batsat {
        Batsat {
            solver: batsat::Solver::new(SolverOpts::default(), Monitor::default()),
            variables: Vec::new(),
            satisfied: false,
            core: Vec::new(),
        }
    }

    /// A solver that logs the clauses it learns.
    pub(crate) fn logging() -> Batsat {
        let mut batsat = Batsat::new();
        batsat.solver.cb_mut().learnt = Some(Vec::new());
        batsat
    }

    /// The clauses learnt since the last call, each followed by 0. Each follows by unit propagation from the given
    /// clauses and those learnt before it.
    pub(crate) fn take_learnt(&mut self) -> Vec<i32> {
        let learnt = &mut self.solver.cb_mut().learnt;
        learnt.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Adds a variable with this decision phase; with `UNDEF` batsat chooses the phase.
    fn variable_with_phase(&mut self, phase: lbool) -> i32 {
        self.variables.push(self.solver.new_var(phase, true));
        self.variables.len() as i32
    }

    fn literal(&self, literal: i32) -> Lit {
        let variable = self.variables[literal.unsigned_abs() as usize - 1];
        Lit::new(variable, literal > 0)
    }
}

impl Default for Batsat {
    fn default() -> Self {
        Batsat::new()
    }
}

impl Sink for Batsat {
    fn variable(&mut self) -> i32 {
        self.variables.push(self.solver.new_var_default());
        self.variables.len() as i32
    }

    fn clause(&mut self, literals: &[i32]) {
        let mut clause = literals.iter().map(|lit| self.literal(*lit)).collect();
        self.satisfied = false;
        self.solver.add_clause_reuse(&mut clause);
    }
}

impl Solver for Batsat {
    fn solve(&mut self, assumptions: &[i32], stop: &mut dyn FnMut() -> bool) -> Outcome {
        let assumed: Vec<Lit> = assumptions.iter().map(|lit| self.literal(*lit)).collect();
        self.satisfied = false;
        self.core.clear();
        let mut slice = FIRST_SLICE;
        loop {
            if stop() {
                return Outcome::Stopped;
            }
            cancellation::poll();
            self.solver.cb().left.set(slice);
            let answer = self.solver.solve_limited(&assumed);
            if answer == lbool::TRUE {
                self.satisfied = true;
                return Outcome::Satisfiable;
            }
            if answer == lbool::FALSE {
                // batsat's core is a clause of negated assumptions.
                let failed = assumptions.iter().zip(&assumed);
                let failed = failed.filter(|(_, lit)| self.solver.unsat_core_contains_lit(!**lit));
                self.core = failed.map(|(literal, _)| *literal).collect();
                return Outcome::Unsatisfiable;
            }
            slice += slice / 2;
        }
    }

    fn value(&self, literal: i32) -> bool {
        assert!(self.satisfied, "the last query has an assignment");
        let variable = self.solver.value_lit(self.literal(literal.abs()));
        (variable == lbool::TRUE) == (literal > 0)
    }

    fn core(&self) -> Vec<i32> {
        self.core.clone()
    }
}

/// batsat with preferred decision phases. batsat takes the phase of a variable when the variable is created. Therefore
/// this solver holds new variables and clauses back until the next query. A preference for a variable that batsat
/// already has is ignored.
pub(crate) struct Phased {
    solver: Batsat,
    /// All variables and clauses. Those that batsat does not have yet are the last ones.
    clauses: Clauses,
    /// By variable: its phase.
    phases: Vec<lbool>,
    /// The number of clauses that batsat has.
    loaded: usize,
}

impl Phased {
    pub(crate) fn new() -> Phased {
        Phased {
            solver: Batsat::new(),
            clauses: Clauses::new(),
            phases: Vec::new(),
            loaded: 0,
        }
    }
}

impl Sink for Phased {
    fn variable(&mut self) -> i32 {
        self.phases.push(lbool::UNDEF);
        self.clauses.variable()
    }

    fn clause(&mut self, literals: &[i32]) {
        self.solver.satisfied = false;
        self.clauses.clause(literals);
    }
}

impl Solver for Phased {
    fn solve(&mut self, assumptions: &[i32], stop: &mut dyn FnMut() -> bool) -> Outcome {
        for phase in &self.phases[self.solver.variables.len()..] {
            self.solver.variable_with_phase(*phase);
        }
        for number in self.loaded + 1..=self.clauses.len() {
            let clause = self.clauses.get(number).expect("the clause is there");
            self.solver.clause(clause);
        }
        self.loaded = self.clauses.len();
        self.solver.solve(assumptions, stop)
    }

    fn value(&self, literal: i32) -> bool {
        self.solver.value(literal)
    }

    fn core(&self) -> Vec<i32> {
        self.solver.core()
    }

    fn prefer(&mut self, literal: i32) {
        let phase = &mut self.phases[literal.unsigned_abs() as usize - 1];
        *phase = match literal > 0 {
            true => lbool::TRUE,
            false => lbool::FALSE,
        };
    }
}

/// Decides whether clauses are satisfiable, with an LRAT proof if they are not. batsat logs the clauses that it learns,
/// and [`Rup`] finds the hints of each.
pub(crate) fn prove(clauses: &Clauses, stop: &mut dyn FnMut() -> bool) -> Decision {
    let mut solver = Batsat::logging();
    clauses.load(&mut solver);
    match solver.solve(&[], stop) {
        Outcome::Stopped => Decision::Stopped,
        Outcome::Satisfiable => {
            let variables = 1..=clauses.variables();
            Decision::Satisfied(variables.map(|variable| solver.value(variable)).collect())
        }
        Outcome::Unsatisfiable => Decision::Refuted(refutation(clauses, &solver.take_learnt())),
    }
}

/// The proof whose steps are the learnt clauses, ending with the empty clause. A clause that does not follow by unit
/// propagation becomes a step without hints, which [`check()`](crate::check()) rejects.
fn refutation(clauses: &Clauses, learnt: &[i32]) -> Proof {
    let mut rup = Rup::new();
    clauses.load(&mut rup);
    let mut proof = Proof::new(clauses.len());
    for clause in learnt.split_inclusive(|literal| *literal == 0) {
        if rup.is_refuted() {
            break;
        }
        let clause = &clause[..clause.len() - 1];
        proof.push(clause, rup.hints(clause).unwrap_or_default());
        rup.clause(clause);
    }
    proof.push(&[], rup.hints(&[]).unwrap_or_default());
    proof.trimmed()
}
