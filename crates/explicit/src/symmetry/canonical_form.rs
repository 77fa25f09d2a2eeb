//! Canonical forms: one state of each orbit.
//!
//! It would be sound to choose any state of the orbit, because permutations preserve all answers. The more often the
//! same state is chosen, the greater the reduction. Nodes are sorted by their node invariants (`node_invariant.rs`),
//! which do not depend on node names. Nodes with equal invariants either can be exchanged without changing the state,
//! or all their orders are tried and the least state is taken. If there are too many orders, the current order is kept,
//! and several states of the orbit remain.

use crate::program::compiled_machine::CompiledMachine;
use crate::state::layout::Layout;
use crate::symmetry::renaming::StateRenaming;

/// The greatest number of orders of nodes with equal invariants that are tried.
const MOST_TRIED: usize = 800;

/// A group of permutations of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// All permutations within each class of nodes.
    Classes(Vec<Vec<u32>>),
    /// A list of permutations, each giving the new name of each node.
    Listed(Vec<Vec<u32>>),
}

/// Computes canonical forms with respect to a group.
#[derive(Clone, Debug)]
pub(crate) struct CanonicalForm {
    places: StateRenaming,
    group: Group,
    /// By node: the initial colour; equal for nodes that the group exchanges.
    colours: Vec<u64>,
    /// By node: whether a permutation of the group moves it.
    moves: Vec<bool>,
    /// Whether variables, order constraints or clocks may relate two nodes that the group moves.
    relates: bool,
    finer: Vec<u64>,
    node_invariants: Vec<u64>,
    to: Vec<u32>,
    renamed: Vec<i64>,
    best: Vec<i64>,
}

impl CanonicalForm {
    pub(crate) fn new(places: StateRenaming, group: Group) -> CanonicalForm {
        let nodes = places.nodes;
        let mut colours: Vec<u64> = (1..=nodes as u64).collect();
        match &group {
            Group::Classes(classes) => {
                for class in classes {
                    let first = colours[class[0] as usize];
                    class
                        .iter()
                        .for_each(|node| colours[*node as usize] = first);
                }
            }
            Group::Listed(all) => {
                for node in 0..nodes {
                    let least = all.iter().map(|to| to[node]).min().unwrap_or(node as u32);
                    colours[node] = u64::from(least) + 1;
                }
            }
        }
        let same = |node: &usize| colours.iter().filter(|c| **c == colours[*node]).count() > 1;
        let moves: Vec<bool> = (0..nodes).map(|node| same(&node)).collect();
        CanonicalForm {
            relates: places.vars_relate(&moves),
            places,
            group,
            colours,
            moves,
            finer: Vec::new(),
            node_invariants: Vec::new(),
            to: Vec::new(),
            renamed: Vec::new(),
            best: Vec::new(),
        }
    }

    /// Replaces an open state by its canonical form.
    pub(crate) fn canonicalise(
        &mut self,
        compiled: &CompiledMachine<'_>,
        layout: &Layout,
        slots: &mut Vec<i64>,
    ) {
        let mut colours = std::mem::take(&mut self.colours);
        let found = &mut self.node_invariants;
        self.places
            .node_invariants(compiled, layout, slots, &mut colours, found);
        self.colours = colours;
        let group = std::mem::replace(&mut self.group, Group::Listed(Vec::new()));
        match &group {
            Group::Classes(classes) => self.by_classes(compiled, layout, slots, classes),
            Group::Listed(all) => self.by_list(compiled, layout, slots, all),
        }
        self.group = group;
    }

    /// Takes the permutation that gives the least sequence of invariants; of several, the one that gives the least
    /// state.
    fn by_list(
        &mut self,
        compiled: &CompiledMachine<'_>,
        layout: &Layout,
        slots: &mut Vec<i64>,
        all: &[Vec<u32>],
    ) {
        // The invariant at each new position. The list is closed under inversion, so each permutation may be read as
        // giving the old node of each new one.
        let at = |from: &[u32], place: usize| self.node_invariants[from[place] as usize];
        let mut least: Vec<&Vec<u32>> = Vec::new();
        for from in all {
            let order = match least.first() {
                None => std::cmp::Ordering::Less,
                Some(best) => (0..from.len())
                    .map(|place| at(from, place).cmp(&at(best, place)))
                    .find(|order| order.is_ne())
                    .unwrap_or(std::cmp::Ordering::Equal),
            };
            if order.is_lt() {
                least.clear();
            }
            if order.is_le() {
                least.push(from);
            }
        }
        self.best.clear();
        for from in least {
            self.to.clear();
            self.to.resize(from.len(), 0);
            for (place, node) in from.iter().enumerate() {
                self.to[*node as usize] = place as u32;
            }
            self.try_one(compiled, layout, slots);
        }
        std::mem::swap(slots, &mut self.best);
    }

    /// Applies the permutation `to`. Keeps the result if it is less than the best one so far.
    fn try_one(&mut self, compiled: &CompiledMachine<'_>, layout: &Layout, slots: &[i64]) {
        let (to, renamed) = (&self.to, &mut self.renamed);
        self.places.renamed(compiled, layout, slots, to, renamed);
        if self.best.is_empty() || self.renamed < self.best {
            std::mem::swap(&mut self.renamed, &mut self.best);
        }
    }

