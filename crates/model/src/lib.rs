//! The typed Model of a file: what a protocol means to its author, with every name resolved.
//!
//! [`resolve()`] reads the tree of a file and gives a [`Model`] together with everything that is wrong.
//! A file with an error is refused as a whole: its Model is only good for editors and messages.

mod check;
mod constant;
mod expr;
mod item;
mod resolve;
mod types;

pub use check::{Answer, AnswerKind, Check, ClaimUse, Question, Setting, SettingKind};
pub use constant::{Constant, ConstantError, Environment, evaluate, evaluate_set};
pub use expr::{BinaryOp, Expr, ExprKind, Formula, FormulaKind, Quantifier};
pub use item::{
    Block, Body, Channel, Claim, Enum, Field, FieldRole, Head, Kind, Let, Local, Message,
    MessageFault, MessageField, Model, Network, NodeConstant, Param, Receivers, Stmt, StmtKind,
    Topology, TopologyShape, Var, VarStart, Variant, World,
};
pub use resolve::{nearest, resolve};
pub use types::{
    ClaimId, Domain, EnumId, FieldId, KindId, LetId, LocalId, MessageId, ParamId, Type, VariantId,
    WorldId,
};
