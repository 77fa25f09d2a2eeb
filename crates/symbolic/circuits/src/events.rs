//! Everything that can happen in a state over bits.

use crate::deeds::{Deed, Handling, Setting, handling};
use crate::shape::Shape;
use crate::state::{State, out_edges};
use bits::{Bits, Number, Unsupported, run};
use machine::{
    BlockId, Channel, Delay, EdgeId, Effect, FaultId, NodeId, RuntimeFaultId, Timing, Trigger,
};
use sat::{Aig, Lit};

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Happening {
    /// A node runs a block of its own accord.
    Run(NodeId, BlockId),
    /// The head of a node's outbox goes onto its channel.
    Transmit(NodeId),
    /// The message at a place of an edge reaches its end.
    Deliver(EdgeId, usize, Fate),
    /// A node crashes.
    Crash(NodeId, RuntimeFaultId),
    /// A node stops.
    Stop(NodeId, RuntimeFaultId),
    /// A node that has stopped goes on.
    Restart(NodeId),
    /// Time passes, by one unit.
    Wait,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// What should.
    Plain,
    /// It is lost.
    Lose(FaultId),
    /// It is taken, and still there.
    Repeat(FaultId),
}

/// An event: when it is possible and what it does.
pub(crate) struct Template {
    pub(crate) what: Happening,
    /// It is possible in the state.
    pub(crate) possible: Lit,
    /// It is, or nothing but time stands against it.
    pub(crate) some_day: Lit,
    /// What it does, if it is possible.
    pub(crate) deed: Deed,
}

impl Template {
    /// Whether it is neither a fault nor time alone: such events are what a state waits for that is not quiescent.
    pub(crate) fn is_owed(&self) -> bool {
        !matches!(
            self.what,
            Happening::Crash(..) | Happening::Stop(..) | Happening::Wait
        )
    }
}

/// Every event, in the order of the reference interpreter.
pub(crate) fn events(
    aig: &mut Aig,
    setting: Setting<'_>,
    now: &State,
) -> Result<Vec<Template>, Unsupported> {
    let machine = setting.machine;
    let waiting = now.nodes.iter().map(|node| node.waiting);
    // Where messages arrive at once, everybody starts before anything else happens.
    let starting = match machine.channel {
        Channel::Instant => aig.any(waiting),
        _ => Lit::FALSE,
    };
    let mut found = Vec::new();
    for node in machine.nodes() {
        found.extend(transmit(aig, setting, now, node));
        for (block, trigger) in setting.blocks(node) {
            if let Trigger::On(..) | Trigger::Timer(_) = trigger {
                continue;
            }
            found.push(run_block(
                aig,
                setting,
                now,
                (node, block, trigger),
                starting,
            )?);
        }
    }
    for edge in (0..machine.edges.len() as u32).map(EdgeId) {
        let places = now.edges[edge.index()].len();
        let reachable = match machine.channel {
            Channel::Unordered => places,
            _ => places.min(1),
        };
        for place in 0..reachable {
            deliver(aig, setting, now, edge, place, &mut found)?;
        }
    }
    runtime_faults(aig, setting, now, starting, &mut found);
    if setting.shape.clockwork.ticks {
        let wait = wait(aig, setting, now, &found);
        found.push(wait);
    }
    Ok(found)
}

/// Time passes. Where it cannot, and nothing else can happen, that is an error.
fn wait(aig: &mut Aig, setting: Setting<'_>, now: &State, others: &[Template]) -> Template {
    let clockwork = &setting.shape.clockwork;
    let may = clockwork.may_wait(aig, setting, now);
    let other = aig.any(others.iter().map(|event| event.possible));
    let possible = aig.or(may, !other);
    let mut deed = Deed::new(now.clone());
    clockwork.wait(aig, setting, &mut deed);
    deed.error = !may;
    Template {
        what: Happening::Wait,
        possible,
        some_day: possible,
        deed,
    }
}

/// Whether nothing waits in a node's outbox.
fn is_free(aig: &mut Aig, now: &State, node: NodeId) -> Lit {
    let head = now.nodes[node.index()].outbox.first();
    match head {
        Some(head) => !head.present(aig),
        None => Lit::TRUE,
    }
}

fn transmit(aig: &mut Aig, setting: Setting<'_>, now: &State, node: NodeId) -> Option<Template> {
    let head = now.nodes[node.index()].outbox.first()?;
    let mut deed = Deed::new(now.clone());
    let mut possible = Vec::new();
    for (edge, goes) in &head.edge {
        possible.push(aig.and(*goes, deed.room(*edge)));
    }
    deed.transmit(aig, setting, node);
    let possible = aig.any(possible);
    Some(Template {
        what: Happening::Transmit(node),
        possible,
        some_day: possible,
        deed,
    })
}

