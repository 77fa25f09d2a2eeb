//! Variables whose values are overwritten before anybody reads them.
//!
//! *What.* Between events such a variable always has one value of its type: it begins with it, and every block
//! that assigns to the variable sets it back where the block ends, at its last statement or at a `halt`. The
//! rest of the code stays as it is. States are mapped by giving the variable that value everywhere.
//!
//! *When.* No condition reads it, no guard, and no code but blocks of its own node. On every update through such
//! a block a statement that assigns the whole variable comes before the first one that reads it: in front of
//! an `if`, or in both of its branches (one that halts does not count); not in the body of a `for`, which may
//! run for no element at all. An assignment to a part reads the rest. The variable has an initial value,
//! whatever is frozen, and its type has a value that can be written without naming a node or an id, for these
//! would make nodes different that are not; arrays wait for somebody who needs them.
//!
//! *Why it is exact.* In a block every read has the value of an assignment in front of it in the same block,
//! which is computed from what the map leaves alone, or from such reads. So in the image of a state the same
//! blocks can run, with the same picks, messages and errors (a value out of range is one where it is assigned,
//! and setting back is none), and where they end the variable has the value of the image. Blocks that do not
//! assign to it leave it alone. What is taken at once is taken after the block has ended. What can be in the
//! inboxes at first depends on the types of what is sent only, and they stay. The map takes initial states to
//! all initial states, for a variable begins with its values whatever the others begin with, and no restriction
//! reads it.

use crate::analysis::sites::{Site, conditions, guard, rewrite};
use crate::analysis::totality::has_initial_value;
use crate::defects::{Defect, broken};
use crate::reduce::Removed;
use crate::reduce::lift::{Map, Shrunk};
use crate::reduce::variables::Vars;
use machine::{
    Block, Expr, Init, LocalId, Machine, Place, PlaceStep, Scope, Stmt, StmtKind, Type, Value,
    VarId, verify,
};
use std::collections::{BTreeMap, BTreeSet};

/// Sets variables back; whether there were any.
pub(crate) fn pass(shrunk: &mut Shrunk) -> bool {
    let machine = &shrunk.machine;
    let mut found: BTreeMap<VarId, (Value, Expr)> = BTreeMap::new();
    for (v, var) in machine.vars.iter().enumerate() {
        let v = VarId(v as u32);
        if shrunk.removed.contains(&Removed::Between(v))
            || machine.cardinality(&var.ty) <= 1
            || !has_initial_value(machine, var)
            || !is_overwritten(machine, v)
        {
            continue;
        }
        if let Some(reset_value) = reset_value(machine, &var.ty) {
            found.insert(v, reset_value);
        }
    }
    if found.is_empty() {
        return false;
    }
    let small = with_resets(machine, &found);
    if verify(&small).is_err() {
        return false;
    }
    let removed = found.keys().map(|var| Removed::Between(*var)).collect();
    let values = found.into_iter().map(|(var, (value, _))| (var, value));
    shrunk.then(small, Map::Vars(Vars(values.collect())), removed);
    true
}

/// A value of a type that names no node and no id, and the expression for it.
fn reset_value(machine: &Machine, ty: &Type) -> Option<(Value, Expr)> {
    let constant = |value: Value| (value.clone(), Expr::Const(value));
    match ty {
        Type::Bool => Some(constant(Value::Bool(false))),
        Type::Int(least, _) => Some(constant(Value::Int(*least))),
        Type::Enum(_) => machine.values(ty).into_iter().next().map(constant),
        Type::Option(inner) => Some((Value::None, Expr::None((**inner).clone()))),
        Type::Set(inner) => {
            let empty = Expr::Set((**inner).clone(), Vec::new());
            Some((Value::Set(BTreeSet::new()), empty))
        }
        Type::Record(record) => {
            let fields = machine.records[record.index()].fields.iter();
            let fields: Option<Vec<_>> = fields.map(|(_, ty)| reset_value(machine, ty)).collect();
            let (values, items) = fields?.into_iter().unzip();
            Some((Value::Record(*record, values), Expr::Record(*record, items)))
        }
        // No number is a counter once something runs.
        Type::Counter(_) => None,
        Type::OneOf(_) | Type::Array(..) | Type::Id | Type::Node => None,
    }
}

/// Whether nobody can tell what a variable was when an event began.
fn is_overwritten(machine: &Machine, var: VarId) -> bool {
    let mut seen = false;
    let mut see = |expr: &Expr| expr.walk(&mut |e| seen |= reads(e, var));
    conditions(machine, &mut |_, condition| {
        if !broken(Defect::OverwrittenUnseen) {
            see(condition);
        }
    });
    for var in &machine.vars {
        if let Init::Value(_, e) | Init::AnyIn(_, e) = &var.init {
            see(e);
        }
    }
    machine.blocks.iter().filter_map(guard).for_each(&mut see);
    let kind = machine.vars[var.index()].kind;
    let (own, others): (Vec<_>, Vec<_>) = machine.blocks.iter().partition(|b| b.kind == kind);
    let others = others.into_iter().flat_map(|block| &block.body);
    others.for_each(|s| s.walk_exprs(&mut |e| seen |= reads(e, var)));
    !seen
        && own.into_iter().all(|block| {
            let code = Code {
                var,
                own: Site::block(machine, block).own.is_some(),
            };
            code.after(&block.body, false).is_some()
        })
}

