//! The coverage and the assumptions of an answer, as text.

use crate::call::load::Loaded;
use crate::check::CheckReport;
use crate::check::families::conditions;
use crate::report::cover::{combinations, compressed};
use machine::{
    Channel, Delay, Effect, Fault, Machine, OpenLimit, OpenMachine, Order, RuntimeFault,
};
use model::{ParamId, Setting, SettingKind};
use verdict::Answer;

/// The coverage of the answers of some instances of a check to a question, such as `n = 1..6, every order of ids (154
/// up to rotation)`. If `complete` is false, the answer did not need a complete search, and the text does not count
/// graphs or frozen choices.
pub fn coverage(
    loaded: &Loaded,
    report: &CheckReport,
    instances: &[usize],
    asked: usize,
    complete: bool,
) -> String {
    let check = &loaded.model.checks[report.number];
    let instances = &answering(report, instances, asked)[..];
    let mut parts = Vec::new();
    if let Some(world) = check.world {
        parts.push(format!("in {}", loaded.model.worlds[world.index()].name));
    }
    let mut separator = ", ";
    if let Some(&first) = instances.first() {
        let request = &report.instances[first].request;
        let set = |i: &usize| &report.instances[*i].request.set;
        let names: Vec<&str> = request.set.iter().map(|(name, _)| &name[..]).collect();
        let rows: Vec<Vec<&str>> = instances
            .iter()
            .map(|i| set(i).iter().map(|(_, value)| &value[..]).collect())
            .collect();
        let combined = combinations(&names, &rows);
        if combined.len() > 1 {
            separator = "; ";
        }
        parts.extend(combined.into_iter().filter(|text| !text.is_empty()));
        let mut defaults = Vec::new();
        for (p, param) in loaded.model.params.iter().enumerate() {
            let sought = check.question.seeks() == Some(ParamId(p as u32));
            if !names.contains(&&param.name[..]) && !sought {
                let value = &request.params[p];
                let same = |i: &usize| report.instances[*i].request.params[p] == *value;
                let value = match instances.iter().all(same) {
                    true => value.text(&loaded.model),
                    // The value depends on other parameters, so its expression is shown.
                    false => loaded.sources.slice(param.value.span).to_string(),
                };
                defaults.push(format!("{} = {value}", param.name));
            }
        }
        parts.extend(Some(with_defaults(&defaults)).filter(|text| !text.is_empty()));
        parts.extend(graph_words(loaded, report, instances, complete));
        // The number of frozen choices is meaningful only if all of them were searched.
        if complete {
            let machines = instances
                .iter()
                .map(|i| &report.instances[*i].lowered.machine);
            // A stranger is an id that no node has. The text for the Machine with the most strangers also covers the
            // others.
            let strangers = |m: &&Machine| m.ids.saturating_sub(m.node_count());
            let machine = machines.rev().max_by_key(strangers);
            let machine = machine.unwrap_or(&report.instances[first].lowered.machine);
            let given = |s: &Setting| matches!(s.kind, SettingKind::Ids(_));
            let given = check.settings.iter().any(given);
            parts.extend(frozen_words(machine, given, report, instances));
        }
    }
    parts.join(separator)
}

/// The instances, among the given ones, that the answer to a question is about. In a family for every size this is the
/// instance for every size, or the size whose run decides the question.
fn answering(report: &CheckReport, instances: &[usize], asked: usize) -> Vec<usize> {
    let is_open = |i: &usize| !report.instances[*i].request.every.is_empty();
    let mut found = Vec::new();
    for family in report.families() {
        let mut members = family.iter().copied().filter(|i| instances.contains(i));
        match family.iter().find(|i| is_open(i)) {
            None => found.extend(members),
            Some(_) if members.next().is_none() => {}
            Some(open) => {
                let deciding = report.deciding(&family, asked);
                let answer = &report.instances[deciding].report.results[asked].answer;
                let by_run = matches!(
                    answer,
                    Answer::Fails(_) | Answer::Possible(_) | Answer::Error(_)
                );
                found.push(if by_run { deciding } else { *open });
            }
        }
    }
    found
}

/// The text of parameters with their declared values. It says once that these are the defaults: `n = 3 (default)`, `n =
/// 3, m = 4 (defaults)`.
pub fn with_defaults(values: &[String]) -> String {
    match values {
        [] => String::new(),
        [one] => format!("{one} (default)"),
        several => format!("{} (defaults)", several.join(", ")),
    }
}

