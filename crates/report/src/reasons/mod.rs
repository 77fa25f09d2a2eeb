//! The sentences for reached limits, unknown answers, abstractions of time and proofs for every size. No other module
//! makes such sentences, except for the noun phrases of constructs that an engine does not support, and texts that a
//! reason carries as a `String`.

mod abstractions;
mod bounds;
mod every;
mod every_argument;
mod omission;
mod reductions;
mod search;
mod time;

pub use abstractions::time_abstraction;
pub use every_argument::{every_size_argument, every_size_proof};
pub use reductions::reduction;
pub use search::spent;

use verdict::{Defect, Labels, Reason, Representation};

/// The end of a sentence about a defect of Scrutineer.
const PLEASE_REPORT: &str = "this is a bug in Scrutineer, please report it with the model";

/// Why an answer is `unknown`, without a full stop. `labels` are those of the Machine.
pub fn reason(reason: &Reason, labels: &Labels) -> String {
    match reason {
        Reason::NotBegun(spent) => format!("not begun: {}", search::spent(spent)),
        Reason::Ended { cause, established } => search::ended(cause, established),
        Reason::MayBeOmitted(omission, goal) => omission::may_be_omitted(omission, *goal),
        Reason::HashesOnly => "it is about runs that go on for ever: that takes states as they are, and of those that were \
                               visited only hashes are kept"
            .into(),
        Reason::TooLarge(what) => what.clone(),
        Reason::Unsupported { by, what } => {
            let by = match by {
                Representation::States => "the explicit search",
                Representation::Circuit => "a circuit",
                Representation::Zones => "a zone graph",
            };
            format!("{by} cannot represent this model: {what}")
        }
        Reason::NotAboutStates => "a claim about more than single states".into(),
        Reason::NoRoom(room) => format!("a channel or inbox may hold more than {room} messages"),
        Reason::NoMethod => "no method of this version answers this question".into(),
        Reason::BoundedChannels => {
            "a full channel can keep a node from an activation that is due, and no method of this version finds out \
             whether that happens: `channel fifo` has no bound"
                .into()
        }
        Reason::ForEvery(why) => every::not_for_every(why, labels),
        Reason::ForEveryGraph => "for every graph: no method of this version proves that".into(),
        Reason::Checkpoint(why) => why.clone(),
        Reason::EventOrder(gap) => {
            format!("not by the order of events: {}", time::order_gap(gap))
        }
        Reason::Spurious(spurious) => time::spurious(*spurious),
        Reason::TimesTooFarApart => {
            "the times in it are too far apart to count from the shortest to the longest".into()
        }
        Reason::TooManyUnits {
            longest,
            unit,
            most,
        } => {
            let (longest, unit) = (labels.time(longest), labels.time(unit));
            format!(
                "the times are too far apart to count: {longest} is more than {most} times {unit}, the longest time of \
                 which all times in the model and the claim are multiples; round the times so that this one is longer, \
                 or make {longest} shorter"
            )
        }
        Reason::NothingFound {
            unit,
            parts,
            inexact,
        } => time::nothing_found(&labels.time(unit), *parts, inexact),
        Reason::Bounds(unsought) => bounds::unsought(unsought, labels),
        Reason::Defect(defect) => self::defect(defect),
    }
}

fn defect(defect: &Defect) -> String {
    let what = match defect {
        Defect::Rejected(why) => {
            format!("the engine's run does not stand up to the reference interpreter ({why})")
        }
        Defect::RejectedRandomRun(number, why) => {
            format!("run {number} does not stand up to a second look ({why})")
        }
        Defect::NotLifted => "a run of the smaller machine has no counterpart".into(),
        Defect::LoopInZeroTime => "the engine's run goes round without time passing".into(),
        Defect::NoRoom => "a circuit has no room where there should be some".into(),
        Defect::NoRun => "the trace of a circuit is not a run".into(),
    };
    format!("{what}; {PLEASE_REPORT}")
}
