//! Time: at which times events are enabled, and how time passes.
//!
//! With exact time every choice has a time, within the interval in which its event is enabled. With digitised time
//! `Wait` advances the clock by one unit, and every other event happens at the current time. The time since a past
//! event matters only up to a bound, and the time since the start only up to the horizon. Digitised clocks are
//! therefore brought to a normal form with finitely many values (`Instance::normalise_clock`).

use crate::semantics::timers;
use crate::{
    Abstraction, ActivationHistory, Choice, Clock, Delay, Digitisation, ErrorKind, Event, Instance,
    Interval, Jitter, Mode, NodeId, Periodic, RunError, State, StepError, Timing,
};
use rational::Rational;

/// Maximum number of states at one time that the search for a time-lock visits.
const MAX_STATES_AT_ONE_TIME: usize = 20_000;

impl Instance<'_> {
    /// Whether choices have times: the Machine has real times, and they are exact.
    pub fn is_timed(&self) -> bool {
        self.machine.abstraction == Abstraction::Exact && self.machine.has_time()
    }

    /// Whether the event of a choice is enabled at the time of the choice.
    pub(crate) fn is_in_time(&self, state: &State, choice: &Choice) -> bool {
        let Some(time) = &choice.time else {
            return !self.is_timed();
        };
        let interval = self.enabled_interval(state, &choice.event);
        interval.is_some_and(|(from, to)| from <= *time && to.is_none_or(|to| *time <= to))
    }

    /// Removes the events that time excludes: with digitised time those that are not enabled at the current time, with
    /// exact time those that do not become enabled by the passage of time alone. Adds `Wait` if digitised time can
    /// pass. Also adds `Wait` if no event is enabled and time cannot pass; its step then reports the time-lock.
    pub(crate) fn retain_in_time(&self, state: &State, events: &mut Vec<Event>) {
        let Some(clock) = &state.clock else {
            return;
        };
        let deadline = self.deadline(state);
        let grid = self.machine.digitisation();
        events.retain(|event| {
            let interval = self.enabled_interval_until(state, event, deadline.clone());
            interval.is_some_and(|(from, _)| grid.is_none() || from <= clock.now)
        });
        let can_wait = deadline.is_none_or(|deadline| deadline > clock.now);
        if if can_wait {
            grid.is_some()
        } else {
            events.is_empty()
        } {
            events.push(Event::Wait);
        }
    }

    /// The state after time has passed: up to the time of the choice, or by one unit with digitised time. A runtime
    /// error if there is a time-lock.
    pub(crate) fn wait(&self, state: &State, choice: &Choice) -> Result<State, StepError> {
        let Some(clock) = &state.clock else {
            return Err(StepError::NotEnabled);
        };
        let grid = self.machine.digitisation();
        let until = match (grid, &choice.time) {
            (Some(grid), None) => &clock.now + &grid.unit,
            (None, Some(until)) if *until >= clock.now => until.clone(),
            _ => return Err(StepError::NotEnabled),
        };
        match self.deadline(state) {
            Some(deadline) if deadline <= clock.now && self.is_time_locked(state) => {
                Err(StepError::Error(RunError {
                    kind: ErrorKind::TimeLock,
                    origin: None,
                }))
            }
            Some(deadline) if deadline < until => Err(StepError::NotEnabled),
            _ if !choice.picks.is_empty() => Err(StepError::NotEnabled),
            _ => {
                let mut next = state.clone();
                if let Some(clock) = &mut next.clock {
                    clock.now = until;
                }
                self.update_clock(&mut next, None)?;
                Ok(next)
            }
        }
    }

    /// Whether no sequence of events at the current time leads to a state in which time can pass. Also false if the
    /// search exceeds its limit.
    fn is_time_locked(&self, state: &State) -> bool {
        let mut found = vec![state.clone()];
        let mut seen = std::collections::HashSet::from([state.clone()]);
        while let Some(state) = found.pop() {
            let now = state.clock.as_ref().map(|clock| clock.now.clone());
            let deadline = self.deadline(&state);
            if deadline.is_none() || deadline > now || seen.len() > MAX_STATES_AT_ONE_TIME {
                return false;
            }
            for choice in self.choices(&state) {
                let at_once =
                    choice.event != Event::Wait && (choice.time.is_none() || choice.time == now);
                if at_once
                    && let Ok(next) = self.step(&state, &choice)
                    && seen.insert(next.clone())
                {
                    found.push(next);
                }
            }
        }
        true
    }

    /// The interval of times at which an event is enabled if no other event happens before; the upper end is `None` if
    /// time can pass without bound. The result is `None` if the event is enabled at no time or if states have no clock.
    /// The event must be one of [`Instance::events`].
    pub fn enabled_interval(
        &self,
        state: &State,
        event: &Event,
    ) -> Option<(Rational, Option<Rational>)> {
        self.enabled_interval_until(state, event, self.deadline(state))
    }

    /// [`Instance::enabled_interval`], where `deadline` is [`Instance::deadline`] of the state.
    pub(crate) fn enabled_interval_until(
        &self,
        state: &State,
        event: &Event,
        deadline: Option<Rational>,
    ) -> Option<(Rational, Option<Rational>)> {
        let clock = state.clock.as_ref()?;
        let mut from = clock.now.clone();
        let mut not_before = |earliest: Rational| {
            if earliest > from {
                from = earliest;
            }
        };
        let event = match event {
            Event::CrashDuring(_, instead_of) => instead_of,
            event => event,
        };
        match event {
            Event::Deliver(edge, message, _) => {
                if let Delay::Within(least, _) = &self.machine.delay {
                    let mut messages = state.edges[edge.index()].iter();
                    let place = messages.position(|m| m == message)?;
                    not_before(&clock.sent[edge.index()][place] + least);
                }
            }
            Event::Expire(node, place, _) => {
                if let Some((earliest, _)) = &clock.timers[node.index()][*place as usize] {
                    not_before(earliest.clone());
                }
            }
            Event::Restart(node) => {
                if let Some((earliest, _)) = self.restarts_within(clock, *node) {
                    not_before(earliest);
                }
            }
            _ => {
                if let Some((node, Timing::Periodic(periodic))) = self.machine.activation(event) {
                    not_before(self.next_activation_interval(clock, node, periodic).0);
                }
            }
        }
        match deadline {
            Some(to) if to < from => None,
            to => Some((from, to)),
        }
    }

    /// The interval in which a stopped node restarts; `None` if the node is not stopped or its restart has no time
    /// limit.
    fn restarts_within(&self, clock: &Clock, node: NodeId) -> Option<Interval> {
        let stopped = clock.stopped.get(node.index())?.as_ref()?;
        let (least, most) = self.machine.restart_of(node)?.within.as_ref()?;
        Some((stopped + least, stopped + most))
    }

    /// The interval of the next activation of a node, regardless of the deadlines of other nodes. `None` if the node is
    /// not running or has no periodic timing.
    pub fn activation_window(&self, state: &State, node: NodeId) -> Option<Interval> {
        let clock = state.clock.as_ref()?;
        match self.machine.timing(self.machine.kind_of(node))? {
            Timing::Periodic(periodic) if state.nodes[node.index()].mode == Mode::Running => {
                Some(self.next_activation_interval(clock, node, periodic))
            }
            _ => None,
        }
    }

    /// The latest time up to which time can pass without an event; `None` if there is no bound.
    pub fn deadline(&self, state: &State) -> Option<Rational> {
        let clock = state.clock.as_ref()?;
        let of_nodes =
            self.machine
                .nodes()
                .filter_map(|node| match state.nodes[node.index()].mode {
                    Mode::Waiting => Some(clock.now.clone()), // start blocks run at time 0
                    Mode::Running => Some(self.activation_window(state, node)?.1),
                    Mode::Stopped => Some(self.restarts_within(clock, node)?.1),
                    Mode::Halted | Mode::Off | Mode::Crashed => None,
                });
        let timers = clock.timers.iter().flatten().flatten();
        let of_timers = timers.map(|(_, latest)| latest.clone());
        let sent = clock.sent.iter().flatten();
        let of_messages = sent.filter_map(|sent| match &self.machine.delay {
            Delay::Within(_, most) => Some(sent + most),
            Delay::Any | Delay::BeforeNext => None,
        });
        of_nodes.chain(of_timers).chain(of_messages).min()
    }

    /// The interval of a node's next activation, by its timing, fixed period and activation history.
    fn next_activation_interval(
        &self,
        clock: &Clock,
        node: NodeId,
        periodic: &Periodic,
    ) -> Interval {
        let history = &clock.activations[node.index()];
        let period = self.frozen.period(node);
        let gap = match period {
            Some(period) => (period.clone(), period.clone()),
            None => periodic.gap.clone(),
        };
        let (Some(first), Some(last)) = (&history.first, &history.last) else {
            let (earliest, latest) = periodic.first_of(period);
            return (&history.since + earliest, &history.since + latest);
        };
        match &periodic.jitter {
            Jitter::None => (last + &gap.0, last + &gap.1),
            Jitter::PerGap(by) => (last + &gap.0 - by, last + &gap.1 + by),
            Jitter::OnGrid(by) => {
                let count = Rational::from(history.count);
                (first + &count * &gap.0 - by, first + &count * &gap.1 + by)
            }
        }
    }

    /// Sets the clock of an initial state, with the bounded-response obligations that are pending initially.
    pub fn set_clock(&self, initial: &mut State) -> Result<(), RunError> {
        initial.clock = self.clock();
        timers::update_pending(self, initial)
    }

    /// Updates the clock after an event or after time has passed. `activated` is the node if the event is an
    /// activation.
    pub(crate) fn update_clock(
        &self,
        next: &mut State,
        activated: Option<NodeId>,
    ) -> Result<(), StepError> {
        let Some(clock) = &mut next.clock else {
            return Ok(());
        };
        if let Some(node) = activated {
            clock.activated(node);
        }
        timers::update_pending(self, next).map_err(StepError::Error)?;
        if let Some(grid) = self.machine.digitisation() {
            self.normalise_clock(next, grid);
        }
        Ok(())
    }

    /// Brings a digitised clock to a normal form with the same later events and conditions. The time since the start
    /// stops at the horizon, and times that no longer matter are replaced by later ones.
    fn normalise_clock(&self, state: &mut State, grid: &Digitisation) {
        let Some(clock) = &mut state.clock else {
            return;
        };
        let horizon = &grid.unit * Rational::from(grid.horizon);
        let over = (&clock.now - horizon).max(Rational::default());
        clock.shift(&over);
        for node in self.machine.nodes() {
            let history = &mut clock.activations[node.index()];
            let timing = self.machine.timing(self.machine.kind_of(node));
            match timing {
                Some(Timing::Periodic(periodic)) if state.nodes[node.index()].mode.runs() => {
                    if let Jitter::OnGrid(_) = periodic.jitter
                        && let Some(first) = &mut history.first
                    {
                        // The first activation is replaced by the grid point of the last one.
                        let period = self.frozen.period(node).unwrap_or(&periodic.gap.0);
                        *first = &*first + Rational::from(history.count - 1) * period;
                        history.last = Some(first.clone());
                        history.count = 1;
                    } else if let Some(last) = &history.last {
                        history.first = Some(last.clone());
                        history.count = 1;
                    }
                    if let Some(first) = &history.first {
                        history.since = first.clone();
                    }
                }
                _ => *history = ActivationHistory::default(),
            }
        }
        for (earliest, _) in clock.timers.iter_mut().flatten().flatten() {
            if *earliest < clock.now {
                *earliest = clock.now.clone();
            }
        }
        for (pending, response) in clock.pending.iter_mut().zip(&self.machine.responses) {
            let forgotten = &clock.now - &response.within - &grid.unit;
            if let Some(since) = pending
                && *since < forgotten
            {
                *since = forgotten;
            }
        }
    }
}

impl Clock {
    /// Records an activation at the current time.
    fn activated(&mut self, node: NodeId) {
        let history = &mut self.activations[node.index()];
        history.count += 1;
        history.first.get_or_insert_with(|| self.now.clone());
        history.last = Some(self.now.clone());
    }

    /// Subtracts a duration from all times of the clock.
    fn shift(&mut self, by: &Rational) {
        let back = |time: &mut Rational| *time = &*time - by;
        back(&mut self.now);
        for history in &mut self.activations {
            back(&mut history.since);
            history
                .first
                .iter_mut()
                .chain(&mut history.last)
                .for_each(back);
        }
        self.sent.iter_mut().flatten().for_each(back);
        for (earliest, latest) in self.timers.iter_mut().flatten().flatten() {
            back(earliest);
            back(latest);
        }
        self.stopped
            .iter_mut()
            .chain(&mut self.pending)
            .flatten()
            .for_each(back);
    }
}
