//! The constructs that the zone graph does not represent exactly. They are refused by name.

use machine::{Abstraction, Channel, Jitter, Machine, Property, PropertyKind};
use verdict::{Reason, Representation};

/// The reason to refuse a Machine; `None` if its zone graph is exact.
pub(crate) fn refused(machine: &Machine) -> Option<Reason> {
    if !machine.has_time() {
        return Some(no_zones("a model without times"));
    }
    if machine.abstraction != Abstraction::Exact {
        return Some(no_zones("an abstraction of time"));
    }
    if let Channel::Fifo(Some(_)) = machine.channel {
        return Some(Reason::BoundedChannels);
    }
    for (kind, periodic) in machine.periodic_kinds() {
        let name = &machine.kinds[kind.index()].name;
        if periodic.fixed && periodic.gap.0 < periodic.gap.1 {
            return Some(no_zones(format!("the fixed but unknown period of {name}")));
        }
        if let Jitter::OnGrid(_) = periodic.jitter {
            return Some(no_zones(format!(
                "the jitter of {name} around multiples of a period"
            )));
        }
        let first = periodic.first_bounds();
        if first.1 < first.0 {
            return Some(no_zones(format!(
                "first activations of {name} that end before they begin"
            )));
        }
    }
    None
}

/// The reason to refuse a property; `None` if it is about single states.
pub(crate) fn refused_property(property: &Property) -> Option<Reason> {
    match &property.kind {
        PropertyKind::Possible(_) => None,
        PropertyKind::Claim(claim) => match claim.invariant() {
            Some(_) => None,
            None => Some(no_zones("a claim about whole runs")),
        },
    }
}

/// The reason that the zone graph cannot represent a construct.
pub(crate) fn no_zones(what: impl Into<String>) -> Reason {
    Reason::Unsupported {
        by: Representation::Zones,
        what: what.into(),
    }
}
