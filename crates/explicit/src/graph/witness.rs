//! Witnesses: runs of the reference interpreter for paths of the graph.

use crate::abstraction::decisions::Decision;
use crate::events::interpreter_state::{into_error, last_state};
use crate::graph::state_graph::Graph;
use machine::{
    Choice, Delay, ErrorKind, Event, Expr, Frozen, Instance, LocalId, Outcome, RunError, Shift,
    State, Type, Value,
};
use verdict::{Ending, Run};

/// A path from an initial state, and a cycle at its end; without a cycle the run stutters there.
pub(crate) struct Lasso {
    pub(crate) initial: u32,
    pub(crate) stem: Vec<Step>,
    pub(crate) cycle: Vec<Step>,
}

/// A transition of the graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) label: u32,
}

/// The number of events on the path to a state.
pub(crate) fn depth(graph: &Graph<'_>, state: u32) -> usize {
    path(graph, state).len() - 1
}

/// A shortest run to a state, with these decisions at the end.
pub(crate) fn to_state(
    graph: &mut Graph<'_>,
    frozen: &Frozen,
    state: u32,
    decisions: &[Decision],
    ending: Ending,
) -> Run {
    let states = path(graph, state);
    graph.reconstruct_path(&states);
    along(graph, frozen, &states, decisions, ending)
}

/// A run through these states, with these decisions in the last one.
pub(crate) fn along(
    graph: &mut Graph<'_>,
    frozen: &Frozen,
    states: &[u32],
    decisions: &[Decision],
    ending: Ending,
) -> Run {
    if graph.is_folded() {
        let (mut real, states) = graph.unfold(states);
        return along(&mut real, frozen, &states, decisions, ending);
    }
    let steps = states.windows(2).map(|pair| (pair[0], pair[1], None));
    run_of(graph, frozen, states[0], steps, decisions, ending).0
}

/// A run by these steps between states with labels; and the difference between the normalised counters and the real
/// ones at its end.
fn run_of(
    graph: &mut Graph<'_>,
    frozen: &Frozen,
    initial: u32,
    steps: impl Iterator<Item = (u32, u32, Option<u32>)>,
    decisions: &[Decision],
    ending: Ending,
) -> (Run, Shift) {
    let mut choices = Vec::new();
    let mut decided = Vec::new();
    let mut offset = graph.initial_offset(initial);
    for (from, to, label) in steps {
        let (more, decisions) = graph.choice_between(from, to, label, &mut offset);
        choices.extend(more);
        decided.extend(decisions);
    }
    decided.extend_from_slice(decisions);
    let initial = graph.beginning(initial, &decided);
    if graph.compiled.reductions.is_some() {
        let machine = graph.compiled.machine;
        choices = with_arrivals(Instance { machine, frozen }, &initial, choices);
    }
    let run = Run {
        frozen: frozen.clone(),
        initial,
        choices,
        ending,
    };
    (run, offset)
}

/// Inserts invisible deliveries that are due before time passes.
fn with_arrivals(instance: Instance<'_>, initial: &State, choices: Vec<Choice>) -> Vec<Choice> {
    let mut state = initial.clone();
    let mut all = Vec::new();
    for choice in choices {
        while choice.event == Event::Wait
            && let Some(arrival) = due(instance, &state)
            && let Ok(after) = instance.step(&state, &arrival)
        {
            all.push(arrival);
            state = after;
        }
        let next = instance.step(&state, &choice);
        all.push(choice);
        match next {
            Ok(after) => state = after,
            Err(_) => break, // it is an error, or the audit rejects the run
        }
    }
    all
}

/// A message that must arrive now, if there is one.
fn due(instance: Instance<'_>, state: &State) -> Option<Choice> {
    let Delay::Within(_, most) = &instance.machine.delay else {
        return None;
    };
    let clock = state.clock.as_ref()?;
    instance.choices(state).into_iter().find(|choice| {
        let Event::Deliver(edge, message, outcome) = &choice.event else {
            return false;
        };
        let mut messages = state.edges[edge.index()].iter();
        let place = messages
            .position(|m| m == message)
            .expect("a message that can arrive");
        let plain = matches!(
            outcome,
            Outcome::HandOver(_) | Outcome::Store | Outcome::Drop
        );
        plain && &clock.sent[edge.index()][place] + most == clock.now
    })
}

/// A run to a state and by a choice into an error, with these decisions before the choice.
pub(crate) fn to_error(
    graph: &mut Graph<'_>,
    frozen: &Frozen,
    state: u32,
    (choices, types, decisions): (Vec<Choice>, Vec<Type>, Vec<Decision>),
) -> Run {
    let states = path(graph, state);
    graph.reconstruct_path(&states);
    if graph.is_folded() {
        let (mut real, states) = graph.unfold(&states);
        let last = states[states.len() - 1];
        let what = real.first_error(last);
        return to_error(&mut real, frozen, last, what);
    }
    let steps = states.windows(2).map(|pair| (pair[0], pair[1], None));
    let (mut run, offset) = run_of(graph, frozen, states[0], steps, &decisions, Ending::Open);
    let machine = graph.compiled.machine;
    let choices = choices
        .iter()
        .map(|c| machine.shifted_choice(c, &types, &offset));
    run.choices.extend(choices);
    into_error(Instance { machine, frozen }, run)
}

/// A run to a state in which a condition of a property has no value.
pub(crate) fn to_no_value(
    graph: &mut Graph<'_>,
    frozen: &Frozen,
    state: u32,
    condition: &Expr,
    bound: &[(LocalId, Value)],
) -> Run {
    let mut run = to_state(graph, frozen, state, &[], Ending::Open);
    let machine = graph.compiled.machine;
    let instance = Instance { machine, frozen };
    let value = last_state(instance, &run).map(|last| instance.holds(&last, condition, bound));
    // If the interpreter finds a value, the audit rejects this run and reports it.
    run.ending = Ending::Error(value.and_then(Result::err).unwrap_or(RunError {
        kind: ErrorKind::Assertion,
        origin: None,
    }));
    run
}

/// A run into a lasso and once around its cycle.
pub(crate) fn to_lasso(graph: &mut Graph<'_>, frozen: &Frozen, lasso: &Lasso) -> Run {
    if graph.is_folded() {
        let (mut real, lasso) = graph.unfold_lasso(lasso);
        return to_lasso(&mut real, frozen, &lasso);
    }
    let steps = lasso.stem.iter().chain(&lasso.cycle);
    let steps = steps.map(|step| (step.from, step.to, Some(step.label)));
    let ending = match lasso.cycle.is_empty() {
        true => Ending::StandsStill,
        false => Ending::Loops(lasso.stem.len()),
    };
    run_of(graph, frozen, lasso.initial, steps, &[], ending).0
}

/// The path from an initial state to this one, both included.
pub(crate) fn path(graph: &Graph<'_>, state: u32) -> Vec<u32> {
    let mut states = vec![state];
    let mut at = state;
    while let Some(parent) = graph.predecessors.parent(at) {
        at = parent;
        states.push(at);
    }
    states.reverse();
    states
}
