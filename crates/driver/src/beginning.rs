//! Beginnings of runs: an arrangement and first values, drawn at random.

use machine::random::Rng;
use machine::{InitialError, Instance, Machine, Rigid, State, TooLarge};
use std::sync::OnceLock;

/// So often luck is tried; restrictions of the start rule many draws out.
const DRAWS: usize = 1_000;
/// So many states are looked at, one after the other: by somebody who picks one, or when luck did not help.
pub const MOST: u128 = 200_000;
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
    /// Somebody wanted it to stop before one was found.
    Interrupted,
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

/// Where runs of a Machine can begin; with something rigid given, those that begin with that.
pub struct Beginnings<'m> {
    machine: &'m Machine,
    rigid: Option<Rigid>,
    /// All of them, once luck did not help.
    all: OnceLock<Result<Listed, NoBeginning>>,
}

/// Beginnings by number, at least one. Each is made again when it is asked for.
struct Listed {
    rigids: Vec<Rigid>,
    /// By beginning: the place of what is rigid, and the number of the state among those that begin with that.
    states: Vec<(u32, u64)>,
}

impl<'m> Beginnings<'m> {
    /// None of them is looked at yet.
    pub fn new(machine: &'m Machine, rigid: Option<&Rigid>) -> Beginnings<'m> {
        Beginnings {
            machine,
            rigid: rigid.cloned(),
            all: OnceLock::new(),
        }
    }

    /// A random one. Where restrictions leave so little that luck does not find it, all are listed, once, as far as that can be done, and
    /// each of those is equally likely. The same numbers give the same beginning.
    pub fn draw(
        &self,
        rng: &mut Rng,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(Rigid, State), NoBeginning> {
        can_draw(self.machine)?;
        for _ in 0..DRAWS {
            let drawn = match &self.rigid {
                Some(rigid) => Some(rigid.clone()),
                None => self.machine.pick_rigid(&mut |n| rng.below(n)),
            };
            let rigid = drawn.ok_or(NoBeginning::Nowhere)?;
            let instance = Instance {
                machine: self.machine,
                rigid: &rigid,
            };
            let picked = instance.pick_initial(&mut |n| rng.below(n));
            if let Some(state) = picked.map_err(NoBeginning::Wrong)? {
                return Ok((rigid, state));
            }
        }
        let number = rng.below(self.count(stop)?);
        let (mut rigid, state) = self.numbered(number, stop)?;
        if self.rigid.is_none() {
            rigid.periods = self.machine.pick_periods(&mut |n| rng.below(n));
        }
        Ok((rigid, state))
    }

    /// How many there are, at least one; but for periods.
    pub fn count(&self, stop: &mut dyn FnMut() -> bool) -> Result<usize, NoBeginning> {
        Ok(self.all(stop)?.states.len())
    }

    /// One of them, by a number that is less than how many there are.
    pub fn numbered(
        &self,
        number: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(Rigid, State), NoBeginning> {
        let all = self.all(stop)?;
        let (rigid, state) = all.states[number];
        let rigid = all.rigids[rigid as usize].clone();
        let instance = Instance {
            machine: self.machine,
            rigid: &rigid,
        };
        let parts = instance.beginnings().map_err(NoBeginning::Wrong)?;
        let state = instance.states_of(parts).again(state);
        Ok((rigid, state))
    }

    fn all(&self, stop: &mut dyn FnMut() -> bool) -> Result<&Listed, NoBeginning> {
        let all = self.all.get_or_init(|| self.list(stop));
        all.as_ref().map_err(NoBeginning::clone)
    }

    fn list(&self, stop: &mut dyn FnMut() -> bool) -> Result<Listed, NoBeginning> {
        let mut looked_at: u128 = 0;
        let mut found = Listed {
            rigids: Vec::new(),
            states: Vec::new(),
        };
        let given = self.rigid.clone().into_iter();
        let all = self.machine.rigids().take(match self.rigid {
            Some(_) => 0,
            None => usize::MAX,
        });
        for rigid in given.chain(all) {
            let instance = Instance {
                machine: self.machine,
                rigid: &rigid,
            };
            looked_at = looked_at.saturating_add(instance.initial_bound(&|_| true).max(1));
            if looked_at > MOST {
                // Some are better than none, though the others are never drawn.
                break;
            }
            let parts = instance.beginnings().map_err(NoBeginning::Wrong)?;
            let place = found.rigids.len() as u32;
            for (looks, look) in instance.states_of(parts).enumerate() {
                if looks.is_multiple_of(256) && stop() {
                    return Err(NoBeginning::Interrupted);
                }
                let look = look.map_err(NoBeginning::Wrong)?;
                found.states.extend(look.map(|(number, _)| (place, number)));
            }
            found.rigids.push(rigid);
        }
        match found.states.is_empty() {
            true if looked_at > MOST => Err(NoBeginning::NotFound),
            true => Err(NoBeginning::Nowhere),
            false => Ok(found),
        }
    }
}

/// A random beginning; with something rigid given, one for that. See [`Beginnings::draw`].
pub fn begin(
    machine: &Machine,
    rigid: Option<&Rigid>,
    rng: &mut Rng,
) -> Result<(Rigid, State), NoBeginning> {
    Beginnings::new(machine, rigid).draw(rng, &mut || false)
}
