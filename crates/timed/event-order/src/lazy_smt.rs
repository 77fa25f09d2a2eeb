//! Lazy SMT loop for a query: whether some order of events, with times, makes a literal true.
//!
//! A SAT solver proposes values for all inputs, including the orders; the proposed orders are difference
//! constraints on times. Where these are infeasible, the reason is a cycle of constraints, and its negation is
//! a clause: the solver proposes another order. Clauses about two and three nodes are added before the first
//! call (`order::Lemmas`), because most reasons are of that kind; those about three nodes, where there are very
//! many, only once the solver has proposed an order without times. The loop ends with an order that has times,
//! or with a refutation.

use bits::Unsupported;
use machine::Fault;
use order::{
    Atom, Constraint, Exact, Feasibility, Lemmas, Query, Unrolled, base_constraints, solve,
};
use rational::Rational;
use sat::{Backend, Lit, Outcome, Sink, Solver, Tseitin};
use verdict::{Budget, Never, NoTimes, Progress, Spent};

/// The result of a query.
pub(crate) enum QueryResult {
    /// No order of events makes the literal true, with the reason.
    Unsatisfiable(Never),
    /// This model does.
    Satisfiable(Model),
    /// A limit was reached before the query was decided.
    Stopped(Spent),
}

/// A model of a query.
pub(crate) struct Model {
    /// By gate of the circuit.
    values: Vec<bool>,
    /// All moments in an order in which they occur, with times.
    pub(crate) order: Vec<(usize, Rational)>,
    /// The chosen orders of events.
    pub(crate) chosen: Vec<(Atom, bool)>,
}

impl Model {
    /// The value of a literal.
    pub(crate) fn value(&self, lit: Lit) -> bool {
        self.values[lit.gate() as usize] != lit.is_negated()
    }
}

/// A solver that has the circuit of an unrolling, as far as queries depended on it.
pub(crate) struct QuerySolver {
    solver: Box<dyn Solver>,
    tseitin: Tseitin,
    /// The number of conditions that the solver has.
    conditions: usize,
    /// The atoms that the solver has, with its literals.
    atoms: Vec<(i32, Atom)>,
    /// By number of the atom: whether the solver has it.
    registered: Vec<bool>,
    /// The first atom for which clauses about three nodes are still missing, if there are very many.
    triples_pending_from: Option<usize>,
    /// The clauses about times that were added during the search.
    learned: Never,
}

/// The largest number of infeasible cycles that are added per proposed order.
const MAX_CYCLES: usize = 40;

/// The largest number of pairs of choices with which clauses about three nodes are added at once.
const EAGER_TRIPLES: usize = 500_000;

impl QuerySolver {
    pub(crate) fn new(backend: Backend) -> QuerySolver {
        QuerySolver {
            solver: (backend.with_phases)(),
            tseitin: Tseitin::new(),
            conditions: 0,
            atoms: Vec::new(),
            registered: Vec::new(),
            triples_pending_from: None,
            learned: Never::default(),
        }
    }

    /// Decides whether the goal of a query can be true.
    pub(crate) fn solve(
        &mut self,
        query: &mut Query<'_, '_>,
        budget: &dyn Budget,
    ) -> Result<QueryResult, Unsupported> {
        let (unrolled, lit) = (&mut query.unrolled, query.goal);
        if lit == Lit::FALSE {
            return Ok(QueryResult::Unsatisfiable(Never::default()));
        }
        unrolled.fill(&[lit])?;
        let aig = &unrolled.aig;
        if self.conditions == 0 {
            self.tseitin = Tseitin::compact(aig);
        }
        while self.conditions < unrolled.conditions.len() {
            let condition = unrolled.conditions[self.conditions];
            let literal = self.tseitin.literal(aig, condition, &mut self.solver);
            self.solver.clause(&[literal]);
            self.conditions += 1;
        }
        let goal = self.tseitin.literal(aig, lit, &mut self.solver);
        self.register_atoms(unrolled);
        // Runs with few nodes are easier to read.
        for node in unrolled.scope.machine.nodes() {
            let off = unrolled.frozen.fault(node, Fault::Off);
            if let Some(literal) = self.tseitin.known(off)
                && off.known().is_none()
            {
                self.solver.prefer(literal);
            }
        }
        let base = base_constraints(unrolled);
        let mut spent = None;
        loop {
            let mut stop = || {
                spent = budget.ask(&Progress::default());
                spent.is_some()
            };
            match self.solver.solve(&[goal], &mut stop) {
                Outcome::Unsatisfiable => {
                    return Ok(QueryResult::Unsatisfiable(std::mem::take(
                        &mut self.learned,
                    )));
                }
                Outcome::Stopped => {
                    return Ok(QueryResult::Stopped(spent.unwrap_or(Spent::Interrupted)));
                }
                Outcome::Satisfiable => {}
            }
            let chosen: Vec<(i32, Atom, bool)> = self
                .atoms
                .iter()
                .map(|(literal, atom)| (*literal, *atom, self.solver.value(*literal)))
                .collect();
            let inputs = self.tseitin.inputs(&unrolled.aig, &self.solver);
            let order = match self.times(unrolled, &base, &chosen) {
                Ok(order) => order,
                Err(cycles) => {
                    cycles
                        .iter()
                        .for_each(|cycle| self.add_cycle_clause(&chosen, cycle));
                    self.add_triple_lemmas(unrolled);
                    continue;
                }
            };
            let values = unrolled.aig.simulate(&inputs);
            match query.periods.exact(unrolled, &order, &chosen) {
                Exact::Order(order) => {
                    let chosen = chosen.into_iter().map(|(_, atom, value)| (atom, value));
                    return Ok(QueryResult::Satisfiable(Model {
                        values,
                        order,
                        chosen: chosen.collect(),
                    }));
                }
                Exact::Never { clause, sum } => {
                    self.solver.clause(&clause);
                    self.learned.orders.push(NoTimes::Sum(sum));
                }
            }
        }
    }

