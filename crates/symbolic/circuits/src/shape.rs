//! The layout of the state of a Machine: the number of slots of each part. Constructs without a fixed size are refused.
//!
//! Queues without a declared bound, bags, and inboxes that keep copies get a fixed number of slots (per sender, for
//! inboxes). A run that needs more slots ends in an *overflow*, which is a query like any bad condition. If no overflow
//! is reachable, the number of slots does not affect the answers.

use crate::activations::ActivationCounters;
use crate::clock::DiscreteClocks;
use bits::Unsupported;
use machine::{
    Abstraction, Channel, Delay, EdgeId, Fault, KindId, Machine, NodeId, RecordId, RuntimeFaultId,
    StmtKind, Timing, Trigger, Type, Typing, Value,
};

/// The largest number of values of a message type for which an inbox has one slot per value.
const MOST_IN_INBOX: u128 = 512;

/// The layout of the state of a Machine.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// By kind: the message types that its code can send.
    pub(crate) sends: Vec<Vec<RecordId>>,
    /// By edge: the number of slots for messages.
    pub(crate) capacity: Vec<usize>,
    /// By kind: the number of slots of an outbox. 0 until `encode` has counted the messages that the code can send.
    pub(crate) outbox: Vec<usize>,
    /// By node: the slots of its inbox.
    pub(crate) inbox: Vec<Vec<InboxPlace>>,
    /// By kind: whether its code can halt.
    pub(crate) halts: Vec<bool>,
    /// By node: its possible faults from the start, each with the index of the fault declaration.
    pub(crate) faults: Vec<Vec<(usize, Fault)>>,
    /// By node: how many activations it may be ahead of others; `None` if it does not run in rounds.
    pub(crate) rounds: Vec<Option<i64>>,
    /// The activation counters that order rules need.
    pub(crate) activations: ActivationCounters,
    /// The clocks of digitised time.
    pub(crate) clocks: DiscreteClocks,
    /// Whether some part has fewer slots than a run might need.
    pub(crate) may_overflow: bool,
}

/// A slot for a message in an inbox.
#[derive(Clone, Debug)]
pub(crate) struct InboxPlace {
    /// The sender.
    pub(crate) sender: NodeId,
    /// The messages that the slot can hold.
    pub(crate) holds: Holds,
}

/// The messages that a slot of an inbox can hold.
#[derive(Clone, Debug)]
pub(crate) enum Holds {
    /// Only this message; the slot is one bit that says whether it has been received.
    This(Value),
    /// The last message of this type.
    LastOf(RecordId),
    /// Any message of one of these types.
    OneOf(Vec<RecordId>),
}

impl Shape {
    /// The layout for a Machine, with `room` slots in channels without a declared bound.
    pub(crate) fn of(machine: &Machine, room: usize) -> Result<Shape, Unsupported> {
        refuse(machine)?;
        let kinds = || (0..machine.kinds.len() as u32).map(KindId);
        let sends: Vec<Vec<RecordId>> = kinds()
            .map(|kind| sends(machine, kind))
            .collect::<Result<_, _>>()?;
        let capacity = machine.edges.iter().map(|(from, _)| {
            let silent = sends[machine.kind_of(*from).index()].is_empty();
            match machine.channel {
                _ if silent => 0,
                Channel::Fifo(Some(capacity)) => capacity as usize,
                Channel::Fifo(None) | Channel::Unordered => room,
                Channel::Instant => 0,
            }
        });
        let capacity: Vec<usize> = capacity.collect();
        let waits = matches!(machine.channel, Channel::Fifo(Some(_)));
        let inbox = machine
            .nodes()
            .map(|node| inbox(machine, &sends, node, room));
        let inbox: Vec<Vec<InboxPlace>> = inbox.collect::<Result<_, _>>()?;
        let copies = inbox
            .iter()
            .flatten()
            .any(|place| matches!(place.holds, Holds::OneOf(_)));
        let unbounded = !waits && machine.channel != Channel::Instant;
        Ok(Shape {
            outbox: vec![0; machine.kinds.len()],
            halts: kinds().map(|kind| halts(machine, kind)).collect(),
            faults: machine.nodes().map(|node| faults(machine, node)).collect(),
            rounds: machine.nodes().map(|node| round(machine, node)).collect(),
            activations: ActivationCounters::of(machine),
            clocks: DiscreteClocks::of(machine)?,
            may_overflow: copies || (unbounded && capacity.iter().any(|c| *c > 0)),
            sends,
            capacity,
            inbox,
        })
    }

    /// The type of all messages that can be on an edge.
    pub(crate) fn message_type(&self, machine: &Machine, edge: EdgeId) -> Type {
        let (from, _) = machine.edges[edge.index()];
        Type::one_of(&self.sends[machine.kind_of(from).index()])
    }

    /// The largest number of activations that a node may be ahead of the slowest one.
    pub(crate) fn greatest_lead(&self) -> i64 {
        self.rounds.iter().flatten().copied().max().unwrap_or(0)
    }

    /// Whether a node may be off from the start.
    pub(crate) fn may_be_off(&self, node: NodeId) -> bool {
        let faults = &self.faults[node.index()];
        faults.iter().any(|(_, fault)| *fault == Fault::Off)
    }

    /// Whether nodes of a kind may crash, and whether they may stop and restart.
    pub(crate) fn runtime_faults(machine: &Machine, kind: KindId) -> (bool, bool) {
        let about = machine
            .runtime_faults
            .iter()
            .filter(|s| s.of.is_none_or(|of| of == kind));
        let (mut crash, mut stop) = (false, false);
        for runtime_fault in about {
            crash |= runtime_fault.crash.is_some();
            stop |= runtime_fault.stop.is_some();
        }
        (crash, stop)
    }

