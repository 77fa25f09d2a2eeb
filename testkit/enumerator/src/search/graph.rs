//! The states that were found, and how they follow each other. What states have in common is kept once.

use crate::instance::state::{NodeState, State, Travelling};
use crate::instance::value::{Res, refuse};
use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

/// Things that are told apart, each kept once.
struct Store<T> {
    numbers: HashMap<Rc<T>, u32>,
    things: Vec<Rc<T>>,
}

impl<T> Default for Store<T> {
    fn default() -> Store<T> {
        Store {
            numbers: HashMap::new(),
            things: Vec::new(),
        }
    }
}

impl<T: Eq + Hash> Store<T> {
    /// The number of a thing, and whether it is new.
    fn number(&mut self, thing: T) -> (u32, bool) {
        if let Some(number) = self.numbers.get(&thing) {
            return (*number, false);
        }
        let number = u32::try_from(self.things.len()).expect("limits are smaller");
        let thing = Rc::new(thing);
        self.numbers.insert(thing.clone(), number);
        self.things.push(thing);
        (number, true)
    }

    fn thing(&self, number: u32) -> &T {
        &self.things[number as usize]
    }
}

/// What a state has beside its nodes: messages on the way, what remains of budgets, the time.
type Rest = (Vec<Vec<Travelling>>, Vec<Option<i128>>, i128);

/// The states that were found, in that order, and how they follow each other.
#[derive(Default)]
pub(crate) struct Graph {
    nodes: Store<NodeState>,
    rests: Store<Rest>,
    /// For each state the numbers of its nodes, then that of the rest.
    states: Store<Box<[u32]>>,
    /// So many of them, from the first on, are initial.
    pub initial: usize,
    /// For each state those after its events.
    pub after: Vec<Box<[u32]>>,
    /// For each state the one a unit of time later.
    pub later: Vec<Option<u32>>,
    /// Events that end in a run-time error.
    pub errors: usize,
}

impl Graph {
    /// How many states there are.
    pub fn size(&self) -> usize {
        self.states.things.len()
    }

    /// A state by its place.
    pub fn state(&self, place: usize) -> State {
        let numbers = self.states.thing(place as u32);
        let (rest, nodes) = numbers.split_last().expect("there is always a rest");
        let (channels, budgets, now) = self.rests.thing(*rest).clone();
        State {
            nodes: nodes.iter().map(|n| self.nodes.thing(*n).clone()).collect(),
            channels,
            budgets,
            now,
        }
    }

    /// The place of a state; the next one if it is new.
    pub fn place(&mut self, state: State, limit: usize) -> Res<u32> {
        let nodes = state.nodes.into_iter();
        let mut numbers: Vec<u32> = nodes.map(|node| self.nodes.number(node).0).collect();
        let rest = (state.channels, state.budgets, state.now);
        numbers.push(self.rests.number(rest).0);
        let (place, new) = self.states.number(numbers.into_boxed_slice());
        if new && place as usize == limit {
            return refuse(format!("more than {limit} states"));
        }
        Ok(place)
    }

    /// For each state those before it, by events.
    pub fn before(&self) -> Vec<Vec<u32>> {
        let mut before = vec![Vec::new(); self.size()];
        for (place, after) in self.after.iter().enumerate() {
            for next in after {
                before[*next as usize].push(place as u32);
            }
        }
        before
    }

    /// Whether there is a state from which time cannot go on for ever. As there are finitely many states, then
    /// there is one from which it cannot go on at all.
    pub fn time_ends(&self) -> bool {
        let goes_on = self.reaching(self.later.iter().map(Option::is_some).collect());
        !goes_on.into_iter().all(|goes_on| goes_on)
    }

    /// The states from which events lead to one of these, those themselves included.
    pub fn reaching(&self, mut those: Vec<bool>) -> Vec<bool> {
        let before = self.before();
        let mut todo: Vec<usize> = (0..those.len()).filter(|place| those[*place]).collect();
        while let Some(place) = todo.pop() {
            for &earlier in &before[place] {
                if !those[earlier as usize] {
                    those[earlier as usize] = true;
                    todo.push(earlier as usize);
                }
            }
        }
        those
    }
}
