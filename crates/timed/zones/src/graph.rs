//! The discrete parts of an instance, and their transitions, which are computed once for each discrete part.

use crate::clocks::{ClockOf, Clocks, Op, Since, Test, TooFar, times};
use crate::defects::{Defect, broken};
use crate::scope::no_zones;
use dbm::LuBounds;
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use machine::{
    BlockId, Channel, Choice, Delay, Event, Instance, Mode, Outcome, RecordId, RunError, State,
    StepError,
};
use rational::Rational;
use std::hash::BuildHasher;
use std::rc::Rc;
use verdict::Reason;

/// A discrete part with everything that does not depend on times.
pub(crate) struct Discrete {
    pub(crate) state: State,
    pub(crate) clocks: Vec<ClockOf>,
    /// Whether no time passes here, because a start block has not run.
    pub(crate) urgent: bool,
    /// The upper bounds of clocks, beyond which time does not pass.
    pub(crate) invariant: Vec<Test>,
    pub(crate) lu: LuBounds,
    /// The transitions; `None` until they are computed.
    outgoing: Option<Rc<Vec<Transition>>>,
}

/// An event with its picks.
pub(crate) struct Transition {
    pub(crate) choice: Choice,
    pub(crate) guards: Vec<Test>,
    pub(crate) target: Target,
    /// The blocks that run.
    pub(crate) ran: Vec<BlockId>,
    /// The types of the messages that are sent.
    pub(crate) sent: Vec<RecordId>,
}

/// Where a transition leads.
pub(crate) enum Target {
    /// A discrete part; and for each of its clocks the clock of the source that it continues, or 0 if it begins.
    Part(u32, Vec<usize>),
    Error(RunError),
}

/// Why transitions cannot be computed.
pub(crate) enum Unable {
    TooFar,
    Refused(Reason),
}

impl From<TooFar> for Unable {
    fn from(_: TooFar) -> Unable {
        Unable::TooFar
    }
}

impl From<dbm::Overflow> for Unable {
    fn from(_: dbm::Overflow) -> Unable {
        Unable::TooFar
    }
}

/// The discrete parts that were found.
pub(crate) struct Graph<'a> {
    pub(crate) instance: Instance<'a>,
    pub(crate) clocks: &'a Clocks<'a>,
    parts: Vec<Discrete>,
    index: HashTable<u32>,
    /// For a seeded defect: the first bounds of each timer.
    first_timers: Vec<ClockOf>,
}

