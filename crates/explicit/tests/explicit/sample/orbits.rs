//! Orbits of states under permutations of nodes, computed by brute force on states of the reference interpreter.

use crate::sample::compare::{LIMIT, same};
use crate::sample::ways::{Way, ask};
use machine::{
    Channel, EdgeId, Expr, Frozen, Instance, Machine, NodeId, NodeState, OrderConstraints,
    Outgoing, State, Type, Value, named_nodes,
};
use std::collections::{BTreeMap, BTreeSet};
use testkit::explore;
use verdict::{Question, Reduction, Report};

/// A permutation of nodes: the new name of each node.
pub type Names = Vec<NodeId>;

/// All permutations of nodes that preserve kinds, edges, the maps in use, named nodes and the frozen values that are
/// read.
pub fn permutations(machine: &Machine, frozen: &Frozen) -> Vec<Names> {
    let (mut maps, mut read) = (BTreeSet::new(), BTreeSet::new());
    machine.each_expr(&mut |e| match e {
        Expr::Map(map, _) => drop(maps.insert(*map)),
        Expr::Frozen(frozen, _) => drop(read.insert(*frozen)),
        _ => {}
    });
    let named = named_nodes(machine);
    let constants = |node: NodeId| -> Vec<&Value> {
        let own = read
            .iter()
            .filter(|r| machine.frozen_vars[r.index()].kind == machine.kind_of(node));
        own.map(|r| &frozen.values[r.index()][machine.place_in_kind(node)])
            .collect()
    };
    let keeps = |to: &Names| {
        let edge = |(a, b): &(NodeId, NodeId)| {
            let moved = (to[a.index()], to[b.index()]);
            machine.edges.contains(&moved)
        };
        machine.nodes().all(|node| {
            let new = to[node.index()];
            let maps = maps.iter().map(|map| &machine.maps[map.index()].to);
            machine.kind_of(node) == machine.kind_of(new)
                && (node == new || !named.contains(&node))
                && constants(node) == constants(new)
                && frozen.fault(node) == frozen.fault(new)
                && frozen.period(node) == frozen.period(new)
                && { maps }.all(|map| map[new.index()] == to[map[node.index()].index()])
        }) && machine.edges.iter().all(edge)
    };
    let mut all: Vec<Names> = vec![Vec::new()];
    for _ in machine.nodes() {
        let longer = all.iter().flat_map(|begun| {
            let free = machine.nodes().filter(|node| !begun.contains(node));
            free.map(|node| [&begun[..], &[node]].concat())
        });
        all = longer.collect();
    }
    all.retain(keeps);
    all
}

/// A value after a permutation of nodes.
fn value(machine: &Machine, ty: &Type, old: &Value, to: &Names) -> Value {
    let inside = |ty: &Type, old: &Value| value(machine, ty, old, to);
    match (ty, old) {
        (_, Value::Node(node)) => Value::Node(to[node.index()]),
        (Type::Option(ty), Value::Some(old)) => Value::some(inside(ty, old)),
        (Type::Set(ty), Value::Set(all)) => Value::Set(all.iter().map(|v| inside(ty, v)).collect()),
        (Type::Record(_) | Type::OneOf(_), Value::Record(r, parts)) => {
            let fields = machine.records[r.index()].fields.iter();
            let parts = fields.zip(parts).map(|((_, ty), old)| inside(ty, old));
            Value::Record(*r, parts.collect())
        }
        (Type::Array(index, ty), Value::Array(elements)) => {
            let places = machine.values(index).into_iter().zip(elements);
            let moved = places.map(|(place, old)| (inside(index, &place), inside(ty, old)));
            Value::Array(moved.collect::<BTreeMap<_, _>>().into_values().collect())
        }
        _ => old.clone(),
    }
}

