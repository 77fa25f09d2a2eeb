//! The events of a symbolic state: the condition under which each is enabled, and its successor.

use crate::effects::{Handling, Setting, Successor, handling};
use crate::shape::Shape;
use crate::state::{State, out_edges};
use bits::{Bits, Number, Unsupported, run};
use machine::{
    BlockId, Channel, Delay, EdgeId, Effect, FaultId, NodeId, RuntimeFaultId, Timing, Trigger,
};
use sat::{Aig, Lit};

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A node runs a block that no message triggers.
    Run(NodeId, BlockId),
    /// The first message in the outbox of a node is put onto its channel.
    Transmit(NodeId),
    /// The message in a slot of an edge is delivered.
    Deliver(EdgeId, usize, Fate),
    /// A node crashes.
    Crash(NodeId, RuntimeFaultId),
    /// A node stops.
    Stop(NodeId, RuntimeFaultId),
    /// A stopped node restarts.
    Restart(NodeId),
    /// Time passes by one unit.
    Wait,
}

/// What happens to a delivered message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The receiver takes or drops it.
    Plain,
    /// It is lost.
    Lose(FaultId),
    /// The receiver takes it, and a copy stays on the edge.
    Repeat(FaultId),
}

/// An event with its enabling condition and its successor.
pub(crate) struct Template {
    pub(crate) what: Action,
    /// Whether the event is enabled in the current state.
    pub(crate) enabled: Lit,
    /// Whether the event is enabled, or will be enabled after time has passed.
    pub(crate) enabled_later: Lit,
    /// The successor state, meaningful only if the event is enabled.
    pub(crate) successor: Successor,
}

impl Template {
    /// Whether the event is progress, that is, neither a crash, nor a stop, nor the passing of time. A state in which a
    /// progress event is enabled, now or later, is not quiescent.
    pub(crate) fn is_progress(&self) -> bool {
        !matches!(
            self.what,
            Action::Crash(..) | Action::Stop(..) | Action::Wait
        )
    }
}

/// All events, in the order in which the reference interpreter lists them.
pub(crate) fn events(
    aig: &mut Aig,
    setting: Setting<'_>,
    now: &State,
) -> Result<Vec<Template>, Unsupported> {
    let machine = setting.machine;
    let waiting = now.nodes.iter().map(|node| node.waiting);
    // With instantaneous delivery, all nodes start before any other event.
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
    if setting.shape.clocks.ticks {
        let wait = wait(aig, setting, now, &found);
        found.push(wait);
    }
    Ok(found)
}

/// The passing of time by one unit. If time cannot pass and no other event is enabled, the event is enabled and ends in
/// an error (time-lock).
fn wait(aig: &mut Aig, setting: Setting<'_>, now: &State, others: &[Template]) -> Template {
    let clocks = &setting.shape.clocks;
    let may = clocks.may_wait(aig, setting, now);
    let other = aig.any(others.iter().map(|event| event.enabled));
    let enabled = aig.or(may, !other);
    let mut successor = Successor::new(now.clone());
    clocks.wait(aig, setting, &mut successor);
    successor.error = !may;
    Template {
        what: Action::Wait,
        enabled,
        enabled_later: enabled,
        successor,
    }
}

/// Whether the outbox of a node is empty.
fn is_free(aig: &mut Aig, now: &State, node: NodeId) -> Lit {
    let head = now.nodes[node.index()].outbox.first();
    match head {
        Some(head) => !head.present(aig),
        None => Lit::TRUE,
    }
}

fn transmit(aig: &mut Aig, setting: Setting<'_>, now: &State, node: NodeId) -> Option<Template> {
    let head = now.nodes[node.index()].outbox.first()?;
    let mut successor = Successor::new(now.clone());
    let mut enabled = Vec::new();
    for (edge, goes) in &head.edge {
        enabled.push(aig.and(*goes, successor.room(*edge)));
    }
    successor.transmit(aig, setting, node);
    let enabled = aig.any(enabled);
    Some(Template {
        what: Action::Transmit(node),
        enabled,
        enabled_later: enabled,
        successor,
    })
}

fn run_block(
    aig: &mut Aig,
    setting: Setting<'_>,
    now: &State,
    (node, block, trigger): (NodeId, BlockId, &Trigger),
    starting: Lit,
) -> Result<Template, Unsupported> {
    let view = setting.view(now);
    let effects = run(aig, setting.machine, &view, block, node, None)?;
    let mut conditions = vec![is_free(aig, now, node)];
    let mut successor = Successor::new(now.clone());
    let mut activated = None;
    match trigger {
        Trigger::Start => {
            conditions.push(now.nodes[node.index()].waiting);
            successor.state.nodes[node.index()].waiting = Lit::FALSE;
        }
        _ => {
            conditions.push(!starting);
            conditions.push(view.is_running(aig, node));
            conditions.push(effects.guard);
        }
    }
    if let Trigger::Every(timing) = trigger {
        if let Timing::Round(lead) = timing {
            conditions.push(round_allows(aig, setting, now, node, i128::from(*lead)));
        }
        conditions.push(setting.shape.activations.allow(aig, setting, now, node));
        if setting.machine.delay == Delay::BeforeNext {
            let edges = out_edges(setting.machine, node);
            let heads = edges.filter_map(|edge| now.edges[edge.index()].first());
            let on_the_way = aig.any(heads.map(|head| head.present));
            conditions.push(!on_the_way);
        }
        activated = Some(node);
    }
    let enabled_later = aig.all(conditions);
    let in_time = match activated {
        Some(node) => setting.shape.clocks.may_activate(aig, now, node),
        None => Lit::TRUE,
    };
    let enabled = aig.and(enabled_later, in_time);
    successor.run(aig, setting, Lit::TRUE, node, &effects)?;
    successor.settle(aig, setting, activated);
    Ok(Template {
        what: Action::Run(node, block),
        enabled,
        enabled_later,
        successor,
    })
}

