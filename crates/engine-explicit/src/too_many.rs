//! What cannot be enumerated: initial states and constants that are too many.

use crate::undecided::Deferred;
use verdict::Relevance;

/// Initial states that can be made one by one.
const MOST_INITIAL: u128 = 2_000_000;

/// Says what cannot be enumerated, before anybody tries.
pub(crate) fn refuse_too_many(
    machine: &machine::Machine,
    deferred: &Deferred,
    relevance: Option<&Relevance<'_>>,
) -> Result<(), String> {
    if machine.rung == machine::Rung::Exact && machine.has_time() {
        return Err("real times, and this search knows only orders of events".into());
    }
    // The first instance has no faulty nodes: no other begins in more ways.
    let initial = machine.rigids().next().map_or(0, |rigid| {
        let relevant = relevance.map(|relevance| relevance(&rigid));
        let rigid = &rigid;
        deferred.bound(machine::Instance { machine, rigid }, relevant.as_deref())
    });
    if initial > MOST_INITIAL {
        return Err(format!(
            "it can begin in {initial} ways for each instance, and more than {MOST_INITIAL} cannot be enumerated; \
             smaller ranges, or fewer variables that begin with `any`, would help"
        ));
    }
    for rigid in &machine.rigids {
        let values = machine.cardinality(&rigid.ty);
        if values > 1_000_000 && !matches!(rigid.order, machine::Order::Given(_)) {
            return Err(format!(
                "the constant `{}` can have {values} values",
                rigid.name
            ));
        }
    }
    Ok(())
}
