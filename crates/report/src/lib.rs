//! How a run looks to a person: story, sequence chart, timeline, page, and traces for other tools.

mod chart;
mod draw;
mod export;
mod page;
mod replay;
mod story;
mod timeline;
mod words;

pub use chart::{Caption, Chart, Row, Show, Text, chart, escaped};
pub use draw::histogram::{Histogram, Mark, histogram};
pub use export::itf;
pub use page::page;
pub use replay::slice::{roots, slice};
pub use story::headline::headline;
pub use story::next::Next;
pub use story::untimed::{Telling, Told, digest, story, story_since, told, whole_story};
pub use timeline::{Hit, Timeline, timeline};
pub use words::deadline::moment;
pub use words::errors::error_words;
pub use words::names::Words;
pub use words::state::{state, state_after};
pub use words::times::Times;
