//! Local names of a block or condition: their values, times and known bounds.

use crate::context::counts::{Fact, Range};
use machine::{Expr as M, Scope, TimeSum, Type};
use model::Constant;
use std::collections::HashMap;

/// The local names of a block or condition.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) scope: Scope,
    /// The expression for each bound name of the Model.
    pub(crate) bound: HashMap<model::LocalId, M>,
    /// The constant values of bound names, including times.
    pub(crate) constants: HashMap<model::LocalId, Constant>,
    /// The times of bound names that depend on the state.
    pub(crate) times: HashMap<model::LocalId, TimeSum>,
    /// The conditions under which the expanded expression matters.
    pub(crate) premises: Vec<M>,
    /// Whether `sent` and `activations` may occur here: the value will be compared with a bounded one.
    pub(crate) counting: bool,
    /// Whether counters are numbers here: in conditions on initial states.
    pub(crate) numbers: bool,
    /// Known bounds of counts wherever the value of this expression matters.
    pub(crate) facts: Vec<Fact>,
    /// The sets over which bound names range, if the sets have names.
    pub(crate) ranges: HashMap<model::LocalId, Range>,
}

impl Names {
    /// The local names of a node's code: local 0 is the node.
    pub(crate) fn of_node() -> Names {
        let mut names = Names::default();
        names.scope.add("self", Type::Node);
        names
    }
}

/// A time or an interval of times that is bound to a name.
pub(crate) enum Time {
    /// A constant.
    Known(Constant),
    /// Depends on the state.
    Sum(TimeSum),
    /// Refused; the problem has been reported.
    Refused,
}

impl Names {
    /// Binds a time to a name.
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
