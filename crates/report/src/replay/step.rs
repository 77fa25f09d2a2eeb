//! What each event of a run did beyond what states show: what it sent and read, and its number in a rhythm.

use crate::Telling;
use machine::{Choice, Instance, NodeId, State, Timing, Trace};
use rational::Rational;

/// What an event did.
#[derive(Clone, Debug)]
pub(crate) struct Deed {
    /// What its code did.
    pub(crate) trace: Trace,
    /// The how many-th activation of its node it is, from 1.
    pub(crate) activation: Option<u64>,
}

impl Telling<'_> {
    /// The Machine with what is frozen.
    pub(crate) fn instance(&self) -> Instance<'_> {
        Instance {
            machine: self.words.machine,
            frozen: &self.run.frozen,
        }
    }

    /// Events have times.
    pub fn is_timed(&self) -> bool {
        let mut choices = self.run.choices.iter();
        self.states[0].clock.is_some() && choices.all(|c| c.time.is_some())
    }

    /// When an event happens; without times nothing that means anything.
    pub(crate) fn time(&self, event: usize) -> Rational {
        self.run.choices[event].time.clone().unwrap_or_default()
    }

    /// The deeds of all events.
    pub(crate) fn deeds(&self) -> Vec<Deed> {
        deeds(self.instance(), &self.run.choices, self.states)
    }
}

/// The deeds of all events of a run.
pub(crate) fn deeds(instance: Instance<'_>, choices: &[Choice], states: &[State]) -> Vec<Deed> {
    let mut counts = vec![0; instance.machine.node_count() as usize];
    let events = choices.iter().zip(states);
    events
        .map(|(choice, before)| {
            let activated = activated(instance, choice);
            Deed {
                trace: instance.trace(before, choice),
                activation: activated.map(|node| {
                    counts[node.index()] += 1;
                    counts[node.index()]
                }),
            }
        })
        .collect()
}

/// What a choice does after others, from a state.
pub(crate) fn deed(
    instance: Instance<'_>,
    so_far: &[Choice],
    before: &State,
    choice: &Choice,
) -> Deed {
    let node = activated(instance, choice);
    let earlier = so_far.iter().filter(|c| activated(instance, c) == node);
    Deed {
        trace: instance.trace(before, choice),
        activation: node.map(|_| earlier.count() as u64 + 1),
    }
}

/// The node whose rhythm an event belongs to.
pub(crate) fn activated(instance: Instance<'_>, choice: &Choice) -> Option<NodeId> {
    match instance.machine.activation(&choice.event)? {
        (_, Timing::Any) => None, // nobody counts these
        (node, _) => Some(node),
    }
}
