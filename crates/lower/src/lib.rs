//! Lowering of a Model with parameter values to a Machine, with labels that map parts of the Machine back to the
//! text.
//!
//! [`instances()`] expands the `for` clauses of a check into [`Request`]s; [`lower()`] makes the Machine of one
//! request. The Machine contains plain names and numbered origins; the Labels map an origin to its text.

mod claims;
mod code;
mod context;
mod instances;
mod open;
mod structure;
mod time;

pub use context::size::NotOpen;
pub use instances::request::{Define, OneGraph, Request, by_number, instances, unexpanded};
pub use instances::search::{Candidates, candidates};
pub use open::lowering::{OpenLowered, open};

use context::lowering::Lowering;
use machine::Machine;
use model::Model;
use source::{Diagnostic, Sources};
use verdict::Labels;

/// A Machine with its labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lowered {
    /// The Machine. Its properties are the claims of the check, in the order of the check, or the condition of
    /// `possible`. If an argument of the claims is sought, the claims are repeated for each value in the request.
    pub machine: Machine,
    /// The names of nodes and ids, and the texts of origins.
    pub labels: Labels,
    /// The number of predicates at the beginning of `machine.initially` that constrain only the instance: its ids and
    /// its topology.
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
    build(&mut lowering);
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

/// Lowers the request, up to a reported error.
fn build(lowering: &mut Lowering<'_>) {
    lowering.nodes();
    if !lowering.problems.is_empty() {
        return;
    }
    // Types that are too large end the lowering before anything of their size is built.
    lowering.types();
    if lowering.slots.parts > machine::MOST_PARTS {
        return;
    }
    lowering.constants();
    // Initial values may contain `next`, so the network comes before the variables.
    lowering.network();
    lowering.faults();
    lowering.timers();
    lowering.variables();
    if lowering.slots.parts > machine::MOST_PARTS {
        return;
    }
    // The questions come before the code: they determine which ghosts the code updates.
    lowering.questions();
    lowering.finish_counters();
    // While code is lowered, inboxes are assumed to contain copies of messages, so that local names for numbers of
    // messages get their full range.
    lowering.machine.inbox.copies = true;
    lowering.blocks();
    lowering.machine.inbox.copies = lowering.counts_copies();
    lowering.classes();
}
