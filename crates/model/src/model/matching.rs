//! `match`: what is looked at, and the arms, of which the first that fits is taken.

use crate::{Expr, LocalId, MessageId};
use source::Span;

/// `match e { … }`; `T` is what an arm gives: an expression or statements.
#[derive(Clone, Debug, PartialEq)]
pub struct Match<T> {
    /// What is looked at, once.
    pub subject: Expr,
    /// The name of what it was then.
    pub found: LocalId,
    /// In the order of the text.
    pub arms: Vec<Arm<T>>,
}

/// `pattern => result`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "plain parts")]
pub struct Arm<T> {
    pub pattern: Pattern,
    pub result: T,
    /// Of the pattern, or of the whole arm where there is none.
    pub span: Span,
}

/// Which values an arm takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// `_`: all that are left.
    Rest,
    /// `x`: all that are left, with a name; of an option those that are there, without the option.
    Bind(LocalId),
    /// `a or b`.
    OneOf(Vec<Case>),
}

/// One of the values that an arm lists.
#[derive(Clone, Debug, PartialEq)]
pub enum Case {
    /// `none`.
    None,
    /// A value that is known before anything runs, without an option around it.
    Value(Expr),
    /// `a .. b`, both ends included.
    Range(Expr, Expr),
    /// A message of this type.
    Message(MessageId),
}

impl<T> Match<T> {
    /// Calls `visit` on the expressions of the head and of the patterns.
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
