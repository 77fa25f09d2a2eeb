//! Presents a run: as a story, sequence chart, timeline or HTML page for people, and as a trace for other tools.
//!
//! Every renderer reads a [`ReplayedRun`]: the states of the run and what is derived from them once, namely step
//! traces, event lines, messages, cause and slice.

mod chart;
mod draw;
mod events;
mod export;
mod page;
mod reasons;
mod replay;
mod story;
mod timeline;
mod words;

pub use chart::{Chart, Row, Show};
pub use draw::histogram::{Histogram, Mark, histogram};
pub use draw::shapes::{Caption, Text};
pub use draw::write::escaped;
pub use export::itf;
pub use export::run_data::{CauseData, EndingData, EventData, RunData, run_data};
pub use page::page;
pub use reasons::{
    every_size_argument, every_size_proof, reason, reduction, spent, time_abstraction,
};
pub use replay::run::ReplayedRun;
pub use replay::slice::roots;
pub use story::headline::headline;
pub use story::lines::{EventText, digest, event_texts, story, story_since, whole_story};
pub use story::next::Next;
pub use timeline::{Hit, Timeline, timeline};
pub use words::claims::moment;
pub use words::errors::error_words;
pub use words::names::Words;
pub use words::state::{state, state_after};
pub use words::times::Times;

/// The run as a complete SVG file: a timeline if all events have times, otherwise a sequence chart.
pub fn chart(replay: &ReplayedRun<'_>, caption: &Caption<'_>) -> String {
    if replay.is_timed() {
        return timeline(replay, caption);
    }
    Chart::new(replay, caption, Show::All).svg()
}
