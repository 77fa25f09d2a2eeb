//! Simulations are determined by their seed, agree with results by hand, and never contradict `check`.

use crate::random_runs::{StateLimited, contradiction, random_runs};
use audit::confirm;
use checks::{Effort, Loaded, Options, Seen, Simulation, judge_seen, load, load_text, simulate};
use machine::random::Rng;
use machine::{
    Abstraction, BinaryOp, Block, Channel, Event, Expr, Init, Instance, KindId, LocalId, Machine,
    NodeId, OrderRule, Origin, Place, Property, PropertyKind, RecordId, Scope, Stmt, StmtKind,
    Timing, Trigger, Type, Var, VarId, Window, order_rule, verify,
};
use model::AnswerKind;
use simulate::{confidence, random_run};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use strategy::answer;
use testkit::sample::seeds;
use testkit::{Size, random_machine};
use verdict::{Answer, Ending, Progress, PropertyResult, Question, Reason, Report, Spent};

fn effort(runs: u64, threads: usize) -> Effort {
    Effort {
        runs,
        seed: 1,
        steps: None,
        threads,
    }
}

fn simulated(loaded: &Loaded, number: usize, effort: &Effort) -> Simulation {
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let (options, never) = (Options::default(), AtomicBool::new(false));
    match simulate(loaded, number, &options, effort, &never, &mut |_| {}) {
        Ok(simulation) => simulation.expect("something asked"),
        Err(problems) => panic!("{problems:?}"),
    }
}

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../models")
        .join(name)
}

/// The node rolls a 3 with probability 1/4, and two of them with probability 1/16.
const DICE: &str = "
node Die {
    var left: 0..2 = 2
    var threes: 0..2 = 0
    when roll: left > 0 {
        choose side in 0..3
        left = left - 1
        if side == 3 { threes = threes + 1 }
    }
}
network complete { channel fifo }
claim few: always Die.threes < 2
claim some: eventually Die.threes > 0
check few
check possible: Die.threes == 1 and Die.left == 1
check some
";

#[test]
fn chances_that_are_known_lie_in_the_interval() {
    let loaded = load_text("dice.scrut", DICE);
    for (check, chance) in [(0, 1.0 / 16.0), (1, 1.0 / 4.0), (2, 9.0 / 16.0)] {
        let simulation = simulated(&loaded, check, &effort(4000, 1));
        let instance = &simulation.instances[0];
        let tally = &instance.tallies[0];
        assert_eq!((instance.runs, instance.ended), (4000, 4000));
        assert_eq!((tally.errors, tally.undecided), (0, 0));
        let (low, high) = confidence(tally.hits, 4000);
        assert!(low < chance && chance < high, "{check}: {low} .. {high}");
        assert!(high - low < 0.04);
        let kept = tally.kept.as_ref().expect("a run");
        let word = match &kept.answer {
            Answer::Possible(_) => "possible",
            Answer::Fails(_) => "fails",
            other => panic!("{other:?}"),
        };
        assert_eq!(word, if check == 1 { "possible" } else { "fails" });
        assert!(instance.parts[0].is_some());
    }
}

#[test]
fn runs_that_end_in_an_error_are_counted_and_kept() {
    let wrong = DICE.replace("threes: 0..2", "threes: 0..1");
    let loaded = load_text("dice.scrut", &wrong);
    let simulation = simulated(&loaded, 0, &effort(2000, 2));
    let tally = &simulation.instances[0].tallies[0];
    assert_eq!(tally.hits, 0);
    let (low, high) = confidence(tally.errors, 2000);
    assert!(low < 1.0 / 16.0 && 1.0 / 16.0 < high);
    let kept = tally.kept.as_ref().expect("a run");
    assert!(matches!(kept.answer, Answer::Error(_)));
    assert!(simulation.instances[0].parts[0].is_some());
}

#[test]
fn claims_about_infinite_runs_wait_for_runs_that_end() {
    let text = "
node Clock {
    var on: Bool = false
    every any { on = not on }
}
network complete { channel fifo }
claim off: eventually always not Clock.on
check off
";
    let simulation = simulated(&load_text("clock.scrut", text), 0, &effort(100, 1));
    let tally = &simulation.instances[0].tallies[0];
    assert_eq!((tally.undecided, tally.hits, tally.errors), (100, 0, 0));
}

