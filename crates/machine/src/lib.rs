//! The Machine: the intermediate representation of a protocol, independent of the modelling language.
//!
//! A [`Machine`] describes one protocol at one size on one topology. Some values are chosen once at the start and never
//! change: frozen variables (the order of ids, constants of nodes), faults from the start, and fixed periods. A
//! [`Frozen`] is one such choice, and an [`Instance`] is a Machine with a `Frozen`. [`Instance::initial_states`],
//! [`Instance::choices`] and [`Instance::step`] define the semantics; tests compare every engine with them.
//!
//! Modules, from the bottom up: `ir` (structure, expressions, types, values), `semantics` (the reference interpreter;
//! start reading at `semantics/step.rs` and `semantics/enabled.rs`), `verify` (well-formedness and typing), `text`
//! (printer and parser), `open` (Machines whose number of nodes is a parameter), `analysis` (static analyses:
//! footprints, symmetry, order rules, counters).

mod analysis;
mod ir;
mod open;
mod semantics;
mod text;
mod verify;

pub use analysis::counter_classes::classify;
pub use analysis::counter_normal_form::Shift;
pub use analysis::footprint::{Footprint, footprint};
pub use analysis::order_rules::{chain_rule, horizon, order_rule};
pub use analysis::symmetry::{
    NodeOrderUse, depends_on_node_numbering, interchangeable_without_errors, named_nodes,
    node_numbering_use, ranges_over_nodes, rotations, rotations_without_errors,
};
pub use analysis::zero_time::may_loop_in_zero_time;
pub use ir::domain::{MOST_ELEMENTS, MOST_NODES, MOST_PARTS, holds_counters};
pub use ir::expr::{
    BinaryOp, Expr, Formula, Place, PlaceStep, Quantifier, Stmt, StmtKind, UnaryOp,
};
pub use ir::ids::{
    BlockId, ClassId, EdgeId, EnumId, FaultId, FrozenId, KindId, LocalId, MapId, NodeId, Origin,
    RecordId, ResponseId, RuntimeFaultId, TimerId, VarId,
};
pub use ir::periodic::Interval;
pub use ir::structure::{
    Block, Channel, Counter, Effect, Enum, Fault, FrozenVar, Inbox, InboxStart, Init, Kind, Local,
    Machine, Map, MessageFault, Mode, NodeFault, Order, Predicate, Property, PropertyKind, Record,
    Scope, Trigger, Var,
};
pub use ir::time_bounds::{Bound, End};
pub use ir::timing::{
    Abstraction, ChainRule, Crash, Delay, Digitisation, First, Jitter, OrderRule, Periodic,
    Response, Restart, RuntimeFault, TimeSum, Timer, Timing, Window,
};
pub use ir::types::Type;
pub use ir::value::Value;
pub use open::structure::{EdgeRule, MapRule, OpenLimit, OpenMachine, SIZE, Shape, SizeParameter};
pub use open::text::parse_open;
pub use open::verify::verify_open;
pub use semantics::eval::{ErrorKind, RunError};
pub use semantics::event::{Choice, Event, Outcome, Unit};
pub use semantics::initial::enumeration::InitialStates;
pub use semantics::initial::sampling::{Chooser, TooLarge, sample_time};
pub use semantics::initial::states::InitialPart;
pub use semantics::instance::Instance;
pub use semantics::order::constraints::{NodeSlots, OrderConstraints};
pub use semantics::random;
pub use semantics::start::InitialError;
pub use semantics::state::{ActivationHistory, Clock, Frozen, NodeState, Outgoing, State};
pub use semantics::step::StepError;
pub use semantics::trace::{Sent, Trace};
pub use text::parse::{parse, parse_value};
pub use text::sexpr::ParseError;
pub use verify::totality::{is_nonempty, may_fail, may_overflow};
pub use verify::typing::Typing;
pub use verify::verifier::{TypeError, verify};
