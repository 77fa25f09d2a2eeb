//! Compares early checks of temporal claims with a search that checks only the complete graph; and checks that lassos
//! are shortest.

use crate::oracle::graph::Graph;
use crate::oracle::judge::letters;
use crate::oracle::shortest::shortest;
use crate::searches::{run, run_abstract, run_partial_order, run_symmetric};
use explicit::defects::{Breaking, Defect};
use machine::{Frozen, Instance, Machine, PropertyKind, verify};
use testkit::sample::{catch_quietly, sample_size};
use testkit::{Size, random_counting_machine, random_machine, random_timed_machine};
use verdict::{Answer, Budget, Ending, Progress, Question, Refusal, Report, Run, Spent};

/// The number from which the sizes of the samples are derived; greater in the long test run.
fn wanted() -> u64 {
    sample_size(300)
}

/// A budget with the first early check after this many states.
struct After(u32);

/// No early check.
const AT_THE_END: After = After(u32::MAX);

impl Budget for After {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        (progress.states > 3_000).then_some(Spent::Brief)
    }

    fn stride(&self) -> u32 {
        16
    }

    fn first_look(&self) -> u32 {
        self.0
    }
}

/// The options of a search.
#[derive(Clone, Copy, Debug)]
enum Way {
    Whole,
    Orders,
    Names,
    Less,
}

fn ask(machine: &Machine, fair: bool, way: Way, budget: &After) -> Result<Report, Refusal> {
    let question = Question { machine, fair };
    match way {
        Way::Whole => run(&question, budget),
        Way::Orders => run_partial_order(&question, budget),
        Way::Names => run_symmetric(&question, budget),
        Way::Less => {
            let cone = |frozen: &Frozen| passes::cone_of_influence(machine, frozen);
            run_abstract(&question, &cone, budget)
        }
    }
}

fn sample(seed: u64) -> Machine {
    let size = Size {
        nodes: 3,
        values: 12,
        depth: 2,
        properties: 4,
    };
    match seed % 5 {
        0 => random_counting_machine(seed, &size),
        1 => random_timed_machine(seed, &size),
        _ => random_machine(seed, &size),
    }
}

/// The Machine with only its temporal claims, so that no other property prolongs the search; `None` if it has none.
fn temporal(mut machine: Machine) -> Option<Machine> {
    machine.properties.retain(|property| {
        matches!(&property.kind, PropertyKind::Claim(claim) if claim.invariant().is_none())
    });
    (!machine.properties.is_empty() && verify(&machine).is_ok()).then_some(machine)
}

/// The reports of the search with early checks and of the one without.
struct Both {
    early: Report,
    last: Report,
}

/// Runs both searches. An error says in what they differ; `None` if the search without early checks has no answers.
fn compare(machine: &Machine, fair: bool, way: Way, first: u32) -> Result<Option<Both>, String> {
    let Ok(last) = ask(machine, fair, way, &AT_THE_END) else {
        return Ok(None);
    };
    let unknown = |answer: &Answer| matches!(answer, Answer::Unknown(_));
    if last.answers().any(unknown) {
        return Ok(None);
    }
    let early = ask(machine, fair, way, &After(first)).map_err(|r| format!("{r:?}"))?;
    let question = Question { machine, fair };
    for (p, (a, b)) in early.answers().zip(last.answers()).enumerate() {
        if std::mem::discriminant(a) != std::mem::discriminant(b) {
            return Err(format!("property {p}: {a:?} early, {b:?} at last"));
        }
        // In the cone of influence, cycles need not return to the same values outside of it.
        if !matches!(way, Way::Less) {
            let confirmed = audit::confirm(&question, p, a);
            confirmed.map_err(|why| format!("property {p}: {why}"))?;
        }
    }
    if early.counts.states > last.counts.states {
        return Err("more states".into());
    }
    Ok(Some(Both { early, last }))
}

const WAYS: [Way; 4] = [Way::Whole, Way::Orders, Way::Names, Way::Less];

