//! Monitors: evaluate a property on a random run.

use audit::Replayed;
use machine::{Choice, Event, Expr, Instance, Machine, PropertyKind, RunError, State};
use rational::Rational;
use simulate::RandomRun;
use verdict::{Ending, Run};

/// A property in the form in which it is evaluated on many runs.
#[derive(Clone, Debug)]
pub(crate) enum Monitor {
    /// A claim `always C` with a condition C.
    Invariant(Condition),
    /// The condition of `possible`.
    Reach(Condition),
    /// A claim of another form; the index of its property.
    Temporal(usize),
    /// For each value of the searched argument, in the order of the search, the claim `always C` for this value.
    Sought(Vec<Candidate>),
}

/// A condition on states, and the index of its property.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    property: usize,
    condition: Expr,
}

/// The claim for one value of the searched argument.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    value: i64,
    body: Condition,
    /// The premise of the claim. If it is true in no state of a run, the claim is vacuously true on the run.
    premise: Option<Expr>,
}

/// The result of a monitor on one run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Observation {
    /// The run violates the claim or reaches the condition.
    Hit(Prefix),
    /// The run ends in an error before that.
    Error(Prefix),
    /// The run neither violates the claim nor reaches the condition.
    Nothing,
    /// The run was cut off, and the claim depends on its continuation.
    Undecided,
    /// For a searched argument: the first value for which the run satisfies the claim, and the last value before it for
    /// which the run violates the claim.
    Value(Allowed),
}

/// The prefix of a run that shows an observation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prefix {
    /// The index of the property.
    pub(crate) property: usize,
    /// The number of events in the prefix.
    pub(crate) events: usize,
    /// If set, the prefix ends with a wait until this time.
    until: Option<Rational>,
    /// How the prefix ends.
    ending: Ending,
}

impl Prefix {
    /// The prefix of this run, as a run.
    pub(crate) fn of(&self, run: &Run) -> Run {
        let mut choices = run.choices[..self.events].to_vec();
        choices.extend(self.until.as_ref().map(wait));
        Run {
            choices,
            ending: self.ending.clone(),
            ..run.clone()
        }
    }
}

/// For a searched argument: which values a run satisfies and violates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Allowed {
    /// The first value for which the run satisfies the claim. `None` if there is none, or if the run satisfies it only
    /// vacuously and violates it for an earlier value.
    pub(crate) value: Option<i64>,
    /// The last value before `value` for which the run violates the claim, and the prefix that shows it.
    pub(crate) broken: Option<(i64, Prefix)>,
    /// The [`moment`] from which on the claim for the first value is true up to the end; `None` if it is false at the
    /// end.
    pub(crate) settled: Option<f64>,
}

impl Monitor {
    /// The monitor of a property of a Machine, given by its index.
    pub(crate) fn of(machine: &Machine, property: usize) -> Monitor {
        let condition = |condition: Expr| Condition {
            property,
            condition,
        };
        match &machine.properties[property].kind {
            PropertyKind::Possible(reach) => Monitor::Reach(condition(reach.clone())),
            PropertyKind::Claim(claim) => match claim.invariant() {
                Some(invariant) => Monitor::Invariant(condition(invariant)),
                None => Monitor::Temporal(property),
            },
        }
    }

    /// The monitor of a claim for several values; `values` has each value with the index of its property. `None` if a
    /// claim does not have the form `always C`.
    pub(crate) fn sought(machine: &Machine, values: &[(i64, usize)]) -> Option<Monitor> {
        let candidates = values.iter().map(|(value, property)| {
            let PropertyKind::Claim(claim) = &machine.properties[*property].kind else {
                return None;
            };
            Some(Candidate {
                value: *value,
                body: Condition {
                    property: *property,
                    condition: claim.invariant()?,
                },
                premise: claim.premise(),
            })
        });
        Some(Monitor::Sought(candidates.collect::<Option<_>>()?))
    }

    /// Evaluates the property on a run.
    pub(crate) fn observe(&self, machine: &Machine, random_run: &RandomRun) -> Observation {
        let run = &random_run.run;
        let instance = Instance {
            machine,
            frozen: &run.frozen,
        };
        match self {
            Monitor::Invariant(condition) => condition.first(instance, random_run, false),
            Monitor::Reach(condition) => condition.first(instance, random_run, true),
            Monitor::Temporal(property) => temporal(instance, *property, random_run),
            Monitor::Sought(candidates) => sought(instance, candidates, random_run),
        }
    }
}

impl Condition {
    /// A hit at the first moment at which the condition has the wanted value. If the condition has no value in a state
    /// before, or the run ends in an error, the result is an error; otherwise nothing.
    fn first(&self, instance: Instance<'_>, random_run: &RandomRun, wanted: bool) -> Observation {
        for (events, state) in random_run.states.iter().enumerate() {
            match instance.holds(state, &self.condition, &[]) {
                Ok(value) if value == wanted => {
                    return Observation::Hit(Prefix {
                        property: self.property,
                        events,
                        until: None,
                        ending: Ending::Open,
                    });
                }
                Ok(_) => {}
                Err(error) => return failed(self.property, events, error),
            }
            // The condition may also change between two events, while time passes.
            if let Some(until) = self.until(instance.machine, random_run, events)
                && let Ok(later) = instance.step(state, &wait(&until))
                && instance.holds(&later, &self.condition, &[]) == Ok(wanted)
            {
                return Observation::Hit(Prefix {
                    property: self.property,
                    events,
                    until: Some(until),
                    ending: Ending::Open,
                });
            }
        }
        ended(self.property, random_run).unwrap_or(Observation::Nothing)
    }

