//! The largest number of activations in a state in which a condition holds, if all nodes are activated in rounds. It is
//! the length of a longest path.
//!
//! A state stores how far each node is ahead of the slowest one, not how many activations it has made. So the
//! activations of the slowest node are summed along the paths that end in states in which the condition holds.

use crate::build::instances;
use crate::claims::ghosts;
use crate::instance::data::Instance;
use crate::instance::scope::Scope;
use crate::instance::setup::Setup;
use crate::instance::state::Mode;
use crate::instance::value::{Res, Stop, refuse};
use crate::search::graph::Graph;
use syntax::ast::{self, Expr};

/// The maximum number of activations over a set of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Most {
    /// The set is empty.
    Never,
    /// The maxima.
    Number {
        /// The maximum, over the states, of the number of activations of the slowest node.
        every: usize,
        /// The maximum, over the states, of the number of activations of the fastest node.
        some: usize,
    },
    /// The number is unbounded.
    Unbounded,
}

/// The maximum number of activations in states that satisfy a condition, and the total number of states of all
/// instances.
pub fn most_activations(
    file: &ast::File,
    setup: &Setup,
    condition: &Expr,
) -> Result<(Most, usize), String> {
    let answer = || {
        let (mut most, mut states) = (Most::Never, 0);
        for mut instance in instances::instances(file, setup)? {
            let (this, found) = of_instance(&mut instance, setup, condition)?;
            states += found;
            most = match (most, this) {
                (
                    Most::Number { every, some },
                    Most::Number {
                        every: more,
                        some: one,
                    },
                ) => Most::Number {
                    every: every.max(more),
                    some: some.max(one),
                },
                (old, new) => old.max(new),
            };
        }
        Ok((most, states))
    };
    answer().map_err(Stop::text)
}

fn of_instance(instance: &mut Instance, setup: &Setup, condition: &Expr) -> Res<(Most, usize)> {
    let scope = Scope {
        me: None,
        locals: setup.arguments.clone(),
    };
    ghosts::keep(instance, condition, &scope, &[])?;
    let n = instance.size();
    let in_rounds = |node: usize| instance.rounds[instance.kind_of[node]].is_some();
    if n < 2 || !(0..n).all(in_rounds) || !instance.fault_items.is_empty() {
        return refuse("the activations of something else than several faultless nodes in rounds");
    }
    if instance.count_to.is_some() {
        return refuse("a condition on activations that counts them itself");
    }
    // By state: whether the condition holds, the sum of the leads of all nodes, and the lead of the fastest node.
    let (mut wanted, mut ahead) = (Vec::new(), Vec::new());
    let graph = instance.explore(setup.limit, |step| {
        let nodes = &step.state.nodes;
        if nodes.iter().any(|node| node.mode == Mode::Halted) {
            return refuse("the activations of nodes that halt");
        }
        wanted.push(instance.is_true(condition, &scope, step.state)?);
        let leads = nodes.iter().map(|node| node.lead as usize);
        ahead.push((leads.clone().sum::<usize>(), leads.max().unwrap_or(0)));
        Ok(true)
    })?;
    if graph.errors > 0 {
        return refuse("activations where there are errors");
    }
    let leads_there = graph.reaching(wanted.clone());
    // The number of activations that the slowest node gains: an activation increases the sum of all activation counts
    // by one.
    let gain = |from: usize, to: usize| match (ahead[from].0, ahead[to].0) {
        (before, after) if before == after => 0,
        (before, after) => (1 + before - after) / n,
    };
    if longest(&graph, &leads_there, |from, to| {
        (ahead[from].0 == ahead[to].0).then_some(0)
    })
    .is_none()
    {
        return refuse("events without activations that can go on for ever");
    }
    let Some(ways) = longest(&graph, &leads_there, |from, to| Some(gain(from, to))) else {
        return Ok((Most::Unbounded, graph.size()));
    };
    let ends = (0..graph.size()).filter(|place| wanted[*place]);
    let most = ends.fold(Most::Never, |most, place| {
        let (every, some) = (ways[place], ways[place] + ahead[place].1);
        match most {
            Most::Number { every: a, some: b } => Most::Number {
                every: every.max(a),
                some: some.max(b),
            },
            _ => Most::Number { every, some },
        }
    });
    Ok((most, graph.size()))
}

/// By state: the length of the longest path to it through states in `inside`; `None` if these states contain a cycle.
/// Pairs of states for which `length` is `None` are no edges.
fn longest(
    graph: &Graph,
    inside: &[bool],
    length: impl Fn(usize, usize) -> Option<usize>,
) -> Option<Vec<usize>> {
    let length = &length;
    let next = |place: usize| {
        let after = graph.after[place].iter().map(|next| *next as usize);
        let after = after.filter(|next| inside[*next]);
        after.filter_map(move |next| length(place, next).map(|length| (next, length)))
    };
    let places = || (0..inside.len()).filter(|place| inside[*place]);
    let mut waits_for = vec![0_u32; inside.len()];
    for place in places() {
        next(place).for_each(|(after, _)| waits_for[after] += 1);
    }
    let mut ways = vec![0; inside.len()];
    let mut todo: Vec<usize> = places().filter(|place| waits_for[*place] == 0).collect();
    let mut done = 0;
    while let Some(place) = todo.pop() {
        done += 1;
        for (after, length) in next(place) {
            ways[after] = ways[after].max(ways[place] + length);
            waits_for[after] -= 1;
            if waits_for[after] == 0 {
                todo.push(after);
            }
        }
    }
    (done == places().count()).then_some(ways)
}
