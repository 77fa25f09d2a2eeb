//! What decides in a run with times: what is wrong, who was silent meanwhile, and which events matter for it.
//!
//! In such a run everybody goes on all the time, so the causes of the last event go back to the start and say
//! little. What decides is taken to be
//! - the event at which the claim breaks;
//! - of each node that the claim names, the last event that changed what the claim says of it;
//! - the messages that these events found in inboxes;
//! - *silences*: where such an event reads an inbox, and since the node's read before it there is nothing
//!   from a neighbour that runs: both reads, and what that neighbour sent last before and first behind;
//! - where the claim is false again in every round of a loop: of the way there only the last change of what
//!   stays wrong; and all events of the loop, if they are few.
//!
//! Where messages are handed over to code, or nodes have timers or meet with faults, something else decides: see
//! `handed.rs`.

use crate::Telling;
use crate::replay::effects::is_handed;
use crate::replay::inboxes::Inboxes;
use crate::replay::messages::{Flight, flights};
use crate::replay::slice::roots;
use crate::replay::step::Deed;
use crate::story::reading::expected;
use machine::{Expr, KindId, Machine, NodeId, Origin, Outcome, PropertyKind, Type, Value, VarId};
use std::collections::BTreeSet;
use verdict::{Ending, PartVerdict};

/// A loop of so many events is told event by event.
const SHORT_LOOP: usize = 8;

/// What decides in a run.
pub(crate) struct Crux {
    /// The event at which the claim breaks, or which is an error.
    pub(crate) fails: Option<usize>,
    /// By kind: the variable that stands for its nodes, by its place among theirs.
    pub(crate) shown: Vec<Option<usize>>,
    pub(crate) silences: Vec<Silence>,
    /// By event.
    pub(crate) matters: Vec<bool>,
    pub(crate) deeds: Vec<Deed>,
    pub(crate) flights: Vec<Flight>,
    /// By flight.
    pub(crate) heavy: Vec<bool>,
    /// What only comes and goes, where events are weighed by what comes of them.
    pub(crate) fleeting: Option<Vec<(NodeId, String)>>,
}

/// A node reads twice, and between that there is nothing from others that run.
pub(crate) struct Silence {
    pub(crate) reader: NodeId,
    /// The read before.
    pub(crate) from: usize,
    /// The read that finds nothing.
    pub(crate) to: usize,
    pub(crate) quiet: Vec<Quiet>,
}

/// A node that is silent.
pub(crate) struct Quiet {
    pub(crate) node: NodeId,
    /// The last event that sent something to the reader before the silence.
    pub(crate) before: Option<usize>,
    /// The first one behind it.
    pub(crate) after: Option<usize>,
}

impl Crux {
    pub(crate) fn new(telling: &Telling<'_>) -> Crux {
        let machine = telling.words.machine;
        let deeds = telling.deeds();
        let flights = flights(machine, &telling.run.choices, telling.states, &deeds);
        let fails = fails(telling);
        let mut crux = Crux {
            fails,
            shown: shown(telling),
            silences: Vec::new(),
            matters: vec![false; deeds.len()],
            heavy: vec![false; flights.len()],
            deeds,
            flights,
            fleeting: None,
        };
        if is_handed(telling) {
            crux.follow(telling);
            return crux;
        }
        let keys = crux.keys(telling);
        crux.silences(telling, &keys);
        crux.weigh(telling, &keys);
        crux
    }

    /// An event changes the variable that stands for a node.
    pub(crate) fn changes(&self, telling: &Telling<'_>, event: usize, node: NodeId) -> bool {
        let kind = telling.words.machine.kind_of(node);
        let (Some(place), Some(after)) = (self.shown[kind.index()], telling.states.get(event + 1))
        else {
            return false;
        };
        let n = node.index();
        telling.states[event].nodes[n].vars[place] != after.nodes[n].vars[place]
    }

    /// The nodes at which an event changes the variable that stands for them.
    pub(crate) fn changed(&self, telling: &Telling<'_>, event: usize) -> Vec<NodeId> {
        let nodes = telling.words.machine.nodes();
        nodes.filter(|n| self.changes(telling, event, *n)).collect()
    }

    /// The events that decide by themselves, each with the node at which it does.
    fn keys(&self, telling: &Telling<'_>) -> BTreeSet<(usize, NodeId)> {
        let machine = telling.words.machine;
        let choices = &telling.run.choices;
        let end = self.fails.map_or(choices.len(), |f| f + 1);
        let mut keys = BTreeSet::new();
        let last = self.fails.or(choices.len().checked_sub(1));
        keys.extend(last.and_then(|i| Some((i, machine.node_of(&choices[i].event)?))));
        for node in roots(telling) {
            let change = (0..end).rev().find(|i| self.changes(telling, *i, node));
            keys.extend(change.map(|i| (i, node)));
        }
        if telling.is_false_again() {
            for node in named(telling) {
                keys.extend(came_about(telling, node).map(|i| (i, node)));
            }
        }
        keys
    }

