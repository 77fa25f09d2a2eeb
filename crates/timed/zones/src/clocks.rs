//! The clocks of a discrete part, and the discrete parts.
//!
//! A discrete part is a [`State`] whose times are in a normal form: `now` and all past times are 0, and a timer that is
//! set has the two durations of its setting. Before a step, the state is *aged*: `now` stays 0, and each past time
//! becomes a negative number; the number of a message encodes its place on the edge. After the step, a time of 0 began
//! in the step, and a negative time continues the clock that its number identifies.

use crate::defects::{Defect, broken};
use dbm::{Bound, LuBounds, Overflow, Zone};
use machine::{
    ActivationHistory, Clock, Delay, EdgeId, Event, Expr, Jitter, Machine, NodeId, Periodic,
    PropertyKind, ResponseId, State, Timing,
};
use rational::Rational;

/// The moment since which a clock measures the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    /// The last activation of a node, or its last start.
    Activation(NodeId),
    /// The sending of the message at a place of an edge.
    Sent(EdgeId, usize),
    /// The setting of a timer of a node.
    Set(NodeId, usize),
    /// The stop of a node.
    Stop(NodeId),
    /// The moment at which a response became owed.
    Owed(ResponseId),
    /// The start of the run.
    Start,
}

/// A clock of a discrete part, with the constants with which it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClockOf {
    pub(crate) since: Since,
    /// The event that ends the obligation is enabled from this age on.
    pub(crate) least: i64,
    /// Time does not pass beyond this age; `None` if the clock forces nothing.
    pub(crate) most: Option<i64>,
    /// The largest constant with which properties compare the clock; `None` if none does.
    pub(crate) asked: Option<i64>,
}

/// A comparison of a clock with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    pub(crate) clock: usize,
    pub(crate) op: Op,
    pub(crate) than: i64,
}

/// The operator of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    AtLeast,
    MoreThan,
    AtMost,
    LessThan,
}

impl Test {
    pub(crate) fn new(clock: usize, op: Op, than: i64) -> Test {
        Test { clock, op, than }
    }

    /// Intersects a zone with the values that satisfy the test; `false` if there are none.
    pub(crate) fn restrict(self, zone: &mut Zone) -> Result<bool, Overflow> {
        match self.op {
            Op::AtLeast => zone.constrain(0, self.clock, Bound::at_most(-self.than)?),
            Op::MoreThan => zone.constrain(0, self.clock, Bound::below(-self.than)?),
            Op::AtMost => zone.constrain(self.clock, 0, Bound::at_most(self.than)?),
            Op::LessThan => zone.constrain(self.clock, 0, Bound::below(self.than)?),
        }
    }
}