/// The text about the graphs of the network. `None` if the instances have no graph, or if the graphs were enumerated
/// and the search was incomplete.
fn graph_words(
    loaded: &Loaded,
    report: &CheckReport,
    instances: &[usize],
    complete: bool,
) -> Option<String> {
    let requests = || instances.iter().map(|i| &report.instances[*i].request);
    if requests().any(|request| request.every_graph) {
        return Some("every graph".into());
    }
    let mut seen: Option<&lower::Request> = None;
    let mut graphs = 0;
    for request in requests() {
        if !seen.is_some_and(|before| request.is_family_of(before)) {
            graphs += request.graph.as_ref()?.of;
        }
        seen = Some(request);
    }
    Some(match graphs {
        // After an incomplete search, the shown run names its graph.
        _ if !complete => return None,
        _ if !conditions(loaded, report.number).is_empty() => match graphs {
            1 => "the only graph that `where` leaves".into(),
            _ => format!("every graph that `where` leaves ({graphs})"),
        },
        1 => "the only connected graph".into(),
        _ if requests().any(|request| request.numbered) => {
            format!("every connected graph ({graphs} by the numbers of their nodes)")
        }
        2 => "both connected graphs".into(),
        _ => format!("every connected graph ({graphs} up to isomorphism)"),
    })
}

