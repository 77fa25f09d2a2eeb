//! Explains why a claim is false on a run. This file handles common forms of claims; `operators.rs` handles all others.

use crate::explain::condition::{Asked, why};
use crate::replay::formula;
use crate::replay::replayed::Replayed;
use machine::{Expr, Formula, Instance, LocalId, PropertyKind, Scope, Value};
use verdict::{Ending, Explanation, PartVerdict, Run, Why};

/// Why a property is false on a run; `None` if no state shows it. The field `every_bound` is left false.
pub fn explain(
    instance: Instance<'_>,
    property: usize,
    run: &Run,
    replayed: &Replayed,
) -> Option<Explanation> {
    let property = &instance.machine.properties[property];
    let PropertyKind::Claim(claim) = &property.kind else {
        return None;
    };
    let search = Search {
        instance,
        scope: &property.scope,
        run,
        replayed,
    };
    if let (Some(condition), Ending::Open) = (claim.invariant(), &run.ending) {
        return search.false_at(&condition, &[], replayed.states.len() - 1);
    }
    let common = search.claim(claim, &mut Vec::new());
    common.or_else(|| search.by_operators(claim))
}

/// The largest number of states of a loop in which a false condition is examined.
const MAX_MOMENTS: usize = 32;

type Bound = Vec<(LocalId, Value)>;

pub(super) struct Search<'a> {
    pub(super) instance: Instance<'a>,
    scope: &'a Scope,
    pub(super) run: &'a Run,
    pub(super) replayed: &'a Replayed,
}