/// Intersects a zone with tests; `false` if nothing remains.
pub(crate) fn restrict(zone: &mut Zone, tests: &[Test]) -> Result<bool, Overflow> {
    for test in tests {
        if !test.restrict(zone)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The clocks of the discrete parts of a Machine.
pub(crate) struct Clocks<'m> {
    pub(crate) machine: &'m Machine,
    /// All times are multiples of this unit.
    unit: Rational,
    /// The largest constant with which a property compares `now`; `None` if none does.
    horizon: Option<i64>,
    /// By response: whether a property asks if it is overdue, and its longest time in units.
    responses: Vec<(bool, i64)>,
}

/// A time is no multiple of the unit, or has too many units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooFar;

impl From<Overflow> for TooFar {
    fn from(_: Overflow) -> TooFar {
        TooFar
    }
}

impl<'m> Clocks<'m> {
    pub(crate) fn new(machine: &'m Machine) -> Result<Clocks<'m>, TooFar> {
        let mut clocks = Clocks {
            machine,
            unit: machine.time_unit(),
            horizon: None,
            responses: Vec::new(),
        };
        clocks.horizon = match machine.compared_times().into_iter().max() {
            Some(last) => Some(clocks.units(&last)?.max(0)),
            None => None,
        };
        let mut asked = vec![false; machine.responses.len()];
        let mut look = |e: &Expr| {
            if let Expr::Overdue(response) = e {
                asked[response.index()] = true;
            }
        };
        for property in &machine.properties {
            match &property.kind {
                PropertyKind::Claim(claim) => claim.walk_exprs(&mut look),
                PropertyKind::Possible(condition) => condition.walk(&mut look),
            }
        }
        for (response, asked) in machine.responses.iter().zip(asked) {
            let within = clocks.units(&response.within)?;
            clocks.responses.push((asked, within));
        }
        Ok(clocks)
    }

    /// A time in units.
    pub(crate) fn units(&self, time: &Rational) -> Result<i64, TooFar> {
        let number = time / &self.unit;
        if !number.is_integer() {
            return Err(TooFar);
        }
        let number = number.to_i64().ok_or(TooFar)?;
        (number.unsigned_abs() < dbm::MAX_VALUE as u64)
            .then_some(number)
            .ok_or(TooFar)
    }

    /// The time of a number of units.
    pub(crate) fn time(&self, units: &Rational) -> Rational {
        units * &self.unit
    }

    /// The longest time of a response, in units.
    pub(crate) fn within(&self, response: ResponseId) -> i64 {
        self.responses[response.index()].1
    }

    /// The periodic timing of a node; `None` if it has none.
    fn periodic(&self, node: NodeId) -> Option<&'m Periodic> {
        match self.machine.timing(self.machine.kind_of(node)) {
            Some(Timing::Periodic(periodic)) => Some(periodic),
            _ => None,
        }
    }

    /// The clocks of a discrete part. The clock with the index i of the result is clock i + 1 of its zones.
    pub(crate) fn of(&self, state: &State) -> Result<Vec<ClockOf>, TooFar> {
        let clock = times(state);
        let mut found = Vec::new();
        let forced = |since, (least, most): (i64, i64)| ClockOf {
            since,
            least: least.max(0),
            most: Some(most),
            asked: None,
        };
        for node in self.machine.nodes() {
            if let Some(periodic) = self.periodic(node)
                && state.nodes[node.index()].mode.runs()
            {
                let first = clock.activations[node.index()].last.is_none();
                let window = self.window(periodic, first && !broken(Defect::FirstIsAGap))?;
                found.push(forced(Since::Activation(node), window));
            }
        }
        if let Delay::Within(least, most) = &self.machine.delay {
            let delay = (self.units(least)?, self.units(most)?);
            for (e, messages) in state.edges.iter().enumerate() {
                let places = 0..messages.len();
                found.extend(
                    places.map(|place| forced(Since::Sent(EdgeId(e as u32), place), delay)),
                );
            }
        }
        for (node, timers) in self.machine.nodes().zip(&clock.timers) {
            for (place, timer) in timers.iter().enumerate() {
                if let Some((from, to)) = timer {
                    let durations = (self.units(from)?, self.units(to)?);
                    found.push(forced(Since::Set(node, place), durations));
                }
            }
        }
        for (node, stopped) in self.machine.nodes().zip(&clock.stopped) {
            if stopped.is_some()
                && let Some(restart) = self.machine.restart_of(node)
                && let Some((least, most)) = &restart.within
            {
                let within = (self.units(least)?, self.units(most)?);
                found.push(forced(Since::Stop(node), within));
            }
        }
        for (r, pending) in clock.pending.iter().enumerate() {
            if pending.is_some() {
                found.push(ClockOf {
                    since: Since::Owed(ResponseId(r as u32)),
                    least: 0,
                    most: None,
                    asked: Some(self.responses[r].1),
                });
            }
        }
        if let Some(horizon) = self.horizon {
            found.push(ClockOf {
                since: Since::Start,
                least: 0,
                most: None,
                asked: Some(horizon),
            });
        }
        Ok(found)
    }

    /// The interval of the next activation after the last one, or of the first one after the start.
    fn window(&self, periodic: &Periodic, first: bool) -> Result<(i64, i64), TooFar> {
        let period = periodic.fixed.then_some(&periodic.gap.0);
        let (least, most) = match (first, &periodic.jitter) {
            (true, _) => periodic.first_of(period),
            (false, Jitter::PerGap(by)) => (&periodic.gap.0 - by, &periodic.gap.1 + by),
            (false, _) => periodic.gap.clone(),
        };
        Ok((self.units(&least)?, self.units(&most)?))
    }

    /// The LU bounds of clocks. They cover each comparison of a clock before its next reset:
    ///
    /// * The event that ends the obligation of the clock is enabled from `least` on: a lower bound.
    /// * Time does not pass beyond `most`: an upper bound.
    /// * Properties compare the clock with constants of at most `asked`, with any operator: both bounds.
    pub(crate) fn bounds(&self, clocks: &[ClockOf]) -> Result<LuBounds, Overflow> {
        let mut lu = LuBounds::new(clocks.len());
        for (place, clock) in (1..).zip(clocks) {
            let message = matches!(clock.since, Since::Sent(..));
            if clock.least > 0 && !(message && broken(Defect::NoLowerBoundOfMessages)) {
                lu.raise_lower(place, clock.least)?;
            }
            if let Some(most) = clock.most {
                lu.raise_upper(place, most)?;
            }
            let ignored = match clock.since {
                Since::Start => broken(Defect::BoundsOfCodeOnly),
                _ => broken(Defect::ResponsesNotBounds),
            };
            if let Some(asked) = clock.asked
                && !ignored
            {
                lu.raise_lower(place, asked)?;
                lu.raise_upper(place, asked)?;
            }
        }
        Ok(lu)
    }

    /// The obligation that an event ends, as the start of its clock; `None` if the event ends none.
    pub(crate) fn of_event(&self, state: &State, event: &Event) -> Option<Since> {
        match event {
            Event::CrashDuring(_, instead_of) => self.of_event(state, instead_of),
            Event::Deliver(edge, message, _) => {
                // Of several equal messages the one sent first is delivered.
                let mut messages = state.edges[edge.index()].iter();
                let place = messages.position(|m| m == message)?;
                Some(Since::Sent(*edge, place))
            }
            Event::Expire(node, place, _) => Some(Since::Set(*node, *place as usize)),
            Event::Restart(node) => Some(Since::Stop(*node)),
            event => self.machine.activates(event).map(Since::Activation),
        }
    }

    /// A discrete part, aged for a step (see the head of the file).
    pub(crate) fn aged(&self, state: &State) -> State {
        let mut aged = state.clone();
        let past = Rational::from(-1);
        let Some(clock) = &mut aged.clock else {
            return aged;
        };
        for history in &mut clock.activations {
            history.since = past.clone();
            history.first = history.first.as_ref().map(|_| past.clone());
            history.last = history.last.as_ref().map(|_| past.clone());
        }
        for sent in &mut clock.sent {
            for (place, sent) in sent.iter_mut().enumerate() {
                *sent = Rational::from(-1 - place as i64);
            }
        }
        for (from, to) in clock.timers.iter_mut().flatten().flatten() {
            *to = &*to - &*from - Rational::ONE;
            *from = past.clone();
        }
        for stopped in clock.stopped.iter_mut().flatten() {
            *stopped = past.clone();
        }
        // An owed response is given the time 0, so it is not overdue at `now`.
        for pending in clock.pending.iter_mut().flatten() {
            *pending = Rational::ZERO;
        }
        aged
    }

    /// The discrete part after a step from `before`, or of an initial state, which has no `before`; and for each clock
    /// of the result the clock of `before` that it continues, or 0 if it begins.
    pub(crate) fn settled(
        &self,
        before: Option<(&State, &[ClockOf])>,
        mut next: State,
    ) -> Result<(State, Vec<ClockOf>, Vec<usize>), TooFar> {
        let mut goes_on: Vec<(Since, Since)> = vec![(Since::Start, Since::Start)];
        let is_past = |time: &Rational| time.is_negative();
        let mut clock = next.clock.take().expect("a Machine with exact times");
        clock.now = Rational::ZERO;
        for node in self.machine.nodes() {
            let history = &mut clock.activations[node.index()];
            if self.periodic(node).is_none() || !next.nodes[node.index()].mode.runs() {
                *history = ActivationHistory::default();
                continue;
            }
            let begun = history.last.as_ref().unwrap_or(&history.since);
            let keeps = history.last.is_some() && broken(Defect::ActivationsKeepClocks);
            if is_past(begun) || keeps {
                goes_on.push((Since::Activation(node), Since::Activation(node)));
            }
            let last = history.last.take().map(|_| Rational::ZERO);
            *history = ActivationHistory {
                since: Rational::ZERO,
                count: u64::from(last.is_some()),
                first: last.clone(),
                last,
            };
        }
        for (e, sent) in clock.sent.iter_mut().enumerate() {
            for (place, sent) in sent.iter_mut().enumerate() {
                if is_past(sent) {
                    let age = -std::mem::take(sent) - Rational::ONE;
                    let edge = EdgeId(e as u32);
                    let old = age.to_i64().ok_or(TooFar)? as usize;
                    let old = match broken(Defect::ClocksOfMessagesShift) {
                        true => place,
                        false => old,
                    };
                    goes_on.push((Since::Sent(edge, place), Since::Sent(edge, old)));
                }
            }
        }
        let old = before.map(|(state, _)| times(state));
        for (node, timers) in self.machine.nodes().zip(&mut clock.timers) {
            for (place, timer) in timers.iter_mut().enumerate() {
                let goes = Since::Set(node, place);
                if let Some((from, _)) = timer
                    && is_past(from)
                {
                    *timer = old.and_then(|old| old.timers[node.index()][place].clone());
                    goes_on.push((goes, goes));
                } else if timer.is_some() && broken(Defect::TimersKeepClocks) {
                    goes_on.push((goes, goes));
                }
            }
        }
        for (node, stopped) in self.machine.nodes().zip(&mut clock.stopped) {
            if stopped.as_ref().is_some_and(is_past) {
                *stopped = Some(Rational::ZERO);
                goes_on.push((Since::Stop(node), Since::Stop(node)));
            }
        }
        for (r, pending) in clock.pending.iter_mut().enumerate() {
            if !self.responses[r].0 {
                *pending = None;
            }
            if pending.is_some() {
                *pending = Some(Rational::ZERO);
                // No step both ends a response and makes it owed again, so the clock continues.
                let owed = Since::Owed(ResponseId(r as u32));
                goes_on.push((owed, owed));
            }
        }
        next.clock = Some(clock);
        let clocks = self.of(&next)?;
        let old = before.map_or(&[][..], |(_, clocks)| clocks);
        let from = clocks.iter().map(|clock| {
            let from = goes_on.iter().find(|(new, _)| *new == clock.since);
            let place = from.and_then(|(_, from)| old.iter().position(|c| c.since == *from));
            place.map_or(0, |place| place + 1)
        });
        let from = from.collect();
        Ok((next, clocks, from))
    }
}

/// The times of a discrete part.
pub(crate) fn times(state: &State) -> &Clock {
    state.clock.as_ref().expect("a Machine with exact times")
}