fn run_block(
    aig: &mut Aig,
    setting: Setting<'_>,
    now: &State,
    (node, block, trigger): (NodeId, BlockId, &Trigger),
    starting: Lit,
) -> Result<Template, Unsupported> {
    let seen = setting.see(now);
    let effects = run(aig, setting.machine, &seen, block, node, None)?;
    let mut conditions = vec![is_free(aig, now, node)];
    let mut deed = Deed::new(now.clone());
    let mut activated = None;
    match trigger {
        Trigger::Start => {
            conditions.push(now.nodes[node.index()].waiting);
            deed.state.nodes[node.index()].waiting = Lit::FALSE;
        }
        _ => {
            conditions.push(!starting);
            conditions.push(seen.is_running(aig, node));
            conditions.push(effects.guard);
        }
    }
    if let Trigger::Every(timing) = trigger {
        if let Timing::Round(lead) = timing {
            conditions.push(round_allows(aig, setting, now, node, i128::from(*lead)));
        }
        conditions.push(setting.shape.windows.allow(aig, setting, now, node));
        if setting.machine.delay == Delay::BeforeNext {
            let edges = out_edges(setting.machine, node);
            let heads = edges.filter_map(|edge| now.edges[edge.index()].first());
            let on_the_way = aig.any(heads.map(|head| head.present));
            conditions.push(!on_the_way);
        }
        activated = Some(node);
    }
    let some_day = aig.all(conditions);
    let in_time = match activated {
        Some(node) => setting.shape.clockwork.may_beat(aig, now, node),
        None => Lit::TRUE,
    };
    let possible = aig.and(some_day, in_time);
    deed.run(aig, setting, Lit::TRUE, node, &effects)?;
    deed.settle(aig, setting, activated);
    Ok(Template {
        what: Happening::Run(node, block),
        possible,
        some_day,
        deed,
    })
}

/// Whether a node is not too far ahead of those that run.
fn round_allows(aig: &mut Aig, setting: Setting<'_>, now: &State, node: NodeId, lead: i128) -> Lit {
    let seen = setting.see(now);
    let mut all = Vec::new();
    let Some(own) = &now.leads[node.index()] else {
        return Lit::TRUE;
    };
    for other in setting.machine.nodes().filter(|other| *other != node) {
        if let Some(theirs) = &now.leads[other.index()] {
            let most = theirs.add(aig, &Number::constant(lead));
            let allowed = own.less(aig, &most);
            let gone = seen.is_gone(aig, other);
            all.push(aig.or(gone, allowed));
        }
    }
    aig.all(all)
}

fn deliver(
    aig: &mut Aig,
    setting: Setting<'_>,
    now: &State,
    edge: EdgeId,
    place: usize,
    found: &mut Vec<Template>,
) -> Result<(), Unsupported> {
    let machine = setting.machine;
    let (_, to) = machine.edges[edge.index()];
    let there = now.edges[edge.index()][place].clone();
    let handling = handling(aig, setting, now, edge, &there.message)?;
    let free = is_free(aig, now, to);
    let arrives = aig.all([there.present, free, !now.nodes[to.index()].waiting]);
    let taken = aig.and(!handling.dropped, !handling.waits);
    let ends = aig.or(handling.dropped, taken);
    let message = &there.message;
    let mut taken_off = Deed::new(now.clone());
    taken_off.take(edge, place);
    let mut plain = taken_off.clone();
    hand_over(aig, setting, &mut plain, edge, message, &handling)?;
    let in_time = setting.shape.clockwork.may_arrive(aig, now, edge, place);
    let some_day = aig.and(arrives, ends);
    found.push(Template {
        what: Happening::Deliver(edge, place, Fate::Plain),
        possible: aig.and(some_day, in_time),
        some_day,
        deed: plain,
    });
    for (f, fault) in machine.faults.iter().enumerate() {
        let id = FaultId(f as u32);
        let of = fault
            .of
            .map(|record| crate::state::of_type(message, record));
        let about = match of {
            None => Lit::TRUE,
            Some(of) => of.map_or(Lit::FALSE, |(is, _)| is),
        };
        let left = match &now.budgets[f] {
            Some(budget) => !budget.is(aig, 0),
            None => Lit::TRUE,
        };
        let mut conditions = vec![arrives, taken, about, left];
        let (fate, mut deed) = match fault.effect {
            Effect::Lose => (Fate::Lose(id), taken_off.clone()),
            Effect::Repeat => {
                conditions.push(!handling.unhandled);
                let mut deed = Deed::new(now.clone());
                hand_over(aig, setting, &mut deed, edge, message, &handling)?;
                (Fate::Repeat(id), deed)
            }
        };
        if let Some(budget) = &now.budgets[f] {
            let less = budget.subtract(aig, &Number::constant(1));
            let most = i128::from(fault.limit.unwrap_or(0));
            let choices: Vec<(Lit, i128)> = (0..most).map(|v| (less.is(aig, v), v)).collect();
            deed.state.budgets[f] = Some(Number::one_of(aig, &choices));
        }
        let some_day = aig.all(conditions);
        found.push(Template {
            what: Happening::Deliver(edge, place, fate),
            possible: aig.and(some_day, in_time),
            some_day,
            deed,
        });
    }
    Ok(())
}

