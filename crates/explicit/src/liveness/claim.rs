//! Temporal claims on the graph of an instance: is there a fair run that satisfies the negation?
//!
//! A claim is represented by an automaton for its negation and by the letter of each state: the values of the claim's
//! atomic propositions. [`Claim::early`] searches for a violation during the search, among the expanded states and the
//! transitions between them; its absence there proves nothing. [`check`] decides the claim on the complete graph.

use crate::defects::{Defect, broken};
use crate::graph::state_graph::Graph;
use crate::graph::witness::Lasso;
use crate::liveness::lasso;
use crate::liveness::product::Product;
use crate::liveness::symmetric_fairness::{accepting_states, unfolded};
use crate::por::stubborn_sets::StubbornSets;
use crate::program::condition::{Condition, elements};
use machine::{Expr, Formula, LocalId, Scope, Value};
use verdict::Spent;

/// The result of a check.
pub(crate) enum Outcome<'a> {
    Holds,
    Fails(Failure<'a>),
    /// No run violates the claim, but in this state a condition of it has no value.
    Broken(u32, Missing),
}

/// A run that violates a claim.
pub(crate) struct Failure<'a> {
    pub(crate) lasso: Lasso,
    /// With symmetry reduction: the graph of real states to which the lasso belongs.
    pub(crate) real: Option<Box<Graph<'a>>>,
}

/// A condition without a value, with the values of the quantified names around it.
pub(crate) struct Missing {
    pub(crate) condition: Expr,
    pub(crate) bound: Vec<(LocalId, Value)>,
}

pub(crate) enum Stop {
    /// The automaton would be too large; the text says why.
    TooLarge(String),
    /// The engine cannot represent a condition.
    Unsupported(String),
    Spent(Spent),
    /// Partial-order reduction was used, and whether a run is fair may depend on the order of independent events.
    OrderDependent,
    /// Partial-order reduction and symmetry reduction were used together, and a run violates the claim, but may be
    /// unfair.
    OnlyFair,
}

impl From<Spent> for Stop {
    fn from(spent: Spent) -> Stop {
        Stop::Spent(spent)
    }
}

/// A function that is called often, and returns the limit that is reached, if any.
type GoOn<'g> = dyn FnMut() -> Option<Spent> + 'g;

/// A temporal claim in an instance.
pub(crate) struct Claim<'m> {
    formula: &'m Formula,
    scope: &'m Scope,
    atoms: Atoms,
    /// Accepts the runs that violate the claim.
    automaton: ltl::Buchi,
    /// By state that has been evaluated: its letter.
    letters: Vec<ltl::Letter>,
    /// The evaluated states in which a condition has no value, sorted.
    ends: Vec<u32>,
}

