//! The region graph of a network (Alur, Dill, *A theory of timed automata*, 1994), an independent oracle.
//!
//! A region is represented by one of its points: with `n` clocks, the fractional parts of the values are `k/(n + 1)`, in
//! their order; a clock that is larger than every constant has the value `MOST + 1`. Values are stored in units of
//! `1/(2n + 2)`, so that a short delay is one unit.

use crate::random::{Action, Edge, Network, Test};
use std::collections::HashMap;

/// The largest constant of a network.
pub const MOST: i64 = 3;

/// Locations, the value of the integer variable, and values of clocks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub locations: Vec<usize>,
    int: i64,
    clocks: Vec<i64>,
}

/// The reachable regions.
pub struct Regions {
    pub states: Vec<State>,
    pub successors: Vec<Vec<usize>>,
    numbers: HashMap<State, usize>,
}

impl Regions {
    pub fn of(network: &Network) -> Regions {
        let mut regions = Regions {
            states: Vec::new(),
            successors: Vec::new(),
            numbers: HashMap::new(),
        };
        let start = State {
            locations: vec![0; network.processes.len()],
            int: 0,
            clocks: vec![0; network.clocks],
        };
        if invariants_hold(network, &start) {
            regions.number(start);
        }
        let mut next = 0;
        while next < regions.states.len() {
            let state = regions.states[next].clone();
            let mut after = successors(network, &state);
            after.extend(later(network, &state));
            let after = after
                .into_iter()
                .map(|state| regions.number(state))
                .collect();
            regions.successors.push(after);
            next += 1;
        }
        regions
    }

    fn number(&mut self, state: State) -> usize {
        let next = self.states.len();
        let number = *self.numbers.entry(state.clone()).or_insert(next);
        if number == next {
            self.states.push(state);
        }
        number
    }

    /// The strongly connected components with a cycle, by the algorithm of Kosaraju.
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        let mut before = vec![Vec::new(); self.states.len()];
        for (source, targets) in self.successors.iter().enumerate() {
            for target in targets {
                before[*target].push(source);
            }
        }
        let mut seen = vec![false; self.states.len()];
        let mut order = Vec::new();
        for root in 0..self.states.len() {
            order.extend(finished(root, &self.successors, &mut seen));
        }
        seen.fill(false);
        let mut components = Vec::new();
        for root in order.into_iter().rev() {
            let component = finished(root, &before, &mut seen);
            let is_cycle = match component[..] {
                [] => false,
                [one] => self.successors[one].contains(&one),
                _ => true,
            };
            components.extend(is_cycle.then_some(component));
        }
        components
    }
}

/// The unseen states that are reachable from the root, in the order in which a depth-first search leaves them.
fn finished(root: usize, successors: &[Vec<usize>], seen: &mut [bool]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut path = Vec::new();
    if !std::mem::replace(&mut seen[root], true) {
        path.push((root, 0));
    }
    while let Some((state, place)) = path.last_mut() {
        match successors[*state].get(*place) {
            Some(target) => {
                *place += 1;
                if !std::mem::replace(&mut seen[*target], true) {
                    path.push((*target, 0));
                }
            }
            None => {
                order.push(*state);
                path.pop();
            }
        }
    }
    order
}

fn unit(clocks: usize) -> i64 {
    2 * (clocks as i64 + 1)
}

/// The representative of the region.
fn normal(mut clocks: Vec<i64>) -> Vec<i64> {
    let unit = unit(clocks.len());
    for value in &mut clocks {
        if *value > MOST * unit {
            *value = (MOST + 1) * unit;
        }
    }
    let mut parts: Vec<i64> = clocks.iter().map(|value| value % unit).collect();
    parts.push(0);
    parts.sort_unstable();
    parts.dedup();
    let rank = |value: i64| parts.iter().position(|part| *part == value % unit);
    let values = clocks
        .iter()
        .map(|v| v / unit * unit + 2 * rank(*v).expect("a part") as i64);
    values.collect()
}

