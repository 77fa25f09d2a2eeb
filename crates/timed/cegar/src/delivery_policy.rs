//! Delivery policies: the times at which a corner schedule delivers messages with a delay.
//!
//! Claims often fail because a receiver gets no message for a long time: one message arrives just before an activation,
//! and the next one just after a later activation. The policies look for such runs.

use machine::{Delay, Event, Instance, Machine, NodeId, State};
use rational::Rational;

/// When a corner schedule delivers messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeliveryPolicy {
    /// At the earliest time.
    AtOnce,
    /// At the latest time.
    Late,
    /// At the latest time; but if the receiver is activated exactly at the earliest time, immediately before this
    /// activation.
    JustInTime,
    /// In batches: `Batches(every, at)` delivers immediately before each activation of the receiver whose number is
    /// `at` modulo `every`, if the delay allows it, and otherwise at the latest time.
    Batches(u64, u64),
}

/// The values of `every` in `Batches` that are tried, in activations of the receiver.
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
    /// Whether slow nodes come first if fast and slow nodes are activated at the same time. Messages of slow nodes may
    /// then arrive before the fast nodes are activated.
    pub(crate) fn slow_first(self) -> bool {
        self == DeliveryPolicy::JustInTime
    }

    /// The time at which a message is delivered, and whether activations at the same time come before the delivery
    /// (true) or after it (false). `due` gives the time of the next activation of a node. `None` if the event is no
    /// delivery of a message with a delay.
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
