//! Local names of a block or condition: their expressions, times and known bounds.

use crate::context::counts::{Fact, Range};
use machine::{Expr as M, Scope, TimeSum, Type};
use model::Constant;
use std::collections::HashMap;

/// The local names of a block or condition.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) scope: Scope,
    /// The expression of the Machine for each bound name of the Model.
    pub(crate) bound: HashMap<model::LocalId, M>,
    /// The values of bound names that are constant, including times.
    pub(crate) constants: HashMap<model::LocalId, Constant>,
    /// The sums for bound names that are times and depend on the state.
    pub(crate) times: HashMap<model::LocalId, TimeSum>,
    /// The conditions that the expanded elements around this expression are members of their sets.
    pub(crate) premises: Vec<M>,
    /// Whether `sent` and `activations` are allowed here, because the value is compared with a bounded one.
    pub(crate) counting: bool,
    /// Whether counters are numbers here: in initial values and conditions on initial states.
    pub(crate) numbers: bool,
    /// The known upper bounds of counts in the states in which the value of this expression matters.
    pub(crate) facts: Vec<Fact>,
    /// The sets over which bound names range, for sets that have a name.
    pub(crate) ranges: HashMap<model::LocalId, Range>,
}

impl Names {
    /// The names of node code: local name 0 is the node.
    pub(crate) fn of_node() -> Names {
        let mut names = Names::default();
        names.scope.add("self", Type::Node);
        names
    }
}

/// A time that is bound to a name.
pub(crate) enum Time {
    /// A constant.
    Known(Constant),
    /// A time that depends on the state.
    Sum(TimeSum),
    /// A time with a reported error.
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
