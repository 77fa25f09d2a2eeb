//! Beginnings of runs: an arrangement and first values, drawn at random.

use machine::random::Rng;
use machine::{InitialError, Instance, Machine, Rigid, State, TooLarge};

/// So often luck is tried; restrictions of the start rule many draws out.
const DRAWS: usize = 1_000;
/// So many states are looked at, one after the other, when luck did not help.
const MOST: u128 = 200_000;
/// So many values are looked at to draw a single one.
const LARGEST: u128 = 1_000_000;

/// Why there is nothing to begin a run with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoBeginning {
    /// An initial value or restriction is wrong.
    Wrong(InitialError),
    /// No state satisfies what is asked of initial states.
    Nowhere,
    /// There are too many candidates to try all, and none of those that were tried will do.
    NotFound,
    /// A variable has first values that nobody can draw.
    TooLarge(TooLarge),
}

/// Whether first values can be drawn at all.
pub fn can_draw(machine: &Machine) -> Result<(), NoBeginning> {
    match machine.too_large_to_pick(LARGEST) {
        Some(too_large) => Err(NoBeginning::TooLarge(too_large)),
        None => Ok(()),
    }
}

/// A random beginning; with something rigid given, one for that. Where restrictions leave so little that luck
/// does not find it, the first that there is.
pub fn begin(
    machine: &Machine,
    rigid: Option<&Rigid>,
    rng: &mut Rng,
) -> Result<(Rigid, State), NoBeginning> {
    can_draw(machine)?;
    for _ in 0..DRAWS {
        let drawn = match rigid {
            Some(rigid) => Some(rigid.clone()),
            None => machine.pick_rigid(&mut |n| rng.below(n)),
        };
        let rigid = drawn.ok_or(NoBeginning::Nowhere)?;
        let instance = Instance {
            machine,
            rigid: &rigid,
        };
        let picked = instance.pick_initial(&mut |n| rng.below(n));
        if let Some(state) = picked.map_err(NoBeginning::Wrong)? {
            return Ok((rigid, state));
        }
    }
    first(machine, rigid, rng)
}

/// The first beginning that there is.
fn first(
    machine: &Machine,
    rigid: Option<&Rigid>,
    rng: &mut Rng,
) -> Result<(Rigid, State), NoBeginning> {
    let mut looked_at: u128 = 0;
    let given = rigid.cloned().into_iter();
    let all = machine.rigids().take(match rigid {
        Some(_) => 0,
        None => usize::MAX,
    });
    for mut rigid in given.chain(all) {
        if rigid.periods.is_empty() {
            rigid.periods = machine.pick_periods(&mut |n| rng.below(n));
        }
        let instance = Instance {
            machine,
            rigid: &rigid,
        };
        looked_at = looked_at.saturating_add(instance.initial_bound().max(1));
        if looked_at > MOST {
            return Err(NoBeginning::NotFound);
        }
        let states = instance.initial_states().map_err(NoBeginning::Wrong)?;
        if let Some(state) = states.into_iter().next() {
            return Ok((rigid, state));
        }
    }
    Err(NoBeginning::Nowhere)
}
