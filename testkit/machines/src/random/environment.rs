//! Generates the environment of the code: channels, inboxes, faults, timings, abstractions.

use super::Generator;
use machine::{
    Abstraction, ChainRule, Channel, Effect, Fault, First, Inbox, InboxStart, Jitter, KindId,
    MessageFault, NodeFault, OrderRule, Periodic, RecordId, Timing, Window, order_rule,
};
use rational::Rational;

/// When `every` blocks run: at any time, in rounds, or at declared times.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Timings {
    #[default]
    Any,
    Rounds,
    Times,
}

impl Generator {
    /// Generates channels, inboxes and faults of nodes.
    pub(super) fn environment(&mut self) {
        let rng = &mut self.rng;
        self.machine.channel = *rng.pick(&[
            Channel::Fifo(Some(1)),
            Channel::Fifo(Some(1)),
            Channel::Fifo(Some(2)),
            Channel::Fifo(None),
            Channel::Fifo(None),
            Channel::Unordered,
            Channel::Unordered,
            Channel::Instant,
            Channel::Instant,
        ]);
        if self.machine.channel == Channel::Instant {
            self.features.reads_others |= rng.percent(50); // makes the order of deliveries observable
        }
        if self.features.retransmits {
            self.machine.channel = Channel::Fifo(Some(1));
        }
        if self.features.uses_inboxes {
            let start = match rng.below(100) {
                0..25 => InboxStart::OneFromEach,
                25..50 => InboxStart::Anything,
                _ => InboxStart::Empty,
            };
            // There may be very many initial contents of inboxes, so such Machines get few edges.
            self.features.initial_messages = start != InboxStart::Empty;
            self.machine.inbox = Inbox {
                latest: rng.percent(40),
                copies: rng.percent(50),
                start,
            };
        }
        if self.features.initial_messages {
            self.machine.edges.truncate(3);
        }
        if self.features.faulty {
            self.node_faults();
        }
        if self.features.uses_inboxes
            || self.features.faulty
            || self.features.timings != Timings::Any
        {
            self.size.values = self.size.values.min(8);
        }
    }

    fn node_faults(&mut self) {
        let rng = &mut self.rng;
        use Fault::*;
        let every = [Off, Off, Off, Mute, Mute, Deaf, Deaf, Isolated, Isolated];
        for _ in 0..rng.between(1, 2) {
            let of = KindId(rng.below(self.machine.kinds.len()) as u32);
            let mut faults = vec![*rng.pick(&every)];
            let other = *rng.pick(&every);
            if rng.percent(40) && !faults.contains(&other) {
                faults.push(other);
            }
            self.machine.node_faults.push(NodeFault {
                of: rng.percent(40).then_some(of),
                limit: rng.percent(75).then_some(1),
                faults,
            });
        }
    }

    /// Generates faults of messages.
    pub(super) fn message_faults(&mut self) {
        if self.features.retransmits {
            self.machine.faults.push(MessageFault {
                effect: Effect::Lose,
                limit: None,
                of: self.rng.percent(40).then_some(RecordId(0)),
            });
            return;
        }
        if self.machine.channel == Channel::Instant {
            return;
        }
        for (effect, chance) in [(Effect::Lose, 25), (Effect::Repeat, 23)] {
            if self.rng.percent(chance) {
                let limit = match self.rng.below(4) {
                    0 => None,
                    1 => Some(2),
                    _ => Some(1),
                };
                let of = self.rng.percent(40).then_some(RecordId(0));
                self.machine.faults.push(MessageFault { effect, limit, of });
            }
        }
    }

    /// A random timing of a kind.
    pub(super) fn timing(&mut self) -> Timing {
        match self.features.timings {
            Timings::Any => Timing::Any,
            Timings::Rounds => Timing::Round(*self.rng.pick(&[1, 1, 2])),
            Timings::Times => Timing::Periodic(self.periodic()),
        }
    }

    fn periodic(&mut self) -> Periodic {
        let rng = &mut self.rng;
        let unit = Rational::new(1, *rng.pick(&[1, 2, 3]));
        let mut time = |lo, hi| Rational::from(rng.between(lo, hi)) * &unit;
        let shortest = time(3, 5);
        let longest = &shortest + time(0, 2);
        let first = (time(0, 2), time(2, 5));
        let by = time(0, 1);
        let fixed = rng.percent(45);
        let jitter = match rng.below(4) {
            0 => Jitter::PerGap(by),
            1 if fixed => Jitter::OnGrid(by),
            _ => Jitter::None,
        };
        let first = match rng.below(3) {
            0 => (First::At(Rational::default()), First::Period),
            1 => (First::Period, First::Period),
            _ => (First::At(first.0), First::At(first.1)),
        };
        Periodic {
            gap: (shortest, longest),
            fixed,
            jitter,
            first,
        }
    }

    /// Generates order rules if the Machine has declared times.
    pub(super) fn abstraction(&mut self) {
        let timings: Vec<(KindId, Periodic)> = { self.machine.periodic_kinds().into_iter() }
            .map(|(kind, periodic)| (kind, periodic.clone()))
            .collect();
        if timings.is_empty() {
            return;
        }
        let rng = &mut self.rng;
        let mut rules: Vec<OrderRule> = Vec::new();
        for _ in 0..rng.between(1, 3) {
            let (of, i) = rng.pick(&timings);
            let (with, j) = rng.pick(&timings);
            let window = match rng.below(10) {
                0..4 => Window::Start(rng.between(1, 2) as u32),
                _ => Window::Gaps {
                    gaps: rng.between(1, 2) as u32,
                    early: rng.percent(50),
                },
            };
            let rule = if rng.percent(60) {
                order_rule((*of, i), (*with, j), window)
            } else {
                let least = rng.between(0, 1) as u32;
                OrderRule {
                    of: *of,
                    with: *with,
                    window,
                    least,
                    most: rng
                        .percent(70)
                        .then_some(least + 1)
                        .map(|most| most - u32::from(rng.percent(20))),
                }
            };
            rules.push(rule);
        }
        let mut chains: Vec<ChainRule> = Vec::new();
        if rng.percent(60) {
            let mut kind = || rng.pick(&timings).0;
            chains.push(ChainRule {
                of: kind(),
                with: kind(),
                then: kind(),
                activations: rng.between(1, 3) as u32,
                leads: (rng.between(1, 2) as u32, rng.between(1, 2) as u32),
            });
        }
        self.machine.abstraction = Abstraction::Order(rules, chains);
    }
}
