//! The library: models, options, errors and results for programs that use Scrutineer.

mod convert;
pub(crate) mod diagnostic;
pub(crate) mod error;
pub(crate) mod evidence;
pub(crate) mod machines;
pub(crate) mod model;
pub(crate) mod options;
pub(crate) mod results;
