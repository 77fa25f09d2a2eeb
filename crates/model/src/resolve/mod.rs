//! Name resolution: from the AST of a file to its Model. [`resolve()`] lists the passes in order.
//!
//! Every top-level name is visible in the whole file. Therefore all names are declared first. Parameters and the types
//! of fields are resolved next, and then the other expressions.

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

/// The Model of a file, and the diagnostics. The Model may be checked only if no diagnostic is an error.
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
    resolver.collect_sends();
    resolver.bodies();
    resolver.environment();
    resolver.claims();
    resolver.checks();
    resolver.instant_rules();
    resolver.unhandled();
    resolver.finish()
}
