//! What cannot be enumerated: initial states and constants that are too many.

use crate::abstraction::lazy_initial_values::LazyValues;
use verdict::ConeOfInfluence;

/// Initial states that can be looked at one by one: a few minutes for each instance.
const MOST_INITIAL: u128 = 100_000_000;

/// Values of one variable that can be listed: they are kept while a search goes on.
const LONGEST_LIST: u128 = 2_000_000;

/// Says what cannot be enumerated, before anybody tries.
pub(crate) fn refuse_too_many(
    machine: &machine::Machine,
    lazy: &LazyValues,
    cone: Option<&ConeOfInfluence<'_>>,
) -> Result<(), String> {
    if machine.abstraction == machine::Abstraction::Exact && machine.has_time() {
        return Err("real times, and this search knows only orders of events".into());
    }
    // The first instance has no faulty nodes: no other begins in more ways.
    if let Some(frozen) = machine.frozen_choices().next() {
        let relevant = cone.map(|cone| cone(&frozen));
        let (relevant, frozen) = (relevant.as_deref(), &frozen);
        let list = lazy.longest_list(machine, relevant);
        if list > LONGEST_LIST {
            return Err(format!(
                "a variable can begin with {list} values, and more than {LONGEST_LIST} are not listed; \
                 a smaller range would help"
            ));
        }
        refuse(lazy.bound(machine::Instance { machine, frozen }, relevant))?;
    }
    for frozen in &machine.frozen_vars {
        let values = machine.cardinality(&frozen.ty);
        if values > 1_000_000 && !matches!(frozen.order, machine::Order::Given(_)) {
            return Err(format!(
                "the constant `{}` can have {values} values",
                frozen.name
            ));
        }
    }
    Ok(())
}

/// Says so, if there are too many states in which an instance may begin.
pub(crate) fn refuse(initial: u128) -> Result<(), String> {
    if initial <= MOST_INITIAL {
        return Ok(());
    }
    Err(format!(
        "it can begin in {initial} ways for each instance, and more than {MOST_INITIAL} cannot be enumerated; \
         smaller ranges, or fewer variables that begin with `any`, would help"
    ))
}
