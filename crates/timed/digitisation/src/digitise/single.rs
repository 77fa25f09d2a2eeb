//! Machines with a single property. Each property of a Machine, and each conjunct of a claim, is digitised separately.

use machine::{Expr, Formula, Machine, Property, PropertyKind, Response, ResponseId, Scope};
use rational::Rational;

/// The Machine with one property, and only the responses that this property mentions, renumbered from 0.
pub fn alone(machine: &Machine, property: &Property) -> Machine {
    let mut used: Vec<ResponseId> = Vec::new();
    let kind = with_numbers(&property.kind, &mut |response| {
        let place = used.iter().position(|r| *r == response);
        place.unwrap_or_else(|| {
            used.push(response);
            used.len() - 1
        })
    });
    let responses = used.iter().map(|r| machine.responses[r.index()].clone());
    let mut alone = Machine {
        properties: vec![Property {
            kind,
            ..property.clone()
        }],
        responses: responses.collect(),
        ..machine.clone()
    };
    if machine.has_time() && !alone.has_time() {
        // Only the other properties read the time. A response that is never triggered keeps the Machine timed.
        alone.responses.push(Response {
            scope: Scope::default(),
            from: Expr::bool(false),
            to: Expr::bool(true),
            within: Rational::default(),
        });
    }
    alone
}

/// The Machine with the response numbers in its properties increased by `first`.
pub fn renumbered(machine: &Machine, first: usize) -> Machine {
    let properties = machine.properties.iter().map(|property| Property {
        kind: with_numbers(&property.kind, &mut |response| first + response.index()),
        ..property.clone()
    });
    Machine {
        properties: properties.collect(),
        ..machine.clone()
    }
}

/// The property with new response numbers.
fn with_numbers(kind: &PropertyKind, number: &mut dyn FnMut(ResponseId) -> usize) -> PropertyKind {
    let mut change = |e: &Expr| match e {
        Expr::Overdue(response) => Some(Expr::Overdue(ResponseId(number(*response) as u32))),
        _ => None,
    };
    match kind {
        PropertyKind::Claim(claim) => {
            PropertyKind::Claim(claim.with_exprs(&mut |e| e.rebuild(&mut change)))
        }
        PropertyKind::Possible(condition) => PropertyKind::Possible(condition.rebuild(&mut change)),
    }
}

/// The conjuncts of a claim, each as a property. A claim `always C` and a condition of `possible` are not split.
pub(super) fn conjuncts(property: &Property) -> Vec<Property> {
    fn split<'f>(claim: &'f Formula, conjuncts: &mut Vec<&'f Formula>) {
        match claim.bare() {
            Formula::And(a, b) => {
                split(a, conjuncts);
                split(b, conjuncts);
            }
            _ => conjuncts.push(claim),
        }
    }
    let mut found = Vec::new();
    match &property.kind {
        PropertyKind::Claim(claim) if claim.invariant().is_none() => split(claim, &mut found),
        _ => return vec![property.clone()],
    }
    let conjunct = |claim: &Formula| Property {
        kind: PropertyKind::Claim(claim.clone()),
        ..property.clone()
    };
    found.into_iter().map(conjunct).collect()
}
