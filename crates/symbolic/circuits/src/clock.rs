//! Time on a grid over bits: how long ago things were, in units, as far as anybody can still tell.
//!
//! What `machine::Clock` keeps as times is kept here as numbers of units: since the last activation of a node, or since the start
//! while there was none, and since a message was sent. Time passes by an event of its own, one unit after the other, and no
//! further than what must happen allows. So none of these numbers is greater than the longest time that it is compared with.
//!
//! *Refused*, by name: timers, what must follow within a time, `now`, periods that are any of an interval and fixed for a run, jitter
//! that does not add up, nodes that begin again.

use crate::effects::{Setting, Successor};
use crate::state::{Place, Source, State};
use bits::{Bits, Number, Sort, Unsupported, equal, packed};
use machine::{Abstraction, Delay, EdgeId, Jitter, Machine, NodeId, Periodic, Timing, Type};
use rational::Rational;
use sat::{Aig, Lit};

/// More units are not activation_counts.
const MOST_UNITS: i64 = 1 << 20;

/// How long everything takes, in units; of nothing where there is no grid.
#[derive(Clone, Debug)]
pub(crate) struct DiscreteClocks {
    /// Whether time passes.
    pub(crate) ticks: bool,
    /// By node: its rhythm, if it has one.
    schedules: Vec<Option<Schedule>>,
    /// How long messages are on their way.
    delay: Option<Span>,
}

/// At least and at most so long.
type Span = (i64, i64);

/// When a node is activated.
#[derive(Clone, Copy, Debug)]
struct Schedule {
    /// After the start.
    first: Span,
    /// After the last activation.
    gap: Span,
}

impl Schedule {
    fn longest(self) -> i64 {
        self.first.1.max(self.gap.1)
    }
}

/// When a node was activated.
#[derive(Clone, Debug)]
pub(crate) struct ActivationClock {
    /// Whether it was.
    begun: Lit,
    /// How long ago; if it was not, how long ago the start was. Nothing of a node that does not run.
    since: Number,
}

impl DiscreteClocks {
    /// Of a Machine; or what in it has no bits.
    pub(crate) fn of(machine: &Machine) -> Result<DiscreteClocks, Unsupported> {
        let mut clocks = DiscreteClocks {
            ticks: false,
            schedules: vec![None; machine.node_count() as usize],
            delay: None,
        };
        let Abstraction::Digitised(grid) = &machine.abstraction else {
            return Ok(clocks);
        };
        if !machine.has_time() {
            return Ok(clocks);
        }
        let no = |what: &str| Err(Unsupported(what.into()));
        if !machine.timers.is_empty() {
            return no("timers");
        }
        if !machine.responses.is_empty() {
            return no("what must follow within a time");
        }
        if machine
            .runtime_faults
            .iter()
            .any(|runtime_fault| runtime_fault.stop.is_some())
        {
            return no("nodes that begin again, where time counts");
        }
        clocks.ticks = true;
        if let Delay::Within(least, most) = &machine.delay {
            clocks.delay = Some(span(least, most, &grid.unit)?);
        }
        for node in machine.nodes() {
            if let Some(Timing::Periodic(periodic)) = machine.timing(machine.kind_of(node)) {
                clocks.schedules[node.index()] = Some(schedule(periodic, &grid.unit)?);
            }
        }
        Ok(clocks)
    }

    /// Any times.
    pub(crate) fn free(
        &self,
        source: &mut Source<'_>,
    ) -> Result<Vec<Option<ActivationClock>>, Unsupported> {
        let mut activation_clocks = Vec::new();
        for schedule in &self.schedules {
            let clock = match schedule {
                None => None,
                Some(schedule) => Some(ActivationClock {
                    begun: source.lit(),
                    since: source.number(schedule.longest())?,
                }),
            };
            activation_clocks.push(clock);
        }
        Ok(activation_clocks)
    }

