//! Witnesses: converts paths of the graph to runs of the reference interpreter.

use crate::abstraction::decisions::Decision;
use crate::events::interpreter_state::{into_error, last_state};
use crate::graph::state_graph::Graph;
use machine::{
    Choice, Delay, ErrorKind, Event, Expr, Frozen, Instance, LocalId, Outcome, RunError, Shift,
    State, Type, Value,
};
use verdict::{Ending, Run};

/// A path from an initial state, followed by a cycle. If `cycle` is empty, the run stutters in the last state of the
/// stem.
pub(crate) struct Lasso {
    pub(crate) initial: u32,
    pub(crate) stem: Vec<Step>,
    pub(crate) cycle: Vec<Step>,
}

/// A transition of the graph: source, target, number of its label.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) label: u32,
}

/// The number of events on the recorded path to a state (a shortest one).
pub(crate) fn depth(graph: &Graph<'_>, state: u32) -> usize {
    path(graph, state).len() - 1
}

/// A shortest run to a state. `decisions` are made in that state, after those on the path.
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

/// A run through these consecutive states. `decisions` are made in the last state, after those on the path.
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

/// A run by these steps `(from, to, label)`; without a label, any transition from `from` to `to`. Also returns the
/// counter offset in the last state: real minus normalised value, by class.
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
    if graph.compiled.timing.reductions.is_some() {
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

/// Inserts invisible deliveries before each `Wait` event for the messages whose latest arrival time is reached.
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
            Err(_) => break, // either the run ends in an error here, or the audit rejects it
        }
    }
    all
}

/// The delivery of a message whose latest arrival time is now; `None` if there is no such message.
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

/// A run to a state and from there by `choices` into an error. `decisions` are made in that state, before the choices.
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

/// A run to a state in which a condition of a property cannot be evaluated.
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
    // If the interpreter can evaluate the condition, the audit rejects this run and reports the discrepancy.
    run.ending = Ending::Error(value.and_then(Result::err).unwrap_or(RunError {
        kind: ErrorKind::Assertion,
        origin: None,
    }));
    run
}

/// A run along the stem of a lasso and once around its cycle.
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

/// The states on the recorded path from an initial state to `state`, both included.
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
