//! Temporal claims in the search: checked now and then during the search, and decided when all states are known.
//!
//! *When.* After the number of states that the budget gives, and whenever it has doubled. So all checks together cost
//! about twice the last one, a violation is found before the number of states that contain it has doubled, and the
//! moments depend only on the number of states: not on threads, time, or where an interrupted search resumed.
//!
//! *What.* Only violations. A check that finds nothing, or reaches a limit, has no effect.

use crate::defects::{Defect, broken};
use crate::graph::state_graph::Graph;
use crate::graph::witness;
use crate::liveness::claim::{self, Claim, Failure, Outcome};
use crate::properties::property::MonitoredProperty;
use crate::search::search_state::{Search, Stop};
use foldhash::HashMap;
use machine::Frozen;
use verdict::{Progress, Spent, Storage};

/// The approximate memory of the search for lassos per node of the product, in bytes.
const BYTES_PER_PRODUCT_NODE: u64 = 120;

/// The temporal claims about an instance.
#[derive(Default)]
pub(crate) struct TemporalClaims<'m> {
    /// By property, if it has been checked.
    claims: HashMap<usize, Claim<'m>>,
    /// The number of states at the next check.
    next: u32,
    /// A limit was reached: no check before the end.
    over: bool,
}

impl TemporalClaims<'_> {
    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        self.claims.values().map(Claim::memory).sum()
    }

    /// Whether a check is due at this number of visited states.
    fn is_due(&mut self, first: u32, states: u32) -> bool {
        self.next = self.next.max(first).max(1);
        while self.next < states && self.next < u32::MAX {
            self.next = self.next.saturating_mul(2);
        }
        self.next == states && !self.over
    }
}

impl<'a> Search<'a> {
    /// Whether a temporal claim is open and can be decided.
    pub(crate) fn temporal_open(&self) -> bool {
        let mut pairs = self.task.monitored.iter().zip(&self.results.found);
        self.results.findings.omission.is_none()
            && pairs.any(|(property_kind, found)| {
                matches!(property_kind, MonitoredProperty::Temporal(..)) && found.run.is_none()
            })
    }

    /// Before a state is visited: if a check is due, searches for violations through the earlier states. Returns the
    /// limit that is reached, except for memory: a check needs its memory only briefly, and the search continues
    /// without it.
    pub(crate) fn check_early(
        &mut self,
        graph: &mut Graph<'_>,
        frozen: &Frozen,
        (state, depth): (u32, u64),
    ) -> Option<Spent> {
        if !graph.transitions.keep
            || !self
                .instance
                .temporal_claims
                .is_due(self.task.budget.first_look(), state)
        {
            return None;
        }
        for p in 0..self.task.monitored.len() {
            let most = match self.task.budget.storage() {
                Storage::AsNeeded(most) => most,
                _ => u64::MAX,
            };
            let mut go_on = self.go_on_beside(self.progress(graph, state, depth), most);
            let Some(Ok(mut claim)) = self.claim(graph, p) else {
                continue; // the final check reports the reason
            };
            // Counters were within bounds, and no new state is visited.
            let out_of_bounds = graph.expander().layout.out_of_bounds.take();
            let found = claim.early(graph, state, self.task.question.fair, &mut go_on);
            graph.expander().layout.out_of_bounds.set(out_of_bounds);
            self.instance.temporal_claims.claims.insert(p, claim);
            if let Ok(Some(failure)) = found {
                self.keep_failure(graph, frozen, p, failure);
            } else if let Err(claim::Stop::Spent(spent)) = found {
                self.instance.temporal_claims.over = true;
                return (!matches!(spent, Spent::Memory(_))).then_some(spent);
            }
        }
        None
    }

