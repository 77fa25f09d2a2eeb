//! What went wrong in a run that ends in an error, in words.

use crate::{Times, Words};
use machine::{ErrorKind, RunError, Value};

/// What went wrong, in one line, with the place in the model.
pub fn error_words(words: Words<'_>, error: &RunError) -> String {
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
        // Every node has its place in an array over nodes: this one is of another kind than the variable.
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
            format!(
                "nothing in the receiver's code handles {name}: it has no `on {name}`, and no `ignore {name}`"
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
