//! Several desks at work on one level of the search, with the same outcome as one.
//!
//! Work goes in rounds. States of a level are divided among the desks in order, and each computes what is behind its states
//! (`mate.rs`). That is looked up in what was visited before; nobody changes that meanwhile. What is not found there
//! (`claims.rs`) is then taken into the graph by one hand, in the order of states, while the other desks begin with the next round. A
//! state in which there is something to see, or whose transitions are an error or none, is only pointed out, and visited anew by
//! that hand as if there had been one desk. So numbers of states, runs and counts do not depend on how many desks there are.

use crate::graph::state_graph::Graph;
use crate::parallel::batch::Round;
use crate::parallel::batch_result::Sheet;
use crate::parallel::event_labels::EventLabels;
use crate::parallel::explorer::{Job, Mate};
use crate::parallel::worker::Worker;
use crate::properties::monitor::Lookout;
use crate::properties::property_cache::Glances;
use crate::store::pending_inserts::Claims;
use std::mem::{replace, take};
use std::ops::Range;
use std::sync::Arc;
use std::thread::Scope;
use verdict::Budget;

/// States for one desk alone at a time.
const ALONE: u32 = 128;

/// So many shares there are for each of several desks.
const SHARES: usize = 32;

/// However many desks there are.
const MOST_SHEETS: usize = 256;

/// Fewer states are not worth a sheet.
const FEWEST: u32 = 16;

/// What is on all sheets should not have many more bytes than this.
const ROUND: u64 = 1 << 25;

/// Who works ahead sees values as they were before. So many bytes of them may be copied if there are new ones.
const FEW_VALUES: u64 = 1 << 20;

/// So often somebody looks for something to do before he falls asleep.
const AWAKE: u32 = 4096;

/// The desks beside that of the graph.
pub(crate) struct Crew<'s, 'e, 'a> {
    scope: &'s Scope<'s, 'e>,
    /// The first is at work here, the others wait until there is enough for them to do.
    mates: Vec<Mate<'a>>,
    workers: Vec<Worker<'a>>,
    /// By desk.
    labels: Vec<EventLabels>,
    claims: Vec<Claims>,
    round: Round<'a>,
    /// The next round, if somebody has begun with it.
    ahead: Option<Arc<Round<'a>>>,
    /// One that is over.
    spare: Round<'a>,
    /// How many sheets there are for a round.
    sheets: u32,
    /// States for one desk at a time: enough that it pays to hand them out, and few enough that what is found stays at hand.
    each: u32,
    /// Fewer states than this are for one desk, without another thread.
    too_few: usize,
}

