//! Decides a query with a SAT solver: its conditions, its goal, and the clauses about times.

use one_node::Query;
use sat::{Backend, Lit, Outcome, Sink, Solver, Tseitin};
use verdict::{Budget, Progress, Spent};

/// The result of a query.
pub(crate) enum Found {
    /// The goal is impossible.
    Nothing,
    /// By gate of the circuit: its value.
    Model(Vec<bool>),
}

/// Decides whether the goal of a query is possible.
pub(crate) fn solve(query: &Query, backend: Backend, budget: &dyn Budget) -> Result<Found, Spent> {
    if let Some(spent) = budget.ask(&Progress::default()) {
        return Err(spent);
    }
    if query.goal == Lit::FALSE {
        return Ok(Found::Nothing);
    }
    let mut solver: Box<dyn Solver> = (backend.with_phases)();
    let mut tseitin = Tseitin::new();
    encode(query, &mut tseitin, &mut *solver);
    let mut spent = None;
    let mut stop = || {
        spent = budget.ask(&Progress::default());
        spent.is_some()
    };
    match solver.solve(&[], &mut stop) {
        Outcome::Unsatisfiable => Ok(Found::Nothing),
        Outcome::Satisfiable => {
            let inputs = tseitin.inputs(&query.aig, &*solver);
            Ok(Found::Model(query.aig.simulate(&inputs)))
        }
        Outcome::Stopped => Err(spent.unwrap_or(Spent::Interrupted)),
    }
}

/// Adds a query to a solver.
fn encode(query: &Query, tseitin: &mut Tseitin, solver: &mut dyn Sink) {
    for condition in query.conditions.iter().chain([&query.goal]) {
        let literal = tseitin.literal(&query.aig, *condition, solver);
        solver.clause(&[literal]);
    }
    for (later, earlier) in query.moments.conflicts() {
        let later = query.moments.open[later].lit;
        let earlier = query.moments.open[earlier].lit;
        let later = tseitin.literal(&query.aig, later, solver);
        let earlier = tseitin.literal(&query.aig, earlier, solver);
        solver.clause(&[-later, earlier]);
    }
}
