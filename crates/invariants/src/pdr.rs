//! Property directed reachability: computes an inductive invariant, clause by clause, from the reasons why bad states
//! are unreachable.
//!
//! *Idea* (IC3: Bradley, 2011; PDR: Eén, Mishchenko, Brayton, 2011). Frame i is a set of clauses that hold in all
//! states reachable in at most i steps. As long as the last frame contains a bad state, PDR examines it: if it has a
//! predecessor in the previous frame, the predecessor must be blocked first; otherwise a part of it is excluded by a
//! clause that is inductive relative to the previous frame. Once the last frame contains no bad state, clauses are
//! pushed to later frames. If two consecutive frames are equal, they are an inductive invariant.
//!
//! *This implementation*. The initial states are given by a condition instead of a cube. A separate solver decides
//! whether a cube contains an initial state, unless a constant bit already excludes it. Predecessors are lifted by a
//! traversal of the gates ([`lift`]). All frames share one solver, which is rebuilt after too many activation literals
//! have been retired. Cubes are generalised by unsatisfiable cores and by dropping single literals. The known invariant
//! and the lemmas are assumed in every frame, but lifting may leave them: the additional states of a lifted cube are
//! unreachable.
//!
//! *Soundness.* Three kinds of queries check the invariant (`circuits::check_proof`). A run is computed from an initial state by
//! the inputs that were found; under these inputs every state of a lifted cube leads to the next cube.

use crate::frames::{Cube, Frames, Initial, Reply, Stopped};
use crate::lift::lift;
use crate::portfolio::Verdict;
use circuits::{Circuit, Clause, Moment, Proof, Trace, value_of};
use sat::{Lit, Solver};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A search for an inductive invariant or a run to a bad state.
pub struct Pdr<'c> {
    circuit: &'c Circuit,
    frames: Frames<'c>,
    initial: Initial<'c>,
}

/// A proof obligation: a cube from which a bad state is reachable and which must be blocked.
struct Obligation {
    cube: Cube,
    /// Under these inputs every state of the cube leads to the next cube, or is bad.
    inputs: Vec<bool>,
    /// The index of the next cube; `None` if the states of this cube are bad.
    leads_to: Option<usize>,
}

/// The result of blocking the bad states of the last frame.
enum Cleared {
    Clear,
    Reached(Trace),
    Stopped,
}

