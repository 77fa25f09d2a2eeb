//! The timers of a node at the beginning of a block.

use crate::Unsupported;
use crate::block::run::Cause;
use crate::eval::world::World;
use machine::{Block, Machine, NodeId, StmtKind, Trigger};
use sat::{Aig, Lit};

/// By timer of the node: whether it is set at the beginning of the block; the timer that triggers the block is not.
/// Empty if the block neither sets nor cancels timers and is not triggered by one.
pub(crate) fn before(
    aig: &mut Aig,
    machine: &Machine,
    world: &dyn World,
    code: &Block,
    node: NodeId,
    cause: &Cause,
) -> Result<Vec<Lit>, Unsupported> {
    let mut sets = matches!(code.trigger, Trigger::Timer(_));
    for statement in &code.body {
        statement.walk(&mut |s| {
            sets |= matches!(s.kind, StmtKind::SetTimer(..) | StmtKind::CancelTimer(..));
        });
    }
    if !sets {
        return Ok(Vec::new());
    }
    let mut timers = Vec::new();
    for place in 0..machine.timer_places(code.kind) as u32 {
        let (timer, other) = machine.timer_of(node, place);
        timers.push(world.timer_set(aig, timer, node, other)?);
    }
    if let (Trigger::Timer(timer), Cause::Timer(other)) = (&code.trigger, cause) {
        timers[machine.timer_place(*timer, *other)] = Lit::FALSE;
    }
    Ok(timers)
}
