//! Random Machines: the answers of BMC, k-induction and PDR, compared with explicit search.
//!
//! `SEEDS=2000 FROM=120 cargo test -p scrutineer-invariants --test invariants machines` runs other seeds.

mod times;

use machine::{
    Abstraction, Channel, Expr, Formula, InboxStart, Instance, Machine, Property, PropertyKind,
    StepError, Timing, Trigger, UnaryOp,
};
use std::cell::Cell;
use std::collections::BTreeMap;
use testkit::{Size, random_machine};
use verdict::{
    Answer, Budget, Ending, Progress, Question, ReasonKind, Refusal, Report, Run, Spent,
};

/// A budget that ends after a number of queries, with the SAT solver to use.
struct QueryLimit(Cell<u64>, sat::Backend);

impl Budget for QueryLimit {
    fn ask(&self, _: &Progress) -> Option<Spent> {
        self.0.set(self.0.get().saturating_sub(1));
        (self.0.get() == 0).then_some(Spent::Interrupted)
    }

    fn solver(&self) -> sat::Backend {
        self.1
    }
}

type Ask = dyn Fn(&Question<'_>, &dyn Budget) -> Result<Report, Refusal>;

/// The report of an engine, and whether the budget ended it.
fn ask(
    machine: &Machine,
    engine: &Ask,
    budget: u64,
    solver: sat::Backend,
) -> (Result<Report, Refusal>, bool) {
    let question = Question {
        machine,
        fair: true,
    };
    let few = QueryLimit(Cell::new(budget), solver);
    let report = engine(&question, &few);
    (report, few.0.get() == 0)
}

fn name(answer: &Answer) -> &'static str {
    match answer {
        Answer::Holds => "holds",
        Answer::Fails(_) => "fails",
        Answer::Possible(_) => "possible",
        Answer::Impossible => "impossible",
        Answer::Error(_) => "error",
        Answer::Unknown(_) => "unknown",
        other => panic!("nobody has asked for this: {other:?}"),
    }
}

/// Whether the reference interpreter confirms that a run shows its answer.
fn shows(machine: &Machine, property: usize, run: &Run) -> bool {
    let instance = Instance {
        machine,
        frozen: &run.frozen,
    };
    let mut state = run.initial.clone();
    for (place, choice) in run.choices.iter().enumerate() {
        match instance.step(&state, choice) {
            Ok(next) => state = next,
            Err(StepError::Error(error)) => {
                return place + 1 == run.choices.len() && run.ending == Ending::Error(error);
            }
            Err(StepError::NotEnabled) => return false,
        }
    }
    let (condition, sought) = match &machine.properties[property].kind {
        PropertyKind::Claim(formula) => (formula.invariant().expect("a safe claim"), false),
        PropertyKind::Possible(condition) => (condition.clone(), true),
    };
    let value = instance.holds(&state, &condition, &[]);
    match &run.ending {
        Ending::Error(error) => value.as_ref() == Err(error),
        _ => value == Ok(sought) && instance.is_initial(&run.initial) == Ok(true),
    }
}

/// How often each answer and each reason for a refusal occurred.
#[derive(Default, Debug)]
struct Tally {
    said: BTreeMap<&'static str, u32>,
    refused: BTreeMap<String, u32>,
    /// The number of Machines without times and with bounded channels, and the number of those that were not refused.
    plain: (u32, u32),
}

/// The Machine of a seed, in which each claim that is not about single states is replaced by reachability of its
/// conditions.
fn machine(seed: u64) -> Machine {
    about_states(random_machine(seed, &Size::default()))
}

fn about_states(mut machine: Machine) -> Machine {
    let mut asked = Vec::new();
    for property in std::mem::take(&mut machine.properties) {
        let conditions = match &property.kind {
            PropertyKind::Claim(formula) if formula.invariant().is_none() => conditions(formula),
            _ => {
                asked.push(property);
                continue;
            }
        };
        asked.extend(conditions.into_iter().map(|condition| Property {
            kind: PropertyKind::Possible(condition),
            ..property.clone()
        }));
    }
    machine.properties = asked;
    machine
}

/// The conditions of a formula that are outside quantifiers, and their negations.
fn conditions(formula: &Formula) -> Vec<Expr> {
    match formula {
        Formula::State(e) => vec![e.clone(), Expr::Unary(UnaryOp::Not, Box::new(e.clone()))],
        Formula::At(_, a) | Formula::Not(a) | Formula::Always(a) | Formula::Eventually(a) => {
            conditions(a)
        }
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Until(a, b)
        | Formula::LeadsTo(a, b) => [conditions(a), conditions(b)].concat(),
        Formula::All(..) | Formula::Exists(..) => Vec::new(),
    }
}

fn compare(seed: u64, tally: &mut Tally) {
    compare_on(seed, &machine(seed), tally);
}

