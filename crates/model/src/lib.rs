//! The typed Model of a file: what a protocol means to its author, with every name resolved.
//!
//! [`resolve()`] reads the tree of a file and gives a [`Model`] together with everything that is wrong.
//! A file with an error is refused as a whole: its Model is only good for editors and messages.

mod cases;
mod check;
mod constant;
mod data;
mod expr;
mod item;
mod resolve;
mod surroundings;
mod timer;
mod timing;
mod types;
mod uses;

pub use cases::{Arm, Case, Match, Pattern};
pub use check::{
    Answer, AnswerKind, Attained, Check, ClaimUse, ExpectedValue, Question, Setting, SettingKind,
    Sought,
};
pub use constant::{
    Constant, ConstantError, Environment, Times, TimingError, evaluate, evaluate_set,
};
pub use data::{Index, IndexRange, Message, RangeId, RecordField, RecordId, Struct};
pub use expr::{BinaryOp, Expr, ExprKind, Formula, FormulaKind, Quantifier, Status};
pub use item::{
    Block, Body, Call, Claim, Enum, Field, FieldRole, Function, Head, Kind, Let, Local, Model,
    NodeConstant, Param, Place, PlaceStep, Receivers, Stmt, StmtKind, Var, VarStart, Variant,
};
pub use resolve::{nearest, resolve};
pub use surroundings::{
    Channel, Crash, Delay, EdgeEnd, Faults, Inbox, InboxStart, MessageFault, Network, NodeFault,
    NodeFaultKind, Restart, RuntimeFault, Topology, TopologyEdge, TopologyShape, World,
};
pub use syntax::ast::Unit;
pub use timer::{Timer, TimerUse};
pub use timing::{Every, First, Interval, Jitter, Periodic, Rhythm, Timing};
pub use types::{
    ClaimId, Domain, EnumId, FieldId, FnId, KindId, LetId, LocalId, MessageId, ParamId, StructId,
    TimerId, TimingId, Type, VariantId, WorldId,
};
pub use uses::{Stands, Use, Used};