impl<'s, 'e, 'a: 's> Crew<'s, 'e, 'a> {
    /// So many desks; one, if there is to be only one, where it is faster to look up many states together. None otherwise, and
    /// where not all events are followed.
    pub(crate) fn new(
        scope: &'s Scope<'s, 'e>,
        graph: &Graph<'a>,
        budget: &dyn Budget,
        make_glances: &dyn Fn() -> Option<Glances>,
    ) -> Option<Crew<'s, 'e, 'a>> {
        let (count, stride) = (budget.threads().max(1), budget.stride());
        let pays = count > 1 || graph.learns();
        let (sheets, each, too_few) = match count {
            1 => (1, ALONE.min(stride).max(1), 1),
            _ => (
                (SHARES * count).min(MOST_SHEETS) as u32,
                (stride / 8).max(1),
                (stride as usize / 2).max(1),
            ),
        };
        (pays && graph.partial.is_none()).then(|| Crew {
            scope,
            mates: (0..count)
                .map(|_| Mate::new(graph, make_glances()))
                .collect(),
            workers: Vec::new(),
            labels: (0..count).map(|_| EventLabels::default()).collect(),
            claims: (0..count).map(|_| Claims::default()).collect(),
            round: Round::default(),
            ahead: None,
            spare: Round::default(),
            sheets,
            each,
            too_few,
        })
    }

    /// Looks behind states from the first on, as many as there are sheets for, and says up to which.
    pub(crate) fn work(
        &mut self,
        graph: &mut Graph<'a>,
        states: Range<u32>,
        lookout: impl FnOnce() -> Lookout<'a>,
    ) -> u32 {
        let round = match self.ahead.take() {
            Some(round) if round.job.fits(graph, states.start) => round,
            other => {
                if let Some(other) = other {
                    other.close(|sheet| learn_events(&mut self.labels, sheet));
                }
                Arc::new(self.plan(graph, states, lookout()))
            }
        };
        let round = self.finish(graph, round);
        self.spare = replace(&mut self.round, round);
        self.round.job.tables = Arc::default(); // so that nobody must copy them to change them
        for sheet in self.round.sheets() {
            learn_events(&mut self.labels, sheet);
        }
        self.round.job.states.end
    }

    /// Does what is left of a round. Meanwhile the states visited so far belong to all.
    fn finish(&mut self, graph: &mut Graph<'a>, round: Arc<Round<'a>>) -> Round<'a> {
        if round.len() > 1 {
            self.call_workers();
        }
        // With one sheet there is something for one desk only.
        let workers = &self.workers[..if round.len() > 1 {
            self.workers.len()
        } else {
            0
        }];
        let store = Arc::new(take(&mut graph.store));
        for (worker, claims) in workers.iter().zip(&mut self.claims[1..]) {
            worker.finish(&round, &store, take(claims));
        }
        round.finish(0, &mut self.mates[0], &store, &mut self.claims[0]);
        for (worker, claims) in workers.iter().zip(&mut self.claims[1..]) {
            *claims = worker.claims();
        }
        graph.store = Arc::into_inner(store).expect("everybody has given it back");
        Arc::into_inner(round).expect("everybody is done with it")
    }

    /// From now on there is enough to do for all.
    fn call_workers(&mut self) {
        // Where desks have to share cores nobody should be in the way of others.
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let awake = if self.labels.len() > cores { 0 } else { AWAKE };
        for mate in self.mates.drain(1..) {
            let desk = self.workers.len() + 1;
            self.workers
                .push(Worker::new(self.scope, desk, mate, awake));
        }
    }

    /// What is to be done behind states from the first on.
    fn plan(&mut self, graph: &Graph<'a>, states: Range<u32>, lookout: Lookout<'a>) -> Round<'a> {
        let sheets = match states.len() < self.too_few {
            true => 1,
            false => self.sheets,
        };
        let words = graph.store.words();
        let visited = u64::from(graph.lineage.visits()).max(1);
        let bytes = (graph.transitions.count / visited + 1) * (words as u64 + 3) * 8;
        let most = (ROUND / u64::from(sheets) / bytes).clamp(1, u64::from(self.each)) as u32;
        let rounds = (states.len() as u32).div_ceil(sheets * most).max(1);
        let each = (states.len() as u32).div_ceil(sheets * rounds);
        let each = each.max(FEWEST).min(most);
        let states = states.start..states.end.min(states.start + sheets * each);
        let mut old = take(&mut self.spare);
        let (mut rows, mut hashes) = (take(&mut old.job.rows), take(&mut old.job.hashes));
        rows.clear();
        hashes.clear();
        let store = &graph.store;
        store.read_rows(states.clone(), &mut rows, &mut hashes);
        let job = Job {
            states,
            each,
            shape: graph.store.shape(),
            tables: graph.tables(),
            words,
            rows,
            hashes,
            lookout,
            keeps: graph.transitions.keep,
        };
        Round::new(job, old)
    }

    /// Whether to look behind the next states while what was found is taken in.
    pub(crate) fn goes_ahead(&mut self, graph: &Graph<'a>, next: &Range<u32>) -> bool {
        let many = next.len() >= 4 * self.too_few;
        let several = !self.workers.is_empty() && self.round.len() > 1 && many;
        let mut quiet = || self.round.sheets().all(|sheet| sheet.is_quiet());
        several && (graph.tables.memory() < FEW_VALUES || quiet())
    }

    /// Does something with what was found, while others look behind the states that come next, if that is wanted.
    pub(crate) fn take_in<R>(
        &mut self,
        graph: &mut Graph<'a>,
        ahead: Option<(Range<u32>, Lookout<'a>)>,
        mut take_in: impl FnMut(&mut Graph<'a>, &mut Sheet, &mut EventLabels, &mut Claims) -> Option<R>,
    ) -> Option<R> {
        let ahead = ahead.map(|(next, lookout)| self.plan(graph, next, lookout));
        self.ahead = ahead.filter(|round| round.len() > 1).map(Arc::new);
        if let Some(ahead) = &self.ahead {
            self.workers
                .iter()
                .for_each(|worker| worker.go_ahead(ahead));
        }
        let (labels, claims) = (&mut self.labels[..], &mut self.claims[..]);
        let mut sheets = self.round.sheets();
        let result = sheets.find_map(|sheet| {
            let (labels, claims) = (&mut labels[sheet.by], &mut claims[sheet.claimed_by]);
            take_in(graph, sheet, labels, claims)
        });
        if let Some(ahead) = &self.ahead {
            ahead.stop_ahead();
        }
        result
    }
}

/// Takes note of events that are on a sheet.
fn learn_events(labels: &mut [EventLabels], sheet: &mut Sheet) {
    if !sheet.met.is_empty() {
        labels[sheet.by].learn(sheet.met_before, sheet.met.drain(..));
    }
}

impl Job<'_> {
    /// Whether it is about states from this one on, as they are kept now.
    fn fits(&self, graph: &Graph<'_>, state: u32) -> bool {
        self.states.start == state && graph.store.is_like(&self.shape)
    }
}
