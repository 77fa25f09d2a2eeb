//! Temporal claims on a finished graph: is there a fair run that satisfies the negation?

use crate::code::Context;
use crate::compile::Compiler;
use crate::defects::{Defect, broken};
use crate::fair::suspects;
use crate::graph::Graph;
use crate::lasso::{self, Lasso};
use crate::product::Product;
use crate::watch::Condition;
use machine::{Expr, Formula, LocalId, Scope, Value};
use verdict::Spent;

/// What came out.
pub(crate) enum Outcome<'a> {
    Holds,
    /// A run that breaks the claim.
    Fails(Lasso),
    /// One in another graph, of real states.
    ReallyFails(Box<Graph<'a>>, Lasso),
    /// No such run, but in this state a condition of the claim has no value.
    Broken(u32, Missing),
}

/// A condition, with the instances of the quantifiers around it.
pub(crate) struct Missing {
    pub(crate) condition: Expr,
    pub(crate) bound: Vec<(LocalId, Value)>,
}

pub(crate) enum Stop {
    /// The automaton would be too large; in words.
    TooLarge(String),
    /// A condition cannot be represented.
    Unsupported(String),
    Spent(Spent),
    /// Orders of events were left out, and it depends on them which runs are fair.
    Orders,
}

impl From<Spent> for Stop {
    fn from(spent: Spent) -> Stop {
        Stop::Spent(spent)
    }
}

/// Decides a claim. `go_on` is asked often, and says if a limit is reached.
pub(crate) fn check<'a>(
    graph: &mut Graph<'a>,
    formula: &Formula,
    scope: &Scope,
    fair: bool,
    go_on: &mut dyn FnMut() -> Option<Spent>,
) -> Result<Outcome<'a>, Stop> {
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
    let mut automaton =
        ltl::translate(&ltl::Formula::not(claim)).map_err(|why| Stop::TooLarge(why.to_string()))?;
    if broken(Defect::MarksForgotten) {
        automaton.acceptance = automaton.acceptance.min(1);
    }
    let mut letters = Vec::with_capacity(graph.store.len() as usize);
    let mut ends = Vec::new();
    for state in 0..graph.store.len() {
        if let Some(spent) = go_on() {
            return Err(spent.into());
        }
        graph.open(state);
        let letter = atoms.letter(graph);
        letters.push(letter.unwrap_or_default());
        if letter.is_none() {
            ends.push(state);
        }
    }
    let mut product = Product {
        graph,
        automaton: &automaton,
        letters: &letters,
        ends: &ends,
        lenient: false,
    };
    let fair = fair && !broken(Defect::FairnessIgnored);
    let symmetric = graph.is_up_to_symmetry() && !broken(Defect::FairnessUpToSymmetry);
    let lasso = if fair && symmetric {
        let states = suspects(&product, go_on)?;
        if !states.is_empty() {
            let mut real = graph.unfolded(&states, go_on)?;
            if let Outcome::Fails(lasso) = check(&mut real, formula, scope, fair, go_on)? {
                return Ok(Outcome::ReallyFails(Box::new(real), lasso));
            }
        }
        None
    } else {
        let parts = product.accepting_parts(fair, go_on)?;
        let reduced = product.graph.reduction.is_some() && !broken(Defect::OwedInAnyOrder);
        if parts.is_empty() && fair && reduced {
            product.lenient = true;
            if !product.accepting_parts(fair, go_on)?.is_empty() {
                return Err(Stop::Orders);
            }
        }
        lasso::find(&product, &parts, fair)
    };
    Ok(match lasso {
        Some(lasso) => Outcome::Fails(lasso),
        None => match ends.first() {
            Some(state) => Outcome::Broken(*state, atoms.missing(graph, *state, scope)),
            None => Outcome::Holds,
        },
    })
}

/// The conditions of a formula, each with the instances of the quantifiers around it.
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
            let condition =
                Condition::new(machine, scope, &condition).map_err(Stop::Unsupported)?;
            self.conditions.push((condition, self.bound.clone()));
            return Ok(L::Atom(self.conditions.len() as u32 - 1));
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

    /// The first condition that has no value in a state in which one has none.
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

    /// Which conditions hold in the open state; none if one has no value.
    fn letter(&self, graph: &Graph<'_>) -> Option<ltl::Letter> {
        let context = graph.context();
        let mut letter = 0;
        for (a, (condition, bound)) in self.conditions.iter().enumerate() {
            letter |= u64::from(condition.holds(&context, bound)?) << a;
        }
        Some(letter)
    }
}

/// The elements of a set that does not depend on the state, where some local names are bound.
pub(crate) fn elements(
    context: &Context<'_>,
    scope: &Scope,
    bound: &[(LocalId, i64)],
    local: LocalId,
    domain: &Expr,
) -> Result<Vec<i64>, String> {
    let mut compiler = Compiler::new(context.compiled.machine, scope);
    let domain = compiler.domain_of(local, domain, true)?;
    let mut locals = vec![0; scope.locals.len()];
    for (local, value) in bound {
        locals[local.index()] = *value;
    }
    let mut elements = Vec::new();
    let complete = context.each(&domain, &mut locals, &mut |_, _, element| {
        elements.push(element);
        Ok(true)
    });
    match complete {
        Ok(_) => Ok(elements),
        Err(_) => Err("a quantifier whose set has no value".into()),
    }
}
