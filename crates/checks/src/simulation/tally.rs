//! The tally of a property: counts over many runs, in the order of the runs.

use crate::simulation::monitor::Observation;
use std::collections::BTreeMap;
use verdict::{Answer, Run};

/// Counts over the observations of one property on many runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// The number of runs that violate the claim or reach the condition.
    pub hits: u64,
    /// The number of runs that end in an error before that.
    pub errors: u64,
    /// The number of runs that were cut off and could still satisfy or violate the claim.
    pub undecided: u64,
    /// For a searched value: maps a value to the number of runs for which it is the first value that they satisfy.
    pub values: BTreeMap<i64, u64>,
    /// For a searched value: the number of runs that satisfy no value, or only vacuously.
    pub beyond: u64,
    /// For a searched value: for each run, in order, the moment from which on the claim for the first value is true up
    /// to the end of the run. A moment is a time, or a number of events if the Machine has no time.
    pub settled: Vec<f64>,
    /// For a searched value: the number of runs at whose end the claim for the first value is false.
    pub unsettled: u64,
    /// For a searched value: the first value that is evaluated.
    pub first: i64,
    /// The run to show, if there is one.
    pub kept: Option<Kept>,
}

/// The run to show. It is the first run that violates the claim or reaches the condition; for a searched value, the
/// first run that violates the claim for the value furthest from the first one. If there is no such run, it is the
/// first run that ends in an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The number of the run, counted from 1.
    pub number: u64,
    /// The index of the property that the run is about.
    pub property: usize,
    /// The answer that the run shows.
    pub answer: Answer,
    /// For a searched value: the value for which the run violates the claim.
    pub value: Option<i64>,
    /// A run of higher rank replaces a run of lower rank.
    rank: u64,
}

impl Tally {
    /// Adds the observation on the run with this number. `possible` says whether the question is `possible`.
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

    /// Whether a later run of this rank replaces the kept run.
    fn is_better(&self, rank: u64) -> bool {
        self.kept.as_ref().is_none_or(|old| old.rank < rank)
    }
}