    /// Whether the state records that a runtime fault has occurred at a node.
    pub(crate) fn remembers(
        machine: &Machine,
        runtime_fault: RuntimeFaultId,
        node: NodeId,
    ) -> bool {
        let of = machine.runtime_faults[runtime_fault.index()].of;
        machine.remembers(runtime_fault) && of.is_none_or(|of| of == machine.kind_of(node))
    }
}

/// Refuses, by name, Machines with constructs that are not encoded.
fn refuse(machine: &Machine) -> Result<(), Unsupported> {
    let no = |what: &str| Err(Unsupported::new(what));
    match &machine.abstraction {
        Abstraction::Order(_, chains) if !chains.is_empty() => {
            return no("rules about the order of activations of three nodes");
        }
        Abstraction::Order(..) if matches!(machine.delay, Delay::Within(..)) => {
            return no("delays");
        }
        Abstraction::Order(..) => {}
        Abstraction::Exact if machine.has_time() => return no("real times"),
        Abstraction::Exact | Abstraction::Digitised(_) => {}
    }
    if !machine.timers.is_empty() {
        return no("timers");
    }
    if !machine.counters.is_empty() {
        return no("counters");
    }
    for runtime_fault in &machine.runtime_faults {
        if runtime_fault
            .crash
            .is_some_and(|crash| crash.during_broadcast)
        {
            return no("crashes during a broadcast");
        }
        if runtime_fault
            .stop
            .as_ref()
            .is_some_and(|restart| restart.fresh)
        {
            return no("restarts with initial values");
        }
    }
    Ok(())
}

/// The message types that the code of a kind can send, in the order of the Machine.
fn sends(machine: &Machine, kind: KindId) -> Result<Vec<RecordId>, Unsupported> {
    let mut found = Vec::new();
    let mut strange = false;
    for block in machine.blocks.iter().filter(|block| block.kind == kind) {
        for statement in &block.body {
            statement.walk(&mut |s| {
                if let StmtKind::Send(message, _) = &s.kind {
                    match Typing::all_bound(machine, &block.scope).type_of(message) {
                        Ok(Type::Record(record)) => found.push(record),
                        Ok(Type::OneOf(records)) => found.extend(records),
                        _ => strange = true,
                    }
                }
            });
        }
    }
    if strange {
        return Err(Unsupported::new("a message of unknown type"));
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn halts(machine: &Machine, kind: KindId) -> bool {
    let mut halts = false;
    for block in machine.blocks.iter().filter(|block| block.kind == kind) {
        for statement in &block.body {
            statement.walk(&mut |s| halts |= s.kind == StmtKind::Halt);
        }
    }
    halts
}

fn faults(machine: &Machine, node: NodeId) -> Vec<(usize, Fault)> {
    let kind = machine.kind_of(node);
    let items = machine.node_faults.iter().enumerate();
    let items = items.filter(|(_, item)| item.of.is_none_or(|of| of == kind));
    items
        .flat_map(|(i, item)| item.faults.iter().map(move |fault| (i, *fault)))
        .collect()
}

fn round(machine: &Machine, node: NodeId) -> Option<i64> {
    match machine.timing(machine.kind_of(node)) {
        Some(Timing::Round(lead)) => Some(i64::from(*lead)),
        _ => None,
    }
}

fn inbox(
    machine: &Machine,
    sends: &[Vec<RecordId>],
    node: NodeId,
    room: usize,
) -> Result<Vec<InboxPlace>, Unsupported> {
    let kind = machine.kind_of(node);
    let mut senders: Vec<NodeId> = { machine.edges.iter() }
        .filter(|(_, to)| *to == node)
        .map(|(from, _)| *from)
        .collect();
    senders.sort_unstable();
    let mut places = Vec::new();
    for sender in senders {
        let sent = sends[machine.kind_of(sender).index()].iter().copied();
        let enters: Vec<RecordId> = sent.filter(|r| machine.enters_inbox(kind, *r)).collect();
        if machine.inbox.copies && !machine.inbox.latest {
            let rooms = if enters.is_empty() { 0 } else { room };
            places.extend((0..rooms).map(|_| InboxPlace {
                sender,
                holds: Holds::OneOf(enters.clone()),
            }));
            continue;
        }
        for record in enters {
            if machine.inbox.latest {
                let holds = Holds::LastOf(record);
                places.push(InboxPlace { sender, holds });
                continue;
            }
            let ty = Type::Record(record);
            if machine.cardinality(&ty) > MOST_IN_INBOX {
                return Err(Unsupported::new("an inbox of messages with many values"));
            }
            places.extend(machine.values(&ty).into_iter().map(|value| InboxPlace {
                sender,
                holds: Holds::This(value),
            }));
        }
    }
    Ok(places)
}

/// Whether a restriction of the initial states reads a variable of nodes that may be off. This is refused, because the
/// values of the variables of such nodes would depend on the whole restriction.
pub(crate) fn restricts_nodes_that_are_off(machine: &Machine, shape: &Shape) -> bool {
    let mut read = Vec::new();
    for restriction in &machine.initially {
        restriction.condition.walk(&mut |e| {
            if let machine::Expr::Var(var, _) = e {
                read.push(machine.vars[var.index()].kind);
            }
        });
    }
    let mut nodes = machine.nodes();
    nodes.any(|node| shape.may_be_off(node) && read.contains(&machine.kind_of(node)))
}

/// Whether nodes of a kind have a start block.
pub(crate) fn starts(machine: &Machine, kind: KindId) -> bool {
    let blocks = machine.blocks.iter().filter(|block| block.kind == kind);
    blocks
        .into_iter()
        .any(|block| block.trigger == Trigger::Start)
}
