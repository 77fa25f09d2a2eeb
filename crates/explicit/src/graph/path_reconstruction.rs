//! The way back to states of which only hashes are kept.
//!
//! From whom each was found is known by number, and of each number eight bits of the hash. So from the initial state on, those that
//! may be the next one are found by the events of those that may be the one before; at the end is a state that is known.
//! There is always a way, since there was one; a wrong one that comes to the same state by as many events is as good.

use crate::graph::state_graph::Graph;
use crate::store::visited_set::VisitedSet;

impl Graph<'_> {
    /// Makes the states of a way known again, the last of which is; each was found from the one before, the first is initial.
    pub(crate) fn reconstruct_path(&mut self, states: &[u32]) {
        let Some(hashes) = self.store.hashes() else {
            return;
        };
        hashes.forget_again();
        // By event: the states that may be there, each with its place among those before.
        let mut levels = vec![vec![(self.initial_parts(states[0]), 0)]];
        // There was room on the way here, whatever comes next.
        let out_of_bounds = self.expander().layout.out_of_bounds.take();
        for pair in states.windows(2) {
            let level = levels.last().expect("there is one").clone();
            let mut next: Vec<(Vec<u32>, usize)> = Vec::new();
            let known = self.knows(pair[1]).then(|| self.components_of(pair[1]));
            for (place, (parts, _)) in level.iter().enumerate() {
                self.is_again(pair[0], parts);
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
            self.is_again(*state, parts);
            place = *from;
        }
        self.put_back();
    }

    /// Whether the row of a state is still there.
    fn knows(&mut self, state: u32) -> bool {
        let hashes = self.store.hashes();
        hashes.is_some_and(|hashes| hashes.get(state).is_some())
    }

    /// Whether a state can be this one.
    fn can_be(&mut self, state: u32, parts: &[u32]) -> bool {
        let hash = VisitedSet::hash(parts);
        let hashes = self.store.hashes();
        hashes.is_some_and(|hashes| hashes.can_be(state, hash))
    }

    /// A state is this one, until another is.
    fn is_again(&mut self, state: u32, parts: &[u32]) {
        self.put_back();
        if let Some(hashes) = self.store.hashes() {
            hashes.found_again(state, parts.to_vec());
        }
    }

    /// The parts of an initial state.
    fn initial_parts(&mut self, number: u32) -> Vec<u32> {
        let state = self.initial_state(number);
        let out_of_bounds = self.expander().layout.out_of_bounds.take();
        let parts = self.components_of_initial(&state);
        self.expander().layout.out_of_bounds.set(out_of_bounds);
        parts.expect("there was room for it")
    }
}
