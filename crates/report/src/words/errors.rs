//! The error of a run in words.

use crate::words::names::{Words, joined};
use crate::words::times::Times;
use machine::{Choice, ErrorKind, Event, Machine, NodeId, RecordId, RunError, Trigger, Value};

/// The error in one line, with its place in the model. `during` is the choice whose execution is the error, if it is
/// not an error of a claim.
pub fn error_words(words: Words<'_>, error: &RunError, during: Option<&Choice>) -> String {
    let what = match &error.kind {
        ErrorKind::OutOfRange(value, ty) => {
            format!(
                "the value {} does not fit into {}",
                words.value(value),
                words.ty(ty)
            )
        }
        ErrorKind::Empty => "there is nothing to take the largest, smallest or only one of".into(),
        ErrorKind::NotUnique => "`the` finds more than one".into(),
        ErrorKind::NothingToChoose => "there is nothing to choose from".into(),
        ErrorKind::NoneUsed => "`none` is used as if it were a value".into(),
        // An array over nodes has an element for every node of one kind. This node is of another kind.
        ErrorKind::BadIndex(Value::Node(node)) => {
            format!("{} is of another kind", words.node(*node))
        }
        ErrorKind::BadIndex(value) => format!("the array has no place {}", words.value(value)),
        ErrorKind::DivisionByZero => "this divides by zero".into(),
        ErrorKind::Overflow => "this number is too large".into(),
        ErrorKind::Assertion => "the assertion is false".into(),
        ErrorKind::NotANeighbour(node) => format!(
            "there is no edge to {}: it is no neighbour",
            words.node(*node)
        ),
        ErrorKind::Unhandled(record) => {
            let name = &words.machine.records[record.index()].name;
            let kinds = unprepared(words.machine, *record, during);
            let (of, place) = match &kinds[..] {
                [] => ("the receiver".to_string(), String::new()),
                [kind] => (kind.to_string(), format!(" in `node {kind}`")),
                _ => (joined(&kinds, "or"), String::new()),
            };
            format!(
                "nothing in the code of {of} handles {name}: write `on {name} {{ … }}`{place}, or `ignore {name}` if nothing shall happen then"
            )
        }
        ErrorKind::BadTimer(from, to) => {
            let times = Times::new(words.labels);
            format!("a timer cannot be set to expire in {}", times.span(from, to))
        }
        ErrorKind::TimeLock => {
            "time cannot go on: something must happen now, and whatever happens, something must again".into()
        }
    };
    match error.origin.and_then(|origin| words.labels.origin(origin)) {
        Some(label) => format!("{what}:  {}   ({}:{})", label.text, label.file, label.line),
        None => what,
    }
}

/// The names of those kinds of possible receivers that neither handle nor ignore the message type.
fn unprepared<'m>(machine: &'m Machine, record: RecordId, during: Option<&Choice>) -> Vec<&'m str> {
    let event = match during.map(|choice| &choice.event) {
        Some(Event::CrashDuring(_, event)) => Some(&**event),
        event => event,
    };
    let receivers: Vec<NodeId> = match event {
        Some(Event::Deliver(edge, ..)) => vec![machine.edges[edge.index()].1],
        // On an instant channel the event belongs to the sender, so the receiver is one of its neighbours.
        Some(event) => {
            let sender = machine.node_of(event);
            let edges = machine.edges.iter();
            let own = edges.filter(|(from, _)| Some(*from) == sender);
            own.map(|(_, to)| *to).collect()
        }
        None => Vec::new(),
    };
    let kinds = machine.kinds.iter().enumerate();
    let lacks = kinds.filter(|(k, kind)| {
        let handles = machine.blocks.iter().any(|block| {
            block.kind.index() == *k
                && matches!(&block.trigger, Trigger::On(wanted, _) if *wanted == record)
        });
        let reached = receivers
            .iter()
            .any(|to| machine.kind_of(*to).index() == *k);
        reached && !handles && !kind.ignores.contains(&record)
    });
    lacks.map(|(_, kind)| &kind.name[..]).collect()
}
