//! The Machine: what a protocol does, without its language; with text form, verifier and reference interpreter.
//!
//! A [`Machine`] stands for one size and one topology. What is chosen once and never changes (the order
//! of ids, constants of nodes) is *rigid*: a [`Rigid`] picks it, and an [`Instance`] is a Machine with its
//! Rigid. [`Instance::initial_states`], [`Instance::choices`] and [`Instance::step`] are the meaning of
//! the whole project: every engine is tested against them.

mod block;
mod domain;
mod eval;
mod event;
pub mod explore;
mod expr;
mod footprint;
mod ids;
mod initial;
mod items;
mod names;
mod parse;
mod parse_code;
mod pick;
mod print;
pub mod random;
mod sexpr;
mod shape;
mod show;
mod state;
mod step;
mod structure;
mod symmetry;
mod types;
mod typing;
mod value;
mod verify;

pub use eval::{ErrorKind, RunError};
pub use event::{Choice, Event, Outcome, Unit};
pub use expr::{BinaryOp, Expr, Formula, Place, PlaceStep, Quantifier, Stmt, StmtKind, UnaryOp};
pub use footprint::{Footprint, footprint};
pub use ids::{
    BlockId, EdgeId, EnumId, FaultId, KindId, LocalId, MapId, NodeId, Origin, RecordId, RigidId,
    VarId,
};
pub use initial::{InitialError, Rigids};
pub use parse::{parse, parse_value};
pub use pick::Pick;
pub use sexpr::ParseError;
pub use state::{Mode, NodeState, Outgoing, Rigid, State};
pub use step::{Instance, StepError};
pub use structure::{
    Block, Channel, Effect, Enum, Init, Kind, Local, Machine, Map, MessageFault, Order, Predicate,
    Property, PropertyKind, Record, RigidVar, Scope, Timing, Trigger, Var,
};
pub use symmetry::rotations;
pub use types::Type;
pub use typing::Typing;
pub use value::Value;
pub use verify::{TypeError, verify};