#[test]
fn the_same_seed_gives_the_same_result_with_any_number_of_threads() {
    let loaded = load(&shipped("thales-election.scrut")).expect("a model");
    let one = simulated(&loaded, 0, &effort(230, 1));
    for threads in [2, 3] {
        let many = simulated(&loaded, 0, &effort(230, threads));
        for (a, b) in one.instances.iter().zip(&many.instances) {
            assert_eq!((a.runs, a.events, a.ended), (b.runs, b.events, b.ended));
            assert_eq!(a.tallies, b.tallies);
        }
    }
    let other = Effort {
        seed: 2,
        ..effort(230, 1)
    };
    let other = simulated(&loaded, 0, &other);
    assert_ne!(one.instances[0].tallies, other.instances[0].tallies);
}

#[test]
fn a_limit_ends_a_simulation_with_what_there_is() {
    let loaded = load_text("dice.scrut", DICE);
    let interrupted = AtomicBool::new(false);
    let mut watcher = |progress: &Progress| {
        interrupted.fetch_or(progress.states >= 500, Ordering::Relaxed);
    };
    let result = simulate(
        &loaded,
        0,
        &Options::default(),
        &effort(1_000_000, 2),
        &interrupted,
        &mut watcher,
    );
    let simulation = result.ok().flatten().expect("a simulation");
    assert_eq!(simulation.spent, Some(Spent::Interrupted));
    let instance = &simulation.instances[0];
    assert!(
        (500..1_000_000).contains(&instance.runs),
        "{}",
        instance.runs
    );
}

/// By other tests, the answers of `check` to the shipped models are as `expect` says. So in a simulation no claim that
/// holds may fail, no impossible condition may be reached, and no run may violate a claim for the value found.
#[test]
fn simulations_and_checks_agree() {
    let mut looked_at = 0;
    for path in checks::find_models(&[shipped("")]).expect("the models") {
        let loaded = load(&path).expect("a model");
        for number in 0..loaded.model.checks.len() {
            let simulation = simulated(&loaded, number, &effort(40, 2));
            for instance in &simulation.instances {
                for (asked, tally) in instance.tallies.iter().enumerate() {
                    let name = format!("{} check {}", path.display(), number + 1);
                    let seen = judge_seen(&loaded, &simulation, instance, asked);
                    assert_eq!(seen, Seen::Nothing, "{name}");
                    let kept = tally.kept.as_ref();
                    assert!(
                        kept.is_none_or(|kept| kept.answer.run().is_some()),
                        "{name}"
                    );
                    looked_at += 1;
                }
            }
        }
    }
    assert!(looked_at > 20, "{looked_at}");
}

#[test]
fn a_wrong_expectation_is_seen() {
    let wrong = DICE.replace("check few", "check few expect holds");
    let wrong = wrong.replace("Die.left == 1", "Die.left == 1 expect impossible");
    let loaded = load_text("dice.scrut", &wrong);
    for (check, expected) in [(0, AnswerKind::Holds), (1, AnswerKind::Impossible)] {
        let simulation = simulated(&loaded, check, &effort(300, 1));
        let seen = judge_seen(&loaded, &simulation, &simulation.instances[0], 0);
        assert_eq!(seen, Seen::Against(expected, None));
    }
    let text = std::fs::read_to_string(shipped("thales-election.scrut")).expect("a model");
    let loaded = load_text("election.scrut", &text.replace("expect 4", "expect 3"));
    let simulation = simulated(&loaded, 0, &effort(300, 1));
    let seen = judge_seen(&loaded, &simulation, &simulation.instances[0], 0);
    assert_eq!(seen, Seen::Against(AnswerKind::Value, Some(3)));
    let loaded = load_text("dice.scrut", DICE);
    let simulation = simulated(&loaded, 0, &effort(300, 1));
    let seen = judge_seen(&loaded, &simulation, &simulation.instances[0], 0);
    assert_eq!(seen, Seen::Bad, "without an expectation");
}

#[test]
fn the_bound_of_the_election_is_found() {
    let loaded = load(&shipped("thales-election.scrut")).expect("a model");
    let simulation = simulated(&loaded, 0, &effort(300, 2));
    for instance in &simulation.instances {
        let tally = &instance.tallies[0];
        assert_eq!(
            tally.values.keys().copied().collect::<Vec<_>>(),
            [0, 1, 2, 3, 4]
        );
        assert_eq!(tally.kept.as_ref().and_then(|kept| kept.value), Some(3));
        assert_eq!((tally.unsettled, tally.beyond), (0, 0));
        // Four activations with the longest gaps; the first activation is after a whole period.
        assert!(tally.settled.iter().all(|t| *t <= 51.0 + 3.0 * 51.5));
        let kept = tally.kept.as_ref().expect("a run");
        let question = Question {
            machine: &instance.lowered.machine,
            fair: true,
        };
        let replayed = confirm(&question, kept.property, &kept.answer);
        assert!(replayed.is_ok_and(|r| r.is_some()));
    }
}

