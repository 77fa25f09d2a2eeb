//! When messages that take time are handed over in runs at the ends of what times allow.
//!
//! What breaks a claim is often that nothing comes for long: something comes just before one look, and what is sent next just
//! after another.

use machine::{Delay, Event, Instance, Machine, NodeId, State};
use rational::Rational;

/// Who brings messages, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeliveryPolicy {
    /// As soon as they may come.
    AtOnce,
    /// As late as they may come.
    Late,
    /// The same, unless the receiver is activated just when they may come: then before that.
    JustInTime,
    /// Together, before each activation of the receiver whose number is such a one: so many by so many, from this one on.
    /// Others come late.
    Together(u64, u64),
}

/// So many activations by so many, for those who bring messages together.
const BATCHES: [u64; 4] = [4, 2, 3, 6];

/// Those who are tried.
pub(crate) fn delivery_policies(machine: &Machine) -> Vec<DeliveryPolicy> {
    if !matches!(machine.delay, Delay::Within(..)) {
        return vec![DeliveryPolicy::AtOnce];
    }
    let batches = BATCHES.into_iter();
    let together =
        batches.flat_map(|every| (0..every).map(move |at| DeliveryPolicy::Together(every, at)));
    let others = [
        DeliveryPolicy::JustInTime,
        DeliveryPolicy::Late,
        DeliveryPolicy::AtOnce,
    ];
    let (few, many): (Vec<DeliveryPolicy>, Vec<DeliveryPolicy>) =
        together.partition(|carrier| matches!(carrier, DeliveryPolicy::Together(4, _)));
    [few, others.to_vec(), many].concat()
}

impl DeliveryPolicy {
    /// Whether of activations at the same time those of slow nodes come first: what they send may come before the others.
    pub(crate) fn slow_first(self) -> bool {
        self == DeliveryPolicy::JustInTime
    }

    /// When a message is handed over, and whether after activations at that time. `due` says when a node is activated next.
    pub(crate) fn hands_over(
        self,
        instance: Instance<'_>,
        state: &State,
        event: &Event,
        due: &dyn Fn(NodeId) -> Option<Rational>,
    ) -> Option<(Rational, bool)> {
        let (Event::Deliver(edge, message, _), Delay::Within(least, most)) =
            (event, &instance.machine.delay)
        else {
            return None;
        };
        let clock = state.clock.as_ref()?;
        let place = state.edges[edge.index()]
            .iter()
            .position(|m| m == message)?;
        let sent = &clock.sent[edge.index()][place];
        let (soon, late) = (sent + least, sent + most);
        let to = instance.machine.edges[edge.index()].1;
        let due = due(to);
        let next = clock.activations[to.index()].count + 1;
        Some(match (self, due) {
            (DeliveryPolicy::AtOnce, _) => (soon, false),
            (DeliveryPolicy::JustInTime, Some(due)) if due == soon => (soon, false),
            (DeliveryPolicy::Together(every, at), Some(due))
                if next % every == at && soon <= due && due <= late =>
            {
                (due, false)
            }
            _ => (late, true),
        })
    }
}
