//! Walks through a Machine, one choice after the other: by hand, at random, and back again.
//!
//! A walk knows nothing but the reference interpreter: [`Instance::choices`] says what can happen, and
//! [`Instance::step`] what comes of it. So every run that a walk gives is one of the Machine's.

use crate::initial::InitialSampler;
use crate::initial::NoInitial;
use crate::scheduler::Scheduler;
use machine::random::Rng;
use machine::{Choice, Frozen, Instance, Machine, RunError, State, StepError};
use rational::Rational;
use verdict::{Budget, Ending, Progress, Run, Spent};

/// A run in the making.
pub struct Stepper<'m> {
    machine: &'m Machine,
    run: Run,
    states: Vec<State>,
    /// What can happen next.
    next: Vec<Choice>,
    /// Of random steps: when nodes mean to be activated.
    scheduler: Scheduler,
}

/// An event cannot happen at a time; these are the times at which it can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotThen(pub Moments);

/// From when to when something can happen; without a second time at any time later.
pub type Moments = (Rational, Option<Rational>);

/// A time as people write it: `55.5 ms`, `166/3`; a number without unit is in the unit of the model.
pub fn read_time(text: &str, unit: Option<&str>) -> Option<Rational> {
    let text = text.trim();
    let number = unit.and_then(|unit| text.strip_suffix(unit));
    number.unwrap_or(text).trim().parse().ok()
}

/// A random run of at most so many events from a random beginning, and the limit that ended it before.
///
/// Without times every choice that is possible in a state is equally likely there; with times a node draws
/// when its next activation is, and what comes first happens. The same numbers give the same run.
pub fn walk(
    machine: &Machine,
    rng: &mut Rng,
    steps: usize,
    budget: &dyn Budget,
) -> Result<(Run, Option<Spent>), NoInitial> {
    let mut stop = || budget.ask(&Progress::default()).is_some();
    let (frozen, initial) = InitialSampler::new(machine, None).draw(rng, &mut stop)?;
    let mut walk = Stepper::begin(machine, frozen, initial);
    let spent = walk.at_random(rng, steps, budget);
    Ok((walk.run, spent))
}

impl<'m> Stepper<'m> {
    /// A walk that has not left its initial state.
    pub fn begin(machine: &'m Machine, frozen: Frozen, initial: State) -> Stepper<'m> {
        let mut walk = Stepper {
            machine,
            run: Run {
                frozen,
                initial: initial.clone(),
                choices: Vec::new(),
                ending: Ending::Open,
            },
            states: vec![initial],
            next: Vec::new(),
            scheduler: Scheduler::new(machine),
        };
        walk.look_around(None);
        walk
    }

    /// The run so far. It says so if it is over.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Its states: the initial one, and the one after each choice; an error has none.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// What can happen next, with times each as early as can be; nothing if the run is over.
    pub fn next(&self) -> &[Choice] {
        &self.next
    }

    /// What would come of a choice.
    pub fn after(&self, choice: &Choice) -> Result<State, RunError> {
        match self.instance().step(self.now(), choice) {
            Ok(state) => Ok(state),
            Err(StepError::Error(error)) => Err(error),
            Err(StepError::NotEnabled) => unreachable!("one of the choices"),
        }
    }

    /// Takes one of the choices that are [next](Stepper::next).
    ///
    /// # Panics
    /// If there are not so many.
    pub fn take(&mut self, number: usize) {
        self.happens(self.next[number].clone());
    }

    /// From when to when one of the choices that are [next](Stepper::next) can happen; nothing without times.
    pub fn moments(&self, number: usize) -> Option<Moments> {
        self.instance()
            .enabled_interval(self.now(), &self.next[number].event)
    }

    /// Takes one of the choices that are [next](Stepper::next) at a time; without times as it is.
    pub fn take_at(&mut self, number: usize, time: Rational) -> Result<(), NotThen> {
        let mut choice = self.next[number].clone();
        if let Some((from, to)) = self.moments(number) {
            if time < from || to.as_ref().is_some_and(|to| time > *to) {
                return Err(NotThen((from, to)));
            }
            choice.time = Some(time);
        }
        self.happens(choice);
        Ok(())
    }

    fn happens(&mut self, choice: Choice) {
        let error = match self.after(&choice) {
            Ok(state) => {
                self.states.push(state);
                None
            }
            Err(error) => Some(error),
        };
        self.run.choices.push(choice);
        self.look_around(error);
    }

    /// Takes the last choice back; false if there is none.
    pub fn undo(&mut self) -> bool {
        if self.run.choices.pop().is_none() {
            return false;
        }
        if !matches!(self.run.ending, Ending::Error(_)) {
            self.states.pop();
        }
        self.look_around(None);
        true
    }

    /// Takes random choices, at most so many and until the run is over; gives the limit that is reached.
    pub fn at_random(&mut self, rng: &mut Rng, steps: usize, budget: &dyn Budget) -> Option<Spent> {
        for _ in 0..steps {
            if self.next.is_empty() {
                break;
            }
            let length = self.run.choices.len() as u64;
            let progress = Progress {
                states: length + 1,
                transitions: length,
                depth: length,
                ..Progress::default()
            };
            if let Some(spent) = budget.ask(&progress) {
                return Some(spent);
            }
            match self.at_random_once(rng) {
                Some(choice) => self.happens(choice),
                None => break,
            }
        }
        None
    }

    /// What happens next at random; nothing if nothing can.
    fn at_random_once(&mut self, rng: &mut Rng) -> Option<Choice> {
        let instance = Instance {
            machine: self.machine,
            frozen: &self.run.frozen,
        };
        let now = self.states.last().expect("at least the initial state");
        self.scheduler.draw(instance, now, rng)
    }

    fn instance(&self) -> Instance<'_> {
        Instance {
            machine: self.machine,
            frozen: &self.run.frozen,
        }
    }

    fn now(&self) -> &State {
        self.states.last().expect("at least the initial state")
    }

    /// Finds out what can happen next, and whether the run is over.
    fn look_around(&mut self, error: Option<RunError>) {
        (self.next, self.run.ending) = match error {
            Some(error) => (Vec::new(), Ending::Error(error)),
            None => {
                let next = self.instance().choices(self.now());
                let ending = if next.is_empty() {
                    Ending::StandsStill
                } else {
                    Ending::Open
                };
                (next, ending)
            }
        };
    }
}