impl<'m> Claim<'m> {
    /// Translates a claim. The graph must contain its initial states.
    pub(crate) fn new(
        graph: &mut Graph<'_>,
        formula: &'m Formula,
        scope: &'m Scope,
    ) -> Result<Claim<'m>, Stop> {
        let mut atoms = Atoms {
            conditions: Vec::new(),
            bound: Vec::new(),
        };
        graph.open(0);
        let claim = atoms.translate(graph, formula, scope)?;
        if atoms.conditions.len() > 64 {
            let many = atoms.conditions.len();
            return Err(Stop::TooLarge(format!(
                "the claim has {many} conditions, and more than 64 are too many"
            )));
        }
        let mut automaton = ltl::translate(&ltl::Formula::not(claim))
            .map_err(|why| Stop::TooLarge(why.to_string()))?;
        if broken(Defect::MarksForgotten) {
            automaton.acceptance = automaton.acceptance.min(1);
        }
        Ok(Claim {
            formula,
            scope,
            atoms,
            automaton,
            letters: Vec::new(),
            ends: Vec::new(),
        })
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        (self.letters.capacity() * 8) as u64
    }

    /// Searches for a violation through the first `known` states, which must be expanded.
    pub(crate) fn early<'a>(
        &mut self,
        graph: &mut Graph<'a>,
        known: u32,
        fair: bool,
        go_on: &mut GoOn<'_>,
    ) -> Result<Option<Failure<'a>>, Stop> {
        // If deliveries have no fairness unit, fairness of cycles is only approximate. Then the claim is checked on the
        // complete graph only.
        let vague = fair && graph.labels.table.iter().any(|label| label.owed);
        if self.automaton.states.is_empty() || vague {
            return Ok(None);
        }
        self.read(graph, known, go_on)?;
        let fair = fair && !broken(Defect::EarlyUnfair);
        self.failure(graph, known, fair, go_on)
    }

    /// Computes the letters of the first `known` states.
    fn read(
        &mut self,
        graph: &mut Graph<'_>,
        known: u32,
        go_on: &mut GoOn<'_>,
    ) -> Result<(), Spent> {
        for state in self.letters.len() as u32..known {
            if let Some(spent) = go_on() {
                return Err(spent);
            }
            graph.open(state);
            let letter = self.atoms.letter(graph);
            self.letters.push(letter.unwrap_or_default());
            if letter.is_none() {
                self.ends.push(state);
            }
        }
        Ok(())
    }

    fn product<'p, 'g>(&'p self, graph: &'p Graph<'g>, known: u32) -> Product<'p, 'g> {
        Product {
            graph,
            automaton: &self.automaton,
            letters: &self.letters,
            ends: &self.ends,
            known,
            lenient: None,
            stutters: true,
        }
    }

    /// A run through the first `known` states that violates the claim, if there is one.
    fn failure<'a>(
        &self,
        graph: &mut Graph<'a>,
        known: u32,
        fair: bool,
        go_on: &mut GoOn<'_>,
    ) -> Result<Option<Failure<'a>>, Stop> {
        let symmetric = graph.is_up_to_symmetry() && !broken(Defect::FairnessUpToSymmetry);
        if fair && symmetric && graph.partial.is_some() {
            return self.failure_in_both(&self.product(graph, known), go_on);
        }
        if fair && symmetric {
            let states = accepting_states(&self.product(graph, known), go_on)?;
            if states.is_empty() {
                return Ok(None);
            }
            let mut real = unfolded(graph, &states, go_on)?;
            let mut claim = Claim::new(&mut real, self.formula, self.scope)?;
            let all = real.store.len();
            claim.read(&mut real, all, go_on)?;
            let failure = claim.failure(&mut real, all, fair, go_on)?;
            return Ok(failure.map(|failure| Failure {
                lasso: failure.lasso,
                real: Some(Box::new(real)),
            }));
        }
        let product = self.product(graph, known);
        if !product.accepts(fair, go_on)? {
            return Ok(None);
        }
        // Panics rather than treating a failure to construct the lasso as its absence.
        let lasso = lasso::find(&product, fair).expect("what accepts has a run");
        Ok(Some(Failure { lasso, real: None }))
    }

    /// With partial-order reduction and symmetry reduction together: a finite run that violates the claim, if there is
    /// one. The graph leaves out events and permutes nodes, so fairness of its cycles cannot be decided. Without
    /// fairness of cycles, two answers are certain: the claim holds if no run violates it, fair or not; and it fails if
    /// a finite run violates it at whose end no fairness unit is enabled.
    fn failure_in_both<'a>(
        &self,
        product: &Product<'_, '_>,
        go_on: &mut GoOn<'_>,
    ) -> Result<Option<Failure<'a>>, Stop> {
        if !product.accepts(false, go_on)? {
            return Ok(None);
        }
        let ends = |lasso: &Lasso| {
            let last = lasso.stem.last().map_or(lasso.initial, |step| step.to);
            product.enabled_units(last).is_empty()
        };
        match lasso::find_stuttering(product).filter(ends) {
            Some(lasso) => Ok(Some(Failure { lasso, real: None })),
            None => Err(Stop::OnlyFair),
        }
    }
}

/// Decides a claim on a complete graph. `stubborn` is given if partial-order reduction was used.
pub(crate) fn check<'a>(
    claim: &mut Claim<'_>,
    graph: &mut Graph<'a>,
    (fair, stubborn): (bool, Option<&StubbornSets>),
    go_on: &mut GoOn<'_>,
) -> Result<Outcome<'a>, Stop> {
    let all = graph.store.len();
    claim.read(graph, all, go_on)?;
    let fair = fair && !broken(Defect::FairnessIgnored);
    if let Some(failure) = claim.failure(graph, all, fair, go_on)? {
        return Ok(Outcome::Fails(failure));
    }
    if fair
        && !graph.is_up_to_symmetry()
        && let Some(stubborn) = stubborn
        && !broken(Defect::OwedInAnyOrder)
    {
        let mut product = claim.product(graph, all);
        product.lenient = Some(stubborn);
        if product.accepts(fair, go_on)? {
            return Err(Stop::OrderDependent);
        }
    }
    Ok(match claim.ends.first() {
        Some(state) => Outcome::Broken(*state, claim.atoms.missing(graph, *state, claim.scope)),
        None => Outcome::Holds,
    })
}

