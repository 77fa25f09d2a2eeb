//! BranchLog of the way that code takes: which outcome of which decision, and under which condition it is met.
//!
//! A note is true in exactly those states in which the interpreter comes to the place, without an error before it, and goes
//! that way. Nobody who only wants to know what code does has to pay for them.

use crate::eval::evaluator::Evaluator;
use machine::Origin;
use sat::Lit;

/// Code comes to a place and goes one way there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchCondition {
    /// The place: the innermost mark around it. What is decided about a block as a whole has none.
    pub origin: Option<Origin>,
    /// The way.
    pub branch: Branch,
    /// When it does.
    pub when: Lit,
}

/// A way that code can go at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Branch {
    /// The guard of the block holds, or does not.
    Guard(bool),
    /// The condition of an `if`, be it a statement or an expression, holds, or does not.
    If(bool),
    /// A loop goes through something, or has nothing to go through.
    Loop(bool),
    /// The first operand of `and`, `or`, `implies` holds, or does not.
    Left(bool),
    /// The second operand is evaluated and holds, or does not.
    Right(bool),
    /// The condition of a quantifier or filter holds for an element, or does not.
    Body(bool),
    /// A quantifier or filter has nothing to go through.
    Nothing,
    /// An assertion holds, or does not.
    Assert(bool),
    /// An error.
    Error,
    /// An assignment changes the variable.
    Changes,
    /// Two numbers that are compared by their order are the same.
    Tie,
}

/// What has been logged so far.
pub(crate) struct BranchLog {
    /// All of them, if somebody wants them.
    pub(crate) list: Option<Vec<BranchCondition>>,
    /// Where the code is.
    pub(crate) origin: Option<Origin>,
    /// When there has been an error.
    pub(crate) failed: Lit,
}

impl Default for BranchLog {
    fn default() -> Self {
        BranchLog {
            list: None,
            origin: None,
            failed: Lit::FALSE,
        }
    }
}

impl Evaluator<'_> {
    /// Whether somebody wants notes.
    pub(crate) fn logs_branches(&self) -> bool {
        self.branch_log.list.is_some()
    }

    /// Here the code goes that way if the condition is true.
    pub(crate) fn log_branch(&mut self, branch: Branch, condition: Lit) {
        if !self.logs_branches() || condition == Lit::FALSE || self.is_dead() {
            return;
        }
        let path = self.path.iter().copied();
        let when = path.chain([condition, !self.branch_log.failed]);
        let when = self.aig.all(when.collect::<Vec<_>>());
        let origin = self.branch_log.origin;
        if let Some(list) = &mut self.branch_log.list
            && when != Lit::FALSE
        {
            list.push(BranchCondition {
                origin,
                branch,
                when,
            });
        }
    }

    /// Here the code goes one way or the other.
    pub(crate) fn log_both(&mut self, branch: fn(bool) -> Branch, condition: Lit) {
        self.log_branch(branch(true), condition);
        self.log_branch(branch(false), !condition);
    }

    /// Behind here there has been an error if a literal is true.
    pub(crate) fn log_error(&mut self, error: Lit) {
        if self.logs_branches() {
            self.branch_log.failed = self.aig.or(self.branch_log.failed, error);
        }
    }

    /// How many notes there are.
    pub(crate) fn logged(&self) -> usize {
        self.branch_log.list.as_ref().map_or(0, Vec::len)
    }

    /// The notes of a range are true only where a literal is.
    pub(crate) fn restrict_logged(&mut self, range: std::ops::Range<usize>, when: Lit) {
        if let Some(list) = &mut self.branch_log.list {
            for note in &mut list[range] {
                note.when = self.aig.and(note.when, when);
            }
        }
    }
}
