//! Expressions that commute with the projection, which removes the nodes outside of S.
//!
//! A *plain* expression has the same value in a state and in its projection. The value of an expression over nodes,
//! such as a set of nodes, loses its elements for removed nodes.

use crate::defects::{Projecting, is_ignored_rule};
use crate::projection::{Checked, name, refuse};
use machine::{
    BinaryOp, Expr, LocalId, Machine, Origin, Quantifier, Scope, Type, Typing, UnaryOp, Value,
    may_fail, may_overflow,
};

/// How values of a type depend on nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Not at all.
    Plain,
    /// Element by element: sets of nodes, arrays over nodes, and records of these.
    ByNode,
    /// As a node itself, or in another way.
    Node,
}

/// The class of a type.
pub(super) fn class(machine: &Machine, ty: &Type) -> Class {
    let joined = |classes: &mut dyn Iterator<Item = Class>| {
        let mut found = Class::Plain;
        for class in classes {
            match class {
                Class::Node => return Class::Node,
                Class::ByNode => found = Class::ByNode,
                Class::Plain => {}
            }
        }
        found
    };
    match ty {
        Type::Bool | Type::Int(..) | Type::Enum(_) => Class::Plain,
        Type::Node | Type::Id | Type::Counter(_) => Class::Node,
        Type::Record(r) => {
            let fields = machine.records[r.index()].fields.iter();
            joined(&mut fields.map(|(_, ty)| class(machine, ty)))
        }
        Type::OneOf(records) => {
            let types = records.iter().map(|r| class(machine, &Type::Record(*r)));
            joined(&mut types.into_iter())
        }
        Type::Option(inner) => match class(machine, inner) {
            Class::Plain => Class::Plain,
            _ => Class::Node,
        },
        Type::Set(inner) => match (&**inner, class(machine, inner)) {
            (Type::Node, _) => Class::ByNode,
            (_, Class::Plain) => Class::Plain,
            _ => Class::Node,
        },
        Type::Array(index, inner) => match (&**index, class(machine, index), class(machine, inner))
        {
            (_, _, Class::Node) => Class::Node,
            (Type::Node, _, _) => Class::ByNode,
            (_, Class::Plain, inner) => inner,
            _ => Class::Node,
        },
    }
}

/// A scope in which expressions are checked. Locals of type node are names: they denote nodes of S.
pub(super) struct Within<'m> {
    pub(super) machine: &'m Machine,
    pub(super) scope: &'m Scope,
    /// Whether the expression belongs to a claim or a restriction, and so may read the variables of every named node.
    pub(super) claim: bool,
}

