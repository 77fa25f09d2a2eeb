//! The lift of runs of the reduced Machine to runs of the original.
//!
//! A run is lifted by replaying it on the original Machine. The cycle of a lasso may need several iterations until a
//! state recurs, because removed parts, or parts outside the cone of influence, may still change. They change as a
//! function of the state, so some state recurs. States are compared up to shifts of counters; the messages of each
//! further iteration are shifted. Candidate shifts are tried, and the audit of the lifted run confirms that it is a
//! run.

use crate::reduce::Removed;
use crate::reduce::fields::Fields;
use crate::reduce::variables::Vars;
use machine::{Choice, Instance, Machine, Shift, State, StepError};
use std::collections::BTreeSet;
use verdict::{Ending, Run};

/// The largest number of events of a lifted run.
const MAX_EVENTS: usize = 200_000;

/// A reduced Machine, with the data for lifting its runs.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The reduced Machine. All its properties have the same answers as in the original.
    pub machine: Machine,
    /// What was removed from the original.
    pub removed: Vec<Removed>,
    steps: Vec<Step>,
}

/// One application of a pass.
#[derive(Clone, Debug)]
struct Step {
    /// The Machine before the pass.
    before: Machine,
    map: Map,
}

/// The map from states before a pass to states after it.
#[derive(Clone, Debug)]
pub(crate) enum Map {
    /// The identity.
    Same,
    Fields(Fields),
    Vars(Vars),
}

impl Map {
    /// An initial state before the pass whose image is `small`; `None` if none is found.
    fn initial(&self, instance: Instance<'_>, small: &State) -> Option<State> {
        match self {
            Map::Same => Some(small.clone()),
            Map::Fields(fields) => fields.initial(instance, small),
            Map::Vars(vars) => vars.initial(instance, small),
        }
    }

    /// The choice in `state` whose image is `small`; `None` if there is none.
    fn choice(&self, state: &State, small: &Choice) -> Option<Choice> {
        match self {
            Map::Same => Some(small.clone()),
            Map::Fields(fields) => fields.choice(state, small),
            Map::Vars(vars) => vars.choice(small),
        }
    }

    /// The image of a state.
    fn state(&self, machine: &Machine, state: &State) -> State {
        match self {
            Map::Same => state.clone(),
            Map::Fields(fields) => fields.state(machine, state),
            Map::Vars(vars) => vars.state(machine, state),
        }
    }
}

impl Shrunk {
    /// A Machine with nothing removed.
    pub(crate) fn whole(machine: &Machine) -> Shrunk {
        Shrunk {
            machine: machine.clone(),
            removed: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Records the result of a pass.
    pub(crate) fn then(&mut self, machine: Machine, map: Map, removed: Vec<Removed>) {
        let before = std::mem::replace(&mut self.machine, machine);
        self.steps.push(Step { before, map });
        self.removed.extend(removed);
    }

    /// The run of the original Machine that corresponds to a run of the reduced one. `None` if the lifted run becomes
    /// too long, or if a pass has a bug.
    pub fn lift(&self, run: &Run) -> Option<Run> {
        let mut run = run.clone();
        for step in self.steps.iter().rev() {
            run = step.lift(&run)?;
        }
        Some(run)
    }

    /// The image of a state of the original Machine.
    pub fn image(&self, state: &State) -> State {
        let mut state = state.clone();
        for step in &self.steps {
            state = step.map.state(&step.before, &state);
        }
        state
    }
}

/// Lifts a lasso whose cycle returns to a state that is equal only within the cone of influence. The cycle of the
/// result returns to the same whole state. `None` if the run becomes too long, or if the computation of the cone has a
/// bug.
pub fn lift_from_cone(machine: &Machine, run: &Run) -> Option<Run> {
    let step = Step {
        before: machine.clone(),
        map: Map::Same,
    };
    step.lift(run)
}

impl Step {
    fn lift(&self, run: &Run) -> Option<Run> {
        let instance = Instance {
            machine: &self.before,
            frozen: &run.frozen,
        };
        let initial = self.map.initial(instance, &run.initial)?;
        let mut replay = Replay {
            instance,
            map: &self.map,
            state: initial.clone(),
            choices: Vec::new(),
        };
        let ending = match &run.ending {
            Ending::Loops(from) => {
                let (before, iteration) = run.choices.split_at_checked(*from)?;
                replay.all(before)?;
                Ending::Loops(replay.close_loop(before.last(), iteration)?)
            }
            Ending::Error(reported) => match replay.until_error(&run.choices)? {
                Some(found) => Ending::Error(found),
                None => Ending::Error(reported.clone()),
            },
            Ending::Open | Ending::StandsStill => {
                replay.all(&run.choices)?;
                run.ending.clone()
            }
        };
        Some(Run {
            frozen: run.frozen.clone(),
            initial,
            choices: replay.choices,
            ending,
        })
    }
}

/// A run of the Machine before the pass, under construction.
struct Replay<'a> {
    instance: Instance<'a>,
    map: &'a Map,
    state: State,
    choices: Vec<Choice>,
}

impl Replay<'_> {
    /// Replays choices; `None` if one of them is not enabled or is a runtime error.
    fn all(&mut self, choices: &[Choice]) -> Option<()> {
        match self.until_error(choices)? {
            None => Some(()),
            Some(_) => None,
        }
    }