#[test]
fn early_looks_change_no_answer() {
    let (mut compared, mut fails, mut fewer, mut wrong) = (0, 0, 0, Vec::new());
    for seed in 0..wanted() * 2 / 3 {
        let Some(machine) = temporal(sample(seed)) else {
            continue;
        };
        for way in WAYS {
            for (fair, first) in [(true, 2), (false, 3)] {
                match compare(&machine, fair, way, first) {
                    Err(why) => wrong.push(format!("seed {seed}, {way:?}, fair {fair}: {why}")),
                    Ok(None) => {}
                    Ok(Some(both)) => {
                        compared += 1;
                        let all_fail = both.last.answers().all(|a| a.run().is_some());
                        fails += usize::from(all_fail);
                        let less = both.early.counts.states < both.last.counts.states;
                        fewer += usize::from(less);
                    }
                }
            }
        }
    }
    println!("{compared} compared, in {fails} all claims fail, {fewer} with fewer states");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > wanted() as usize && 10 * fails > compared && 30 * fewer > compared);
}

/// For each seeded defect of early checks, some Machine gets a wrong answer.
#[test]
fn every_rule_is_needed() {
    for rule in Defect::EARLY {
        let noticed = (0..2_000).find(|seed| {
            let Some(machine) = temporal(sample(*seed)) else {
                return false;
            };
            // The sound engine must be correct on this Machine.
            let sound = |fair| matches!(compare(&machine, fair, Way::Whole, 2), Ok(Some(_)));
            [true, false].into_iter().any(|fair| {
                let breaking = Breaking::rule(rule);
                let said = catch_quietly(|| compare(&machine, fair, Way::Whole, 2));
                drop(breaking);
                let noticed = !matches!(said, Some(Ok(_))) && sound(fair);
                if let (true, Some(Err(why))) = (noticed, said) {
                    println!("{rule:?}: seed {seed}: {why:.300}");
                }
                noticed
            })
        });
        println!("{rule:?}: noticed by {noticed:?}");
        assert!(noticed.is_some(), "{rule:?} is not noticed");
    }
}

/// The number of events of an infinite run.
fn length(run: &Run) -> Option<usize> {
    matches!(run.ending, Ending::Loops(_) | Ending::StandsStill).then_some(run.choices.len())
}

/// On small complete graphs, lassos have the least number of events.
#[test]
fn lassos_are_shortest() {
    let (mut compared, mut loops, mut stand, mut wrong) = (0, 0, 0, Vec::new());
    let size = Size {
        nodes: 2,
        values: 4,
        depth: 1,
        properties: 6,
    };
    for seed in 0..4 * wanted() {
        let machine = match seed % 8 {
            0 => random_timed_machine(seed, &size),
            _ => random_machine(seed, &size),
        };
        let Some(machine) = temporal(machine) else {
            continue;
        };
        let frozen_vars: Vec<Frozen> = machine.frozen_choices().take(2).collect();
        let [frozen] = &frozen_vars[..] else {
            continue;
        };
        let instance = Instance {
            machine: &machine,
            frozen,
        };
        let Ok(graph) = Graph::new(instance, 60) else {
            continue;
        };
        if !graph.explored.complete || graph.explored.initial == 0 {
            continue;
        }
        for fair in [true, false] {
            let Ok(report) = ask(&machine, fair, Way::Whole, &AT_THE_END) else {
                continue;
            };
            for (property, answer) in machine.properties.iter().zip(report.answers()) {
                let PropertyKind::Claim(claim) = &property.kind else {
                    continue;
                };
                let Some((letters, automaton)) = letters(&graph, claim) else {
                    continue;
                };
                let Ok(least) = shortest(&graph, &letters, &automaton, fair) else {
                    continue;
                };
                let found = match answer {
                    Answer::Fails(run) => length(run),
                    _ => None,
                };
                compared += 1;
                if let Answer::Fails(run) = answer {
                    loops += usize::from(matches!(run.ending, Ending::Loops(_)));
                    stand += usize::from(matches!(run.ending, Ending::StandsStill));
                }
                if found != least {
                    let name = &property.name;
                    wrong.push(format!(
                        "seed {seed}, {name}, fair {fair}: {found:?} events, not {least:?}"
                    ));
                }
            }
        }
    }
    println!("{compared} compared: {loops} go round, {stand} stand still");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(loops > 50 && stand > 50, "{loops} and {stand}");
}