impl Within<'_> {
    fn ty(&self, local: LocalId) -> &Type {
        &self.scope.locals[local.index()].ty
    }

    fn refuse<T>(&self, what: impl Into<String>, at: Option<Origin>) -> Checked<T> {
        refuse(what, at)
    }

    /// Checks that an expression is a name: a local of type node.
    pub(super) fn name(&self, e: &Expr, at: Option<Origin>) -> Checked<LocalId> {
        match e {
            Expr::At(origin, inner) => self.name(inner, Some(*origin)),
            Expr::Local(local) if *self.ty(*local) == Type::Node => Ok(*local),
            _ => self.refuse("a node that is computed", at),
        }
    }

    /// Checks that an expression is plain.
    pub(super) fn plain(&self, e: &Expr, at: Option<Origin>) -> Checked<()> {
        match self.value(e, at)? {
            Class::Plain => Ok(()),
            _ => self.refuse(
                "a value about nodes where their elements cannot be told apart",
                at,
            ),
        }
    }

    /// Checks that the value of an expression is a set of nodes.
    pub(super) fn nodes(&self, e: &Expr, at: Option<Origin>) -> Checked<()> {
        match self.value(e, at)? {
            Class::ByNode => Ok(()),
            _ => self.refuse("a set whose elements are no nodes", at),
        }
    }

    /// Checks that an expression commutes with the projection; returns the class of its value.
    pub(super) fn value(&self, e: &Expr, at: Option<Origin>) -> Checked<Class> {
        let machine = self.machine;
        let plain = |e: &Expr| self.plain(e, at);
        match e {
            Expr::At(origin, inner) => self.value(inner, Some(*origin)),
            Expr::Const(Value::Node(_)) | Expr::Const(Value::Id(_)) => {
                self.refuse("a certain node", at)
            }
            Expr::Const(_) | Expr::Now(..) => Ok(Class::Plain),
            Expr::None(ty) => match class(machine, &ty.clone().option()) {
                Class::Plain => Ok(Class::Plain),
                _ => self.refuse("a node that may be absent", at),
            },
            Expr::Local(local) => match class(machine, self.ty(*local)) {
                Class::Node => self.refuse(
                    format!(
                        "the node `{}` as a value",
                        self.scope.locals[local.index()].name
                    ),
                    at,
                ),
                class => Ok(class),
            },
            Expr::Var(var, node) => {
                let local = self.name(node, at)?;
                if !self.claim && local != LocalId(0) {
                    return self.refuse("a variable of another node", at);
                }
                match class(machine, &machine.vars[var.index()].ty) {
                    Class::Node => {
                        self.refuse(format!("{}, which holds a node", name(machine, *var)), at)
                    }
                    class => Ok(class),
                }
            }
            Expr::Frozen(_, node)
            | Expr::InMode(_, node)
            | Expr::HasFault(_, node)
            | Expr::Faultless(node) => self.name(node, at).map(|_| Class::Plain),
            Expr::TimerSet(_, node, None) => self.name(node, at).map(|_| Class::Plain),
            Expr::TimerSet(_, node, Some(other)) => {
                self.name(node, at)?;
                self.name(other, at).map(|_| Class::Plain)
            }
            Expr::InFlight(_, a, b) => {
                self.name(a, at)?;
                self.name(b, at).map(|_| Class::Plain)
            }
            Expr::Some(a) | Expr::Unwrap(a) => plain(a).map(|()| Class::Plain),
            Expr::Unary(UnaryOp::Size, a) if self.value(a, at)? == Class::ByNode => {
                match is_ignored_rule(Projecting::Counts) {
                    true => Ok(Class::Plain),
                    false => self.refuse("the number of elements of a set of nodes", at),
                }
            }
            Expr::Unary(_, a) => plain(a).map(|()| Class::Plain),
            Expr::Nodes(_) => Ok(Class::ByNode),
            Expr::Neighbours(node) => self.name(node, at).map(|_| Class::ByNode),
            Expr::Record(record, values) => {
                let fields = &machine.records[record.index()].fields;
                for (value, (_, ty)) in values.iter().zip(fields) {
                    self.value_in(value, ty, at)?;
                }
                match class(machine, &Type::Record(*record)) {
                    Class::Node => self.refuse(
                        format!(
                            "`{}`, whose fields hold nodes",
                            machine.records[record.index()].name
                        ),
                        at,
                    ),
                    class => Ok(class),
                }
            }
            // The class of a record is at least that of its fields.
            Expr::Field(record, _) => self.value(record, at),
            Expr::Within(ty, a) => match (class(machine, ty), self.value_in(a, ty, at)?) {
                (Class::Node, _) => self.refuse("a node as a value", at),
                (class, _) => Ok(class),
            },
            Expr::IsRecord(_, a) => self.value(a, at).map(|_| Class::Plain),
            Expr::Index(Type::Node, array, index) => {
                self.value(array, at)?;
                self.name(index, at)?;
                // If the class of the elements is not known here, the larger one is taken, which is safe.
                self.element_of(array)
            }
            Expr::Index(_, array, index) => {
                plain(index)?;
                self.value(array, at)
            }
            Expr::Fill(index, value) => match (index, self.value(value, at)?) {
                (Type::Node, _) => Ok(Class::ByNode),
                (_, class) => Ok(class),
            },
            Expr::Binary(BinaryOp::In, a, set) => match self.value(set, at)? {
                Class::ByNode => self.name(a, at).map(|_| Class::Plain),
                _ => plain(a).map(|()| Class::Plain),
            },
            Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b)
                if self.name(a, at).is_ok() && self.name(b, at).is_ok() =>
            {
                Ok(Class::Plain)
            }
            Expr::Binary(BinaryOp::Union | BinaryOp::Intersect | BinaryOp::Minus, a, b) => {
                let (a, b) = (self.value(a, at)?, self.value(b, at)?);
                Ok(if a == Class::Plain && b == Class::Plain {
                    Class::Plain
                } else {
                    Class::ByNode
                })
            }
            Expr::Binary(BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Subset, a, b)
                if self.value(a, at)? != Class::Plain || self.value(b, at)? != Class::Plain =>
            {
                match is_ignored_rule(Projecting::Compares) {
                    true => Ok(Class::Plain),
                    false => self.refuse("a comparison of sets of nodes", at),
                }
            }
            Expr::Binary(BinaryOp::Distance, ..) => self.refuse("a distance in the network", at),
            Expr::Binary(_, a, b) => {
                plain(a)?;
                plain(b).map(|()| Class::Plain)
            }
            Expr::Range(a, b) => {
                plain(a)?;
                plain(b).map(|()| Class::Plain)
            }
            Expr::If(condition, a, b) => {
                plain(condition)?;
                let (a, b) = (self.value(a, at)?, self.value(b, at)?);
                Ok(if a == Class::Plain && b == Class::Plain {
                    Class::Plain
                } else {
                    Class::ByNode
                })
            }
            Expr::Let(_, value, body) => {
                self.value(value, at)?;
                self.value(body, at)
            }
            Expr::Set(Type::Node, items) => {
                for item in items {
                    self.name(item, at)?;
                }
                Ok(Class::ByNode)
            }
            Expr::Set(_, items) => {
                items.iter().try_for_each(plain)?;
                Ok(Class::Plain)
            }
            Expr::Values(ty) => match class(machine, ty) {
                Class::Plain => Ok(Class::Plain),
                _ => self.refuse("all values of a type with nodes", at),
            },
            Expr::Filter(_, domain, condition) => {
                plain(condition)?;
                let class = self.value(domain, at)?;
                // The condition is evaluated at every node. An error at a removed node would have no counterpart in the
                // projection.
                let fails = may_fail(machine, condition, &[]);
                let fails = fails || may_overflow(machine, self.scope, condition);
                match class != Class::Plain && fails {
                    true => self.refuse("a condition on nodes that may be an error", at),
                    false => Ok(class),
                }
            }
            Expr::Quantified(quantifier, _, domain, body) => {
                if self.value(domain, at)? == Class::ByNode {
                    let what = match quantifier {
                        Quantifier::All | Quantifier::Exists => "a quantifier over nodes",
                        Quantifier::Count | Quantifier::Sum => "a count over nodes",
                        _ => "a choice among nodes",
                    };
                    let broken = match quantifier {
                        Quantifier::All | Quantifier::Exists => Projecting::Quantifiers,
                        _ => Projecting::Counts,
                    };
                    return match is_ignored_rule(broken) {
                        true => Ok(Class::Plain),
                        false => self.refuse(what, at),
                    };
                }
                plain(body).map(|()| Class::Plain)
            }
            Expr::Extremum(_, _, domain, body) => {
                plain(domain)?;
                plain(body).map(|()| Class::Plain)
            }
            Expr::Map(..) => self.refuse("a function between nodes", at),
            Expr::Inbox(..) | Expr::Senders(..) => self.refuse("an inbox", at),
            Expr::Quiescent => self.refuse("`quiescent`", at),
            // The conditions of responses are checked with the claim (`names` in `claim.rs`).
            Expr::Overdue(_) => Ok(Class::Plain),
        }
    }

    /// Like [`Within::value`], for a value that must have a given type. A value about nodes may violate the type at the
    /// element of a removed node only; this error would have no counterpart in the projection, so it is refused.
    pub(super) fn value_in(&self, e: &Expr, ty: &Type, at: Option<Origin>) -> Checked<Class> {
        let class = self.value(e, at)?;
        if class == Class::Plain || is_ignored_rule(Projecting::Ranges) {
            return Ok(class);
        }
        let found = Typing::all_bound(self.machine, self.scope).type_of(e);
        match found.is_ok_and(|found| ty.includes(&found)) {
            true => Ok(class),
            false => self.refuse("an array over nodes that may be out of range", at),
        }
    }

    /// The class of the elements of an array over nodes.
    fn element_of(&self, array: &Expr) -> Checked<Class> {
        let ty = match array.bare() {
            Expr::Var(var, _) => &self.machine.vars[var.index()].ty,
            Expr::Local(local) => self.ty(*local),
            _ => return Ok(Class::ByNode),
        };
        match ty {
            Type::Array(_, inner) => Ok(class(self.machine, inner)),
            _ => Ok(Class::ByNode),
        }
    }
}
