//! Random simulation as a method: runs drawn at random that break a claim about states, or reach a condition.
//!
//! A breadth-first search visits everything near the initial states before it comes to what is far; with many nodes much is near. A
//! random run is far at once. It proves nothing, but a run that breaks a claim is an answer. The number of runs does not depend on
//! the clock, so the answer is the same every time.

use machine::random::Rng;
use machine::{Expr, Instance, Machine, Property, PropertyKind};
use rational::Rational;
use simulate::{InitialSampler, Scheduler};
use verdict::{Answer, Budget, Ending, Progress, Run};

/// How many runs are drawn, of how many events each: many short ones first.
const RUNS: [(u64, usize); 3] = [(4_000, 100), (4_000, 250), (300, 700)];

/// A random run that breaks a claim about states, or reaches a condition.
pub(crate) fn look(machine: &Machine, property: &Property, budget: &dyn Budget) -> Option<Answer> {
    let (condition, wanted) = match &property.kind {
        PropertyKind::Possible(condition) => (condition.clone(), true),
        PropertyKind::Claim(claim) => (claim.invariant()?, false),
    };
    let sampler = InitialSampler::new(machine, None);
    let mut rng = Rng(1);
    for (runs, events) in RUNS {
        for _ in 0..runs {
            if budget.ask(&Progress::default()).is_some() {
                return None;
            }
            let walk = walk(machine, &sampler, &mut rng, events, (&condition, wanted));
            if let Some(run) = walk? {
                return Some(match wanted {
                    true => Answer::Possible(Box::new(run)),
                    false => Answer::Fails(Box::new(run)),
                });
            }
        }
    }
    None
}

/// One random run, up to where a condition has a value; if it does. Nothing if no run can begin.
fn walk(
    machine: &Machine,
    sampler: &InitialSampler<'_>,
    rng: &mut Rng,
    events: usize,
    (condition, wanted): (&Expr, bool),
) -> Option<Option<Run>> {
    let (frozen, initial) = sampler.draw(rng, &mut || false).ok()?;
    let instance = Instance {
        machine,
        frozen: &frozen,
    };
    // Two runs of three keep step, where there are times: orders are what matters most.
    let part = Rational::new(rng.below(3) as i128, 2);
    let mut scheduler = match rng.below(3) {
        0 => Scheduler::new(machine),
        1 => Scheduler::in_step(machine, part),
        _ => Scheduler::in_step(machine, part).with_precedence(rng),
    };
    let mut state = initial.clone();
    let mut choices = Vec::new();
    loop {
        match instance.holds(&state, condition, &[]) {
            Ok(value) if value == wanted => break,
            Ok(_) if choices.len() < events => {}
            _ => return Some(None),
        }
        let Some(choice) = scheduler.draw(instance, &state, rng) else {
            return Some(None);
        };
        let Ok(next) = instance.step(&state, &choice) else {
            return Some(None);
        };
        state = next;
        choices.push(choice);
    }
    Some(Some(Run {
        frozen: frozen.clone(),
        initial,
        choices,
        ending: Ending::Open,
    }))
}
