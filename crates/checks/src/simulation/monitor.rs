//! What one random run shows of each thing that is asked.

use audit::Replayed;
use machine::{Choice, Event, Expr, Instance, Machine, PropertyKind, RunError, State};
use rational::Rational;
use simulate::RandomRun;
use verdict::{Ending, Run};

/// Something asked, ready to be looked at on many runs.
#[derive(Clone, Debug)]
pub(crate) enum Watch {
    /// A claim about every state.
    Invariant(Condition),
    /// A condition to reach.
    Reach(Condition),
    /// A claim about whole runs, the property with this number.
    Temporal(usize),
    /// A claim about every state for each value that it can have, in the order in which they are tried.
    Sought(Vec<Candidate>),
}

/// A condition on states, and the number of the property that asks for it.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    property: usize,
    condition: Expr,
}

/// The claim for one value.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    value: i64,
    body: Condition,
    /// Where it is true in no state, the run says nothing about the value.
    premise: Option<Expr>,
}

/// What a run shows of something asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shown {
    /// The claim is broken, or the condition reached.
    Hit(Glimpse),
    /// It ends in an error before.
    Error(Glimpse),
    /// Neither.
    Nothing,
    /// It goes on, and the claim is about what it does later.
    Undecided,
    /// Of a sought value.
    Value(Allowed),
}

/// The beginning of a run that shows something.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Glimpse {
    /// Of this property.
    pub(crate) property: usize,
    /// So many events.
    pub(crate) events: usize,
    /// Then time passes until then.
    until: Option<Rational>,
    /// How it ends.
    ending: Ending,
}

impl Glimpse {
    /// The run, from the longer one.
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

/// Which values a run allows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Allowed {
    /// The first value for which the claim is true on the run; nothing if there is none, or if it is true only
    /// because its premise is always false, and values before are broken.
    pub(crate) value: Option<i64>,
    /// The last value before that, which is broken.
    pub(crate) broken: Option<(i64, Glimpse)>,
    /// When the claim for the first value became true up to the end, see [`moment`]; nothing if it did not.
    pub(crate) settled: Option<f64>,
}

impl Watch {
    /// A property of a Machine, by its number.
    pub(crate) fn of(machine: &Machine, property: usize) -> Watch {
        let condition = |condition: Expr| Condition {
            property,
            condition,
        };
        match &machine.properties[property].kind {
            PropertyKind::Possible(reach) => Watch::Reach(condition(reach.clone())),
            PropertyKind::Claim(claim) => match claim.invariant() {
                Some(invariant) => Watch::Invariant(condition(invariant)),
                None => Watch::Temporal(property),
            },
        }
    }

    /// A claim for several values, with the numbers of its properties; none if it is no claim about every
    /// state.
    pub(crate) fn sought(machine: &Machine, values: &[(i64, usize)]) -> Option<Watch> {
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
        Some(Watch::Sought(candidates.collect::<Option<_>>()?))
    }

    /// What a run shows.
    pub(crate) fn look(&self, machine: &Machine, random_run: &RandomRun) -> Shown {
        let run = &random_run.run;
        let instance = Instance {
            machine,
            frozen: &run.frozen,
        };
        match self {
            Watch::Invariant(condition) => condition.first(instance, random_run, false),
            Watch::Reach(condition) => condition.first(instance, random_run, true),
            Watch::Temporal(property) => temporal(instance, *property, random_run),
            Watch::Sought(candidates) => sought(instance, candidates, random_run),
        }
    }
}

impl Condition {
    /// The first state in which the condition has a value.
    fn first(&self, instance: Instance<'_>, random_run: &RandomRun, wanted: bool) -> Shown {
        for (events, state) in random_run.states.iter().enumerate() {
            match instance.holds(state, &self.condition, &[]) {
                Ok(value) if value == wanted => {
                    return Shown::Hit(Glimpse {
                        property: self.property,
                        events,
                        until: None,
                        ending: Ending::Open,
                    });
                }
                Ok(_) => {}
                Err(error) => return failed(self.property, events, error),
            }
            // It may change while time passes until the next event.
            if let Some(until) = self.until(random_run, events)
                && let Ok(later) = instance.step(state, &wait(&until))
                && instance.holds(&later, &self.condition, &[]) == Ok(wanted)
            {
                return Shown::Hit(Glimpse {
                    property: self.property,
                    events,
                    until: Some(until),
                    ending: Ending::Open,
                });
            }
        }
        ended(self.property, random_run).unwrap_or(Shown::Nothing)
    }

