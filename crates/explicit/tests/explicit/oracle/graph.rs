//! The reachable states of one instance, computed by the reference interpreter, with the labels that fairness
//! conditions need.

use machine::{Choice, Effect, Event, InitialError, Instance, Outcome, RecordId, State, Unit};
use std::collections::{BTreeSet, VecDeque};
use testkit::{Explored, explore};

/// An edge and a message type whose messages may be lost without limit.
pub type Lossy = (usize, RecordId);

/// A transition: its target, the fairness units that act, message types put on lossy edges, a message type that
/// arrives, and whether time passes.
pub struct Move {
    pub to: usize,
    pub units: BTreeSet<Unit>,
    pub puts: BTreeSet<Lossy>,
    pub arrives: Option<Lossy>,
    pub waits: bool,
}

/// The reachable states of one instance.
pub struct Graph<'a> {
    pub instance: Instance<'a>,
    pub explored: Explored,
    /// By state: its transitions.
    pub moves: Vec<Vec<Move>>,
    /// By state: the fairness units with an enabled event, including events that are errors.
    pub possible: Vec<BTreeSet<Unit>>,
}

impl<'a> Graph<'a> {
    /// Explores an instance with at most `limit` states.
    pub fn new(instance: Instance<'a>, limit: usize) -> Result<Graph<'a>, InitialError> {
        let explored = explore(instance, limit)?;
        let mut moves: Vec<Vec<Move>> = Vec::new();
        let mut possible: Vec<BTreeSet<Unit>> = Vec::new();
        for (from, successors) in explored.successors.iter().enumerate() {
            let events = successors.iter().map(|(choice, _)| &choice.event);
            possible.push(events.flat_map(|e| instance.units(e)).collect());
            let before = &explored.states[from];
            let moved = successors.iter().map(|(choice, to)| Move {
                to: *to,
                units: instance.units(&choice.event).into_iter().collect(),
                puts: puts(instance, before, choice, &explored.states[*to]),
                arrives: arrives(instance, choice),
                waits: choice.event == Event::Wait,
            });
            moves.push(moved.collect());
        }
        for (from, choice, _) in &explored.errors {
            possible[*from].extend(instance.units(&choice.event));
        }
        Ok(Graph {
            instance,
            explored,
            moves,
            possible,
        })
    }

    /// Whether a run may stutter in a state: fairness requires no enabled event, and the Machine has no clocks.
    pub fn is_final(&self, state: usize) -> bool {
        self.possible[state].is_empty() && self.instance.machine.digitisation().is_none()
    }

    /// By state: the least number of events on a path through allowed states; `None` if there is no such path.
    pub fn depths(&self, allowed: &[bool]) -> Vec<Option<usize>> {
        let mut depths = vec![None; self.moves.len()];
        let mut queue: VecDeque<usize> =
            (0..self.explored.initial).filter(|s| allowed[*s]).collect();
        queue.iter().for_each(|s| depths[*s] = Some(0));
        while let Some(state) = queue.pop_front() {
            for m in &self.moves[state] {
                if allowed[m.to] && depths[m.to].is_none() {
                    depths[m.to] = depths[state].map(|d| d + 1);
                    queue.push_back(m.to);
                }
            }
        }
        depths
    }

    /// Whether some state can be reached from itself. States without successors are removed repeatedly; if any remain,
    /// there is a cycle.
    pub fn has_cycle(&self) -> bool {
        let mut left: Vec<bool> = vec![true; self.moves.len()];
        loop {
            let ends = |s: &usize| left[*s] && !self.moves[*s].iter().any(|m| left[m.to]);
            let ends: Vec<usize> = (0..left.len()).filter(ends).collect();
            if ends.is_empty() {
                return left.contains(&true);
            }
            ends.into_iter().for_each(|s| left[s] = false);
        }
    }
}

/// Whether messages of a type may be lost without limit.
fn may_all_be_lost(instance: Instance<'_>, record: RecordId) -> bool {
    instance.machine.faults.iter().any(|fault| {
        let of = fault.of.is_none() || fault.of == Some(record);
        fault.effect == Effect::Lose && fault.limit.is_none() && of
    })
}

/// The message types that a step puts on lossy edges: those of which an edge has more messages afterwards than before,
/// not counting the delivered one.
fn puts(instance: Instance<'_>, before: &State, choice: &Choice, after: &State) -> BTreeSet<Lossy> {
    let mut puts = BTreeSet::new();
    for edge in 0..before.edges.len() {
        for record in after.edges[edge].iter().map(|m| m.record()) {
            let count = |state: &State| {
                let queue = state.edges[edge].iter();
                queue.filter(|m| m.record() == record).count()
            };
            let taken = match &choice.event {
                Event::Deliver(e, m, outcome) => {
                    let same = e.index() == edge && m.record() == record;
                    usize::from(same && !matches!(outcome, Outcome::Repeat(..)))
                }
                _ => 0,
            };
            if count(after) > count(before) - taken && may_all_be_lost(instance, record) {
                puts.insert((edge, record));
            }
        }
    }
    puts
}

/// The edge and type of the message that a choice delivers, if such messages may be lost without limit.
fn arrives(instance: Instance<'_>, choice: &Choice) -> Option<Lossy> {
    match &choice.event {
        Event::Deliver(_, _, Outcome::Lose(_)) => None,
        Event::Deliver(edge, message, _) => {
            let lossy = may_all_be_lost(instance, message.record());
            lossy.then(|| (edge.index(), message.record()))
        }
        _ => None,
    }
}