/// The next region in time, if time may pass and there is one.
fn later(network: &Network, state: &State) -> Option<State> {
    let locations = state.locations.iter().enumerate();
    let mut locations = locations.map(|(p, l)| &network.processes[p].locations[*l]);
    if locations.any(|location| location.is_committed || location.is_urgent) {
        return None;
    }
    let unit = unit(network.clocks);
    let inside = state.clocks.iter().filter(|value| **value <= MOST * unit);
    let largest = inside.clone().map(|value| value % unit).max()?;
    let delay = match inside.clone().any(|value| value % unit == 0) {
        true => 1,
        false => unit - largest,
    };
    let clocks = state.clocks.iter().map(|value| value + delay).collect();
    let after = State {
        clocks: normal(clocks),
        ..state.clone()
    };
    invariants_hold(network, &after).then_some(after)
}

fn holds(network: &Network, clocks: &[i64], test: &Test) -> bool {
    let (value, constant) = (clocks[test.clock], test.constant * unit(network.clocks));
    match test.operator {
        "<" => value < constant,
        "<=" => value <= constant,
        ">" => value > constant,
        ">=" => value >= constant,
        _ => value == constant,
    }
}

fn invariants_hold(network: &Network, state: &State) -> bool {
    let locations = state.locations.iter().enumerate();
    let mut locations = locations.map(|(p, l)| &network.processes[p].locations[*l]);
    locations.all(|location| {
        let mut tests = location.invariant.iter();
        tests.all(|test| holds(network, &state.clocks, test))
    })
}

fn successors(network: &Network, state: &State) -> Vec<State> {
    let leaving = |p: usize, event: &str| -> Vec<(usize, &Edge)> {
        let edges = network.processes[p].edges.iter();
        let edges = edges.filter(|e| e.source == state.locations[p] && e.event == event);
        edges.map(|edge| (p, edge)).collect()
    };
    let mut moves: Vec<Vec<(usize, &Edge)>> = Vec::new();
    for p in 0..2 {
        moves.extend(leaving(p, "alone").into_iter().map(|edge| vec![edge]));
    }
    for first in leaving(0, "both") {
        moves.extend(
            leaving(1, "both")
                .into_iter()
                .map(|second| vec![first, second]),
        );
    }
    for first in leaving(0, "weak") {
        let second = leaving(1, "weak");
        if second.is_empty() {
            moves.push(vec![first]);
        }
        moves.extend(second.into_iter().map(|second| vec![first, second]));
    }
    let committed = |p: usize| network.processes[p].locations[state.locations[p]].is_committed;
    if committed(0) || committed(1) {
        moves.retain(|edges| edges.iter().any(|(p, _)| committed(*p)));
    }
    let after = moves
        .into_iter()
        .filter_map(|edges| fire(network, state, &edges));
    after.collect()
}

fn fire(network: &Network, state: &State, edges: &[(usize, &Edge)]) -> Option<State> {
    let unit = unit(network.clocks);
    let mut after = state.clone();
    for (_, edge) in edges {
        let is_enabled = edge
            .tests
            .iter()
            .all(|test| holds(network, &state.clocks, test))
            && edge.int.is_none_or(|int| int == state.int);
        is_enabled.then_some(())?;
    }
    for (process, edge) in edges {
        after.locations[*process] = edge.target;
        for action in &edge.actions {
            match *action {
                Action::Reset(clock, value) => after.clocks[clock] = value * unit,
                Action::Copy(clock, offset, source) => {
                    after.clocks[clock] = after.clocks[source] + offset * unit;
                }
                Action::Count => after.int = (after.int + 1) % 3,
            }
        }
    }
    // An unbounded clock is larger than every constant, whatever is added.
    after.clocks = normal(after.clocks);
    invariants_hold(network, &after).then_some(after)
}
