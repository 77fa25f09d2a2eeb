//! Closing of a loop: the loop returns to the state where it began, up to a shift of counters and of time.

use machine::{
    Clock, Expr, Formula, Instance, Jitter, Machine, Mode, NodeId, ResponseId, State, Timing,
};
use rational::Rational;

/// Whether one state is a later copy of another: the states are equal, and every event enabled in one is
/// enabled in the other, shifted by the same time. The waiting times of bounded-response requirements are not
/// compared, since no event depends on them.
pub(crate) fn is_later_copy(instance: Instance<'_>, earlier: &State, later: &State) -> bool {
    let machine = instance.machine;
    let (mut x, mut y) = (machine.normalised(earlier), machine.normalised(later));
    let (Some(a), Some(b)) = (&earlier.clock, &later.clock) else {
        return x == y;
    };
    if machine.digitisation().is_some() {
        return x == y; // times are relative to the current time
    }
    x.clock = None;
    y.clock = None;
    x == y
        && a.now < b.now
        && RelativeTimes::of(instance, earlier, a) == RelativeTimes::of(instance, later, b)
}

/// The times on which future events depend, relative to the current time.
#[derive(PartialEq, Eq)]
struct RelativeTimes {
    /// By node: the time since the moment from which its next activation is counted.
    activations: Vec<Option<Rational>>,
    /// By edge: the time since each message was sent.
    sent: Vec<Vec<Rational>>,
    /// By node: the time until each timer expires.
    timers: Vec<Vec<Option<(Rational, Rational)>>>,
    /// By node that must restart: the time since it stopped.
    stopped: Vec<Option<Rational>>,
}

/// The waiting time of a bounded-response requirement.
#[derive(PartialEq, Eq)]
enum Pending {
    Nothing,
    Since(Rational),
    Overdue,
}

/// Whether the requirements that a claim reads have waited equally long in both states.
pub(crate) fn same_waiting_time(
    machine: &Machine,
    claim: &Formula,
    earlier: &State,
    later: &State,
) -> bool {
    let mut alike = true;
    claim.walk_exprs(&mut |e| {
        if let Expr::Overdue(response) = e {
            alike &= pending(machine, *response, earlier) == pending(machine, *response, later);
        }
    });
    alike
}

fn pending(machine: &Machine, response: ResponseId, state: &State) -> Option<Pending> {
    let clock = state.clock.as_ref()?;
    let Some(since) = clock.pending.get(response.index())? else {
        return Some(Pending::Nothing);
    };
    let waited = &clock.now - since;
    Some(match waited > machine.responses[response.index()].within {
        true => Pending::Overdue,
        false => Pending::Since(waited),
    })
}

impl RelativeTimes {
    fn of(instance: Instance<'_>, state: &State, clock: &Clock) -> RelativeTimes {
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
        let modes = machine.nodes().zip(&state.nodes);
        RelativeTimes {
            activations: modes
                .map(|(node, at)| since(instance, clock, at.mode, node))
                .collect(),
            sent: (clock.sent.iter())
                .map(|edge| edge.iter().map(ago).collect())
                .collect(),
            timers: (clock.timers.iter())
                .map(|of| of.iter().map(|t| t.as_ref().map(timer)).collect())
                .collect(),
            stopped: machine.nodes().zip(&clock.stopped).map(stopped).collect(),
        }
    }
}

/// The time since the moment from which the next activation of a node is counted.
fn since(instance: Instance<'_>, clock: &Clock, mode: Mode, node: NodeId) -> Option<Rational> {
    let kind = instance.machine.kind_of(node);
    let Some(Timing::Periodic(periodic)) = instance.machine.timing(kind) else {
        return None;
    };
    if !mode.runs() {
        return None;
    }
    let activations = &clock.activations[node.index()];
    match (&periodic.jitter, &activations.first, &activations.last) {
        (Jitter::OnGrid(_), Some(first), _) => {
            let period = instance.frozen.period(node).unwrap_or(&periodic.gap.0);
            Some(first + Rational::from(activations.count) * period - &clock.now)
        }
        (_, _, Some(last)) => Some(last - &clock.now),
        _ => Some(&activations.since - &clock.now), // not activated yet: counted from its start
    }
}
