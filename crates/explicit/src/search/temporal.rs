//! Temporal claims in the search: early checks on the part of the graph explored so far, and the decision on the
//! complete graph.
//!
//! *Schedule.* The first early check happens at the number of states that the budget gives, and the next ones whenever
//! this number has doubled. So all early checks together cost about twice the last one, and a violation is found before
//! the number of states has doubled since the graph contains it. The schedule depends only on the number of states: not
//! on threads, time, or where an interrupted search resumed.
//!
//! *Effect.* Only violations are recorded. An early check that finds none, or that exceeds the memory limit, does not
//! change the results.

use crate::defects::{Defect, broken};
use crate::graph::state_graph::Graph;
use crate::graph::witness;
use crate::liveness::claim::{self, Claim, Failure, Outcome};
use crate::properties::property::MonitoredProperty;
use crate::search::search_state::{Search, Stop};
use foldhash::HashMap;
use machine::Frozen;
use verdict::{Cause, Progress, Reason, Spent, Storage};

/// The approximate memory of the search for accepting components, in bytes per state of the product.
const BYTES_PER_PRODUCT_NODE: u64 = 120;

/// The temporal claims of an instance, and the schedule of early checks.
#[derive(Default)]
pub(crate) struct TemporalClaims<'m> {
    /// By property: the claim, if it has been translated.
    claims: HashMap<usize, Claim<'m>>,
    /// The number of states at the next early check.
    next: u32,
    /// Whether early checks are abandoned because one reached a limit.
    over: bool,
}

impl TemporalClaims<'_> {
    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        self.claims.values().map(Claim::memory).sum()
    }

    /// Whether an early check is due at this number of visited states. `first` is the number of states at the first
    /// one.
    fn is_due(&mut self, first: u32, states: u32) -> bool {
        self.next = self.next.max(first).max(1);
        while self.next < states && self.next < u32::MAX {
            self.next = self.next.saturating_mul(2);
        }
        self.next == states && !self.over
    }
}

impl<'a> Search<'a> {
    /// Whether a temporal claim is undecided and the search can decide it.
    pub(crate) fn temporal_open(&self) -> bool {
        let mut pairs = self
            .task
            .properties
            .monitored
            .iter()
            .zip(&self.results.found);
        self.results.findings.omission.is_none()
            && pairs.any(|(property_kind, found)| {
                matches!(property_kind, MonitoredProperty::Temporal(..)) && found.run.is_none()
            })
    }

    /// Called before a state is visited. If an early check is due, searches for violations through the states before
    /// it. Returns the limit that the check reached, if any. A memory limit is not returned: the check needs its memory
    /// only temporarily, so the search continues without further checks. An error if the search cannot decide a claim.
    pub(crate) fn check_early(
        &mut self,
        graph: &mut Graph<'_>,
        frozen: &Frozen,
        (state, depth): (u32, u64),
    ) -> Result<Option<Spent>, Stop> {
        if !graph.transitions.keep
            || !self
                .instance
                .temporal_claims
                .is_due(self.task.budget.first_look(), state)
        {
            return Ok(None);
        }
        for p in 0..self.task.properties.monitored.len() {
            let most = match self.task.budget.storage() {
                Storage::AsNeeded(most) => most,
                _ => u64::MAX,
            };
            let mut go_on = self.go_on_beside(self.progress(graph, state, depth), most);
            let Some(Ok(mut claim)) = self.claim(graph, p) else {
                continue; // the final check reports the reason
            };
            // The states are within the counter bounds, and no new state is visited.
            let out_of_bounds = graph.expander().layout.out_of_bounds.take();
            let found = claim.early(graph, state, self.task.question.fair, &mut go_on);
            graph.expander().layout.out_of_bounds.set(out_of_bounds);
            self.instance.temporal_claims.claims.insert(p, claim);
            match found {
                Ok(Some(failure)) => self.keep_failure(graph, frozen, p, failure),
                Err(claim::Stop::Spent(spent)) => {
                    self.instance.temporal_claims.over = true;
                    return Ok((!matches!(spent, Spent::Memory(_))).then_some(spent));
                }
                Err(claim::Stop::OnlyFair) => return Err(Stop::OnlyFair),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Decides a property on the complete graph, if it is an open temporal claim.
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
            Err(claim::Stop::OnlyFair) => return Err(Stop::OnlyFair),
            Err(claim::Stop::TooLarge(why)) => {
                self.results.found[p].unknown = Some(Reason::TooLarge(why))
            }
            Err(claim::Stop::Unsupported(why)) => return Err(Stop::Unsupported(why)),
            Err(claim::Stop::Spent(spent)) => {
                self.note_size(graph, &spent);
                let cause = Cause::LimitInInfiniteRuns(spent);
                return Err(Stop::SpentBehind { cause });
            }
        }
        Ok(())
    }

    /// Decides a claim. If memory does not suffice for plain states and the check together, the states are compressed
    /// and the check is repeated.
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

    /// The progress when a claim is decided. Its memory includes the letters of the claim, and all states of the graph
    /// are already included in the counts.
    fn beside(&self, graph: &Graph<'_>, claim: &Claim<'_>) -> Progress {
        let progress = self.progress(graph, graph.store.len(), self.results.counts.depth);
        Progress {
            states: self.results.counts.states,
            memory: progress.memory + claim.memory(),
            ..progress
        }
    }

    /// The translated claim, if the property is an open temporal claim.
    fn claim(&mut self, graph: &mut Graph<'_>, p: usize) -> Option<Result<Claim<'a>, claim::Stop>> {
        let MonitoredProperty::Temporal(formula, scope) = self.task.properties.monitored[p] else {
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

    /// A function that checks the budget at every 4096th call. The memory of the computation is estimated from the
    /// number of calls and added to that in `progress`. If the total exceeds `most`, the function reports a memory
    /// limit without checking the budget; the caller can then compress the states.
    fn go_on_beside(
        &self,
        mut progress: Progress,
        most: u64,
    ) -> impl FnMut() -> Option<Spent> + use<'a> {
        let (mut asked, known, budget) = (0u64, progress.memory, self.task.budget);
        move || {
            asked += 1;
            if !asked.is_multiple_of(4096) && !cancellation::is_cancelled() {
                return None;
            }
            progress.memory = known + asked * BYTES_PER_PRODUCT_NODE;
            match progress.memory > most {
                true => Some(Spent::Memory(most)),
                false => budget.ask(&progress),
            }
        }
    }
}