/// A state after a permutation of nodes.
fn moved(machine: &Machine, old: &State, to: &Names) -> State {
    let message = |m: &Value| value(machine, &Type::Record(m.record()), m, to);
    let edge = |e: EdgeId| {
        let (a, b) = machine.edges[e.index()];
        let found = machine.edge(to[a.index()], to[b.index()]);
        found.expect("edges are kept")
    };
    let mut new = old.clone();
    for node in machine.nodes() {
        let before = &old.nodes[node.index()];
        let vars = machine.vars_of(machine.kind_of(node)).zip(&before.vars);
        let mut inbox: Vec<_> = before
            .inbox
            .iter()
            .map(|(s, m)| (to[s.index()], message(m)))
            .collect();
        inbox.sort();
        let mut timers = before.timers.clone();
        for (place, set) in before.timers.iter().enumerate() {
            let (timer, other) = machine.timer_of(node, place as u32);
            let other = other.map(|other| to[other.index()]);
            timers[machine.timer_place(timer, other)] = *set;
        }
        new.nodes[to[node.index()].index()] = NodeState {
            mode: before.mode,
            vars: vars
                .map(|(var, v)| value(machine, &var.ty, v, to))
                .collect(),
            outbox: before
                .outbox
                .iter()
                .map(|o| Outgoing {
                    edge: edge(o.edge),
                    message: message(&o.message),
                })
                .collect(),
            inbox,
            timers,
            faulted: before.faulted.clone(),
        };
    }
    for (e, queue) in old.edges.iter().enumerate() {
        let mut queue: Vec<Value> = queue.iter().map(message).collect();
        if machine.channel == Channel::Unordered {
            queue.sort();
        }
        new.edges[edge(EdgeId(e as u32)).index()] = queue;
    }
    let shares = OrderConstraints::of(machine).node_slots();
    for share in &shares {
        let (node, other) = (
            to[share.node.index()],
            share.other.map(|node| to[node.index()]),
        );
        let target = shares
            .iter()
            .find(|s| (s.node, s.other, s.sort) == (node, other, share.sort))
            .expect("the same of other nodes");
        for at in 0..share.width {
            new.order_state[target.place + at] = old.order_state[share.place + at];
        }
    }
    new
}

/// The numbers of reachable states, orbits and permutations of an instance.
pub struct Orbits {
    pub states: usize,
    /// The number of orbits.
    pub orbits: usize,
    pub permutations: usize,
}

/// Counts orbits; `None` if there are more states than the limit. An error if a permuted state is not reachable: then
/// the permutation does not preserve the Machine.
pub fn orbits(instance: Instance<'_>, limit: usize) -> Result<Option<Orbits>, String> {
    let (machine, frozen) = (instance.machine, instance.frozen);
    let explored = explore(instance, limit).map_err(|e| format!("{e:?}"))?;
    if !explored.complete {
        return Ok(None);
    }
    let permutations = permutations(machine, frozen);
    let all: BTreeSet<&State> = explored.states.iter().collect();
    let mut least = BTreeSet::new();
    for state in &explored.states {
        let mut same: BTreeSet<State> = BTreeSet::new();
        for to in &permutations {
            same.insert(moved(machine, state, to));
        }
        if let Some(lost) = same.iter().find(|s| !all.contains(s)) {
            return Err(format!("not reachable: {lost:?}"));
        }
        least.extend(same.pop_first());
    }
    Ok(Some(Orbits {
        states: explored.states.len(),
        orbits: least.len(),
        permutations: permutations.len(),
    }))
}

/// Compares the counts of symmetry reduction with orbits counted by brute force, if a Machine has at most `most`
/// states.
///
/// Returns whether the comparison was possible: the Machine is small enough and has a symmetry.
pub fn count(machine: &Machine, most: usize) -> Result<bool, String> {
    let question = Question {
        machine,
        fair: false,
    };
    let whole = ask(Way::Instances, &question, 1, LIMIT).report;
    let reduced = ask(Way::Names, &question, 1, LIMIT).report;
    let (Ok(whole), Ok(reduced)) = (whole, reduced) else {
        return Ok(false);
    };
    let permuted = told(&reduced);
    if !whole.findings.complete || permuted == 1 {
        return Ok(false);
    }
    let (all, few) = (whole.counts.states, reduced.counts.states);
    if few > all || few * permuted < all {
        return Err(format!(
            "{few} of {all} states up to {permuted} permutations"
        ));
    }
    // `moved` does not support clocks.
    if machine.digitisation().is_some() || all > most as u64 || whole.counts.instances > 50 {
        return Ok(false);
    }
    let (mut states, mut found, mut greatest) = (0, 0, 1);
    for frozen in machine.frozen_choices_up_to_symmetry() {
        let instance = Instance {
            machine,
            frozen: &frozen,
        };
        let Some(orbits) = orbits(instance, most)? else {
            return Ok(false);
        };
        states += orbits.states as u64;
        found += orbits.orbits as u64;
        greatest = greatest.max(orbits.permutations as u64);
    }
    same("states of all instances", &all, &states)?;
    same("permutations", &permuted, &greatest)?;
    same("states up to symmetry", &few, &found)?;
    Ok(true)
}

/// The greatest number of permutations that the report mentions; 1 if symmetry reduction was not used.
fn told(report: &Report) -> u64 {
    let mut reduced = report.findings.reduced.iter();
    let told = reduced.find_map(|reduction| match reduction {
        Reduction::Symmetry { permutations, .. } => Some(*permutations),
        Reduction::NoSymmetry(_) => Some(1),
        _ => None,
    });
    told.unwrap_or_else(|| panic!("{:?}", report.findings.reduced))
}