    /// How long ago a message was sent that is there if a literal is true, if anybody counts.
    pub(crate) fn free_age(
        &self,
        source: &mut Source<'_>,
        present: Lit,
    ) -> Result<Option<Number>, Unsupported> {
        let Some((_, most)) = self.delay else {
            return Ok(None);
        };
        let age = source.value_if(present, &Type::Int(0, most))?;
        Ok(Some(age.number().clone()))
    }

    /// The age of a message that is sent now.
    pub(crate) fn new_age(&self) -> Option<Number> {
        self.delay.map(|_| Number::constant(0))
    }

    /// The bits of times, in the order in which [`DiscreteClocks::free`] asks for them.
    pub(crate) fn pack(
        &self,
        aig: &mut Aig,
        machine: &Machine,
        activation_clocks: &[Option<ActivationClock>],
        lits: &mut Vec<Lit>,
    ) -> Result<(), Unsupported> {
        for (schedule, clock) in self.schedules.iter().zip(activation_clocks) {
            if let (Some(schedule), Some(clock)) = (schedule, clock) {
                lits.push(clock.begun);
                let since = Bits::Number(Sort::Int, clock.since.clone());
                let ty = Type::Int(0, schedule.longest());
                lits.extend(packed(aig, machine, &ty, &since)?);
            }
        }
        Ok(())
    }

    /// The bits of the age of a message.
    pub(crate) fn pack_age(
        &self,
        aig: &mut Aig,
        machine: &Machine,
        place: &Place,
        lits: &mut Vec<Lit>,
    ) -> Result<(), Unsupported> {
        if let (Some((_, most)), Some(age)) = (self.delay, &place.age) {
            let age = Bits::Number(Sort::Int, age.clone());
            for lit in packed(aig, machine, &Type::Int(0, most), &age)? {
                lits.push(aig.and(place.present, lit));
            }
        }
        Ok(())
    }

    /// What is so at the start.
    pub(crate) fn at_start(
        &self,
        aig: &mut Aig,
        activation_clocks: &[Option<ActivationClock>],
    ) -> Vec<Lit> {
        let mut conditions = Vec::new();
        for clock in activation_clocks.iter().flatten() {
            conditions.push(!clock.begun);
            conditions.push(clock.since.is(aig, 0));
        }
        conditions
    }

    /// Whether it is time for the next activation of a node.
    pub(crate) fn may_activate(&self, aig: &mut Aig, now: &State, node: NodeId) -> Lit {
        let (Some(schedule), Some(clock)) = (
            self.schedules[node.index()],
            &now.activation_clocks[node.index()],
        ) else {
            return Lit::TRUE;
        };
        let early = clock.is_less(aig, (schedule.first.0, schedule.gap.0));
        !early
    }

    /// Whether the message at a place of an edge may arrive now: it has been on its way long enough, and of several that are the
    /// same it was sent first.
    pub(crate) fn may_arrive(&self, aig: &mut Aig, now: &State, edge: EdgeId, place: usize) -> Lit {
        let places = &now.edges[edge.index()];
        let (Some((least, _)), Some(age)) = (self.delay, &places[place].age) else {
            return Lit::TRUE;
        };
        let early = age.less(aig, &Number::constant(i128::from(least)));
        let mut conditions = vec![!early];
        for before in &places[..place] {
            let same = equal(aig, &before.message, &places[place].message);
            conditions.push(!same);
        }
        aig.all(conditions)
    }

    /// Whether one more unit may pass: nothing must happen before.
    pub(crate) fn may_wait(&self, aig: &mut Aig, setting: Setting<'_>, now: &State) -> Lit {
        let mut conditions: Vec<Lit> = now.nodes.iter().map(|node| !node.waiting).collect();
        let view = setting.view(now);
        for node in setting.machine.nodes() {
            if let (Some(schedule), Some(clock)) = (
                self.schedules[node.index()],
                &now.activation_clocks[node.index()],
            ) {
                let runs = view.is_running(aig, node);
                let left = clock.is_less(aig, (schedule.first.1, schedule.gap.1));
                conditions.push(aig.implies(runs, left));
            }
        }
        if let Some((_, most)) = self.delay {
            for place in now.edges.iter().flatten() {
                if let Some(age) = &place.age {
                    let left = age.less(aig, &Number::constant(i128::from(most)));
                    conditions.push(aig.implies(place.present, left));
                }
            }
        }
        aig.all(conditions)
    }

