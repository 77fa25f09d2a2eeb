//! Whether evidence proves a claim: everything that the rule asks is asked again, and nothing that the evidence says is believed.

use crate::{Rejected, reject};
use machine::Machine;
use verdict::Evidence;

/// What was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {}

/// Whether evidence proves the only claim of a Machine.
pub fn evidence(machine: &Machine, evidence: &Evidence) -> Result<Checked, Rejected> {
    if machine.properties.len() != 1 {
        return reject("evidence is about one claim");
    }
    match evidence {
        Evidence::Order(_) => reject("not checked yet"),
        Evidence::Induction(_) => reject("no method of this version checks an induction"),
        Evidence::Invariant(_) => reject("no method of this version checks an invariant"),
    }
}
