//! From the tree of a file to its Model: the order in which names, types and code are resolved.
//!
//! Every top-level name is visible in the whole file. So names come first, then the types of fields
//! (which need no values), and only then expressions.

mod claims;
mod code;
mod context;
mod declarations;
mod environment;
mod expressions;
mod time;
mod types;

pub use context::suggest::nearest;

use crate::Model;
use context::resolver::Resolver;
use source::{Diagnostic, Sources};
use syntax::ast;

/// The Model of a file, and everything that is wrong with it.
///
/// The Model may be used only if no diagnostic is an error: a file is accepted or refused as a whole.
pub fn resolve(file: &ast::File, sources: &Sources) -> (Model, Vec<Diagnostic>) {
    let mut resolver = Resolver::new(file, sources);
    resolver.names();
    resolver.params();
    resolver.field_types();
    resolver.domains();
    resolver.networks();
    resolver.timings();
    resolver.abbreviations();
    resolver.functions();
    resolver.what_enters_inboxes();
    resolver.bodies();
    resolver.environment();
    resolver.claims();
    resolver.checks();
    resolver.instant_rules();
    resolver.unhandled();
    resolver.finish()
}
