//! Independence: which nodes can send what to which others; and the check that nodes interact through channels only.

use crate::defects::{Defect, broken};
use crate::por::commuting_updates::CommutingClasses;
use crate::program::expression::Context;
use machine::{
    Channel, Delay, EdgeId, Expr, KindId, LocalId, Machine, NodeId, PropertyKind, RecordId,
    StmtKind, Timing, Trigger, Value,
};
use verdict::NoPartialOrder;

/// The local name of the node that runs a block.
const OWN: LocalId = LocalId(0);
/// The local name of the message in a block that handles one.
const MESSAGE: LocalId = LocalId(1);

/// What nodes can send to each other in one instance.
pub(crate) struct Independence {
    /// By node: its incoming edges.
    pub(crate) in_edges: Vec<Vec<EdgeId>>,
    /// By edge and class of the receiver's kind: whether the source can send a message for this class on the edge.
    pub(crate) carries: Vec<Vec<bool>>,
    /// By node kind: the classes of its code.
    pub(crate) classes: Vec<CommutingClasses>,
    /// By node: its kind.
    pub(crate) kinds: Vec<KindId>,
    /// By node: the number of its first process. A node has one process per class. The last entry is the number of
    /// processes.
    pub(crate) processes: Vec<u32>,
}

/// The reason why partial-order reduction does not apply to a Machine; `None` if it does.
pub(crate) fn why_not_applicable(machine: &Machine) -> Option<NoPartialOrder> {
    let strange = |e: &Expr| match e {
        Expr::Var(_, node)
        | Expr::InMode(_, node)
        | Expr::Inbox(_, node)
        | Expr::Senders(_, node) => *node.bare() != Expr::Local(OWN),
        Expr::Faultless(_) => false,
        other => other.reads_state(),
    };
    let invisible = broken(Defect::TransmitUnseen);
    let why = if broken(Defect::NeverAside) {
        return None;
    } else if machine.channel == Channel::Instant {
        NoPartialOrder::InstantDelivery
    } else if machine.digitisation().is_some()
        || !machine.timers.is_empty()
        || !machine.responses.is_empty()
        || machine.delay != Delay::Any
    {
        NoPartialOrder::Time
    } else if !machine.runtime_faults.is_empty() {
        NoPartialOrder::RuntimeFaults
    } else if machine
        .blocks
        .iter()
        .any(|b| matches!(&b.trigger, Trigger::Every(timing) if !matches!(timing, Timing::Any)))
    {
        NoPartialOrder::Rounds
    } else if !machine.counters.is_empty() {
        NoPartialOrder::Counters
    } else if machine.blocks.iter().any(|b| reads(b, &strange)) {
        NoPartialOrder::ReadsOtherNodes
    } else if looks_at_time(machine) {
        NoPartialOrder::Time
    } else if matches!(machine.channel, Channel::Fifo(Some(_)))
        && looks_at(machine, &|e| matches!(e, Expr::InFlight(..)))
        && !invisible
    {
        NoPartialOrder::ReadsBoundedChannels
    } else {
        return None;
    };
    Some(why)
}

/// Whether a block contains an expression that satisfies `such`.
fn reads(block: &machine::Block, such: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    let mut look = |e: &Expr| found |= such(e);
    if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &block.trigger {
        guard.walk(&mut look);
    }
    for statement in &block.body {
        statement.walk_exprs(&mut look);
    }
    found
}

fn looks_at_time(machine: &Machine) -> bool {
    looks_at(machine, &|e| {
        matches!(e, Expr::Now(..) | Expr::Overdue(_) | Expr::TimerSet(..))
    })
}

/// Whether a property contains an expression that satisfies `such`.
fn looks_at(machine: &Machine, such: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    let mut look = |e: &Expr| found |= such(e);
    for property in &machine.properties {
        match &property.kind {
            PropertyKind::Possible(condition) => condition.walk(&mut look),
            PropertyKind::Claim(formula) => formula.walk_exprs(&mut look),
        }
    }
    found
}

impl Independence {
    pub(crate) fn new(context: &Context<'_>) -> Independence {
        let machine = context.compiled.machine;
        let kinds: Vec<KindId> = machine.nodes().map(|n| machine.kind_of(n)).collect();
        let all = (0..machine.kinds.len() as u32).map(KindId);
        let classes: Vec<CommutingClasses> =
            all.map(|k| CommutingClasses::new(machine, k)).collect();
        let mut processes = vec![0];
        for kind in &kinds {
            let before = processes[processes.len() - 1];
            processes.push(before + classes[kind.index()].count as u32);
        }
        let mut in_edges = vec![Vec::new(); kinds.len()];
        let mut carries = Vec::new();
        for (e, (_, to)) in machine.edges.iter().enumerate() {
            in_edges[to.index()].push(EdgeId(e as u32));
            carries.push(vec![false; classes[kinds[to.index()].index()].count]);
        }
        let mut independence = Independence {
            in_edges,
            carries,
            classes,
            kinds,
            processes,
        };
        for node in machine.nodes() {
            if context.compiled.can_send(context.frozen, node) {
                independence.note_sends(context, node);
            }
        }
        independence
    }

    /// Records which messages the code of a node can send, and on which edges.
    fn note_sends(&mut self, context: &Context<'_>, node: NodeId) {
        let (compiled, machine) = (context.compiled, context.compiled.machine);
        for block in compiled.blocks_of(node) {
            let block = &machine.blocks[block.index()];
            for statement in &block.body {
                statement.walk(&mut |s| {
                    let StmtKind::Send(message, to) = &s.kind else {
                        return;
                    };
                    let record = match (message.bare(), &block.trigger) {
                        (Expr::Record(record, _), _) => Some(*record),
                        (Expr::Local(MESSAGE), Trigger::On(record, _)) => Some(*record),
                        _ => None,
                    };
                    let targets = targets(machine, to, node);
                    for edge in &compiled.network.out_edges[node.index()] {
                        let receiver = machine.edges[edge.index()].1;
                        if targets.as_ref().is_none_or(|t| t.contains(&receiver)) {
                            self.note(*edge, receiver, record);
                        }
                    }
                });
            }
        }
    }

    fn note(&mut self, edge: EdgeId, receiver: NodeId, record: Option<RecordId>) {
        let classes = &self.classes[self.kinds[receiver.index()].index()];
        match record {
            Some(record) => self.carries[edge.index()][classes.of_record[record.index()]] = true,
            None => self.carries[edge.index()].fill(true),
        }
    }

    /// The classes of a node's code.
    pub(crate) fn classes_of(&self, node: NodeId) -> &CommutingClasses {
        &self.classes[self.kinds[node.index()].index()]
    }

    /// The processes of a node.
    pub(crate) fn processes_of(&self, node: NodeId) -> std::ops::Range<u32> {
        self.processes[node.index()]..self.processes[node.index() + 1]
    }
}

/// The nodes to which the expression `to` can refer; `None` if this cannot be determined statically.
fn targets(machine: &Machine, to: &Expr, node: NodeId) -> Option<Vec<NodeId>> {
    match to.bare() {
        Expr::Local(OWN) => Some(vec![node]),
        Expr::Const(Value::Node(other)) => Some(vec![*other]),
        Expr::Map(map, of) => {
            let of = targets(machine, of, node)?;
            let map = &machine.maps[map.index()].to;
            Some(of.iter().map(|n| map[n.index()]).collect())
        }
        Expr::Set(_, items) => {
            let parts = items.iter().map(|item| targets(machine, item, node));
            Some(parts.collect::<Option<Vec<_>>>()?.concat())
        }
        _ => None,
    }
}
