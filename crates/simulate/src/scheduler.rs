//! What happens next in a random run: when nodes mean to be activated, and which of several events is first.
//!
//! With times, a node draws the time of its next activation once, as soon as it is known from when to when
//! that can be; half of the time it is one of the ends. So do messages, timers and restarts that have an interval.
//! Everything that has no time of its own (a message on
//! a plain channel, a `when` block) draws one anew after each event. The earliest event happens; of several
//! at the same time each is equally likely. Without times each possible choice is equally likely. Faults of nodes are
//! rarer: one is drawn before one event in so many, and where nothing else can happen.
//!
//! A run may also have an order of precedence among its nodes, drawn once: of what can be next, whatever is the business of
//! the first node goes first. Such runs are few, one for each order, and meet what is met only if somebody is always late;
//! a run that decides anew at each event hardly ever does. (Burckhardt, Kothari, Musuvathi, Nagarakatte, A Randomized
//! Scheduler with Probabilistic Guarantees of Finding Bugs, 2010, did so for threads.)

use machine::random::Rng;
use machine::{
    Choice, Delay, EdgeId, Event, Instance, Interval, Machine, NodeId, State, StmtKind, Timing,
    Value, sample_time,
};
use rational::Rational;
use std::cmp::Ordering;

/// Before one event in so many a fault of a node is drawn, if one is possible.
const RARE: usize = 20;

/// Times that have been drawn and have not come yet.
#[derive(Clone, Debug)]
pub struct Scheduler {
    plans: Vec<Option<Plan>>,
    /// When something with an interval of its own means to happen.
    dates: Vec<(Date, Rational)>,
    /// Some code has a `choose`.
    chooses: bool,
    /// How long something without a deadline waits at most.
    patience: Rational,
    /// Times of what has no time of its own are multiples of it, unless they are the ends of what is possible.
    grid: Rational,
    /// Everything that has an interval of its own happens at this part of it, if one is given.
    part: Option<Rational>,
    /// Who goes first of several that could be next.
    precedence: Option<Precedence>,
}

/// An order among the nodes of a run.
#[derive(Clone, Debug)]
struct Precedence {
    /// The place of each node in the order.
    places: Vec<usize>,
    /// A message on its way is the business of who sent it, not of who gets it.
    of_sender: bool,
}

impl Precedence {
    fn place(&self, machine: &Machine, event: &Event) -> Option<usize> {
        let node = match event {
            Event::Deliver(edge, ..) if self.of_sender => Some(machine.edges[edge.index()].0),
            _ => machine.node_of(event),
        };
        node.map(|node| self.places[node.index()])
    }
}

/// When a node means to be activated.
#[derive(Clone, Debug)]
struct Plan {
    /// After so many activations.
    count: u64,
    time: Rational,
}

/// Something that happens once, within an interval of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Date {
    what: Dated,
    within: Interval,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Dated {
    /// A message reaches the end of its edge.
    Message(EdgeId, Value),
    /// A timer of a node expires.
    Timer(NodeId, u32),
    /// A node begins again.
    Restart(NodeId),
}

impl Scheduler {
    /// The scheduler of a run that has not begun.
    pub fn new(machine: &Machine) -> Scheduler {
        let mut chooses = false;
        for statement in machine.blocks.iter().flat_map(|block| &block.body) {
            statement.walk(&mut |s| chooses |= matches!(s.kind, StmtKind::Choose(..)));
        }
        let gaps = machine.periodic_kinds().into_iter();
        let gaps = gaps.map(|(_, periodic)| periodic.gap.1.clone());
        let delay = match &machine.delay {
            Delay::Within(_, most) => Some(most.clone()),
            Delay::Any | Delay::BeforeNext => None,
        };
        let patience = gaps.chain(delay).filter(Rational::is_positive).max();
        let patience = patience.unwrap_or(Rational::ONE);
        Scheduler {
            plans: vec![None; machine.node_count() as usize],
            dates: Vec::new(),
            chooses,
            grid: &patience / &Rational::from(100),
            patience,
            part: None,
            precedence: None,
        }
    }

