//! The tally of a property: the observations on many runs, added up in the order of the runs.

use crate::simulation::monitor::Observation;
use std::collections::BTreeMap;
use verdict::{Answer, Run};

/// The observations of one property on many runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// The number of runs in which the claim failed, or the condition was reached.
    pub hits: u64,
    /// The number of runs that ended in an error before that.
    pub errors: u64,
    /// The number of runs that were not over and on whose continuation the claim depends.
    pub undecided: u64,
    /// For a searched value: the number of runs by the first value that they allow.
    pub values: BTreeMap<i64, u64>,
    /// For a searched value: the number of runs that break every value about which they show something.
    pub beyond: u64,
    /// For a searched value: the moments from which the claim for the first value is true up to the end of the run, in the order of the
    /// runs. A moment is a time, or without times a number of events.
    pub settled: Vec<f64>,
    /// For a searched value: the number of runs in which the claim for the first value is false at the end.
    pub unsettled: u64,
    /// For a searched value: the first value of the search.
    pub first: i64,
    /// The run to show.
    pub kept: Option<Kept>,
}

/// The run to show: the first one that fails; for a searched value, the first one that breaks the furthest value; if there is none, the
/// first one that ends in an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The number of the run, from 1.
    pub number: u64,
    /// The property that the run is about.
    pub property: usize,
    /// The answer that the run shows.
    pub answer: Answer,
    /// For a searched value: the value that the run breaks.
    pub value: Option<i64>,
    /// The precedence: a run of higher rank replaces one of lower rank.
    rank: u64,
}

impl Tally {
    /// Adds the observation on a run with this number.
    pub(crate) fn add(&mut self, number: u64, run: &Run, observation: Observation, possible: bool) {
        let hit: fn(Box<Run>) -> Answer = match possible {
            true => Answer::Possible,
            false => Answer::Fails,
        };
        let (prefix, answer, value, rank) = match observation {
            Observation::Nothing => return,
            Observation::Undecided => {
                self.undecided += 1;
                return;
            }
            Observation::Hit(prefix) => {
                self.hits += 1;
                (prefix, hit, None, 1)
            }
            Observation::Error(prefix) => {
                self.errors += 1;
                (prefix, Answer::Error as fn(_) -> _, None, 0)
            }
            Observation::Value(allowed) => {
                match allowed.value {
                    Some(value) => *self.values.entry(value).or_default() += 1,
                    None => self.beyond += 1,
                }
                match allowed.settled {
                    Some(moment) => self.settled.push(moment),
                    None => self.unsettled += 1,
                }
                let Some((value, prefix)) = allowed.broken else {
                    return;
                };
                (prefix, hit, Some(value), 1 + value.abs_diff(self.first))
            }
        };
        if self.is_better(rank) {
            self.kept = Some(Kept {
                number,
                property: prefix.property,
                answer: answer(Box::new(prefix.of(run))),
                value,
                rank,
            });
        }
    }

    /// Adds the tally of later runs.
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

    /// Whether a later run of this rank replaces the kept one.
    fn is_better(&self, rank: u64) -> bool {
        self.kept.as_ref().is_none_or(|old| old.rank < rank)
    }
}
