//! How a run looks to a person.

mod chart;
mod errors;
mod event;
mod flights;
pub mod itf;
mod measure;
mod page;
mod palette;
mod slice;
mod story;
mod words;

pub use chart::{Caption, Chart, Row, Show, Text, chart};
pub use errors::error_words;
pub use page::page;
pub use slice::{roots, slice};
pub use story::{Telling, Told, digest, state, story, told};
pub use words::Words;
