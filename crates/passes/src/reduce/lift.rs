//! Lifting of runs of the reduced Machine to runs of the original.
//!
//! A run is lifted by replaying it. Where the run loops, the original may need several iterations to return to
//! a state, since removed parts, or parts outside the cone of influence, may go on changing; they are a
//! function of the state, so it does return. States are compared up to shifts of counters, and a further
//! iteration has its messages shifted. Candidate shifts are tried; the audit of the lifted run confirms that it
//! is a run.

use crate::reduce::Removed;
use crate::reduce::fields::Fields;
use crate::reduce::variables::Vars;
use machine::{Choice, Instance, Machine, Shift, State, StepError};
use std::collections::BTreeSet;
use verdict::{Ending, Run};

/// The largest number of events of a lifted run.
const MAX_EVENTS: usize = 200_000;

/// A reduced Machine, with the maps needed to lift its runs.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The reduced Machine: it has the same answers.
    pub machine: Machine,
    /// The items that it lacks.
    pub removed: Vec<Removed>,
    steps: Vec<Step>,
}

/// The effect of one pass.
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
    /// An initial state with this image.
    fn initial(&self, instance: Instance<'_>, small: &State) -> Option<State> {
        match self {
            Map::Same => Some(small.clone()),
            Map::Fields(fields) => fields.initial(instance, small),
            Map::Vars(vars) => vars.initial(instance, small),
        }
    }

    /// The choice in a state with this image.
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
    /// A Machine from which nothing has been removed.
    pub(crate) fn whole(machine: &Machine) -> Shrunk {
        Shrunk {
            machine: machine.clone(),
            removed: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Appends the result of a pass.
    pub(crate) fn then(&mut self, machine: Machine, map: Map, removed: Vec<Removed>) {
        let before = std::mem::replace(&mut self.machine, machine);
        self.steps.push(Step { before, map });
        self.removed.extend(removed);
    }

    /// The run of the original Machine that corresponds to a run of the reduced one. None if it is not found,
    /// because it is too long or because of a defect.
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

/// Lifts a run whose loop closes only within the cone of influence to one whose loop closes on the whole state.
/// None if it is too long or because of a defect.
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

/// A run of the original under construction.
struct Replay<'a> {
    instance: Instance<'a>,
    map: &'a Map,
    state: State,
    choices: Vec<Choice>,
}

impl Replay<'_> {
    /// Replays choices; no choice may be an error.
    fn all(&mut self, choices: &[Choice]) -> Option<()> {
        match self.until_error(choices)? {
            None => Some(()),
            Some(_) => None,
        }
    }

    /// Replays choices; the last may be an error.
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

    /// Iterates the loop until its state recurs; returns the index of the choice at which that loop begins.
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

    /// The next iteration of the loop, with counters shifted by as much as they grew in the last one; none if
    /// no shift works.
    fn shifted(&self, before: &State, iteration: Vec<Choice>) -> Option<Vec<Choice>> {
        let machine = self.instance.machine;
        if machine.counters.is_empty() {
            return Some(iteration);
        }
        // Parts outside the cone may have another shift than parts inside; the first shift that can be replayed
        // is taken.
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

    /// The state in the form in which states are compared.
    fn without_clock(&self) -> State {
        let mut state = self.instance.machine.normalised(&self.state);
        state.clock = None;
        state
    }
}

/// The largest number of shifts of counters that are tried.
const MAX_SHIFTS: usize = 256;

/// The shifts of the counters of each class that may lie between two states.
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
        // The largest shift first: counters that lag behind are those that no code reads.
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
