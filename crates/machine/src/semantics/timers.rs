//! Timers and bounded-response obligations.

use crate::semantics::eval::Evaluator;
use crate::{
    BlockId, Clock, ErrorKind, Event, Instance, KindId, Machine, NodeId, ResponseId, RunError,
    State, TimeSum, TimerId,
};
use rational::Rational;
use std::borrow::Cow;

impl Machine {
    /// Number of timers of a node of a kind; a per-node timer counts once for each node of the network.
    pub fn timer_places(&self, kind: KindId) -> usize {
        let own = self.timers.iter().filter(|timer| timer.kind == kind);
        own.map(|timer| self.timer_width(timer.per_node)).sum()
    }

    fn timer_width(&self, per_node: bool) -> usize {
        if per_node {
            self.node_count() as usize
        } else {
            1
        }
    }

    /// The index of a timer in [`NodeState::timers`](crate::NodeState); `other` is the node that a per-node timer is
    /// about.
    pub fn timer_place(&self, timer: TimerId, other: Option<NodeId>) -> usize {
        let kind = self.timers[timer.index()].kind;
        let before = self.timers[..timer.index()]
            .iter()
            .filter(|t| t.kind == kind);
        let first: usize = before.map(|t| self.timer_width(t.per_node)).sum();
        first + other.map_or(0, NodeId::index)
    }

    /// The timer at an index of [`NodeState::timers`](crate::NodeState), and the node that a per-node timer is about.
    pub fn timer_of(&self, node: NodeId, place: u32) -> (TimerId, Option<NodeId>) {
        let kind = self.kind_of(node);
        let mut first = 0;
        for (t, timer) in self
            .timers
            .iter()
            .enumerate()
            .filter(|(_, timer)| timer.kind == kind)
        {
            let width = self.timer_width(timer.per_node) as u32;
            if place < first + width {
                return (
                    TimerId(t as u32),
                    timer.per_node.then(|| NodeId(place - first)),
                );
            }
            first += width;
        }
        unreachable!("{node} has no timer {place}")
    }
}

/// The expiries of a timer of a node that are enabled if time constraints are ignored.
pub(crate) fn expiries(
    instance: &Instance<'_>,
    state: &State,
    node: NodeId,
    timer: TimerId,
    block: BlockId,
) -> Vec<Event> {
    let first = instance.machine.timer_place(timer, None);
    let width = instance
        .machine
        .timer_width(instance.machine.timers[timer.index()].per_node);
    let set = (first..first + width).filter(|place| state.nodes[node.index()].timers[*place]);
    set.map(|place| Event::Expire(node, place as u32, block))
        .collect()
}

/// Clears a timer of a node.
pub(crate) fn clear_timer(state: &mut State, node: NodeId, place: u32) {
    state.nodes[node.index()].timers[place as usize] = false;
    if let Some(clock) = &mut state.clock {
        clock.timers[node.index()][place as usize] = None;
    }
}

/// Whether a bounded-response obligation is violated: its deadline has passed without the response.
pub(crate) fn is_overdue(instance: &Instance<'_>, clock: &Clock, response: ResponseId) -> bool {
    let within = &instance.machine.responses[response.index()].within;
    let since = &clock.pending[response.index()];
    since
        .as_ref()
        .is_some_and(|since| clock.now > since + within)
}

/// Updates the time since which each bounded-response obligation is pending.
pub(crate) fn update_pending(instance: &Instance<'_>, state: &mut State) -> Result<(), RunError> {
    for (r, response) in instance.machine.responses.iter().enumerate() {
        let holds =
            |condition| Evaluator::new(*instance, Cow::Borrowed(&*state)).condition(condition);
        let responded = holds(&response.to)?;
        let triggered = holds(&response.from)?;
        if let Some(clock) = &mut state.clock {
            let now = clock.now.clone();
            // A violated obligation stays violated, even if the response follows.
            let overdue = is_overdue(instance, clock, ResponseId(r as u32));
            let pending = &mut clock.pending[r];
            if responded && !overdue {
                *pending = None;
            } else if triggered && pending.is_none() {
                *pending = Some(now);
            }
        }
    }
    Ok(())
}

impl Evaluator<'_> {
    /// Sets a timer of a node to expire between the two durations from now; `other` is the node that a per-node timer
    /// is about.
    pub(crate) fn set_timer(
        &mut self,
        node: NodeId,
        timer: TimerId,
        other: Option<NodeId>,
        sums: (&TimeSum, &TimeSum),
    ) -> Result<(), RunError> {
        let (from, to) = (self.time(sums.0)?, self.time(sums.1)?);
        if from.is_negative() || to < from {
            return self.error(ErrorKind::BadTimer(from, to));
        }
        let place = self.instance.machine.timer_place(timer, other);
        let state = self.state.to_mut();
        state.nodes[node.index()].timers[place] = true;
        if let Some(clock) = &mut state.clock {
            clock.timers[node.index()][place] = Some((&clock.now + from, &clock.now + to));
        }
        Ok(())
    }

    /// The value of a time sum.
    fn time(&mut self, sum: &TimeSum) -> Result<Rational, RunError> {
        let mut time = sum.constant.clone();
        for (times, by) in &sum.terms {
            time += Rational::from(self.value(times)?.as_int()) * by;
        }
        Ok(time)
    }
}
