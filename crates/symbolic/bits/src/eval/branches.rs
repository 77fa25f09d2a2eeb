//! Branch conditions: for each branch of each decision in the code, the condition under which it is taken.
//!
//! A branch condition is true in exactly those states in which the interpreter reaches the decision without
//! an earlier error and takes the branch. Logging is optional: symbolic execution without it builds no
//! circuit for branches.

use crate::eval::evaluator::Evaluator;
use machine::Origin;
use sat::Lit;

/// The condition under which the code takes a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchCondition {
    /// The decision: the innermost origin around it. A decision about a block as a whole has none.
    pub origin: Option<Origin>,
    /// The branch.
    pub branch: Branch,
    /// Whether the code takes it.
    pub when: Lit,
}

/// A branch of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Branch {
    /// The guard of the block holds, or does not.
    Guard(bool),
    /// The condition of an `if` statement or expression holds, or does not.
    If(bool),
    /// A loop has at least one element, or none.
    Loop(bool),
    /// The first operand of `and`, `or`, `implies` holds, or does not.
    Left(bool),
    /// The second operand is evaluated and holds, or does not.
    Right(bool),
    /// The condition of a quantifier or filter holds for an element, or does not.
    Body(bool),
    /// A quantifier or filter has no element.
    Nothing,
    /// An assertion holds, or does not.
    Assert(bool),
    /// Evaluation ends in an error.
    Error,
    /// An assignment changes the variable.
    Changes,
    /// Two numbers compared by their order are equal.
    Tie,
}

/// The branch conditions logged so far.
pub(crate) struct BranchLog {
    /// The conditions, if logging is on.
    pub(crate) list: Option<Vec<BranchCondition>>,
    /// The origin of the current expression or statement.
    pub(crate) origin: Option<Origin>,
    /// The condition under which an error has occurred.
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

    /// Logs that the current code takes a branch if the condition is true.
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

    /// Logs both branches of a decision.
    pub(crate) fn log_both(&mut self, branch: fn(bool) -> Branch, condition: Lit) {
        self.log_branch(branch(true), condition);
        self.log_branch(branch(false), !condition);
    }

    /// Records that an error has occurred if a literal is true.
    pub(crate) fn log_error(&mut self, error: Lit) {
        if self.logs_branches() {
            self.branch_log.failed = self.aig.or(self.branch_log.failed, error);
        }
    }

    /// The number of logged conditions.
    pub(crate) fn logged(&self) -> usize {
        self.branch_log.list.as_ref().map_or(0, Vec::len)
    }

    /// Restricts a range of logged conditions to the states in which a literal is true.
    pub(crate) fn restrict_logged(&mut self, range: std::ops::Range<usize>, when: Lit) {
        if let Some(list) = &mut self.branch_log.list {
            for note in &mut list[range] {
                note.when = self.aig.and(note.when, when);
            }
        }
    }
}