/// Whether an expression is a read of a variable.
fn reads(expr: &Expr, var: VarId) -> bool {
    matches!(expr, Expr::Var(read, _) if *read == var)
}

/// A block of the node whose variable it is.
struct Code {
    var: VarId,
    /// Local 0 is the node everywhere in it.
    own: bool,
}

impl Code {
    /// Whether the variable is assigned after statements, if it was or was not before; nothing if they read
    /// what it was.
    fn after(&self, statements: &[Stmt], before: bool) -> Option<bool> {
        statements.iter().try_fold(before, |assigned, statement| {
            self.after_one(statement, assigned)
        })
    }

    fn after_one(&self, statement: &Stmt, assigned: bool) -> Option<bool> {
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                self.may_read(value, assigned)?;
                self.after_assignment(place, assigned)
            }
            StmtKind::If(condition, then, otherwise) => {
                self.may_read(condition, assigned)?;
                let (then, otherwise) = (
                    self.after(then, assigned)?,
                    self.after(otherwise, assigned)?,
                );
                Some(match broken(Defect::OverwrittenPerhaps) {
                    false => then && otherwise,
                    true => then || otherwise,
                })
            }
            StmtKind::For(_, domain, body) => {
                self.may_read(domain, assigned)?;
                let after = self.after(body, assigned)?;
                Some(assigned || (after && broken(Defect::OverwrittenInLoops)))
            }
            StmtKind::Let(_, e) | StmtKind::Choose(_, e) | StmtKind::Assert(e) => {
                self.may_read(e, assigned)?;
                Some(assigned)
            }
            StmtKind::Send(message, to) => {
                self.may_read(message, assigned)?;
                self.may_read(to, assigned)?;
                Some(assigned)
            }
            StmtKind::SetTimer(..) | StmtKind::CancelTimer(..) => {
                let mut read = Some(());
                statement.walk_exprs(&mut |e| read = read.and(self.may_read(e, assigned)));
                read.map(|()| assigned)
            }
            StmtKind::ClearInbox => Some(assigned),
            StmtKind::Halt => Some(true), // nothing comes after it
        }
    }

    fn after_assignment(&self, place: &Place, assigned: bool) -> Option<bool> {
        for step in &place.path {
            if let PlaceStep::Index(_, index) = step {
                self.may_read(index, assigned)?;
            }
        }
        if place.var != self.var {
            return Some(assigned);
        }
        let whole = place.path.is_empty() || broken(Defect::OverwrittenInParts);
        (assigned || whole).then_some(true)
    }

    /// Whether an expression reads no value from before the block.
    fn may_read(&self, expr: &Expr, assigned: bool) -> Option<()> {
        let mut old = false;
        expr.walk(&mut |e| {
            if let Expr::Var(var, node) = e
                && *var == self.var
            {
                let own = self.own && *node.bare() == Expr::Local(LocalId(0));
                old |= !own || !(assigned || broken(Defect::OverwrittenLate));
            }
        });
        (!old).then_some(())
    }
}

/// The Machine with some variables set back where blocks end.
fn with_resets(machine: &Machine, found: &BTreeMap<VarId, (Value, Expr)>) -> Machine {
    let expr = |var: &VarId| found[var].1.clone();
    let mut code = |block: &Block| {
        let mut assigned: Vec<&VarId> = Vec::new();
        for statement in &block.body {
            statement.walk(&mut |s| {
                if let StmtKind::Assign(place, _) = &s.kind
                    && let Some((var, _)) = found.get_key_value(&place.var)
                    && !assigned.contains(&var)
                {
                    assigned.push(var);
                }
            });
        }
        let back: Vec<Stmt> = assigned
            .into_iter()
            .map(|var| Stmt {
                origin: block.origin,
                kind: StmtKind::Assign(
                    Place {
                        var: *var,
                        path: Vec::new(),
                    },
                    expr(var),
                ),
            })
            .collect();
        let mut body = before_halts(&block.body, &back);
        body.extend(back);
        body
    };
    let mut small = rewrite(machine, &mut Expr::clone, &mut code);
    for var in found.keys() {
        small.vars[var.index()].init = Init::Value(Scope::of_node(), expr(var));
    }
    small
}

/// Statements with others in front of every `halt`.
fn before_halts(statements: &[Stmt], back: &[Stmt]) -> Vec<Stmt> {
    let mut result = Vec::new();
    for statement in statements {
        let inside = |body: &[Stmt]| before_halts(body, back);
        let kind = match &statement.kind {
            StmtKind::Halt => {
                if !broken(Defect::OverwrittenNotAtHalt) {
                    result.extend_from_slice(back);
                }
                StmtKind::Halt
            }
            StmtKind::If(condition, then, otherwise) => {
                StmtKind::If(condition.clone(), inside(then), inside(otherwise))
            }
            StmtKind::For(local, domain, body) => {
                StmtKind::For(*local, domain.clone(), inside(body))
            }
            other => other.clone(),
        };
        result.push(Stmt {
            origin: statement.origin,
            kind,
        });
    }
    result
}