/// Whether one more activation of a node keeps it at most `lead` activations ahead of every active node.
fn round_allows(aig: &mut Aig, setting: Setting<'_>, now: &State, node: NodeId, lead: i128) -> Lit {
    let view = setting.view(now);
    let mut all = Vec::new();
    let Some(own) = &now.leads[node.index()] else {
        return Lit::TRUE;
    };
    for other in setting.machine.nodes().filter(|other| *other != node) {
        if let Some(theirs) = &now.leads[other.index()] {
            let most = theirs.add(aig, &Number::constant(lead));
            let allowed = own.less(aig, &most);
            let gone = view.is_gone(aig, other);
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
    let mut taken_off = Successor::new(now.clone());
    taken_off.take(edge, place);
    let mut plain = taken_off.clone();
    hand_over(aig, setting, &mut plain, edge, message, &handling)?;
    let in_time = setting.shape.clocks.may_arrive(aig, now, edge, place);
    let enabled_later = aig.and(arrives, ends);
    found.push(Template {
        what: Action::Deliver(edge, place, Fate::Plain),
        enabled: aig.and(enabled_later, in_time),
        enabled_later,
        successor: plain,
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
        let (fate, mut successor) = match fault.effect {
            Effect::Lose => (Fate::Lose(id), taken_off.clone()),
            Effect::Repeat => {
                conditions.push(!handling.unhandled);
                let mut successor = Successor::new(now.clone());
                hand_over(aig, setting, &mut successor, edge, message, &handling)?;
                (Fate::Repeat(id), successor)
            }
        };
        if let Some(budget) = &now.budgets[f] {
            let less = budget.subtract(aig, &Number::constant(1));
            let most = i128::from(fault.limit.unwrap_or(0));
            let choices: Vec<(Lit, i128)> = (0..most).map(|v| (less.is(aig, v), v)).collect();
            successor.state.budgets[f] = Some(Number::one_of(aig, &choices));
        }
        let enabled_later = aig.all(conditions);
        found.push(Template {
            what: Action::Deliver(edge, place, fate),
            enabled: aig.and(enabled_later, in_time),
            enabled_later,
            successor,
        });
    }
    Ok(())
}

/// Delivers a message as `handling` says, unless it is dropped.
fn hand_over(
    aig: &mut Aig,
    setting: Setting<'_>,
    successor: &mut Successor,
    edge: EdgeId,
    message: &Bits,
    handling: &Handling,
) -> Result<(), Unsupported> {
    let (from, to) = setting.machine.edges[edge.index()];
    let here = !handling.dropped;
    for (takes, effects) in &handling.code {
        let when = aig.and(here, *takes);
        successor.run(aig, setting, when, to, effects)?;
    }
    let stored = aig.and(here, handling.stored);
    successor.store(aig, setting, stored, from, to, message);
    let unhandled = aig.and(here, handling.unhandled);
    successor.error = aig.or(successor.error, unhandled);
    successor.settle(aig, setting, None);
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
        let mut successor = Successor::new(now.clone());
        successor.state.nodes[node.index()].stopped = Lit::FALSE;
        successor.settle(aig, setting, None);
        let enabled = aig.and(!starting, now.nodes[node.index()].stopped);
        found.push(Template {
            what: Action::Restart(node),
            enabled,
            enabled_later: enabled,
            successor,
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
            let view = setting.view(now);
            let gone = view.is_gone(aig, node);
            let allowed = match item.limit {
                Some(limit) => {
                    let fewer = count.less(aig, &Number::constant(i128::from(limit)));
                    aig.or(faulted[node.index()], fewer)
                }
                None => Lit::TRUE,
            };
            let enabled = aig.all([!gone, allowed, !starting]);
            let mut successor = Successor::new(now.clone());
            let at = &mut successor.state.nodes[node.index()];
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
                let mut successor = successor.clone();
                successor.state.nodes[node.index()].crashed = Lit::TRUE;
                successor.settle(aig, setting, None);
                let what = Action::Crash(node, runtime_fault);
                found.push(Template {
                    what,
                    enabled,
                    enabled_later: enabled,
                    successor,
                });
            }
            if item.stop.is_some() {
                // A restart in a circuit keeps the state of the node. A node that has not started has no state to keep,
                // so it cannot stop.
                let waiting = now.nodes[node.index()].waiting;
                successor.state.nodes[node.index()].stopped = Lit::TRUE;
                successor.settle(aig, setting, None);
                let enabled = aig.and(enabled, !waiting);
                found.push(Template {
                    what: Action::Stop(node, runtime_fault),
                    enabled,
                    enabled_later: enabled,
                    successor,
                });
            }
        }
    }
}
