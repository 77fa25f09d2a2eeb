//! Projection: where runs, seen from the few nodes that a claim names, are runs of the network of just these nodes.
//!
//! Let a claim name at most `names` nodes by quantifiers `all`, and let n nodes run. Take a run that breaks the claim,
//! the nodes that witness it, and others up to a set S of [`Projection::nodes`] nodes. Leave out everything else: the
//! variables, timers and channels of the other nodes, their events, messages from and to them, and in each set and array
//! over nodes the elements that are not in S. What is left is a run of the network of S, with the same times, that
//! breaks the claim, if all of the following hold; `environment.rs`, `code.rs`, `expressions.rs` and `claim.rs` check
//! them on the open Machine, and in doubt there is no projection.
//!
//! - One kind of node, completely joined, without ids, and nothing that is computed from the number of nodes
//!   (`environment.rs`). Nodes are independent of each other but for messages: no rounds, no waiting for the delivery
//!   of own messages, no bounded channels.
//! - Limits of faults are fixed numbers, or there are none: the nodes in S have at most as many faults as all nodes have.
//!   "All nodes but one" is refused, because all nodes in S may have a fault then.
//! - Types of relevant variables, fields and locals have no node, except as elements of sets and indices of arrays.
//! - Code treats sets and arrays over nodes element by element: no counts, no quantifiers, no comparison of sets, no
//!   largest or chosen node (`expressions.rs`).
//! - What an event does because of another node k (a message of k, a timer about k, the step of a loop for k) changes
//!   only the element of k in sets and arrays, timers about k, and messages to k (`code.rs`). So without k nothing of it
//!   remains.
//! - Restrictions of the initial states are true of fewer nodes as well: they name nodes only by `all`, and are no error.
//! - The claim names nodes only by `all`, and not below `eventually`, `until` or `leads to` (`claim.rs`).
//!
//! Variables that the claim and the behaviour of relevant code do not depend on are ignored (`relevant.rs`).
//!
//! *Errors.* A run ends at its first error. The error occurs in an event of one node, at most because of one other node;
//! both are in S for some choice of S, and the run up to the error is a run of S then. (Arrays over nodes that may be out of
//! range would be an exception; they are refused.) So S has at least two nodes, and if
//! the claim holds for S without an error, no run of any number of nodes has one. Code that assigns ignored variables
//! must be free of errors.
//!
//! *Fairness and ends of runs.* An event of S is possible in the network of S exactly if it is possible in the whole
//! network. So a run that ends in S is complete. What is left of a fair run is fair under the conditions of `liveness.rs`,
//! which are checked for claims that no finite part of a run breaks.

mod claim;
mod code;
mod environment;
mod expressions;
mod liveness;
mod relevant;

use crate::defects::{Projecting, is_ignored_rule};
use machine::{Machine, OpenMachine, Origin, Property};
use verdict::Projection;

/// The condition of the projection that an open Machine does not satisfy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotProjected {
    /// What stands in the way, as a noun phrase.
    pub what: String,
    /// Where it is; `None` if it has no place.
    pub origin: Option<Origin>,
}

/// The result of a check of conditions.
type Checked<T> = Result<T, NotProjected>;

/// The largest number of nodes for which a projection is worth anything: no engine answers for more.
const MOST: u32 = 6;

/// The projection for one property of an open Machine, about fair runs or about all runs, or the condition that it does not
/// satisfy.
pub fn projection(open: &OpenMachine, property: &Property, fair: bool) -> Checked<Projection> {
    let base = &open.base;
    environment::check(open)?;
    let vars = relevant::variables(base, property);
    code::check(base, &vars)?;
    if !is_ignored_rule(Projecting::Errors) {
        claim::check_restrictions(&open.at(MOST.max(open.size.least)))?;
    }
    let names = claim::names(base, property)?;
    if !liveness::is_safety(property) && !is_ignored_rule(Projecting::Fairness) {
        liveness::check(base, fair)?;
    }
    let mut nodes = names.max(2);
    if is_ignored_rule(Projecting::Errors) {
        nodes = names.max(1);
    }
    if nodes > MOST {
        return refuse(format!("a claim that names {nodes} nodes"), None);
    }
    Ok(Projection { names, nodes })
}

fn refuse<T>(what: impl Into<String>, origin: Option<Origin>) -> Checked<T> {
    let what = what.into();
    Err(NotProjected { what, origin })
}

/// The name of a variable in a message.
fn name(machine: &Machine, var: machine::VarId) -> String {
    format!("`{}`", machine.vars[var.index()].name)
}
