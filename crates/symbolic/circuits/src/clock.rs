//! Digitised time over bits: clocks that count time units.
//!
//! The clocks are those of `machine::Clock`, as numbers of time units. One kind measures the time since the last
//! activation of a node or, before the first activation, since the start. The other kind measures the time since a
//! message was sent. The passing of time is a separate event of one unit, which is enabled only while no deadline is
//! reached. So no clock exceeds the largest constant with which it is compared.
//!
//! *Refused*, by name: timers, deadlines of responses, `now`, periods that are drawn from an interval and fixed for a
//! run, jitter around a grid, and nodes that restart.

use crate::effects::{Setting, Successor};
use crate::state::{Place, Source, State};
use bits::{Bits, Number, Sort, Unsupported, equal, packed};
use machine::{Abstraction, Delay, EdgeId, Jitter, Machine, NodeId, Periodic, Timing, Type};
use rational::Rational;
use sat::{Aig, Lit};

/// The largest time, in units.
const MOST_UNITS: i64 = 1 << 20;

/// The time bounds of a Machine, in units. Without digitised time there are none.
#[derive(Clone, Debug)]
pub(crate) struct DiscreteClocks {
    /// Whether there is an event for the passing of time.
    pub(crate) ticks: bool,
    /// By node: its schedule; `None` if it is not periodic.
    schedules: Vec<Option<Schedule>>,
    /// The bounds of message delays; `None` if delays are not bounded by times.
    delay: Option<Span>,
}

/// A lower and an upper bound, both inclusive.
type Span = (i64, i64);

/// The bounds on the activation times of a node.
#[derive(Clone, Copy, Debug)]
struct Schedule {
    /// The time from the start to the first activation.
    first: Span,
    /// The time from one activation to the next.
    gap: Span,
}

impl Schedule {
    fn longest(self) -> i64 {
        self.first.1.max(self.gap.1)
    }
}

/// The clock of a periodic node.
#[derive(Clone, Debug)]
pub(crate) struct ActivationClock {
    /// Whether the node has been activated.
    begun: Lit,
    /// The units since the last activation or, before the first one, since the start. 0 for an inactive node.
    since: Number,
}

impl DiscreteClocks {
    /// The time bounds of a Machine. An error names a construct that is refused.
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
        let no = |what: &str| Err(Unsupported::new(what));
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

    /// Clock values over fresh literals.
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

    /// The age of a message that is present if a literal is true, over fresh literals; `None` without delays.
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

    /// The age of a message that is sent now; `None` without delays.
    pub(crate) fn new_age(&self) -> Option<Number> {
        self.delay.map(|_| Number::constant(0))
    }

    /// Appends the bits of the clocks, in the order of [`DiscreteClocks::free`].
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

    /// Appends the bits of the age of a message; they are 0 if the slot is empty.
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

    /// The conditions that the clocks have their initial values.
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

    /// Whether the next activation of a node is not too early.
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

    /// Whether the message in a slot may arrive now: its age is at least the least delay, and no equal message is
    /// older.
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

    /// Whether one more time unit may pass, because no deadline is reached.
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
            for place in now.edges.iter().flat_map(|places| places.iter()) {
                if let Some(age) = &place.age {
                    let left = age.less(aig, &Number::constant(i128::from(most)));
                    conditions.push(aig.implies(place.present, left));
                }
            }
        }
        aig.all(conditions)
    }

    /// Applies the passing of one time unit to the successor state.
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
            let edges = successor.state.edges.iter_mut();
            for place in edges.flat_map(|places| places.iter_mut()) {
                if let Some(age) = &mut place.age {
                    *age = later(aig, age, most);
                }
            }
        }
        successor.settle(aig, setting, None);
    }

    /// Resets the clock of the activated node, if any, and the clocks of inactive nodes.
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
    /// Whether the clock is less than a bound: `start` before the first activation of the node, `last` after it.
    fn is_less(&self, aig: &mut Aig, (start, last): Span) -> Lit {
        let [start, last] = [start, last].map(|units| Number::constant(i128::from(units)));
        let since_start = self.since.less(aig, &start);
        let since_last = self.since.less(aig, &last);
        aig.ite(self.begun, since_last, since_start)
    }
}

/// The number plus one. The result is at most `most` if the state is reachable.
fn later(aig: &mut Aig, number: &Number, most: i64) -> Number {
    match most {
        0 => Number::constant(0),
        _ => number
            .add(aig, &Number::constant(1))
            .narrowed(0, i128::from(most)),
    }
}

/// By node: its period if it is fixed for a run; such a period has only one possible value here, because others are
/// refused. Empty without digitised time.
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
        return Err(Unsupported::new("periods that are fixed for a run"));
    }
    let by = match &periodic.jitter {
        Jitter::None => Rational::ZERO,
        Jitter::PerGap(by) => by.clone(),
        Jitter::OnGrid(_) => return Err(Unsupported::new("jitter that does not add up")),
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
        within.ok_or_else(|| Unsupported::new("times that are no numbers of units"))
    };
    Ok((units(least)?, units(most)?))
}
