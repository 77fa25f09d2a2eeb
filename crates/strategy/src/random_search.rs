//! Random simulation as a method: looks for random runs that violate an invariant, or reach a condition.
//!
//! A breadth-first search visits all states close to the initial states before distant ones, and with many nodes there
//! are many close states. A random run reaches distant states after a few hundred events. It proves nothing, but a run
//! that violates a claim is an answer. The number of runs is fixed and does not depend on time, so the answer is
//! reproducible.

use machine::random::Rng;
use machine::{Expr, Instance, Machine, Property, PropertyKind};
use rational::Rational;
use simulate::{InitialSampler, Scheduler};
use verdict::{Answer, Budget, Ending, Progress, Run};

/// The batches of runs: the number of runs, and the largest number of events in each. Short runs come first.
const RUNS: [(u64, usize); 3] = [(4_000, 100), (4_000, 250), (300, 700)];

/// A random run that violates an invariant or reaches a condition, as an answer. `None` if none is found, or for other
/// properties.
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

/// One random run up to the first state in which the condition has the wanted value. The inner `None` means that the
/// run does not reach such a state; the outer `None` that no initial state was found.
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
    // In a Machine with time, two of three runs keep the nodes in step, because then only the order of events varies.
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
