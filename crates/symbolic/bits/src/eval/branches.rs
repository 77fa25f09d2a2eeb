//! Branch conditions: for each branch of each decision in the code, the condition under which it is taken.
//!
//! A branch condition is true in exactly those states in which the interpreter reaches the decision without an earlier
//! error and takes the branch. Logging is optional; without it, no circuit is built for branches.

use crate::eval::evaluator::Evaluator;
use machine::Origin;
use sat::Lit;

/// The condition under which the code takes a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchCondition {
    /// The innermost source origin around the decision; `None` for a decision about the whole block.
    pub origin: Option<Origin>,
    /// The branch.
    pub branch: Branch,
    /// Whether the code takes the branch.
    pub when: Lit,
}

/// A branch of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Branch {
    /// Whether the guard of the block holds.
    Guard(bool),
    /// Whether the condition of an `if` statement or expression holds.
    If(bool),
    /// Whether a loop has at least one element.
    Loop(bool),
    /// Whether the first operand of `and`, `or`, `implies` holds.
    Left(bool),
    /// Whether the second operand holds, in states in which it is evaluated.
    Right(bool),
    /// Whether the condition of a quantifier or filter holds for some element (`true`), or fails for some element
    /// (`false`).
    Body(bool),
    /// The domain of a quantifier or filter is empty.
    Nothing,
    /// Whether the condition of an assertion holds.
    Assert(bool),
    /// The evaluation ends in an error.
    Error,
    /// An assignment changes the variable.
    Changes,
    /// The operands of an order comparison are equal.
    Tie,
}

/// The branch conditions logged so far, and the state of logging.
pub(crate) struct BranchLog {
    /// The logged conditions; `None` if logging is off.
    pub(crate) list: Option<Vec<BranchCondition>>,
    /// The origin of the statement or expression that is being evaluated.
    pub(crate) origin: Option<Origin>,
    /// The condition under which an error has occurred so far.
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
    /// Whether branch conditions are logged.
    pub(crate) fn logs_branches(&self) -> bool {
        self.branch_log.list.is_some()
    }

    /// Logs a branch that the code takes at the current point if the condition is true.
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

    /// Logs both branches of a decision: `branch(true)` under the condition, `branch(false)` under its negation.
    pub(crate) fn log_both(&mut self, branch: fn(bool) -> Branch, condition: Lit) {
        self.log_branch(branch(true), condition);
        self.log_branch(branch(false), !condition);
    }

    /// Records that an error has occurred if the literal is true.
    pub(crate) fn log_error(&mut self, error: Lit) {
        if self.logs_branches() {
            self.branch_log.failed = self.aig.or(self.branch_log.failed, error);
        }
    }

    /// The number of logged conditions.
    pub(crate) fn logged(&self) -> usize {
        self.branch_log.list.as_ref().map_or(0, Vec::len)
    }

    /// Adds the conjunct `when` to a range of logged conditions.
    pub(crate) fn restrict_logged(&mut self, range: std::ops::Range<usize>, when: Lit) {
        if let Some(list) = &mut self.branch_log.list {
            for note in &mut list[range] {
                note.when = self.aig.and(note.when, when);
            }
        }
    }
}
