//! Whether a graph has a run that reaches every goal again and again, found while the graph is made.
//!
//! **Idea.** A depth-first search keeps the strongly connected components of what it has seen so far: those that
//! are not complete lie on its path, one behind the other, each with the goals that its nodes and inner arcs
//! reach. An arc back into one of them makes one component of all behind it. Each time a component grows it is
//! asked whether it accepts, so the search stops long before the component is complete.
//!
//! **Source.** J.-M. Couvreur, *On-the-fly Verification of Linear Temporal Logic*, FM 1999; the components are
//! those of H. N. Gabow, *Path-based depth-first search for strong and biconnected components*, 2000.
//!
//! **Deviations.** Weak fairness is a goal like a mark (`space`). What an arc reaches is asked for only once it
//! is inside a component. A component that is complete may be given more arcs, and is searched on.
//!
//! **Memory.** A node and four bytes in a hash table for every visited node (with nodes of eight bytes 17 bytes
//! for each place, and between one and two places and a bit for each node); four bytes more, and the node again,
//! while its component is open; for each component on the path eight bytes for every 64 goals, an arc and a node;
//! for each node of the path a node and the arcs not yet taken. There is no recursion.

use crate::defects::{Defect, broken};
use crate::space::{ArcOf, Closed, Goals, MoveOf, Space};
use foldhash::{HashMap, HashMapExt};
use std::collections::hash_map::Entry;

/// In place of a position among the open nodes: the component of the node is complete.
const COMPLETE: u32 = u32::MAX;

/// A set of nodes and arcs that accepts.
#[derive(Clone, Debug)]
pub struct Accepting<N> {
    /// Each can be reached from each, by arcs that together with the nodes reach every goal.
    pub nodes: Vec<N>,
    /// How many nodes were visited.
    pub visited: usize,
}

/// What was found, or how many nodes there are.
#[derive(Clone, Debug)]
pub enum Search<N> {
    /// A run is accepted.
    Accepting(Accepting<N>),
    /// No run is, and so many nodes were visited.
    Empty(usize),
}

/// Searches for an accepted run. `go_on` is asked at every new node; what it says ends the search.
pub fn search<S: Space, E>(
    space: &mut S,
    go_on: &mut dyn FnMut() -> Option<E>,
) -> Result<Search<S::Node>, E> {
    let mut path = Path::new(space);
    for root in path.space.initial() {
        if path.visited.contains_key(&root) {
            continue;
        }
        path.enter(root, None);
        while let Some(frame) = path.frames.last() {
            let (node, first, again) = (frame.node, frame.first, frame.again);
            if path.arcs.len() > first {
                let arc = path.arcs.pop().expect("more than at the beginning");
                match path.visited.get(&arc.to) {
                    None => {
                        if let Some(spent) = go_on() {
                            return Err(spent);
                        }
                        path.enter(arc.to, Some((node, arc)));
                    }
                    Some(&COMPLETE) => {}
                    Some(&position) => {
                        if path.join(position, node, &arc) {
                            return Ok(Search::Accepting(Accepting {
                                nodes: path.top_nodes().to_vec(),
                                visited: path.visited.len(),
                            }));
                        }
                    }
                }
            } else if again || !path.is_root(node) {
                path.frames.pop();
            } else {
                path.close();
            }
        }
    }
    Ok(Search::Empty(path.visited.len()))
}

/// The path of the search and the components on it.
struct Path<'s, S: Space> {
    space: &'s mut S,
    /// Each visited node with its position in `open`, or `COMPLETE`.
    visited: HashMap<S::Node, u32>,
    /// The nodes whose components are not complete, in the order in which they were found.
    open: Vec<S::Node>,
    components: Vec<Component<S>>,
    /// The goals of each component, one behind the other.
    done: Vec<u64>,
    /// How many words of `done` each component has.
    width: usize,
    frames: Vec<Frame<S::Node>>,
    /// The arcs not yet taken of all frames, one behind the other.
    arcs: Vec<ArcOf<S>>,
    scratch: Goals,
}

/// A component: the open nodes from here up to the next one.
struct Component<S: Space> {
    /// The position of its first node in `open`.
    first: u32,
    /// The arc by which that one was found; inside as soon as this component is joined with the one before.
    entry: Option<MoveOf<S>>,
    /// Whether an arc is inside.
    cycle: bool,
}

