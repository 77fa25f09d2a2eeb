//! Zero-time loops: blocks that trigger themselves again before time can pass.

use crate::{
    Block, Delay, Expr, Machine, NodeId, RecordId, StmtKind, TimeSum, TimerId, Trigger, Type,
    Typing, Value,
};
use rational::Rational;

/// Whether a block may trigger itself again, directly or through other blocks, before time can pass: by messages with a
/// maximum delay of 0, and by timers whose maximum duration may be 0.
///
/// If no block can, only finitely many events are due at one time. If, in addition, no channel is full, every event
/// that is due is enabled, so time always progresses.
pub fn may_loop_in_zero_time(machine: &Machine) -> bool {
    // The vertices of a graph: pairs of a node and a block of its kind. An edge means that the first block may trigger
    // the second one before time can pass.
    let vertices: Vec<(NodeId, &Block)> = machine
        .nodes()
        .flat_map(|node| {
            let kind = machine.kind_of(node);
            let own = machine.blocks.iter().filter(move |b| b.kind == kind);
            own.map(move |block| (node, block))
        })
        .collect();
    let successors: Vec<Vec<usize>> = vertices
        .iter()
        .map(|(node, block)| {
            let effects = immediate_effects(machine, *node, block);
            let follows = |(other, block): &(NodeId, &Block)| {
                effects.iter().any(|effect| match (effect, &block.trigger) {
                    (Immediate::Message(record, to), Trigger::On(wanted, _)) => {
                        to == other && record.is_none_or(|record| record == *wanted)
                    }
                    (Immediate::Timer(set), Trigger::Timer(timer)) => node == other && set == timer,
                    _ => false,
                })
            };
            (0..vertices.len())
                .filter(|v| follows(&vertices[*v]))
                .collect()
        })
        .collect();
    // A vertex is marked if all its successors are marked. The vertices that stay unmarked can reach a cycle.
    let mut acyclic = vec![false; vertices.len()];
    loop {
        let more: Vec<usize> = (0..vertices.len())
            .filter(|v| !acyclic[*v] && successors[*v].iter().all(|n| acyclic[*n]))
            .collect();
        if more.is_empty() {
            return acyclic.contains(&false);
        }
        more.into_iter().for_each(|v| acyclic[v] = true);
    }
}

/// An effect of a block that triggers another block before time can pass.
enum Immediate {
    /// A message arrives at a node. The message type is `None` if it is not a constant.
    Message(Option<RecordId>, NodeId),
    /// A timer of the same node expires.
    Timer(TimerId),
}

/// The immediate effects of a block when it runs at a node.
fn immediate_effects(machine: &Machine, node: NodeId, block: &Block) -> Vec<Immediate> {
    let instantly = matches!(&machine.delay, Delay::Within(_, most) if most.is_zero());
    let mut found = Vec::new();
    for statement in &block.body {
        statement.walk(&mut |s| match &s.kind {
            StmtKind::Send(message, to) if instantly => {
                let record = match message.bare() {
                    Expr::Record(record, _) => Some(*record),
                    _ => None,
                };
                let edges = machine.edges.iter().filter(|(from, _)| *from == node);
                let receivers = edges.map(|(_, to)| *to);
                let receivers = receivers.filter(|receiver| match to.bare() {
                    Expr::Nodes(Some(kind)) => machine.kind_of(*receiver) == *kind,
                    Expr::Const(Value::Node(node)) => node == receiver,
                    _ => true,
                });
                found.extend(receivers.map(|receiver| Immediate::Message(record, receiver)));
            }
            StmtKind::SetTimer(timer, _, _, to) if may_be_zero(machine, block, to) => {
                found.push(Immediate::Timer(*timer));
            }
            _ => {}
        });
    }
    found
}

/// Whether a time that a block computes may be 0 or less, judged by the types of its terms.
fn may_be_zero(machine: &Machine, block: &Block, sum: &TimeSum) -> bool {
    let mut least = sum.constant.clone();
    for (number, by) in &sum.terms {
        let Ok(Type::Int(lo, hi)) = Typing::all_bound(machine, &block.scope).type_of(number) else {
            return true;
        };
        let ends = [lo, hi].map(|end| &Rational::from(end) * by);
        least += ends.iter().min().expect("two elements");
    }
    !least.is_positive()
}