impl Search<'_> {
    /// Descends to the subformula that is responsible. The formula must be false on the run.
    fn claim(&self, formula: &Formula, bound: &mut Bound) -> Option<Explanation> {
        match formula {
            Formula::At(_, inner) => self.claim(inner, bound),
            Formula::And(a, b) => {
                let blame = if self.is_false(a, bound) { a } else { b };
                self.claim(blame, bound)
            }
            Formula::All(local, domain, inner) => {
                let elements = self
                    .instance
                    .value(&self.replayed.states[0], domain, bound)
                    .ok()?;
                for element in elements.as_set() {
                    bound.push((*local, element.clone()));
                    if self.is_false(inner, bound) {
                        return self.claim(inner, bound);
                    }
                    bound.pop();
                }
                None
            }
            Formula::Implies(_, then) => self.claim(then, bound),
            Formula::Eventually(goal) => match goal.bare() {
                // `eventually always`: the condition is false again in every iteration, or for ever in the final state.
                Formula::Always(inner) => {
                    let condition = inner.condition()?;
                    let last = self.replayed.states.len() - 1;
                    match self.run.ending {
                        Ending::Loops(_) => self.false_again(&condition, bound),
                        _ => self.false_at(&condition, bound, last),
                    }
                }
                _ => self.never(&goal.condition()?, bound, 0),
            },
            Formula::LeadsTo(premise, goal) => {
                self.unanswered(&premise.condition()?, &goal.condition()?, bound)
            }
            Formula::Always(inner) => match inner.bare() {
                Formula::Implies(premise, then) => match then.bare() {
                    Formula::Eventually(goal) => {
                        self.unanswered(&premise.condition()?, &goal.condition()?, bound)
                    }
                    Formula::Always(goal) => {
                        self.given_up(&premise.condition()?, &goal.condition()?, bound)
                    }
                    _ => None,
                },
                // `always eventually`: the goal is never true again after its last occurrence.
                Formula::Eventually(goal) => {
                    let goal = goal.condition()?;
                    let last = self
                        .positions()
                        .rev()
                        .find(|at| self.holds(&goal, bound, *at));
                    self.never(&goal, bound, last.map_or(0, |at| at + 1))
                }
                _ => {
                    let condition = inner.condition()?;
                    if let Some(again) = self.false_again(&condition, bound) {
                        return Some(again);
                    }
                    let at = self
                        .positions()
                        .find(|at| !self.holds(&condition, bound, *at))?;
                    self.false_at(&condition, bound, at)
                }
            },
            _ => None,
        }
    }

    fn false_at(
        &self,
        condition: &Expr,
        bound: &[(LocalId, Value)],
        at: usize,
    ) -> Option<Explanation> {
        Some(Explanation {
            verdict: PartVerdict::FalseAfter(at),
            why: self.why(condition, bound, at)?,
            every_bound: false,
            also: Vec::new(),
        })
    }

    /// A state of the loop in which the condition is false, and hence false again in every iteration. Prefers the state
    /// with the fewest changing facts, then one after an activation of a node that the explanation mentions, then one
    /// in which that node has read its inbox.
    fn false_again(&self, condition: &Expr, bound: &[(LocalId, Value)]) -> Option<Explanation> {
        let range = self.loop_range();
        let false_ones = range.filter(|at| !self.holds(condition, bound, *at));
        let found = false_ones
            .take(MAX_MOMENTS)
            .filter_map(|at| self.false_at(condition, bound, at).map(|e| (at, e)));
        found
            .min_by_key(|(at, explanation)| {
                let facts = &explanation.why.facts;
                let changing = facts.iter().filter(|fact| !fact.stays).count();
                let choice = &self.run.choices[at - 1];
                let active = self.instance.machine.activates(&choice.event);
                let active = active.map(Value::Node);
                let mut about = explanation.why.bindings.iter();
                let own = about.any(|(_, value)| Some(value) == active.as_ref());
                let trace = self.instance.trace(&self.replayed.states[at - 1], choice);
                (changing, !own, trace.inboxes.is_empty())
            })
            .map(|(_, explanation)| explanation)
    }

    pub(super) fn why(
        &self,
        condition: &Expr,
        bound: &[(LocalId, Value)],
        at: usize,
    ) -> Option<Why> {
        let asked = Asked {
            instance: self.instance,
            scope: self.scope,
            condition,
            bound,
        };
        let states = &self.replayed.states;
        why(asked, &states[at], &states[self.loop_range()])
    }

    /// The indices of the states after the events of the loop; empty without a loop.
    fn loop_range(&self) -> std::ops::Range<usize> {
        let end = self.replayed.states.len();
        match self.run.ending {
            Ending::Loops(from) => from + 1..end,
            _ => end..end,
        }
    }

    /// The goal should have become true after `since` events, and never does.
    fn never(&self, goal: &Expr, bound: &[(LocalId, Value)], since: usize) -> Option<Explanation> {
        let mut why = self.why(goal, bound, self.replayed.states.len() - 1)?;
        // The reported part is the whole goal; the facts show what is false in it.
        if let Expr::At(whole, _) = goal {
            why.part = Some(*whole);
        }
        Some(Explanation {
            verdict: PartVerdict::NeverAfter(since),
            why,
            every_bound: false,
            also: Vec::new(),
        })
    }

    /// The premise is true in some state, and the goal is never true from there on.
    fn unanswered(
        &self,
        premise: &Expr,
        goal: &Expr,
        bound: &[(LocalId, Value)],
    ) -> Option<Explanation> {
        let from = match self.run.ending {
            Ending::Loops(from) => from,
            _ => self.replayed.states.len() - 1,
        };
        let late = |at: usize| {
            self.positions()
                .skip(at.min(from))
                .any(|later| self.holds(goal, bound, later))
        };
        let at = self
            .positions()
            .find(|at| self.holds(premise, bound, *at) && !late(*at))?;
        self.never(goal, bound, at)
    }

    /// The premise is true in some state, and the goal is false in a later one, possibly in the next iteration of the
    /// loop.
    fn given_up(
        &self,
        premise: &Expr,
        goal: &Expr,
        bound: &[(LocalId, Value)],
    ) -> Option<Explanation> {
        let since = self
            .positions()
            .find(|at| self.holds(premise, bound, *at))?;
        let is_false = |at: &usize| !self.holds(goal, bound, *at);
        let at = self.positions().skip(since).find(is_false);
        let at = at.or_else(|| self.loop_range().find(is_false))?;
        self.false_at(goal, bound, at)
    }

    fn positions(&self) -> std::ops::Range<usize> {
        0..self.replayed.states.len()
    }

    fn holds(&self, condition: &Expr, bound: &[(LocalId, Value)], at: usize) -> bool {
        let state = &self.replayed.states[at];
        self.instance
            .holds(state, condition, bound)
            .unwrap_or(false)
    }

    fn is_false(&self, formula: &Formula, bound: &[(LocalId, Value)]) -> bool {
        formula::holds_on(self.instance, formula, bound, self.replayed, self.run) == Ok(false)
    }
}