    fn silences(&mut self, telling: &Telling<'_>, keys: &BTreeSet<(usize, NodeId)>) {
        // Where the claim breaks; if there is none, the last one before.
        for (to, reader) in keys.iter().rev() {
            let reads = |i: &usize| self.deeds[*i].trace.inboxes.contains(reader);
            let before = (0..*to).rev().find(reads).filter(|_| reads(to));
            let Some(from) = before else { continue };
            let last = self.silences.last().map(|s| s.to);
            if last.is_some_and(|last| last != *to) {
                break;
            }
            let quiet = expected(telling.place(), *reader, &telling.states[*to])
                .filter_map(|node| self.quiet(telling.words.machine, node, *reader, from, *to))
                .collect::<Vec<_>>();
            if !quiet.is_empty() {
                self.silences.push(Silence {
                    reader: *reader,
                    from,
                    to: *to,
                    quiet,
                });
            }
        }
    }

    /// What a node did around the time between two reads, if nothing came from it meanwhile.
    fn quiet(
        &self,
        machine: &Machine,
        node: NodeId,
        reader: NodeId,
        from: usize,
        to: usize,
    ) -> Option<Quiet> {
        let stored = |f: &&Flight| {
            let stores = f
                .arrivals
                .iter()
                .any(|(_, outcome)| matches!(outcome, Outcome::Store | Outcome::Repeat(_, None)));
            machine.edges[f.edge.index()] == (node, reader) && stores
        };
        let mut quiet = Quiet {
            node,
            before: None,
            after: None,
        };
        for flight in self.flights.iter().filter(stored) {
            let (arrival, _) = flight.arrivals[0];
            if arrival < from {
                quiet.before = Some(flight.sent);
            } else if arrival > to {
                quiet.after.get_or_insert(flight.sent);
            } else {
                return None;
            }
        }
        Some(quiet)
    }

    fn weigh(&mut self, telling: &Telling<'_>, keys: &BTreeSet<(usize, NodeId)>) {
        let machine = telling.words.machine;
        if telling.explanation.is_none() && telling.error.is_none() {
            for event in 0..self.matters.len() {
                self.matters[event] = !self.changed(telling, event).is_empty();
            }
        }
        // Messages by the event that sent them, and the receiver.
        let mut heavy: BTreeSet<(usize, NodeId)> = BTreeSet::new();
        let mut inboxes = Inboxes::new(machine);
        for (i, choice) in telling.run.choices.iter().enumerate() {
            for (_, node) in keys.iter().filter(|key| key.0 == i) {
                self.matters[i] = true;
                if self.deeds[i].trace.inboxes.contains(node) {
                    heavy.extend(inboxes.sources(*node).map(|event| (event, *node)));
                }
            }
            inboxes.happen(i, choice, &self.deeds[i], telling.states.get(i + 1));
        }
        for silence in &self.silences {
            self.matters[silence.from] = true;
            let around = silence.quiet.iter().flat_map(|q| [q.before, q.after]);
            heavy.extend(around.flatten().map(|event| (event, silence.reader)));
        }
        for (f, flight) in self.flights.iter().enumerate() {
            let (from, to) = machine.edges[flight.edge.index()];
            // The event that sent it, and the one that put it into the inbox.
            let mut events = flight.arrivals.iter().map(|a| a.0).chain([flight.sent]);
            if from != to && events.any(|event| heavy.contains(&(event, to))) {
                self.heavy[f] = true;
                self.matters[flight.sent] = true;
                flight
                    .arrivals
                    .iter()
                    .for_each(|a| self.matters[a.0] = true);
            }
        }
        let never = matches!(
            telling.explanation.map(|e| e.verdict),
            Some(PartVerdict::NeverAfter(_))
        );
        if never {
            self.matters.fill(true);
        }
        if let Some(from) = telling.loops().filter(|_| telling.is_false_again())
            && self.matters.len() - from <= SHORT_LOOP
        {
            self.matters[from..].fill(true);
        }
    }
}

/// The nodes that the explanation names.
fn named(telling: &Telling<'_>) -> BTreeSet<NodeId> {
    let why = telling.explanation.iter().map(|e| &e.why);
    let values = why.flat_map(|why| {
        let bound = why.bindings.iter().map(|(_, value)| value);
        bound.chain(why.facts.iter().filter_map(|fact| fact.of.as_ref()))
    });
    let nodes = values.filter_map(|value| match value {
        Value::Node(node) => Some(*node),
        _ => None,
    });
    nodes.collect()
}

/// The last event before the loop that changed something of a node that the false part is about.
fn came_about(telling: &Telling<'_>, node: NodeId) -> Option<usize> {
    let machine = telling.words.machine;
    let part = telling.explanation?.why.part?;
    let vars = mentioned(machine, &[part]).into_iter().filter(|var| {
        let var = &machine.vars[var.index()];
        var.kind == machine.kind_of(node) && !var.ghost
    });
    let places: Vec<usize> = vars.map(|var| machine.place_of_var(var)).collect();
    let of = |state: usize, place: usize| &telling.states[state].nodes[node.index()].vars[place];
    let changes = |i: &usize| places.iter().any(|p| of(*i, *p) != of(*i + 1, *p));
    (0..telling.loops()?).rev().find(changes)
}