    /// The time at which the condition is evaluated again before the next event. It is the time of the next event;
    /// after the last event of a run that ends, it is a time later than all constants in the condition. `None` if no
    /// time passes or the condition does not read time.
    fn until(&self, machine: &Machine, random_run: &RandomRun, events: usize) -> Option<Rational> {
        let (mut timed, mut last, mut deadline) = (false, Rational::default(), Rational::default());
        self.condition.walk(&mut |e| match e {
            Expr::Now(_, time) => {
                timed = true;
                last = last.clone().max(time.clone());
            }
            Expr::Overdue(response) => {
                timed = true;
                let within = machine.responses[response.index()].within.clone();
                deadline = deadline.clone().max(within);
            }
            _ => {}
        });
        let now = &random_run.states[events]
            .clock
            .as_ref()
            .filter(|_| timed)?
            .now;
        match random_run.run.choices.get(events) {
            Some(next) => next.time.clone().filter(|time| time > now),
            None if random_run.run.ending == Ending::StandsStill => {
                Some((now + deadline).max(last) + Rational::ONE)
            }
            None => None,
        }
    }
}

/// The event of waiting until a time.
fn wait(until: &Rational) -> Choice {
    Choice {
        event: Event::Wait,
        picks: Vec::new(),
        time: Some(until.clone()),
    }
}

/// Evaluates a claim that does not have the form `always C`. The result is an error if the run ends in one or the claim
/// has no value in a state; otherwise it is undecided unless no event is enabled at the end of the run.
fn temporal(instance: Instance<'_>, property: usize, random_run: &RandomRun) -> Observation {
    let asked = &instance.machine.properties[property];
    for (events, state) in random_run.states.iter().enumerate() {
        if let Some(error) = audit::no_value(instance, asked, state) {
            return failed(property, events, error);
        }
    }
    if let Some(error) = ended(property, random_run) {
        return error;
    }
    let (PropertyKind::Claim(claim), Ending::StandsStill) = (&asked.kind, &random_run.run.ending)
    else {
        return Observation::Undecided;
    };
    let replayed = Replayed {
        states: random_run.states.clone(),
        error: None,
    };
    match audit::holds_on(instance, claim, &[], &replayed, &random_run.run) {
        Ok(true) => Observation::Nothing,
        Ok(false) => Observation::Hit(whole(property, random_run)),
        Err(_) => Observation::Undecided,
    }
}

/// Finds the first value for which the claim is true in all states. Each value is evaluated on the whole run, so the
/// result does not assume that the claim is monotone in the value.
fn sought(instance: Instance<'_>, candidates: &[Candidate], random_run: &RandomRun) -> Observation {
    let mut allowed = Allowed {
        value: None,
        broken: None,
        settled: None,
    };
    let holds = |state: &State, condition: &Expr| instance.holds(state, condition, &[]);
    let Some(first) = candidates.first() else {
        return Observation::Value(allowed);
    };
    if let Some(error) = ended(first.body.property, random_run) {
        return error;
    }
    for candidate in candidates {
        let observation = candidate.body.first(instance, random_run, false);
        match observation {
            Observation::Nothing => {
                let premise = candidate.premise.as_ref();
                let is_met = |premise| {
                    random_run
                        .states
                        .iter()
                        .any(|s| holds(s, premise) == Ok(true))
                };
                // For a large value, the claim may be vacuous only because the run is too short.
                let counts = allowed.broken.is_none() || premise.is_none_or(is_met);
                allowed.value = counts.then_some(candidate.value);
                break;
            }
            Observation::Hit(prefix) => allowed.broken = Some((candidate.value, prefix)),
            other => return other,
        }
    }
    let is_false = |state: &State| holds(state, &first.body.condition) != Ok(true);
    let last = random_run.states.iter().rposition(is_false);
    let settled = last.map_or(0, |last| last + 1);
    let settled = (settled < random_run.states.len()).then_some(settled);
    allowed.settled = settled.map(|events| moment(&random_run.run, events));
    Observation::Value(allowed)
}

/// The time after a number of events, or this number if the run has no times.
fn moment(run: &Run, events: usize) -> f64 {
    let last = events.checked_sub(1).map(|last| &run.choices[last]);
    let time = last.and_then(|choice| choice.time.as_ref());
    time.map_or(events as f64, Rational::to_f64)
}

/// The observation that the property cannot be evaluated after a number of events.
fn failed(property: usize, events: usize, error: RunError) -> Observation {
    Observation::Error(Prefix {
        property,
        events,
        until: None,
        ending: Ending::Error(error),
    })
}

/// The observation that the run ends in an error; `None` if it does not.
fn ended(property: usize, random_run: &RandomRun) -> Option<Observation> {
    let error = matches!(random_run.run.ending, Ending::Error(_));
    error.then(|| Observation::Error(whole(property, random_run)))
}

/// The whole run, as a prefix.
fn whole(property: usize, random_run: &RandomRun) -> Prefix {
    Prefix {
        property,
        events: random_run.run.choices.len(),
        until: None,
        ending: random_run.run.ending.clone(),
    }
}
