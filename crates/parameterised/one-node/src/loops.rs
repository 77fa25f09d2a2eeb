//! Which loops over nodes are in scope: those whose steps do not depend on each other.
//!
//! The step of such a loop is executed once for each name (`bits`). This gives the effect of the whole loop on the
//! elements of the names under two conditions: a step changes only the element of its own node, in sets and arrays over
//! nodes; and in the variables that the loop changes, the step reads only this element. Then no step depends on another
//! one, and their order does not matter. The state does not represent the elements of nodes without a name. An error in
//! the step of such a node is an error in the step of the generic name, which may denote that node.

use crate::defects::{Defect, broken};
use bits::Unsupported;
use machine::{
    BinaryOp, Block, Expr, LocalId, Machine, PlaceStep, Stmt, StmtKind, Type, Typing, Value, VarId,
};

const SELF: LocalId = LocalId(0);

/// Refuses loops over nodes whose steps depend on each other, and loops over messages.
pub(crate) fn check_loops(machine: &Machine, block: &Block) -> Result<(), Unsupported> {
    let mut typing = Typing::all_bound(machine, &block.scope);
    let mut result = Ok(());
    let mut check = |statement: &Stmt| {
        let StmtKind::For(node, domain, body) = &statement.kind else {
            return;
        };
        let checked = match typing.type_of(domain) {
            _ if matches!(domain.bare(), Expr::Inbox(..)) => Err(Unsupported::new(
                "a loop over messages of an unknown number",
            )),
            Ok(ty) if ty == Type::Node.set() && !broken(Defect::StepsDepend) => {
                Step::of(*node, body, &block.body).statements(body)
            }
            _ => Ok(()),
        };
        if result.is_ok() {
            result = checked.map_err(|why| why.at(statement.origin));
        }
    };
    block.body.iter().for_each(|s| s.walk(&mut check));
    result
}

/// A step of a loop over nodes.
struct Step {
    /// The node of the step.
    node: LocalId,
    /// The variables that some step assigns.
    changed: Vec<VarId>,
    /// Locals that are bound outside of the loop as well.
    bound: Vec<LocalId>,
}

impl Step {
    fn of(node: LocalId, body: &[Stmt], block: &[Stmt]) -> Step {
        let mut changed = Vec::new();
        let inside = bound_in(body, &mut |var| changed.push(var));
        let mut all = bound_in(block, &mut |_| {});
        for local in inside {
            if let Some(place) = all.iter().position(|other| *other == local) {
                all.swap_remove(place);
            }
        }
        Step {
            node,
            changed,
            bound: all,
        }
    }

    fn statements(&self, body: &[Stmt]) -> Result<(), Unsupported> {
        body.iter().try_for_each(|statement| {
            self.statement(statement)
                .map_err(|why| why.at(statement.origin))
        })
    }

    fn statement(&self, statement: &Stmt) -> Result<(), Unsupported> {
        match &statement.kind {
            StmtKind::If(condition, then, otherwise) => {
                self.reads(condition)?;
                self.statements(then)?;
                self.statements(otherwise)
            }
            StmtKind::Let(local, value) if !self.bound.contains(local) => self.reads(value),
            StmtKind::Assert(condition) => self.reads(condition),
            StmtKind::Assign(place, value) => match &place.path[..] {
                [] => self.changes_element(value, place.var),
                [PlaceStep::Index(Type::Node, index), rest @ ..] if self.is_node(index) => {
                    for step in rest {
                        if let PlaceStep::Index(_, index) = step {
                            self.reads(index)?;
                        }
                    }
                    self.reads(value)
                }
                _ => Err(changes_more()),
            },
            _ => Err(Unsupported::new(
                "a loop over nodes that does more than to change sets and arrays",
            )),
        }
    }

    fn is_node(&self, e: &Expr) -> bool {
        *e.bare() == Expr::Local(self.node)
    }

    /// Checks that a value is the set `var` of the node that runs the code, changed at most in the element of the step.
    fn changes_element(&self, value: &Expr, var: VarId) -> Result<(), Unsupported> {
        let of_node = |e: &Expr| match e.bare() {
            Expr::Set(Type::Node, items) => items.iter().all(|item| self.is_node(item)),
            _ => false,
        };
        match value.bare() {
            Expr::Var(read, node) if *read == var && *node.bare() == Expr::Local(SELF) => Ok(()),
            Expr::Binary(BinaryOp::Union, a, b) if of_node(b) => self.changes_element(a, var),
            Expr::Binary(BinaryOp::Union, a, b) if of_node(a) => self.changes_element(b, var),
            Expr::Binary(BinaryOp::Minus, a, b) if of_node(b) => self.changes_element(a, var),
            Expr::If(condition, a, b) => {
                self.reads(condition)?;
                self.changes_element(a, var)?;
                self.changes_element(b, var)
            }
            _ => Err(changes_more()),
        }
    }

    /// Checks that an expression reads, in the variables that the loop changes, only the element of the node of the step.
    fn reads(&self, e: &Expr) -> Result<(), Unsupported> {
        let is_changed = |e: &Expr| match e.bare() {
            Expr::Var(var, node) => self.changed.contains(var) && *node.bare() == Expr::Local(SELF),
            _ => false,
        };
        let rest = e.rebuild(&mut |e| match e {
            Expr::Index(Type::Node, array, index) if is_changed(array) && self.is_node(index) => {
                Some(Expr::Const(Value::Bool(false)))
            }
            Expr::Binary(BinaryOp::In, node, set) if is_changed(set) && self.is_node(node) => {
                Some(Expr::Const(Value::Bool(false)))
            }
            _ => None,
        });
        let mut more = binds(e, self.node);
        rest.walk(&mut |e| more |= matches!(e, Expr::Var(var, _) if self.changed.contains(var)));
        match more {
            true => Err(Unsupported::new(
                "a loop over nodes whose steps read what other steps change",
            )),
            false => Ok(()),
        }
    }
}

/// Whether an expression binds a local.
fn binds(e: &Expr, local: LocalId) -> bool {
    let mut found = false;
    e.walk(&mut |e| {
        found |= match e {
            Expr::Let(own, ..)
            | Expr::Filter(own, ..)
            | Expr::Quantified(_, own, ..)
            | Expr::Extremum(_, own, ..) => *own == local,
            _ => false,
        }
    });
    found
}

/// The locals that statements bind, each as often as it is bound. Calls `assigned` with each assigned variable.
fn bound_in(statements: &[Stmt], assigned: &mut dyn FnMut(VarId)) -> Vec<LocalId> {
    let mut bound = Vec::new();
    for statement in statements {
        statement.walk(&mut |s| match &s.kind {
            StmtKind::Assign(place, _) => assigned(place.var),
            StmtKind::Let(local, _) | StmtKind::Choose(local, _) | StmtKind::For(local, ..) => {
                bound.push(*local);
            }
            _ => {}
        });
    }
    bound
}

fn changes_more() -> Unsupported {
    Unsupported::new("a loop over nodes that changes more than the element of each node")
}
