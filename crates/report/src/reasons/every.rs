//! Sentences about claims that are undecided for every size.

use super::{bounds::said, reason};
use verdict::{Labels, NotForEvery, SizeGap, SizeMethod};

/// Why a claim is not proved for every value of a parameter.
pub(super) fn not_for_every(why: &NotForEvery, labels: &Labels) -> String {
    let name = &why.parameter;
    let mut parts = Vec::new();
    if let Some(bound) = &why.bound {
        let mut known = Vec::new();
        let text = |value| said(value, labels);
        let proved = bound.proved.as_ref();
        known.extend(proved.map(|value| format!("{} will do for every {name}", text(value))));
        let fails = bound.fails.as_ref();
        known.extend(
            fails.map(|(value, size)| format!("{} fails for {name} = {size}", text(value))),
        );
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
    let open = why.open.as_ref();
    parts.extend(open.map(|(size, why)| format!("for {name} = {size} {}", reason(why, labels))));
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
