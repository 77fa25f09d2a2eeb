//! The grammar: one function per construct. Each function consumes the tokens of its construct and reports errors in
//! it.

mod check;
mod every;
mod expression;
mod faults;
mod item;
mod names;
mod network;
mod no_statement;
mod node;
mod operand;
mod operator;
mod statement;
mod types;

pub(crate) use item::file;
pub(crate) use operator::level_of;
