//! Names: values, nodes, messages, types and frozen values in the words of the model.

use crate::words::times::Times;
use machine::{
    BlockId, Fault, Frozen, Init, Machine, NodeId, Origin, RecordId, State, Type, Value, Var, VarId,
};
use verdict::Labels;

/// A machine and the names of its parts.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The names of nodes, ids and blocks, and the places in the model, which the machine has only as numbers.
    pub labels: &'a Labels,
}

impl Words<'_> {
    /// The text of a value, such as `#2`, `node 3`, `none` or `Election #2`.
    pub fn value(&self, value: &Value) -> String {
        match value {
            Value::Bool(b) => b.to_string(),
            Value::Int(i) => i.to_string(),
            Value::Id(place) => self.labels.id(*place),
            Value::Node(node) => self.node(*node),
            Value::Enum(e, v) => self.machine.enums[e.index()].values[*v as usize].clone(),
            Value::None => "none".into(),
            Value::Some(inner) => self.value(inner),
            Value::Record(record, fields) => self.record(*record, fields),
            Value::Set(values) if values.is_empty() => "{}".into(),
            Value::Set(values) => format!("{{ {} }}", self.list(values.iter())),
            Value::Array(values) => format!("[{}]", self.list(values.iter())),
        }
    }

    /// The name of a node.
    pub fn node(&self, node: NodeId) -> String {
        self.labels.node(node)
    }

    /// The names of several nodes, such as `nodes 1, 2 and 3`.
    pub fn nodes(&self, nodes: &[NodeId]) -> String {
        let numbers: Option<Vec<String>> = nodes.iter().map(|n| self.number(*n)).collect();
        match numbers {
            Some(numbers) if numbers.len() > 1 => format!("nodes {}", joined_texts(&numbers)),
            _ => {
                let names: Vec<String> = nodes.iter().map(|n| self.node(*n)).collect();
                joined_texts(&names)
            }
        }
    }

    /// The number of a node; `None` if the node has a name of its own.
    pub(crate) fn number(&self, node: NodeId) -> Option<String> {
        Some(self.labels.number(node)?.to_string())
    }

    /// The name of a block in the model.
    pub(crate) fn block(&self, block: BlockId) -> &str {
        let name = &self.machine.blocks[block.index()].name;
        self.labels.block(block).unwrap_or(name)
    }

    /// The names of message types, such as `Election or Elected`.
    pub fn records(&self, records: &[RecordId]) -> String {
        let names: Vec<&str> = records
            .iter()
            .map(|r| &self.machine.records[r.index()].name[..])
            .collect();
        joined(&names, "or")
    }

    /// The excerpt of the model at an origin, if it is known.
    pub fn text(&self, origin: Origin) -> Option<&str> {
        self.labels.origin(origin).map(|label| &label.text[..])
    }

    /// The excerpt of the model at an origin, without parentheses around all of it, if it is known.
    pub fn part(&self, origin: Origin) -> Option<&str> {
        self.labels
            .origin(origin)
            .map(|label| without_parentheses(&label.text))
    }

    /// The values of a type in words, such as `0..3` or `true or false`.
    pub fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "true or false".into(),
            Type::Int(lo, hi) => format!("{lo}..{hi}"),
            Type::Id => "an id".into(),
            Type::Counter(_) => "a counter".into(),
            Type::Node => "a node".into(),
            Type::Enum(e) => {
                let names: Vec<&str> = self.machine.enums[e.index()]
                    .values
                    .iter()
                    .map(|v| &v[..])
                    .collect();
                joined(&names, "or")
            }
            Type::Record(r) => self.machine.records[r.index()].name.clone(),
            Type::OneOf(several) => {
                let records = several.iter().map(|r| &self.machine.records[r.index()]);
                let names: Vec<&str> = records.map(|r| &r.name[..]).collect();
                joined(&names, "or")
            }
            Type::Option(inner) => format!("none or {}", self.ty(inner)),
            Type::Set(inner) => format!("a set of {}", self.ty(inner)),
            Type::Array(_, inner) => format!("a list of {}", self.ty(inner)),
        }
    }

    /// The frozen values, static faults and periods, such as `ids: node 1 #2, node 2 #3`; empty if there are none.
    pub fn frozen(&self, frozen: &Frozen) -> String {
        let columns = self
            .machine
            .frozen_vars
            .iter()
            .zip(&frozen.values)
            .map(|(var, values)| {
                let nodes = self.machine.nodes_of(var.kind);
                let each = nodes
                    .zip(values)
                    .map(|(node, value)| format!("{} {}", self.node(node), self.value(value)));
                let name = if var.ty == machine::Type::Id {
                    "ids"
                } else {
                    &var.name
                };
                format!("{name}: {}", each.collect::<Vec<_>>().join(", "))
            });
        let parts = columns.chain([self.faults(frozen), self.periods(frozen)]);
        let parts = parts.filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("; ")
    }

    /// The static faults of nodes, such as `node 1 off, node 3 deaf`; empty if there are none.
    pub fn faults(&self, frozen: &Frozen) -> String {
        let nodes = self.machine.nodes();
        let faults = nodes.filter_map(|node| {
            let fault = fault_word(frozen.fault(node)?);
            Some(format!("{} {fault}", self.node(node)))
        });
        faults.collect::<Vec<_>>().join(", ")
    }

    /// The periods of nodes, such as `node 1 period 49 ms, node 2 period 51 ms`; empty if there are none.
    pub fn periods(&self, frozen: &Frozen) -> String {
        let times = Times::new(self.labels);
        let nodes = self.machine.nodes();
        let periods = nodes.filter_map(|node| {
            let period = frozen.periods.get(node.index())?.as_ref()?;
            Some(format!("{} period {}", self.node(node), times.text(period)))
        });
        periods.collect::<Vec<_>>().join(", ")
    }

    /// The initial values that the model leaves open, such as `mood: node 1 Happy, node 2 Sad`; empty if there are
    /// none.
    pub fn first_values(&self, initial: &State) -> String {
        let machine = self.machine;
        let open = (0..machine.vars.len()).filter_map(|v| {
            let var = &machine.vars[v];
            if matches!(var.init, Init::Value(..)) {
                return None;
            }
            let place = machine.place_of_var(VarId(v as u32));
            let each = machine.nodes_of(var.kind).map(|node| {
                let value = &initial.nodes[node.index()].vars[place];
                format!("{} {}", self.node(node), self.value(value))
            });
            let each: Vec<String> = each.collect();
            Some(format!("{}: {}", var.name, each.join(", ")))
        });
        open.collect::<Vec<_>>().join("; ")
    }

    fn record(&self, record: RecordId, fields: &[Value]) -> String {
        let definition = &self.machine.records[record.index()];
        match fields {
            [] => definition.name.clone(),
            [one] => format!("{} {}", definition.name, self.value(one)),
            many => {
                let named = definition.fields.iter().zip(many);
                let named = named.map(|((name, _), value)| format!("{name} {}", self.value(value)));
                format!(
                    "{}({})",
                    definition.name,
                    named.collect::<Vec<_>>().join(", ")
                )
            }
        }
    }

    fn list<'v>(&self, values: impl Iterator<Item = &'v Value>) -> String {
        values.map(|v| self.value(v)).collect::<Vec<_>>().join(", ")
    }
}

