//! What time does to events: which can happen now, what they set, and how a state shows to the reference interpreter.

use crate::program::compile::{Compiler, fault_number};
use crate::program::compiled_machine::{Compiled, During, Effects, Happening, Stop};
use crate::program::expression::{Code, Context, Op};
use crate::state::clocks::{Clockwork, Units};
use crate::state::layout::{Layout, Slots};
use machine::{
    BinaryOp, BlockId, Clock, Delay, EdgeId, Expr, Mode, NodeId, Pace, ResponseId, Rhythm, State,
    TimerId, Trigger,
};
use rational::Rational;

impl Compiled<'_> {
    /// Whether something that a node has sent must arrive before its next activation.
    pub(crate) fn waits_for_arrivals(&self, layout: &Layout, slots: &Slots, node: NodeId) -> bool {
        self.machine.delay == Delay::BeforeNext
            && self.out_edges[node.index()]
                .iter()
                .any(|edge| !layout.queue(slots, *edge).is_empty())
    }

    /// The expiries of a timer of a node.
    pub(crate) fn expiries(
        &self,
        slots: &Slots,
        node: NodeId,
        timer: TimerId,
        block: BlockId,
        found: &mut Vec<Happening>,
    ) {
        let Some(units) = &self.clockwork.units else {
            return;
        };
        for place in 0..units.timer_count(node) {
            if slots[units.timer(node, place)] > 0
                && self.machine.timer_of(node, place as u32).0 == timer
            {
                found.push(Happening::Expire(node, place as u32, block));
            }
        }
    }

    /// The node for which there is a timer, if there is one for each; otherwise 0.
    pub(crate) fn timer_for(&self, node: NodeId, place: u32) -> i64 {
        self.machine
            .timer_of(node, place)
            .1
            .map_or(0, |other| i64::from(other.0))
    }

    /// Sets a timer of a node: it expires at least and at most so much later.
    pub(crate) fn set(
        &self,
        slots: &mut Slots,
        node: NodeId,
        place: usize,
        (from, to): (i64, i64),
    ) {
        if let Some(units) = &self.clockwork.units {
            let slot = units.timer(node, place);
            (slots[slot], slots[slot + 1]) = (to + 1, from);
        }
    }

    /// A timer of a node does not expire any more.
    pub(crate) fn unset(&self, slots: &mut Slots, node: NodeId, place: usize) {
        if let Some(units) = &self.clockwork.units {
            let slot = units.timer(node, place);
            slots[slot..slot + 2].fill(0);
        }
    }

    /// Keeps the events that can happen now; time passes if it can, and it is an error if nothing can.
    pub(crate) fn keep_timely(&self, context: &Context<'_>, found: &mut Vec<Happening>) {
        let Some(units) = &self.clockwork.units else {
            return;
        };
        found.retain(|happening| self.is_timely(units, context, *happening));
        let seen =
            |edge, item| !self.is_unseen(context.frozen, context.slots, edge, item / self.delays);
        let due = units.is_due(
            self.machine,
            &self.bases,
            context.layout,
            context.slots,
            &seen,
        );
        if !due || found.is_empty() {
            found.push(Happening::Wait);
        }
    }

    fn is_timely(&self, units: &Units, context: &Context<'_>, happening: Happening) -> bool {
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
        match happening {
            Happening::Run(node, block) => activates(node, block),
            Happening::Expire(node, place, _) => expires(node, place),
            Happening::Deliver { edge, place, .. } => arrives(edge, place),
            Happening::CrashDuring(_, during) => match during {
                During::Run(node, block) => activates(node, block),
                During::Expire(node, place, _) => expires(node, place),
                During::HandOver { edge, place, .. } => arrives(edge, place),
            },
            Happening::Restart(node) => {
                let within = units.restart_within(node);
                within.is_none_or(|(least, most)| slots[units.restart(node)] <= most - least)
            }
            Happening::Transmit(_)
            | Happening::Crash(..)
            | Happening::Stop(..)
            | Happening::Wait => true,
        }
    }

    /// One unit of time passes; an error if it cannot.
    pub(crate) fn wait(
        &self,
        layout: &Layout,
        frozen: &[i64],
        next: &mut Slots,
        effects: &mut Effects,
    ) -> Result<(), Stop> {
        let units = self.clockwork.units.as_ref().ok_or(Stop::Broken)?;
        self.arrive_at_last(layout, frozen, next, effects)?;
        if units.is_due(self.machine, &self.bases, layout, next, &|_, _| true) {
            return Err(Stop::Broken);
        }
        units.pass(self.machine, &self.bases, layout, next);
        Ok(())
    }

    /// What an event means for what comes later: rhythms, and what must follow.
    pub(crate) fn keep_time(
        &self,
        layout: &Layout,
        frozen: &[i64],
        next: &mut Slots,
        happening: Happening,
    ) -> Result<(), Stop> {
        let Some(units) = &self.clockwork.units else {
            return Ok(());
        };
        if let Happening::Run(node, block) = happening
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
        let Some(units) = &self.clockwork.units else {
            return vec![false; self.machine.timer_places(self.machine.kind_of(node))];
        };
        let places = 0..units.timer_count(node);
        places
            .map(|place| slots[units.timer(node, place)] > 0)
            .collect()
    }

    /// The clock of a state, as the reference interpreter has it.
    pub(crate) fn clock(&self, layout: &Layout, slots: &Slots, frozen: &[i64]) -> Option<Clock> {
        let units = self.clockwork.units.as_ref()?;
        let unit = &self.machine.digitisation()?.unit;
        let now = slots[units.now];
        let at = |time: i64| Rational::from(time) * unit;
        let rhythms = self.machine.nodes().map(|node| {
            let Some(slot) = units.pulse(node).filter(|_| self.runs(slots, node)) else {
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

    /// What is left until a message on an edge of a state of the reference interpreter must arrive.
    pub(crate) fn left(&self, state: &State, edge: EdgeId, place: usize) -> i64 {
        match (&state.clock, self.machine.digitisation()) {
            (Some(clock), Some(grid)) if self.delays > 1 => {
                let age = (&clock.now - &clock.sent[edge.index()][place]) / &grid.unit;
                self.delays - 1 - age.to_i64().unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// The numbers of the clockwork in an initial state of the reference interpreter.
    pub(crate) fn clockwork_of(&self, state: &State, frozen: &[i64]) -> Vec<i64> {
        let range = self.clockwork.slots();
        let mut slots = vec![0; range.end];
        let Some(units) = &self.clockwork.units else {
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

impl Compiler<'_> {
    fn units(&self) -> Result<Units, String> {
        let clockwork = Clockwork::new(self.machine, &Pace::of(self.machine))?;
        clockwork.units.ok_or("times, and no grid of times".into())
    }

    /// Whether a timer of a node is set.
    pub(crate) fn timer_set(
        &mut self,
        timer: TimerId,
        node: &Expr,
        other: Option<&Expr>,
    ) -> Result<Code, String> {
        let (machine, units) = (self.machine, self.units()?);
        let nodes = i64::from(machine.node_count());
        let others = if other.is_some() { nodes } else { 1 };
        let kind = machine.timers[timer.index()].kind;
        let mut table = Vec::new();
        for whose in machine.nodes() {
            for of in 0..others {
                let of = other.map(|_| NodeId(of as u32));
                table.push(match machine.kind_of(whose) == kind {
                    true => units.timer(whose, machine.timer_place(timer, of)) as u32,
                    false => u32::MAX,
                });
            }
        }
        let whose = self.expr(node)?;
        let index = match other {
            None => whose,
            Some(other) => {
                let row = Code::Arithmetic(Op::Mul, Box::new(whose), Box::new(Code::Const(nodes)));
                Code::Arithmetic(Op::Add, Box::new(row), Box::new(self.expr(other)?))
            }
        };
        let slot = Code::Slot(table.into(), Box::new(index));
        Ok(Code::Arithmetic(
            Op::Gt,
            Box::new(slot),
            Box::new(Code::Const(0)),
        ))
    }

    /// How the time since the start compares.
    pub(crate) fn now(&mut self, op: BinaryOp, time: &Rational) -> Result<Code, String> {
        let units = self.units()?;
        let grid = self
            .machine
            .digitisation()
            .ok_or("times, and no grid of times")?;
        let limit = crate::state::clocks::in_units(time, &grid.unit)?;
        if limit >= units.horizon {
            return Err(format!("the time {time}, which is beyond what is counted"));
        }
        let op = match op {
            BinaryOp::Eq => Op::Eq,
            BinaryOp::Ne => Op::Ne,
            BinaryOp::Lt => Op::Lt,
            BinaryOp::Le => Op::Le,
            BinaryOp::Gt => Op::Gt,
            BinaryOp::Ge => Op::Ge,
            other => unreachable!("verified to be a comparison: {other:?}"),
        };
        let now = Code::Slot(vec![units.now as u32].into(), Box::new(Code::Const(0)));
        Ok(Code::Arithmetic(
            op,
            Box::new(now),
            Box::new(Code::Const(limit)),
        ))
    }

    /// Whether something that must follow in time is overdue.
    pub(crate) fn overdue(&mut self, response: ResponseId) -> Result<Code, String> {
        let units = self.units()?;
        let table = vec![units.pending(response.index()) as u32];
        let waited = Code::Slot(table.into(), Box::new(Code::Const(0)));
        let over = Code::Const(units.within[response.index()] + 2);
        Ok(Code::Arithmetic(Op::Eq, Box::new(waited), Box::new(over)))
    }

    /// Whether nothing is wrong with a node and nothing has faulted it.
    pub(crate) fn faultless(&mut self, node: &Expr) -> Result<Code, String> {
        let machine = self.machine;
        let clockwork = Clockwork::new(machine, &Pace::of(machine))?;
        let none = Box::new(Code::Const(fault_number(None)));
        let mut right = Code::Arithmetic(Op::Eq, Box::new(self.fault_of(node)?), none);
        for runtime_fault in 0..machine.runtime_faults.len() {
            let table = machine
                .nodes()
                .map(|n| clockwork.faulted(n, runtime_fault) as u32)
                .collect();
            let faulted = Code::Slot(table, Box::new(self.expr(node)?));
            let not = Code::Arithmetic(Op::Eq, Box::new(faulted), Box::new(Code::Const(0)));
            right = Code::And(Box::new(right), Box::new(not), true);
        }
        Ok(right)
    }
}
