//! A read of an inbox in words: the messages in it, and the nodes from which there are none.

use crate::events::line::EventContext;
use crate::words::names::Words;
use machine::{Instance, NodeId, State, Value};

/// A read: `reads Hello #2 from node 2`, `reads nothing from node 2`.
pub(crate) fn reading(context: &EventContext<'_>, reader: NodeId, before: &State) -> String {
    let words = context.words;
    let inbox = &before.nodes[reader.index()].inbox;
    let mut have: Vec<NodeId> = inbox
        .iter()
        .map(|entry| entry.0)
        .filter(|n| *n != reader)
        .collect();
    have.dedup();
    let instance = Instance {
        machine: words.machine,
        frozen: context.frozen,
    };
    let missing: Vec<NodeId> = expected_senders(instance, reader, before)
        .filter(|node| !have.contains(node))
        .collect();
    let nothing = match &missing[..] {
        [] => None,
        many if many.len() > 3 => Some(format!("nothing from {} nodes", many.len())),
        some => Some(format!("nothing from {}", words.nodes(some))),
    };
    match (have.is_empty(), nothing) {
        (true, None) if inbox.is_empty() => "reads an empty inbox".into(),
        (true, None) => "reads only what it sent itself".into(),
        (true, Some(nothing)) => format!("reads {nothing}"),
        (false, None) => format!("reads {}", contents(words, reader, inbox, &have)),
        (false, Some(nothing)) => {
            format!("reads {}, {nothing}", contents(words, reader, inbox, &have))
        }
    }
}

/// The messages of other nodes in an inbox; if there are many, only their number.
fn contents(
    words: Words<'_>,
    reader: NodeId,
    inbox: &[(NodeId, Value)],
    have: &[NodeId],
) -> String {
    let of_others: Vec<_> = inbox.iter().filter(|entry| entry.0 != reader).collect();
    if of_others.len() > have.len() || have.len() > 2 {
        let count = of_others.len();
        return match have.len() {
            1..=3 => format!("{count} messages from {}", words.nodes(have)),
            many => format!("{count} messages from {many} nodes"),
        };
    }
    let of_others: Vec<String> = of_others
        .iter()
        .map(|(from, message)| format!("{} from {}", words.value(message), words.node(*from)))
        .collect();
    of_others.join(" and ")
}

/// The other nodes that run and whose messages can reach the reader.
pub(crate) fn expected_senders<'t>(
    instance: Instance<'t>,
    reader: NodeId,
    state: &'t State,
) -> impl Iterator<Item = NodeId> + 't {
    let Instance { machine, frozen } = instance;
    let nodes = machine.nodes().filter(move |from| *from != reader);
    nodes.filter(move |from| {
        machine.edge(*from, reader).is_some()
            && state.nodes[from.index()].mode.runs()
            && frozen.can_send(*from)
            && frozen.can_receive(reader)
    })
}
