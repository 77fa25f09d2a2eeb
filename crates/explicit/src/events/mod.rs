//! The semantics of events: which events are enabled, what firing them does; conversion from and to the reference
//! interpreter.

pub(crate) mod enabled;
pub(crate) mod fire;
pub(crate) mod interpreter_state;
pub(crate) mod invisible_deliveries;
pub(crate) mod normal_form;
pub(crate) mod receive;
pub(crate) mod runtime_faults;
pub(crate) mod timing;
