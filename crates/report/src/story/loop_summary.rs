//! The loop summary of a lasso: what each node does in the loop, and which values of the claim never change there.
//!
//! It has two sentences that are readable without the story. The first says which events repeat: the messages sent in
//! the loop and the variables of the claim that change in it. The second says why the claim stays violated: the facts
//! that hold in all states of the loop.

use crate::events::action::Action;
use crate::replay::claims::{Reads, reads_at, vars_of_claim};
use crate::replay::run::ReplayedRun;
use crate::words::names::{Words, fault_meaning, fault_word, is_declared, joined};
use machine::{Event, NodeId, RecordId, Value};
use std::collections::BTreeSet;
use verdict::Fact;

/// The mark of the loop in stories and charts.
pub(crate) const REPEATS: &str = "repeats for ever";
/// The largest number of messages or blocks that are listed for one node, and of lines about blocks that never run.
const MOST_LISTED: usize = 3;
/// The largest number of groups of nodes that are listed, and of changing variables. If there are more, none is listed.
const MOST_GROUPS: usize = 4;
/// The largest width of a summary in one line, in characters. A wider one has a line for each part.
const WIDE: usize = 110;

/// The mark of the loop, with the duration of an iteration if the run has times: `repeats for ever, every 100 ms`.
pub(crate) fn repeats_every(replay: &ReplayedRun<'_>) -> String {
    match iteration_time(replay) {
        Some(time) => format!("{REPEATS}, every {time}"),
        None => REPEATS.into(),
    }
}

/// Whether only time passes in the loop.
fn only_waits(replay: &ReplayedRun<'_>) -> bool {
    let from = replay.loop_start();
    from.is_some_and(|from| {
        let mut choices = replay.run.choices[from..].iter();
        choices.all(|choice| choice.event == Event::Wait)
    })
}

/// The line of the story above the first event of the loop.
pub(crate) fn loop_mark(replay: &ReplayedRun<'_>) -> String {
    if only_waits(replay) {
        return "from here on only time passes, for ever:".into();
    }
    format!("from here on this {}:", repeats_every(replay))
}

/// The duration of one iteration; `None` without a loop or without times.
fn iteration_time(replay: &ReplayedRun<'_>) -> Option<String> {
    let begins = replay.states[replay.loop_start()?].clock.as_ref()?;
    let ends = replay.states.last()?.clock.as_ref()?;
    let takes = &ends.now - &begins.now;
    replay.is_timed().then(|| replay.times().text(&takes))
}

/// The beginning of the summary: the number of events that repeat, and in a run with times from when on and how often.
fn repetition(replay: &ReplayedRun<'_>) -> Option<String> {
    let from = replay.loop_start()?;
    let (events, repeat) = match replay.run.choices.len() - from {
        1 => ("the last event".to_string(), "repeats"),
        many => (format!("the last {many} events"), "repeat"),
    };
    Some(match iteration_time(replay) {
        Some(time) => {
            let begins = replay.times().text(&replay.time(from));
            format!("from {begins} on {events} {repeat} every {time} for ever")
        }
        None => format!("{events} {repeat} for ever"),
    })
}

/// The first sentence: `the last 3 events repeat for ever: nodes 1, 2 and 3 each send Election #3`. Empty without a
/// loop.
pub(crate) fn loop_summary(replay: &ReplayedRun<'_>) -> Vec<String> {
    let Some(repetition) = repetition(replay).filter(|_| !only_waits(replay)) else {
        return Vec::new();
    };
    let parts = [
        activities(replay),
        changing_values(replay),
        missed_blocks(replay),
    ]
    .concat();
    let together = format!("{repetition}: {}", parts.join("; "));
    if parts.is_empty() {
        vec![repetition]
    } else if together.chars().count() <= WIDE {
        vec![together]
    } else {
        let below = parts.iter().map(|part| format!("  {part}"));
        [format!("{repetition}:")]
            .into_iter()
            .chain(below)
            .collect()
    }
}

