//! Random models on networks, with counters, ids and ties: the tool and the enumerator, which share only the parser,
//! never contradict each other.
//!
//! The tool runs with the default options of a user, so all reductions by rotations, numberings of graphs and counters
//! are active. The enumerator visits every numbering of every graph and every order of ids one by one, and tries all
//! numbers in order.

mod text;

use checks::{Judged, Options, load_text};
use enumerator::{Setup, invariant, least, reachable, read, read_condition, read_topology};
use model::AnswerKind;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use syntax::ast;
use testkit::sample::{compare_all, seeds};
use text::{Asked, Model, random_model};

/// The number of models over which the quotas are counted, and the number compared in each test run.
const SAMPLE: usize = 1_000;
const COMPARED: u64 = 120;

/// The largest number of states of the enumerator per instance.
const LIMIT: usize = 4_000;

/// An answer of the tool or of the enumerator.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reply {
    Yes,
    No,
    Least(i128),
    NoneInRange,
    Open(String),
}

/// The answers of the tool, one for each check.
fn by_tool(model: &Model, seed: usize) -> Vec<Reply> {
    let loaded = load_text("random.scrut", &model.text);
    assert!(
        !loaded.has_errors(),
        "seed {seed}: {:?}\n{}",
        loaded.diagnostics,
        model.text
    );
    // The models are either small or unbounded, so the time limit is short.
    let options = Options {
        memory: Some(1 << 23),
        threads: 1,
        time: Some(Duration::from_secs(3)),
        ..Options::default()
    };
    let one = |check: usize| {
        let stop = AtomicBool::new(false);
        let report = checks::check(&loaded, check, &options, &stop, &mut |_| {});
        match report {
            Ok(Some(report)) => reply(&checks::judge(&loaded, &report)[0][0]),
            other => Reply::Open(format!("{:?}", other.err())),
        }
    };
    (0..model.asked.len()).map(one).collect()
}

fn reply(judged: &Judged) -> Reply {
    match judged.answer {
        // The premise is not compared.
        AnswerKind::Holds | AnswerKind::Possible => Reply::Yes,
        AnswerKind::Fails | AnswerKind::Impossible => Reply::No,
        AnswerKind::Value => Reply::Least(judged.value.expect("a number").into()),
        AnswerKind::FailsForEveryBound => Reply::NoneInRange,
        other => Reply::Open(format!("{other:?}")),
    }
}

/// All connected graphs on n numbered nodes.
fn numbered_graphs(n: usize) -> Vec<ast::Topology> {
    let pairs: Vec<(usize, usize)> = (1..=n)
        .flat_map(|a| (a + 1..=n).map(move |b| (a, b)))
        .collect();
    let mut all = Vec::new();
    for chosen in 0..1_u32 << pairs.len() {
        let is_chosen = |i: &usize| chosen & (1 << i) != 0;
        let edges: Vec<_> = (0..pairs.len())
            .filter(is_chosen)
            .map(|i| pairs[i])
            .collect();
        let mut reached = vec![1];
        for _ in 0..n {
            for (a, b) in &edges {
                for (from, to) in [(a, b), (b, a)] {
                    if reached.contains(from) && !reached.contains(to) {
                        reached.push(*to);
                    }
                }
            }
        }
        if reached.len() == n {
            let edges: Vec<String> = edges.iter().map(|(a, b)| format!("{a} - {b}")).collect();
            all.push(read_topology(&format!("edges({})", edges.join(", "))).expect("edges"));
        }
    }
    all
}

