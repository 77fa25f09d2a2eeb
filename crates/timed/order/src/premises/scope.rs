//! The Machines to which the proof rule applies. This is decided before a circuit is built.

use crate::premises::counts::Counts;
use machine::{
    Abstraction, BlockId, Channel, Delay, Effect, Expr, KindId, LocalId, Machine, MessageFault,
    NodeId, RecordId, Stmt, StmtKind, Timing, Trigger,
};

/// A Machine in which every node runs one periodic block and no other, and sends messages of one type to inboxes.
pub struct Scope<'m> {
    /// The Machine.
    pub machine: &'m Machine,
    /// By kind: its periodic block.
    pub code: Vec<BlockId>,
    /// By kind: its send statement; `None` if it never sends.
    pub sends: Vec<Option<Send<'m>>>,
    /// The variables that count activations.
    pub counts: Counts,
}

/// The only send statement of a kind.
pub struct Send<'m> {
    /// The block that contains the statement.
    pub block: BlockId,
    /// The expression of the message.
    pub message: &'m Expr,
    /// The expression of the receivers.
    pub receivers: &'m Expr,
    /// The type of the message.
    pub record: RecordId,
    /// Whether the statement is executed at every activation and sends to all neighbours.
    pub always: bool,
    /// By field: whether its value is the same in all messages of a node.
    pub closed: Vec<bool>,
}

impl<'m> Scope<'m> {
    /// Checks that the proof rule applies to a Machine. An error names the unsupported construct.
    pub fn of(machine: &'m Machine) -> Result<Scope<'m>, String> {
        let refuse = |what: &str| Err(what.to_string());
        if machine.abstraction != Abstraction::Order(Vec::new(), Vec::new()) {
            return refuse("runs that have times already");
        }
        let instant = machine.channel == Channel::Instant;
        match (machine.channel, &machine.delay) {
            (Channel::Instant, _) => {}
            (Channel::Unordered | Channel::Fifo(None), Delay::Within(..)) => {}
            _ => return refuse("messages that may take any time, or channels that can be full"),
        }
        let lost = |fault: &MessageFault| fault.effect == Effect::Lose;
        if !machine.faults.iter().all(lost) || (instant && !machine.faults.is_empty()) {
            return refuse("messages that are repeated, or lost where they arrive at once");
        }
        if !machine.runtime_faults.is_empty() {
            return refuse("nodes that fail in the run");
        }
        if !machine.timers.is_empty() || !machine.responses.is_empty() {
            return refuse("timers and deadlines");
        }
        if !machine.counters.is_empty() {
            return refuse("counters");
        }
        if machine.inbox.copies {
            return refuse("how often a message is in an inbox");
        }
        let mut code = Vec::new();
        let mut sends = Vec::new();
        for k in 0..machine.kinds.len() {
            let blocks = machine.blocks.iter().enumerate();
            let mut own = blocks.filter(|(_, block)| block.kind.index() == k);
            let (Some((b, block)), None) = (own.next(), own.next()) else {
                return refuse("code that is not run by a rhythm");
            };
            let Trigger::Every(Timing::Periodic(_)) = block.trigger else {
                return refuse("nodes without a rhythm at real times");
            };
            if has(&block.body, &|s| matches!(s, StmtKind::Halt)) {
                return refuse("nodes that halt");
            }
            code.push(BlockId(b as u32));
            sends.push(Send::of(machine, BlockId(b as u32))?);
        }
        let counts = Counts::of(machine);
        let scope = Scope {
            machine,
            code,
            sends,
            counts,
        };
        for (from, to) in &machine.edges {
            if let Some(send) = scope.sends_of(*from) {
                let kind = machine.kind_of(*to);
                let ignored = machine.kinds[kind.index()].ignores.contains(&send.record);
                if !machine.enters_inbox(kind, send.record) && !ignored {
                    return refuse("messages for which nobody has code");
                }
            }
        }
        Ok(scope)
    }

    /// The send statement of a node; `None` if it never sends.
    pub fn sends_of(&self, node: NodeId) -> Option<&Send<'m>> {
        self.sends[self.machine.kind_of(node).index()].as_ref()
    }

    /// The periodic block of a node.
    pub fn code_of(&self, node: NodeId) -> BlockId {
        self.code[self.machine.kind_of(node).index()]
    }

    /// The nodes whose messages enter the inbox of a node.
    pub fn senders(&self, to: NodeId) -> Vec<NodeId> {
        let kind: KindId = self.machine.kind_of(to);
        let edges = self.machine.edges.iter().filter(|edge| edge.1 == to);
        let heard = |from: &NodeId| {
            let send = self.sends_of(*from);
            send.is_some_and(|send| self.machine.enters_inbox(kind, send.record))
        };
        edges.map(|edge| edge.0).filter(heard).collect()
    }
}

impl<'m> Send<'m> {
    fn of(machine: &'m Machine, block: BlockId) -> Result<Option<Send<'m>>, String> {
        let body = &machine.blocks[block.index()].body;
        let mut found: Vec<(&'m Expr, &'m Expr)> = Vec::new();
        for statement in body {
            statement.walk(&mut |s| {
                if let StmtKind::Send(message, to) = &s.kind {
                    found.push((message, to));
                }
            });
        }
        let [(message, to)] = found[..] else {
            return match found.is_empty() {
                true => Ok(None),
                false => Err("code that sends in several places".into()),
            };
        };
        if has(
            body,
            &|s| matches!(s, StmtKind::For(_, _, inner) if sends(inner)),
        ) {
            return Err("code that sends in a loop".into());
        }
        let scope = &machine.blocks[block.index()].scope;
        let ty = machine::Typing::all_bound(machine, scope).type_of(message);
        let Ok(machine::Type::Record(record)) = ty else {
            return Err("messages of several types".into());
        };
        let all = Expr::Neighbours(Box::new(Expr::Local(LocalId(0))));
        let top = body.iter().any(|s| matches!(s.kind, StmtKind::Send(..)));
        let closed = match message.bare() {
            Expr::Record(_, fields) => fields.iter().map(is_closed).collect(),
            _ => vec![false; machine.records[record.index()].fields.len()],
        };
        Ok(Some(Send {
            block,
            message,
            receivers: to,
            record,
            always: top && *to.bare() == all,
            closed,
        }))
    }

    /// Whether all messages of a node are equal.
    pub fn is_closed(&self) -> bool {
        self.closed.iter().all(|closed| *closed)
    }
}

/// Whether an expression has the same value at all activations of a node, because it reads neither state nor local
/// names.
fn is_closed(e: &Expr) -> bool {
    let mut closed = true;
    e.walk(&mut |part| {
        let own = matches!(part, Expr::Local(local) if *local != LocalId(0));
        closed &= !part.reads_state() && !own;
    });
    closed
}

fn has(statements: &[Stmt], is: &dyn Fn(&StmtKind) -> bool) -> bool {
    let mut found = false;
    statements
        .iter()
        .for_each(|s| s.walk(&mut |s| found |= is(&s.kind)));
    found
}

fn sends(statements: &[Stmt]) -> bool {
    has(statements, &|s| matches!(s, StmtKind::Send(..)))
}
