//! From numbers of states back to runs that the reference interpreter can replay.

use crate::graph::Graph;
use crate::lasso::Lasso;
use machine::{Choice, ErrorKind, Expr, Instance, LocalId, Rigid, RunError, StepError, Value};
use verdict::{Ending, Run};

/// How many events lead to a state.
pub(crate) fn depth(graph: &Graph<'_>, state: u32) -> usize {
    path(graph, state).len() - 1
}

/// A shortest run to a state.
pub(crate) fn to_state(graph: &mut Graph<'_>, rigid: &Rigid, state: u32, ending: Ending) -> Run {
    let states = path(graph, state);
    along(graph, rigid, &states, ending)
}

/// A run through these states.
pub(crate) fn along(graph: &mut Graph<'_>, rigid: &Rigid, states: &[u32], ending: Ending) -> Run {
    let choices = states
        .windows(2)
        .map(|pair| graph.choice_between(pair[0], pair[1], None));
    let choices = choices.collect();
    Run {
        rigid: rigid.clone(),
        initial: graph.state(states[0]),
        choices,
        ending,
    }
}

/// A run to a state and by a choice into an error.
pub(crate) fn to_error(graph: &mut Graph<'_>, rigid: &Rigid, state: u32, choice: Choice) -> Run {
    let machine = graph.compiled.machine;
    let before = graph.state(state);
    let error = match (Instance { machine, rigid }).step(&before, &choice) {
        Err(StepError::Error(error)) => error,
        // The audit will not accept this run: better there than here.
        _ => RunError {
            kind: ErrorKind::Assertion,
            origin: None,
        },
    };
    let mut run = to_state(graph, rigid, state, Ending::Error(error));
    run.choices.push(choice);
    run
}

/// A run to a state in which a condition of a property has no value.
pub(crate) fn to_no_value(
    graph: &mut Graph<'_>,
    rigid: &Rigid,
    state: u32,
    condition: &Expr,
    bound: &[(LocalId, Value)],
) -> Run {
    let machine = graph.compiled.machine;
    let at = graph.state(state);
    let value = Instance { machine, rigid }.holds(&at, condition, bound);
    // If the interpreter finds a value, the audit will not accept this run: better there than here.
    let error = value.err().unwrap_or(RunError {
        kind: ErrorKind::Assertion,
        origin: None,
    });
    to_state(graph, rigid, state, Ending::Error(error))
}

/// A run into a lasso and once around.
pub(crate) fn to_lasso(graph: &mut Graph<'_>, rigid: &Rigid, lasso: &Lasso) -> Run {
    let mut choices = Vec::new();
    for step in lasso.stem.iter().chain(&lasso.cycle) {
        choices.push(graph.choice_between(step.from, step.to, Some(step.label)));
    }
    Run {
        rigid: rigid.clone(),
        initial: graph.state(lasso.initial),
        choices,
        ending: if lasso.cycle.is_empty() {
            Ending::StandsStill
        } else {
            Ending::Loops(lasso.stem.len())
        },
    }
}

/// The states from an initial one to this, both included.
pub(crate) fn path(graph: &Graph<'_>, state: u32) -> Vec<u32> {
    let mut states = vec![state];
    let mut at = state;
    while graph.parents[at as usize] != at {
        at = graph.parents[at as usize];
        states.push(at);
    }
    states.reverse();
    states
}
