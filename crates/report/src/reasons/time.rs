//! The sentences for methods about dense time that end without a decision.

use verdict::{Inexact, OrderGap, Spurious};

pub(super) fn order_gap(gap: &OrderGap) -> String {
    match gap {
        OrderGap::Limit(spent) => super::spent(spent),
        OrderGap::OutOfScope(what) => what.clone(),
        OrderGap::NotAClaim => "not a claim".into(),
        OrderGap::NotAnInvariant => "not a claim about every state".into(),
        OrderGap::MayErr => "code or claim may end in an error".into(),
        OrderGap::NoRunBegins => "no run begins".into(),
        OrderGap::PremiseOpen => "whether the premise is ever true".into(),
        OrderGap::NotLifted => "its run cannot be followed".into(),
        OrderGap::NoTimes => "the order that was found has no times".into(),
        OrderGap::NotFollowed(why) => {
            format!("an order of events was found that cannot be followed ({why})")
        }
        OrderGap::NotInductive(activations) => format!(
            "no run breaks the claim while some node has made at most {activations} activations, and from any state of \
             all it may be broken later"
        ),
        OrderGap::Contradiction => "two methods contradict each other".into(),
    }
}

pub(super) fn spurious(spurious: Spurious) -> String {
    let found = "an order of events was found that real times do not allow";
    match spurious {
        Spurious::NoRule => format!("{found}, and no rule about two or three nodes excludes it"),
        Spurious::MostRules(rules) => {
            format!("{found}, and the {rules} rules that exclude others do not exclude it")
        }
        Spurious::Limit => {
            "the limit was reached while orders that real times do not allow were being excluded"
                .into()
        }
    }
}

/// The words for 1/2, 1/3 and 1/4 of a unit.
const PARTS: [&str; 3] = ["a half", "a third", "a fourth"];

pub(super) fn nothing_found(unit: &str, parts: u32, inexact: &Inexact) -> String {
    let tried = match &PARTS[..(parts as usize).saturating_sub(1).min(PARTS.len())] {
        [] => format!("multiples of {unit}"),
        [half] => format!("multiples of {unit}, and of {half} of it"),
        [first @ .., last] => {
            let first = first.join(", ");
            format!("multiples of {unit}, and of {first} and {last} of it")
        }
    };
    let why = self::inexact(inexact);
    format!("no run was found in which all times are {tried}, but that proves nothing here: {why}")
}

fn inexact(inexact: &Inexact) -> String {
    match inexact {
        Inexact::OnePeriod(kind) => format!(
            "each node of {kind} has one period for the whole run, which may be any time of its interval"
        ),
        Inexact::FullChannel => "a full channel can keep a node from what is due".into(),
        Inexact::ZeroTimeLoop => {
            "code that takes no time may cause itself again, and whether time goes on then may depend on times between \
             those that were tried"
                .into()
        }
        Inexact::SeveralDelays => "it takes several delays at once to break the claim".into(),
        Inexact::DelayAndTime => {
            "it takes a delay, and that a time has passed, to break the claim".into()
        }
        Inexact::NestedWithin => "`within` stands below another temporal operator".into(),
    }
}
