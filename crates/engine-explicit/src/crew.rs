//! Several desks at work on one level of the search, with the same outcome as one.
//!
//! Work goes in rounds. States of a level are divided among the desks in order, and each computes what is behind its states
//! (`mate.rs`). That is looked up in what was visited before; nobody changes that meanwhile. What is not found there
//! (`claims.rs`) is then taken into the graph by one hand, in the order of states, while the other desks begin with the next round. A
//! state in which there is something to see, or whose transitions are an error or none, is only pointed out, and visited anew by
//! that hand as if there had been one desk. So numbers of states, runs and counts do not depend on how many desks there are.

use crate::claims::Claims;
use crate::events::Labels;
use crate::glance::Glances;
use crate::graph::Graph;
use crate::lookout::Lookout;
use crate::mate::{Job, Mate};
use crate::sheet::Sheet;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
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

/// The desks beside that of the graph.
pub(crate) struct Crew<'a> {
    mates: Vec<Mate<'a>>,
    /// By desk.
    labels: Vec<Labels>,
    claims: Vec<Claims>,
    sheets: Vec<Sheet>,
    /// How many of them are in use.
    used: usize,
    /// Sheets of the next round, some of which may be done.
    ahead: Vec<Sheet>,
    /// What the next round is about, if somebody has begun with it.
    begun: Option<Job<'a>>,
    /// Room for the rows of a job and their hashes.
    spare: (Vec<u64>, Vec<u64>),
    /// States for one desk at a time: enough that it pays to hand them out, and few enough that what is found stays at hand.
    each: u32,
    /// Fewer states than this are for one desk, without another thread.
    too_few: usize,
}

