//! Replays a run choice by choice, and checks its fairness.

use crate::rejected::{Rejected, reject};
use crate::replay::loop_closure::is_later_copy;
use machine::{
    Choice, Effect, Event, Frozen, Instance, Machine, Order, Outcome, RecordId, RunError, State,
    StepError, Unit, Value,
};
use verdict::{Ending, Run};

/// The states of a replayed run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The initial state, and the state after each choice. A choice that ends in an error has no state.
    pub states: Vec<State>,
    /// The error in which the last choice ends, if any.
    pub error: Option<RunError>,
}

/// Replays a run on the reference interpreter. Rejects it if a choice is not enabled, or if the run does not begin or
/// end as it says.
pub fn replay(machine: &Machine, run: &Run) -> Result<Replayed, Rejected> {
    if !is_frozen(machine, &run.frozen) {
        return reject("what is rigid in the run is no instance of the machine");
    }
    let instance = Instance {
        machine,
        frozen: &run.frozen,
    };
    match instance.is_initial(&run.initial) {
        Ok(true) => {}
        _ => return reject("the run does not begin in an initial state"),
    }
    let mut states = vec![run.initial.clone()];
    let mut error = None;
    for (i, choice) in run.choices.iter().enumerate() {
        let before = states.last().expect("at least the initial state");
        match instance.step(before, choice) {
            Ok(next) => states.push(next),
            Err(StepError::Error(found)) if i + 1 == run.choices.len() => error = Some(found),
            Err(StepError::Error(_)) => {
                return reject(format!("event {} is an error, and the run goes on", i + 1));
            }
            Err(StepError::NotEnabled) => {
                return reject(format!("event {} is not possible there", i + 1));
            }
        }
    }
    let last = states.last().expect("at least the initial state");
    match &run.ending {
        Ending::Open => {}
        Ending::Error(reported) => {
            if error.as_ref().is_some_and(|found| found != reported) {
                return reject("the run ends in another error");
            }
        }
        Ending::StandsStill => {
            let owed = |choice: &Choice| {
                !instance.units(&choice.event).is_empty() || choice.event == Event::Wait
            };
            if instance.choices(last).iter().any(owed) {
                return reject("the run stands still although something can happen");
            }
        }
        Ending::Loops(from) => {
            let loop_choices = run.choices.get(*from..).unwrap_or_default();
            if loop_choices.is_empty() || !is_later_copy(instance, &states[*from], last) {
                return reject("the loop does not come back to where it began");
            }
            // With digitised time, a loop in which no time passes is no run.
            if machine.digitisation().is_some()
                && loop_choices.iter().all(|c| c.event != Event::Wait)
            {
                return reject("the loop takes no time");
            }
        }
    }
    if error.is_some() && !matches!(run.ending, Ending::Error(_)) {
        return reject("the run ends in an error and does not say so");
    }
    Ok(Replayed { states, error })
}

