//! How a run looks to a person.

mod chart;
mod errors;
mod event;
mod flights;
pub mod itf;
mod measure;
mod next;
mod page;
mod palette;
mod slice;
mod state;
mod story;
mod words;

pub use chart::{Caption, Chart, Row, Show, Text, chart};
pub use errors::error_words;
pub use next::Next;
pub use page::page;
pub use slice::{roots, slice};
pub use state::{state, state_after};
pub use story::{Telling, Told, digest, story, story_since, told};
pub use words::Words;
