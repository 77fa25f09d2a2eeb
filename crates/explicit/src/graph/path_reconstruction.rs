//! Path reconstruction under hash compaction.
//!
//! Hash compaction keeps the number of the predecessor and eight bits of the hash of each state, but not the states
//! themselves. Reconstruction computes candidates level by level, beginning with the initial state: the candidates for
//! a state of the path are the successors of the candidates for its predecessor whose hash agrees in the eight bits. If
//! the row of a state is still stored (always for the last state), the only candidate is that state. At least one path
//! exists, because the search took it. A different path of the same length to the same last state is equally valid.

use crate::graph::state_graph::Graph;
use crate::store::visited_set::VisitedSet;

impl Graph<'_> {
    /// Reconstructs the states of a path under hash compaction; does nothing with an exact visited set. The first state
    /// must be initial, each other one a successor of the one before, and the row of the last one still stored.
    pub(crate) fn reconstruct_path(&mut self, states: &[u32]) {
        let Some(hashes) = self.store.hashes() else {
            return;
        };
        hashes.clear_reconstructed();
        // By level: the candidates, each with the index of its predecessor in the level before.
        let mut levels = vec![vec![(self.initial_parts(states[0]), 0)]];
        // The search has checked that counters stay within bounds on this path.
        let out_of_bounds = self.expander().layout.out_of_bounds.take();
        for pair in states.windows(2) {
            let level = levels.last().expect("there is one").clone();
            let mut next: Vec<(Vec<u32>, usize)> = Vec::new();
            let known = self.knows(pair[1]).then(|| self.components_of(pair[1]));
            for (place, (parts, _)) in level.iter().enumerate() {
                self.assume(pair[0], parts);
                self.each_transition(pair[0], &mut |graph, transition| {
                    let Some((target, _)) = transition.target else {
                        return true;
                    };
                    let fits = match &known {
                        Some(parts) => target == parts,
                        None => graph.can_be(pair[1], target),
                    };
                    if fits && !next.iter().any(|(known, _)| known == target) {
                        next.push((target.to_vec(), place));
                    }
                    true
                });
            }
            levels.push(next);
        }
        self.expander().layout.out_of_bounds.set(out_of_bounds);
        let mut place = 0;
        for (level, state) in levels.iter().zip(states).rev() {
            let (parts, from) = &level[place];
            self.assume(*state, parts);
            place = *from;
        }
        self.put_back();
    }

    /// Whether the row of a state is still stored.
    fn knows(&mut self, state: u32) -> bool {
        let hashes = self.store.hashes();
        hashes.is_some_and(|hashes| hashes.get(state).is_some())
    }

    /// Whether the stored eight bits of the hash of a state agree with these components.
    fn can_be(&mut self, state: u32, parts: &[u32]) -> bool {
        let hash = VisitedSet::hash(parts);
        let hashes = self.store.hashes();
        hashes.is_some_and(|hashes| hashes.can_be(state, hash))
    }

    /// Stores these components as those of a state, for the expansion of its successors.
    fn assume(&mut self, state: u32, parts: &[u32]) {
        self.put_back();
        if let Some(hashes) = self.store.hashes() {
            hashes.insert_reconstructed(state, parts.to_vec());
        }
    }

    /// The components of an initial state.
    fn initial_parts(&mut self, number: u32) -> Vec<u32> {
        let state = self.initial_state(number);
        let out_of_bounds = self.expander().layout.out_of_bounds.take();
        let parts = self.components_of_initial(&state);
        self.expander().layout.out_of_bounds.set(out_of_bounds);
        parts.expect("there was room for it")
    }
}
