//! Whether a loop comes back to where it began: the same state up to a shift of counters, so much later.

use machine::{
    Clock, Expr, Formula, Instance, Jitter, Machine, Mode, NodeId, ResponseId, State, Timing,
};
use rational::Rational;

/// Whether one state is another one later: the same, and so far as times go whatever can happen in one can
/// happen in the other, so much later. How long something has not followed is not compared: nothing that happens
/// depends on it.
pub(crate) fn is_later(instance: Instance<'_>, earlier: &State, later: &State) -> bool {
    let machine = instance.machine;
    let (mut x, mut y) = (machine.normalised(earlier), machine.normalised(later));
    let (Some(a), Some(b)) = (&earlier.clock, &later.clock) else {
        return x == y;
    };
    if machine.digitisation().is_some() {
        return x == y; // times are kept relative to now
    }
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
}

/// How long something has not followed.
#[derive(PartialEq, Eq)]
enum Pending {
    Nothing,
    Since(Rational),
    Overdue,
}

/// Whether what must follow in time, as far as a claim asks for it, has not for as long in one state as in the other.
pub(crate) fn waits_alike(
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
    let rhythm = &clock.activations[node.index()];
    match (&periodic.jitter, &rhythm.first, &rhythm.last) {
        (Jitter::OnGrid(_), Some(first), _) => {
            let period = instance.frozen.period(node).unwrap_or(&periodic.gap.0);
            Some(first + Rational::from(rhythm.count) * period - &clock.now)
        }
        (_, _, Some(last)) => Some(last - &clock.now),
        _ => Some(&rhythm.since - &clock.now), // not activated yet: counted from its beginning
    }
}
