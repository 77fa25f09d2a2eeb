//! The abstract syntax tree: plain data with spans. Names are not resolved.
//!
//! The tree covers the whole language. Crate `model` refuses the parts that this version does not implement.

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

/// A name with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The text of the name.
    pub text: String,
    /// The span of the name.
    pub span: Span,
}