/// The second sentence, why the claim stays violated: `node 1's proposal stays { node 2 } and never becomes { node 1
/// }`.
pub(crate) fn unchanging(replay: &ReplayedRun<'_>) -> Option<String> {
    let explanation = replay
        .explanation
        .filter(|_| replay.loop_start().is_some())?;
    let again = replay.is_false_again();
    let mut facts: Vec<String> = Vec::new();
    for fact in explanation.why.facts.iter().filter(|fact| fact.stays) {
        // Conditions that the explanation already names as never true, overdue responses, and facts that read no part
        // of the state are left out.
        let known = !again && matches!(fact.value, Value::Bool(_)) || replay.words.is_overdue(fact);
        let reads = reads_at(replay.words.machine, fact.origin);
        if !known && !fact.or_more && !matches!(reads, Reads::Nothing) {
            facts.extend(stays(replay, fact));
        }
    }
    let facts = joined(&facts.iter().map(|s| &s[..]).collect::<Vec<_>>(), "and");
    let helps = "no number of activations helps";
    match (facts.is_empty(), again && explanation.every_bound) {
        (false, true) => Some(format!("{facts}: {helps}")),
        (false, false) => Some(facts),
        (true, true) => Some(format!("as it is false again in every round, {helps}")),
        (true, false) => None,
    }
}

/// The text of a fact that holds in all states of the loop; `None` if the place of the fact in the model is unknown.
fn stays(replay: &ReplayedRun<'_>, fact: &Fact) -> Option<String> {
    let words = replay.words;
    let text = words.text(fact.origin)?;
    // The text is an excerpt of the model. With the binding k = node 1, `k.role` becomes `node 1's role`.
    let bindings = replay.explanation.iter().flat_map(|e| &e.why.bindings);
    let mut owned = bindings.chain(&fact.given).filter_map(|(name, value)| {
        let rest = text.strip_prefix(name.as_str())?.strip_prefix('.')?;
        Some((words.value(value), rest))
    });
    let owned = owned.next_back(); // the innermost binding
    let what = match (owned, &fact.of) {
        (Some((node, rest)), _) => format!("{node}'s {rest}"),
        (None, Some(node)) => format!("{text} ({})", words.value(node)),
        (None, None) => text.to_string(),
    };
    let value = words.value(&fact.value);
    Some(match &fact.wanted {
        Some(wanted) if *wanted != fact.value => format!(
            "{what} stays {value} and never becomes {}",
            words.value(wanted)
        ),
        _ => format!("{what} stays {value}"),
    })
}

/// The blocks that are enabled in some state of the loop and never run in it: `Worker could do work after event 2, but
/// not after event 4`. Empty if there are more than `MOST_LISTED`.
fn missed_blocks(replay: &ReplayedRun<'_>) -> Vec<String> {
    let (Some(from), words) = (replay.loop_start(), replay.words) else {
        return Vec::new();
    };
    if replay.has_activations() {
        return Vec::new(); // every node is activated again in the loop
    }
    let done: Vec<_> = replay.run.choices[from..]
        .iter()
        .map(|c| &c.event)
        .collect();
    let moments = from + 1..replay.states.len();
    let enabled = |at: usize| replay.instance().events(&replay.states[at]);
    let mut missed: Vec<(NodeId, machine::BlockId)> = Vec::new();
    for event in moments.clone().flat_map(enabled) {
        if let Event::Run(node, block) = event
            && !done.contains(&&event)
            && !missed.contains(&(node, block))
        {
            missed.push((node, block));
        }
    }
    let lines = missed.iter().map(|(node, block)| {
        let is_enabled = |at: &usize| enabled(*at).contains(&Event::Run(*node, *block));
        let node = words.node(*node);
        let name = words.block(*block);
        let first = moments.clone().find(is_enabled).unwrap_or(moments.start);
        let mut later = (first..moments.end).chain(moments.start..first);
        match later.find(|at| !is_enabled(at)) {
            Some(not) => {
                format!("{node} could do {name} after event {first}, but not after event {not}")
            }
            None => format!("{node} could do {name} all the time, and never does"),
        }
    });
    let lines: Vec<String> = lines.collect();
    if lines.len() > MOST_LISTED {
        Vec::new()
    } else {
        lines
    }
}

