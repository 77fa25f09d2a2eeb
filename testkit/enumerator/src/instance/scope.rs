//! The scope of an expression: the node whose code contains it, and the bound names.

use crate::instance::value::Value;

/// The node whose code contains an expression, if any, and the names bound around the expression.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub me: Option<usize>,
    /// The bound names; a later binding hides an earlier one of the same name.
    pub locals: Vec<(String, Value)>,
}

impl Scope {
    /// The scope of a node's code.
    pub fn of(node: usize) -> Scope {
        Scope {
            me: Some(node),
            locals: Vec::new(),
        }
    }

    pub fn bind(&mut self, name: &str, value: Value) {
        self.locals.push((name.to_owned(), value));
    }

    pub fn local(&self, name: &str) -> Option<&Value> {
        let found = self.locals.iter().rev().find(|(n, _)| n == name);
        found.map(|(_, value)| value)
    }

    /// Removes all bindings except the first `mark`.
    pub fn back_to(&mut self, mark: usize) {
        self.locals.truncate(mark);
    }
}
