//! Vectors as JSON; the schema is `docs/schema/vectors.schema.json`.

use crate::replay::running;
use crate::{End, Fate, Suite, Vector, outcome_text, place_of};
use bits::Branch;
use machine::{BlockId, Event, Machine, Mode, NodeId, State, Value};
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;
use verdict::Labels;

/// Where the vectors come from, for the header of the file.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The file name of the model.
    pub model: String,
    /// The world, if one was chosen.
    pub world: Option<String>,
    /// The chosen variants.
    pub variants: Vec<String>,
    /// The parameters with their values.
    pub parameters: Vec<(String, String)>,
    /// The version of Scrutineer.
    pub tool: String,
}

/// The JSON as formatted text: one line for each field of a vector and one line for each branch.
pub fn text(file: &Json) -> String {
    let mut text = String::from("{\n");
    let none = Map::new();
    let fields = file.as_object().unwrap_or(&none);
    for (i, (name, value)) in fields.iter().enumerate() {
        let _ = write!(text, "  {}: ", json!(name));
        match value {
            Json::Array(items) if items.iter().any(Json::is_object) => {
                text += "[\n";
                for (i, item) in items.iter().enumerate() {
                    text += "    ";
                    one(&mut text, item, name == "vectors");
                    text += if i + 1 < items.len() { ",\n" } else { "\n" };
                }
                text += "  ]";
            }
            other => text += &other.to_string(),
        }
        text += if i + 1 < fields.len() { ",\n" } else { "\n" };
    }
    text += "}\n";
    text
}

fn one(text: &mut String, item: &Json, lines: bool) {
    let (true, Json::Object(fields)) = (lines, item) else {
        *text += &item.to_string();
        return;
    };
    *text += "{";
    for (i, (name, value)) in fields.iter().enumerate() {
        let comma = if i + 1 < fields.len() { "," } else { "" };
        let _ = write!(text, "\n      {}: {value}{comma}", json!(name));
    }
    *text += "\n    }";
}

/// The whole file with vectors and branches.
pub fn json(machine: &Machine, labels: &Labels, suite: &Suite, about: &About) -> Json {
    let to = Data { machine, labels };
    let outcomes = suite.outcomes.iter().enumerate().map(|(i, outcome)| {
        let (status, vector) = match outcome.fate {
            Fate::Covered(place) => ("covered", Some(place + 1)),
            Fate::Unreachable => ("unreachable", None),
            Fate::NotWith(_) | Fate::Open => ("unknown", None),
        };
        json!({
            "number": i + 1,
            "block": to.block(outcome.block),
            "line": place_of(labels, outcome).map(|label| label.line),
            "kind": kind(outcome.branch),
            "text": outcome_text(machine, labels, outcome),
            "status": status,
            "vector": vector,
        })
    });
    let parameters = about.parameters.iter();
    let parameters: Map<String, Json> = parameters.map(|(n, v)| (n.clone(), json!(v))).collect();
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); machine.node_count() as usize];
    for (from, to) in &machine.edges {
        neighbours[from.index()].push(to.0 + 1);
    }
    neighbours
        .iter_mut()
        .for_each(|nodes| nodes.sort_unstable());
    let nodes = machine.nodes().map(|node| {
        json!({
            "node": node.0 + 1,
            "kind": machine.kinds[machine.kind_of(node).index()].name,
            "neighbours": neighbours[node.index()],
        })
    });
    let vectors = suite.vectors.iter().enumerate();
    json!({
        "scrutineer_vectors": 1,
        "tool": about.tool,
        "model": about.model,
        "world": about.world,
        "variants": about.variants,
        "parameters": parameters,
        "kind": machine.kinds[suite.kind.index()].name,
        "starts": "assumed",
        "nodes": nodes.collect::<Vec<_>>(),
        "vectors": vectors.map(|(i, vector)| to.vector(i, vector, suite)).collect::<Vec<_>>(),
        "outcomes": outcomes.collect::<Vec<_>>(),
    })
}

fn kind(branch: Branch) -> &'static str {
    match branch {
        Branch::Guard(_) => "block",
        Branch::If(_) => "if",
        Branch::Loop(_) => "loop",
        Branch::Left(_) | Branch::Right(_) => "condition",
        Branch::Body(_) | Branch::Nothing => "quantifier",
        Branch::Assert(_) => "assert",
        Branch::Error => "error",
        Branch::Changes | Branch::Tie => "value",
    }
}

struct Data<'a> {
    machine: &'a Machine,
    labels: &'a Labels,
}

