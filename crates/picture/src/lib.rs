//! How a run looks to a person.

mod changes;
mod chart;
mod crux;
mod deeds;
mod errors;
mod event;
mod flights;
mod headline;
mod histogram;
mod inboxes;
pub mod itf;
mod measure;
mod next;
mod page;
mod palette;
mod reading;
mod refrain;
mod slice;
mod state;
mod story;
mod timed_story;
mod timeline;
mod times;
mod words;

pub use chart::{Caption, Chart, Row, Show, Text, chart, escaped};
pub use errors::error_words;
pub use headline::headline;
pub use histogram::{Histogram, Mark, histogram};
pub use next::Next;
pub use page::page;
pub use slice::{roots, slice};
pub use state::{state, state_after};
pub use story::{Telling, Told, digest, story, story_since, told};
pub use timeline::{Hit, Timeline, timeline};
pub use times::Times;
pub use words::Words;
