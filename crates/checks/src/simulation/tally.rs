//! What many runs show of something asked, added up in the order of the runs.

use crate::simulation::monitor::Shown;
use std::collections::BTreeMap;
use verdict::{Answer, Run};

/// What many runs show of something asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// In so many runs the claim failed, or the condition was reached.
    pub hits: u64,
    /// So many ended in an error before.
    pub errors: u64,
    /// So many went on, and the claim is about what they do later.
    pub undecided: u64,
    /// Of a sought value: how many runs allow which value and none before it.
    pub values: BTreeMap<i64, u64>,
    /// Of a sought value: so many runs break every value of which they say something.
    pub beyond: u64,
    /// Of a sought value: when the claim for the first value became true up to the end of the run, in the
    /// order of the runs. A time, or without times a number of events.
    pub settled: Vec<f64>,
    /// Of a sought value: in so many runs the claim for the first value was false at the end.
    pub unsettled: u64,
    /// Of a sought value: the first that is tried.
    pub first: i64,
    /// A run to show.
    pub kept: Option<Kept>,
}

/// A run to show: the first that fails; of a sought value the first that breaks the furthest value; if there
/// is none the first that ends in an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Its number among the runs, from 1.
    pub number: u64,
    /// The property of the Machine of which it shows something.
    pub property: usize,
    /// What it shows.
    pub answer: Answer,
    /// Of a sought value: the value that it breaks.
    pub value: Option<i64>,
    /// The larger, the more it shows.
    rank: u64,
}

impl Tally {
    /// Adds what a run shows, by its number.
    pub(crate) fn add(&mut self, number: u64, run: &Run, shown: Shown, possible: bool) {
        let hit: fn(Box<Run>) -> Answer = match possible {
            true => Answer::Possible,
            false => Answer::Fails,
        };
        let (glimpse, answer, value, rank) = match shown {
            Shown::Nothing => return,
            Shown::Undecided => {
                self.undecided += 1;
                return;
            }
            Shown::Hit(glimpse) => {
                self.hits += 1;
                (glimpse, hit, None, 1)
            }
            Shown::Error(glimpse) => {
                self.errors += 1;
                (glimpse, Answer::Error as fn(_) -> _, None, 0)
            }
            Shown::Value(allowed) => {
                match allowed.value {
                    Some(value) => *self.values.entry(value).or_default() += 1,
                    None => self.beyond += 1,
                }
                match allowed.settled {
                    Some(moment) => self.settled.push(moment),
                    None => self.unsettled += 1,
                }
                let Some((value, glimpse)) = allowed.broken else {
                    return;
                };
                (glimpse, hit, Some(value), 1 + value.abs_diff(self.first))
            }
        };
        if self.is_better(rank) {
            self.kept = Some(Kept {
                number,
                property: glimpse.property,
                answer: answer(Box::new(glimpse.of(run))),
                value,
                rank,
            });
        }
    }

    /// Adds what later runs show.
    pub(crate) fn join(&mut self, later: Tally) {
        self.hits += later.hits;
        self.errors += later.errors;
        self.undecided += later.undecided;
        for (value, count) in later.values {
            *self.values.entry(value).or_default() += count;
        }
        self.beyond += later.beyond;
        self.settled.extend(later.settled);
        self.unsettled += later.unsettled;
        if let Some(kept) = later.kept
            && self.is_better(kept.rank)
        {
            self.kept = Some(kept);
        }
    }

    /// Whether a later run of this rank shows more than the one that is kept.
    fn is_better(&self, rank: u64) -> bool {
        self.kept.as_ref().is_none_or(|old| old.rank < rank)
    }
}
