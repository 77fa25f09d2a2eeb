//! `match`: the subject and its arms. The first arm that matches is taken.

use crate::{Expr, LocalId, MessageId};
use source::Span;

/// `match e { … }`; `T` is the result of an arm: an expression or statements.
#[derive(Clone, Debug, PartialEq)]
pub struct Match<T> {
    /// The matched expression, which is evaluated once.
    pub subject: Expr,
    /// The bound name for the value of the subject.
    pub found: LocalId,
    /// The arms, in the order of the text.
    pub arms: Vec<Arm<T>>,
}

/// `pattern => result`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Arm<T> {
    pub pattern: Pattern,
    pub result: T,
    /// The span of the pattern, or of the whole arm for `_` and `else`.
    pub span: Span,
}

/// The values that an arm matches.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// `_` or `else`: all remaining values.
    Rest,
    /// `x`: all remaining values, bound to a name. For an option: all values except `none`, bound without the option.
    Bind(LocalId),
    /// `a or b`: any of these cases.
    OneOf(Vec<Case>),
}

/// One alternative of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Case {
    /// `none`.
    None,
    /// A constant value, without an option around it.
    Value(Expr),
    /// `a .. b`, both ends included.
    Range(Expr, Expr),
    /// A message of this type.
    Message(MessageId),
}

impl<T> Match<T> {
    /// Calls `visit` on the expressions of the subject and of the patterns, but not of the arms' results.
    pub fn walk_heads(&self, visit: &mut dyn FnMut(&Expr)) {
        self.subject.walk(visit);
        for arm in &self.arms {
            let Pattern::OneOf(cases) = &arm.pattern else {
                continue;
            };
            for case in cases {
                match case {
                    Case::Value(e) => e.walk(visit),
                    Case::Range(a, b) => {
                        a.walk(visit);
                        b.walk(visit);
                    }
                    Case::None | Case::Message(_) => {}
                }
            }
        }
    }
}