impl<'a> Graph<'a> {
    pub(crate) fn new(instance: Instance<'a>, clocks: &'a Clocks<'a>) -> Graph<'a> {
        Graph {
            instance,
            clocks,
            parts: Vec::new(),
            index: HashTable::new(),
            first_timers: Vec::new(),
        }
    }

    pub(crate) fn part(&self, number: u32) -> &Discrete {
        &self.parts[number as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    /// The discrete part of an initial state.
    pub(crate) fn initial(&mut self, state: &State) -> Result<u32, Unable> {
        let (state, clocks, _) = self.clocks.settled(None, state.clone())?;
        self.intern(state, clocks)
    }

    fn intern(&mut self, state: State, clocks: Vec<ClockOf>) -> Result<u32, Unable> {
        let state = match broken(Defect::DurationsForgotten) {
            true => self.with_known_durations(state),
            false => state,
        };
        let hasher = FixedState::default();
        let hash = hasher.hash_one(&state);
        let parts = &self.parts;
        if let Some(part) = self.index.find(hash, |p| parts[*p as usize].state == state) {
            return Ok(*part);
        }
        let urgent = { state.nodes.iter() }.any(|node| node.mode == Mode::Waiting)
            && !broken(Defect::StartsLate);
        let mut invariant = Vec::new();
        if !broken(Defect::DeadlinesIgnored) {
            let op = match broken(Defect::StrictDeadlines) {
                true => Op::LessThan,
                false => Op::AtMost,
            };
            for (place, clock) in (1..).zip(&clocks) {
                invariant.extend(clock.most.map(|most| Test::new(place, op, most)));
            }
        }
        let lu = match broken(Defect::FirstBoundsOfTimers) {
            true => self.clocks.bounds(&self.with_first_bounds(&clocks))?,
            false => self.clocks.bounds(&clocks)?,
        };
        let number = u32::try_from(self.parts.len()).map_err(|_| Unable::TooFar)?;
        self.parts.push(Discrete {
            state,
            clocks,
            urgent,
            invariant,
            lu,
            outgoing: None,
        });
        let parts = &self.parts;
        self.index
            .insert_unique(hash, number, |p| hasher.hash_one(&parts[*p as usize].state));
        Ok(number)
    }

    /// For a seeded defect: the clocks, where each timer has the bounds of its first setting.
    fn with_first_bounds(&mut self, clocks: &[ClockOf]) -> Vec<ClockOf> {
        let is_timer = |clock: &ClockOf| matches!(clock.since, Since::Set(..));
        let first = clocks.iter().map(|clock| {
            if !is_timer(clock) {
                return *clock;
            }
            let known = { self.first_timers.iter() }.find(|c| c.since == clock.since);
            known.copied().unwrap_or_else(|| {
                self.first_timers.push(*clock);
                *clock
            })
        });
        first.collect()
    }

    /// For a seeded defect: a known state that differs only in the durations of timers, or else the given state.
    fn with_known_durations(&self, state: State) -> State {
        let bare = |state: &State| {
            let mut bare = state.clone();
            for timer in { bare.clock.iter_mut() }.flat_map(|c| c.timers.iter_mut().flatten()) {
                *timer = timer.as_ref().map(|_| Default::default());
            }
            bare
        };
        let wanted = bare(&state);
        let known = { self.parts.iter() }.find(|part| bare(&part.state) == wanted);
        known.map_or(state, |part| part.state.clone())
    }

    /// The transitions of a discrete part.
    pub(crate) fn outgoing(&mut self, number: u32) -> Result<Rc<Vec<Transition>>, Unable> {
        if let Some(known) = &self.parts[number as usize].outgoing {
            return Ok(known.clone());
        }
        let state = self.parts[number as usize].state.clone();
        let clocks = self.parts[number as usize].clocks.clone();
        let aged = self.clocks.aged(&state);
        let mut transitions = Vec::new();
        let choices = self.instance.choices_at_any_time(&aged);
        self.ends_all(number, &choices)?;
        for choice in choices {
            let guard = self.guard(&state, &clocks, &choice.event);
            let (ran, sent) = self.effects(&aged, &choice);
            let transition = |guards, target| Transition {
                choice: choice.clone(),
                guards,
                target,
                ran: ran.clone(),
                sent: sent.clone(),
            };
            match self.instance.step_at_once(&aged, &choice) {
                Ok(next) => {
                    for (guards, next) in self.by_responses(&clocks, guard, &aged, next) {
                        let (next, own, from) =
                            self.clocks.settled(Some((&state, &clocks)), next)?;
                        let target = Target::Part(self.intern(next, own)?, from);
                        transitions.push(transition(guards, target));
                    }
                }
                Err(StepError::Error(error)) => {
                    let guards = guard.into_iter().collect();
                    transitions.push(transition(guards, Target::Error(error)));
                }
                Err(StepError::NotEnabled) => {}
            }
        }
        let outgoing = Rc::new(transitions);
        self.parts[number as usize].outgoing = Some(outgoing.clone());
        Ok(outgoing)
    }

    /// The lower bound of a clock from which on an event is enabled; `None` if time does not restrict the event.
    fn guard(&self, state: &State, clocks: &[ClockOf], event: &Event) -> Option<Test> {
        let since = self.clocks.of_event(state, event)?;
        let place = clocks.iter().position(|clock| clock.since == since)?;
        let op = match broken(Defect::StrictLowerBounds) {
            true => Op::MoreThan,
            false => Op::AtLeast,
        };
        let least = clocks[place].least;
        (least > 0).then(|| Test::new(place + 1, op, least))
    }

    /// The successors of a step. They are split for each owed response that the step gives: the response is in time and
    /// ends, or it is overdue and stays owed.
    fn by_responses(
        &self,
        clocks: &[ClockOf],
        guard: Option<Test>,
        aged: &State,
        next: State,
    ) -> Vec<(Vec<Test>, State)> {
        let mut found = vec![(guard.into_iter().collect::<Vec<_>>(), next)];
        for (place, clock) in (1..).zip(clocks) {
            let Since::Owed(response) = clock.since else {
                continue;
            };
            let r = response.index();
            let is_owed = |state: &State| times(state).pending[r].is_some();
            if !is_owed(aged) || is_owed(&found[0].1) || broken(Defect::LateResponseCounts) {
                continue;
            }
            let within = self.clocks.within(response);
            let mut late = found.clone();
            for (guards, _) in &mut found {
                guards.push(Test::new(place, Op::AtMost, within));
            }
            for (guards, next) in &mut late {
                guards.push(Test::new(place, Op::MoreThan, within));
                if let Some(clock) = &mut next.clock {
                    clock.pending[r] = Some(Rational::ZERO);
                }
            }
            found.extend(late);
        }
        found
    }

    /// The blocks that a choice runs, and the types of the messages that it sends.
    fn effects(&self, state: &State, choice: &Choice) -> (Vec<BlockId>, Vec<RecordId>) {
        let trace = self.instance.trace(state, choice);
        let machine = self.instance.machine;
        let event = match &choice.event {
            Event::CrashDuring(_, event) => event,
            event => event,
        };
        let block = match event {
            Event::Run(_, block) | Event::Expire(_, _, block) => Some(*block),
            Event::Deliver(_, _, Outcome::HandOver(block) | Outcome::Repeat(_, Some(block))) => {
                Some(*block)
            }
            Event::Restart(node) if machine.restart_of(*node).is_some_and(|r| r.fresh) => {
                machine.start_block(machine.kind_of(*node))
            }
            _ => None,
        };
        let handed = trace.sent.iter().filter_map(|sent| match sent.at_once {
            Some(Outcome::HandOver(block)) => Some(block),
            _ => None,
        });
        let ran = block.into_iter().chain(handed).collect();
        let sent = trace.sent.iter().map(|sent| sent.message.record());
        (ran, sent.collect())
    }

    /// Checks that some event ends each obligation of a discrete part that has a latest time, so that there is no
    /// time-lock. For a message in a queue, the delivery of an earlier message of the same edge is enough. Without
    /// bounded channels the check always succeeds.
    fn ends_all(&self, number: u32, choices: &[Choice]) -> Result<(), Unable> {
        let part = &self.parts[number as usize];
        let machine = self.instance.machine;
        let ends = |clock: &ClockOf| match clock.since {
            Since::Sent(edge, place) => {
                let sent = &part.state.edges[edge.index()][place];
                let queue = machine.channel != Channel::Unordered;
                { choices.iter() }.any(|choice| match &choice.event {
                    Event::Deliver(on, message, _) => *on == edge && (queue || message == sent),
                    _ => false,
                })
            }
            // The messages of the node are delivered before its next activation, and nothing delays these deliveries.
            Since::Activation(node) if machine.delay == Delay::BeforeNext => {
                let own = |choice: &Choice| match &choice.event {
                    Event::Deliver(edge, ..) => machine.edges[edge.index()].0 == node,
                    event => machine.activates(event) == Some(node),
                };
                choices.iter().any(own)
            }
            since => { choices.iter() }
                .any(|choice| self.clocks.of_event(&part.state, &choice.event) == Some(since)),
        };
        let mut forced = part.clocks.iter().filter(|clock| clock.most.is_some());
        match part.urgent || forced.all(ends) {
            true => Ok(()),
            false => Err(Unable::Refused(no_zones(
                "an obligation that no event ends",
            ))),
        }
    }
}