/// Random Machines, some with times. SCRUTINEER_SAMPLE may set the number.
fn sample() -> impl Iterator<Item = (u64, Machine)> {
    seeds(600).map(|seed| {
        let mut machine = random_machine(seed, &Size::default());
        machine.abstraction = Abstraction::Exact;
        (seed, machine)
    })
}

#[test]
fn random_runs_are_runs_and_every_time_lies_in_its_window() {
    let (mut timed, mut activations, mut ends) = (0, 0, 0);
    for (seed, machine) in sample() {
        let Ok(random_run) = random_run(&machine, &mut Rng(seed), 30) else {
            continue;
        };
        let replayed = audit::replay(&machine, &random_run.run);
        let replayed = replayed.unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        assert_eq!(replayed.states, random_run.states, "seed {seed}");
        if random_run.run.ending == Ending::Open {
            assert_eq!(random_run.run.choices.len(), 30, "seed {seed}");
        }
        let instance = Instance {
            machine: &machine,
            frozen: &random_run.run.frozen,
        };
        if !instance.is_timed() {
            continue;
        }
        timed += 1;
        let mut last = None;
        for (state, choice) in random_run.states.iter().zip(&random_run.run.choices) {
            let time = choice.time.as_ref().expect("a time");
            assert!(last.is_none_or(|last| last <= time), "seed {seed}");
            last = Some(time);
            let deadline = instance.deadline(state);
            assert!(
                deadline.is_none_or(|deadline| *time <= deadline),
                "seed {seed}"
            );
            if let Event::Run(node, block) = &choice.event
                && let Trigger::Every(Timing::Periodic(_)) = &machine.blocks[block.index()].trigger
            {
                let (from, to) = instance
                    .activation_window(state, *node)
                    .expect("a running node");
                assert!(from <= *time && *time <= to, "seed {seed}");
                activations += 1;
                ends += u32::from(*time == from || *time == to);
            }
        }
    }
    // About half of the drawn times are ends of their windows.
    assert!(timed > 20 && activations > 200, "{timed} {activations}");
    assert!(
        ends * 3 > activations && ends < activations,
        "{ends} of {activations}"
    );
}

/// The random Machines with times, with added properties about activation counts. Their channels are unbounded, because
/// the abstraction gives no answer for bounded ones.
fn rhythms() -> impl Iterator<Item = (u64, Machine)> {
    let timed = sample().filter(|(_, machine)| machine.has_time());
    timed.map(|(seed, mut machine)| {
        if let Channel::Fifo(bound) = &mut machine.channel {
            *bound = None;
        }
        ask_about_counts(&mut machine, &mut Rng(seed));
        (seed, machine)
    })
}

/// The largest activation count in a property.
const MAX_COUNT: i64 = 4;

/// Adds properties about the activation counts of two nodes, which order rules decide.
fn ask_about_counts(machine: &mut Machine, rng: &mut Rng) {
    let kinds: Vec<KindId> = machine
        .periodic_kinds()
        .iter()
        .map(|(kind, _)| *kind)
        .collect();
    let mut counts: Vec<(NodeId, VarId)> = Vec::new();
    for kind in kinds {
        let var = VarId(machine.vars.len() as u32);
        machine.vars.push(Var {
            name: "count".into(),
            kind,
            ty: Type::Int(0, MAX_COUNT),
            init: Init::Value(Scope::of_node(), Expr::int(0)),
            ghost: true,
            persistent: false,
            origin: Origin(0),
        });
        let now = Expr::Var(var, Box::new(Expr::Local(LocalId(0))));
        let one_more = now.binary(BinaryOp::Add, Expr::int(1));
        let place = Place {
            var,
            path: Vec::new(),
        };
        let count = Stmt {
            origin: Origin(0),
            kind: StmtKind::Assign(place, one_more.binary(BinaryOp::Min, Expr::int(MAX_COUNT))),
        };
        let blocks = machine.blocks.iter_mut();
        let every = |block: &&mut Block| matches!(block.trigger, Trigger::Every(_));
        for block in blocks.filter(|block| block.kind == kind).filter(every) {
            block.body.insert(0, count.clone());
        }
        counts.extend(machine.nodes_of(kind).map(|node| (node, var)));
    }
    for number in 0..4 {
        let mut so_many = || {
            let (node, var) = counts[rng.below(counts.len())];
            let most = rng.below(MAX_COUNT as usize) as i64;
            let count = Expr::Var(var, Box::new(Expr::node(node)));
            count.binary(BinaryOp::Eq, Expr::int(most))
        };
        machine.properties.push(Property {
            name: format!("counts {number}"),
            scope: Scope::default(),
            kind: PropertyKind::Possible(so_many().binary(BinaryOp::And, so_many())),
        });
    }
    verify(machine).unwrap_or_else(|why| panic!("{why}"));
}