/// The word for a static fault.
pub(crate) fn fault_word(fault: Fault) -> &'static str {
    match fault {
        Fault::Off => "off",
        Fault::Mute => "mute",
        Fault::Deaf => "deaf",
        Fault::Isolated => "isolated",
    }
}

/// The meaning of a static fault, in a few words.
pub(crate) fn fault_meaning(fault: Fault) -> &'static str {
    match fault {
        Fault::Off => "does nothing at all",
        Fault::Mute => "what it sends has no effect",
        Fault::Deaf => "receives nothing, still sends",
        Fault::Isolated => "neither sends nor receives anything",
    }
}

/// Whether a variable is declared in the model, ghost variables included. No model declares the names of the counts that
/// lowering adds for the claims: `sent(Ask)` is no identifier, and `activations` is reserved.
pub(crate) fn is_declared(var: &Var) -> bool {
    let identifier = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    !var.ghost || (var.name != "activations" && identifier(&var.name))
}

/// The words with commas between them and `last` before the last one: `a, b and c`.
pub(crate) fn joined(words: &[&str], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_string(),
        [start @ .., end] => format!("{} {last} {end}", start.join(", ")),
    }
}

/// The texts with commas between them and `and` before the last one.
fn joined_texts(texts: &[String]) -> String {
    joined(&texts.iter().map(String::as_str).collect::<Vec<_>>(), "and")
}

/// The text without the parentheses that enclose all of it.
fn without_parentheses(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0;
    for c in inner.chars() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return text; // the first parenthesis is closed before the end
        }
    }
    without_parentheses(inner.trim())
}
