//! A run as data for `check --json`: its events in words, its ending, and why the claim is false on it.

use crate::replay::run::ReplayedRun;
use crate::story::lines::event_texts;
use crate::words::claims::moment;
use crate::words::errors::error_words;
use serde::Serialize;
use verdict::{Ending, PartVerdict};

/// A run as data. Its serialised form is the object `run` of `check --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RunData {
    /// The values of the frozen variables in words, such as the ids of the nodes; empty if there are none.
    pub constants: String,
    /// The events, in order.
    pub events: Vec<EventData>,
    /// How the run continues after its events.
    pub ending: EndingData,
    /// If the run is a lasso: the number, from 1, of the first event of the loop.
    pub loops_from_event: Option<usize>,
    /// The error in words, if the run ends in one.
    pub error: Option<String>,
    /// Why the claim is false on the run, if the run violates a claim.
    pub why: Option<CauseData>,
}

/// One event of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EventData {
    /// The node at which the event happens; empty if only time passes.
    pub node: String,
    /// What happens to the node.
    pub what: String,
    /// What the node reads, changes and sends, one text each.
    pub effects: Vec<String>,
    /// The time of the event in the notation of the model, if the run has times.
    pub time: Option<String>,
}

/// How a run continues after its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum EndingData {
    /// The run is a finite prefix; every continuation of it shows the answer, too.
    Open,
    /// No event is enabled any more.
    #[serde(rename = "stands still")]
    StandsStill,
    /// The events from `loops_from_event` on repeat for ever.
    Loops,
    /// The last event is an error, or the evaluation of the property in the last state is one.
    Error,
}

/// Why a claim is false on a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CauseData {
    /// The false part of the claim in the notation of the model, if its place in the model is known.
    pub part: Option<String>,
    /// `false`: the part is false in the state after `after_event` events. `never true`: the part is false in that
    /// state and in all later ones.
    pub is: &'static str,
    /// The number of events before the state that `is` refers to.
    pub after_event: usize,
    /// The values that make the part false, in words.
    pub because: String,
}

/// The data of a replayed run.
pub fn run_data(replay: &ReplayedRun<'_>) -> RunData {
    let (words, run) = (replay.words, replay.run);
    let events = event_texts(replay).into_iter().zip(&run.choices);
    let events = events.map(|(event, choice)| EventData {
        node: event.node,
        what: event.what,
        effects: event.effects,
        time: choice.time.as_ref().map(|time| words.labels.time(time)),
    });
    let (ending, loops_from_event) = match &run.ending {
        Ending::Open => (EndingData::Open, None),
        Ending::StandsStill => (EndingData::StandsStill, None),
        Ending::Loops(from) => (EndingData::Loops, Some(from + 1)),
        Ending::Error(_) => (EndingData::Error, None),
    };
    let error = match &run.ending {
        Ending::Error(error) => Some(error_words(words, error, run.choices.last())),
        _ => None,
    };
    let why = replay.explanation.map(|explanation| {
        let (is, after_event) = match explanation.verdict {
            PartVerdict::FalseAfter(after) => ("false", after),
            PartVerdict::NeverAfter(after) => ("never true", after),
        };
        CauseData {
            part: words.false_part(&explanation.why).map(str::to_string),
            is,
            after_event,
            because: words.because(&explanation.why, moment(explanation, replay.states)),
        }
    });
    RunData {
        constants: words.frozen(&run.frozen),
        events: events.collect(),
        ending,
        loops_from_event,
        error,
        why,
    }
}