/// What a node does in the loop.
#[derive(PartialEq)]
enum Activity {
    /// It sends these messages, each listed once.
    Sends(Vec<Value>),
    /// It sends more than `MOST_LISTED` different messages: their number and types.
    SendsMany(usize, Vec<RecordId>),
    /// It sends nothing and runs these blocks.
    Runs(Vec<Code>),
}

/// A block that a node runs in the loop.
#[derive(PartialEq)]
enum Code {
    Start,
    /// An `every` block whose activations are not counted.
    Period,
    /// An `every` block whose activations are counted.
    Activation,
    /// A `when` block, with its name in the model.
    Block(String),
}

impl Code {
    /// The verb in the singular, the verb in the plural, and the rest of the text.
    fn verb(&self) -> (&'static str, &'static str, String) {
        match self {
            Code::Start => ("starts", "start", String::new()),
            Code::Period => ("wakes", "wake", " up".into()),
            Code::Activation => ("is", "are", " activated".into()),
            Code::Block(name) => ("does", "do", format!(" {name}")),
        }
    }
}

impl Activity {
    /// The text that follows the name of one node, or of several nodes.
    fn text(&self, words: Words<'_>, several: bool) -> String {
        let send = if several { "send" } else { "sends" };
        match self {
            Activity::Sends(messages) => {
                let texts: Vec<String> = messages.iter().map(|m| words.value(m)).collect();
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                format!("{send} {}", joined(&texts, "and"))
            }
            Activity::SendsMany(count, types) => {
                format!(
                    "{send} {count} different messages ({})",
                    words.records(types)
                )
            }
            Activity::Runs(codes) => {
                let codes = codes.iter().enumerate();
                let texts: Vec<String> = codes
                    .map(|(i, code)| match (code.verb(), several && i == 0) {
                        ((_, plural, rest), true) => format!("{plural}{rest}"),
                        ((singular, _, rest), false) => format!("{singular}{rest}"),
                    })
                    .collect();
                joined(&texts.iter().map(String::as_str).collect::<Vec<_>>(), "and")
            }
        }
    }
}

/// Nodes with the same activity in the loop.
struct Group {
    activity: Activity,
    /// The receivers of the messages; empty if the group has several nodes.
    receivers: Vec<NodeId>,
    nodes: Vec<NodeId>,
}

/// One text for each group of nodes with the same activity. A node with a static fault is a group of its own. Empty if
/// there are more than `MOST_GROUPS` groups.
fn activities(replay: &ReplayedRun<'_>) -> Vec<String> {
    let words = replay.words;
    let Some(from) = replay.loop_start() else {
        return Vec::new();
    };
    let mut groups: Vec<Group> = Vec::new();
    let is_faulty = |node: NodeId| replay.run.frozen.fault(node).is_some();
    // Nodes with static faults come first: their faults explain the activities of the others.
    let (faulty, others): (Vec<NodeId>, Vec<NodeId>) =
        words.machine.nodes().partition(|node| is_faulty(*node));
    for node in faulty.into_iter().chain(others) {
        let Some((activity, receivers)) = activity(replay, node, from) else {
            continue;
        };
        let same = groups.iter_mut().find(|group| {
            !is_faulty(node) && group.activity == activity && !is_faulty(group.nodes[0])
        });
        match same {
            Some(group) => {
                group.nodes.push(node);
                group.receivers.clear();
            }
            None => groups.push(Group {
                activity,
                receivers,
                nodes: vec![node],
            }),
        }
    }
    if groups.len() > MOST_GROUPS {
        return Vec::new();
    }
    let lines = groups.iter().map(|group| match &group.nodes[..] {
        [node] => {
            let to = match &group.receivers[..] {
                [] => String::new(),
                some => format!(" to {}", words.nodes(some)),
            };
            let activity = group.activity.text(words, false);
            format!("{} {activity}{to}", with_fault(replay, *node))
        }
        many => {
            let activity = group.activity.text(words, true);
            format!("{} each {activity}", words.nodes(many))
        }
    });
    lines.collect()
}