    /// Decides a claim, if it is temporal and open; all states are known and counted.
    pub(crate) fn temporal(
        &mut self,
        graph: &mut Graph<'_>,
        frozen: &Frozen,
        p: usize,
    ) -> Result<(), Stop> {
        if broken(Defect::EarlyHolds) && self.instance.temporal_claims.claims.contains_key(&p) {
            return Ok(());
        }
        let Some(claim) = self.claim(graph, p) else {
            return Ok(());
        };
        let decided = claim.and_then(|mut claim| self.decided(graph, &mut claim));
        match decided {
            Ok(Outcome::Holds) => {}
            Ok(Outcome::Fails(failure)) => self.keep_failure(graph, frozen, p, failure),
            Ok(Outcome::Broken(state, missing)) => {
                let (condition, bound) = (&missing.condition, &missing.bound[..]);
                if self.results.found[p].error.is_none() {
                    let run = witness::to_no_value(graph, frozen, state, condition, bound);
                    self.keep(Some(run), |search| &mut search.results.found[p].error);
                }
            }
            Err(claim::Stop::OrderDependent) => return Err(Stop::OrderDependent),
            Err(claim::Stop::TooLarge(why)) => self.results.found[p].unknown = Some(why),
            Err(claim::Stop::Unsupported(why)) => return Err(Stop::Unsupported(why)),
            Err(claim::Stop::Spent(spent)) => {
                self.note_size(graph, &spent);
                let why = format!("{spent} while looking for runs that go on for ever");
                return Err(Stop::SpentBehind { why });
            }
        }
        Ok(())
    }

    /// Decides a claim. If memory does not suffice beside plain states, they are compressed, and the check is repeated.
    fn decided<'g>(
        &mut self,
        graph: &mut Graph<'g>,
        claim: &mut Claim<'_>,
    ) -> Result<Outcome<'g>, claim::Stop> {
        let mut progress = self.beside(graph, claim);
        if let Storage::AsNeeded(most) = self.task.budget.storage()
            && graph.store.can_compress()
        {
            let mut go_on = self.go_on_beside(progress, most);
            let decided = claim::check(
                claim,
                graph,
                (self.task.question.fair, self.instance.stubborn.as_deref()),
                &mut go_on,
            );
            let no_room = matches!(decided, Err(claim::Stop::Spent(Spent::Memory(_))));
            if !no_room || !self.compress_for(graph, u64::MAX) {
                return decided;
            }
            progress = self.beside(graph, claim);
        }
        let mut go_on = self.go_on_beside(progress, u64::MAX);
        claim::check(
            claim,
            graph,
            (self.task.question.fair, self.instance.stubborn.as_deref()),
            &mut go_on,
        )
    }

    /// The progress of the search when a claim is decided, including the memory of its letters. All states are counted.
    fn beside(&self, graph: &Graph<'_>, claim: &Claim<'_>) -> Progress {
        let progress = self.progress(graph, graph.store.len(), self.results.counts.depth);
        Progress {
            states: self.results.counts.states,
            memory: progress.memory + claim.memory(),
            ..progress
        }
    }

    /// A claim, if it is temporal and open.
    fn claim(&mut self, graph: &mut Graph<'_>, p: usize) -> Option<Result<Claim<'a>, claim::Stop>> {
        let MonitoredProperty::Temporal(formula, scope) = self.task.monitored[p] else {
            return None;
        };
        if self.results.found[p].run.is_some() || self.results.found[p].unknown.is_some() {
            return None;
        }
        match self.instance.temporal_claims.claims.remove(&p) {
            Some(claim) => Some(Ok(claim)),
            None => Some(Claim::new(graph, formula, scope)),
        }
    }

    fn keep_failure<'g>(
        &mut self,
        graph: &mut Graph<'g>,
        frozen: &Frozen,
        p: usize,
        mut failure: Failure<'g>,
    ) {
        let graph = match &mut failure.real {
            Some(real) => real,
            None => graph,
        };
        let run = witness::to_lasso(graph, frozen, &failure.lasso);
        self.instance.temporal_claims.claims.remove(&p);
        self.keep(Some(run), |search| &mut search.results.found[p].run);
    }

    /// Asks the budget now and then during a computation that needs memory beside that of the progress. If the total
    /// exceeds `most`, it ends without asking the budget: the states can be compressed.
    fn go_on_beside(
        &self,
        mut progress: Progress,
        most: u64,
    ) -> impl FnMut() -> Option<Spent> + use<'a> {
        let (mut asked, known, budget) = (0u64, progress.memory, self.task.budget);
        move || {
            asked += 1;
            if !asked.is_multiple_of(4096) {
                return None;
            }
            progress.memory = known + asked * BYTES_PER_PRODUCT_NODE;
            match progress.memory > most {
                true => Some(Spent::Memory("for states as they are".into())),
                false => budget.ask(&progress),
            }
        }
    }
}
