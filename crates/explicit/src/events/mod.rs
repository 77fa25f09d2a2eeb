//! The semantics of events: which are enabled, what firing them does, and the conversion to and from the reference interpreter.

pub(crate) mod enabled;
pub(crate) mod fire;
pub(crate) mod interpreter_state;
pub(crate) mod invisible_deliveries;
pub(crate) mod normal_form;
pub(crate) mod receive;
pub(crate) mod runtime_faults;
pub(crate) mod timing;