impl<'c> Pdr<'c> {
    /// Creates a search with frame 0 only.
    pub fn new(circuit: &'c Circuit, new_solver: &'c dyn Fn() -> Box<dyn Solver>) -> Pdr<'c> {
        Pdr {
            circuit,
            frames: Frames::new(circuit, new_solver),
            initial: Initial::new(circuit, new_solver()),
        }
    }

    /// The index of the last frame. All earlier frames contain no bad state.
    pub fn depth(&self) -> usize {
        self.frames.last()
    }

    /// Searches until there is a result or `stop` returns true. Returns `None` if stopped; the search can then be
    /// continued.
    pub fn work(&mut self, stop: &mut dyn FnMut() -> bool) -> Option<Verdict> {
        loop {
            match self.clear_last(stop) {
                Ok(Cleared::Clear) => {}
                Ok(Cleared::Reached(trace)) => return Some(Verdict::Fails(trace)),
                Ok(Cleared::Stopped) | Err(Stopped) => return None,
            }
            self.frames.add();
            match self.push(stop) {
                Ok(None) => {}
                Ok(Some(invariant)) => return Some(Verdict::Holds(Proof::Inductive(invariant))),
                Err(Stopped) => return None,
            }
        }
    }

    /// Blocks all bad states in the last frame, or finds a run to one.
    fn clear_last(&mut self, stop: &mut dyn FnMut() -> bool) -> Result<Cleared, Stopped> {
        loop {
            let last = self.frames.last();
            let moment = match self.frames.state_with(last, self.circuit.bad, stop) {
                Reply::No(_) => return Ok(Cleared::Clear),
                Reply::Stopped => return Ok(Cleared::Stopped),
                Reply::Yes(moment) => moment,
            };
            let keep = [self.circuit.constraint, self.circuit.bad];
            let cube = lift(self.circuit, &moment, &keep);
            if let Some(trace) = self.block(cube, moment.inputs, last, stop)? {
                return Ok(Cleared::Reached(trace));
            }
        }
    }

    /// Blocks a cube of bad states in a frame, after all cubes that lead to it. Returns a run to a bad state if one is
    /// found.
    fn block(
        &mut self,
        cube: Cube,
        inputs: Vec<bool>,
        frame: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Trace>, Stopped> {
        let mut all = vec![Obligation {
            cube,
            inputs,
            leads_to: None,
        }];
        if let Some(state) = self.initial.initial_state_in(&all[0].cube, stop)? {
            return Ok(Some(self.trace(state, &all, 0)));
        }
        let mut open = BinaryHeap::from([Reverse((frame, 0))]);
        while let Some(Reverse((frame, at))) = open.pop() {
            if !self.frames.is_blocked(&all[at].cube, frame) {
                match self.frames.predecessor_of(&all[at].cube, frame, stop) {
                    Reply::Stopped => return Err(Stopped),
                    Reply::Yes(moment) => {
                        let target = all[at].cube.iter();
                        let mut keep: Vec<Lit> = target.map(|l| self.frames.next(*l)).collect();
                        keep.push(self.circuit.constraint);
                        let cube = lift(self.circuit, &moment, &keep);
                        let before = all.len();
                        all.push(Obligation {
                            cube,
                            inputs: moment.inputs,
                            leads_to: Some(at),
                        });
                        if let Some(state) =
                            self.initial.initial_state_in(&all[before].cube, stop)?
                        {
                            return Ok(Some(self.trace(state, &all, before)));
                        }
                        open.push(Reverse((frame - 1, before)));
                        open.push(Reverse((frame, at)));
                        continue;
                    }
                    Reply::No(core) => {
                        let cube = self.generalise(&all[at].cube, core, frame, stop)?;
                        self.block_as_far_as_possible(cube, frame, stop)?;
                    }
                }
            }
            if frame < self.frames.last() {
                open.push(Reverse((frame + 1, at)));
            }
        }
        Ok(None)
    }

    /// Generalises a cube to a subset of its literals that still contains no initial state and still has no predecessor
    /// in the previous frame. Literals are dropped one by one.
    fn generalise(
        &mut self,
        cube: &Cube,
        core: Cube,
        frame: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Cube, Stopped> {
        let mut small = self.initial.keep_disjoint(cube, core, stop)?;
        // Literals of frozen variables are first in the order of the latches and are tried first: a clause without them
        // excludes more states.
        let mut candidates: Cube = small.iter().copied().rev().collect();
        while let Some(lit) = candidates.pop() {
            if small.len() == 1 {
                break;
            }
            let without: Cube = small.iter().copied().filter(|l| *l != lit).collect();
            if without.len() == small.len()
                || self.initial.initial_state_in(&without, stop)?.is_some()
            {
                continue;
            }
            match self.frames.predecessor_of(&without, frame, stop) {
                Reply::Stopped => return Err(Stopped),
                Reply::Yes(_) => {}
                Reply::No(core) => {
                    small = self.initial.keep_disjoint(&without, core, stop)?;
                    candidates.retain(|l| small.contains(l));
                }
            }
        }
        Ok(small)
    }

    /// Adds the clause that excludes the cube to the latest frame, from `frame` on, in which it holds.
    fn block_as_far_as_possible(
        &mut self,
        cube: Cube,
        mut frame: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(), Stopped> {
        while frame < self.frames.last() {
            match self.frames.predecessor_of(&cube, frame + 1, stop) {
                Reply::Stopped => {
                    self.frames.block(cube, frame);
                    return Err(Stopped);
                }
                Reply::Yes(_) => break,
                Reply::No(_) => frame += 1,
            }
        }
        self.frames.block(cube, frame);
        Ok(())
    }

    /// Pushes clauses to later frames. Returns the invariant if two consecutive frames are equal.
    fn push(&mut self, stop: &mut dyn FnMut() -> bool) -> Result<Option<Vec<Clause>>, Stopped> {
        for frame in 1..self.frames.last() {
            for cube in self.frames.only_in(frame) {
                match self.frames.predecessor_of(&cube, frame + 1, stop) {
                    Reply::Stopped => return Err(Stopped),
                    Reply::Yes(_) => {}
                    Reply::No(_) => self.frames.block(cube, frame + 1),
                }
            }
            if self.frames.only_in(frame).is_empty() {
                return Ok(Some(self.frames.clauses_from(frame + 1)));
            }
        }
        Ok(None)
    }

    /// The run from an initial state in the first cube through the following cubes to a bad state.
    fn trace(&self, state: Vec<bool>, all: &[Obligation], first: usize) -> Trace {
        let mut moments = Vec::new();
        let (mut latches, mut at) = (state, Some(first));
        while let Some(place) = at {
            let moment = Moment {
                latches,
                inputs: all[place].inputs.clone(),
            };
            let values = self.circuit.simulate(&moment);
            let next = self
                .circuit
                .latches
                .iter()
                .map(|l| value_of(&values, l.next));
            latches = next.collect();
            moments.push(moment);
            at = all[place].leads_to;
        }
        Trace { moments }
    }
}