fn compare_on(seed: u64, machine: &Machine, tally: &mut Tally) {
    // The two solvers are used for alternate seeds.
    let solver = match seed % 2 {
        0 => cadical::BACKEND,
        _ => sat::Backend::BATSAT,
    };
    let (by_states, stopped) = ask(
        machine,
        &|question, budget| explicit::run(question, &explicit::Options::default(), budget),
        40,
        solver,
    );
    let (by_bits, _) = ask(
        machine,
        &|question, budget| invariants::run(question, None, budget),
        6_000,
        solver,
    );
    let bounded = matches!(machine.channel, Channel::Fifo(Some(_)) | Channel::Instant);
    let plain = bounded && !machine.has_time() && machine.abstraction == Abstraction::Exact;
    tally.plain.0 += u32::from(plain);
    let (by_bits, by_states) = match (by_bits, by_states) {
        (Err(Refusal::Unsupported(why)), _) => {
            assert!(!why.contains("please report"), "seed {seed}: {why}");
            *tally.refused.entry(why).or_default() += 1;
            return;
        }
        (Ok(by_bits), Ok(by_states)) => (by_bits, by_states),
        (by_bits, by_states) => {
            // An engine that the budget ended may not have found out that there is no initial state.
            let (by_bits, by_states) = (by_bits.err(), by_states.err());
            let sooner = stopped && by_states.is_none() && by_bits == Some(Refusal::NoInitialState);
            assert!(
                sooner || by_bits == by_states,
                "seed {seed}: {by_bits:?}, {by_states:?}"
            );
            return;
        }
    };
    tally.plain.1 += u32::from(plain);
    let answers = by_bits.answers().zip(by_states.answers());
    for (p, (a, b)) in answers.enumerate() {
        if let Answer::Unknown(why) = a {
            let amiss = why.kind() == ReasonKind::Defect;
            assert!(!amiss, "seed {seed}, property {p}: {why:?}");
            continue;
        }
        *tally.said.entry(name(a)).or_default() += 1;
        if let Some(run) = a.run() {
            assert!(shows(machine, p, run), "seed {seed}, property {p}");
        }
        if name(b) == "unknown" {
            continue;
        }
        assert_eq!(name(a), name(b), "seed {seed}, property {p}");
        if let (Some(run), Some(other)) = (a.run(), b.run()) {
            let (length, other) = (run.choices.len(), other.choices.len());
            assert!(
                length <= other,
                "seed {seed}, property {p}: a run of {length} for one of {other}"
            );
            // A search that the budget ended has not visited all instances and may have missed a shorter run.
            assert!(
                length == other || stopped,
                "seed {seed}, property {p}: {length}, {other}"
            );
        }
    }
}

fn number(variable: &str, otherwise: u64) -> u64 {
    let text = std::env::var(variable);
    text.map_or(otherwise, |text| text.parse().expect("a number"))
}

#[test]
fn the_same_answers_as_by_visiting_every_state() {
    let mut tally = Tally::default();
    let from = number("FROM", 0);
    for seed in from..from + number("SEEDS", 120) {
        compare(seed, &mut tally);
    }
    let said = |names: &[&str]| -> u32 { names.iter().filter_map(|n| tally.said.get(n)).sum() };
    let all: u32 = tally.said.values().sum();
    assert!(said(&["holds", "impossible"]) * 4 >= all, "{tally:?}");
    assert!(said(&["fails", "possible"]) * 4 >= all, "{tally:?}");
    assert!(tally.plain.1 * 10 >= tally.plain.0 * 6, "{tally:?}");
}

/// A construct that only some Machines have: its name, and whether a Machine has it.
type Construct = (&'static str, fn(&Machine) -> bool);

const RARE: [Construct; 8] = [
    (
        "rules about the order of activations",
        |m| matches!(&m.abstraction, Abstraction::Order(rules, _) if !rules.is_empty()),
    ),
    ("limited message faults", |m| {
        m.faults.iter().any(|fault| fault.limit.is_some())
    }),
    ("faults of nodes", |m| !m.node_faults.is_empty()),
    ("rounds", |m| {
        let mut blocks = m.blocks.iter();
        blocks.any(|b| matches!(b.trigger, Trigger::Every(Timing::Round(_))))
    }),
    ("copies in inboxes", |m| m.inbox.copies),
    ("inboxes with messages at first", |m| {
        m.inbox.start != InboxStart::Empty
    }),
    ("bags", |m| m.channel == Channel::Unordered),
    ("messages that arrive at once", |m| {
        m.channel == Channel::Instant
    }),
];

#[test]
fn rare_things_are_met_often_enough() {
    let mut met = [0; RARE.len()];
    let mut tally = Tally::default();
    for seed in 10_000..20_000 {
        let machine = machine(seed);
        let has: Vec<usize> = (0..RARE.len()).filter(|r| RARE[*r].1(&machine)).collect();
        if has.iter().all(|r| met[*r] >= 8) || invariants::refuses(&machine).is_some() {
            continue;
        }
        has.iter().for_each(|r| met[*r] += 1);
        compare(seed, &mut tally);
        if met.iter().all(|met| *met >= 8) {
            return;
        }
    }
    panic!("{met:?}");
}
