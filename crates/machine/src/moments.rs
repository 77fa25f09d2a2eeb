//! The reference interpreter's time: when an event can happen.

use crate::rates::Interval;
use crate::{Clock, Event, Instance, Jitter, Mode, NodeId, Periodic, Rhythm, Rung, State, Timing};
use rational::Rational;

impl Instance<'_> {
    /// Whether choices have times.
    pub fn is_timed(&self) -> bool {
        self.machine.rung == Rung::Exact && self.machine.has_time()
    }

    /// From when to when an event can happen, if nothing else happens before: the second end is open if time
    /// can pass without bound. Nothing if it cannot. The event must be a possible one in the state.
    pub fn moments(&self, state: &State, event: &Event) -> Option<(Rational, Option<Rational>)> {
        self.moments_until(state, event, self.deadline(state))
    }

    /// The same, with the deadline of the state.
    pub(crate) fn moments_until(
        &self,
        state: &State,
        event: &Event,
        deadline: Option<Rational>,
    ) -> Option<(Rational, Option<Rational>)> {
        let clock = state.clock.as_ref()?;
        let mut from = clock.now.clone();
        if let Some((node, Timing::Periodic(periodic))) = self.machine.activation(event) {
            from = from.max(self.next_activation(clock, node, periodic).0);
        }
        match deadline {
            Some(to) if to < from => None,
            to => Some((from, to)),
        }
    }

    /// From when to when the next activation of a node is, whatever others do. Nothing if the node does not
    /// run, or has no rhythm with times.
    pub fn window(&self, state: &State, node: NodeId) -> Option<Interval> {
        let clock = state.clock.as_ref()?;
        match self.machine.timing(self.machine.kind_of(node))? {
            Timing::Periodic(periodic) if state.nodes[node.index()].mode == Mode::Running => {
                Some(self.next_activation(clock, node, periodic))
            }
            _ => None,
        }
    }

    /// The time beyond which nothing can wait: the first obligation.
    pub fn deadline(&self, state: &State) -> Option<Rational> {
        let clock = state.clock.as_ref()?;
        let obligations = self.machine.nodes().filter_map(|node| {
            match state.nodes[node.index()].mode {
                Mode::Waiting => Some(clock.now.clone()), // starts are at time 0
                Mode::Running => Some(self.window(state, node)?.1),
                Mode::Halted | Mode::Off => None,
            }
        });
        obligations.min()
    }

    /// When a node's next activation is.
    fn next_activation(&self, clock: &Clock, node: NodeId, periodic: &Periodic) -> Interval {
        let rhythm = &clock.rhythms[node.index()];
        let period = self
            .rigid
            .periods
            .get(node.index())
            .and_then(Option::as_ref);
        let gap = match period {
            Some(period) => (period.clone(), period.clone()),
            None => periodic.gap.clone(),
        };
        let (Some(first), Some(last)) = (&rhythm.first, &rhythm.last) else {
            return periodic.first_of(period);
        };
        match &periodic.jitter {
            Jitter::None => (last + &gap.0, last + &gap.1),
            Jitter::PerGap(by) => (last + &gap.0 - by, last + &gap.1 + by),
            Jitter::OnGrid(by) => {
                let count = Rational::from(rhythm.count);
                (first + &count * &gap.0 - by, first + &count * &gap.1 + by)
            }
        }
    }

    /// The clock at the start; nothing without times.
    pub fn clock(&self) -> Option<Clock> {
        self.is_timed().then(|| Clock {
            now: Rational::default(),
            rhythms: vec![Rhythm::default(); self.machine.node_count() as usize],
        })
    }

    /// Whether the periods are what the timings declare: one for each node whose timing is fixed.
    pub fn periods_fit(&self) -> bool {
        let declared = |node: NodeId| match self.machine.timing(self.machine.kind_of(node)) {
            Some(Timing::Periodic(periodic)) if periodic.fixed => Some(periodic),
            _ => None,
        };
        if !self.is_timed() {
            return self.rigid.periods.is_empty();
        }
        self.rigid.periods.len() == self.machine.node_count() as usize
            && self.machine.nodes().all(|node| {
                match (declared(node), &self.rigid.periods[node.index()]) {
                    (Some(p), Some(period)) => p.gap.0 <= *period && *period <= p.gap.1,
                    (declared, period) => declared.is_none() && period.is_none(),
                }
            })
    }
}

impl Clock {
    /// Lets an event happen.
    pub(crate) fn tick(&mut self, time: &Rational, activated: Option<NodeId>) {
        self.now = time.clone();
        if let Some(node) = activated {
            let rhythm = &mut self.rhythms[node.index()];
            rhythm.count += 1;
            rhythm.first.get_or_insert_with(|| time.clone());
            rhythm.last = Some(time.clone());
        }
    }
}
