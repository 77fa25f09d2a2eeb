//! Exports a run in the Informal Trace Format (ITF) of Apalache.
//!
//! Integers are `{"#bigint": "…"}` and sets are `{"#set": […]}`. Records are objects whose `tag` is their type; options
//! are objects with the tag `None` or `Some`. Nodes, ids and enum values are strings: their names in the model. Ghost
//! variables of the model are variables like others; counts that lowering adds are left out.

use crate::replay::run::ReplayedRun;
use crate::words::names::{Words, is_declared};
use crate::words::timers::timer_name;
use machine::{Mode, State, Value};
use serde_json::{Map, Value as Json, json};
use verdict::Ending;

/// The ITF trace of a run; `title` is its description.
pub fn itf(replay: &ReplayedRun<'_>, title: &str) -> Json {
    let words = replay.words;
    let states = replay.states.iter();
    // All states of a trace must have the same variables: all have `inbox`, or none has.
    let inboxes = states
        .clone()
        .flat_map(|s| &s.nodes)
        .any(|n| !n.inbox.is_empty());
    let states = states.enumerate();
    let states: Vec<Json> = states
        .map(|(i, state)| state_json(words, i, state, inboxes))
        .collect();
    let vars: Vec<String> = match states.first() {
        Some(Json::Object(first)) => first.keys().filter(|k| *k != "#meta").cloned().collect(),
        _ => Vec::new(),
    };
    let mut trace = json!({
        "#meta": { "format": "ITF", "description": title, "source": "scrutineer" },
        "vars": vars,
        "states": states,
    });
    if let Ending::Loops(from) = replay.run.ending {
        // `loop` is the index of the first state of the loop. The last state of the trace repeats that state.
        trace["loop"] = json!(from);
    }
    trace
}

/// One state of the trace; with the variable `inbox` if `inboxes`.
fn state_json(words: Words<'_>, index: usize, state: &State, inboxes: bool) -> Json {
    let machine = words.machine;
    let mut object = Map::new();
    object.insert("#meta".into(), json!({ "index": index }));
    let by_node = |of: &dyn Fn(machine::NodeId) -> Option<Json>| {
        let entries = machine
            .nodes()
            .filter_map(|node| Some(json!([words.node(node), of(node)?])));
        json!({ "#map": entries.collect::<Vec<_>>() })
    };
    let mode = |node: machine::NodeId| {
        Some(json!(match state.nodes[node.index()].mode {
            Mode::Waiting => "waiting",
            Mode::Running => "running",
            Mode::Halted => "halted",
            Mode::Off => "off",
            Mode::Crashed => "crashed",
            Mode::Stopped => "stopped",
        }))
    };
    object.insert("mode".into(), by_node(&mode));
    for (v, var) in machine
        .vars
        .iter()
        .enumerate()
        .filter(|(_, var)| is_declared(var))
    {
        let place = machine.place_of_var(machine::VarId(v as u32));
        let of = |node: machine::NodeId| {
            let own = machine.kind_of(node) == var.kind;
            own.then(|| value(words, &state.nodes[node.index()].vars[place]))
        };
        let name = format!("{}.{}", machine.kinds[var.kind.index()].name, var.name);
        object.insert(name, by_node(&of));
    }
    let outbox = |node: machine::NodeId| {
        let outgoing = state.nodes[node.index()].outbox.iter();
        Some(Json::Array(
            outgoing.map(|o| value(words, &o.message)).collect(),
        ))
    };
    object.insert("outbox".into(), by_node(&outbox));
    if inboxes {
        let inbox = |node: machine::NodeId| {
            let entries = state.nodes[node.index()].inbox.iter();
            let entries = entries.map(
                |(from, message)| json!({ "#tup": [words.node(*from), value(words, message)] }),
            );
            Some(Json::Array(entries.collect()))
        };
        object.insert("inbox".into(), by_node(&inbox));
    }
    if !machine.timers.is_empty() {
        let timers = |node: machine::NodeId| Some(timers(words, state, node));
        object.insert("timers".into(), by_node(&timers));
    }
    if let Some(clock) = &state.clock {
        // Exact rational numbers in the unit of the model.
        object.insert("time".into(), json!(clock.now.to_string()));
        if !clock.sent.is_empty() {
            let edges = machine.edges.iter().zip(&clock.sent);
            let sent = edges.map(|((from, to), times)| {
                let times: Vec<String> = times.iter().map(ToString::to_string).collect();
                json!([{ "#tup": [words.node(*from), words.node(*to)] }, times])
            });
            let sent: Vec<Json> = sent.collect();
            object.insert("sent".into(), json!({ "#map": sent }));
        }
    }
    let channels = machine
        .edges
        .iter()
        .zip(&state.edges)
        .map(|((from, to), messages)| {
            let messages: Vec<Json> = messages.iter().map(|m| value(words, m)).collect();
            json!([{ "#tup": [words.node(*from), words.node(*to)] }, messages])
        });
    object.insert(
        "channel".into(),
        json!({ "#map": channels.collect::<Vec<_>>() }),
    );
    Json::Object(object)
}

/// The set timers of a node. If the state has a clock, each has the earliest and the latest time at which it expires.
fn timers(words: Words<'_>, state: &State, node: machine::NodeId) -> Json {
    let own = &state.nodes[node.index()].timers;
    let set = (0..own.len()).filter(|place| own[*place]);
    let entries = set.map(|place| {
        let clock = state.clock.as_ref();
        let window = clock.and_then(|clock| clock.timers[node.index()][place].as_ref());
        let times = window.map_or(Vec::new(), |(from, to)| {
            vec![from.to_string(), to.to_string()]
        });
        json!([timer_name(words, node, place), { "#tup": times }])
    });
    json!({ "#map": entries.collect::<Vec<_>>() })
}

fn value(words: Words<'_>, v: &Value) -> Json {
    match v {
        Value::Bool(b) => json!(b),
        Value::Int(i) => json!({ "#bigint": i.to_string() }),
        Value::Id(_) | Value::Node(_) | Value::Enum(..) => json!(words.value(v)),
        Value::None => json!({ "tag": "None", "value": {} }),
        Value::Some(inner) => json!({ "tag": "Some", "value": value(words, inner) }),
        Value::Record(record, fields) => {
            let definition = &words.machine.records[record.index()];
            let names = definition.fields.iter().map(|(name, _)| name.clone());
            let mut object: Map<String, Json> =
                names.zip(fields.iter().map(|f| value(words, f))).collect();
            object.insert("tag".into(), json!(definition.name));
            Json::Object(object)
        }
        Value::Set(values) => {
            json!({ "#set": values.iter().map(|v| value(words, v)).collect::<Vec<_>>() })
        }
        Value::Array(values) => Json::Array(values.iter().map(|v| value(words, v)).collect()),
    }
}
