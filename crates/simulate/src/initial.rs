//! InitialSampler of runs: an arrangement and first values, drawn at random.

use machine::random::Rng;
use machine::{Frozen, InitialError, Instance, Machine, State, TooLarge};
use std::sync::OnceLock;

/// So often luck is tried; restrictions of the start rule many draws out.
const DRAWS: usize = 1_000;
/// So many states are looked at, one after the other: by somebody who picks one, or when luck did not help.
pub const MOST: u128 = 200_000;
/// So many values are looked at to draw a single one.
const LARGEST: u128 = 1_000_000;

/// Why there is nothing to begin a run with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoInitial {
    /// An initial value or restriction is wrong.
    Wrong(InitialError),
    /// No state satisfies what is asked of initial states.
    Nowhere,
    /// There are too many candidates to try all, and none of those that were tried will do.
    NotFound,
    /// Somebody wanted it to stop before one was found.
    Interrupted,
    /// A variable has first values that nobody can draw.
    TooLarge(TooLarge),
}

/// Whether first values can be drawn at all.
pub fn can_draw(machine: &Machine) -> Result<(), NoInitial> {
    match machine.too_large_to_sample(LARGEST) {
        Some(too_large) => Err(NoInitial::TooLarge(too_large)),
        None => Ok(()),
    }
}

/// Where runs of a Machine can begin; with something frozen given, those that begin with that.
pub struct InitialSampler<'m> {
    machine: &'m Machine,
    frozen: Option<Frozen>,
    /// All of them, once luck did not help.
    all: OnceLock<Result<Listed, NoInitial>>,
}

/// InitialSampler by number, at least one. Each is made again when it is asked for.
struct Listed {
    frozen_vars: Vec<Frozen>,
    /// By beginning: the place of what is frozen, and the number of the state among those that begin with that.
    states: Vec<(u32, u64)>,
}

impl<'m> InitialSampler<'m> {
    /// None of them is looked at yet.
    pub fn new(machine: &'m Machine, frozen: Option<&Frozen>) -> InitialSampler<'m> {
        InitialSampler {
            machine,
            frozen: frozen.cloned(),
            all: OnceLock::new(),
        }
    }

    /// A random one. Where restrictions leave so little that luck does not find it, all are listed, once, as far as that can be done, and
    /// each of those is equally likely. The same numbers give the same beginning.
    pub fn draw(
        &self,
        rng: &mut Rng,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(Frozen, State), NoInitial> {
        can_draw(self.machine)?;
        for _ in 0..DRAWS {
            let drawn = match &self.frozen {
                Some(frozen) => Some(frozen.clone()),
                None => self.machine.sample_frozen(&mut |n| rng.below(n)),
            };
            let frozen = drawn.ok_or(NoInitial::Nowhere)?;
            let instance = Instance {
                machine: self.machine,
                frozen: &frozen,
            };
            let picked = instance.sample_initial(&mut |n| rng.below(n));
            if let Some(state) = picked.map_err(NoInitial::Wrong)? {
                return Ok((frozen, state));
            }
        }
        let number = rng.below(self.count(stop)?);
        let (mut frozen, state) = self.numbered(number, stop)?;
        if self.frozen.is_none() {
            frozen.periods = self.machine.sample_periods(&mut |n| rng.below(n));
        }
        Ok((frozen, state))
    }

    /// How many there are, at least one; but for periods.
    pub fn count(&self, stop: &mut dyn FnMut() -> bool) -> Result<usize, NoInitial> {
        Ok(self.all(stop)?.states.len())
    }

    /// One of them, by a number that is less than how many there are.
    pub fn numbered(
        &self,
        number: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(Frozen, State), NoInitial> {
        let all = self.all(stop)?;
        let (frozen, state) = all.states[number];
        let frozen = all.frozen_vars[frozen as usize].clone();
        let instance = Instance {
            machine: self.machine,
            frozen: &frozen,
        };
        let parts = instance.initial_parts().map_err(NoInitial::Wrong)?;
        let state = instance.initial_states_from(parts).state_by_number(state);
        Ok((frozen, state))
    }

    fn all(&self, stop: &mut dyn FnMut() -> bool) -> Result<&Listed, NoInitial> {
        let all = self.all.get_or_init(|| self.list(stop));
        all.as_ref().map_err(NoInitial::clone)
    }

    fn list(&self, stop: &mut dyn FnMut() -> bool) -> Result<Listed, NoInitial> {
        let mut looked_at: u128 = 0;
        let mut found = Listed {
            frozen_vars: Vec::new(),
            states: Vec::new(),
        };
        let given = self.frozen.clone().into_iter();
        let all = self.machine.frozen_choices().take(match self.frozen {
            Some(_) => 0,
            None => usize::MAX,
        });
        for frozen in given.chain(all) {
            let instance = Instance {
                machine: self.machine,
                frozen: &frozen,
            };
            looked_at = looked_at.saturating_add(instance.initial_bound(&|_| true).max(1));
            if looked_at > MOST {
                // Some are better than none, though the others are never drawn.
                break;
            }
            let parts = instance.initial_parts().map_err(NoInitial::Wrong)?;
            let place = found.frozen_vars.len() as u32;
            for (looks, look) in instance.initial_states_from(parts).enumerate() {
                if looks.is_multiple_of(256) && stop() {
                    return Err(NoInitial::Interrupted);
                }
                let look = look.map_err(NoInitial::Wrong)?;
                found.states.extend(look.map(|(number, _)| (place, number)));
            }
            found.frozen_vars.push(frozen);
        }
        match found.states.is_empty() {
            true if looked_at > MOST => Err(NoInitial::NotFound),
            true => Err(NoInitial::Nowhere),
            false => Ok(found),
        }
    }
}

/// A random beginning; with something frozen given, one for that. See [`InitialSampler::draw`].
pub fn begin(
    machine: &Machine,
    frozen: Option<&Frozen>,
    rng: &mut Rng,
) -> Result<(Frozen, State), NoInitial> {
    InitialSampler::new(machine, frozen).draw(rng, &mut || false)
}