    /// Replays choices. `Some(Some(e))` if the last one is a runtime error e; `None` if a choice is not enabled or an
    /// earlier one is an error.
    fn until_error(&mut self, choices: &[Choice]) -> Option<Option<machine::RunError>> {
        for (i, small) in choices.iter().enumerate() {
            let choice = self.map.choice(&self.state, small)?;
            let next = self.instance.step(&self.state, &choice);
            self.choices.push(choice);
            match next {
                Ok(next) => self.state = next,
                Err(StepError::Error(error)) if i + 1 == choices.len() => return Some(Some(error)),
                Err(_) => return None,
            }
        }
        Some(None)
    }

    /// Repeats the cycle until a state recurs at its start. Returns the index of the first choice of the closed cycle;
    /// `None` if the run becomes too long.
    fn close_loop(&mut self, last: Option<&Choice>, iteration: &[Choice]) -> Option<usize> {
        let first = self.choices.len();
        let mut iteration = iteration.to_vec();
        let began = last.and_then(|c| c.time.clone()).unwrap_or_default();
        let duration = iteration.last()?.time.clone().map(|ended| ended - began);
        let mut seen = vec![self.without_clock()];
        loop {
            let before = self.state.clone();
            self.all(&iteration)?;
            let now = self.without_clock();
            if let Some(place) = seen.iter().position(|state| *state == now) {
                return Some(first + place * iteration.len());
            }
            seen.push(now);
            if self.choices.len() > MAX_EVENTS {
                return None;
            }
            for choice in &mut iteration {
                if let (Some(time), Some(duration)) = (&mut choice.time, &duration) {
                    *time = &*time + duration;
                }
            }
            iteration = self.shifted(&before, iteration)?;
        }
    }

    /// The next iteration of the cycle, with counters shifted by the amount by which they grew in the last iteration.
    /// `None` if no candidate shift can be replayed.
    fn shifted(&self, before: &State, iteration: Vec<Choice>) -> Option<Vec<Choice>> {
        let machine = self.instance.machine;
        if machine.counters.is_empty() {
            return Some(iteration);
        }
        // Parts outside the cone may be shifted by another amount than parts inside. The first shift that can be
        // replayed is taken.
        let shifts = shifts(machine, before, &self.state);
        shifts.into_iter().find_map(|by| {
            let iteration = iteration
                .iter()
                .map(|c| machine.shifted_choice(c, &[], &by));
            let iteration: Vec<Choice> = iteration.collect();
            let mut state = self.state.clone();
            for small in &iteration {
                let choice = self.map.choice(&state, small)?;
                state = self.instance.step(&state, &choice).ok()?;
            }
            Some(iteration)
        })
    }

    /// The state in the form in which states are compared: in normal form and without the clock.
    fn without_clock(&self) -> State {
        let mut state = self.instance.machine.normalised(&self.state);
        state.clock = None;
        state
    }
}

/// The maximum number of candidate shifts that are tried.
const MAX_SHIFTS: usize = 256;

/// Candidate shifts between two states: for each class, 0 and the differences of corresponding counters.
fn shifts(machine: &Machine, before: &State, after: &State) -> Vec<Shift> {
    let mut found: Vec<BTreeSet<i64>> = vec![BTreeSet::from([0]); machine.counters.len()];
    for (node, (a, b)) in machine.nodes().zip(before.nodes.iter().zip(&after.nodes)) {
        let vars = machine.vars_of(machine.kind_of(node));
        for (var, (a, b)) in vars.zip(a.vars.iter().zip(&b.vars)) {
            let counters = |value| {
                let mut all = Vec::new();
                machine.each_counter(&var.ty, value, &mut |class, c| all.push((class, c)));
                all
            };
            for ((class, a), (_, b)) in counters(a).into_iter().zip(counters(b)) {
                found[class.index()].insert(b - a);
            }
        }
    }
    let mut all: Vec<Shift> = vec![Vec::new()];
    for class in found {
        // The largest shift is tried first: only counters that no code reads lag behind.
        let with = |by: &Shift| {
            class
                .iter()
                .rev()
                .map(|c| [&by[..], &[*c]].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).take(MAX_SHIFTS).collect();
    }
    all
}
