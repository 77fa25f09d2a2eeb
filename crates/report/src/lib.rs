//! How a run looks to a person: story, sequence chart, timeline and HTML page; and traces for other tools.
//!
//! Every renderer reads a [`ReplayedRun`]: the states of the run, and the step traces, event lines, messages, cause and
//! slice that are derived from them once.

mod chart;
mod draw;
mod events;
mod export;
mod page;
mod replay;
mod story;
mod timeline;
mod words;

pub use chart::{Chart, Row, Show};
pub use draw::histogram::{Histogram, Mark, histogram};
pub use draw::shapes::{Caption, Text};
pub use draw::write::escaped;
pub use export::itf;
pub use page::page;
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

/// The picture of a run as a complete SVG file: a timeline if events have times, otherwise a sequence chart.
pub fn chart(replay: &ReplayedRun<'_>, caption: &Caption<'_>) -> String {
    if replay.is_timed() {
        return timeline(replay, caption);
    }
    Chart::new(replay, caption, Show::All).svg()
}
