//! A question about an unrolled part of all runs: whether some order of events, with times, makes a literal true.
//!
//! A solver proposes values for all inputs, orders included; the orders that it proposes are demands on times. Where these
//! contradict each other, the reason is a cycle of demands, and its negation a clause: the solver proposes something else.
//! Contradictions among two and three nodes are given before it is asked (`lemmas.rs`), for most are of that kind; those among
//! three, where they are very many, only once it has proposed an order without times. Where nothing speaks against it events
//! are in an order that has times.

use bits::Unsupported;
use machine::Fault;
use order::{Answer, Atom, Demand, Exact, Lemmas, Look, Unrolled, base, solve};
use rational::Rational;
use sat::{Backend, Lit, Outcome, Sink, Solver, Tseitin};
use verdict::{Budget, Never, NoTimes, Progress, Spent};

/// What came of a question.
pub(crate) enum Asked {
    /// No order of events makes it true, and why.
    Never(Never),
    /// This one does.
    So(Model),
    /// Nobody knows: a limit was reached.
    Stopped(Spent),
}

/// Values for everything.
pub(crate) struct Model {
    /// By gate of the circuit.
    values: Vec<bool>,
    /// All moments in an order in which they happen, with times.
    pub(crate) order: Vec<(usize, Rational)>,
    /// What was chosen of the order of events.
    pub(crate) chosen: Vec<(Atom, bool)>,
}

impl Model {
    /// The value of a literal.
    pub(crate) fn value(&self, lit: Lit) -> bool {
        self.values[lit.gate() as usize] != lit.is_negated()
    }
}

/// A solver that knows the circuit of an unrolled part of all runs, as far as it was asked about it.
pub(crate) struct Asking {
    solver: Box<dyn Solver>,
    tseitin: Tseitin,
    /// How many conditions it knows.
    conditions: usize,
    /// Atoms that it knows, by their number, with its literals.
    atoms: Vec<(i32, Atom)>,
    /// By number of the atom: whether it is one of them.
    looked: Vec<bool>,
    /// From which of them on it was told nothing about three nodes yet, if there is much to tell.
    untold: Option<usize>,
    /// What it was told about times on the way.
    learned: Never,
}

/// Contradictions that are told at once.
const AT_ONCE: usize = 40;

/// Where more pairs of choices meet at a node, what there is to say about three nodes waits until somebody needs it.
const MANY_TRIPLES: usize = 500_000;

impl Asking {
    pub(crate) fn new(backend: Backend) -> Asking {
        Asking {
            solver: (backend.with_phases)(),
            tseitin: Tseitin::new(),
            conditions: 0,
            atoms: Vec::new(),
            looked: Vec::new(),
            untold: None,
            learned: Never::default(),
        }
    }

