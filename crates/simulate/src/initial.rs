//! The initial sampler: draws the values of the frozen variables and the initial state of a run.

use machine::random::Rng;
use machine::{Frozen, InitialError, Instance, Machine, State, TooLarge};
use std::sync::OnceLock;

/// The number of rejected random draws after which the initial states are listed. Restrictions on the initial states
/// may reject many draws.
const DRAWS: usize = 1_000;
/// The largest number of candidate initial states that the sampler enumerates. It does so to choose a state by its
/// number, and after `DRAWS` rejected draws.
pub const MOST_LISTED: u128 = 200_000;
/// The largest number of values of a type from which a value can be drawn.
const MOST_VALUES: u128 = 1_000_000;

/// The reason why no initial state is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoInitial {
    /// The evaluation of an initial value or restriction ends in an error.
    Wrong(InitialError),
    /// No state satisfies the restrictions on the initial states.
    Nowhere,
    /// There are too many candidates to try all, and none of those tried satisfies the restrictions.
    NotFound,
    /// The caller stopped the sampler before it found a state.
    Interrupted,
    /// The type of a variable has too many values to draw one.
    TooLarge(TooLarge),
}

/// An error if the type of a variable has too many values to draw an initial value.
pub fn can_draw(machine: &Machine) -> Result<(), NoInitial> {
    match machine.too_large_to_sample(MOST_VALUES) {
        Some(too_large) => Err(NoInitial::TooLarge(too_large)),
        None => Ok(()),
    }
}

/// Samples the initial states of a Machine, either for given values of the frozen variables or for all their values.
pub struct InitialSampler<'m> {
    machine: &'m Machine,
    frozen: Option<Frozen>,
    /// The list of initial states, computed when it is first needed.
    listed: OnceLock<Result<Listed, NoInitial>>,
}

/// A non-empty list of initial states. It holds only numbers; a state is computed again when it is requested.
struct Listed {
    frozen_vars: Vec<Frozen>,
    /// For each initial state: the index of its frozen values in `frozen_vars`, and its number among the states with
    /// these frozen values.
    states: Vec<(u32, u64)>,
}

impl<'m> InitialSampler<'m> {
    /// A sampler for the given values of the frozen variables, or for all values if `frozen` is `None`.
    pub fn new(machine: &'m Machine, frozen: Option<&Frozen>) -> InitialSampler<'m> {
        InitialSampler {
            machine,
            frozen: frozen.cloned(),
            listed: OnceLock::new(),
        }
    }

    /// Draws a random initial state. If the restrictions reject `DRAWS` random draws, the sampler lists the initial
    /// states, up to `MOST_LISTED` candidates, and each listed state is equally likely. The same state of `rng` gives
    /// the same initial state. `stop` is polled while states are listed; if it returns true, the result is an error.
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
            let drawn = instance.sample_initial(&mut |n| rng.below(n));
            if let Some(state) = drawn.map_err(NoInitial::Wrong)? {
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

    /// The number of listed initial states, at least 1. States that differ only in periods count once.
    pub fn count(&self, stop: &mut dyn FnMut() -> bool) -> Result<usize, NoInitial> {
        Ok(self.listed(stop)?.states.len())
    }

    /// The listed initial state with this number, which must be less than [`InitialSampler::count`].
    pub fn numbered(
        &self,
        number: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(Frozen, State), NoInitial> {
        let listed = self.listed(stop)?;
        let (frozen, state) = listed.states[number];
        let frozen = listed.frozen_vars[frozen as usize].clone();
        let instance = Instance {
            machine: self.machine,
            frozen: &frozen,
        };
        let parts = instance.initial_parts().map_err(NoInitial::Wrong)?;
        let state = instance.initial_states_from(parts).state_by_number(state);
        Ok((frozen, state))
    }

    fn listed(&self, stop: &mut dyn FnMut() -> bool) -> Result<&Listed, NoInitial> {
        let listed = self.listed.get_or_init(|| self.list(stop));
        listed.as_ref().map_err(NoInitial::clone)
    }

    fn list(&self, stop: &mut dyn FnMut() -> bool) -> Result<Listed, NoInitial> {
        let mut candidates: u128 = 0;
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
            candidates = candidates.saturating_add(instance.initial_bound(&|_| true).max(1));
            if candidates > MOST_LISTED {
                // The list stays incomplete, so a draw from it never gives an unlisted state.
                break;
            }
            let parts = instance.initial_parts().map_err(NoInitial::Wrong)?;
            let index = found.frozen_vars.len() as u32;
            for (number, candidate) in instance.initial_states_from(parts).enumerate() {
                if number.is_multiple_of(256) && stop() {
                    return Err(NoInitial::Interrupted);
                }
                let candidate = candidate.map_err(NoInitial::Wrong)?;
                found
                    .states
                    .extend(candidate.map(|(number, _)| (index, number)));
            }
            found.frozen_vars.push(frozen);
        }
        match found.states.is_empty() {
            true if candidates > MOST_LISTED => Err(NoInitial::NotFound),
            true => Err(NoInitial::Nowhere),
            false => Ok(found),
        }
    }
}

/// A random initial state, for the given values of the frozen variables or for random ones. See
/// [`InitialSampler::draw`].
pub fn begin(
    machine: &Machine,
    frozen: Option<&Frozen>,
    rng: &mut Rng,
) -> Result<(Frozen, State), NoInitial> {
    InitialSampler::new(machine, frozen).draw(rng, &mut || false)
}
