//! What repeats for ever at the end of a run: who says and does what in every round, and what stays as it is.
//!
//! Two sentences can stand alone, without the story: what repeats, and why that never helps. Both are read off
//! the loop: the messages in it, the values that change in it and that the claim is about, and the facts that
//! are the same at all of its moments.

use crate::replay::cause::whole;
use crate::replay::slice::{Looks, looks_at};
use crate::story::event::Line;
use crate::story::untimed::event_lines;
use crate::words::names::{fault_meaning, fault_word, joined};
use crate::{Telling, Words};
use machine::{Event, NodeId, Value};
use std::collections::BTreeSet;
use verdict::{Ending, Fact, PartVerdict};

/// What a loop does.
pub(crate) const AGAIN: &str = "repeats for ever";
/// So many messages of a node are told with what they say, and so many values of a variable one after the other.
const FEW: usize = 3;
/// So many groups of nodes are told one by one.
const FEW_GROUPS: usize = 4;
/// Sentences that are longer stand on several lines.
const WIDE: usize = 110;

impl Telling<'_> {
    /// The first event of the loop.
    pub(crate) fn loops(&self) -> Option<usize> {
        match self.run.ending {
            Ending::Loops(from) if from < self.run.choices.len() => Some(from),
            _ => None,
        }
    }

    /// The claim is false at a moment of the loop, and so again in every round.
    pub(crate) fn is_false_again(&self) -> bool {
        let verdict = self.explanation.map(|e| e.verdict);
        match (self.loops(), verdict, self.error) {
            (Some(from), Some(PartVerdict::FalseAfter(after)), None) => after > from,
            _ => false,
        }
    }

    /// The claim is false at every moment of the loop, always for the same reason.
    pub(crate) fn is_false_throughout(&self) -> bool {
        let facts = self.explanation.map_or(&[][..], |e| &e.why.facts);
        self.is_false_again() && !facts.is_empty() && facts.iter().all(|fact| fact.stays)
    }

    /// How long a round takes, where there are times.
    pub(crate) fn round(&self) -> Option<String> {
        let begins = self.states[self.loops()?].clock.as_ref()?;
        let ends = self.states.last()?.clock.as_ref()?;
        let takes = &ends.now - &begins.now;
        self.is_timed().then(|| self.times().text(&takes))
    }
}

/// What is said of the events of the loop where one sees them: `repeats for ever, every 100 ms`.
pub(crate) fn again(telling: &Telling<'_>) -> String {
    match telling.round() {
        Some(time) => format!("{AGAIN}, every {time}"),
        None => AGAIN.into(),
    }
}

/// What stands above the events of the loop.
pub(crate) fn mark(telling: &Telling<'_>) -> String {
    format!("from here on this {}:", again(telling))
}

/// That events repeat, how often, and from when on.
pub(crate) fn repeats(telling: &Telling<'_>) -> Option<String> {
    let from = telling.loops()?;
    let (events, repeat) = match telling.run.choices.len() - from {
        1 => ("the last event".to_string(), "repeats"),
        many => (format!("the last {many} events"), "repeat"),
    };
    Some(match telling.round() {
        Some(time) => {
            let begins = telling.times().text(&telling.time(from));
            format!("from {begins} on {events} {repeat} every {time} for ever")
        }
        None => format!("{events} {repeat} for ever"),
    })
}

/// What repeats: `the last 3 events repeat for ever: nodes 1, 2 and 3 each send Election #3`; what is long is
/// put below.
pub(crate) fn refrain(telling: &Telling<'_>) -> Vec<String> {
    let Some(repeats) = repeats(telling) else {
        return Vec::new();
    };
    let parts = [doings(telling), changing(telling), not_done(telling)].concat();
    let together = format!("{repeats}: {}", parts.join("; "));
    if parts.is_empty() {
        vec![repeats]
    } else if together.chars().count() <= WIDE {
        vec![together]
    } else {
        let below = parts.iter().map(|part| format!("  {part}"));
        [format!("{repeats}:")].into_iter().chain(below).collect()
    }
}