    /// Whether what is wanted can be true.
    pub(crate) fn ask(
        &mut self,
        look: &mut Look<'_, '_>,
        budget: &dyn Budget,
    ) -> Result<Asked, Unsupported> {
        let (unrolled, lit) = (&mut look.unrolled, look.wanted);
        if lit == Lit::FALSE {
            return Ok(Asked::Never(Never::default()));
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
        let wanted = self.tseitin.literal(aig, lit, &mut self.solver);
        self.know_atoms(unrolled);
        // Runs with few nodes are easier to read.
        for node in unrolled.scope.machine.nodes() {
            let off = unrolled.fixed.fault(node, Fault::Off);
            if let Some(literal) = self.tseitin.known(off)
                && off.known().is_none()
            {
                self.solver.prefer(literal);
            }
        }
        let base = base(unrolled);
        let mut spent = None;
        loop {
            let mut stop = || {
                spent = budget.ask(&Progress::default());
                spent.is_some()
            };
            match self.solver.solve(&[wanted], &mut stop) {
                Outcome::Unsatisfiable => {
                    return Ok(Asked::Never(std::mem::take(&mut self.learned)));
                }
                Outcome::Stopped => {
                    return Ok(Asked::Stopped(spent.unwrap_or(Spent::Interrupted)));
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
                Err(rounds) => {
                    rounds.iter().for_each(|round| self.learn(&chosen, round));
                    self.know_three(unrolled);
                    continue;
                }
            };
            let values = unrolled.aig.simulate(&inputs);
            match look.periods.exact(unrolled, &order, &chosen) {
                Exact::Order(order) => {
                    let chosen = chosen.into_iter().map(|(_, atom, value)| (atom, value));
                    return Ok(Asked::So(Model {
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

    /// Takes note of the atoms that the solver has met since, and tells it what the times of two and of three nodes say about
    /// them.
    fn know_atoms(&mut self, unrolled: &Unrolled<'_, '_>) {
        let all = unrolled.atoms.all();
        self.looked.resize(all.len(), false);
        let from = self.atoms.len();
        for (number, (lit, atom)) in all.iter().enumerate() {
            if !self.looked[number]
                && let Some(literal) = self.tseitin.known(*lit)
            {
                self.looked[number] = true;
                self.atoms.push((literal, *atom));
                let usual = unrolled.is_usual(*atom);
                self.solver.prefer(if usual { literal } else { -literal });
            }
        }
        if from < self.atoms.len() {
            let from = self.untold.unwrap_or(from);
            let lemmas = Lemmas::of(unrolled, &self.atoms, from);
            lemmas.tell_of_two(&mut |clause| self.solver.clause(clause));
            self.untold = Some(from);
            if lemmas.triples() <= MANY_TRIPLES {
                lemmas.tell_of_three(&mut |clause| self.solver.clause(clause));
                self.untold = None;
            }
        }
    }

    /// Tells what the times of three nodes say about the atoms, where that has waited.
    fn know_three(&mut self, unrolled: &Unrolled<'_, '_>) {
        if let Some(from) = self.untold.take() {
            let lemmas = Lemmas::of(unrolled, &self.atoms, from);
            lemmas.tell_of_three(&mut |clause| self.solver.clause(clause));
        }
    }

    /// Not all that was chosen in a round can be.
    fn learn(&mut self, chosen: &[(i32, Atom, bool)], round: &[usize]) {
        let literal = |number: &usize| match chosen[*number] {
            (literal, _, true) => -literal,
            (literal, _, false) => literal,
        };
        let clause: Vec<i32> = round.iter().map(literal).collect();
        self.solver.clause(&clause);
        let choices = round.iter().map(|number| {
            let (_, atom, value) = chosen[*number];
            atom.choice(value)
        });
        let round = NoTimes::Round(choices.collect());
        self.learned.orders.push(round);
    }

    /// An order with times for what was chosen; or rounds of choices, by their numbers, that say why there is none.
    fn times(
        &self,
        unrolled: &Unrolled<'_, '_>,
        base: &[Demand],
        chosen: &[(i32, Atom, bool)],
    ) -> Result<Vec<(usize, i128)>, Vec<Vec<usize>>> {
        let mut demands = base.to_vec();
        let mut open: Vec<usize> = (0..chosen.len()).collect();
        let mut rounds = Vec::new();
        for number in &open {
            let (_, atom, value) = chosen[*number];
            demands.push(unrolled.atoms.demand(&unrolled.times, atom, value));
        }
        loop {
            match solve(unrolled.atoms.moments(), &demands) {
                Answer::Met(times) if rounds.is_empty() => return Ok(times),
                Answer::Met(_) => return Err(rounds),
                Answer::Contradiction(cycle) => {
                    let reasons: Vec<usize> =
                        cycle.into_iter().filter(|d| *d >= base.len()).collect();
                    rounds.push(reasons.iter().map(|d| open[*d - base.len()]).collect());
                    if rounds.len() >= AT_ONCE {
                        return Err(rounds);
                    }
                    // Without one of them there may be another reason.
                    let without = reasons[reasons.len() / 2];
                    demands.remove(without);
                    open.remove(without - base.len());
                }
            }
        }
    }
}
