//! The composition of a sample, and its quotas.

use crate::oracle::constructs::{self, constructs};
use crate::sample::compare::{Case, LIMIT, Seen, is_of_states, word};
use crate::sample::ways::{Way, ask};
use machine::{Expr, Formula, LocalId, Machine, Property, PropertyKind};
use std::collections::BTreeMap;
use verdict::{Answer, PropertyResult, Question};

/// The composition of a sample. Plain data: one counter per quota.
#[derive(Default)]
pub struct Tally {
    pub machines: usize,
    /// Machines for which the full search has answered all questions.
    judged: usize,
    /// Machines without initial states.
    without_beginning: usize,
    /// Machines with infinite runs.
    cycles: usize,
    /// Machines with a temporal claim about a condition that can become true and then stays true.
    growing: usize,
    /// Machines with a claim that holds for fair runs only.
    fairness: usize,
    /// Answers to all properties: no counterexample or witness, a run, an error.
    all: [usize; 3],
    /// Answers to temporal claims, in the same order.
    temporal: [usize; 3],
    /// Machines for which partial-order reduction left out transitions.
    orders: usize,
    /// Machines for which symmetry reduction left out transitions.
    names: usize,
    /// Machines for which both together left out transitions.
    both: usize,
    /// Machines whose orbits were counted by brute force.
    by_hand: usize,
    pub seen: Seen,
    constructs: BTreeMap<String, usize>,
}

impl Tally {
    /// Adds a Machine to the counts.
    pub fn count(&mut self, case: &Case, seen: &Seen, by_hand: bool) {
        self.machines += 1;
        self.by_hand += usize::from(by_hand);
        for name in constructs(&case.machine) {
            *self.constructs.entry(name).or_default() += 1;
        }
        self.judged += usize::from(case.is_judged());
        self.orders += usize::from(seen.orders > 0);
        self.names += usize::from(seen.names > 0);
        self.both += usize::from(seen.both > 0);
        self.seen.add(seen);
        let (fair, any) = (&case.asked[0], &case.asked[1]);
        let (Ok(fair), Ok(any)) = (&fair.whole.report, &any.whole.report) else {
            self.without_beginning += 1;
            return;
        };
        if !case.is_judged() {
            return;
        }
        let mut decides = false;
        let answers = fair.answers().zip(any.answers());
        for ((fair, any), property) in answers.zip(&case.machine.properties) {
            for answer in [fair, any] {
                let sort = match word(answer) {
                    "holds" | "impossible" => 0,
                    "fails" | "possible" => 1,
                    _ => 2,
                };
                self.all[sort] += 1;
                self.temporal[sort] += usize::from(!is_of_states(&property.kind));
            }
            decides |= matches!((fair, any), (Answer::Holds, Answer::Fails(_)));
        }
        self.fairness += usize::from(decides);
        let (cycle, growing) = looks(&case.machine);
        self.cycles += usize::from(cycle);
        self.growing += usize::from(growing);
    }

    /// Adds the counts of another tally.
    pub fn add(&mut self, other: Tally) {
        self.machines += other.machines;
        self.judged += other.judged;
        self.without_beginning += other.without_beginning;
        self.cycles += other.cycles;
        self.growing += other.growing;
        self.fairness += other.fairness;
        for sort in 0..3 {
            self.all[sort] += other.all[sort];
            self.temporal[sort] += other.temporal[sort];
        }
        self.orders += other.orders;
        self.names += other.names;
        self.both += other.both;
        self.by_hand += other.by_hand;
        self.seen.add(&other.seen);
        for (name, count) in other.constructs {
            *self.constructs.entry(name).or_default() += count;
        }
    }

    /// Prints the tally.
    pub fn print(&self) {
        let (m, seen) = (self.machines, &self.seen);
        println!(
            "{m} Machines: {} judged, {} of them without initial states",
            self.judged, self.without_beginning
        );
        let [hold, fail, errors] = self.all;
        println!("all answers: {hold} hold, {fail} fail, {errors} errors");
        let [hold, fail, errors] = self.temporal;
        println!("temporal claims: {hold} hold, {fail} fail, {errors} errors");
        println!(
            "Machines with cycles {}, with a temporal claim that fairness decides {}, about what only grows {}",
            self.cycles, self.fairness, self.growing
        );
        println!(
            "Machines for which orders are left out {}, names {}, both at once {}; counted by hand {}",
            self.orders, self.names, self.both, self.by_hand
        );
        println!(
            "{} answers to questions with less, {} runs confirmed; orders {}, names {}, both {}; {} claims of one node for all; {} fell back",
            seen.questions,
            seen.runs,
            seen.orders,
            seen.names,
            seen.both,
            seen.one_for_all,
            seen.fell_back
        );
        let mut rare: Vec<(usize, String)> = constructs::all()
            .into_iter()
            .map(|name| (self.constructs.get(&name).copied().unwrap_or(0), name))
            .collect();
        rare.sort();
        println!("rarest constructs: {:?}", &rare[..8]);
    }