    /// Registers the atoms that the solver has met since the last call, and adds the clauses about the times of
    /// two and of three nodes.
    fn register_atoms(&mut self, unrolled: &Unrolled<'_, '_>) {
        let all = unrolled.atoms.all();
        self.registered.resize(all.len(), false);
        let from = self.atoms.len();
        for (number, (lit, atom)) in all.iter().enumerate() {
            if !self.registered[number]
                && let Some(literal) = self.tseitin.known(*lit)
            {
                self.registered[number] = true;
                self.atoms.push((literal, *atom));
                let nominal = unrolled.is_nominal(*atom);
                self.solver.prefer(if nominal { literal } else { -literal });
            }
        }
        if from < self.atoms.len() {
            let from = self.triples_pending_from.unwrap_or(from);
            let lemmas = Lemmas::of(unrolled, &self.atoms, from);
            lemmas.pair_clauses(&mut |clause| self.solver.clause(clause));
            self.triples_pending_from = Some(from);
            if lemmas.triples() <= EAGER_TRIPLES {
                lemmas.triple_clauses(&mut |clause| self.solver.clause(clause));
                self.triples_pending_from = None;
            }
        }
    }

    /// Adds the clauses about three nodes that have been deferred.
    fn add_triple_lemmas(&mut self, unrolled: &Unrolled<'_, '_>) {
        if let Some(from) = self.triples_pending_from.take() {
            let lemmas = Lemmas::of(unrolled, &self.atoms, from);
            lemmas.triple_clauses(&mut |clause| self.solver.clause(clause));
        }
    }

    /// Adds a clause that excludes the choices of an infeasible cycle.
    fn add_cycle_clause(&mut self, chosen: &[(i32, Atom, bool)], cycle: &[usize]) {
        let literal = |number: &usize| match chosen[*number] {
            (literal, _, true) => -literal,
            (literal, _, false) => literal,
        };
        let clause: Vec<i32> = cycle.iter().map(literal).collect();
        self.solver.clause(&clause);
        let choices = cycle.iter().map(|number| {
            let (_, atom, value) = chosen[*number];
            atom.choice(value)
        });
        let cycle = NoTimes::Round(choices.collect());
        self.learned.orders.push(cycle);
    }

    /// An order with times for the chosen orders; or infeasible cycles of choices, by their numbers.
    fn times(
        &self,
        unrolled: &Unrolled<'_, '_>,
        base: &[Constraint],
        chosen: &[(i32, Atom, bool)],
    ) -> Result<Vec<(usize, i128)>, Vec<Vec<usize>>> {
        let mut constraints = base.to_vec();
        let mut open: Vec<usize> = (0..chosen.len()).collect();
        let mut cycles = Vec::new();
        for number in &open {
            let (_, atom, value) = chosen[*number];
            constraints.push(unrolled.atoms.constraint(&unrolled.times, atom, value));
        }
        loop {
            match solve(unrolled.atoms.moments(), &constraints) {
                Feasibility::Feasible(times) if cycles.is_empty() => return Ok(times),
                Feasibility::Feasible(_) => return Err(cycles),
                Feasibility::Cycle(cycle) => {
                    let reasons: Vec<usize> =
                        cycle.into_iter().filter(|d| *d >= base.len()).collect();
                    cycles.push(reasons.iter().map(|d| open[*d - base.len()]).collect());
                    if cycles.len() >= MAX_CYCLES {
                        return Err(cycles);
                    }
                    // Without one of them there may be another reason.
                    let without = reasons[reasons.len() / 2];
                    constraints.remove(without);
                    open.remove(without - base.len());
                }
            }
        }
    }
}
