//! What a node finds in its inbox, in words: from whom there is something, and from whom nothing.

use crate::Words;
use crate::story::event::Place;
use machine::{NodeId, State};

/// What the node reads: `reads Hello #2 from node 2`, `reads nothing from node 2`.
pub(crate) fn reading(place: Place<'_>, who: NodeId, before: &State) -> String {
    let words = place.words;
    let inbox = &before.nodes[who.index()].inbox;
    let mut have: Vec<NodeId> = inbox
        .iter()
        .map(|entry| entry.0)
        .filter(|n| *n != who)
        .collect();
    have.dedup();
    let missing: Vec<NodeId> = expected(place, who, before)
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
        (false, None) => format!("reads {}", contents(words, who, inbox, &have)),
        (false, Some(nothing)) => {
            format!("reads {}, {nothing}", contents(words, who, inbox, &have))
        }
    }
}

/// The others that run and whose messages could be there.
pub(crate) fn expected<'t>(
    place: Place<'t>,
    who: NodeId,
    state: &'t State,
) -> impl Iterator<Item = NodeId> + 't {
    let machine = place.words.machine;
    let nodes = machine.nodes().filter(move |from| *from != who);
    nodes.filter(move |from| {
        machine.edge(*from, who).is_some()
            && state.nodes[from.index()].mode.runs()
            && place.frozen.can_send(*from)
            && place.frozen.can_receive(who)
    })
}

fn contents(
    words: Words<'_>,
    who: NodeId,
    inbox: &[(NodeId, machine::Value)],
    have: &[NodeId],
) -> String {
    let of_others: Vec<_> = inbox.iter().filter(|entry| entry.0 != who).collect();
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
