//! How a run looks to a person.

mod errors;
mod event;
pub mod itf;
mod story;
mod words;

pub use errors::error_words;
pub use story::{Telling, Told, digest, state, story, told};
pub use words::Words;
