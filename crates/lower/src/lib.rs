//! Lowering of a Model with parameters to a Machine, and labels from the Machine back to the text.
//!
//! [`instances()`] expands the `for` clauses of a check into [`Request`]s; [`lower()`] makes the Machine of one of
//! them. References to the text go into the Labels; the Machine has plain names and opaque origins.

mod claims;
mod code;
mod context;
mod instances;
mod structure;
mod time;

pub use instances::request::{Define, OneGraph, Request, by_number, instances};
pub use instances::search::{Candidates, candidates};

use context::lowering::Lowering;
use machine::Machine;
use model::Model;
use source::{Diagnostic, Sources};
use verdict::Labels;

/// A Machine with its labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// The Machine. Its properties are the claims of the check in their order, or its condition. If an argument of
    /// the claims is searched, the claims are repeated for each value of the request.
    pub machine: Machine,
    /// Names of nodes and ids, and the text of origins.
    pub labels: Labels,
    /// The number of leading restrictions of the initial states that concern the instance alone.
    pub instance_restrictions: usize,
}

/// The Machine of one request.
///
/// # Panics
/// If the Model has errors, or the request is not one of this Model's [`instances()`].
pub fn lower(
    model: &Model,
    sources: &Sources,
    request: &Request,
) -> Result<Lowered, Vec<Diagnostic>> {
    let mut lowering = Lowering::new(model, sources, request);
    lowering.nodes();
    if !lowering.problems.is_empty() {
        return Err(lowering.problems);
    }
    lowering.types();
    lowering.constants();
    // Initial values may mention `next`, so the network comes before the variables.
    lowering.network();
    lowering.faults();
    lowering.timers();
    lowering.variables();
    // The questions come before the code: they determine the ghosts that the code updates.
    lowering.questions();
    lowering.finish_counters();
    // While code is lowered, counts of messages in an inbox include copies, so that local names for such counts get
    // their full range.
    lowering.machine.inbox.copies = true;
    lowering.blocks();
    lowering.machine.inbox.copies = lowering.counts_copies();
    lowering.classes();
    if !lowering.problems.is_empty() {
        return Err(lowering.problems);
    }
    let lowered = Lowered {
        machine: lowering.machine,
        labels: lowering.origins.labels,
        instance_restrictions: lowering.instance_restrictions,
    };
    debug_assert_eq!(machine::verify(&lowered.machine), Ok(()));
    Ok(lowered)
}
