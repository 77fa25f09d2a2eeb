//! What each node waits for in a final state.

use machine::{EdgeId, Instance, Mode, State, Trigger};
use verdict::Waiting;

/// What the nodes wait for in a state in which no event is enabled. A node with a message in its outbox waits for room.
/// Of the other nodes, those that are off, halted, crashed or stopped wait for nothing; neither do nodes that handle no
/// message, unless a message waits on one of their incoming edges.
pub fn waiting(instance: Instance<'_>, state: &State) -> Vec<Waiting> {
    let machine = instance.machine;
    let mut found = Vec::new();
    for node in machine.nodes() {
        let part = &state.nodes[node.index()];
        if let Some(first) = part.outbox.first() {
            found.push(Waiting::ForRoom(node, first.edge, first.message.clone()));
            continue;
        }
        let gone = [Mode::Halted, Mode::Off, Mode::Crashed, Mode::Stopped];
        if gone.contains(&part.mode) {
            continue; // the node waits for nothing
        }
        let at_the_door = machine
            .edges
            .iter()
            .enumerate()
            .filter(|(_, (_, to))| *to == node);
        let mut stuck = at_the_door.filter_map(|(e, _)| {
            let message = state.edges[e].first()?;
            Some(Waiting::WithMessage(
                node,
                EdgeId(e as u32),
                message.clone(),
            ))
        });
        if let Some(stuck) = stuck.next() {
            found.push(stuck);
            continue;
        }
        let kind = machine.kind_of(node);
        let mut wanted = Vec::new();
        for block in machine.blocks.iter().filter(|b| b.kind == kind) {
            if let Trigger::On(record, _) = block.trigger
                && !wanted.contains(&record)
            {
                wanted.push(record);
            }
        }
        if !wanted.is_empty() {
            found.push(Waiting::ForMessage(node, wanted));
        }
    }
    found
}
