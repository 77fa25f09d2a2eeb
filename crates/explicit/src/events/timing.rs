//! Time in the semantics of events: which are enabled now, how clocks change, and the clock of the reference
//! interpreter.

use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::{CompiledEvent, Effects, SendingEvent, Stop};
use crate::program::expression::Context;
use crate::state::clocks::ClockUnits;
use crate::state::layout::{Layout, Slots};
use machine::{BlockId, Clock, Delay, EdgeId, Mode, NodeId, Rhythm, State, TimerId, Trigger};
use rational::Rational;

impl CompiledMachine<'_> {
    /// Whether a message that a node has sent must arrive before its next activation.
    pub(crate) fn waits_for_arrivals(&self, layout: &Layout, slots: &Slots, node: NodeId) -> bool {
        self.machine.delay == Delay::BeforeNext
            && self.out_edges[node.index()]
                .iter()
                .any(|edge| !layout.queue(slots, *edge).is_empty())
    }

    /// Adds the expiries of a timer of a node.
    pub(crate) fn expiries(
        &self,
        slots: &Slots,
        node: NodeId,
        timer: TimerId,
        block: BlockId,
        found: &mut Vec<CompiledEvent>,
    ) {
        let Some(units) = &self.clocks.units else {
            return;
        };
        for place in 0..units.timer_count(node) {
            if slots[units.timer(node, place)] > 0
                && self.machine.timer_of(node, place as u32).0 == timer
            {
                found.push(CompiledEvent::Expire(node, place as u32, block));
            }
        }
    }

    /// The node of a timer, if there is one for each node; otherwise 0.
    pub(crate) fn timer_for(&self, node: NodeId, place: u32) -> i64 {
        self.machine
            .timer_of(node, place)
            .1
            .map_or(0, |other| i64::from(other.0))
    }

    /// Keeps the events that are enabled now, and adds the passing of time if that is possible. If nothing is enabled,
    /// time passing is added and is an error.
    pub(crate) fn keep_timely(&self, context: &Context<'_>, found: &mut Vec<CompiledEvent>) {
        let Some(units) = &self.clocks.units else {
            return;
        };
        found.retain(|event| self.is_timely(units, context, *event));
        let seen = |edge, item| {
            !self.is_invisible(context.frozen, context.slots, edge, item / self.delays)
        };
        let due = units.is_due(
            self.machine,
            &self.bases,
            context.layout,
            context.slots,
            &seen,
        );
        if !due || found.is_empty() {
            found.push(CompiledEvent::Wait);
        }
    }

    fn is_timely(&self, units: &ClockUnits, context: &Context<'_>, event: CompiledEvent) -> bool {
        let slots = context.slots;
        let activates = |node: NodeId, block: BlockId| {
            let every = matches!(
                self.machine.blocks[block.index()].trigger,
                Trigger::Every(_)
            );
            !every || units.can_activate(slots, node, self.period(context.frozen, node))
        };
        let expires = |node: NodeId, place: u32| slots[units.timer(node, place as usize) + 1] == 0;
        let arrives = |edge: EdgeId, place: usize| {
            let item = context.layout.queue(slots, edge)[place];
            units
                .delay
                .is_none_or(|(least, most)| item % self.delays <= most - least)
        };
        match event {
            CompiledEvent::Run(node, block) => activates(node, block),
            CompiledEvent::Expire(node, place, _) => expires(node, place),
            CompiledEvent::Deliver { edge, place, .. } => arrives(edge, place),
            CompiledEvent::CrashDuring(_, during) => match during {
                SendingEvent::Run(node, block) => activates(node, block),
                SendingEvent::Expire(node, place, _) => expires(node, place),
                SendingEvent::HandOver { edge, place, .. } => arrives(edge, place),
            },
            CompiledEvent::Restart(node) => {
                let within = units.restart_within(node);
                within.is_none_or(|(least, most)| slots[units.restart(node)] <= most - least)
            }
            CompiledEvent::Transmit(_)
            | CompiledEvent::Crash(..)
            | CompiledEvent::Stop(..)
            | CompiledEvent::Wait => true,
        }
    }

    /// Lets one unit of time pass; an error if it cannot.
    pub(crate) fn wait(
        &self,
        layout: &Layout,
        frozen: &[i64],
        next: &mut Slots,
        effects: &mut Effects,
    ) -> Result<(), Stop> {
        let units = self.clocks.units.as_ref().ok_or(Stop::Broken)?;
        self.deliver_due(layout, frozen, next, effects)?;
        if units.is_due(self.machine, &self.bases, layout, next, &|_, _| true) {
            return Err(Stop::Broken);
        }
        units.pass(self.machine, &self.bases, layout, next);
        Ok(())
    }

    /// Updates activation clocks and deadlines after an event.
    pub(crate) fn keep_time(
        &self,
        layout: &Layout,
        frozen: &[i64],
        next: &mut Slots,
        event: CompiledEvent,
    ) -> Result<(), Stop> {
        let Some(units) = &self.clocks.units else {
            return Ok(());
        };
        if let CompiledEvent::Run(node, block) = event
            && matches!(
                self.machine.blocks[block.index()].trigger,
                Trigger::Every(_)
            )
        {
            units.activated(next, node, self.period(frozen, node));
        }
        for node in self.machine.nodes() {
            if !self.runs(next, node) {
                units.end(next, node);
            }
        }
        for (response, (from, to)) in self.responses.iter().enumerate() {
            let context = Context {
                compiled: self,
                layout,
                frozen,
                slots: next,
            };
            let followed = to.holds(&context, &[]).ok_or(Stop::Broken)?;
            let asked = from.holds(&context, &[]).ok_or(Stop::Broken)?;
            let overdue = next[units.pending(response)] == units.within[response] + 2;
            let waited = &mut next[units.pending(response)];
            if followed && !overdue {
                *waited = 0;
            } else if asked && *waited == 0 {
                *waited = 1;
            }
        }
        Ok(())
    }

    /// Which timers of a node are set.
    pub(crate) fn timers_set(&self, slots: &Slots, node: NodeId) -> Vec<bool> {
        let Some(units) = &self.clocks.units else {
            return vec![false; self.machine.timer_places(self.machine.kind_of(node))];
        };
        let places = 0..units.timer_count(node);
        places
            .map(|place| slots[units.timer(node, place)] > 0)
            .collect()
    }

    /// The clock of a state in the reference interpreter.
    pub(crate) fn clock(&self, layout: &Layout, slots: &Slots, frozen: &[i64]) -> Option<Clock> {
        let units = self.clocks.units.as_ref()?;
        let unit = &self.machine.digitisation()?.unit;
        let now = slots[units.now];
        let at = |time: i64| Rational::from(time) * unit;
        let rhythms = self.machine.nodes().map(|node| {
            let Some(slot) = units
                .activation_clock(node)
                .filter(|_| self.runs(slots, node))
            else {
                return Rhythm::default();
            };
            let (left, begun) = (slots[slot], slots[slot + 1] == 1);
            let period = self.period(frozen, node);
            if !begun {
                let since = at(now + left - units.first(node, period).1);
                return Rhythm {
                    since,
                    ..Rhythm::default()
                };
            }
            let last = at(now + left - units.gap(node, period).1);
            Rhythm {
                since: last.clone(),
                count: 1,
                first: Some(last.clone()),
                last: Some(last),
            }
        });
        let timers = self.machine.nodes().map(|node| {
            let places = 0..units.timer_count(node);
            let timers = places.map(|place| {
                let slot = units.timer(node, place);
                (slots[slot] > 0).then(|| (at(now + slots[slot + 1]), at(now + slots[slot] - 1)))
            });
            timers.collect()
        });
        let sent = units.delay.map(|(_, most)| {
            let edges = (0..self.machine.edges.len() as u32).map(EdgeId);
            let edges = edges.map(|edge| {
                let items = self.on_the_way(layout, slots, edge).into_iter();
                items.map(|(_, left)| at(now + left - most)).collect()
            });
            edges.collect()
        });
        let must = self
            .machine
            .nodes()
            .any(|node| units.restart_within(node).is_some());
        let stopped = self.machine.nodes().filter(|_| must).map(|node| {
            let (_, most) = units.restart_within(node)?;
            (self.mode(slots, node) == Mode::Stopped as i64)
                .then(|| at(now + slots[units.restart(node)] - most))
        });
        let pending = (0..units.within.len()).map(|response| {
            let waited = slots[units.pending(response)];
            (waited > 0).then(|| at(now - (waited - 1)))
        });
        Some(Clock {
            now: at(now),
            rhythms: rhythms.collect(),
            sent: sent.unwrap_or_default(),
            timers: timers.collect(),
            stopped: stopped.collect(),
            pending: pending.collect(),
        })
    }

    /// The time until a message on an edge of an interpreter state must arrive.
    pub(crate) fn left(&self, state: &State, edge: EdgeId, place: usize) -> i64 {
        match (&state.clock, self.machine.digitisation()) {
            (Some(clock), Some(grid)) if self.delays > 1 => {
                let age = (&clock.now - &clock.sent[edge.index()][place]) / &grid.unit;
                self.delays - 1 - age.to_i64().unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// The clock slots of an initial state of the reference interpreter.
    pub(crate) fn clock_slots_of(&self, state: &State, frozen: &[i64]) -> Vec<i64> {
        let range = self.clocks.slots();
        let mut slots = vec![0; range.end];
        let Some(units) = &self.clocks.units else {
            return slots.split_off(range.start);
        };
        for node in self.machine.nodes() {
            if state.nodes[node.index()].mode.runs() {
                units.begin(&mut slots, node, self.period(frozen, node));
            }
        }
        if let Some(clock) = &state.clock {
            for (response, since) in clock.pending.iter().enumerate() {
                slots[units.pending(response)] = i64::from(since.is_some());
            }
        }
        slots.split_off(range.start)
    }
}
