//! Changes of variables as data: only the parts of a value that change, each with its path within the value.

use crate::words::names::{Words, is_declared};
use machine::{NodeId, State, Type, Value};

/// The change of a variable, or of a part of its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) node: NodeId,
    /// The index of the variable among the variables of the node.
    pub(crate) place: usize,
    /// The path from the value of the variable to the part that changes; empty if the whole value changes.
    path: Vec<PathStep>,
    from: Value,
    to: Value,
}

/// One step of a path into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PathStep {
    /// The field of a record, by its name in the model.
    Field(String),
    /// An index of an array.
    Index(Value),
}

impl Change {
    /// A short text: `leader none → #1`, `seen[node 2] false → true`, `table[0].uses 1 → 2`.
    pub(crate) fn text(&self, words: Words<'_>) -> String {
        let mut vars = words.machine.vars_of(words.machine.kind_of(self.node));
        let name = vars.nth(self.place).map_or("", |var| &var.name);
        let steps = self.path.iter().map(|step| match step {
            PathStep::Field(field) => format!(".{field}"),
            PathStep::Index(index) => format!("[{}]", words.value(index)),
        });
        let path: String = steps.collect();
        let (from, to) = (words.value(&self.from), words.value(&self.to));
        format!("{name}{path} {from} → {to}")
    }
}

/// The changes of a node's variables between two states, including ghost variables of the model. Counts that lowering
/// adds for the claims, such as `sent(Ask)`, are left out.
pub(crate) fn changes(
    words: Words<'_>,
    node: NodeId,
    before: &State,
    after: &State,
) -> Vec<Change> {
    let vars = words.machine.vars_of(words.machine.kind_of(node));
    let (old, new) = (&before.nodes[node.index()], &after.nodes[node.index()]);
    let values = old.vars.iter().zip(&new.vars);
    let mut found = Vec::new();
    for (place, (var, (old, new))) in vars.zip(values).enumerate() {
        if is_declared(var) {
            let parts = changed_parts(words, &[], &var.ty, (old, new));
            found.extend(parts.into_iter().map(|(path, from, to)| Change {
                node,
                place,
                path,
                from,
                to,
            }));
        }
    }
    found
}

/// The parts of a value of type `ty` that change from `old` to `new`, each with its path, its old and its new value.
/// `path` leads to the value itself.
fn changed_parts(
    words: Words<'_>,
    path: &[PathStep],
    ty: &Type,
    (old, new): (&Value, &Value),
) -> Vec<(Vec<PathStep>, Value, Value)> {
    if old == new {
        return Vec::new();
    }
    let machine = words.machine;
    let into = |step: PathStep| [path, &[step]].concat();
    match (ty, old, new) {
        (Type::Option(inner), Value::Some(old), Value::Some(new)) => {
            changed_parts(words, path, inner, (old, new))
        }
        (Type::Record(record), Value::Record(_, old), Value::Record(_, new)) => {
            let fields = machine.records[record.index()].fields.iter();
            let parts = fields.zip(old.iter().zip(new));
            parts
                .flat_map(|((field, ty), values)| {
                    changed_parts(words, &into(PathStep::Field(field.clone())), ty, values)
                })
                .collect()
        }
        (Type::Array(index, inner), Value::Array(old), Value::Array(new)) if few(old, new) => {
            let indices = machine.values(index);
            let parts = indices.iter().zip(old.iter().zip(new));
            parts
                .flat_map(|(index, values)| {
                    changed_parts(words, &into(PathStep::Index(index.clone())), inner, values)
                })
                .collect()
        }
        _ => vec![(path.to_vec(), old.clone(), new.clone())],
    }
}

/// Whether at most one element or at most half of the elements of an array change. If so, the changes are listed one by
/// one; otherwise the whole array is listed.
fn few(old: &[Value], new: &[Value]) -> bool {
    let changed = old.iter().zip(new).filter(|(old, new)| old != new).count();
    changed <= 1 || changed * 2 <= old.len()
}
