//! The scheduler of a random run: draws the times of future events, and chooses the event that fires next.
//!
//! In a Machine with time, the scheduler draws the time of an activation once, as soon as its interval is determined;
//! half of the draws are an end of the interval. Deliveries, timers and restarts that have an interval are drawn in the
//! same way. All other events (a delivery without declared delay, a `when` block) get a new random time after each
//! event. The earliest event fires; events at the same time are equally likely.
//!
//! In a Machine without time, all enabled choices are equally likely.
//!
//! In both cases, faults of nodes are rare: if other events are enabled too, a fault is chosen only once in `RARE`
//! events, on average.
//!
//! A run may also have a precedence, an order of the nodes that is drawn once: among the candidates for the next event,
//! those of the first node in this order fire first. Such runs reach states in which one node is late during the whole
//! run; a run that draws anew at each event hardly ever does. Burckhardt, Kothari, Musuvathi, Nagarakatte, "A
//! randomized scheduler with probabilistic guarantees of finding bugs" (ASPLOS 2010), use such priorities for threads.

use machine::random::Rng;
use machine::{
    Choice, Delay, EdgeId, Event, Instance, Interval, Machine, NodeId, State, StmtKind, Timing,
    Value, sample_time,
};
use rational::Rational;
use std::cmp::Ordering;

/// The average number of events per fault of a node, while faults of nodes and other events are enabled.
const RARE: usize = 20;

/// The state of the scheduler of one run: the times drawn so far for future events.
#[derive(Clone, Debug)]
pub struct Scheduler {
    /// For each node the drawn time of its next activation.
    plans: Vec<Option<Plan>>,
    /// The drawn times of other events that have an interval of their own.
    dates: Vec<(Date, Rational)>,
    /// Whether some block has a `choose` statement.
    chooses: bool,
    /// The longest time from now to an event whose time the Machine does not bound.
    patience: Rational,
    /// The times of events without an interval of their own are multiples of this unit, or ends of the interval in
    /// which they are enabled.
    unit: Rational,
    /// If given, every event with an interval of its own fires at this fraction of the interval, from 0 (start) to 1
    /// (end).
    part: Option<Rational>,
    /// The precedence among nodes, if the run has one.
    precedence: Option<Precedence>,
}

/// An order of the nodes, fixed for a run.
#[derive(Clone, Debug)]
struct Precedence {
    /// For each node its position in the order.
    places: Vec<usize>,
    /// Whether a delivery belongs to the sender of the message (true) or to the receiver (false).
    of_sender: bool,
}

impl Precedence {
    /// The position of the node that an event belongs to; `None` if it belongs to no node.
    fn place(&self, machine: &Machine, event: &Event) -> Option<usize> {
        let node = match event {
            Event::Deliver(edge, ..) if self.of_sender => Some(machine.edges[edge.index()].0),
            _ => machine.node_of(event),
        };
        node.map(|node| self.places[node.index()])
    }
}

/// The drawn time of the next activation of a node.
#[derive(Clone, Debug)]
struct Plan {
    /// The number of earlier activations of the node.
    count: u64,
    time: Rational,
}

/// An event that fires once, within an interval of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Date {
    what: Dated,
    within: Interval,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Dated {
    /// The delivery of a message on an edge.
    Message(EdgeId, Value),
    /// The expiry of the timer with this index of a node.
    Timer(NodeId, u32),
    /// The restart of a node.
    Restart(NodeId),
}

impl Scheduler {
    /// The scheduler for the start of a run.
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
            unit: &patience / &Rational::from(100),
            patience,
            part: None,
            precedence: None,
        }
    }

    /// Adds a random precedence among the nodes.
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

    /// Keeps only the candidates of the node that comes first in the precedence. Events that belong to no node come
    /// before all others.
    fn prefer<T>(&self, machine: &Machine, all: &mut Vec<T>, event: impl Fn(&T) -> &Event) {
        let Some(precedence) = &self.precedence else {
            return;
        };
        let place = |item: &T| precedence.place(machine, event(item));
        let best = all.iter().map(&place).min();
        all.retain(|item| Some(place(item)) == best);
    }

    /// A scheduler that keeps the nodes in step: events with an interval of their own fire at the fraction `part` of
    /// this interval, all others as late as possible. Hence events often have the same time, and their order is random.
    pub fn in_step(machine: &Machine, part: Rational) -> Scheduler {
        Scheduler {
            part: Some(part),
            ..Scheduler::new(machine)
        }
    }

    /// Draws a time from an interval, or takes the fixed fraction of the interval.
    fn time_in(&self, within: &Interval, rng: &mut Rng) -> Rational {
        match &self.part {
            Some(part) => &within.0 + (&within.1 - &within.0) * part.clone(),
            None => sample_time(within, &mut |n| rng.below(n)),
        }
    }

    /// Chooses the next event and its time; `None` if no event is enabled.
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
        // The deadline may be earlier than the drawn time because of a node that waits for its outbox.
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

    /// The time at which an enabled event would fire if no other event fired before.
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
            // A node that had to wait for its outbox may have missed the drawn time.
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
        // An event may be enabled only from a later time on, such as a fault during an event that is not yet due.
        let from = instance
            .enabled_interval(state, event)
            .map(|(from, _)| from);
        let from = from.unwrap_or_else(|| clock.now.clone());
        let within = (from.clone(), until.max(from));
        if self.part.is_some() {
            // A scheduler that keeps the nodes in step fires this event as late as possible.
            return own_deadline(instance, state, event).unwrap_or(within.1);
        }
        let drawn = sample_time(&within, &mut |n| rng.below(n));
        if drawn == within.0 || drawn == within.1 {
            return drawn;
        }
        ((&drawn / &self.unit).floor() * &self.unit).max(within.0)
    }

    /// The time of an event with an interval of its own, drawn when it is first requested.
    fn dated(&mut self, date: Date, rng: &mut Rng) -> Rational {
        if let Some((_, time)) = self.dates.iter().find(|(known, _)| *known == date) {
            return time.clone();
        }
        let time = self.time_in(&date.within, rng);
        self.dates.push((date, time.clone()));
        time
    }

    /// Removes the drawn times of events whose interval is over.
    fn forget(&mut self, state: &State) {
        let now = state.clock.as_ref().map(|clock| &clock.now);
        self.dates.retain(|(date, _)| now <= Some(&date.within.1));
    }

    /// The time of the next activation of a running node, drawn when it is first requested.
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
            // After an undo, the activation with the same count may have another interval; then a new time is drawn.
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

/// The latest time of a delivery, if messages must arrive before the next activation of their sender.
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

/// The event with its own interval, if it has one.
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

/// If only some of the events are faults of nodes: keeps only the faults with probability 1 / `RARE`, otherwise only
/// the other events.
fn rarely<T>(all: &mut Vec<T>, event: impl Fn(&T) -> &Event, rng: &mut Rng) {
    let is_fault = |item: &T| {
        matches!(
            event(item),
            Event::Crash(..) | Event::CrashDuring(..) | Event::Stop(..)
        )
    };
    let faults = all.iter().filter(|item| is_fault(item)).count();
    if faults == 0 || faults == all.len() {
        return;
    }
    let now = rng.below(RARE) == 0;
    all.retain(|item| is_fault(item) == now);
}
