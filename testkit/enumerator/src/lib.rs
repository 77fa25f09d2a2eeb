//! Independent enumerator of small models: counts states and transitions directly on the syntax tree.
//!
//! It shares only the parser with the rest of the tool: no types, no lowering, no Machine. It evaluates every
//! expression anew in every state. It refuses unsupported constructs by name and never guesses.
//!
//! Time passes in whole units (`instance/unit.rs` explains why that is exact): in each state every enabled event may
//! happen, in any order, and if no event is due, a unit of time may pass. There is no reduction.

mod build;
mod claims;
mod counters;
mod expressions;
mod instance;
mod search;
mod semantics;

pub use claims::answers::{Answer, ask, latest, possible};
pub use claims::least::least;
pub use claims::rounds::{Most, most_activations};
pub use instance::fault::Fault;
pub use instance::setup::Setup;
pub use instance::value::Value;

use instance::data::Instance;
use instance::scope::Scope;
use instance::value::{Res, Stop, refuse};
use syntax::ast;

/// The counts of one instance, or of several together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The rank of each node's id, from 1 (empty if no node has a constant of type `Id`).
    pub arrangement: Vec<i128>,
    /// Per node, its constants in the order of the text.
    pub constants: Vec<Vec<Value>>,
    /// Per node, its fault from the start.
    pub faults: Vec<Option<Fault>>,
    /// Initial states.
    pub initial: usize,
    /// Reachable states, the initial ones included.
    pub states: usize,
    /// Enabled events in reachable states, once for each sequence of chosen values.
    pub transitions: usize,
    /// Transitions that end in a run-time error and have no successor state.
    pub errors: usize,
    /// Reachable states without an enabled event.
    pub final_states: usize,
}

/// Counts each instance: every arrangement of ids, every value of the nodes' constants, every
/// assignment of faults.
pub fn enumerate(file: &ast::File, setup: &Setup) -> Result<Vec<Count>, String> {
    counts(file, setup, false, |_| true).map_err(Stop::text)
}

/// Like [`enumerate`], for models with time: times in a state are relative to the current time, in units, and the
/// passing of a unit is a transition.
pub fn enumerate_in_time(file: &ast::File, setup: &Setup) -> Result<Vec<Count>, String> {
    counts(file, setup, true, |_| true).map_err(Stop::text)
}

/// Like [`enumerate`], with one instance of each class of instances that differ by a rotation of the nodes: the one
/// whose ids (then constants), node by node, are lexicographically least. For a ring with one kind.
pub fn enumerate_up_to_rotation(file: &ast::File, setup: &Setup) -> Result<Vec<Count>, String> {
    counts(file, setup, false, |instance| {
        let labels = instance.labels();
        is_least_rotation(&labels)
    })
    .map_err(Stop::text)
}

/// The sum over the given counts; arrangement and constants are left empty.
pub fn sum(counts: &[Count]) -> Count {
    let mut total = Count::default();
    for count in counts {
        total.initial += count.initial;
        total.states += count.states;
        total.transitions += count.transitions;
        total.errors += count.errors;
        total.final_states += count.final_states;
    }
    total
}

/// The sum over the counts that [`enumerate_up_to_rotation`] would return.
pub fn sum_up_to_rotation(counts: &[Count]) -> Count {
    let least = counts.iter().filter(|count| {
        let constants = count.constants.iter().enumerate();
        let labels: Vec<_> = constants
            .map(|(node, values)| (count.arrangement.get(node), values, count.faults.get(node)))
            .collect();
        is_least_rotation(&labels)
    });
    sum(&least.cloned().collect::<Vec<_>>())
}

/// Whether a state that satisfies the condition is reachable in some instance.
///
/// Ghost variables are part of the state here.
pub fn reachable(file: &ast::File, setup: &Setup, condition: &ast::Expr) -> Result<bool, String> {
    find(file, setup, condition, true).map_err(Stop::text)
}

/// Whether the condition holds in every reachable state of every instance.
///
/// Ghost variables are part of the state here.
pub fn invariant(file: &ast::File, setup: &Setup, condition: &ast::Expr) -> Result<bool, String> {
    let broken = find(file, setup, condition, false).map_err(Stop::text)?;
    Ok(!broken)
}

/// Parses a model; `Err` if its text has an error.
pub fn read(text: &str) -> Result<ast::File, String> {
    let mut sources = source::Sources::default();
    let file = sources.add("model", text);
    let parsed = syntax::parse(&sources, file);
    let mut errors = parsed.diagnostics.iter();
    match errors.find(|d| d.severity == source::Severity::Error) {
        Some(wrong) => Err(format!(
            "line {}: {}",
            sources.line(wrong.primary.span),
            wrong.message
        )),
        None => Ok(parsed.file),
    }
}

/// Parses a condition as after `initially`.
pub fn read_condition(text: &str) -> Result<ast::Expr, String> {
    let file = read(&format!("initially {text}\n"))?;
    match <[ast::Item; 1]>::try_from(file.items) {
        Ok([ast::Item::Initially(condition)]) => Ok(condition),
        _ => Err("more than a condition".to_owned()),
    }
}

/// Parses a topology as after `network` or `for`.
pub fn read_topology(text: &str) -> Result<ast::Topology, String> {
    let file = read(&format!("network {text}\n"))?;
    match <[ast::Item; 1]>::try_from(file.items) {
        Ok([ast::Item::Network(network)]) if network.items.is_empty() => Ok(network.topology),
        _ => Err("more than a topology".to_owned()),
    }
}

fn is_least_rotation<T: Ord + Clone>(labels: &[T]) -> bool {
    (1..labels.len()).all(|by| {
        let mut rotated = labels.to_vec();
        rotated.rotate_left(by);
        labels <= &rotated[..]
    })
}

fn counts(
    file: &ast::File,
    setup: &Setup,
    in_time: bool,
    wanted: impl Fn(&Instance) -> bool,
) -> Res<Vec<Count>> {
    let mut all = Vec::new();
    for instance in build::instances::instances(file, setup)? {
        if !wanted(&instance) {
            continue;
        }
        if instance.clock.is_some() && !in_time {
            return refuse("states with times");
        }
        let mut count = Count {
            arrangement: instance.ranks.clone(),
            constants: instance.constants.clone(),
            faults: instance.faults.clone(),
            ..Count::default()
        };
        let graph = instance.explore(setup.limit, |step| {
            let stays = step.later.is_none_or(|later| later == step.state);
            count.states += 1;
            count.transitions += step.outcomes.len() + usize::from(step.later.is_some());
            count.errors += step.outcomes.iter().filter(|o| o.is_err()).count();
            count.final_states += usize::from(step.outcomes.is_empty() && stays);
            Ok(true)
        })?;
        count.initial = graph.initial;
        all.push(count);
    }
    Ok(all)
}

fn find(file: &ast::File, setup: &Setup, condition: &ast::Expr, wanted: bool) -> Res<bool> {
    let scope = Scope {
        me: None,
        locals: setup.arguments.clone(),
    };
    for mut instance in build::instances::instances(file, setup)? {
        claims::ghosts::keep(&mut instance, condition, &scope, &[])?;
        let mut found = false;
        instance.explore(setup.limit, |step| {
            found = instance.is_true(condition, &scope, step.state)? == wanted;
            Ok(!found)
        })?;
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}
