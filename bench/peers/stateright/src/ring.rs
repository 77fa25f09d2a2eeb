//! A ring of members whose channels hold one message, as a stateright model.
//!
//! There are three kinds of steps: a start; the delivery of a message with its whole handler; and the transmission of a
//! message that waits for room. A member whose message waits for room takes no other step.

use stateright::{Model, Property};
use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;

/// The code and the variables of a member.
pub trait Member: Copy + Debug + Eq + Hash + Send + Sync + 'static {
    type Message: Copy + Debug + Eq + Hash + Send + Sync + 'static;

    fn new(rank: u8) -> Self;
    /// The message that a member sends at its start.
    fn start(&self) -> Self::Message;
    /// Handles a message. Returns the message to send, if any, and whether the member halts.
    fn handle(&mut self, message: Self::Message) -> (Option<Self::Message>, bool);
    /// The rank of the leader, if the member knows it.
    fn leader(&self) -> Option<u8>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Life {
    Waiting,
    Running,
    Halted,
}

/// A member, and the channel from it to the next member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place<M: Member> {
    member: M,
    life: Life,
    /// A message that waits for room on the channel; one suffices, because a step sends at most one message.
    outbox: Option<M::Message>,
    channel: Option<M::Message>,
}

impl<M: Member> Place<M> {
    fn send(&mut self, message: M::Message) {
        match self.channel {
            None => self.channel = Some(message),
            Some(_) => self.outbox = Some(message),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    Start(usize),
    Transmit(usize),
    HandOver(usize),
}

pub struct Ring<M, const N: usize> {
    ranks: [u8; N],
    member: PhantomData<fn() -> M>,
}

impl<M: Member, const N: usize> Ring<M, N> {
    pub fn new(ranks: [u8; N]) -> Ring<M, N> {
        Ring {
            ranks,
            member: PhantomData,
        }
    }
}

impl<M: Member, const N: usize> Model for Ring<M, N> {
    type State = [Place<M>; N];
    type Action = Step;

    fn init_states(&self) -> Vec<Self::State> {
        let first = |rank| Place {
            member: M::new(rank),
            life: Life::Waiting,
            outbox: None,
            channel: None,
        };
        vec![self.ranks.map(first)]
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<Step>) {
        for (k, place) in state.iter().enumerate() {
            if place.outbox.is_some() {
                if place.channel.is_none() {
                    actions.push(Step::Transmit(k));
                }
                continue;
            }
            match place.life {
                Life::Waiting => actions.push(Step::Start(k)),
                Life::Running if state[before::<N>(k)].channel.is_some() => {
                    actions.push(Step::HandOver(k));
                }
                Life::Running | Life::Halted => {}
            }
        }
    }

    fn next_state(&self, last: &Self::State, step: Step) -> Option<Self::State> {
        let mut state = *last;
        match step {
            Step::Start(k) => {
                let place = &mut state[k];
                place.life = Life::Running;
                place.send(place.member.start());
            }
            Step::Transmit(k) => state[k].channel = state[k].outbox.take(),
            Step::HandOver(k) => {
                let message = state[before::<N>(k)].channel.take()?;
                let place = &mut state[k];
                let (sent, halts) = place.member.handle(message);
                if let Some(sent) = sent {
                    place.send(sent);
                }
                if halts {
                    place.life = Life::Halted;
                }
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let agreement = |_: &Self, state: &Self::State| {
            let mut leaders = state.iter().filter_map(|place| place.member.leader());
            leaders.all(|leader| leader as usize == N)
        };
        vec![Property::always("agreement", agreement)]
    }
}

fn before<const N: usize>(k: usize) -> usize {
    if k == 0 { N - 1 } else { k - 1 }
}