    /// One unit passes.
    pub(crate) fn wait(&self, aig: &mut Aig, setting: Setting<'_>, successor: &mut Successor) {
        for (schedule, clock) in self
            .schedules
            .iter()
            .zip(&mut successor.state.activation_clocks)
        {
            if let (Some(schedule), Some(clock)) = (schedule, clock) {
                clock.since = later(aig, &clock.since, schedule.longest());
            }
        }
        if let Some((_, most)) = self.delay {
            for place in successor.state.edges.iter_mut().flatten() {
                if let Some(age) = &mut place.age {
                    *age = later(aig, age, most);
                }
            }
        }
        successor.settle(aig, setting, None);
    }

    /// Notes an activation, and forgets those of nodes that do not run any more.
    pub(crate) fn settle(
        &self,
        aig: &mut Aig,
        activation_clocks: &mut [Option<ActivationClock>],
        activated: Option<NodeId>,
        runs: &[Lit],
    ) {
        let zero = Number::constant(0);
        if let Some(node) = activated
            && let Some(clock) = &mut activation_clocks[node.index()]
        {
            clock.begun = Lit::TRUE;
            clock.since = zero.clone();
        }
        for (clock, runs) in activation_clocks.iter_mut().zip(runs) {
            if let Some(clock) = clock {
                clock.begun = aig.and(clock.begun, *runs);
                clock.since = Number::ite(aig, *runs, &clock.since, &zero);
            }
        }
    }
}

impl ActivationClock {
    /// Whether it was less long ago than one of two numbers: the first if it is the start that was, otherwise the second.
    fn is_less(&self, aig: &mut Aig, (start, last): Span) -> Lit {
        let [start, last] = [start, last].map(|units| Number::constant(i128::from(units)));
        let since_start = self.since.less(aig, &start);
        let since_last = self.since.less(aig, &last);
        aig.ite(self.begun, since_last, since_start)
    }
}

/// One more, which is not more than that wherever it matters.
fn later(aig: &mut Aig, number: &Number, most: i64) -> Number {
    match most {
        0 => Number::constant(0),
        _ => number
            .add(aig, &Number::constant(1))
            .narrowed(0, i128::from(most)),
    }
}

/// The periods of a run, by node, where each can have one value only.
pub(crate) fn periods(machine: &Machine) -> Vec<Option<Rational>> {
    if !machine.has_time() || machine.digitisation().is_none() {
        return Vec::new();
    }
    let period = |node: NodeId| match machine.timing(machine.kind_of(node)) {
        Some(Timing::Periodic(periodic)) if periodic.fixed => Some(periodic.gap.0.clone()),
        _ => None,
    };
    machine.nodes().map(period).collect()
}

fn schedule(periodic: &Periodic, unit: &Rational) -> Result<Schedule, Unsupported> {
    let (shortest, longest) = &periodic.gap;
    if periodic.fixed && shortest != longest {
        return Err(Unsupported("periods that are fixed for a run".into()));
    }
    let by = match &periodic.jitter {
        Jitter::None => Rational::ZERO,
        Jitter::PerGap(by) => by.clone(),
        Jitter::OnGrid(_) => return Err(Unsupported("jitter that does not add up".into())),
    };
    let (from, to) = periodic.first_of(None);
    Ok(Schedule {
        first: span(&from, &to, unit)?,
        gap: span(&(shortest - &by), &(longest + &by), unit)?,
    })
}

fn span(least: &Rational, most: &Rational, unit: &Rational) -> Result<Span, Unsupported> {
    let units = |time: &Rational| {
        let count = time / unit;
        let count = count.is_integer().then(|| count.to_i64()).flatten();
        let within = count.filter(|count| (0..=MOST_UNITS).contains(count));
        within.ok_or_else(|| Unsupported("times that are no numbers of units".into()))
    };
    Ok((units(least)?, units(most)?))
}
