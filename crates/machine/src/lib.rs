//! The Machine: what a protocol does, without its language; with text form, verifier and reference interpreter.
//!
//! A [`Machine`] stands for one size and one topology. What is chosen once and never changes (the order
//! of ids, constants of nodes) is *frozen*: a [`Frozen`] picks it, and an [`Instance`] is a Machine with its
//! Frozen. [`Instance::initial_states`], [`Instance::choices`] and [`Instance::step`] are the meaning of
//! the whole project: every engine is tested against them.

mod block;
mod bounds;
mod chain;
mod classes;
mod commute;
mod declared;
mod domain;
mod eval;
mod event;
mod expr;
mod footprint;
mod frozen_vars;
mod ids;
mod initial;
mod items;
mod moments;
mod names;
mod narrowed;
mod normal;
mod one_by_one;
mod other_kinds;
mod pace;
mod parse;
mod parse_code;
mod parse_world;
mod pick;
mod print;
mod print_world;
pub mod random;
mod rates;
mod rebuild;
mod receive;
mod runtime_fault;
mod sexpr;
mod shape;
mod show;
mod state;
mod step;
mod structure;
mod symmetry;
mod timed;
mod timers;
mod total;
mod trace;
mod types;
mod typing;
mod typing_statements;
mod value;
mod verify;
mod ways;

pub use chain::chain_rule;
pub use classes::classify;
pub use declared::{Bound, End};
pub use eval::{ErrorKind, RunError};
pub use event::{Choice, Event, Outcome, Unit};
pub use expr::{BinaryOp, Expr, Formula, Place, PlaceStep, Quantifier, Stmt, StmtKind, UnaryOp};
pub use footprint::{Footprint, footprint};
pub use ids::{
    BlockId, ClassId, EdgeId, EnumId, FaultId, FrozenId, KindId, LocalId, MapId, NodeId, Origin,
    RecordId, ResponseId, RuntimeFaultId, TimerId, VarId,
};
pub use initial::{Beginning, InitialError};
pub use normal::{Shift, holds_counters};
pub use one_by_one::InitialStates;
pub use pace::{Pace, Share};
pub use parse::{parse, parse_value};
pub use pick::{Pick, TooLarge, pick_time};
pub use rates::{Interval, horizon, order_rule};
pub use sexpr::ParseError;
pub use state::{Clock, Frozen, Mode, NodeState, Outgoing, Rhythm, State};
pub use step::{Instance, StepError};
pub use structure::{
    Block, Channel, Counter, Effect, Enum, Fault, FrozenVar, Inbox, InboxStart, Init, Kind, Local,
    Machine, Map, MessageFault, NodeFault, Order, Predicate, Property, PropertyKind, Record, Scope,
    Trigger, Var,
};
pub use symmetry::{
    interchangeable_without_errors, knows_node_order, named_nodes, rotations,
    rotations_without_errors,
};
pub use timed::{
    Abstraction, ChainRule, Crash, Delay, Digitisation, First, Jitter, OrderRule, Periodic,
    Response, Restart, RuntimeFault, TimeSum, Timer, Timing, Window,
};
pub use total::{is_filled, may_fail, may_overflow};
pub use trace::{Sent, Trace};
pub use types::Type;
pub use typing::Typing;
pub use value::Value;
pub use verify::{TypeError, verify};
