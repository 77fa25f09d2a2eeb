//! Local names of a block or condition: their values, times and known bounds.

use crate::context::counts::{Fact, Range};
use machine::{Expr as M, Scope, TimeSum, Type};
use model::Constant;
use std::collections::HashMap;

/// The local names of a block or condition.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) scope: Scope,
    /// What each bound name of the Model has become.
    pub(crate) bound: HashMap<model::LocalId, M>,
    /// The values of bound names that are known before anything runs, times among them.
    pub(crate) constants: HashMap<model::LocalId, Constant>,
    /// The times of bound names that depend on the state.
    pub(crate) times: HashMap<model::LocalId, TimeSum>,
    /// What has to be true for what is written out here to count.
    pub(crate) premises: Vec<M>,
    /// Whether `sent` and `activations` may stand here: its value will be compared with something bounded.
    pub(crate) counting: bool,
    /// Whether counters are numbers here: before anything runs.
    pub(crate) numbers: bool,
    /// What is known about counts wherever the value of this expression matters.
    pub(crate) facts: Vec<Fact>,
    /// The sets that bound names go through, where they have a name.
    pub(crate) ranges: HashMap<model::LocalId, Range>,
}

impl Names {
    /// Those of a node's code: local 0 is the node.
    pub(crate) fn of_node() -> Names {
        let mut names = Names::default();
        names.scope.add("self", Type::Node);
        names
    }
}

/// A time, or several, with a name.
pub(crate) enum Time {
    /// Known before anything runs.
    Known(Constant),
    /// Depends on the state.
    Sum(TimeSum),
    /// Said already.
    Refused,
}

impl Names {
    /// Gives a time its name.
    pub(crate) fn name_time(&mut self, local: model::LocalId, time: Time) {
        self.constants.remove(&local);
        self.times.remove(&local);
        match time {
            Time::Known(constant) => {
                self.constants.insert(local, constant);
            }
            Time::Sum(sum) => {
                self.times.insert(local, sum);
            }
            Time::Refused => {}
        }
    }
}
