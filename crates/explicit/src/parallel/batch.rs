//! A round of work for several desks: states to look behind, and a sheet for each share of them.
//!
//! Whoever is done with one sheet takes the next one: which desk it was makes no difference.

use crate::parallel::batch_result::Sheet;
use crate::parallel::explorer::{Job, Mate};
use crate::store::pending_inserts::Claims;
use crate::store::visited_set::Store;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

/// What is to be done, and what was found.
#[derive(Default)]
pub(crate) struct Round<'a> {
    pub(crate) job: Job<'a>,
    sheets: Vec<Mutex<Sheet>>,
    /// Of how many sheets somebody who works ahead has begun with the states.
    begun: Mutex<usize>,
    /// How many sheets somebody has begun to look up.
    looked_up: AtomicUsize,
    /// It is time to look up.
    enough: AtomicBool,
}

impl<'a> Round<'a> {
    /// With the sheets of another round that is over.
    pub(crate) fn new(job: Job<'a>, mut old: Round<'a>) -> Round<'a> {
        let count = job.sheets().max(old.sheets.len());
        old.sheets.resize_with(count, Mutex::default);
        for sheet in &mut old.sheets {
            sheet.get_mut().expect("nobody falls over").done = false;
        }
        Round {
            job,
            sheets: old.sheets,
            ..Round::default()
        }
    }

    /// How many sheets there are for it.
    pub(crate) fn len(&self) -> usize {
        self.job.sheets()
    }

    /// Looks behind states until it is time to look up.
    pub(crate) fn go_ahead(&self, desk: usize, mate: &mut Mate<'a>) {
        while !self.enough.load(Ordering::Relaxed)
            && let Some((number, mut sheet)) = self.next_ahead()
        {
            self.make(desk, mate, number, &mut sheet);
        }
    }

    /// The next sheet for somebody who works ahead. It is his before anybody can get the one behind it: so whoever finishes the
    /// round finds nothing to do among sheets that others have got, and every desk meets states, and new events, in order.
    fn next_ahead(&self) -> Option<(usize, MutexGuard<'_, Sheet>)> {
        let mut begun = self.begun.lock().expect("nobody falls over");
        let number = *begun;
        if number == self.len() {
            return None;
        }
        *begun += 1;
        Some((number, self.lock(number)))
    }

    /// Who works ahead stops soon.
    pub(crate) fn stop_ahead(&self) {
        self.enough.store(true, Ordering::Relaxed);
    }

    /// Looks behind all states that nobody has looked behind, and looks up what is there.
    pub(crate) fn finish(
        &self,
        desk: usize,
        mate: &mut Mate<'a>,
        store: &Store,
        claims: &mut Claims,
    ) {
        claims.begin(store);
        loop {
            let number = self.looked_up.fetch_add(1, Ordering::Relaxed);
            if number >= self.len() {
                break;
            }
            let mut sheet = self.lock(number);
            self.make(desk, mate, number, &mut sheet);
            sheet.claimed_by = desk;
            sheet.look_up(store, claims, self.job.keeps);
        }
    }

    /// What is on the sheets, in the order of states.
    pub(crate) fn sheets(&mut self) -> impl Iterator<Item = &mut Sheet> {
        let count = self.len();
        let sheets = self.sheets[..count].iter_mut();
        sheets.map(|sheet| sheet.get_mut().expect("nobody falls over"))
    }

    /// Nobody is to begin with another sheet. Looks at all of them, once nobody is at work on them.
    pub(crate) fn close(&self, mut look: impl FnMut(&mut Sheet)) {
        self.stop_ahead();
        for number in 0..self.len() {
            let mut sheet = self.lock(number);
            sheet.done = true;
            look(&mut sheet);
        }
    }

    fn lock(&self, number: usize) -> MutexGuard<'_, Sheet> {
        self.sheets[number].lock().expect("nobody falls over")
    }

    /// Looks behind the states for a sheet, unless somebody has.
    fn make(&self, desk: usize, mate: &mut Mate<'a>, number: usize, sheet: &mut Sheet) {
        if !sheet.done {
            sheet.by = desk;
            mate.work(&self.job, self.job.share(number), sheet);
            sheet.done = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_is_somebodys_before_anybody_gets_the_one_behind_it() {
        let job = Job {
            states: 0..2,
            each: 1,
            ..Job::default()
        };
        let round = Round::new(job, Round::default());
        let free = |number: usize| round.sheets[number].try_lock().is_ok();
        let (first, _held) = round.next_ahead().expect("there are two");
        assert_eq!((first, free(0), free(1)), (0, false, true));
        let (second, _too) = round.next_ahead().expect("there is another");
        assert_eq!((second, free(1)), (1, false));
        assert!(round.next_ahead().is_none());
    }
}
