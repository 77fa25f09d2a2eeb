//! What a node finds when it reads its inbox: the messages, and the nodes from which there is no message.

use crate::words::names::Words;
use machine::{Instance, NodeId, State, Value};

/// The content of an inbox that a node reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The messages from other nodes, with their senders.
    messages: Vec<(NodeId, Value)>,
    /// The senders of these messages; successive equal senders are one entry.
    senders: Vec<NodeId>,
    /// The expected senders from which there is no message, see [`expected_senders`].
    missing: Vec<NodeId>,
    /// Whether the inbox also has messages that the node sent to itself.
    has_own: bool,
}

/// What the node `reader` finds in its inbox in the state before the event.
pub(crate) fn reading(instance: Instance<'_>, reader: NodeId, before: &State) -> Reading {
    let inbox = &before.nodes[reader.index()].inbox;
    let others = inbox.iter().filter(|entry| entry.0 != reader);
    let messages: Vec<(NodeId, Value)> = others.cloned().collect();
    let mut senders: Vec<NodeId> = messages.iter().map(|entry| entry.0).collect();
    senders.dedup();
    let expected = expected_senders(instance, reader, before);
    Reading {
        missing: expected.filter(|node| !senders.contains(node)).collect(),
        has_own: messages.len() < inbox.len(),
        messages,
        senders,
    }
}

impl Reading {
    /// The text, such as `reads Hello #2 from node 2` or `reads nothing from node 2`.
    pub(crate) fn text(&self, words: Words<'_>) -> String {
        let nothing = match &self.missing[..] {
            [] => None,
            many if many.len() > 3 => Some(format!("nothing from {} nodes", many.len())),
            some => Some(format!("nothing from {}", words.nodes(some))),
        };
        match (self.messages.is_empty(), nothing) {
            (true, None) if !self.has_own => "reads an empty inbox".into(),
            (true, None) => "reads only what it sent itself".into(),
            (true, Some(nothing)) => format!("reads {nothing}"),
            (false, None) => format!("reads {}", self.contents(words)),
            (false, Some(nothing)) => format!("reads {}, {nothing}", self.contents(words)),
        }
    }

    /// The messages from other nodes. If one sender has several messages or there are more than two senders, the text
    /// has only the number of messages and the senders.
    fn contents(&self, words: Words<'_>) -> String {
        let (count, senders) = (self.messages.len(), &self.senders);
        if count > senders.len() || senders.len() > 2 {
            return match senders.len() {
                1..=3 => format!("{count} messages from {}", words.nodes(senders)),
                many => format!("{count} messages from {many} nodes"),
            };
        }
        let each = self.messages.iter();
        let each: Vec<String> = each
            .map(|(from, message)| format!("{} from {}", words.value(message), words.node(*from)))
            .collect();
        each.join(" and ")
    }
}

/// The other nodes from which the reader could have a message: they run in `state`, have an edge to the reader, and no
/// static fault prevents sending or receiving.
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
