//! Unfolding: converts a run through canonical forms to a run through real states.
//!
//! Permutations of nodes preserve transitions. So each real state on the way has an event to some state whose canonical
//! form is the next state of the run; [`Graph::unfold_step`] finds it among all events of the real state. After one
//! round of a cycle, nodes may be permuted. The cycle is repeated until the real states repeat.

use crate::abstraction::decisions::{Decision, PossibleValues};
use crate::defects::{Defect, broken};
use crate::events::interpreter_state::choice_of;
use crate::graph::state_graph::Graph;
use crate::graph::witness::{Lasso, Step};
use machine::{Choice, Type};

impl<'a> Graph<'a> {
    /// Whether states are canonical forms, so that runs have to be unfolded.
    pub(crate) fn is_folded(&self) -> bool {
        self.is_up_to_symmetry() && !broken(Defect::RunsNotUnfolded)
    }

    /// A graph of real states, which contains a real initial state for each of these canonical initial states.
    pub(crate) fn real(&mut self, initial: &[u32]) -> Graph<'a> {
        let expander = self.expander();
        let mut real = Graph::new(
            self.compiled,
            expander.layout.clone(),
            expander.frozen.to_vec(),
            PossibleValues::default(),
            self.initial_states.clone(),
            false,
        );
        real.expander().layout.out_of_bounds.take(); // the search has checked the bounds
        for initial in initial {
            let state = self.initial_state(*initial);
            real.add_initial(self.initial[*initial as usize], &state);
        }
        real
    }

    /// Adds to `real` a transition from the real state `from` to a state whose canonical form is `to`.
    fn unfold_step(&mut self, real: &mut Graph<'a>, from: u32, to: u32) -> Step {
        let wanted = self.components_of(to);
        let found = real
            .all_targets(from)
            .into_iter()
            .find_map(|(parts, label)| {
                let parts = parts?;
                (self.fold(real, &parts) == wanted).then_some((parts, label))
            });
        let (target, label) = found.expect("a state that stands for others has their events");
        let (to, new) = real.store.insert(&target);
        real.predecessors.revisit(from);
        if new {
            real.predecessors.found();
        }
        real.predecessors.visited();
        Step { from, to, label }
    }

    /// The transitions of a state: the components of the target (`None` if the event is an error), and the label
    /// number.
    pub(crate) fn all_targets(&mut self, state: u32) -> Vec<(Option<Vec<u32>>, u32)> {
        let mut found = Vec::new();
        self.each_transition(state, &mut |graph, transition| {
            let target = transition.target.map(|(parts, _)| parts.to_vec());
            found.push((target, graph.label(transition)));
            true
        });
        found
    }

    /// A path of real states for a path of canonical forms from an initial state, in a new graph.
    pub(crate) fn unfold(&mut self, states: &[u32]) -> (Graph<'a>, Vec<u32>) {
        let mut real = self.real(&states[..1]);
        let mut found = vec![0];
        for to in &states[1..] {
            let step = self.unfold_step(&mut real, found[found.len() - 1], *to);
            found.push(step.to);
        }
        (real, found)
    }

    /// A lasso of real states for a lasso of canonical forms, in a new graph.
    pub(crate) fn unfold_lasso(&mut self, lasso: &Lasso) -> (Graph<'a>, Lasso) {
        let mut real = self.real(&[lasso.initial]);
        let mut at = 0;
        let mut along = |graph: &mut Self, steps: &[Step]| -> Vec<Step> {
            let mut found = Vec::with_capacity(steps.len());
            for step in steps {
                let real_step = graph.unfold_step(&mut real, at, step.to);
                at = real_step.to;
                found.push(real_step);
            }
            found
        };
        let mut stem = along(self, &lasso.stem);
        let mut rounds: Vec<Vec<Step>> = Vec::new();
        while !lasso.cycle.is_empty() {
            let round = along(self, &lasso.cycle);
            let end = round[round.len() - 1].to;
            rounds.push(round);
            let back = rounds.iter().position(|round| round[0].from == end);
            let back = back.or(broken(Defect::LoopsNotUnfolded).then_some(0));
            if let Some(back) = back {
                stem.extend(rounds.drain(..back).flatten());
                break;
            }
        }
        let lasso = Lasso {
            initial: 0,
            stem,
            cycle: rounds.into_iter().flatten().collect(),
        };
        (real, lasso)
    }

    /// The first event of a state that is an error: choices, types of the chosen values, decisions.
    pub(crate) fn first_error(&mut self, state: u32) -> (Vec<Choice>, Vec<Type>, Vec<Decision>) {
        let mut found = None;
        self.each_transition(state, &mut |graph, transition| {
            if transition.target.is_none() {
                let types = transition.effects.chosen.clone();
                let picks = &transition.picks[..types.len()];
                let choice = choice_of(graph.compiled, transition.event, picks, &types);
                found = Some((vec![choice], types, Vec::new()));
            }
            found.is_none()
        });
        found.expect("a state for which one with an error stands")
    }
}
