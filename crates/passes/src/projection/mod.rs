//! Projection: the conditions under which a run, restricted to the few nodes that a claim names, is a run of the
//! network of these nodes.
//!
//! Let a claim name at most `names` nodes by quantifiers `all`, and let n nodes run. Take a run that violates the
//! claim. Let S be a set of [`Projection::nodes`] nodes that contains the witnesses of the violation. The projection of
//! the run removes the variables, timers, channels and events of all other nodes, the messages from and to them, and
//! their elements in sets and arrays over nodes. The projection is a run of the network of S, with the same times, and
//! violates the claim, if all of the following conditions hold. `environment.rs`, `code.rs`, `expressions.rs` and
//! `claim.rs` check them on the open Machine; if a condition is not certain, there is no projection.
//!
//! - There is one kind of node, the network is complete or has no edges, there are no ids, and nothing is computed from
//!   the number of nodes (`environment.rs`). Nodes affect each other by messages only: there are no rounds, no waiting
//!   for the delivery of own messages, and no bounded channels.
//! - Limits of faults are fixed numbers, or there are none. The nodes in S have at most as many faults as all nodes, so
//!   such limits hold in S. "All nodes but one" is refused, because all nodes in S may have a fault then.
//! - Types of relevant variables, fields and locals contain nodes only as elements of sets and indices of arrays.
//! - Code treats sets and arrays over nodes element by element: no counts, no quantifiers, no comparison of sets, no
//!   largest or chosen node (`expressions.rs`).
//! - An event or loop iteration that is due to another node k (a message of k, a timer about k, a loop over nodes)
//!   changes only the element of k in sets and arrays, timers about k, and messages to k (`code.rs`). So it has no
//!   effect in the projection if k is removed.
//! - Restrictions of the initial states hold for fewer nodes as well: they name nodes only by `all`, and are never an
//!   error.
//! - The claim names nodes only by `all`, and neither in a negation or a premise nor below `eventually`, `until` or
//!   `leads to` (`claim.rs`).
//!
//! Variables that the claim and the behaviour of relevant code do not depend on are ignored (`relevant.rs`).
//!
//! *Errors.* A run ends at its first error. The error occurs in an event of one node and involves at most one other
//! node. Choose S such that it contains both; then the projection of the run ends in the same error. (Arrays over nodes
//! that may be out of range would be an exception; they are refused.) So S has at least two nodes, and if the claim
//! holds for S without an error, no run of any number of nodes has an error. Code that assigns ignored variables must
//! be free of errors.
//!
//! *Fairness and ends of runs.* An event of S is enabled in the network of S if and only if it is enabled in the whole
//! network. So the projection of a complete run is complete. The projection of a fair run is fair under the conditions
//! of `liveness.rs`, which are checked for claims that no finite part of a run violates.

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
    /// The unsupported construct, as a noun phrase.
    pub what: String,
    /// The source location of the construct; `None` if it has none.
    pub origin: Option<Origin>,
}

/// The result of a check of conditions.
type Checked<T> = Result<T, NotProjected>;

/// The largest number of nodes of a projection. No engine answers for more nodes.
const MOST: u32 = 6;

/// The projection for one property of an open Machine. The property is about fair runs (`fair`) or about all runs. The
/// error is the condition that is not satisfied.
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