/// The atomic propositions of a formula: conditions, with the values of the quantified names around them.
struct Atoms {
    conditions: Vec<(Condition, Vec<(LocalId, i64)>)>,
    bound: Vec<(LocalId, i64)>,
}

impl Atoms {
    fn translate(
        &mut self,
        graph: &Graph<'_>,
        formula: &Formula,
        scope: &Scope,
    ) -> Result<ltl::Formula, Stop> {
        use ltl::Formula as L;
        let machine = graph.compiled.machine;
        if let Some(condition) = formula.condition() {
            return Ok(L::Atom(self.atom(machine, condition, scope)?));
        }
        Ok(match formula {
            Formula::At(_, inner) => self.translate(graph, inner, scope)?,
            Formula::State(_) => unreachable!("a condition"),
            Formula::Not(a) => L::not(self.translate(graph, a, scope)?),
            Formula::And(a, b) => L::And(vec![
                self.translate(graph, a, scope)?,
                self.translate(graph, b, scope)?,
            ]),
            Formula::Or(a, b) => L::Or(vec![
                self.translate(graph, a, scope)?,
                self.translate(graph, b, scope)?,
            ]),
            Formula::Implies(a, b) => L::implies(
                self.translate(graph, a, scope)?,
                self.translate(graph, b, scope)?,
            ),
            Formula::Always(a) => L::always(self.translate(graph, a, scope)?),
            Formula::Eventually(a) => L::eventually(self.translate(graph, a, scope)?),
            Formula::Until(a, b) => L::until(
                self.translate(graph, a, scope)?,
                self.translate(graph, b, scope)?,
            ),
            Formula::LeadsTo(a, b) => {
                let first = self.translate(graph, a, scope)?;
                let then = L::eventually(self.translate(graph, b, scope)?);
                L::always(L::implies(first, then))
            }
            Formula::All(local, domain, a) => {
                L::And(self.instances(graph, *local, domain, a, scope)?)
            }
            Formula::Exists(local, domain, a) => {
                L::Or(self.instances(graph, *local, domain, a, scope)?)
            }
        })
    }

    /// The number of the atomic proposition for a condition under the current bindings; equal ones share a number.
    fn atom(
        &mut self,
        machine: &machine::Machine,
        condition: Expr,
        scope: &Scope,
    ) -> Result<u32, Stop> {
        let mut named = Vec::new();
        condition.walk(&mut |e| {
            if let Expr::Local(local) = e {
                named.push(*local);
            }
        });
        let mut bound = self.bound.clone();
        bound.retain(|(local, _)| named.contains(local));
        let same = |(c, around): &(Condition, Vec<_>)| c.written == condition && *around == bound;
        if let Some(known) = self.conditions.iter().position(same) {
            return Ok(known as u32);
        }
        let new = Condition::new(machine, scope, &condition).map_err(Stop::Unsupported)?;
        self.conditions.push((new, bound));
        Ok(self.conditions.len() as u32 - 1)
    }

    fn instances(
        &mut self,
        graph: &Graph<'_>,
        local: LocalId,
        domain: &machine::Expr,
        body: &Formula,
        scope: &Scope,
    ) -> Result<Vec<ltl::Formula>, Stop> {
        let elements = elements(&graph.context(), scope, &self.bound, local, domain);
        { elements.map_err(Stop::Unsupported)? }
            .into_iter()
            .map(|element| {
                self.bound.push((local, element));
                let instance = self.translate(graph, body, scope);
                self.bound.pop();
                instance
            })
            .collect()
    }

    /// The first condition without a value in a state.
    fn missing(&self, graph: &mut Graph<'_>, state: u32, scope: &Scope) -> Missing {
        graph.open(state);
        let (context, codec) = (graph.context(), graph.compiled.codec);
        let has_none = |(c, bound): &(Condition, Vec<_>)| c.holds(&context, bound).is_none();
        let first = self.conditions.iter().find(|c| has_none(c));
        let (condition, bound) = first.expect("the state has no letter");
        let value = |(local, number): &(LocalId, i64)| {
            let ty = &scope.locals[local.index()].ty;
            (*local, codec.decode(ty, *number))
        };
        Missing {
            condition: condition.written.clone(),
            bound: bound.iter().map(value).collect(),
        }
    }

    /// The letter of the open state; `None` if a condition has no value.
    fn letter(&self, graph: &Graph<'_>) -> Option<ltl::Letter> {
        let context = graph.context();
        let mut letter = 0;
        for (a, (condition, bound)) in self.conditions.iter().enumerate() {
            letter |= u64::from(condition.holds(&context, bound)?) << a;
        }
        Some(letter)
    }
}
