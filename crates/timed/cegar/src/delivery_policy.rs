//! Delivery policies: the times at which a corner schedule delivers messages with a delay.
//!
//! A claim often breaks because a receiver gets nothing for a long time: one message arrives just before an activation, and the next
//! one just after a later activation.

use machine::{Delay, Event, Instance, Machine, NodeId, State};
use rational::Rational;

/// When messages are delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeliveryPolicy {
    /// At the earliest time.
    AtOnce,
    /// At the latest time.
    Late,
    /// At the latest time; but if the receiver is activated exactly at the earliest time, just before that activation.
    JustInTime,
    /// In batches: `Batches(every, at)` delivers just before each activation of the receiver whose number is `at` modulo `every`, if the
    /// delay allows it, and at the latest time otherwise.
    Batches(u64, u64),
}

/// The periods of batches that are tried, in activations of the receiver.
const BATCH_PERIODS: [u64; 4] = [4, 2, 3, 6];

/// The policies that are tried, in this order.
pub(crate) fn delivery_policies(machine: &Machine) -> Vec<DeliveryPolicy> {
    if !matches!(machine.delay, Delay::Within(..)) {
        return vec![DeliveryPolicy::AtOnce];
    }
    let periods = BATCH_PERIODS.into_iter();
    let batches =
        periods.flat_map(|every| (0..every).map(move |at| DeliveryPolicy::Batches(every, at)));
    let others = [
        DeliveryPolicy::JustInTime,
        DeliveryPolicy::Late,
        DeliveryPolicy::AtOnce,
    ];
    let (first, last): (Vec<DeliveryPolicy>, Vec<DeliveryPolicy>) =
        batches.partition(|policy| matches!(policy, DeliveryPolicy::Batches(4, _)));
    [first, others.to_vec(), last].concat()
}

impl DeliveryPolicy {
    /// Whether slow nodes precede fast nodes that are activated at the same time. Messages of the slow nodes may then arrive before the
    /// activations of the fast ones.
    pub(crate) fn slow_first(self) -> bool {
        self == DeliveryPolicy::JustInTime
    }

    /// The time at which a message is delivered, and whether the delivery follows activations at that time. `due` gives the time of
    /// a node's next activation.
    pub(crate) fn delivery_time(
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
        let (earliest, latest) = (sent + least, sent + most);
        let to = instance.machine.edges[edge.index()].1;
        let due = due(to);
        let next = clock.activations[to.index()].count + 1;
        Some(match (self, due) {
            (DeliveryPolicy::AtOnce, _) => (earliest, false),
            (DeliveryPolicy::JustInTime, Some(due)) if due == earliest => (earliest, false),
            (DeliveryPolicy::Batches(every, at), Some(due))
                if next % every == at && earliest <= due && due <= latest =>
            {
                (due, false)
            }
            _ => (latest, true),
        })
    }
}
