//! Limits of enumeration: refuses Machines with real times, too many initial states, or too many values of a variable.

use crate::abstraction::lazy_initial_values::LazyValues;
use verdict::ConeOfInfluence;

/// The greatest number of initial states of an instance. Enumerating this many takes a few minutes.
const MOST_INITIAL: u128 = 100_000_000;

/// The greatest number of initial values of a variable. They are stored during the search.
const LONGEST_LIST: u128 = 2_000_000;

/// Refuses, before the search, a Machine that cannot be enumerated.
pub(crate) fn refuse_too_many(
    machine: &machine::Machine,
    lazy: &LazyValues,
    cone: Option<&ConeOfInfluence<'_>>,
) -> Result<(), String> {
    if machine.abstraction == machine::Abstraction::Exact && machine.has_time() {
        return Err("real times, and this search knows only orders of events".into());
    }
    // The first instance has no faulty nodes, so no other instance has more initial states.
    if let Some(frozen) = machine.frozen_choices().next() {
        let cone = cone.map(|cone| cone(&frozen));
        let (cone, frozen) = (cone.as_deref(), &frozen);
        if let Some((name, list)) = lazy.longest_list(machine, cone)
            && list > LONGEST_LIST
        {
            return Err(too_many_values(name, list));
        }
        refuse(lazy.bound(machine::Instance { machine, frozen }, cone))?;
    }
    for frozen in &machine.frozen_vars {
        let values = machine.cardinality(&frozen.ty);
        if values > 1_000_000 && !matches!(frozen.order, machine::Order::Given(_)) {
            return Err(format!(
                "the constant `{}` can have {}",
                frozen.name,
                number_of_values(values)
            ));
        }
    }
    Ok(())
}

/// The sentence about a variable with more initial values than are listed.
pub(crate) fn too_many_values(name: &str, values: u128) -> String {
    format!(
        "`{name}` can begin with {}, and more than {LONGEST_LIST} are not listed; a smaller range would help",
        number_of_values(values)
    )
}

fn number_of_values(values: u128) -> String {
    match values {
        u128::MAX => "more values than can be counted".into(),
        values => format!("{values} values"),
    }
}

/// Refuses an instance with this number of initial states if it is too large.
pub(crate) fn refuse(initial: u128) -> Result<(), String> {
    if initial <= MOST_INITIAL {
        return Ok(());
    }
    Err(format!(
        "it can begin in {initial} ways for each instance, and more than {MOST_INITIAL} cannot be enumerated; \
         smaller ranges, or fewer variables that begin with `any`, would help"
    ))
}
