//! Whether a loop comes back to where it began: the same state, so much later.

use machine::{Clock, Instance, Jitter, Mode, NodeId, ResponseId, State, Timing};
use rational::Rational;

/// Whether one state is another one later: the same, and so far as times go whatever can happen in one can
/// happen in the other, so much later.
pub(crate) fn is_later(instance: Instance<'_>, earlier: &State, later: &State) -> bool {
    let (Some(a), Some(b)) = (&earlier.clock, &later.clock) else {
        return earlier == later;
    };
    if instance.machine.grid().is_some() {
        return earlier == later; // times are kept relative to now
    }
    let (mut x, mut y) = (earlier.clone(), later.clone());
    x.clock = None;
    y.clock = None;
    x == y && a.now < b.now && Ahead::of(instance, earlier, a) == Ahead::of(instance, later, b)
}

/// What the times of what comes next depend on, counted from now.
#[derive(PartialEq, Eq)]
struct Ahead {
    /// By node: how long ago that was from which its next activation is counted.
    rhythms: Vec<Option<Rational>>,
    /// By edge: how long ago each message was sent.
    sent: Vec<Vec<Rational>>,
    /// By node: in how much time each timer expires.
    timers: Vec<Vec<Option<(Rational, Rational)>>>,
    /// By node that must begin again: how long ago it stopped.
    stopped: Vec<Option<Rational>>,
    /// By what must follow in time: how long it has not.
    pending: Vec<Pending>,
}

#[derive(PartialEq, Eq)]
enum Pending {
    Nothing,
    Since(Rational),
    Overdue,
}

impl Ahead {
    fn of(instance: Instance<'_>, state: &State, clock: &Clock) -> Ahead {
        let machine = instance.machine;
        let ago = |time: &Rational| &clock.now - time;
        let timer = |(from, to): &(Rational, Rational)| {
            let from = (from - &clock.now).max(Rational::default());
            (from, to - &clock.now)
        };
        let stopped = |(node, time): (NodeId, &Option<Rational>)| {
            let must = machine.restart_of(node)?.within.is_some();
            time.as_ref().filter(|_| must).map(ago)
        };
        let pending = |(r, since): (usize, &Option<Rational>)| match since {
            None => Pending::Nothing,
            Some(since) => {
                let within = &machine.responses[ResponseId(r as u32).index()].within;
                match ago(since) > *within {
                    true => Pending::Overdue,
                    false => Pending::Since(ago(since)),
                }
            }
        };
        let modes = machine.nodes().zip(&state.nodes);
        Ahead {
            rhythms: modes
                .map(|(node, at)| since(instance, clock, at.mode, node))
                .collect(),
            sent: (clock.sent.iter())
                .map(|edge| edge.iter().map(ago).collect())
                .collect(),
            timers: (clock.timers.iter())
                .map(|of| of.iter().map(|t| t.as_ref().map(timer)).collect())
                .collect(),
            stopped: machine.nodes().zip(&clock.stopped).map(stopped).collect(),
            pending: clock.pending.iter().enumerate().map(pending).collect(),
        }
    }
}

/// How long ago that was from which a node's next activation is counted.
fn since(instance: Instance<'_>, clock: &Clock, mode: Mode, node: NodeId) -> Option<Rational> {
    let kind = instance.machine.kind_of(node);
    let Some(Timing::Periodic(periodic)) = instance.machine.timing(kind) else {
        return None;
    };
    if !mode.runs() {
        return None;
    }
    let rhythm = &clock.rhythms[node.index()];
    match (&periodic.jitter, &rhythm.first, &rhythm.last) {
        (Jitter::OnGrid(_), Some(first), _) => {
            let period = instance.rigid.period(node).unwrap_or(&periodic.gap.0);
            Some(first + Rational::from(rhythm.count) * period - &clock.now)
        }
        (_, _, Some(last)) => Some(last - &clock.now),
        _ => Some(&rhythm.since - &clock.now), // not activated yet: counted from its beginning
    }
}
