//! From a Model and parameters to a Machine, and the way back for names and places.
//!
//! [`instances`] expands the `for` clauses of a check into [`Request`]s; [`lower`] makes the Machine of
//! one of them. Everything that names the text goes into the Labels; the Machine has plain names and
//! opaque origins.

mod calls;
mod cases;
mod classes;
mod code;
mod counters;
mod data;
mod deadlines;
mod exprs;
mod formulas;
mod graphs;
mod network;
mod origins;
mod request;
mod saturation;
mod sought;
mod structure;
mod surroundings;
mod times;
mod timing;
mod variety;

pub use request::{Define, OneGraph, Request, by_number, instances};
pub use sought::{Candidates, candidates};

use machine::Machine;
use model::Model;
use source::{Diagnostic, Sources};
use verdict::Labels;

/// A Machine with the names for what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// The Machine. Its properties are the claims of the check in their order, or its condition; where an
    /// argument of the claims is sought, the claims once for each value of the request.
    pub machine: Machine,
    /// Names of nodes and ids, and the text of origins.
    pub labels: Labels,
    /// How many of the restrictions of the initial states are about the instance alone: the first ones.
    pub about_instances: usize,
}

/// The Machine of one choice of parameters for a check.
///
/// # Panics
/// If the Model has errors, or the request is not one of this Model's [`instances`].
pub fn lower(
    model: &Model,
    sources: &Sources,
    request: &Request,
) -> Result<Lowered, Vec<Diagnostic>> {
    let lowering = structure::Lowering::new(model, sources, request);
    let lowered = lowering.run()?;
    debug_assert_eq!(machine::verify(&lowered.machine), Ok(()));
    Ok(lowered)
}
