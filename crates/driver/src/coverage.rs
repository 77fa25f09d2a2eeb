//! What a verdict covers, and what it assumes, in words.

use crate::{CheckReport, Loaded};
use machine::{Channel, Effect, Fault, Machine, Order};

/// What instances of a check cover together: `n = 1..6, every order of ids (154 up to rotation)`; only the
/// parameters if the answer did not need a complete look.
pub fn coverage(
    loaded: &Loaded,
    report: &CheckReport,
    instances: &[usize],
    complete: bool,
) -> String {
    let check = &loaded.model.checks[report.number];
    let mut parts = Vec::new();
    if let Some(world) = check.world {
        parts.push(format!("in {}", loaded.model.worlds[world.index()].name));
    }
    if let Some(&first) = instances.first() {
        for (place, (name, _)) in report.instances[first].request.set.iter().enumerate() {
            let values = instances
                .iter()
                .map(|i| &report.instances[*i].request.set[place].1[..]);
            parts.push(format!("{name} = {}", compressed(values)));
        }
        let request = &report.instances[first].request;
        for (param, value) in loaded.model.params.iter().zip(&request.params) {
            if !request.set.iter().any(|(name, _)| *name == param.name) {
                parts.push(format!(
                    "{} = {} (default)",
                    param.name,
                    value.text(&loaded.model)
                ));
            }
        }
        // Where not every instance was looked at, how many were means nothing.
        if complete {
            let machine = &report.instances[first].lowered.machine;
            parts.extend(rigid_words(machine, report, instances));
        }
    }
    parts.join(", ")
}

fn rigid_words(machine: &Machine, report: &CheckReport, instances: &[usize]) -> Vec<String> {
    let mut parts = Vec::new();
    for rigid in &machine.rigids {
        let word = match (&rigid.order, &rigid.ty) {
            (Order::Arrangement, _) => "every order of ids".to_string(),
            (Order::Given(_), machine::Type::Id) => "ids given".to_string(),
            (Order::Given(_), _) => format!("{} given", rigid.name),
            (Order::Every, _) => format!("every {}", rigid.name),
        };
        if !parts.contains(&word) {
            parts.push(word);
        }
    }
    let counts = || {
        instances
            .iter()
            .map(|i| &report.instances[*i].report.counts)
    };
    let choices: u64 = counts().map(|c| c.instances).sum();
    let rotated = counts().any(|c| c.up_to_rotation);
    if let Some(last) = parts.last_mut()
        && rotated
    {
        last.push_str(&format!(" ({choices} up to rotation)"));
    }
    parts
}

/// `1..6` for neighbouring numbers, otherwise a list without repetition.
fn compressed<'v>(values: impl Iterator<Item = &'v str>) -> String {
    let mut all: Vec<&str> = Vec::new();
    for value in values {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    let numbers: Option<Vec<i64>> = all.iter().map(|v| v.parse().ok()).collect();
    match numbers.as_deref() {
        Some([first, .., last]) if all.len() > 1 && last - first + 1 == all.len() as i64 => {
            format!("{first}..{last}")
        }
        _ => all.join(", "),
    }
}

/// What the answers of a check rest on, in words.
pub fn assumptions(loaded: &Loaded, report: &CheckReport) -> String {
    let check = &loaded.model.checks[report.number];
    let mut parts: Vec<String> = Vec::new();
    if let Some(instance) = report.instances.first() {
        let machine = &instance.lowered.machine;
        if !machine.edges.is_empty() {
            parts.push(channel_words(machine));
        }
        parts.push("a block is not interrupted".into());
        parts.push(if check.unfair {
            "nothing about fairness: what stays possible may never happen".into()
        } else {
            "whatever stays possible happens some day".into()
        });
        parts.push(node_words(machine));
    }
    if let Some(assuming) = &check.assuming {
        let text = loaded.sources.slice(assuming.span);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        parts.push(format!("at first {text}"));
    }
    parts.join("; ")
}

/// What may be wrong with nodes.
fn node_words(machine: &Machine) -> String {
    if machine.node_faults.is_empty() {
        return "no node fails".into();
    }
    let items = machine.node_faults.iter().map(|item| {
        let nodes = item.of.map_or("nodes".into(), |k| {
            format!("nodes of {}", machine.kinds[k.index()].name)
        });
        let words: Vec<&str> = item.faults.iter().map(|f| fault_word(*f)).collect();
        let words = words.join(" or ");
        match item.limit {
            Some(limit) => format!("at most {limit} {nodes} are {words} from the start"),
            None => format!("any {nodes} may be {words} from the start"),
        }
    });
    let mut all: Vec<String> = items.collect();
    all.push("no node fails later".into());
    all.join(", ")
}

fn fault_word(fault: Fault) -> &'static str {
    match fault {
        Fault::Off => "off",
        Fault::Mute => "mute",
        Fault::Deaf => "deaf",
        Fault::Isolated => "isolated",
    }
}

fn channel_words(machine: &Machine) -> String {
    let mut faults = Vec::new();
    for fault in &machine.faults {
        let what = match fault.effect {
            Effect::Lose => "lost",
            Effect::Repeat => "repeated",
        };
        let of = fault.of.map_or("messages".into(), |r| {
            format!("{} messages", machine.records[r.index()].name)
        });
        faults.push(match fault.limit {
            Some(limit) => format!("at most {limit} {of} are {what}"),
            None => format!("any {of} may be {what}"),
        });
    }
    let loses = machine.faults.iter().any(|f| f.effect == Effect::Lose);
    let order = match (machine.channel, loses) {
        (Channel::Fifo(_), false) => "nothing is lost or reordered",
        (Channel::Fifo(_), true) => "nothing is reordered",
        (Channel::Unordered, false) => "nothing is lost, but messages may overtake each other",
        (Channel::Unordered, true) => "messages may overtake each other",
        (Channel::Instant, _) => "messages arrive at once",
    };
    faults.insert(0, order.into());
    faults.join(", ")
}