    /// The same with an order of precedence among the nodes.
    pub fn with_precedence(self, rng: &mut Rng) -> Scheduler {
        let mut places: Vec<usize> = (0..self.plans.len()).collect();
        for last in (1..places.len()).rev() {
            places.swap(last, rng.below(last + 1));
        }
        Scheduler {
            precedence: Some(Precedence {
                places,
                of_sender: rng.below(2) == 0,
            }),
            ..self
        }
    }

    /// Leaves only what goes first of all that could be next.
    fn prefer<T>(&self, machine: &Machine, all: &mut Vec<T>, event: impl Fn(&T) -> &Event) {
        let Some(precedence) = &self.precedence else {
            return;
        };
        let place = |item: &T| precedence.place(machine, event(item));
        let best = all.iter().map(&place).min();
        all.retain(|item| Some(place(item)) == best);
    }

    /// The same where everybody keeps step: what has an interval of its own happens at the same part of it, the rest as
    /// late as can be, so that much happens at the same time, in any order.
    pub fn in_step(machine: &Machine, part: Rational) -> Scheduler {
        Scheduler {
            part: Some(part),
            ..Scheduler::new(machine)
        }
    }

    /// A time of an interval.
    fn time_in(&self, within: &Interval, rng: &mut Rng) -> Rational {
        match &self.part {
            Some(part) => &within.0 + (&within.1 - &within.0) * part.clone(),
            None => sample_time(within, &mut |n| rng.below(n)),
        }
    }

    /// What happens next; nothing if nothing can.
    pub fn draw(&mut self, instance: Instance<'_>, state: &State, rng: &mut Rng) -> Option<Choice> {
        if !instance.is_timed() {
            let mut choices = instance.choices(state);
            rarely(&mut choices, |choice| &choice.event, rng);
            self.prefer(instance.machine, &mut choices, |choice| &choice.event);
            return match choices.len() {
                0 => None,
                count => Some(choices.swap_remove(rng.below(count))),
            };
        }
        let deadline = instance.deadline(state);
        let mut events = instance.events(state);
        rarely(&mut events, |event| event, rng);
        let mut first: Vec<Event> = Vec::new();
        let mut time = Rational::default();
        self.forget(state);
        for event in events {
            let when = self.when(instance, state, &event, deadline.as_ref(), rng);
            match (first.is_empty(), when.cmp(&time)) {
                (true, _) | (_, Ordering::Less) => {
                    first = vec![event];
                    time = when;
                }
                (_, Ordering::Equal) => first.push(event),
                (_, Ordering::Greater) => {}
            }
        }
        if first.is_empty() {
            return None;
        }
        self.prefer(instance.machine, &mut first, |event| event);
        let event = first.swap_remove(rng.below(first.len()));
        // A node that is held up lets nobody wait as long as planned.
        let time = Some(deadline.map_or(time.clone(), |deadline| time.min(deadline)));
        let chooses = self.chooses || matches!(event, Event::Restart(_) | Event::CrashDuring(..));
        Some(match chooses {
            true => instance.sample_choice(state, event, time, &mut |n| rng.below(n)),
            false => Choice {
                event,
                picks: Vec::new(),
                time,
            },
        })
    }

    /// When a possible event would happen.
    fn when(
        &mut self,
        instance: Instance<'_>,
        state: &State,
        event: &Event,
        deadline: Option<&Rational>,
        rng: &mut Rng,
    ) -> Rational {
        let clock = state.clock.as_ref().expect("a state with time");
        if let Some((node, Timing::Periodic(_))) = instance.machine.activation(event) {
            // A node that was held up by its outbox may have missed its time.
            return self
                .planned(instance, state, node, rng)
                .max(clock.now.clone());
        }
        if let Some(date) = date(instance, state, event) {
            return self.dated(date, rng).max(clock.now.clone());
        }
        let until = match deadline {
            Some(deadline) => deadline.clone(),
            None => &clock.now + &self.patience,
        };
        // Also a fault in the middle of an event that is not due yet.
        let from = instance
            .enabled_interval(state, event)
            .map(|(from, _)| from);
        let from = from.unwrap_or_else(|| clock.now.clone());
        let within = (from.clone(), until.max(from));
        if self.part.is_some() {
            return own_deadline(instance, state, event).unwrap_or(within.1); // as late as can be
        }
        let drawn = sample_time(&within, &mut |n| rng.below(n));
        if drawn == within.0 || drawn == within.1 {
            return drawn;
        }
        ((&drawn / &self.grid).floor() * &self.grid).max(within.0)
    }