/// The event at which the claim breaks, or which is an error.
pub(crate) fn fails(telling: &Telling<'_>) -> Option<usize> {
    let last = telling.run.choices.len().checked_sub(1);
    match (telling.error, telling.explanation.map(|e| e.verdict)) {
        (Some(_), _) => last,
        (None, Some(PartVerdict::FalseAfter(after))) => after.checked_sub(1),
        (None, _) if matches!(telling.run.ending, Ending::Error(_)) => last,
        _ => None,
    }
}

/// By kind, the variable that stands for its nodes: one with named values, or a truth value, in the part of
/// the claim that is false; one with named values in the rest of the claim; a number in that part; the first with named
/// values.
fn shown(telling: &Telling<'_>) -> Vec<Option<usize>> {
    let machine = telling.words.machine;
    let near = claimed(telling);
    let part = telling.explanation.and_then(|e| e.why.part);
    let whole = part.map_or(Vec::new(), |part| whole(machine, part));
    let kinds = (0..machine.kinds.len()).map(|k| KindId(k as u32));
    kinds
        .map(|kind| {
            let own = |var: &VarId| machine.vars[var.index()].kind == kind;
            let named = |var: &VarId| matches!(machine.vars[var.index()].ty, Type::Enum(_));
            let value = |var: &VarId| matches!(machine.vars[var.index()].ty, Type::Option(_));
            let truth = |var: &VarId| machine.vars[var.index()].ty == Type::Bool;
            let number = |var: &VarId| {
                let var = &machine.vars[var.index()];
                matches!(var.ty, Type::Int(..)) && !var.ghost // counts of activations tell nothing
            };
            let all: Vec<VarId> = (0..machine.vars.len() as u32)
                .map(VarId)
                .filter(|var| !machine.vars[var.index()].ghost)
                .collect();
            let pick = |vars: &[VarId], fits: &dyn Fn(&VarId) -> bool| {
                vars.iter().copied().find(|var| own(var) && fits(var))
            };
            pick(&near, &named)
                .or_else(|| pick(&near, &truth))
                .or_else(|| pick(&whole, &named))
                .or_else(|| pick(&near, &value))
                .or_else(|| pick(&whole, &value))
                .or_else(|| pick(&near, &number))
                .or_else(|| pick(&all, &named))
                .map(|var| machine.place_of_var(var))
        })
        .collect()
}

/// The variables in what is false.
pub(crate) fn claimed(telling: &Telling<'_>) -> Vec<VarId> {
    let why = telling.explanation.map(|e| &e.why);
    let part = why.and_then(|why| why.part);
    let facts = why.iter().flat_map(|why| &why.facts).map(|f| f.origin);
    let places: Vec<Origin> = part.into_iter().chain(facts).collect();
    mentioned(telling.words.machine, &places)
}

/// The variables in the parts of claims with these places.
pub(crate) fn mentioned(machine: &Machine, origins: &[Origin]) -> Vec<VarId> {
    let mut found = Vec::new();
    for property in &machine.properties {
        walk(&property.kind, &mut |e| {
            if let Expr::At(here, inner) = e
                && origins.contains(here)
            {
                inner.walk(&mut |e| found.extend(var_of(e)));
            }
        });
    }
    found
}

/// The variables in the claim that has this part.
pub(crate) fn whole(machine: &Machine, part: Origin) -> Vec<VarId> {
    for property in &machine.properties {
        let mut has = false;
        let mut vars = Vec::new();
        walk(&property.kind, &mut |e| {
            has |= matches!(e, Expr::At(here, _) if *here == part);
            vars.extend(var_of(e));
        });
        if has {
            return vars;
        }
    }
    Vec::new()
}

fn var_of(expr: &Expr) -> Option<VarId> {
    match expr {
        Expr::Var(var, _) => Some(*var),
        _ => None,
    }
}

fn walk<'e>(kind: &'e PropertyKind, visit: &mut dyn FnMut(&'e Expr)) {
    match kind {
        PropertyKind::Claim(claim) => claim.walk_exprs(visit),
        PropertyKind::Possible(condition) => condition.walk(visit),
    }
}

/// What a value of the variable that stands for a node is called: `Leader`, `voted`, `not voted`.
pub(crate) fn state_word(
    telling: &Telling<'_>,
    node: NodeId,
    place: usize,
    value: &Value,
) -> String {
    let machine = telling.words.machine;
    let mut vars = machine.vars_of(machine.kind_of(node));
    let name = vars.nth(place).map_or("", |var| &var.name);
    match value {
        Value::Bool(true) => name.to_string(),
        Value::Bool(false) => format!("not {name}"),
        Value::None => format!("no {name}"),
        Value::Some(inner) => format!("{name} {}", telling.words.value(inner)),
        Value::Int(_) => format!("{name} {}", telling.words.value(value)),
        other => telling.words.value(other),
    }
}
