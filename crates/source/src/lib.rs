//! Files, spans and diagnostics as data: what every layer of the front end can point at and say.

pub mod codes;
mod diagnostic;
mod file;

pub use codes::Code;
pub use diagnostic::{Diagnostic, Fix, Label, Severity};
pub use file::{FileId, Sources, Span};
