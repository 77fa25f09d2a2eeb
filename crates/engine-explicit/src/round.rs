//! A round of work for several desks: states to look behind, and a sheet for each share of them.
//!
//! Whoever is done with one sheet takes the next one: which desk it was makes no difference.

use crate::claims::Claims;
use crate::mate::{Job, Mate};
use crate::sheet::Sheet;
use crate::store::Store;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

/// What is to be done, and what was found.
#[derive(Default)]
pub(crate) struct Round<'a> {
    pub(crate) job: Job<'a>,
    sheets: Vec<Mutex<Sheet>>,
    /// Of how many sheets somebody who works ahead has begun with the states.
    begun: AtomicUsize,
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
            && let Some(number) = self.next(&self.begun)
        {
            drop(self.make(desk, mate, number));
        }
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
        while let Some(number) = self.next(&self.looked_up) {
            let mut sheet = self.make(desk, mate, number);
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

    /// Nobody is to begin with another sheet: what is on them, once nobody is at work on it.
    pub(crate) fn closed(&self) -> impl Iterator<Item = MutexGuard<'_, Sheet>> {
        self.stop_ahead();
        (0..self.len()).map(|number| {
            let mut sheet = self.lock(number);
            sheet.done = true;
            sheet
        })
    }

    fn next(&self, counter: &AtomicUsize) -> Option<usize> {
        let number = counter.fetch_add(1, Ordering::Relaxed);
        (number < self.len()).then_some(number)
    }

    fn lock(&self, number: usize) -> MutexGuard<'_, Sheet> {
        self.sheets[number].lock().expect("nobody falls over")
    }

    /// Looks behind the states for a sheet, unless somebody has.
    fn make(&self, desk: usize, mate: &mut Mate<'a>, number: usize) -> MutexGuard<'_, Sheet> {
        let mut sheet = self.lock(number);
        if !sheet.done {
            sheet.by = desk;
            mate.work(&self.job, self.job.share(number), &mut sheet);
            sheet.done = true;
        }
        sheet
    }
}
