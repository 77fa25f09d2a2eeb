//! The change of a variable: only the parts that changed, each with its path in the value.

use crate::words::names::Words;
use machine::{Type, Value};

/// The changes of a value, a short text each: `leader none → #1`, `seen[node 2] false → true`,
/// `table[0].uses 1 → 2`.
pub(crate) fn changes(
    words: Words<'_>,
    name: &str,
    ty: &Type,
    old: &Value,
    new: &Value,
) -> Vec<String> {
    if old == new {
        return Vec::new();
    }
    let machine = words.machine;
    match (ty, old, new) {
        (Type::Option(inner), Value::Some(old), Value::Some(new)) => {
            changes(words, name, inner, old, new)
        }
        (Type::Record(record), Value::Record(_, old), Value::Record(_, new)) => {
            let fields = machine.records[record.index()].fields.iter();
            let parts = fields.zip(old.iter().zip(new));
            parts
                .flat_map(|((field, ty), (old, new))| {
                    changes(words, &format!("{name}.{field}"), ty, old, new)
                })
                .collect()
        }
        (Type::Array(index, inner), Value::Array(old), Value::Array(new)) if few(old, new) => {
            let indices = machine.values(index);
            let parts = indices.iter().zip(old.iter().zip(new));
            parts
                .flat_map(|(index, (old, new))| {
                    let name = format!("{name}[{}]", words.value(index));
                    changes(words, &name, inner, old, new)
                })
                .collect()
        }
        _ => vec![format!(
            "{name} {} → {}",
            words.value(old),
            words.value(new)
        )],
    }
}

/// At most one element of an array changes, or at most half of them: each is named.
fn few(old: &[Value], new: &[Value]) -> bool {
    let changed = old.iter().zip(new).filter(|(old, new)| old != new).count();
    changed <= 1 || changed * 2 <= old.len()
}
