//! The visited states and the transitions between them. Equal parts of states are stored once.

use crate::instance::state::{NodeState, State, Travelling};
use crate::instance::value::{Res, refuse};
use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

/// A table of distinct values with numbers.
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
    /// The number of a value, and whether it was added by this call.
    fn number(&mut self, thing: T) -> (u32, bool) {
        if let Some(number) = self.numbers.get(&thing) {
            return (*number, false);
        }
        let number = u32::try_from(self.things.len()).expect("the limit fits into 32 bits");
        let thing = Rc::new(thing);
        self.numbers.insert(thing.clone(), number);
        self.things.push(thing);
        (number, true)
    }

    fn thing(&self, number: u32) -> &T {
        &self.things[number as usize]
    }
}

/// The part of a state besides its nodes: messages in transit, remaining budgets of faults, and the time.
type Rest = (Vec<Vec<Travelling>>, Vec<Option<i128>>, i128);

/// The visited states, in the order of discovery, and their transitions.
#[derive(Default)]
pub(crate) struct Graph {
    nodes: Store<NodeState>,
    rests: Store<Rest>,
    /// By state: the numbers of the states of its nodes, then the number of the rest.
    states: Store<Box<[u32]>>,
    /// The number of initial states; they are the first states.
    pub initial: usize,
    /// By state: its successors by events.
    pub after: Vec<Box<[u32]>>,
    /// By state: its successor by the passing of a unit of time, if any.
    pub later: Vec<Option<u32>>,
    /// The number of events that end in a run-time error.
    pub errors: usize,
}

impl Graph {
    /// The number of visited states.
    pub fn size(&self) -> usize {
        self.states.things.len()
    }

    /// The state with this number.
    pub fn state(&self, place: usize) -> State {
        let numbers = self.states.thing(place as u32);
        let (rest, nodes) = numbers.split_last().expect("every state has a rest");
        let (channels, budgets, now) = self.rests.thing(*rest).clone();
        State {
            nodes: nodes.iter().map(|n| self.nodes.thing(*n).clone()).collect(),
            channels,
            budgets,
            now,
        }
    }

    /// The number of a state; it is added if it is new. Refused if there are more than `limit` states.
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

    /// By state: its predecessors by events.
    pub fn before(&self) -> Vec<Vec<u32>> {
        let mut before = vec![Vec::new(); self.size()];
        for (place, after) in self.after.iter().enumerate() {
            for next in after {
                before[*next as usize].push(place as u32);
            }
        }
        before
    }

    /// Whether time cannot diverge from some state. Since the states are finitely many, this is so if and only if
    /// events from some state never reach a state in which time can pass.
    pub fn time_ends(&self) -> bool {
        let goes_on = self.reaching(self.later.iter().map(Option::is_some).collect());
        !goes_on.into_iter().all(|goes_on| goes_on)
    }

    /// By state: whether events lead from it to a state in `those`; states in `those` are included.
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
