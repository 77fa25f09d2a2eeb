//! Time on a grid over bits: how long ago things were, in units, as far as anybody can still tell.
//!
//! What `machine::Clock` keeps as times is kept here as numbers of units: since the last activation of a node, or since the start
//! while there was none, and since a message was sent. Time passes by an event of its own, one unit after the other, and no
//! further than what must happen allows. So none of these numbers is greater than the longest time that it is compared with.
//!
//! *Refused*, by name: timers, what must follow within a time, `now`, periods that are any of an interval and fixed for a run, jitter
//! that does not add up, nodes that begin again.

use crate::deeds::{Deed, Setting};
use crate::state::{Place, Source, State};
use bits::{Bits, Number, Sort, Unsupported, equal, packed};
use machine::{Abstraction, Delay, EdgeId, Jitter, Machine, NodeId, Periodic, Timing, Type};
use rational::Rational;
use sat::{Aig, Lit};

/// More units are not counted.
const MOST_UNITS: i64 = 1 << 20;

/// How long everything takes, in units; of nothing where there is no grid.
#[derive(Clone, Debug)]
pub(crate) struct Clockwork {
    /// Whether time passes.
    pub(crate) ticks: bool,
    /// By node: its rhythm, if it has one.
    pulses: Vec<Option<Pulse>>,
    /// How long messages are on their way.
    delay: Option<Span>,
}

/// At least and at most so long.
type Span = (i64, i64);

/// When a node is activated.
#[derive(Clone, Copy, Debug)]
struct Pulse {
    /// After the start.
    first: Span,
    /// After the last activation.
    gap: Span,
}

impl Pulse {
    fn longest(self) -> i64 {
        self.first.1.max(self.gap.1)
    }
}

/// When a node was activated.
#[derive(Clone, Debug)]
pub(crate) struct Beat {
    /// Whether it was.
    begun: Lit,
    /// How long ago; if it was not, how long ago the start was. Nothing of a node that does not run.
    since: Number,
}

impl Clockwork {
    /// Of a Machine; or what in it has no bits.
    pub(crate) fn of(machine: &Machine) -> Result<Clockwork, Unsupported> {
        let mut clockwork = Clockwork {
            ticks: false,
            pulses: vec![None; machine.node_count() as usize],
            delay: None,
        };
        let Abstraction::Digitised(grid) = &machine.abstraction else {
            return Ok(clockwork);
        };
        if !machine.has_time() {
            return Ok(clockwork);
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
        clockwork.ticks = true;
        if let Delay::Within(least, most) = &machine.delay {
            clockwork.delay = Some(span(least, most, &grid.unit)?);
        }
        for node in machine.nodes() {
            if let Some(Timing::Periodic(periodic)) = machine.timing(machine.kind_of(node)) {
                clockwork.pulses[node.index()] = Some(pulse(periodic, &grid.unit)?);
            }
        }
        Ok(clockwork)
    }

    /// Any times.
    pub(crate) fn free(&self, source: &mut Source<'_>) -> Result<Vec<Option<Beat>>, Unsupported> {
        let mut beats = Vec::new();
        for pulse in &self.pulses {
            let beat = match pulse {
                None => None,
                Some(pulse) => Some(Beat {
                    begun: source.lit(),
                    since: source.number(pulse.longest())?,
                }),
            };
            beats.push(beat);
        }
        Ok(beats)
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

    /// The bits of times, in the order in which [`Clockwork::free`] asks for them.
    pub(crate) fn pack(
        &self,
        aig: &mut Aig,
        machine: &Machine,
        beats: &[Option<Beat>],
        lits: &mut Vec<Lit>,
    ) -> Result<(), Unsupported> {
        for (pulse, beat) in self.pulses.iter().zip(beats) {
            if let (Some(pulse), Some(beat)) = (pulse, beat) {
                lits.push(beat.begun);
                let since = Bits::Number(Sort::Int, beat.since.clone());
                let ty = Type::Int(0, pulse.longest());
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
    pub(crate) fn at_start(&self, aig: &mut Aig, beats: &[Option<Beat>]) -> Vec<Lit> {
        let mut conditions = Vec::new();
        for beat in beats.iter().flatten() {
            conditions.push(!beat.begun);
            conditions.push(beat.since.is(aig, 0));
        }
        conditions
    }

    /// Whether it is time for the next activation of a node.
    pub(crate) fn may_beat(&self, aig: &mut Aig, now: &State, node: NodeId) -> Lit {
        let (Some(pulse), Some(beat)) = (self.pulses[node.index()], &now.beats[node.index()])
        else {
            return Lit::TRUE;
        };
        let early = beat.is_less(aig, (pulse.first.0, pulse.gap.0));
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
        let seen = setting.see(now);
        for node in setting.machine.nodes() {
            if let (Some(pulse), Some(beat)) = (self.pulses[node.index()], &now.beats[node.index()])
            {
                let runs = seen.is_running(aig, node);
                let left = beat.is_less(aig, (pulse.first.1, pulse.gap.1));
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
    pub(crate) fn wait(&self, aig: &mut Aig, setting: Setting<'_>, deed: &mut Deed) {
        for (pulse, beat) in self.pulses.iter().zip(&mut deed.state.beats) {
            if let (Some(pulse), Some(beat)) = (pulse, beat) {
                beat.since = later(aig, &beat.since, pulse.longest());
            }
        }
        if let Some((_, most)) = self.delay {
            for place in deed.state.edges.iter_mut().flatten() {
                if let Some(age) = &mut place.age {
                    *age = later(aig, age, most);
                }
            }
        }
        deed.settle(aig, setting, None);
    }

    /// Notes an activation, and forgets those of nodes that do not run any more.
    pub(crate) fn settle(
        &self,
        aig: &mut Aig,
        beats: &mut [Option<Beat>],
        activated: Option<NodeId>,
        runs: &[Lit],
    ) {
        let zero = Number::constant(0);
        if let Some(node) = activated
            && let Some(beat) = &mut beats[node.index()]
        {
            beat.begun = Lit::TRUE;
            beat.since = zero.clone();
        }
        for (beat, runs) in beats.iter_mut().zip(runs) {
            if let Some(beat) = beat {
                beat.begun = aig.and(beat.begun, *runs);
                beat.since = Number::ite(aig, *runs, &beat.since, &zero);
            }
        }
    }
}

impl Beat {
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

fn pulse(periodic: &Periodic, unit: &Rational) -> Result<Pulse, Unsupported> {
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
    Ok(Pulse {
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