    /// When something with an interval of its own means to happen.
    fn dated(&mut self, date: Date, rng: &mut Rng) -> Rational {
        if let Some((_, time)) = self.dates.iter().find(|(known, _)| *known == date) {
            return time.clone();
        }
        let time = self.time_in(&date.within, rng);
        self.dates.push((date, time.clone()));
        time
    }

    /// Forgets what is over.
    fn forget(&mut self, state: &State) {
        let now = state.clock.as_ref().map(|clock| &clock.now);
        self.dates.retain(|(date, _)| now <= Some(&date.within.1));
    }

    /// When a running node means to be activated next.
    fn planned(
        &mut self,
        instance: Instance<'_>,
        state: &State,
        node: NodeId,
        rng: &mut Rng,
    ) -> Rational {
        let clock = state.clock.as_ref().expect("a state with time");
        let count = clock.activations[node.index()].count;
        let window = instance
            .activation_window(state, node)
            .expect("a running node");
        match &self.plans[node.index()] {
            // Whoever took events back may have come here another way.
            Some(old) if old.count == count && window.0 <= old.time && old.time <= window.1 => {
                old.time.clone()
            }
            _ => {
                let time = self.time_in(&window, rng);
                self.plans[node.index()] = Some(Plan {
                    count,
                    time: time.clone(),
                });
                time
            }
        }
    }
}

/// When a message that arrives before its sender is activated again must be there.
fn own_deadline(instance: Instance<'_>, state: &State, event: &Event) -> Option<Rational> {
    match (event, &instance.machine.delay) {
        (Event::Deliver(edge, ..), Delay::BeforeNext) => {
            let sender = instance.machine.edges[edge.index()].0;
            instance
                .activation_window(state, sender)
                .map(|(_, latest)| latest)
        }
        _ => None,
    }
}

/// The interval of an event that has one of its own.
fn date(instance: Instance<'_>, state: &State, event: &Event) -> Option<Date> {
    let clock = state.clock.as_ref()?;
    let (what, within) = match event {
        Event::Deliver(edge, message, _) => {
            let Delay::Within(least, most) = &instance.machine.delay else {
                return None;
            };
            let mut messages = state.edges[edge.index()].iter();
            let place = messages.position(|m| m == message)?;
            let sent = &clock.sent[edge.index()][place];
            let what = Dated::Message(*edge, message.clone());
            (what, (sent + least, sent + most))
        }
        Event::Expire(node, place, _) => {
            let within = clock.timers[node.index()][*place as usize].clone()?;
            (Dated::Timer(*node, *place), within)
        }
        Event::Restart(node) => {
            let (least, most) = instance.machine.restart_of(*node)?.within.as_ref()?;
            let stopped = clock.stopped.get(node.index())?.as_ref()?;
            (Dated::Restart(*node), (stopped + least, stopped + most))
        }
        _ => return None,
    };
    Some(Date { what, within })
}

/// Leaves only faults of nodes, rarely, or takes them away; unless there is nothing else.
fn rarely<T>(all: &mut Vec<T>, event: impl Fn(&T) -> &Event, rng: &mut Rng) {
    let runtime_faults = |item: &T| {
        matches!(
            event(item),
            Event::Crash(..) | Event::CrashDuring(..) | Event::Stop(..)
        )
    };
    let faults = all.iter().filter(|item| runtime_faults(item)).count();
    if faults == 0 || faults == all.len() {
        return;
    }
    let now = rng.below(RARE) == 0;
    all.retain(|item| runtime_faults(item) == now);
}
