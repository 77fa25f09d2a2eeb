//! Source texts, spans, and diagnostics as data: the common base of the front end.

pub mod codes;
mod diagnostic;
mod file;
mod spelling;

pub use codes::Code;
pub use diagnostic::{Diagnostic, Fix, Label, Severity};
pub use file::{FileId, Sources, Span};
pub use spelling::Misspelt;
