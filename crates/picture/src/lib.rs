//! How a run looks to a person.

mod errors;
mod event;
mod story;
mod words;

pub use errors::error_words;
pub use story::{Telling, digest, state, story};
pub use words::Words;