/// The texts about the values of frozen variables.
fn frozen_words(
    machine: &Machine,
    given: bool,
    report: &CheckReport,
    instances: &[usize],
) -> Vec<String> {
    let mut parts = Vec::new();
    for frozen in &machine.frozen_vars {
        let word = match (&frozen.order, &frozen.ty) {
            (Order::Arrangement, _) if given && machine.ids > machine.node_count() => {
                "ids in the order given, strangers' anywhere among them".to_string()
            }
            (Order::Arrangement, _) if machine.ids > machine.node_count() => {
                "every order of ids, strangers' among them".to_string()
            }
            (Order::Arrangement, _) => "every order of ids".to_string(),
            (Order::Given(_), machine::Type::Id) => "ids given".to_string(),
            (Order::Given(_), _) => format!("{} given", frozen.name),
            (Order::Every, _) => format!("every {}", frozen.name),
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
        && instances
            .iter()
            .all(|i| report.instances[*i].request.graph.is_none())
    {
        last.push_str(&format!(" ({choices} up to rotation)"));
    }
    parts
}

/// The assumptions of the answers of a check, as text.
pub fn assumptions(loaded: &Loaded, report: &CheckReport) -> String {
    let check = &loaded.model.checks[report.number];
    let mut parts: Vec<String> = Vec::new();
    let machines = report.instances.iter().map(|i| &i.lowered.machine);
    let machines: Vec<&Machine> = machines.collect();
    let connected = machines.iter().filter(|m| !m.edges.is_empty());
    let connected: Vec<&Machine> = connected.copied().collect();
    if !report.instances.is_empty() {
        if let Some(machine) = connected.first() {
            parts.push(channel_words(machine, &connected));
        }
        parts.push("a block is not interrupted".into());
        parts.push(if check.unfair {
            "nothing about fairness: what stays possible may never happen".into()
        } else {
            "whatever stays possible happens some day".into()
        });
        let every = report.instances.iter().find_map(|i| i.every.as_ref());
        let open =
            every.and_then(|request| lower::open(&loaded.model, &loaded.sources, request).ok());
        let open = open.as_ref().map(|open| &open.machine);
        parts.push(node_words(machines[0], &machines, open));
    }
    if let Some(assuming) = &check.assuming {
        let text = loaded.sources.slice(assuming.span);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        parts.push(format!("at first {text}"));
    }
    parts.join("; ")
}

/// The text about the faults of nodes of the first Machine, with the limits of all Machines, or with those of the open
/// Machine.
fn node_words(machine: &Machine, all: &[&Machine], open: Option<&OpenMachine>) -> String {
    if machine.node_faults.is_empty() && machine.runtime_faults.is_empty() {
        return "no node fails".into();
    }
    let items = machine.node_faults.iter().enumerate().map(|(f, item)| {
        let limits = all.iter().filter_map(|m| m.node_faults.get(f)?.limit);
        let of_size = open.and_then(|open| limit_words(open, open.limits.get(f)?));
        let limit = of_size.unwrap_or_else(|| numbers(limits));
        let one = limit == "1";
        let nodes = if one { "node" } else { "nodes" };
        let nodes = item.of.map_or(nodes.to_string(), |k| {
            format!("{nodes} of {}", machine.kinds[k.index()].name)
        });
        let are = if one { "is" } else { "are" };
        let words: Vec<&str> = item.faults.iter().map(|f| fault_word(*f)).collect();
        let words = words.join(" or ");
        match item.limit {
            Some(_) if limit == "0" => {
                format!("no {} is {words}", nodes.replacen("nodes", "node", 1))
            }
            Some(_) => format!("at most {limit} {nodes} {are} {words} from the start"),
            None => format!("any {nodes} may be {words} from the start"),
        }
    });
    let mut words: Vec<String> = items.collect();
    if machine.runtime_faults.is_empty() {
        words.push("no node fails later".into());
    }
    for (i, item) in machine.runtime_faults.iter().enumerate() {
        let of_size = open.and_then(|open| limit_words(open, open.runtime_limits.get(i)?));
        let limits = all.iter().filter_map(|m| m.runtime_faults.get(i)?.limit);
        let limit = of_size.unwrap_or_else(|| numbers(limits));
        words.push(runtime_fault_words(machine, item, &limit));
    }
    words.join(", ")
}

/// The text of a limit that depends on the size, such as `p - 1`.
fn limit_words(open: &OpenMachine, limit: &OpenLimit) -> Option<String> {
    match limit {
        OpenLimit::Fixed(_) => None,
        OpenLimit::AllBut(0) => Some(open.size.name.clone()),
        OpenLimit::AllBut(spared) => Some(format!("{} - {spared}", open.size.name)),
    }
}

/// The text about one runtime fault. `limit` is the text of its limits in all instances.
fn runtime_fault_words(machine: &Machine, item: &RuntimeFault, limit: &str) -> String {
    let mut what = Vec::new();
    what.extend(item.crash.map(|crash| match crash.during_broadcast {
        true => "crash at any time, also in the middle of what it sends".to_string(),
        false => "crash at any time".into(),
    }));
    what.extend(item.stop.as_ref().map(|restart| {
        let how = if restart.fresh { "afresh" } else { "as it was" };
        match &restart.within {
            Some(_) => format!("stop at any time and begin again {how} in time"),
            None => format!("stop at any time and begin again {how}, or never"),
        }
    }));
    let what = what.join(", or ");
    let of = item.of.map_or(String::new(), |k| {
        format!(" of {}", machine.kinds[k.index()].name)
    });
    match (item.limit, limit) {
        (None, _) => format!("any node{of} may {what}"),
        (_, "0") => format!("no node{of} may {what}"),
        (_, "1") => format!("one node{of} may {what}"),
        (_, limit) => format!("at most {limit} nodes{of} may each {what}"),
    }
}

fn fault_word(fault: Fault) -> &'static str {
    match fault {
        Fault::Off => "off",
        Fault::Mute => "mute",
        Fault::Deaf => "deaf",
        Fault::Isolated => "isolated",
    }
}

/// The text about the channels of the first Machine, with the limits of all Machines.
fn channel_words(machine: &Machine, all: &[&Machine]) -> String {
    let mut faults = Vec::new();
    for (f, fault) in machine.faults.iter().enumerate() {
        let what = match fault.effect {
            Effect::Lose => "lost",
            Effect::Repeat => "repeated",
        };
        let of = fault.of.map_or(String::new(), |r| {
            format!("{} ", machine.records[r.index()].name)
        });
        let limits = all.iter().filter_map(|m| m.faults.get(f)?.limit);
        faults.push(match (numbers(limits), fault.limit) {
            (limit, Some(_)) if limit == "1" => format!("at most 1 {of}message is {what}"),
            (limit, Some(_)) => format!("at most {limit} {of}messages are {what}"),
            (_, None) => format!("any {of}messages may be {what}"),
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
    match machine.delay {
        Delay::Within(..) => faults.push("every message arrives in its time".into()),
        Delay::BeforeNext => {
            faults.push("a message arrives before the next activation of its sender".into());
        }
        Delay::Any => {}
    }
    let room = numbers(all.iter().filter_map(|m| match m.channel {
        Channel::Fifo(Some(room)) => Some(room),
        _ => None,
    }));
    match &room[..] {
        "" => {}
        "1" => faults.push("a sender waits while its channel is full (1 message)".into()),
        _ => faults.push(format!(
            "a sender waits while its channel is full ({room} messages)"
        )),
    }
    faults.join(", ")
}

/// The text of the numbers of several instances, such as `1` or `0..2`; empty if there are none.
fn numbers(all: impl Iterator<Item = impl Into<u64>>) -> String {
    let mut all: Vec<u64> = all.map(Into::into).collect();
    all.sort_unstable();
    all.dedup();
    let texts: Vec<String> = all.iter().map(u64::to_string).collect();
    compressed(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}
