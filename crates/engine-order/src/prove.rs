//! For ever, from a bounded look.
//!
//! The claim is `always` a condition that is falser the greater counts of activations are, and that compares them with numbers
//! up to *a*. Take a run that breaks it at some moment M. Some counts are reached there, and they are all that is needed: what is
//! left of the run behind an earlier moment, with counts from there on, breaks it at M as well, if they are still reached.
//! Let that earlier moment be as late as it may be with h activations to spare: then some node has made, since then, exactly
//! as many as it is asked for and h more. So the claim holds for ever if
//!
//! 1. from where runs begin it is not broken at any moment at which some node has made less than a + h activations, and
//! 2. from any moment of a run it is not broken at any moment at which some node has made at most a + h, if counts only begin
//!    to count after h.
//!
//! What *any moment of a run* is need not be known exactly, as long as every state between events is among them: there
//! variables have any value of their types, inboxes hold any messages, or none, of those who can send (of anybody, if they may
//! begin with anything), and the first activation of a node is a whole gap away at the latest. The more h, the less that
//! matters; h is tried from 0 on. Where inboxes are never empty of anybody when somebody looks (`steady.rs`), they may be taken
//! to hold something from everybody who can send. If no count is asked for, all that run are taken for those that are reached.
//!
//! That nothing is an error, in code or claim, is found out before (`errors.rs`). Both conditions are questions about finitely many activations, for times bound how many others there are.

use crate::ask::{Asked, Asking, Model};
use crate::cut::{Claim, broken};
use crate::defects::{Defect, broken as is_broken};
use crate::errors;
use crate::exact::Periods;
use crate::fixed::WhoIsWho;
use crate::inboxes::Filled;
use crate::scope::Scope;
use crate::steady;
use crate::times::{Start, Times};
use crate::unroll::Unrolled;
use bits::Unsupported;
use machine::Machine;
use sat::Lit;
use verdict::{Budget, Spent};

/// What came of a claim.
pub(crate) enum Proof<'s, 'm> {
    /// It holds for ever.
    Holds,
    /// It is broken.
    Fails(Box<Unrolled<'s, 'm>>, Model),
    /// Nobody knows, and why.
    Unknown(String),
    /// A limit was reached.
    Stopped(Spent),
}

/// So many activations are spared at most.
const MOST_SPARE: u32 = 8;

/// Proves a claim, or breaks it.
pub(crate) fn prove<'s, 'm>(
    scope: &'s Scope<'m>,
    claim: &Claim<'_>,
    budget: &dyn Budget,
) -> Result<Proof<'s, 'm>, Unsupported> {
    let reach = scope.counts.reach(claim.condition).map_err(Unsupported)?;
    match errors::never(scope, claim, budget)? {
        Ok(true) => {}
        Ok(false) => return Ok(Proof::Unknown("code or claim may end in an error".into())),
        Err(spent) => return Ok(Proof::Stopped(spent)),
    }
    let filled = match steady::are_filled(scope, budget)? {
        Ok(true) => Filled::Always,
        Ok(false) => Filled::Perhaps,
        Err(spent) => return Ok(Proof::Stopped(spent)),
    };
    for spare in 0..=MOST_SPARE {
        let mut anywhere = Look::new(
            scope,
            claim,
            (Start::Anywhere, filled),
            reach + spare,
            spare,
        )?;
        match anywhere.ask(budget)? {
            Asked::Never => return Ok(Proof::Holds),
            Asked::So(_) => {}
            Asked::Stopped(spent) => return Ok(Proof::Stopped(spent)),
        }
        if is_broken(Defect::StartNotLookedAt) {
            continue;
        }
        let mut real = Look::new(scope, claim, (Start::Real, filled), reach + spare, 0)?;
        match real.ask(budget)? {
            Asked::Never => {}
            Asked::So(model) => return Ok(Proof::Fails(Box::new(real.unrolled), model)),
            Asked::Stopped(spent) => return Ok(Proof::Stopped(spent)),
        }
    }
    Ok(Proof::Unknown(format!(
        "no run breaks the claim while some node has made at most {} activations, and from any state of all it may be broken later",
        reach + MOST_SPARE
    )))
}

/// A look at all moments at which some node has made at most so many activations.
struct Look<'s, 'm> {
    unrolled: Unrolled<'s, 'm>,
    broken: Lit,
    asking: Asking,
    periods: Periods<'m>,
}

impl<'s, 'm> Look<'s, 'm> {
    fn new(
        scope: &'s Scope<'m>,
        claim: &Claim<'_>,
        (start, filled): (Start, Filled),
        last: u32,
        forgotten: u32,
    ) -> Result<Look<'s, 'm>, Unsupported> {
        let machine: &'m Machine = scope.machine;
        let times = Times::of(machine, start)
            .ok_or_else(|| Unsupported("times that cannot be counted".into()))?;
        let who = WhoIsWho::AsFarAsSeen;
        let mut unrolled = Unrolled::new(scope, start, times, last, who, filled)?;
        let broken = broken(&mut unrolled, claim, forgotten, last)?;
        Ok(Look {
            unrolled,
            broken,
            asking: Asking::new(),
            periods: Periods::of(machine, start),
        })
    }

    fn ask(&mut self, budget: &dyn Budget) -> Result<Asked, Unsupported> {
        self.asking
            .ask(&mut self.unrolled, self.broken, &self.periods, budget)
    }
}
