//! The lazy SMT loop, which decides a query: can a literal be true for some order of events that has times?
//!
//! A SAT solver proposes values for all inputs, including the order of each pair of events. The proposed orders are
//! difference constraints on times. If these are infeasible, some of them form an infeasible cycle. The negation of
//! the cycle is added as a clause, and the solver proposes another order. Most such cycles concern the times of two or
//! three nodes. Clauses that exclude these are added before the first call (`order::Lemmas`). If there are very many
//! clauses about three nodes, they are added only after the solver has proposed an infeasible order. The loop ends
//! with an order that has times, with a refutation, or at a limit.

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
    /// No order of events that has times makes the literal true, for this reason.
    Unsatisfiable(Never),
    /// This model makes the literal true.
    Satisfiable(Model),
    /// A limit was reached before the query was decided.
    Stopped(Spent),
}

/// A model of a query: an order of events with times, and values of all gates.
pub(crate) struct Model {
    /// By gate of the circuit: its value.
    values: Vec<bool>,
    /// All moments with their times, in the order in which they occur.
    pub(crate) order: Vec<(usize, Rational)>,
    /// The atoms with their values: which of two events comes first.
    pub(crate) chosen: Vec<(Atom, bool)>,
}

impl Model {
    /// The value of a literal.
    pub(crate) fn value(&self, lit: Lit) -> bool {
        self.values[lit.gate() as usize] != lit.is_negated()
    }
}

/// A SAT solver with the part of the circuit of an unrolling on which the queries so far depend.
pub(crate) struct QuerySolver {
    solver: Box<dyn Solver>,
    tseitin: Tseitin,
    /// The number of conditions of the unrolling that have been added to the solver.
    conditions: usize,
    /// The atoms that occur in the solver, with their literals there.
    atoms: Vec<(i32, Atom)>,
    /// By index of an atom in the unrolling: whether it is in `atoms`.
    registered: Vec<bool>,
    /// If clauses about three nodes have been deferred: the index in `atoms` of the first atom for which they are
    /// missing.
    triples_pending_from: Option<usize>,
    /// The infeasible orders that have been excluded by clauses during the search.
    learned: Never,
}

/// The largest number of infeasible cycles that are excluded for one proposed order.
const MAX_CYCLES: usize = 40;

/// The largest value of `Lemmas::triples` with which clauses about three nodes are added before the first call.
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
        // Prefer models in which nodes are off: runs with few nodes are easier to read.
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

    /// Registers the atoms that have been added to the solver since the last call, and adds the clauses about the times
    /// of two nodes and, if there are not too many, of three nodes.
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

    /// Adds the deferred clauses about three nodes, if there are any.
    fn add_triple_lemmas(&mut self, unrolled: &Unrolled<'_, '_>) {
        if let Some(from) = self.triples_pending_from.take() {
            let lemmas = Lemmas::of(unrolled, &self.atoms, from);
            lemmas.triple_clauses(&mut |clause| self.solver.clause(clause));
        }
    }

    /// Adds a clause that excludes an infeasible cycle, given by indices into `chosen`.
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

    /// All moments with times that satisfy the chosen orders; or infeasible cycles, each as indices into `chosen`.
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
                    // Remove one choice of the cycle, to find further cycles without it.
                    let without = reasons[reasons.len() / 2];
                    constraints.remove(without);
                    open.remove(without - base.len());
                }
            }
        }
    }
}