/// A node whose arcs are looked at.
struct Frame<N> {
    node: N,
    /// Where its arcs begin.
    first: usize,
    /// Whether it is looked at once more, with another frame further down.
    again: bool,
}

impl<'s, S: Space> Path<'s, S> {
    fn new(space: &'s mut S) -> Path<'s, S> {
        let scratch = Goals::none(space.goals());
        Path {
            space,
            visited: HashMap::new(),
            open: Vec::new(),
            components: Vec::new(),
            done: Vec::new(),
            width: scratch.words().len(),
            frames: Vec::new(),
            arcs: Vec::new(),
            scratch,
        }
    }

    /// A new node, which is a component of its own for now.
    fn enter(&mut self, node: S::Node, entry: Option<MoveOf<S>>) {
        let first = u32::try_from(self.open.len()).expect("fewer than 2^32 open nodes");
        assert!(first < COMPLETE, "fewer than 2^32 - 1 open nodes");
        match self.visited.entry(node) {
            Entry::Occupied(_) => unreachable!("a node is entered once"),
            Entry::Vacant(free) => free.insert(first),
        };
        self.open.push(node);
        self.components.push(Component {
            first,
            entry,
            cycle: false,
        });
        self.scratch.clear();
        self.space.in_node(node, &mut self.scratch);
        self.done.extend(self.scratch.words());
        self.look_at(node, false);
    }

    fn look_at(&mut self, node: S::Node, again: bool) {
        let first = self.arcs.len();
        self.space.arcs(node, &mut self.arcs);
        // They are taken from the end.
        self.arcs[first..].reverse();
        self.frames.push(Frame { node, first, again });
    }

    fn is_root(&self, node: S::Node) -> bool {
        let top = self.components.last().expect("there is a frame");
        self.open[top.first as usize] == node
    }

    fn top_nodes(&self) -> &[S::Node] {
        let top = self
            .components
            .last()
            .expect("asked for while there is one");
        &self.open[top.first as usize..]
    }

    /// Joins the components behind a position, closed to a cycle by an arc; whether what they are now accepts.
    fn join(&mut self, position: u32, from: S::Node, arc: &ArcOf<S>) -> bool {
        self.scratch.clear();
        self.space.on_arc(from, arc, &mut self.scratch);
        let mut grown = false;
        while let Some(top) = self.components.pop_if(|top| top.first > position) {
            let (source, entry) = top.entry.expect("the first component holds every position");
            if !broken(Defect::EntryForgotten) {
                self.space.on_arc(source, &entry, &mut self.scratch);
            }
            let rest = self.done.len() - self.width;
            let joined = if broken(Defect::JoinedForgotten) {
                &[]
            } else {
                &self.done[rest..]
            };
            for (word, more) in joined.iter().enumerate() {
                self.scratch.add_word(word, *more);
            }
            self.done.truncate(rest);
            grown = true;
        }
        let rest = self.done.len() - self.width;
        grown |= self.scratch.join(&mut self.done[rest..]);
        let top = self
            .components
            .last_mut()
            .expect("the arc leads to an open node");
        grown |= !std::mem::replace(&mut top.cycle, true);
        if !grown {
            return false;
        }
        self.scratch.set(&self.done[rest..]);
        self.space.owed(&self.scratch).is_none()
    }

    /// The last component is complete, unless the space has more arcs for one of its nodes.
    fn close(&mut self) {
        let top = self.components.last().expect("a component to close");
        let (first, cycle) = (top.first as usize, top.cycle);
        let rest = self.done.len() - self.width;
        self.scratch.set(&self.done[rest..]);
        match self.space.closed(&self.open[first..], &self.scratch, cycle) {
            Closed::Again(node) if !broken(Defect::AgainForgotten) => {
                debug_assert!(self.open[first..].contains(&node), "in the component");
                self.look_at(node, true);
            }
            Closed::Done | Closed::Again(_) => {
                for node in self.open.drain(first..) {
                    self.visited.insert(node, COMPLETE);
                }
                self.done.truncate(rest);
                self.components.pop();
                self.frames.pop();
            }
        }
    }
}
