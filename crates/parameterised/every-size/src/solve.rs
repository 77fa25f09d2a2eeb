//! Decides a query with a SAT solver: its conditions, its goal, and the clauses about times.

use bits::Unsupported;
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

/// Why a query has no result.
pub(crate) enum Stop {
    /// The rule does not apply.
    Unsupported(Unsupported),
    /// A limit was reached.
    Spent(Spent),
}

impl From<Unsupported> for Stop {
    fn from(why: Unsupported) -> Stop {
        Stop::Unsupported(why)
    }
}

/// The solver and the budget for queries.
#[derive(Clone, Copy)]
pub(crate) struct Means<'b> {
    pub(crate) backend: Backend,
    pub(crate) budget: &'b dyn Budget,
}

impl Means<'_> {
    /// Decides whether the goal of a query is possible.
    pub(crate) fn solve(&self, query: &Query) -> Result<Found, Stop> {
        let budget = self.budget;
        if let Some(spent) = budget.ask(&Progress::default()) {
            return Err(Stop::Spent(spent));
        }
        if query.goal == Lit::FALSE {
            return Ok(Found::Nothing);
        }
        let mut solver: Box<dyn Solver> = (self.backend.with_phases)();
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
            Outcome::Stopped => Err(Stop::Spent(spent.unwrap_or(Spent::Interrupted))),
        }
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
