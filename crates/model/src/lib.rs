//! The typed Model of a file, with all names resolved.
//!
//! [`resolve()`] turns the AST of a file into a [`Model`] and diagnostics. If the file has an error, the Model is
//! incomplete and must not be checked: it is useful only for editors and diagnostics.

mod constant;
mod model;
mod resolve;

pub use constant::{
    Constant, ConstantError, Environment, Times, TimingError, evaluate, evaluate_set,
};
pub use model::check::{
    Answer, AnswerKind, Attained, Check, ClaimUse, ExpectedValue, Question, Searched, Setting,
    SettingKind,
};
pub use model::code::{
    Block, Body, Call, Head, NodeConstant, Place, PlaceStep, Receivers, Stmt, StmtKind, Var,
    VarStart,
};
pub use model::data::{Index, IndexRange, Message, RangeId, RecordField, RecordId, Struct};
pub use model::environment::{
    Channel, Crash, Delay, EdgeEnd, Faults, Inbox, InboxStart, MessageFault, Network, NodeFault,
    NodeFaultKind, Restart, RuntimeFault, Topology, TopologyEdge, TopologyShape, World,
};
pub use model::expr::{BinaryOp, Expr, ExprKind, Formula, FormulaKind, Quantifier, Status};
pub use model::item::{
    Claim, Enum, Field, FieldRole, Function, Kind, Let, Local, Model, Param, Variant,
};
pub use model::matching::{Arm, Case, Match, Pattern};
pub use model::timer::{Timer, TimerUse};
pub use model::timing::{Every, First, Interval, Jitter, Periodic, Schedule, Timing};
pub use model::types::{
    ClaimId, Domain, EnumId, FieldId, FnId, KindId, LetId, LocalId, MessageId, ParamId, StructId,
    TimerId, TimingId, Type, VariantId, WorldId,
};
pub use model::uses::{ParameterUse, Use, Used};
pub use resolve::{nearest, resolve};
pub use syntax::ast::Unit;
