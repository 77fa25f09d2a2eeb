//! The stepper: a run that is extended choice by choice, by hand or at random, and taken back.
//!
//! The stepper uses only the reference interpreter: [`Instance::choices`] gives the enabled choices, and [`Instance::step`] the next
//! state. So every run of a stepper is a run of the Machine.

use crate::initial::{InitialSampler, NoInitial};
use crate::scheduler::Scheduler;
use machine::random::Rng;
use machine::{Choice, Frozen, Instance, Machine, RunError, State, StepError};
use rational::Rational;
use verdict::{Budget, Ending, Progress, Run, Spent};

/// A run under construction.
pub struct Stepper<'m> {
    machine: &'m Machine,
    run: Run,
    states: Vec<State>,
    /// The enabled choices; empty if the run is over.
    next: Vec<Choice>,
    /// Draws random steps.
    scheduler: Scheduler,
}

/// The event is not enabled at the given time; it is enabled in this interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotThen(pub Moments);

/// The interval in which an event is enabled; without an upper bound if the second time is missing.
pub type Moments = (Rational, Option<Rational>);

/// Reads a time such as `55.5 ms` or `166/3`. A number without a unit is in the unit of the model.
pub fn read_time(text: &str, unit: Option<&str>) -> Option<Rational> {
    let text = text.trim();
    let number = unit.and_then(|unit| text.strip_suffix(unit));
    number.unwrap_or(text).trim().parse().ok()
}

/// A random run of at most `steps` events from a random initial state, and the limit that ended it early.
///
/// [`Scheduler`] defines the probabilities. The same random numbers give the same run.
pub fn walk(
    machine: &Machine,
    rng: &mut Rng,
    steps: usize,
    budget: &dyn Budget,
) -> Result<(Run, Option<Spent>), NoInitial> {
    let mut stop = || budget.ask(&Progress::default()).is_some();
    let (frozen, initial) = InitialSampler::new(machine, None).draw(rng, &mut stop)?;
    let mut stepper = Stepper::begin(machine, frozen, initial);
    let spent = stepper.at_random(rng, steps, budget);
    Ok((stepper.run, spent))
}

impl<'m> Stepper<'m> {
    /// A stepper in its initial state.
    pub fn begin(machine: &'m Machine, frozen: Frozen, initial: State) -> Stepper<'m> {
        let mut stepper = Stepper {
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
        stepper.update_next(None);
        stepper
    }

    /// The run so far. Its ending is set if it is over.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The states of the run: the initial state, and the state after each choice. An error has no state.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The enabled choices, each at its earliest time; empty if the run is over.
    pub fn next(&self) -> &[Choice] {
        &self.next
    }

    /// The state after an enabled choice, or the error that it causes.
    pub fn after(&self, choice: &Choice) -> Result<State, RunError> {
        match self.instance().step(self.now(), choice) {
            Ok(state) => Ok(state),
            Err(StepError::Error(error)) => Err(error),
            Err(StepError::NotEnabled) => unreachable!("one of the enabled choices"),
        }
    }

    /// Fires one of the [enabled choices](Stepper::next).
    ///
    /// # Panics
    /// If there is no choice with this number.
    pub fn take(&mut self, number: usize) {
        self.fire(self.next[number].clone());
    }

    /// The interval in which one of the [enabled choices](Stepper::next) can fire; `None` without times.
    pub fn moments(&self, number: usize) -> Option<Moments> {
        self.instance()
            .enabled_interval(self.now(), &self.next[number].event)
    }

    /// Fires one of the [enabled choices](Stepper::next) at a time. In a Machine without times the time is ignored.
    pub fn take_at(&mut self, number: usize, time: Rational) -> Result<(), NotThen> {
        let mut choice = self.next[number].clone();
        if let Some((from, to)) = self.moments(number) {
            if time < from || to.as_ref().is_some_and(|to| time > *to) {
                return Err(NotThen((from, to)));
            }
            choice.time = Some(time);
        }
        self.fire(choice);
        Ok(())
    }

    fn fire(&mut self, choice: Choice) {
        let error = match self.after(&choice) {
            Ok(state) => {
                self.states.push(state);
                None
            }
            Err(error) => Some(error),
        };
        self.run.choices.push(choice);
        self.update_next(error);
    }

    /// Takes the last choice back; returns false if there is none.
    pub fn undo(&mut self) -> bool {
        if self.run.choices.pop().is_none() {
            return false;
        }
        if !matches!(self.run.ending, Ending::Error(_)) {
            self.states.pop();
        }
        self.update_next(None);
        true
    }

    /// Fires at most `steps` random choices, until the run is over. Returns the limit that was reached.
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
            match self.draw(rng) {
                Some(choice) => self.fire(choice),
                None => break,
            }
        }
        None
    }

    /// Draws the next choice; `None` if no choice is enabled.
    fn draw(&mut self, rng: &mut Rng) -> Option<Choice> {
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

    /// Computes the enabled choices, and whether the run is over.
    fn update_next(&mut self, error: Option<RunError>) {
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