/// The answers of the enumerator, one for each check.
fn by_enumerator(model: &Model) -> Vec<Reply> {
    let file = read(&model.text).unwrap_or_else(|why| panic!("{why} in\n{}", model.text));
    let plain = Setup {
        limit: LIMIT,
        ..Setup::default()
    };
    let setups: Vec<Setup> = match model.graphs {
        None => vec![plain],
        Some(n) => { numbered_graphs(n).into_iter() }
            .map(|topology| plain.clone().topology(topology))
            .collect(),
    };
    let settled = read_condition("settled(N)").expect("a claim");
    type Asks<'a> = &'a dyn Fn(&Setup) -> Result<bool, String>;
    let on_each = |asks: Asks| {
        setups
            .iter()
            .map(asks)
            .collect::<Result<Vec<bool>, String>>()
    };
    let one = |asked: &Asked| -> Result<Reply, String> {
        let truth = |yes: bool| if yes { Reply::Yes } else { Reply::No };
        match asked {
            Asked::Always(condition) => {
                let condition = read_condition(condition)?;
                let holds = on_each(&|setup| invariant(&file, setup, &condition))?;
                Ok(truth(holds.into_iter().all(|holds| holds)))
            }
            Asked::Possible(condition) => {
                let condition = read_condition(condition)?;
                let found = on_each(&|setup| reachable(&file, setup, &condition))?;
                Ok(truth(found.into_iter().any(|found| found)))
            }
            Asked::Least => {
                let all: Result<Vec<Option<i128>>, String> = setups
                    .iter()
                    .map(|s| least(&file, s, "N", &settled))
                    .collect();
                let all: Option<Vec<i128>> = all?.into_iter().collect();
                Ok(all.map_or(Reply::NoneInRange, |all| {
                    Reply::Least(all.into_iter().max().expect("a graph"))
                }))
            }
        }
    };
    let all = model.asked.iter().map(one);
    all.map(|reply| reply.unwrap_or_else(Reply::Open)).collect()
}

/// Whether two answers are equal, or one of them is unknown.
fn agree(tool: &Reply, truth: &Reply) -> bool {
    matches!((tool, truth), (Reply::Open(_), _) | (_, Reply::Open(_))) || tool == truth
}

/// The answers for one model, or a contradiction between the tool and the enumerator.
fn compare(seed: u64) -> Result<BTreeMap<String, usize>, String> {
    let mut tally = BTreeMap::new();
    let model = random_model(seed);
    let (tool, truth) = (by_tool(&model, seed as usize), by_enumerator(&model));
    for (number, (tool, truth)) in tool.iter().zip(&truth).enumerate() {
        if !agree(tool, truth) {
            let (check, text) = (number + 1, &model.text);
            return Err(format!(
                "check {check}: {tool:?} to the tool, {truth:?} to the enumerator\n{text}"
            ));
        }
        let kind = match truth {
            Reply::Open(_) => "not known to the enumerator".to_string(),
            other => format!("{other:?}"),
        };
        *tally.entry(kind).or_default() += 1;
        if let Reply::Open(why) = tool {
            *tally.entry(format!("tool: {why}")).or_default() += 1;
        }
    }
    Ok(tally)
}

#[test]
fn all_methods_agree() {
    let mut tally = BTreeMap::<String, usize>::new();
    let models = compare_all(seeds(COMPARED), compare);
    let wanted = models.len();
    for (what, number) in models.into_iter().flatten() {
        *tally.entry(what).or_default() += number;
    }
    tally.iter().for_each(|(what, n)| println!("{n:6} {what}"));
    let of = |what: &str| tally.get(what).copied().unwrap_or(0);
    let (yes, no) = (of("Yes"), of("No"));
    let known: usize = { tally.iter() }
        .filter(|(what, _)| what.starts_with("Least") || *what == "NoneInRange")
        .map(|(_, n)| n)
        .sum();
    assert!(yes * 5 >= wanted && no * 5 >= wanted, "{yes} yes, {no} no");
    assert!(known * 4 >= wanted, "{known} least numbers");
}

#[test]
fn the_sample_is_varied() {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..SAMPLE {
        for name in random_model(seed as u64).constructs {
            *names.entry(name).or_default() += 1;
        }
    }
    println!("{names:?}");
    let all = "graphs, ring, line, star, complete, tree, grid, edges, ids, no ids, counters, no counters, rounds, any time, \
               instant, channel, if, for, for in order, broadcast, least, all, exists, count, a tie, distance, neighbours, \
               first id, compared";
    let rare: Vec<&str> = { all.split(", ") }
        .filter(|name| names.get(name).copied().unwrap_or(0) * 25 < SAMPLE)
        .collect();
    assert!(rare.is_empty(), "in fewer than one of 25: {rare:?}");
}