/// Why that never helps: `node 1's proposal stays { node 2 } and never becomes { node 1 }`.
pub(crate) fn remains(telling: &Telling<'_>) -> Option<String> {
    let explanation = telling.explanation.filter(|_| telling.loops().is_some())?;
    let again = telling.is_false_again();
    let mut said: Vec<String> = Vec::new();
    for fact in explanation.why.facts.iter().filter(|fact| fact.stays) {
        // What is waited for and does not happen has been said; and so has what can never be otherwise.
        let known =
            !again && matches!(fact.value, Value::Bool(_)) || telling.words.is_overdue(fact);
        let looks = looks_at(telling.words.machine, fact.origin);
        if !known && !fact.or_more && !matches!(looks, Looks::Nowhere) {
            said.extend(stays(telling, fact));
        }
    }
    let said = joined(&said.iter().map(|s| &s[..]).collect::<Vec<_>>(), "and");
    let helps = "no number of activations helps";
    match (said.is_empty(), again && explanation.every_bound) {
        (false, true) => Some(format!("{said}: {helps}")),
        (false, false) => Some(said),
        (true, true) => Some(format!("as it is false again in every round, {helps}")),
        (true, false) => None,
    }
}

/// That something has the same value for ever.
fn stays(telling: &Telling<'_>, fact: &Fact) -> Option<String> {
    let words = telling.words;
    let text = words.text(fact.origin)?;
    let bindings = telling.explanation.iter().flat_map(|e| &e.why.bindings);
    let mut owned = bindings.filter_map(|(name, value)| {
        let rest = text.strip_prefix(name.as_str())?.strip_prefix('.')?;
        Some((words.value(value), rest))
    });
    let owned = owned.next_back(); // the innermost
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

/// What could happen in the loop, and does not: `Worker could do work after event 2, but not after event 4`.
fn not_done(telling: &Telling<'_>) -> Vec<String> {
    let (Some(from), words) = (telling.loops(), telling.words) else {
        return Vec::new();
    };
    if telling.has_rhythm() {
        return Vec::new(); // there everybody has a turn, and it is a matter of when
    }
    let done: Vec<_> = telling.run.choices[from..]
        .iter()
        .map(|c| &c.event)
        .collect();
    let moments = from + 1..telling.states.len();
    let enabled = |at: usize| telling.instance().events(&telling.states[at]);
    let mut missed: Vec<(NodeId, machine::BlockId)> = Vec::new();
    for event in moments.clone().flat_map(enabled) {
        if let Event::Run(node, block) = event
            && !done.contains(&&event)
            && !missed.contains(&(node, block))
        {
            missed.push((node, block));
        }
    }
    let told = missed.iter().map(|(node, block)| {
        let possible = |at: &usize| enabled(*at).contains(&Event::Run(*node, *block));
        let who = words.node(*node);
        let name = &words.machine.blocks[block.index()].name;
        let name = name.strip_prefix("when ").unwrap_or(name);
        let first = moments.clone().find(possible).unwrap_or(moments.start);
        let mut later = (first..moments.end).chain(moments.start..first);
        match later.find(|at| !possible(at)) {
            Some(not) => {
                format!("{who} could do {name} after event {first}, but not after event {not}")
            }
            None => format!("{who} could do {name} all the time, and never does"),
        }
    });
    let told: Vec<String> = told.collect();
    if told.len() > FEW { Vec::new() } else { told }
}

/// What nodes do in a round, those together that do the same.
fn doings(telling: &Telling<'_>) -> Vec<String> {
    let words = telling.words;
    let Some(from) = telling.loops() else {
        return Vec::new();
    };
    let lines = event_lines(telling);
    let mut groups: Vec<(String, Option<String>, Vec<NodeId>)> = Vec::new();
    // Who is faulty first: that explains what the others do.
    let (faulty, others): (Vec<NodeId>, Vec<NodeId>) = words
        .machine
        .nodes()
        .partition(|node| telling.run.frozen.fault(*node).is_some());
    for node in faulty.into_iter().chain(others) {
        let Some((does, to)) = doing(telling, &lines[from..], node, from) else {
            continue;
        };
        let faulty = telling.run.frozen.fault(node).is_some();
        let same = groups.iter_mut().find(|(known, _, nodes)| {
            !faulty && *known == does && telling.run.frozen.fault(nodes[0]).is_none()
        });
        match same {
            Some((_, receivers, nodes)) => {
                nodes.push(node);
                *receivers = None; // each has its own
            }
            None => groups.push((does, to, vec![node])),
        }
    }
    if groups.len() > FEW_GROUPS {
        return Vec::new();
    }
    let told = groups.iter().map(|(does, to, nodes)| {
        let to = to.clone().unwrap_or_default();
        match &nodes[..] {
            [node] => format!("{} {does}{to}", with_fault(telling, *node)),
            many => {
                let (verb, rest) = does.split_once(' ').unwrap_or((does, ""));
                let verb = match verb {
                    "does" => "do",
                    "is" => "are",
                    verb => verb.strip_suffix('s').unwrap_or(verb),
                };
                format!("{} each {verb} {rest}", words.nodes(many))
            }
        }
    });
    told.collect()
}

/// What a node does in the loop, and to whom, if it does anything that others or it could notice.
fn doing(
    telling: &Telling<'_>,
    lines: &[Line],
    node: NodeId,
    from: usize,
) -> Option<(String, Option<String>)> {
    let words = telling.words;
    let deeds = telling.deeds();
    let mut messages: Vec<&Value> = Vec::new();
    let mut receivers: BTreeSet<NodeId> = BTreeSet::new();
    for sent in deeds[from..].iter().flat_map(|deed| &deed.trace.sent) {
        let (sender, to) = words.machine.edges[sent.edge.index()];
        if sender == node && to != node {
            receivers.insert(to);
            if !messages.contains(&&sent.message) {
                messages.push(&sent.message);
            }
        }
    }
    if !messages.is_empty() {
        let receivers: Vec<NodeId> = receivers.into_iter().collect();
        return Some((
            format!("sends {}", contents(words, &messages)),
            Some(format!(" to {}", words.nodes(&receivers))),
        ));
    }
    let own = lines.iter().zip(&telling.run.choices[from..]);
    let own = own
        .filter(|(line, choice)| line.who == Some(node) && matches!(choice.event, Event::Run(..)));
    let mut whats: Vec<&str> = Vec::new();
    for (line, _) in own {
        let what = match line.what.starts_with("activation ") {
            true => "is activated",
            false => &line.what[..],
        };
        if !whats.contains(&what) {
            whats.push(what);
        }
    }
    (1..=FEW)
        .contains(&whats.len())
        .then(|| (joined(&whats, "and"), None))
}

/// What messages say, or, if they are many, what they are.
fn contents(words: Words<'_>, messages: &[&Value]) -> String {
    if messages.len() <= FEW {
        let texts: Vec<String> = messages.iter().map(|m| words.value(m)).collect();
        return joined(&texts.iter().map(|t| &t[..]).collect::<Vec<_>>(), "and");
    }
    let types: BTreeSet<_> = messages.iter().map(|m| m.record()).collect();
    let types: Vec<_> = types.into_iter().collect();
    format!(
        "{} different messages ({})",
        messages.len(),
        words.records(&types)
    )
}

/// A node, and what is wrong with it in words: `node 2 (deaf: receives nothing, still sends)`.
fn with_fault(telling: &Telling<'_>, node: NodeId) -> String {
    let name = telling.words.node(node);
    match telling.run.frozen.fault(node) {
        Some(fault) => format!("{name} ({}: {})", fault_word(fault), fault_meaning(fault)),
        None => name,
    }
}

/// What changes in a round of what the claim is about: `node 1's role goes Leader → Follower → Leader`.
fn changing(telling: &Telling<'_>) -> Vec<String> {
    let (Some(from), words) = (telling.loops(), telling.words) else {
        return Vec::new();
    };
    let machine = words.machine;
    let part = telling.explanation.and_then(|e| e.why.part);
    let about = part.map_or(Vec::new(), |part| whole(machine, part));
    let mut said = Vec::new();
    for node in machine.nodes() {
        let kind = machine.kind_of(node);
        for (v, var) in machine.vars.iter().enumerate() {
            let var_id = machine::VarId(v as u32);
            if var.kind != kind || var.ghost || !about.contains(&var_id) {
                continue;
            }
            let place = machine.place_of_var(var_id);
            let values = telling.states[from..].iter();
            let values = values.map(|s| words.value(&s.nodes[node.index()].vars[place]));
            let mut values: Vec<String> = values.collect();
            values.dedup();
            if (2..=FEW + 1).contains(&values.len()) {
                let (node, name) = (words.node(node), &var.name);
                said.push(format!("{node}'s {name} goes {}", values.join(" → ")));
            }
        }
    }
    if said.len() > FEW_GROUPS {
        Vec::new()
    } else {
        said
    }
}
