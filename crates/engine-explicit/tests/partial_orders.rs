//! The search that leaves out orders of events against the one that leaves out nothing: on random Machines, and on small
//! ones that need what it takes care of.

mod orders;

use engine_explicit::defects::{Breaking, Defect};
use engine_explicit::{run, run_reduced};
use machine::random::{Size, random_machine};
use machine::{Channel, Machine, Rung, Timing, Trigger, parse, verify};
use orders::cases::CASES;
use orders::{Compared, compare};
use std::sync::OnceLock;
use verdict::{Question, Unlimited};

/// How many Machines there are in the sample that has quotas.
const SAMPLE: usize = 400;

/// How many Machines are compared; the long run takes more.
fn wanted() -> usize {
    let wanted = std::env::var("SCRUTINEER_SAMPLE").ok();
    wanted.map_or(SAMPLE, |n| {
        n.parse().expect("SCRUTINEER_SAMPLE is a number")
    })
}

/// A random Machine, without most of what makes the search step aside.
fn random(seed: usize) -> Machine {
    let size = Size {
        nodes: 3,
        values: 12,
        depth: 2,
        properties: 6,
    };
    let mut machine = random_machine(seed as u64, &size);
    if machine.channel == Channel::Instant {
        machine.channel = match seed % 3 {
            0 => Channel::Fifo(None),
            1 => Channel::Fifo(Some(1)),
            _ => Channel::Unordered,
        };
    }
    for block in &mut machine.blocks {
        if let Trigger::Every(timing) = &mut block.trigger {
            *timing = Timing::Any;
        }
    }
    machine.rung = Rung::Exact;
    machine
}

/// What came of a Machine of the sample, fair and not.
fn sample(seed: usize) -> &'static [Result<Compared, String>; 2] {
    static CASES: [OnceLock<[Result<Compared, String>; 2]>; SAMPLE] =
        [const { OnceLock::new() }; SAMPLE];
    CASES[seed].get_or_init(|| both(seed))
}

fn both(seed: usize) -> [Result<Compared, String>; 2] {
    let machine = random(seed);
    if let Err(why) = verify(&machine) {
        return [(); 2].map(|_| Ok(Compared::Not(why.to_string())));
    }
    [true, false].map(|fair| compare(&machine, fair))
}