impl<'a> Crew<'a> {
    /// So many desks; one, if there is to be only one, where it is faster to look up many states together. None otherwise, and
    /// where not all events are followed.
    pub(crate) fn new(
        graph: &Graph<'a>,
        budget: &dyn Budget,
        make_glances: &dyn Fn() -> Option<Glances>,
    ) -> Option<Crew<'a>> {
        let (count, stride) = (budget.threads().max(1), budget.stride());
        let pays = count > 1 || graph.learns();
        let (sheets, each, too_few) = match count {
            1 => (1, ALONE.min(stride).max(1), 1),
            _ => (
                (SHARES * count).min(MOST_SHEETS),
                (stride / 8).max(1),
                (stride as usize / 2).max(1),
            ),
        };
        let some = || (0..sheets).map(|_| Sheet::default()).collect();
        (pays && graph.reduction.is_none()).then(|| Crew {
            mates: (0..count)
                .map(|_| Mate::new(graph, make_glances()))
                .collect(),
            labels: (0..count).map(|_| Labels::default()).collect(),
            claims: (0..count).map(|_| Claims::default()).collect(),
            sheets: some(),
            used: 0,
            ahead: some(),
            begun: None,
            spare: Default::default(),
            each,
            too_few,
        })
    }

    /// Looks behind states from the first on, as many as there are sheets for, and says up to which.
    pub(crate) fn work(
        &mut self,
        graph: &Graph<'a>,
        states: Range<u32>,
        lookout: impl FnOnce() -> Lookout<'a>,
    ) -> u32 {
        let begun = self.begun.take();
        if begun.is_some() {
            std::mem::swap(&mut self.sheets, &mut self.ahead);
        }
        let job = match begun {
            Some(job) if job.fits(graph, states.start) => job,
            other => {
                if other.is_some() {
                    self.learn_events();
                }
                self.job(graph, states, lookout())
            }
        };
        self.used = job.sheets();
        let store = &graph.store;
        let sheets = Mutex::new(self.sheets[..self.used].iter_mut().enumerate());
        let next = || sheets.lock().expect("nobody falls over").next();
        let desks = self.mates.iter_mut().zip(&mut self.claims);
        let desks = desks.take(if self.used == 1 { 1 } else { usize::MAX });
        // Whoever is done with one sheet takes the next one: which desk it was makes no difference.
        for_each(desks, |desk, (mate, claims)| {
            claims.begin(store);
            while let Some((number, sheet)) = next() {
                if !std::mem::take(&mut sheet.done) {
                    sheet.by = desk;
                    mate.work(&job, job.share(number), sheet);
                }
                sheet.claimed_by = desk;
                sheet.look_up(store, claims, job.keeps);
            }
        });
        self.learn_events();
        self.spare = (job.rows, job.hashes);
        job.states.end
    }

    /// Takes note of events that are on the sheets.
    fn learn_events(&mut self) {
        for sheet in &mut self.sheets {
            sheet.done = false;
            self.labels[sheet.by].learn(sheet.met.drain(..));
        }
    }

    /// What is to be done behind states from the first on.
    fn job(&mut self, graph: &Graph<'a>, states: Range<u32>, lookout: Lookout<'a>) -> Job<'a> {
        let sheets = match states.len() < self.too_few {
            true => 1,
            false => self.sheets.len() as u32,
        };
        let words = graph.store.words();
        let visited = u64::from(graph.lineage.visits()).max(1);
        let bytes = (graph.transitions / visited + 1) * (words as u64 + 3) * 8;
        let most = (ROUND / u64::from(sheets) / bytes).clamp(1, u64::from(self.each)) as u32;
        let rounds = (states.len() as u32).div_ceil(sheets * most).max(1);
        let each = (states.len() as u32).div_ceil(sheets * rounds);
        let each = each.max(FEWEST).min(most);
        let states = states.start..states.end.min(states.start + sheets * each);
        let (mut rows, mut hashes) = std::mem::take(&mut self.spare);
        rows.clear();
        hashes.clear();
        let store = &graph.store;
        store.read_rows(states.clone(), &mut rows, &mut hashes);
        Job {
            states,
            each,
            shape: graph.store.shape(),
            tables: graph.tables(),
            words,
            rows,
            hashes,
            lookout,
            keeps: graph.keep_transitions,
        }
    }

    /// Whether to look behind the next states while what was found is taken in.
    pub(crate) fn goes_ahead(&self, graph: &Graph<'a>, next: &Range<u32>) -> bool {
        let many = next.len() >= 4 * self.too_few;
        let several = self.mates.len() > 1 && self.used > 1 && many;
        let quiet = || self.sheets[..self.used].iter().all(Sheet::is_quiet);
        several && (graph.tables.memory() < FEW_VALUES || quiet())
    }

    /// Does something with what was found, while others look behind the states that come next, if that is wanted.
    pub(crate) fn take_in<R>(
        &mut self,
        graph: &mut Graph<'a>,
        ahead: Option<(Range<u32>, Lookout<'a>)>,
        take_in: impl FnOnce(&mut Graph<'a>, &mut [Sheet], &mut [Labels], &mut [Claims]) -> R,
    ) -> R {
        self.begun = ahead.map(|(next, lookout)| self.job(graph, next, lookout));
        let sheets = &mut self.sheets[..self.used];
        let (labels, claims) = (&mut self.labels[..], &mut self.claims[..]);
        let Some(job) = &self.begun else {
            return take_in(graph, sheets, labels, claims);
        };
        let enough = &AtomicBool::new(false);
        let ahead = self.ahead[..job.sheets()].iter_mut().enumerate();
        let ahead = &Mutex::new(ahead);
        let next = || ahead.lock().expect("nobody falls over").next();
        std::thread::scope(|scope| {
            for (desk, mate) in self.mates.iter_mut().enumerate().skip(1) {
                scope.spawn(move || {
                    while !enough.load(Ordering::Relaxed)
                        && let Some((number, sheet)) = next()
                    {
                        sheet.by = desk;
                        mate.work(job, job.share(number), sheet);
                        sheet.done = true;
                    }
                });
            }
            let result = take_in(graph, sheets, labels, claims);
            enough.store(true, Ordering::Relaxed);
            result
        })
    }
}

impl Job<'_> {
    /// Whether it is about states from this one on, as they are kept now.
    fn fits(&self, graph: &Graph<'_>, state: u32) -> bool {
        self.states.start == state && graph.store.is_like(&self.shape)
    }
}

/// Lets all work at the same time.
fn for_each<T: Send>(all: impl Iterator<Item = T>, work: impl Fn(usize, T) + Sync) {
    let mut all = all.enumerate();
    let (own, work) = (all.next(), &work);
    std::thread::scope(|scope| {
        for (number, one) in all {
            scope.spawn(move || work(number, one));
        }
        if let Some((number, one)) = own {
            work(number, one);
        }
    });
}