/// The CEGAR loop, random runs and the reference interpreter do not contradict each other.
#[test]
fn random_rhythms_are_answered_as_they_run() {
    let mut wrong = Vec::new();
    let (mut timed, mut with_inboxes, mut with_faults) = (0, 0, 0);
    let (mut never, mut happens, mut open) = (0, 0, 0);
    for (seed, machine) in rhythms() {
        let question = Question {
            machine: &machine,
            fair: true,
        };
        let budget = StateLimited::states(3_000);
        let Ok(report) = answer(&question, &budget) else {
            continue;
        };
        timed += 1;
        let kinds = (0..machine.kinds.len() as u32).map(KindId);
        let records = || (0..machine.records.len() as u32).map(RecordId);
        let stores = |kind| records().any(|record| machine.enters_inbox(kind, record));
        with_inboxes += u32::from(kinds.into_iter().any(stores));
        with_faults += u32::from(!machine.node_faults.is_empty());
        for answer in report.answers() {
            match answer {
                Answer::Holds | Answer::Impossible => never += 1,
                Answer::Unknown(_) => open += 1,
                _ => happens += 1,
            }
        }
        if let Some(why) = contradiction(&machine, &report, &random_runs(&machine, seed)) {
            wrong.push(format!("seed {seed}: {why}"));
        }
    }
    println!("{timed} with times, {with_inboxes} with inboxes, {with_faults} with faulty nodes");
    println!("{never} never happen, {happens} happen, {open} are not known");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(timed >= 50 && with_inboxes * 5 >= timed && with_faults * 5 >= timed);
    assert!(never * 5 >= timed && happens * 5 >= timed && open * 3 <= never + happens);
}

/// The report under the abstraction with order rules for some windows, each modified by `change`. Only answers without
/// a run are kept.
fn with_rules(machine: &Machine, change: &dyn Fn(&mut OrderRule)) -> Option<Report> {
    let mut rules = Vec::new();
    for of in machine.periodic_kinds() {
        for with in machine.periodic_kinds() {
            let starts = (1..=3).map(Window::Start);
            let gaps = (1..=2).map(|gaps| Window::Gaps { gaps, early: false });
            for window in starts.chain(gaps) {
                let mut rule = order_rule(of, with, window);
                change(&mut rule);
                rules.push(rule);
            }
        }
    }
    let machine = Machine {
        abstraction: Abstraction::Order(rules, vec![]),
        ..machine.clone()
    };
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let budget = StateLimited::states(3_000);
    let mut report = explicit::run(&question, &explicit::Options::default(), &budget).ok()?;
    for PropertyResult { answer, .. } in &mut report.results {
        if answer.run().is_some() {
            *answer = Answer::Unknown(Reason::NoMethod);
        }
    }
    Some(report)
}

/// Random runs contradict the answers if a rule is too strict by one, and do not contradict them with the exact rules.
#[test]
fn a_rule_that_is_too_strict_is_noticed() {
    let noticed = |change: &dyn Fn(&mut OrderRule)| {
        let seeds = rhythms().take(80).filter(|(seed, machine)| {
            let report = with_rules(machine, change);
            report.is_some_and(|report| {
                contradiction(machine, &report, &random_runs(machine, *seed)).is_some()
            })
        });
        seeds.map(|(seed, _)| seed).collect::<Vec<_>>()
    };
    assert_eq!(noticed(&|_| {}), [0; 0]);
    let least = noticed(&|rule| rule.least += 1);
    let most = noticed(&|rule| rule.most = rule.most.map(|most| most.saturating_sub(1)));
    println!("least: {least:?}, most: {most:?}");
    assert!(least.len() >= 10 && most.len() >= 5, "{least:?}, {most:?}");
}
