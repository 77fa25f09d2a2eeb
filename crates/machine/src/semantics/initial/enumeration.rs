//! Lazy enumeration of the initial states.
//!
//! *What.* Each part of an initial state (a variable of a node, an inbox from one sender) has a list of possible
//! values. A candidate takes one value for each part. The initial states are the candidates that the restrictions
//! allow, in lexicographic order. Each candidate has a number from which it can be reconstructed, so callers can store
//! numbers instead of states.
//!
//! *How.* The restrictions are split into conjuncts. A conjunct is evaluated as soon as all parts that it reads have
//! values (`restrictions.rs`). If it is false, all candidates with these values are skipped together. The original
//! restrictions are still evaluated for every remaining candidate.

use crate::semantics::initial::restrictions;
use crate::semantics::timers;
use crate::{Expr, InitialError, InitialPart, Instance, State, Value};

/// An iterator over the initial states. Each item is the result of one check: a state with its number, or `None` if the
/// restrictions exclude the checked candidates. Callers can therefore stop after every check, even if no candidate is
/// allowed.
#[derive(Clone, Debug)]
pub struct InitialStates<'a> {
    instance: Instance<'a>,
    parts: Vec<(InitialPart, Vec<Value>)>,
    /// Indexed by part: the conjuncts that read this part and otherwise only earlier parts.
    early: Vec<Vec<Expr>>,
    /// Indexed by part: the index of its current value.
    places: Vec<usize>,
    /// The first part whose current value is not yet in `state`; `None` if the enumeration is complete.
    changed: Option<usize>,
    state: State,
}

impl<'a> Instance<'a> {
    /// The initial states whose parts have values from the given lists. The parts must be those of
    /// [`Instance::initial_parts`], in the same order.
    pub fn initial_states_from(&self, parts: Vec<(InitialPart, Vec<Value>)>) -> InitialStates<'a> {
        let some = parts.iter().all(|(_, values)| !values.is_empty());
        let mut state = self.blank();
        for (part, values) in &parts {
            if let (InitialPart::Var(node, _), [first, ..]) = (part, &values[..]) {
                state.nodes[node.index()].vars.push(first.clone());
            }
        }
        // With a single candidate, pruning has no effect.
        let early = match some && parts.iter().any(|(_, values)| values.len() > 1) {
            true => restrictions::early_conjuncts(self, &parts),
            false => vec![Vec::new(); parts.len()],
        };
        InitialStates {
            instance: *self,
            early,
            places: vec![0; parts.len()],
            changed: some.then_some(0),
            parts,
            state,
        }
    }
}

impl InitialStates<'_> {
    /// Number of candidates; saturating. Candidates from number 2^64 on cannot be reconstructed.
    pub fn candidates(&self) -> u128 {
        let lengths = self.parts.iter().map(|(_, values)| values.len() as u128);
        lengths.fold(1, u128::saturating_mul)
    }

    /// The initial state with a number that the iterator returned.
    pub fn state_by_number(&self, number: u64) -> State {
        let mut other = self.clone();
        let mut rest = number;
        for (place, (_, values)) in other.places.iter_mut().zip(&self.parts).rev() {
            *place = (rest % values.len() as u64) as usize;
            rest /= values.len() as u64;
        }
        other.fill(0);
        match other.settled() {
            Ok(Some(state)) => state,
            other => unreachable!("it was an initial state: {other:?}"),
        }
    }

    /// Writes the current values of the parts with index at least `from`, and of all inboxes, into the state.
    fn fill(&mut self, from: usize) {
        let nodes = &mut self.state.nodes;
        for ((part, values), place) in self.parts.iter().zip(&self.places).skip(from) {
            if let InitialPart::Var(node, var) = part {
                nodes[node.index()].vars[*var].clone_from(&values[*place]);
            }
        }
        let inboxes = self.parts.iter().zip(&self.places);
        let inboxes = inboxes.filter(|((part, _), _)| matches!(part, InitialPart::Inbox(..)));
        if inboxes.clone().next().is_some() {
            nodes.iter_mut().for_each(|node| node.inbox.clear());
        }
        for ((part, values), place) in inboxes {
            if let (InitialPart::Inbox(to, from), Value::Some(message)) = (part, &values[*place]) {
                let kept = self.instance.machine.inbox;
                nodes[to.index()].store(kept, *from, (**message).clone());
            }
        }
    }

    /// The initial state of the current candidate; `None` if the restrictions exclude the candidate.
    fn settled(&mut self) -> Result<Option<State>, InitialError> {
        let restricted = !self.instance.machine.initially.is_empty();
        if restricted && !self.instance.assign_off_nodes(&mut self.state)? {
            return Ok(None);
        }
        let mut state = self.state.clone();
        timers::update_pending(&self.instance, &mut state)?;
        Ok(Some(state))
    }

    fn number(&self) -> u64 {
        let places = self.parts.iter().zip(&self.places);
        places.fold(0, |all: u64, ((_, values), place)| {
            all.wrapping_mul(values.len() as u64)
                .wrapping_add(*place as u64)
        })
    }

    /// Moves to the next candidate that differs from the current one in the first `parts` parts.
    fn advance(&mut self, parts: usize) {
        let more = |part: &usize| self.places[*part] + 1 < self.parts[*part].1.len();
        self.changed = (0..parts).rfind(more);
        if let Some(part) = self.changed {
            self.places[part] += 1;
            self.places[part + 1..].fill(0);
        }
    }
}

impl Iterator for InitialStates<'_> {
    type Item = Result<Option<(u64, State)>, InitialError>;

    fn next(&mut self) -> Option<Self::Item> {
        cancellation::poll();
        let changed = self.changed?;
        self.fill(changed);
        for part in changed..self.parts.len() {
            let allows = |condition| restrictions::allows(&self.instance, &self.state, condition);
            if !self.early[part].iter().all(allows) {
                self.advance(part + 1);
                return Some(Ok(None));
            }
        }
        let number = self.number();
        let settled = self.settled();
        self.advance(self.parts.len());
        Some(settled.map(|state| state.map(|state| (number, state))))
    }
}
