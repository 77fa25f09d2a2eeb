//! The scope of an expression: its place and the names bound around it.

use crate::resolve::context::resolver::Resolver;
use crate::{Expr, ExprKind, FieldId, KindId, Local, LocalId, TimerId, Type};
use syntax::ast::Name;

/// The place of an expression, which decides the words that have a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Parameters, ends of ranges, sizes: constant expressions.
    Constant,
    /// A top-level `let`: may read nodes, and is not code of a node.
    Abbreviation,
    /// The code of a node.
    Code(KindId),
    /// The initial value of a variable.
    First(KindId),
    /// Claims, `initially`, `assuming`, `possible`.
    Claim,
}

/// A name bound by `x is r`, with the expression for which it stands in the condition.
pub(crate) type Binding = (Name, Expr);

/// The names around an expression.
pub(crate) struct Scope {
    pub(crate) place: Place,
    /// The constants and variables of the node of this code.
    pub(crate) fields: Vec<FieldId>,
    /// The timers of the node of this code.
    pub(crate) timers: Vec<TimerId>,
    /// Whether ghosts may be read: in a value that is assigned to a ghost.
    pub(crate) sees_ghosts: bool,
    /// Whether this is an action, which does not see the names of its callers.
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

    /// The scope of a node's code.
    pub(crate) fn of_node(place: Place, fields: Vec<FieldId>, timers: Vec<TimerId>) -> Scope {
        Scope {
            fields,
            timers,
            ..Scope::new(place)
        }
    }

    /// The number of bound names, for [`Scope::leave`].
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

    /// The bound names, innermost first.
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

    /// The value of a bound name at a use.
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