/// What should become of a message that is not dropped.
fn hand_over(
    aig: &mut Aig,
    setting: Setting<'_>,
    deed: &mut Deed,
    edge: EdgeId,
    message: &Bits,
    handling: &Handling,
) -> Result<(), Unsupported> {
    let (from, to) = setting.machine.edges[edge.index()];
    let here = !handling.dropped;
    for (takes, effects) in &handling.code {
        let when = aig.and(here, *takes);
        deed.run(aig, setting, when, to, effects)?;
    }
    let stored = aig.and(here, handling.stored);
    deed.store(aig, setting, stored, from, to, message);
    let unhandled = aig.and(here, handling.unhandled);
    deed.error = aig.or(deed.error, unhandled);
    deed.settle(aig, setting, None);
    Ok(())
}

fn runtime_faults(
    aig: &mut Aig,
    setting: Setting<'_>,
    now: &State,
    starting: Lit,
    found: &mut Vec<Template>,
) {
    let machine = setting.machine;
    for node in machine.nodes() {
        if !Shape::runtime_faults(machine, machine.kind_of(node)).1 {
            continue;
        }
        let mut deed = Deed::new(now.clone());
        deed.state.nodes[node.index()].stopped = Lit::FALSE;
        deed.settle(aig, setting, None);
        let possible = aig.and(!starting, now.nodes[node.index()].stopped);
        found.push(Template {
            what: Happening::Restart(node),
            possible,
            some_day: possible,
            deed,
        });
    }
    for (s, item) in machine.runtime_faults.iter().enumerate() {
        let runtime_fault = RuntimeFaultId(s as u32);
        let faulted: Vec<Lit> = now.nodes.iter().map(|node| node.faulted[s]).collect();
        let count = Number::count(aig, faulted.iter().copied());
        for node in machine.nodes() {
            if item.of.is_some_and(|of| of != machine.kind_of(node)) {
                continue;
            }
            let seen = setting.see(now);
            let gone = seen.is_gone(aig, node);
            let allowed = match item.limit {
                Some(limit) => {
                    let fewer = count.less(aig, &Number::constant(i128::from(limit)));
                    aig.or(faulted[node.index()], fewer)
                }
                None => Lit::TRUE,
            };
            let possible = aig.all([!gone, allowed, !starting]);
            let mut deed = Deed::new(now.clone());
            let at = &mut deed.state.nodes[node.index()];
            at.waiting = Lit::FALSE;
            at.inbox
                .iter_mut()
                .for_each(|slot| slot.present = Lit::FALSE);
            for outgoing in &mut at.outbox {
                outgoing
                    .edge
                    .iter_mut()
                    .for_each(|(_, lit)| *lit = Lit::FALSE);
            }
            if Shape::remembers(machine, runtime_fault, node) {
                at.faulted[s] = Lit::TRUE;
            }
            if item.crash.is_some() {
                let mut deed = deed.clone();
                deed.state.nodes[node.index()].crashed = Lit::TRUE;
                deed.settle(aig, setting, None);
                let what = Happening::Crash(node, runtime_fault);
                found.push(Template {
                    what,
                    possible,
                    some_day: possible,
                    deed,
                });
            }
            if item.stop.is_some() {
                // One that has not started keeps no state.
                let waiting = now.nodes[node.index()].waiting;
                deed.state.nodes[node.index()].stopped = Lit::TRUE;
                deed.settle(aig, setting, None);
                let possible = aig.and(possible, !waiting);
                found.push(Template {
                    what: Happening::Stop(node, runtime_fault),
                    possible,
                    some_day: possible,
                    deed,
                });
            }
        }
    }
}
