//! Checks that a loop closes: it returns to the state in which it began, up to a shift of counters and of time.

use machine::{
    Clock, Expr, Formula, Instance, Jitter, Machine, Mode, NodeId, ResponseId, State, Timing,
};
use rational::Rational;

/// Whether `later` is a copy of `earlier` at a later time: the states are equal up to a shift of counters, and the
/// times on which events depend are equal relative to the current time. The waiting times of bounded-response
/// requirements are not compared, because no event depends on them.
pub(crate) fn is_later_copy(instance: Instance<'_>, earlier: &State, later: &State) -> bool {
    let machine = instance.machine;
    let (mut x, mut y) = (machine.normalised(earlier), machine.normalised(later));
    let (Some(a), Some(b)) = (&earlier.clock, &later.clock) else {
        return x == y;
    };
    if machine.digitisation().is_some() {
        return x == y; // clocks hold times relative to the current time
    }
    x.clock = None;
    y.clock = None;
    x == y
        && a.now < b.now
        && RelativeTimes::of(instance, earlier, a) == RelativeTimes::of(instance, later, b)
}

/// The times on which future events depend, relative to the current time of a state.
#[derive(PartialEq, Eq)]
struct RelativeTimes {
    /// By node: the time from which its next activation is measured, minus the current time; `None` if it is not
    /// periodic or does not run.
    activations: Vec<Option<Rational>>,
    /// By edge: the age of each message.
    sent: Vec<Vec<Rational>>,
    /// By node and timer: the earliest and the latest time until it expires; `None` if it is not set.
    timers: Vec<Vec<Option<(Rational, Rational)>>>,
    /// By node: the time since it stopped, if it must restart within a time.
    stopped: Vec<Option<Rational>>,
}

/// How long a bounded-response requirement has been waiting for its response.
#[derive(PartialEq, Eq)]
enum Pending {
    Nothing,
    Since(Rational),
    Overdue,
}

/// Whether the bounded-response requirements that a claim reads have waited equally long in both states, or are overdue
/// in both.
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

/// The time from which the next activation of a node is measured, minus the current time. `None` if the node is not
/// periodic or does not run.
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
        _ => Some(&activations.since - &clock.now), // no activation yet: measured from the start of the node
    }
}