impl Data<'_> {
    fn block(&self, block: BlockId) -> &str {
        let name = &self.machine.blocks[block.index()].name;
        self.labels.block(block).unwrap_or(name)
    }

    fn vector(&self, place: usize, vector: &Vector, suite: &Suite) -> Json {
        let machine = self.machine;
        let line = self
            .labels
            .origin(machine.blocks[vector.block.index()].origin);
        let outcomes = suite.outcomes.iter().enumerate();
        let covers = outcomes.filter(|(_, outcome)| outcome.fate == Fate::Covered(place));
        let message = vector.edge.map(|edge| {
            let from = machine.edges[edge.index()].0;
            self.message("from", from, &vector.before.edges[edge.index()][0])
        });
        let timer = match &vector.choice.event {
            Event::Expire(node, place, _) => Some(self.timer(*node, *place)),
            _ => None,
        };
        let (after, sent, error) = match &vector.end {
            End::Waits => (Json::Null, Vec::new(), Json::Null),
            End::After(after, sent) => {
                let sent = sent
                    .iter()
                    .map(|(to, message)| self.message("to", *to, message));
                (self.after(vector, after), sent.collect(), Json::Null)
            }
            End::Error(error) => {
                let label = error.origin.and_then(|origin| self.labels.origin(origin));
                let error = json!({
                    "what": machine.show_error(&error.kind),
                    "line": label.map(|label| label.line),
                    "text": label.map(|label| label.text.clone()),
                });
                (Json::Null, Vec::new(), error)
            }
        };
        json!({
            "number": place + 1,
            "node": vector.node.0 + 1,
            "block": self.block(vector.block),
            "line": line.map(|label| label.line),
            "constants": self.constants(vector),
            "before": self.before(vector),
            "message": message,
            "timer": timer,
            "choices": vector.choice.picks.iter().map(|pick| self.value(pick)).collect::<Vec<_>>(),
            "runs": vector.end != End::Waits,
            "after": after,
            "sent": sent,
            "error": error,
            "covers": covers.map(|(i, _)| i + 1).collect::<Vec<_>>(),
        })
    }

    /// The constants of the node of a vector.
    fn constants(&self, vector: &Vector) -> Json {
        let machine = self.machine;
        let kind = machine.kind_of(vector.node);
        let columns = machine.frozen_vars.iter().zip(&vector.frozen.values);
        let own = columns.filter(|(frozen, _)| frozen.kind == kind);
        let place = machine.place_in_kind(vector.node);
        let own = own.map(|(frozen, values)| (frozen.name.clone(), self.value(&values[place])));
        Json::Object(own.collect())
    }

    fn vars(&self, state: &State, node: NodeId) -> Json {
        let vars = self.machine.vars_of(self.machine.kind_of(node));
        let vars = vars.zip(&state.nodes[node.index()].vars);
        let vars = vars.filter(|(var, _)| !var.ghost);
        let vars = vars.map(|(var, value)| (var.name.clone(), self.value(value)));
        Json::Object(vars.collect())
    }

    fn inbox(&self, state: &State, node: NodeId) -> Vec<Json> {
        let inbox = state.nodes[node.index()].inbox.iter();
        let inbox = inbox.map(|(from, message)| self.message("from", *from, message));
        inbox.collect()
    }

    fn before(&self, vector: &Vector) -> Json {
        let own = &vector.before.nodes[vector.node.index()];
        let timers = own.timers.iter().enumerate().map(|(place, set)| {
            let name = self.timer(vector.node, place as u32);
            (name, json!(set))
        });
        json!({
            "vars": self.vars(&vector.before, vector.node),
            "inbox": self.inbox(&vector.before, vector.node),
            "timers": timers.collect::<Map<_, _>>(),
        })
    }

    fn after(&self, vector: &Vector, after: &State) -> Json {
        let own = &after.nodes[vector.node.index()];
        let timers = own.timers.iter().enumerate().map(|(place, set)| {
            let name = self.timer(vector.node, place as u32);
            let clock = after.clock.as_ref();
            let window = clock.and_then(|clock| {
                let window = clock.timers[vector.node.index()][place].clone()?;
                Some((window, clock.now.clone()))
            });
            let said = match window {
                Some((window, now)) if *set && window != running() => {
                    let times = [&window.0 - &now, &window.1 - &now];
                    json!(times.map(|time| self.labels.time(&time)))
                }
                _ => json!(set),
            };
            (name, said)
        });
        json!({
            "vars": self.vars(after, vector.node),
            "inbox": self.inbox(after, vector.node),
            "timers": timers.collect::<Map<_, _>>(),
            "halted": own.mode == Mode::Halted,
        })
    }

    fn timer(&self, node: NodeId, place: u32) -> String {
        let (timer, other) = self.machine.timer_of(node, place);
        let name = &self.machine.timers[timer.index()].name;
        match other {
            Some(other) => format!("{name}[{}]", other.0 + 1),
            None => name.clone(),
        }
    }

    fn message(&self, direction: &str, node: NodeId, message: &Value) -> Json {
        let mut object = Map::new();
        object.insert(direction.into(), json!(node.0 + 1));
        if let Json::Object(said) = self.value(message) {
            object.extend(said);
        }
        Json::Object(object)
    }

    /// A value as JSON. A message has its type as a field; an option is the value or null.
    fn value(&self, value: &Value) -> Json {
        let machine = self.machine;
        match value {
            Value::Bool(b) => json!(b),
            Value::Int(i) => json!(i),
            Value::Id(place) => json!(place),
            Value::Node(node) => json!(node.0 + 1),
            Value::Enum(e, v) => json!(machine.enums[e.index()].values[*v as usize]),
            Value::None => Json::Null,
            Value::Some(inner) => self.value(inner),
            Value::Record(record, fields) => {
                let record = &machine.records[record.index()];
                let names = record.fields.iter().map(|(name, _)| name.clone());
                let fields = fields.iter().map(|field| self.value(field));
                let fields: Map<String, Json> = names.zip(fields).collect();
                match record.message {
                    true => json!({ "type": record.name, "fields": fields }),
                    false => Json::Object(fields),
                }
            }
            Value::Set(values) => Json::Array(values.iter().map(|v| self.value(v)).collect()),
            Value::Array(values) => Json::Array(values.iter().map(|v| self.value(v)).collect()),
        }
    }
}
