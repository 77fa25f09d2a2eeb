//! The tree as plain data: what the parser understood of a file, with spans, and no names resolved.
//!
//! It covers the whole language; which parts have a meaning is decided by the model.

mod check;
mod expr;
mod item;

pub use check::{Answer, Check, ForClause, Question};
pub use expr::{
    BinaryOp, Expr, ExprKind, FieldInit, MatchArm, QuantifierKind, TemporalOp, UnaryOp, Unit,
};
pub use item::{
    Block, BlockHead, Claim, Constant, Delivery, Enum, Every, FaultItem, FaultScope, Faults, Field,
    File, Fn, Inbox, InboxStart, Item, Jitter, Let, MessageFault, Mode, Network, NetworkItem,
    NodeItem, NodeKind, Param, Parameter, Restart, Send, Stmt, StmtKind, Struct, Timing, Topology,
    TopologyEdge, Type, TypeKind, Var, VarInit, Variant, World,
};

use source::Span;

/// A name where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Its text.
    pub text: String,
    /// Its place.
    pub span: Span,
}
