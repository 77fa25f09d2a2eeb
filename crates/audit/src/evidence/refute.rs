//! Refutes a query of the proof rule: its circuit and the constraints of declared times become clauses, and a
//! refutation of these clauses is checked step by step.
//!
//! The crate `order` proposes clauses about the times of two and three nodes; the evidence supplies further clauses
//! about times. The independent arithmetic of `times.rs` checks all clauses of the evidence, and those proposed clauses
//! that the refutation uses.

use super::horizon::Horizons;
use super::times::Step;
use crate::rejected::{Rejected, reject};
use order::{Atom, Lemmas, Query};
use sat::{Backend, Clauses, Decision, Lit, Sink, Tseitin, check};
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Choice, Never, NoTimes};

/// Statistics of a refutation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refuted {
    /// The number of variables of the clauses.
    pub variables: usize,
    /// The number of clauses that encode the query.
    pub clauses: usize,
    /// The number of order atoms: orders of two events that declared times do not determine.
    pub open: usize,
    /// The largest number of activations of a node after the start.
    pub activations: u32,
    /// The number of clauses about times that the refutation uses.
    pub orders: usize,
    /// The longest cycle that justifies one of these clauses.
    pub longest: Vec<Step>,
    /// The number of clauses counted in `orders` that are justified by a linear combination of constraints; fixed
    /// periods need this.
    pub sums: usize,
    /// The number of steps of the refutation.
    pub steps: usize,
}

/// Refutes a query with the clauses about times in `never`. Rejects the evidence if this fails.
pub(super) fn refute(
    query: &mut Query<'_, '_>,
    horizons: &mut Horizons<'_>,
    never: &Never,
    backend: Backend,
) -> Result<Refuted, Rejected> {
    let goal = query.goal;
    if goal == Lit::FALSE {
        return match never.orders.is_empty() {
            true => Ok(Refuted::default()),
            false => reject("it says why something is impossible that nobody asks about"),
        };
    }
    horizons.check(query)?;
    let timings = horizons.timings();
    query
        .unrolled
        .fill(&[goal])
        .map_err(|why| Rejected(why.what))?;
    let unrolled = &query.unrolled;
    let (mut clauses, mut tseitin) = (Clauses::new(), Tseitin::new());
    for lit in unrolled.conditions.iter().chain([&goal]) {
        let literal = tseitin.literal(&unrolled.aig, *lit, &mut clauses);
        clauses.clause(&[literal]);
    }
    let known = unrolled.atoms.all().iter();
    let atoms: Vec<(i32, Atom)> = known
        .filter_map(|(lit, atom)| Some((tseitin.known(*lit)?, *atom)))
        .collect();
    let names = Names::of(&atoms);
    let question = clauses.len();
    Lemmas::of(unrolled, &atoms, 0).all_clauses(&mut |clause| clauses.clause(clause));
    let proposed = clauses.len();
    let mut given: Vec<Reason> = Vec::new();
    for order in &never.orders {
        let (choices, reason) = match order {
            NoTimes::Round(choices) => {
                let steps = timings.cycle(choices).map_err(Rejected)?;
                (choices.clone(), Reason::Round(steps))
            }
            NoTimes::Sum(parts) => {
                timings.sum(parts).map_err(Rejected)?;
                let choices = parts.iter().filter_map(|(demanded, _)| match demanded {
                    verdict::Demanded::By(choice) => Some(*choice),
                    _ => None,
                });
                (choices.collect(), Reason::Sum)
            }
        };
        let clause = choices.iter().map(|choice| names.literal(*choice));
        let clause: Option<Vec<i32>> = clause.map(|literal| Some(-literal?)).collect();
        let Some(clause) = clause else {
            return reject("it speaks of an order of events on which nothing depends");
        };
        clauses.clause(&clause);
        given.push(reason);
    }
    let proof = match (backend.prove)(&clauses, &mut || false) {
        Decision::Refuted(proof) => proof,
        _ => {
            return reject(
                "what it says about times leaves an order of events that breaks the claim",
            );
        }
    };
    check(&clauses, &proof).map_err(|mistake| Rejected(format!("no refutation: {mistake}")))?;
    let mut found = Refuted {
        variables: clauses.variables() as usize,
        clauses: question,
        open: atoms.len(),
        activations: unrolled.horizon.after.iter().copied().max().unwrap_or(0),
        steps: proof.len(),
        ..Refuted::default()
    };
    let hints = proof.steps().flat_map(|step| step.hints.iter().copied());
    let used: BTreeSet<usize> = hints.map(|hint| hint as usize).collect();
    let about_times = used.range(question + 1..);
    for number in about_times.take_while(|number| **number <= clauses.len()) {
        let reason = match number.checked_sub(proposed + 1) {
            Some(place) => given[place].clone(),
            None => {
                let clause = clauses.get(*number).unwrap_or_default();
                let choices: Vec<Choice> = clause.iter().map(|lit| names.choice(-lit)).collect();
                Reason::Round(timings.cycle(&choices).map_err(Rejected)?)
            }
        };
        found.orders += 1;
        match reason {
            Reason::Round(steps) if steps.len() > found.longest.len() => found.longest = steps,
            Reason::Round(_) => {}
            Reason::Sum => found.sums += 1,
        }
    }
    Ok(found)
}

/// Why choices of orders are jointly infeasible: a cycle of constraints, or a linear combination.
#[derive(Clone)]
enum Reason {
    Round(Vec<Step>),
    Sum,
}

/// The correspondence between literals and choices of orders.
struct Names {
    literals: BTreeMap<Choice, i32>,
    choices: BTreeMap<i32, Choice>,
}

impl Names {
    fn of(atoms: &[(i32, Atom)]) -> Names {
        let mut names = Names {
            literals: BTreeMap::new(),
            choices: BTreeMap::new(),
        };
        for (literal, atom) in atoms {
            for (literal, value) in [(*literal, true), (-literal, false)] {
                names.literals.insert(atom.choice(value), literal);
                names.choices.insert(literal, atom.choice(value));
            }
        }
        names
    }

    fn literal(&self, choice: Choice) -> Option<i32> {
        self.literals.get(&choice).copied()
    }

    /// The choice that a literal of a clause about times stands for.
    fn choice(&self, literal: i32) -> Choice {
        self.choices[&literal]
    }
}