#[test]
fn both_searches_agree() {
    let mut wrong = Vec::new();
    for seed in 0..wanted() {
        let found = match seed < SAMPLE {
            true => sample(seed),
            false => &both(seed),
        };
        for (fair, result) in ["fair", "not fair"].iter().zip(found) {
            if let Err(why) = result {
                wrong.push(format!("seed {seed}, {fair}: {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_sample_is_varied() {
    let (mut compared, mut reduced, mut cycles, mut aside, mut not, mut large) = (0, 0, 0, 0, 0, 0);
    let (mut holds, mut fails, mut errors, mut fell_back) = (0, 0, 0, 0);
    for seed in 0..SAMPLE {
        for result in sample(seed).iter().flatten() {
            match result {
                Compared::Not(why) if why == "too large" => large += 1,
                Compared::Not(_) => not += 1,
                Compared::Aside(why) if why.contains("fair") => fell_back += 1,
                Compared::Aside(_) => aside += 1,
                Compared::Same(same) => {
                    compared += 1;
                    reduced += usize::from(same.less);
                    cycles += usize::from(same.loops);
                    holds += same.holds;
                    fails += same.fails;
                    errors += same.errors;
                }
            }
        }
    }
    println!(
        "{compared} compared, {reduced} of them with less; {aside} aside, {fell_back} fell back, {large} too large, {not} not asked"
    );
    println!("{holds} hold, {fails} fail or are possible ({cycles} with loops), {errors} errors");
    let answers = holds + fails + errors;
    assert!(compared >= 300, "{compared} are compared");
    assert!(3 * reduced >= compared, "{reduced} of {compared} have less");
    assert!(4 * holds >= answers, "{holds} of {answers} hold");
    assert!(4 * fails >= answers, "{fails} of {answers} fail");
    assert!(cycles >= 20, "{cycles} with loops");
}

fn machine(text: &str) -> Machine {
    let machine = parse(text).unwrap_or_else(|e| panic!("{}: {}\n{text}", e.line, e.expected));
    verify(&machine).unwrap_or_else(|e| panic!("{e}\n{text}"));
    machine
}

#[test]
fn every_proviso_is_needed() {
    let mut wrong = Vec::new();
    for (rule, fair, aside, text) in &CASES {
        let machine = machine(text);
        match compare(&machine, *fair) {
            Ok(Compared::Aside(why)) if *aside => println!("{rule:?}: {why}"),
            Ok(Compared::Same(_)) if !aside => {}
            Ok(Compared::Aside(why)) => wrong.push(format!("{rule:?}: steps aside: {why}")),
            Ok(Compared::Same(_)) => wrong.push(format!("{rule:?}: does not step aside")),
            Ok(Compared::Not(why)) => wrong.push(format!("{rule:?}: {why}")),
            Err(why) => wrong.push(format!("{rule:?}: the whole search is wrong: {why}")),
        }
        let breaking = Breaking::rule(*rule);
        let said = std::panic::catch_unwind(|| compare(&machine, *fair));
        drop(breaking);
        match said {
            Ok(Err(why)) => println!("{rule:?}: caught, {why}"),
            Ok(Ok(_)) => wrong.push(format!("{rule:?}: not caught")),
            Err(_) => println!("{rule:?}: falls over"),
        }
    }
    for rule in Defect::OF_ORDERS {
        if !CASES.iter().any(|(other, ..)| *other == rule) {
            wrong.push(format!("{rule:?}: no Machine"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How many states two searches visit of a node to which four others send what it collects.
fn collected(update: &str) -> (u64, u64) {
    let text = format!(
        "(message M (v (int 1 4))) (kind A 1) (kind B 4) (edges (2 1) (3 1) (4 1) (5 1)) (channel fifo)
         (rigid B w (int 1 4) (given 1 2 3 4))
         (var A x (int 0 4) (is 0)) (var A s (set (int 1 4)) (is (set (int 1 4))))
         (var B done bool (is false))
         (block A \"on M\" (on M) {update})
         (block B go start (:= done true) (send (new M (rigid w self)) (node 1)))
         (claim c (eventually (state (all k (nodes B) (not (waiting k))))))"
    );
    let text = text.replace("(claim c", "(claim c (locals (k node))");
    let machine = machine(&text);
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let whole = run(&question, &Unlimited).expect("a report");
    let less = run_reduced(&question, &Unlimited).expect("a report");
    assert_eq!(less.aside, None);
    assert_eq!(less.report.method, "explicit search with partial orders");
    assert_eq!(whole.answers, less.report.answers, "{text}");
    (whole.counts.states, less.report.counts.states)
}

#[test]
fn updates_that_commute_need_one_order() {
    let commute = [
        "(:= s (union (var s self) (set (int 1 4) (field M v message))))",
        "(:= x (max (var x self) (field M v message)))",
        "(:= x (min (field M v message) (var x self)))",
        "(:= x (min (+ (var x self) 1) 3))",
        "(:= x 1)",
        "",
    ];
    // Whether somebody has started is seen: that has every order, and each message is taken at once or at the end.
    for update in commute {
        let (_, less) = collected(update);
        assert_eq!(less, collected("").1, "{update}");
    }
    let disturb = [
        "(:= x (field M v message))",
        "(:= x (max (var x self) (field M v message))) (if (= (var x self) 1) (do (:= s (set (int 1 4)))))",
        "(:= x (min (+ (var x self) 1) 5))",
        "(:= x (min (+ (var x self) 1) 3)) (if (= (field M v message) 1) (do (:= x (min (+ (var x self) 1) 2))))",
    ];
    for update in disturb {
        let (whole, less) = collected(update);
        assert!(
            less > collected("").1 && less <= whole,
            "{update}: {less} of {whole}"
        );
    }
}
