//! The rule for ever (`order::Look`), tried with more and more activations to spare.

use crate::ask::{Asked, Asking, Model};
use bits::Unsupported;
use order::defects::{Defect, broken};
use order::{Claim, Filled, Look, Scope, Start, Unrolled};
use verdict::{Budget, Never, OrderPart, Spent};

/// What came of a claim.
pub(crate) enum Proof<'s, 'm> {
    /// It holds for ever, and why.
    Holds(OrderPart),
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
    let reach = order::reach(scope, claim)?;
    let no_error = match never_errs(scope, claim, budget)? {
        Ok(Some(never)) => never,
        Ok(None) => return Ok(Proof::Unknown("code or claim may end in an error".into())),
        Err(spent) => return Ok(Proof::Stopped(spent)),
    };
    let no_gaps = match order::gaps_in_inboxes(scope)? {
        None => None,
        Some(mut look) => match ask(&mut look, budget)? {
            Asked::Never(never) => Some(never),
            Asked::So(_) if broken(Defect::FilledThoughNot) => Some(Never::default()),
            Asked::So(_) => None,
            Asked::Stopped(spent) => return Ok(Proof::Stopped(spent)),
        },
    };
    let filled = match no_gaps {
        Some(_) => Filled::Always,
        None => Filled::Perhaps,
    };
    let cases = |start| order::cases(scope, start);
    let (anywhere, real) = (cases(Start::Anywhere), cases(Start::Real));
    for spare in 0..=MOST_SPARE {
        let looks = anywhere
            .iter()
            .map(|case| order::from_anywhere(scope, claim, filled, case, spare));
        match some(looks, budget)? {
            Seen::Never(for_ever) => {
                return Ok(Proof::Holds(OrderPart {
                    spare,
                    no_error,
                    filled: no_gaps,
                    for_ever,
                }));
            }
            Seen::So(..) => {}
            Seen::Stopped(spent) => return Ok(Proof::Stopped(spent)),
        }
        if broken(Defect::StartNotLookedAt) {
            continue;
        }
        let looks = real
            .iter()
            .map(|case| order::from_the_start(scope, claim, filled, case, reach + spare));
        match some(looks, budget)? {
            Seen::Never(_) => {}
            Seen::So(look, model) => return Ok(Proof::Fails(Box::new(look.unrolled), model)),
            Seen::Stopped(spent) => return Ok(Proof::Stopped(spent)),
        }
    }
    Ok(Proof::Unknown(format!(
        "no run breaks the claim while some node has made at most {} activations, and from any state of all it may be broken later",
        reach + MOST_SPARE
    )))
}

/// Whether it is found out that a run can begin.
pub(crate) fn some_run_begins(scope: &Scope<'_>, budget: &dyn Budget) -> Result<bool, Unsupported> {
    let begun = ask(&mut order::some_beginning(scope)?, budget)?;
    Ok(matches!(begun, Asked::So(_)))
}

/// Why neither the code nor the claim can be an error, if that is so.
pub(crate) fn never_errs(
    scope: &Scope<'_>,
    claim: &Claim<'_>,
    budget: &dyn Budget,
) -> Result<Result<Option<Never>, Spent>, Unsupported> {
    let mut look = order::some_error(scope, claim)?;
    Ok(match ask(&mut look, budget)? {
        Asked::Never(never) => Ok(Some(never)),
        Asked::So(_) => Ok(None),
        Asked::Stopped(spent) => Err(spent),
    })
}

/// What came of several looks.
enum Seen<'s, 'm> {
    /// None of them sees anything, and why, in their order.
    Never(Vec<Never>),
    /// One does.
    So(Box<Look<'s, 'm>>, Model),
    /// A limit was reached.
    Stopped(Spent),
}

/// Whether one of several looks sees what it looks for.
fn some<'s, 'm>(
    looks: impl Iterator<Item = Result<Look<'s, 'm>, Unsupported>>,
    budget: &dyn Budget,
) -> Result<Seen<'s, 'm>, Unsupported> {
    let mut nevers = Vec::new();
    for look in looks {
        let mut look = look?;
        match ask(&mut look, budget)? {
            Asked::Never(never) => nevers.push(never),
            Asked::So(model) => return Ok(Seen::So(Box::new(look), model)),
            Asked::Stopped(spent) => return Ok(Seen::Stopped(spent)),
        }
    }
    Ok(Seen::Never(nevers))
}

fn ask(look: &mut Look<'_, '_>, budget: &dyn Budget) -> Result<Asked, Unsupported> {
    Asking::new(budget.solver()).ask(look, budget)
}
