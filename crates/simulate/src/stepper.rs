//! The stepper: extends a run event by event, chosen by the user or at random, and undoes events.
//!
//! The stepper uses only the reference interpreter: [`Instance::choices`] gives the enabled choices, and
//! [`Instance::step`] the successor state. So every run of a stepper is a run of the Machine.

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
    /// The enabled choices; empty if no event is enabled or the run ended in an error.
    next: Vec<Choice>,
    /// Chooses random events.
    scheduler: Scheduler,
}

/// The error that an event is not enabled at the given time, with the interval in which it is enabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotThen(pub Moments);

/// The interval in which an event is enabled. `None` as the second time means that there is no upper bound.
pub type Moments = (Rational, Option<Rational>);

/// Parses a time such as `55.5 ms` or `166/3`. `unit` is the unit of the model, which may be left out in `text`. `None`
/// if the text is not a time.
pub fn read_time(text: &str, unit: Option<&str>) -> Option<Rational> {
    let text = text.trim();
    let number = unit.and_then(|unit| text.strip_suffix(unit));
    number.unwrap_or(text).trim().parse().ok()
}

/// A random run of at most `steps` events from a random initial state. The second result is the limit of the budget
/// that ended the run early, if any.
///
/// [`Scheduler`] defines the distribution. The same state of `rng` gives the same run.
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
    /// A stepper at the start of a run with this initial state.
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

    /// The run so far. Its ending says whether the run is over.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The states of the run: the initial state, and the state after each choice. A last choice that ends in an error
    /// has no state after it.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The enabled choices, each at its earliest time; empty if the run is over.
    pub fn next(&self) -> &[Choice] {
        &self.next
    }

    /// The state after an enabled choice, or the error in which it ends.
    pub fn after(&self, choice: &Choice) -> Result<State, RunError> {
        match self.instance().step(self.now(), choice) {
            Ok(state) => Ok(state),
            Err(StepError::Error(error)) => Err(error),
            Err(StepError::NotEnabled) => unreachable!("one of the enabled choices"),
        }
    }

    /// Fires one of the [enabled choices](Stepper::next), given by its index.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn take(&mut self, number: usize) {
        self.fire(self.next[number].clone());
    }

    /// The interval in which one of the [enabled choices](Stepper::next) can fire; `None` if the Machine has no time.
    pub fn moments(&self, number: usize) -> Option<Moments> {
        self.instance()
            .enabled_interval(self.now(), &self.next[number].event)
    }

    /// Fires one of the [enabled choices](Stepper::next) at the given time. If the Machine has no time, `time` is
    /// ignored.
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

    /// Undoes the last choice. Returns false if there is none.
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

    /// Fires at most `steps` random choices, fewer if the run ends before. Returns the limit of the budget that was
    /// reached, if any.
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

    /// Draws the next choice; `None` if no event is enabled.
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

    /// Computes the enabled choices and the ending of the run. `error` is the error in which the last choice ended.
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