    fn by_classes(
        &mut self,
        compiled: &CompiledMachine<'_>,
        layout: &Layout,
        slots: &mut Vec<i64>,
        classes: &[Vec<u32>],
    ) {
        self.sort(compiled, layout, slots, classes);
        if !self.relates && !self.places.relates(compiled, layout, slots, &self.moves) {
            return; // nodes with equal invariants can be exchanged
        }
        let mut ties = self.open_ties(compiled, layout, slots, classes);
        // Refines the invariants, using those of the other nodes as colours, while this distinguishes more nodes.
        while !ties.is_empty() {
            let before = self.different(classes);
            let finer = &mut self.finer;
            finer.clone_from(&self.node_invariants);
            let found = &mut self.node_invariants;
            self.places
                .node_invariants(compiled, layout, slots, finer, found);
            if self.different(classes) == before {
                break;
            }
            self.sort(compiled, layout, slots, classes);
            ties = self.open_ties(compiled, layout, slots, classes);
        }
        self.try_orders(compiled, layout, slots, &ties);
    }

    /// The number of different invariants within classes.
    fn different(&self, classes: &[Vec<u32>]) -> usize {
        let count = |class: &Vec<u32>| {
            let mut all: Vec<u64> = class
                .iter()
                .map(|n| self.node_invariants[*n as usize])
                .collect();
            all.sort_unstable();
            all.dedup();
            all.len()
        };
        classes.iter().map(count).sum()
    }

    /// Sorts the nodes of each class by their invariants.
    fn sort(
        &mut self,
        compiled: &CompiledMachine<'_>,
        layout: &Layout,
        slots: &mut Vec<i64>,
        classes: &[Vec<u32>],
    ) {
        self.to.clear();
        self.to.extend(0..self.places.nodes as u32);
        let mut same = true;
        for class in classes {
            let mut order: Vec<(u64, u32)> = Vec::with_capacity(class.len());
            order.extend(
                class
                    .iter()
                    .map(|n| (self.node_invariants[*n as usize], *n)),
            );
            if order.is_sorted_by_key(|(invariant, _)| *invariant) {
                continue;
            }
            same = false;
            order.sort_by_key(|(invariant, _)| *invariant);
            for ((invariant, node), place) in order.iter().zip(class) {
                self.to[*node as usize] = *place;
                self.node_invariants[*place as usize] = *invariant;
            }
        }
        if same {
            return;
        }
        let (to, renamed) = (&self.to, &mut self.renamed);
        self.places.renamed(compiled, layout, slots, to, renamed);
        std::mem::swap(slots, &mut self.renamed);
    }

    /// Groups of nodes in a class that have equal invariants and cannot all be exchanged without changing the state.
    fn open_ties(
        &mut self,
        compiled: &CompiledMachine<'_>,
        layout: &Layout,
        slots: &[i64],
        classes: &[Vec<u32>],
    ) -> Vec<Vec<u32>> {
        let mut open = Vec::new();
        for class in classes {
            let same = |a: &u32, b: &u32| {
                self.node_invariants[*a as usize] == self.node_invariants[*b as usize]
            };
            let ties = class.chunk_by(same).filter(|tie| tie.len() > 1);
            for tie in ties {
                let changes = tie.windows(2).any(|pair| {
                    self.to.clear();
                    self.to.extend(0..self.places.nodes as u32);
                    self.to.swap(pair[0] as usize, pair[1] as usize);
                    let (to, renamed) = (&self.to, &mut self.renamed);
                    self.places.renamed(compiled, layout, slots, to, renamed);
                    self.renamed != slots
                });
                if changes {
                    open.push(tie.to_vec());
                }
            }
        }
        open
    }

    /// Takes the least state over all orders of each tie. Keeps the state if there are more than [`MOST_TRIED`].
    fn try_orders(
        &mut self,
        compiled: &CompiledMachine<'_>,
        layout: &Layout,
        slots: &mut Vec<i64>,
        ties: &[Vec<u32>],
    ) {
        let orders = ties.iter().map(|tie| orders(tie.len()));
        let count = orders.fold(1usize, usize::saturating_mul);
        if ties.is_empty() || count > MOST_TRIED {
            return;
        }
        self.best.clear();
        for number in 0..count {
            self.to.clear();
            self.to.extend(0..self.places.nodes as u32);
            let mut rest = number;
            for tie in ties {
                let mut left = tie.clone();
                for node in tie {
                    let place = left.remove(rest % left.len());
                    rest /= left.len() + 1;
                    self.to[*node as usize] = place;
                }
            }
            self.try_one(compiled, layout, slots);
        }
        std::mem::swap(slots, &mut self.best);
    }
}

/// The number of orders of this many nodes (factorial, saturating).
pub(crate) fn orders(nodes: usize) -> usize {
    (2..=nodes).fold(1usize, usize::saturating_mul)
}
