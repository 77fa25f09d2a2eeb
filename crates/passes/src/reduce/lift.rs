//! The way back: from runs of the small Machine to runs of the original.
//!
//! A run is found again by replaying it. Where it loops, the original may need several rounds to come back
//! to where it was, since what was removed, or what is not relevant, may go on changing; as it is a function of
//! the state it does come back. States are compared up to shifts of counters, and a further round has its messages
//! shifted: by how much is tried, and whoever shows the run makes sure that it is one.

use crate::reduce::Removed;
use crate::reduce::fields::Fields;
use crate::reduce::variables::Vars;
use machine::{Choice, Instance, Machine, Shift, State, StepError};
use std::collections::BTreeSet;
use verdict::{Ending, Run};

/// A run with more events is not looked for.
const MAX_EVENTS: usize = 200_000;

/// A small Machine, and the way back to the one that it stands for.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The small Machine: it has the same answers.
    pub machine: Machine,
    /// What it lacks.
    pub removed: Vec<Removed>,
    steps: Vec<Step>,
}

/// What one pass did.
#[derive(Clone, Debug)]
struct Step {
    /// The Machine before it.
    before: Machine,
    map: Map,
}

/// How states before a pass are mapped to states after it.
#[derive(Clone, Debug)]
pub(crate) enum Map {
    /// Each to itself.
    Same,
    Fields(Fields),
    Vars(Vars),
}

impl Map {
    /// An initial state that is mapped to this one.
    fn initial(&self, instance: Instance<'_>, small: &State) -> Option<State> {
        match self {
            Map::Same => Some(small.clone()),
            Map::Fields(fields) => fields.initial(instance, small),
            Map::Vars(vars) => vars.initial(instance, small),
        }
    }

    /// The choice in a state that is mapped to this one.
    fn choice(&self, state: &State, small: &Choice) -> Option<Choice> {
        match self {
            Map::Same => Some(small.clone()),
            Map::Fields(fields) => fields.choice(state, small),
            Map::Vars(vars) => vars.choice(small),
        }
    }

    /// The state to which one is mapped.
    fn state(&self, machine: &Machine, state: &State) -> State {
        match self {
            Map::Same => state.clone(),
            Map::Fields(fields) => fields.state(machine, state),
            Map::Vars(vars) => vars.state(machine, state),
        }
    }
}

impl Shrunk {
    /// A Machine of which nothing has been taken away.
    pub(crate) fn whole(machine: &Machine) -> Shrunk {
        Shrunk {
            machine: machine.clone(),
            removed: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Goes on to what a pass made of the Machine.
    pub(crate) fn then(&mut self, machine: Machine, map: Map, removed: Vec<Removed>) {
        let before = std::mem::replace(&mut self.machine, machine);
        self.steps.push(Step { before, map });
        self.removed.extend(removed);
    }

    /// The run of the original Machine that a run of the small one stands for. Nothing if it is not found,
    /// because it is too long or because something is wrong.
    pub fn lift(&self, run: &Run) -> Option<Run> {
        let mut run = run.clone();
        for step in self.steps.iter().rev() {
            run = step.lift(&run)?;
        }
        Some(run)
    }

    /// The state of the small Machine to which one of the original is mapped.
    pub fn image(&self, state: &State) -> State {
        let mut state = state.clone();
        for step in &self.steps {
            state = step.map.state(&step.before, &state);
        }
        state
    }
}

/// The run whose loop comes back to the whole state where it began, if it came back to all that is relevant.
/// Nothing if it is too long or if something is wrong.
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
                let (before, round) = run.choices.split_at_checked(*from)?;
                replay.all(before)?;
                Ending::Loops(replay.rounds(before.last(), round)?)
            }
            Ending::Error(said) => match replay.until_error(&run.choices)? {
                Some(found) => Ending::Error(found),
                None => Ending::Error(said.clone()),
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

/// A run of the original while it is found.
struct Replay<'a> {
    instance: Instance<'a>,
    map: &'a Map,
    state: State,
    choices: Vec<Choice>,
}

impl Replay<'_> {
    /// Takes the choices; there must be no error.
    fn all(&mut self, choices: &[Choice]) -> Option<()> {
        match self.until_error(choices)? {
            None => Some(()),
            Some(_) => None,
        }
    }

    /// Takes the choices; the last may be an error.
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

    /// Goes round until it comes back to where a round began; the number of the choice that began it.
    fn rounds(&mut self, last: Option<&Choice>, round: &[Choice]) -> Option<usize> {
        let first = self.choices.len();
        let mut round = round.to_vec();
        let began = last.and_then(|c| c.time.clone()).unwrap_or_default();
        let lasts = round.last()?.time.clone().map(|ended| ended - began);
        let mut seen = vec![self.without_clock()];
        loop {
            let before = self.state.clone();
            self.all(&round)?;
            let now = self.without_clock();
            if let Some(place) = seen.iter().position(|state| *state == now) {
                return Some(first + place * round.len());
            }
            seen.push(now);
            if self.choices.len() > MAX_EVENTS {
                return None;
            }
            for choice in &mut round {
                if let (Some(time), Some(lasts)) = (&mut choice.time, &lasts) {
                    *time = &*time + lasts;
                }
            }
            round = self.shifted(&before, round)?;
        }
    }

    /// The next round, in which counters are as much greater as they have become in the last one; nothing if it is not
    /// found.
    fn shifted(&self, before: &State, round: Vec<Choice>) -> Option<Vec<Choice>> {
        let machine = self.instance.machine;
        if machine.counters.is_empty() {
            return Some(round);
        }
        // What is not relevant may have another shift than what is: the first that can be followed is taken.
        let shifts = shifts(machine, before, &self.state);
        shifts.into_iter().find_map(|by| {
            let round = round.iter().map(|c| machine.shifted_choice(c, &[], &by));
            let round: Vec<Choice> = round.collect();
            let mut state = self.state.clone();
            for small in &round {
                let choice = self.map.choice(&state, small)?;
                state = self.instance.step(&state, &choice).ok()?;
            }
            Some(round)
        })
    }

    /// The state as it is compared with others.
    fn without_clock(&self) -> State {
        let mut state = self.instance.machine.normalised(&self.state);
        state.clock = None;
        state
    }
}

/// The most shifts of counters that are tried.
const MAX_SHIFTS: usize = 256;

/// By how much the counters of each class may have been shifted between two states.
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
        // The largest first: what stays behind is what nobody reads.
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
