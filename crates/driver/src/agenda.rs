//! What happens next in a random run: when nodes mean to be activated, and which of several events is first.
//!
//! With times, a node draws the time of its next activation once, as soon as it is known from when to when
//! that can be; half of the time it is one of the ends. Everything that has no time of its own (a message on
//! a plain channel, a `when` block) draws one anew after each event. The earliest event happens; of several
//! at the same time each is equally likely. Without times each possible choice is equally likely.

use machine::random::Rng;
use machine::{Choice, Event, Instance, Machine, NodeId, State, StmtKind, Timing, pick_time};
use rational::Rational;
use std::cmp::Ordering;

/// Times that have been drawn and have not come yet.
#[derive(Clone, Debug)]
pub(crate) struct Agenda {
    plans: Vec<Option<Plan>>,
    /// Some code has a `choose`.
    chooses: bool,
    /// How long something without a deadline waits at most.
    patience: Rational,
    /// Times of what has no time of its own are multiples of it, unless they are the ends of what is possible.
    grid: Rational,
}

/// When a node means to be activated.
#[derive(Clone, Debug)]
struct Plan {
    /// After so many activations.
    count: u64,
    time: Rational,
}

impl Agenda {
    /// The agenda of a run that has not begun.
    pub(crate) fn new(machine: &Machine) -> Agenda {
        let mut chooses = false;
        for statement in machine.blocks.iter().flat_map(|block| &block.body) {
            statement.walk(&mut |s| chooses |= matches!(s.kind, StmtKind::Choose(..)));
        }
        let gaps = machine.rhythms().into_iter();
        let patience = gaps.map(|(_, periodic)| periodic.gap.1.clone()).max();
        let patience = patience.unwrap_or(Rational::ONE);
        Agenda {
            plans: vec![None; machine.node_count() as usize],
            chooses,
            grid: &patience / &Rational::from(100),
            patience,
        }
    }

    /// What happens next; nothing if nothing can.
    pub(crate) fn draw(
        &mut self,
        instance: Instance<'_>,
        state: &State,
        rng: &mut Rng,
    ) -> Option<Choice> {
        if !instance.is_timed() {
            let mut choices = instance.choices(state);
            return match choices.len() {
                0 => None,
                count => Some(choices.swap_remove(rng.below(count))),
            };
        }
        let deadline = instance.deadline(state);
        let mut first: Vec<Event> = Vec::new();
        let mut time = Rational::default();
        for event in instance.events(state) {
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
        let event = first.swap_remove(rng.below(first.len()));
        // A node that is held up lets nobody wait as long as planned.
        let time = Some(deadline.map_or(time.clone(), |deadline| time.min(deadline)));
        Some(match self.chooses {
            true => instance.pick_choice(state, event, time, &mut |n| rng.below(n)),
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
        let until = match deadline {
            Some(deadline) => deadline.clone(),
            None => &clock.now + &self.patience,
        };
        let within = (clock.now.clone(), until);
        let drawn = pick_time(&within, &mut |n| rng.below(n));
        if drawn == within.0 || drawn == within.1 {
            return drawn;
        }
        ((&drawn / &self.grid).floor() * &self.grid).max(within.0)
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
        let count = clock.rhythms[node.index()].count;
        let window = instance.window(state, node).expect("a running node");
        let plan = &mut self.plans[node.index()];
        match plan {
            // Whoever took events back may have come here another way.
            Some(old) if old.count == count && window.0 <= old.time && old.time <= window.1 => {
                old.time.clone()
            }
            _ => {
                let time = pick_time(&window, &mut |n| rng.below(n));
                *plan = Some(Plan {
                    count,
                    time: time.clone(),
                });
                time
            }
        }
    }
}
