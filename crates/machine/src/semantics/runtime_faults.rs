//! Runtime faults: crashes, stops and restarts of nodes.

use crate::semantics::block::Stop;
use crate::{
    ActivationHistory, BlockId, Event, Expr, Instance, Machine, Mode, NodeId, Outcome, Restart,
    RuntimeFault, RuntimeFaultId, State, Value,
};
use std::collections::BTreeSet;

impl Machine {
    /// Whether states record which nodes a runtime fault has affected. They do if the fault has a limit or a property
    /// contains `Faultless`.
    pub fn remembers(&self, runtime_fault: RuntimeFaultId) -> bool {
        self.runtime_faults[runtime_fault.index()].limit.is_some()
            || self.properties_contain(|e| matches!(e, Expr::Faultless(_)))
    }

    /// How a stopped node restarts, by the first runtime fault that affects its kind and allows stops. `None` if there
    /// is no such fault.
    pub fn restart_of(&self, node: NodeId) -> Option<&Restart> {
        let kind = self.kind_of(node);
        let mut items = self
            .runtime_faults
            .iter()
            .filter(|item| item.is_about(kind));
        items.find_map(|item| item.stop.as_ref())
    }

    /// Whether nodes of a kind may stop and restart with initial values.
    pub fn restarts_fresh(&self, kind: crate::KindId) -> bool {
        let fresh = |item: &RuntimeFault| item.stop.as_ref().is_some_and(|stop| stop.fresh);
        { self.runtime_faults.iter() }.any(|item| item.is_about(kind) && fresh(item))
    }
}

impl RuntimeFault {
    /// Whether the fault affects nodes of a kind.
    pub fn is_about(&self, kind: crate::KindId) -> bool {
        self.of.is_none_or(|of| of == kind)
    }
}

/// The enabled runtime faults and restarts of a state. `events` are the other enabled events, during which a node may
/// crash.
pub(crate) fn fault_events(instance: &Instance<'_>, state: &State, events: &[Event]) -> Vec<Event> {
    let mut found = Vec::new();
    for node in instance.machine.nodes() {
        if state.nodes[node.index()].mode == Mode::Stopped {
            found.push(Event::Restart(node));
        }
    }
    for (i, item) in instance.machine.runtime_faults.iter().enumerate() {
        let runtime_fault = RuntimeFaultId(i as u32);
        for node in instance
            .machine
            .nodes()
            .filter(|node| can_fault(instance, state, runtime_fault, *node))
        {
            if item.crash.is_some() {
                found.push(Event::Crash(node, runtime_fault));
            }
            if let Some(restart) = &item.stop {
                // A restart that is not fresh does not run the start block, so a node stops before its start block only
                // if restarts are fresh.
                if restart.fresh || state.nodes[node.index()].mode == Mode::Running {
                    found.push(Event::Stop(node, runtime_fault));
                }
            }
            if item.crash.is_some_and(|crash| crash.during_broadcast) {
                let own = events
                    .iter()
                    .filter(|event| sender(instance, event) == Some(node));
                found.extend(
                    own.map(|event| Event::CrashDuring(runtime_fault, Box::new(event.clone()))),
                );
            }
        }
    }
    found
}

fn can_fault(
    instance: &Instance<'_>,
    state: &State,
    runtime_fault: RuntimeFaultId,
    node: NodeId,
) -> bool {
    let item = &instance.machine.runtime_faults[runtime_fault.index()];
    let faulted = |n: &NodeId| state.nodes[n.index()].faulted[runtime_fault.index()];
    state.nodes[node.index()].mode.runs()
        && item.is_about(instance.machine.kind_of(node))
        && item.limit.is_none_or(|limit| {
            faulted(&node) || (instance.machine.nodes().filter(faulted).count() as u32) < limit
        })
}

/// The node whose code an event runs, if the code contains a `send`; `None` for other events and for the `Repeat`
/// fault.
fn sender(instance: &Instance<'_>, event: &Event) -> Option<NodeId> {
    let sends = |block: &BlockId| instance.machine.blocks[block.index()].sends();
    match event {
        Event::Run(node, block) | Event::Expire(node, _, block) if sends(block) => Some(*node),
        Event::Deliver(edge, _, Outcome::HandOver(block)) if sends(block) => {
            Some(instance.receiver(*edge))
        }
        _ => None,
    }
}

/// The state after a crash or stop of a node.
pub(crate) fn faulted(
    instance: &Instance<'_>,
    state: &State,
    node: NodeId,
    runtime_fault: RuntimeFaultId,
    mode: Mode,
) -> State {
    let mut next = state.clone();
    let of = &mut next.nodes[node.index()];
    of.mode = mode;
    of.inbox.clear();
    of.outbox.clear();
    of.timers.fill(false);
    of.faulted[runtime_fault.index()] |= instance.machine.remembers(runtime_fault);
    if let Some(clock) = &mut next.clock {
        clock.timers[node.index()].fill(None);
        if mode == Mode::Stopped
            && let Some(stopped) = clock.stopped.get_mut(node.index())
        {
            *stopped = Some(clock.now.clone());
        }
    }
    next
}