/// The activity of a node in the loop, which begins with event `from`, and the receivers of its messages. `None` if the
/// node sends nothing to other nodes and runs no block or more than `MOST_LISTED` blocks.
fn activity(
    replay: &ReplayedRun<'_>,
    node: NodeId,
    from: usize,
) -> Option<(Activity, Vec<NodeId>)> {
    let words = replay.words;
    let mut messages: Vec<&Value> = Vec::new();
    let mut receivers: BTreeSet<NodeId> = BTreeSet::new();
    let steps = replay.steps()[from..].iter();
    for sent in steps.flat_map(|step| &step.effects.sent) {
        let (sender, to) = words.machine.edges[sent.edge.index()];
        if sender == node && to != node {
            receivers.insert(to);
            if !messages.contains(&&sent.message) {
                messages.push(&sent.message);
            }
        }
    }
    if !messages.is_empty() {
        return Some((sending(&messages), receivers.into_iter().collect()));
    }
    let own = replay.lines()[from..].iter();
    let own = own.zip(&replay.run.choices[from..]);
    let own = own
        .filter(|(line, choice)| line.node == Some(node) && matches!(choice.event, Event::Run(..)));
    let mut codes: Vec<Code> = Vec::new();
    for (line, _) in own {
        let code = match &line.action {
            Action::Starts => Code::Start,
            Action::Activation(_) => Code::Activation,
            Action::Does(name) => Code::Block(name.clone()),
            _ => Code::Period,
        };
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    (1..=MOST_LISTED)
        .contains(&codes.len())
        .then(|| (Activity::Runs(codes), Vec::new()))
}

/// The activity of sending these messages.
fn sending(messages: &[&Value]) -> Activity {
    if messages.len() <= MOST_LISTED {
        return Activity::Sends(messages.iter().map(|m| (*m).clone()).collect());
    }
    let types: BTreeSet<_> = messages.iter().map(|m| m.record()).collect();
    Activity::SendsMany(messages.len(), types.into_iter().collect())
}

/// The name of a node with its static fault, if it has one: `node 2 (deaf: receives nothing, still sends)`.
fn with_fault(replay: &ReplayedRun<'_>, node: NodeId) -> String {
    let name = replay.words.node(node);
    match replay.run.frozen.fault(node) {
        Some(fault) => format!("{name} ({}: {})", fault_word(fault), fault_meaning(fault)),
        None => name,
    }
}

/// The variables of the claim that change in an iteration: `node 1's role goes Leader → Follower → Leader`. Variables
/// with more than `MOST_LISTED + 1` successive values are left out.
fn changing_values(replay: &ReplayedRun<'_>) -> Vec<String> {
    let (Some(from), words) = (replay.loop_start(), replay.words) else {
        return Vec::new();
    };
    let machine = words.machine;
    let part = replay.explanation.and_then(|e| e.why.part);
    let about = part.map_or(Vec::new(), |part| vars_of_claim(machine, part));
    let mut lines = Vec::new();
    for node in machine.nodes() {
        let kind = machine.kind_of(node);
        for (v, var) in machine.vars.iter().enumerate() {
            let var_id = machine::VarId(v as u32);
            if var.kind != kind || !is_declared(var) || !about.contains(&var_id) {
                continue;
            }
            let place = machine.place_of_var(var_id);
            let values = replay.states[from..].iter();
            let values = values.map(|s| &s.nodes[node.index()].vars[place]);
            let mut values: Vec<&Value> = values.collect();
            values.dedup();
            if (2..=MOST_LISTED + 1).contains(&values.len()) {
                let values: Vec<String> = values.iter().map(|value| words.value(value)).collect();
                let (node, name) = (words.node(node), &var.name);
                lines.push(format!("{node}'s {name} goes {}", values.join(" → ")));
            }
        }
    }
    if lines.len() > MOST_GROUPS {
        Vec::new()
    } else {
        lines
    }
}
