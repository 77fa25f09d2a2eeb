//! The action of an event as data, with its text: what happens to the node of the event.

use crate::words::names::Words;
use crate::words::timers::timer_name;
use crate::words::times::Times;
use machine::{Mode, NodeId, Outcome, Value};
use rational::Rational;

/// What happens to the node of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// The node runs its start block.
    Starts,
    /// The node runs an `every` block whose activations are not counted.
    WakesUp,
    /// The node runs an `every` block whose activations are counted; this is the number of the activation, from 1.
    Activation(u64),
    /// The node runs a `when` block, which has this name in the model.
    Does(String),
    /// A timer of the node expires: the node, and the index of the timer among its timers.
    Expires(NodeId, usize),
    Crashes,
    /// The node crashes during this action, after some of its messages are sent.
    CrashesDuring(Box<Action>),
    Stops,
    /// The node restarts in the state in which it stopped.
    Resumes,
    /// The node restarts from its initial state, except that these persistent variables keep their values.
    BeginsAgain(Vec<String>),
    /// The channel has room for the first message of the outbox: the message and its receiver.
    CanSend(Value, NodeId),
    Arrives(Arrival),
    /// Only time passes; the duration is unknown.
    Waits,
    /// Only time passes, until this time.
    WaitsUntil(Rational),
    /// Only time passes, for this duration.
    WaitsFor(Rational),
    /// A time-lock: time cannot pass.
    TimeLock,
}

/// A message that arrives at its receiver or is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub(crate) message: Value,
    /// The sender, if the receiver gets messages from several nodes in the run; otherwise `None`.
    pub(crate) from: Option<NodeId>,
    pub(crate) outcome: Outcome,
    /// The mode of the receiver before the event.
    pub(crate) mode: Mode,
}

impl Action {
    /// The text that follows the name of the node.
    pub(crate) fn text(&self, words: Words<'_>) -> String {
        let times = Times::new(words.labels);
        match self {
            Action::Starts => "starts".into(),
            Action::WakesUp => "wakes up".into(),
            Action::Activation(number) => format!("activation {number}"),
            Action::Does(name) => format!("does {name}"),
            Action::Expires(node, place) => {
                format!("timer {} expires", timer_name(words, *node, *place))
            }
            Action::Crashes => "crashes".into(),
            Action::CrashesDuring(action) => match **action {
                Action::Expires(..) => format!("crashes as its {}", action.text(words)),
                _ => format!("crashes while it {}", action.text(words)),
            },
            Action::Stops => "stops".into(),
            Action::Resumes => "goes on where it stopped".into(),
            Action::BeginsAgain(kept) => match &kept[..] {
                [] => "begins again from the start".into(),
                [_, _, _, ..] => format!("begins again and keeps {} variables", kept.len()),
                few => format!("begins again and keeps {}", few.join(" and ")),
            },
            Action::CanSend(message, to) => {
                let (message, to) = (words.value(message), words.node(*to));
                format!("can now send {message} to {to}")
            }
            Action::Arrives(arrival) => arrival.text(words),
            Action::Waits => "nothing happens".into(),
            Action::WaitsUntil(time) => format!("nothing happens until {}", times.text(time)),
            Action::WaitsFor(time) => format!("nothing happens for {}", times.text(time)),
            Action::TimeLock => "time cannot go on".into(),
        }
    }
}

impl Arrival {
    fn text(&self, words: Words<'_>) -> String {
        let from = self.from.map(|from| format!(" from {}", words.node(from)));
        let message = words.value(&self.message) + &from.unwrap_or_default();
        match self.outcome {
            Outcome::HandOver(_) | Outcome::Unhandled => format!("gets {message}"),
            Outcome::Repeat(_, Some(_)) => format!("gets {message}, which will come again"),
            Outcome::Repeat(_, None) => {
                format!("gets {message} into its inbox, and it will come again")
            }
            Outcome::Store => format!("gets {message} into its inbox"),
            Outcome::Lose(_) => format!("never gets {message}: it is lost"),
            Outcome::Drop => match self.mode {
                Mode::Halted => format!("has halted: {message} is dropped"),
                Mode::Off => format!("is off: {message} is dropped"),
                Mode::Crashed => format!("has crashed: {message} is dropped"),
                Mode::Stopped => format!("has stopped: {message} is dropped"),
                Mode::Waiting | Mode::Running => format!("ignores {message}"),
            },
        }
    }
}
