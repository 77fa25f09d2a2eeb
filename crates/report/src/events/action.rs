//! What happens to the node of an event, as data, with its text.

use crate::words::names::Words;
use crate::words::timers::timer_name;
use crate::words::times::Times;
use machine::{Mode, NodeId, Outcome, Value};
use rational::Rational;

/// What happens to the node of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// The start block runs.
    Starts,
    /// A periodic block runs whose activations are not counted.
    WakesUp,
    /// A counted activation, with its number from 1.
    Activation(u64),
    /// A `when` block runs, with its name in the model.
    Does(String),
    /// A timer of the node expires, by its place among the timers.
    Expires(NodeId, usize),
    Crashes,
    /// The node crashes during this action.
    CrashesDuring(Box<Action>),
    Stops,
    /// It restarts in the state in which it stopped.
    Resumes,
    /// It restarts from the start, with the values of these persistent variables.
    BeginsAgain(Vec<String>),
    /// The channel has room for the first message of the outbox.
    CanSend(Value, NodeId),
    Arrives(Arrival),
    /// Nothing happens; the duration is not known.
    Waits,
    WaitsUntil(Rational),
    WaitsFor(Rational),
    /// Time cannot pass.
    TimeLock,
}

/// A message that reaches its receiver, or is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub(crate) message: Value,
    /// The sender, if several nodes send to the receiver in the run.
    pub(crate) from: Option<NodeId>,
    pub(crate) outcome: Outcome,
    /// The mode of the receiver before the event.
    pub(crate) mode: Mode,
}

impl Action {
    /// The text behind the name of the node.
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