    /// The quotas that are not met.
    pub fn missing(&self) -> Vec<String> {
        let m = self.machines;
        let mut missing = Vec::new();
        let mut at_least = |what: &str, found: usize, part: usize, of: usize| {
            if found * part < of {
                missing.push(format!("{what}: {found} of {of}, not one in {part}"));
            }
        };
        at_least("judged", self.judged, 2, m);
        at_least("with cycles", self.cycles, 3, m);
        at_least("fairness decides", self.fairness, 25, m);
        at_least("about what only grows", self.growing, 6, m);
        for (what, answers) in [("answers", self.all), ("temporal claims", self.temporal)] {
            let all = answers.iter().sum();
            at_least(&format!("{what} that hold"), answers[0], 4, all);
            at_least(&format!("{what} that fail"), answers[1], 4, all);
        }
        at_least("orders are left out", self.orders, 4, m);
        at_least("names are left out", self.names, 10, m);
        at_least("both are left out", self.both, 25, m);
        at_least("counted by hand", self.by_hand, 40, m);
        for name in constructs::all() {
            let count = self.constructs.get(&name).copied().unwrap_or(0);
            at_least(&name, count, 20, m);
        }
        missing
    }
}

/// Whether a Machine has infinite runs, and whether a temporal claim is about a condition that can become true and then
/// stays true. Both are determined by checking claims that say so.
fn looks(machine: &Machine) -> (bool, bool) {
    let mut about = Machine {
        properties: vec![Property {
            name: "it ends".into(),
            scope: machine::Scope::default(),
            kind: PropertyKind::Claim(Formula::Eventually(Box::new(Formula::State(
                Expr::Quiescent,
            )))),
        }],
        ..machine.clone()
    };
    for property in &machine.properties {
        if let PropertyKind::Claim(claim) = &property.kind
            && !is_of_states(&property.kind)
        {
            conditions(claim, &[], &mut |condition, bound| {
                for value in [true, false] {
                    let kept = keeps(condition, value);
                    let kept = bound.iter().rev().fold(kept, |inner, (local, domain)| {
                        Formula::All(*local, domain.clone(), Box::new(inner))
                    });
                    about.properties.push(Property {
                        name: "keeps".into(),
                        scope: property.scope.clone(),
                        kind: PropertyKind::Claim(kept),
                    });
                }
            });
        }
    }
    let question = Question {
        machine: &about,
        fair: false,
    };
    let Ok(report) = ask(Way::Whole, &question, 1, 4 * LIMIT).report else {
        return (false, false);
    };
    let fails = |answer: &Answer| matches!(answer, Answer::Fails(_));
    // The value true is stable, and the value false is not.
    let grows = |pair: &[PropertyResult]| pair[0].answer == Answer::Holds && fails(&pair[1].answer);
    let growing = report.results[1..].chunks(2).any(grows);
    (fails(&report.results[0].answer), growing)
}

/// The claim that a condition with this value keeps it.
fn keeps(condition: &Expr, value: bool) -> Formula {
    let is = || {
        let state = Box::new(Formula::State(condition.clone()));
        match value {
            true => state,
            false => Box::new(Formula::Not(state)),
        }
    };
    let kept = Formula::Implies(is(), Box::new(Formula::Always(is())));
    Formula::Always(Box::new(kept))
}

/// Called with a condition and the quantified names around it, with their domains.
type Visit<'v> = &'v mut dyn FnMut(&Expr, &[(LocalId, Expr)]);

/// Calls `visit` with each condition of a formula and the quantified names around it.
fn conditions(formula: &Formula, bound: &[(LocalId, Expr)], visit: Visit<'_>) {
    if let Some(condition) = formula.condition() {
        return visit(&condition, bound);
    }
    match formula {
        Formula::State(_) => unreachable!("a condition"),
        Formula::At(_, a) | Formula::Not(a) | Formula::Always(a) | Formula::Eventually(a) => {
            conditions(a, bound, visit);
        }
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Until(a, b)
        | Formula::LeadsTo(a, b) => {
            conditions(a, bound, visit);
            conditions(b, bound, visit);
        }
        Formula::All(local, domain, a) | Formula::Exists(local, domain, a) => {
            let bound = [bound, &[(*local, domain.clone())]].concat();
            conditions(a, &bound, visit);
        }
    }
}
