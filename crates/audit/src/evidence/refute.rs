//! Whether a question of the rule for ever has no answer: its circuit as clauses, what times say as clauses, and a refutation of all
//! of them together that is checked step by step.
//!
//! What the times of two and three nodes say is proposed by `order`, what goes beyond that by the evidence. Which of it the
//! refutation uses is known once there is one, and that, or all of the evidence, is checked by an arithmetic of its own.

use super::times::{Rhythms, Step};
use crate::{Rejected, reject};
use order::{Atom, Lemmas, Look};
use sat::{Backend, Clauses, Decision, Lit, Sink, Tseitin, check};
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Choice, Never, NoTimes};

/// What was refuted, and how much work that was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refuted {
    /// Variables of the clauses.
    pub variables: usize,
    /// Clauses that say what the question is.
    pub clauses: usize,
    /// Orders of two events that times alone leave open.
    pub open: usize,
    /// How many activations a node makes at most in what is looked at.
    pub activations: u32,
    /// Choices of orders without times, of those that were used: how many there are.
    pub orders: usize,
    /// The longest round of them.
    pub longest: Vec<Step>,
    /// How many of them add up by fixed periods.
    pub sums: usize,
    /// Steps of the refutation.
    pub steps: usize,
}

/// Refutes that a look sees something.
pub(super) fn refute(
    look: &mut Look<'_, '_>,
    never: &Never,
    backend: Backend,
) -> Result<Refuted, Rejected> {
    let rhythms = Rhythms::of(look.unrolled.scope.machine);
    let rhythms = rhythms.ok_or_else(|| Rejected("nodes without a rhythm".into()))?;
    let wanted = look.wanted;
    if wanted == Lit::FALSE {
        return match never.orders.is_empty() {
            true => Ok(Refuted::default()),
            false => reject("it says why something is impossible that nobody asks about"),
        };
    }
    look.unrolled
        .fill(&[wanted])
        .map_err(|why| Rejected(why.0))?;
    let unrolled = &look.unrolled;
    let (mut clauses, mut tseitin) = (Clauses::new(), Tseitin::new());
    for lit in unrolled.conditions.iter().chain([&wanted]) {
        let literal = tseitin.literal(&unrolled.aig, *lit, &mut clauses);
        clauses.clause(&[literal]);
    }
    let known = unrolled.atoms.all().iter();
    let atoms: Vec<(i32, Atom)> = known
        .filter_map(|(lit, atom)| Some((tseitin.known(*lit)?, *atom)))
        .collect();
    let names = Names::of(&atoms);
    let question = clauses.len();
    Lemmas::of(unrolled, &atoms, 0).tell(&mut |clause| clauses.clause(clause));
    let proposed = clauses.len();
    let mut given: Vec<Reason> = Vec::new();
    for order in &never.orders {
        let (choices, reason) = match order {
            NoTimes::Round(choices) => {
                let steps = rhythms.round(choices).map_err(Rejected)?;
                (choices.clone(), Reason::Round(steps))
            }
            NoTimes::Sum(parts) => {
                rhythms.sum(parts).map_err(Rejected)?;
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
        activations: unrolled.most.iter().copied().max().unwrap_or(0),
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
                Reason::Round(rhythms.round(&choices).map_err(Rejected)?)
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

/// Why choices cannot be made together.
#[derive(Clone)]
enum Reason {
    Round(Vec<Step>),
    Sum,
}

/// Which literal says which choice.
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

    /// The choice of a literal of a clause about times.
    fn choice(&self, literal: i32) -> Choice {
        self.choices[&literal]
    }
}
