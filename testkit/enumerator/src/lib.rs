//! The enumerator: an independent implementation of the language that counts states and transitions of small models
//! directly on the syntax tree.
//!
//! The enumerator shares only the parser with the rest of the tool: no types, no lowering, no Machine. It evaluates
//! every expression anew in every state. Unsupported constructs are refused by name.
//!
//! Time passes in whole units (`instance/unit.rs` explains why this is exact). In each state, every enabled event may
//! occur, and a unit of time may pass if no event is due. There is no reduction.

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

/// The counts of one instance, or the sums for several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// By node: the rank of its id, counted from 1. Empty if no node has a constant of type `Id`.
    pub arrangement: Vec<i128>,
    /// By node: its constants in the order of the text.
    pub constants: Vec<Vec<Value>>,
    /// By node: its fault from the start.
    pub faults: Vec<Option<Fault>>,
    /// The number of initial states.
    pub initial: usize,
    /// The number of reachable states, including initial ones.
    pub states: usize,
    /// The number of transitions: enabled events in reachable states, each counted once per sequence of chosen values.
    pub transitions: usize,
    /// The number of transitions that end in a run-time error; they have no successor state.
    pub errors: usize,
    /// The number of reachable states without an enabled event.
    pub final_states: usize,
}

/// Counts the states of each instance: every arrangement of ids, every value of the constants, every assignment of
/// faults.
pub fn enumerate(file: &ast::File, setup: &Setup) -> Result<Vec<Count>, String> {
    counts(file, setup, false, |_| true).map_err(Stop::text)
}

/// Like [`enumerate`], for models with time. Times in a state are in units, relative to the current time, and the
/// passing of a unit is a transition.
pub fn enumerate_in_time(file: &ast::File, setup: &Setup) -> Result<Vec<Count>, String> {
    counts(file, setup, true, |_| true).map_err(Stop::text)
}

/// Like [`enumerate`], but for only one instance of each class of instances that differ by a rotation of the nodes: the
/// one whose labels (id, constants, fault of each node) are lexicographically least. Valid for a ring with one kind.
pub fn enumerate_up_to_rotation(file: &ast::File, setup: &Setup) -> Result<Vec<Count>, String> {
    counts(file, setup, false, |instance| {
        let labels = instance.labels();
        is_least_rotation(&labels)
    })
    .map_err(Stop::text)
}

/// The sums of the given counts; arrangement, constants and faults are left empty.
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

/// The sums of those counts that [`enumerate_up_to_rotation`] would return.
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

/// Whether some instance has a reachable state that satisfies the condition.
///
/// Ghost variables are part of the state.
pub fn reachable(file: &ast::File, setup: &Setup, condition: &ast::Expr) -> Result<bool, String> {
    find(file, setup, condition, true).map_err(Stop::text)
}

/// Whether the condition holds in all reachable states of all instances.
///
/// Ghost variables are part of the state.
pub fn invariant(file: &ast::File, setup: &Setup, condition: &ast::Expr) -> Result<bool, String> {
    let broken = find(file, setup, condition, false).map_err(Stop::text)?;
    Ok(!broken)
}

/// Parses a model; an error describes the first mistake in its text.
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

/// Parses a condition.
pub fn read_condition(text: &str) -> Result<ast::Expr, String> {
    let file = read(&format!("initially {text}\n"))?;
    match <[ast::Item; 1]>::try_from(file.items) {
        Ok([ast::Item::Initially(condition)]) => Ok(condition),
        _ => Err("more than a condition".to_owned()),
    }
}

/// Parses a topology.
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
