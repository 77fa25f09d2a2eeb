//! The state that all passes of name resolution share: tables of names, scopes, diagnostics, suggestions.

pub(crate) mod foreign;
pub(crate) mod globals;
pub(crate) mod resolver;
pub(crate) mod scope;
pub(crate) mod suggest;