/// The state after a crash of a node during an event: a subset of the messages is sent, and no assignment takes effect.
pub(crate) fn crash_during(
    instance: &Instance<'_>,
    state: &State,
    runtime_fault: RuntimeFaultId,
    event: &Event,
    picks: &[Value],
) -> Result<State, Stop> {
    let (ready, block, locals) = instance
        .code_of(state, event)
        .expect("an event that runs code");
    let mut picks = picks.iter();
    let (_, node, sent) = instance.run_code(ready, block, &locals, &mut picks)?;
    let Some(chosen) = picks.next() else {
        return Err(Stop::MustChoose(subsets(sent.len())));
    };
    if !matches!(chosen, Value::Set(_)) || !subsets(sent.len()).contains(chosen) {
        return Err(Stop::BadPick);
    }
    let mut next = state.clone();
    if let Event::Deliver(edge, message, outcome) = event {
        instance.dequeue(&mut next, *edge, message, *outcome);
    }
    let next = faulted(instance, &next, node, runtime_fault, Mode::Crashed);
    let places = chosen.as_set().iter().map(|place| place.as_int() as usize);
    let sent = places.map(|place| sent[place].clone()).collect();
    let next = instance.send_all(next, node, sent, &mut picks)?;
    match picks.next() {
        Some(_) => Err(Stop::BadPick),
        None => Ok(next),
    }
}

/// The state after a restart of a stopped node, including its start block if the restart is fresh.
pub(crate) fn restart(
    instance: &Instance<'_>,
    state: &State,
    node: NodeId,
    picks: &[Value],
) -> Result<State, Stop> {
    let mut picks = picks.iter();
    let mut next = restarted(instance, state, node, &mut picks)?;
    let fresh = instance
        .machine
        .restart_of(node)
        .is_some_and(|restart| restart.fresh);
    if let Some(start) = instance.machine.start_block(instance.machine.kind_of(node))
        && fresh
    {
        next = instance.run_and_send(next, start, &[Value::Node(node)], &mut picks)?;
    }
    match picks.next() {
        Some(_) => Err(Stop::BadPick),
        None => Ok(next),
    }
}

/// The state after a restart of a stopped node, before its start block.
pub(crate) fn restarted(
    instance: &Instance<'_>,
    state: &State,
    node: NodeId,
    picks: &mut std::slice::Iter<Value>,
) -> Result<State, Stop> {
    let mut next = state.clone();
    next.nodes[node.index()].mode = Mode::Running;
    if let Some(clock) = &mut next.clock {
        let since = clock.now.clone();
        clock.activations[node.index()] = ActivationHistory {
            since,
            ..ActivationHistory::default()
        };
        if let Some(stopped) = clock.stopped.get_mut(node.index()) {
            *stopped = None;
        }
    }
    if instance
        .machine
        .restart_of(node)
        .is_some_and(|restart| restart.fresh)
    {
        reset_vars(instance, &mut next, node, picks)?;
    }
    Ok(next)
}

/// Assigns initial values to the non-persistent variables of a node. A variable with several possible values takes a
/// pick.
fn reset_vars(
    instance: &Instance<'_>,
    next: &mut State,
    node: NodeId,
    picks: &mut std::slice::Iter<Value>,
) -> Result<(), Stop> {
    let kind = instance.machine.kind_of(node);
    let vars = instance
        .machine
        .vars
        .iter()
        .enumerate()
        .filter(|(_, var)| var.kind == kind);
    for (place, (v, var)) in vars.enumerate() {
        if var.persistent {
            continue;
        }
        let values = instance.restart_values(node, v, next)?;
        next.nodes[node.index()].vars[place] = match (values.len(), picks.as_slice().first()) {
            (1, _) => values[0].clone(),
            (_, None) => return Err(Stop::MustChoose(values.into_iter().collect())),
            (_, Some(pick)) if !values.contains(pick) => return Err(Stop::BadPick),
            (_, Some(_)) => picks.next().expect("there is one").clone(),
        };
    }
    Ok(())
}

/// All subsets of the indices 0..length, as values.
fn subsets(length: usize) -> BTreeSet<Value> {
    let mut found = vec![BTreeSet::new()];
    for place in 0..length {
        let with = found.iter().cloned().map(|mut set: BTreeSet<Value>| {
            set.insert(Value::Int(place as i64));
            set
        });
        found.extend(with.collect::<Vec<_>>());
    }
    found.into_iter().map(Value::Set).collect()
}