impl Replayed {
    /// Checks that the run is weakly fair, and strongly fair to messages on lossy edges.
    pub(crate) fn is_fair(&self, instance: Instance<'_>, run: &Run) -> Result<(), Rejected> {
        let Ending::Loops(from) = run.ending else {
            return Ok(()); // no event is enabled, so fairness requires nothing
        };
        // A message that contains a counter that grows in the loop is not the same message in the next iteration, so it
        // does not stay in a bag for ever.
        let machine = instance.machine;
        let last = self.states.last().expect("at least the initial state");
        let ends = [&self.states[from], last].map(|state| machine.least_counters(state));
        let shift: Vec<i64> = ends[0]
            .iter()
            .zip(&ends[1])
            .map(|(a, b)| b.unwrap_or(0) - a.unwrap_or(0))
            .collect();
        let stays = |unit: &Unit| match unit {
            Unit::Message(_, message) => machine.can_stay_in_bag(message, &shift),
            _ => true,
        };
        let events = run.choices[from..].iter().map(|choice| &choice.event);
        let taken: Vec<_> = events.flat_map(|event| instance.units(event)).collect();
        let mut owed: Option<Vec<_>> = None;
        for state in &self.states[from..] {
            // With dense time, an event may be enabled only at a later time than that of the state.
            let now = state.clock.as_ref().map(|clock| clock.now.clone());
            let at_once = |event: &Event| match instance.enabled_interval(state, event) {
                Some((from, _)) => Some(from) <= now,
                None => now.is_none(),
            };
            // Fairness does not depend on the picks within an event.
            let missed = |event: &Event| {
                let mut units = instance.units(event);
                units.retain(|unit| !taken.contains(unit) && stays(unit));
                (!units.is_empty() && at_once(event)).then_some(units)
            };
            let events = instance.events(state);
            let possible: Vec<_> = events.iter().filter_map(missed).flatten().collect();
            let still: Vec<_> = match owed {
                None => possible,
                Some(mut old) => {
                    old.retain(|unit| possible.contains(unit));
                    old
                }
            };
            if still.is_empty() {
                return self.is_fair_to_lossy_edges(instance, run, from);
            }
            owed = Some(still);
        }
        if let Some(unit) = owed.unwrap_or_default().first() {
            return reject(format!(
                "the loop is not fair: {unit:?} stays possible and never happens"
            ));
        }
        self.is_fair_to_lossy_edges(instance, run, from)
    }

    fn is_fair_to_lossy_edges(
        &self,
        instance: Instance<'_>,
        run: &Run,
        from: usize,
    ) -> Result<(), Rejected> {
        let machine = instance.machine;
        for edge in 0..machine.edges.len() {
            for record in (0..machine.records.len() as u32).map(RecordId) {
                let for_ever = |f: &machine::MessageFault| {
                    f.effect == Effect::Lose
                        && f.limit.is_none()
                        && f.of.is_none_or(|of| of == record)
                };
                if !machine.faults.iter().any(for_ever) {
                    continue;
                }
                let on_edge = |state: &State| {
                    state.edges[edge]
                        .iter()
                        .filter(|m| m.record() == record)
                        .count()
                };
                let leaves = |event: &Event| match event {
                    Event::Deliver(e, m, outcome) => {
                        e.index() == edge
                            && m.record() == record
                            && !matches!(outcome, Outcome::Repeat(..))
                    }
                    _ => false,
                };
                let arrives = |event: &Event| match event {
                    Event::Deliver(e, m, outcome) => {
                        e.index() == edge
                            && m.record() == record
                            && !matches!(outcome, Outcome::Lose(_))
                    }
                    _ => false,
                };
                let mut put = false;
                for (i, choice) in run.choices.iter().enumerate().skip(from) {
                    let before = on_edge(&self.states[i]) - usize::from(leaves(&choice.event));
                    put |= on_edge(&self.states[i + 1]) > before;
                }
                if put && !run.choices[from..].iter().any(|c| arrives(&c.event)) {
                    return reject(
                        "the loop is not fair: a lossy edge loses all of a message type for ever",
                    );
                }
            }
        }
        Ok(())
    }
}

/// Whether the frozen variables, faults and periods of a run are an instance of the Machine.
fn is_frozen(machine: &Machine, frozen: &Frozen) -> bool {
    let mut ids: Vec<&Value> = Vec::new();
    let instance = Instance { machine, frozen };
    machine.can_have_faults(&frozen.faults)
        && instance.periods_fit()
        && machine.frozen_vars.len() == frozen.values.len()
        && machine
            .frozen_vars
            .iter()
            .zip(&frozen.values)
            .all(|(var, values)| {
                let fits = values.len() == machine.kinds[var.kind.index()].count as usize
                    && values.iter().all(|value| machine.is_of(value, &var.ty));
                fits && match &var.order {
                    Order::Every => true,
                    Order::Given(given) => given == values,
                    Order::Arrangement => values.iter().all(|value| {
                        let new = !ids.contains(&value);
                        ids.push(value);
                        new
                    }),
                }
            })
}
