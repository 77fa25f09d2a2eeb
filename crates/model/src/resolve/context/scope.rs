//! The scope of an expression: the kind of place in the file, and the names bound around it.

use crate::resolve::context::resolver::Resolver;
use crate::{Expr, ExprKind, FieldId, KindId, Local, LocalId, TimerId, Type};
use syntax::ast::Name;

/// The kind of place of an expression. It decides which words and names are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A constant expression: the value of a parameter, the end of a range, a number of nodes.
    Constant,
    /// A top-level `let` or `fn`. It may read nodes, but is not the code of a node.
    Abbreviation,
    /// The code of a node of this kind.
    Code(KindId),
    /// The initial value of a variable of a node of this kind.
    First(KindId),
    /// A claim or another condition on states: `initially`, `assuming`, `possible`, `where`.
    Claim,
}

/// A name r bound by a condition `x is r`, with the expression that replaces r inside the condition.
pub(crate) type Binding = (Name, Expr);

/// The scope of an expression.
pub(crate) struct Scope {
    pub(crate) place: Place,
    /// The constants and variables of the node whose code this is.
    pub(crate) fields: Vec<FieldId>,
    /// The timers of the node whose code this is.
    pub(crate) timers: Vec<TimerId>,
    /// Whether ghosts may be read: in a value that is assigned to a ghost.
    pub(crate) sees_ghosts: bool,
    /// Whether this is the body of an action, in which the local names of its callers are not visible.
    pub(crate) in_action: bool,
    names: Vec<(String, Bound)>,
}

#[derive(Clone)]
enum Bound {
    Local(LocalId),
    Substitute(Expr),
}

impl Scope {
    pub(crate) fn new(place: Place) -> Scope {
        Scope {
            place,
            fields: Vec::new(),
            timers: Vec::new(),
            sees_ghosts: false,
            in_action: false,
            names: Vec::new(),
        }
    }

    /// The scope of node code.
    pub(crate) fn of_node(place: Place, fields: Vec<FieldId>, timers: Vec<TimerId>) -> Scope {
        Scope {
            fields,
            timers,
            ..Scope::new(place)
        }
    }

    /// The number of bound names so far; the argument for [`Scope::leave`].
    pub(crate) fn enter(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn leave(&mut self, depth: usize) {
        self.names.truncate(depth);
    }

    pub(crate) fn bind(&mut self, name: &str, local: LocalId) {
        self.names.push((name.to_string(), Bound::Local(local)));
    }

    pub(crate) fn substitute(&mut self, bindings: &[Binding]) {
        for (name, value) in bindings {
            self.names
                .push((name.text.clone(), Bound::Substitute(value.clone())));
        }
    }

    /// All bound names, innermost first.
    pub(crate) fn bound_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().rev().map(|(name, _)| name.as_str())
    }
}

impl Resolver<'_> {
    /// Adds a bound name to the Model.
    pub(crate) fn local(&mut self, name: &Name, ty: Type) -> LocalId {
        let id = LocalId(self.model.locals.len() as u32);
        self.model.locals.push(Local {
            name: name.text.clone(),
            ty,
            span: name.span,
        });
        id
    }

    /// The expression for a bound name at a use; `None` if the name is not bound in this scope.
    pub(crate) fn bound(&self, name: &Name, scope: &Scope) -> Option<Expr> {
        let found = scope.names.iter().rev().find(|(n, _)| *n == name.text);
        let (_, bound) = found?;
        Some(match bound {
            Bound::Local(id) => Expr {
                kind: ExprKind::Local(*id),
                ty: self.model.local(*id).ty.clone(),
                span: name.span,
            },
            Bound::Substitute(value) => Expr {
                span: name.span,
                ..value.clone()
            },
        })
    }
}