    /// When the next event is after so many, if time passes before it and the condition is about time; where nothing
    /// happens any more, later than everything that the condition is about.
    fn until(&self, random_run: &RandomRun, events: usize) -> Option<Rational> {
        let asks = |e: &Expr| matches!(e, Expr::Now(..) | Expr::Overdue(_));
        let (mut timed, mut last) = (false, Rational::default());
        self.condition.walk(&mut |e| {
            timed |= asks(e);
            if let Expr::Now(_, time) = e {
                last = last.clone().max(time.clone());
            }
        });
        let now = &random_run.states[events]
            .clock
            .as_ref()
            .filter(|_| timed)?
            .now;
        match random_run.run.choices.get(events) {
            Some(next) => next.time.clone().filter(|time| time > now),
            None if random_run.run.ending == Ending::StandsStill => {
                Some((now + Rational::from(FAR)).max(last + Rational::ONE))
            }
            None => None,
        }
    }
}

/// So much later than the last event something that has not followed is late.
const FAR: i64 = 1_000_000;

/// Time passes until then.
fn wait(until: &Rational) -> Choice {
    Choice {
        event: Event::Wait,
        picks: Vec::new(),
        time: Some(until.clone()),
    }
}

fn temporal(instance: Instance<'_>, property: usize, random_run: &RandomRun) -> Shown {
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
        return Shown::Undecided;
    };
    let replayed = Replayed {
        states: random_run.states.clone(),
        error: None,
    };
    match audit::holds_on(instance, claim, &[], &replayed, &random_run.run) {
        Ok(true) => Shown::Nothing,
        Ok(false) => Shown::Hit(whole(property, random_run)),
        Err(_) => Shown::Undecided,
    }
}

/// Looks for the first value for which the claim is true in all states: each is tried on the whole run, so
/// that nothing rests on how the claims for different values are related.
fn sought(instance: Instance<'_>, candidates: &[Candidate], random_run: &RandomRun) -> Shown {
    let mut allowed = Allowed {
        value: None,
        broken: None,
        settled: None,
    };
    let holds = |state: &State, condition: &Expr| instance.holds(state, condition, &[]);
    let Some(first) = candidates.first() else {
        return Shown::Value(allowed);
    };
    if let Some(error) = ended(first.body.property, random_run) {
        return error;
    }
    for candidate in candidates {
        let shown = candidate.body.first(instance, random_run, false);
        match shown {
            Shown::Nothing => {
                let premise = candidate.premise.as_ref();
                let says = |premise| {
                    random_run
                        .states
                        .iter()
                        .any(|s| holds(s, premise) == Ok(true))
                };
                // The claim for a value that is far away may say nothing because the run is too short.
                let counts = allowed.broken.is_none() || premise.is_none_or(says);
                allowed.value = counts.then_some(candidate.value);
                break;
            }
            Shown::Hit(glimpse) => allowed.broken = Some((candidate.value, glimpse)),
            other => return other,
        }
    }
    let is_false = |state: &State| holds(state, &first.body.condition) != Ok(true);
    let last = random_run.states.iter().rposition(is_false);
    let settled = last.map_or(0, |last| last + 1);
    let settled = (settled < random_run.states.len()).then_some(settled);
    allowed.settled = settled.map(|events| moment(&random_run.run, events));
    Shown::Value(allowed)
}

/// When a run had made so many events: the time, or without times their number.
fn moment(run: &Run, events: usize) -> f64 {
    let last = events.checked_sub(1).map(|last| &run.choices[last]);
    let time = last.and_then(|choice| choice.time.as_ref());
    time.map_or(events as f64, Rational::to_f64)
}

/// The property has no value after so many events.
fn failed(property: usize, events: usize, error: RunError) -> Shown {
    Shown::Error(Glimpse {
        property,
        events,
        until: None,
        ending: Ending::Error(error),
    })
}

/// The error in which a run ends.
fn ended(property: usize, random_run: &RandomRun) -> Option<Shown> {
    let error = matches!(random_run.run.ending, Ending::Error(_));
    error.then(|| Shown::Error(whole(property, random_run)))
}

fn whole(property: usize, random_run: &RandomRun) -> Glimpse {
    Glimpse {
        property,
        events: random_run.run.choices.len(),
        until: None,
        ending: random_run.run.ending.clone(),
    }
}
