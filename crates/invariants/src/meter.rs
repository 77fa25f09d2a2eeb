//! Consultation of the budget, and the method that gave the last answer.

use crate::portfolio::Method;
use std::cell::Cell;
use verdict::{Budget, Progress, Spent};

/// Consults the budget and remembers the limit that was reached.
pub(crate) struct Meter<'b> {
    pub(crate) by: Option<Method>,
    /// The SAT solver that the budget provides.
    pub(crate) backend: sat::Backend,
    budget: &'b dyn Budget,
    /// The method that gave the last answer.
    pub(crate) answered_by: Cell<Option<Method>>,
    pub(crate) depth: Cell<u64>,
    asked: Cell<u64>,
    spent: std::cell::RefCell<Option<Spent>>,
}

impl<'b> Meter<'b> {
    pub(crate) fn new(by: Option<Method>, budget: &'b dyn Budget) -> Meter<'b> {
        Meter {
            by,
            backend: budget.solver(),
            budget,
            answered_by: Cell::new(None),
            depth: Cell::new(0),
            asked: Cell::new(0),
            spent: std::cell::RefCell::new(None),
        }
    }

    pub(crate) fn ask(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        let progress = Progress {
            depth: self.depth.get(),
            transitions: self.asked.get(),
            ..Progress::default()
        };
        if let Some(spent) = self.budget.ask(&progress) {
            *self.spent.borrow_mut() = Some(spent);
        }
        self.spent.borrow().is_some()
    }

    pub(crate) fn reached(&self, depth: usize) {
        self.depth.set(self.depth.get().max(depth as u64));
    }

    pub(crate) fn spent(&self) -> Option<Spent> {
        self.spent.borrow().clone()
    }
}
