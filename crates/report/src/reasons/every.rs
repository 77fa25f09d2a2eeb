//! Sentences about claims that are undecided for every size.

use verdict::{NotForEvery, SizeGap, SizeMethod};

/// Why a claim is not proved for every value of a parameter.
pub(super) fn not_for_every(why: &NotForEvery) -> String {
    let name = &why.parameter;
    let mut parts = Vec::new();
    if let Some(bound) = &why.bound {
        let mut known = Vec::new();
        known.extend(
            bound
                .proved
                .map(|value| format!("{value} will do for every {name}")),
        );
        let fails = bound.fails;
        known.extend(fails.map(|(value, size)| format!("{value} fails for {name} = {size}")));
        parts.push(known.join(", "));
    }
    match why.tried {
        _ if why.bound.is_some() => {}
        Some((from, to)) if from == to => {
            parts.push(format!("no run decides it for {name} = {from}"));
        }
        Some((from, to)) => parts.push(format!("no run decides it for {name} = {from}..{to}")),
        None => {}
    }
    parts.extend(why.gaps.iter().map(gap));
    format!("for every {name}: {}", parts.join("; "))
}

fn gap(gap: &SizeGap) -> String {
    let method = match gap.method {
        SizeMethod::OpenMachine => "no form for every size",
        SizeMethod::Projection => "no projection onto few nodes",
        SizeMethod::OneNode => "no proof from the code of one node",
        SizeMethod::SmallSizes => "at small sizes",
    };
    let what = &gap.what;
    match &gap.place {
        Some(place) => format!("{method}: {what} (`{}`, line {})", place.text, place.line),
        None => format!("{method}: {what}"),
    }
}
