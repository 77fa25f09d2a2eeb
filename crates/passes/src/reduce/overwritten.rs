//! Reset of variables that are always overwritten before they are read.
//!
//! *What.* Between events such a variable always has one fixed value of its type. It starts with that value, and every
//! block that assigns to the variable resets it after its last statement and before each `halt`. The rest of the code
//! is unchanged. The map sets the variable to the fixed value in every state.
//!
//! *When.*
//! - No condition and no guard reads the variable, and only code of its own node does.
//! - On every path through a block, an assignment of the whole variable precedes the first read. An assignment in an
//!   `if` counts if it is in both branches; a branch that halts needs none. An assignment in the body of a `for` does
//!   not count, because the loop may have no iteration. An assignment to a part of the variable counts as a read.
//! - The variable has an initial value for every frozen choice.
//! - The type has a value without nodes and ids. A node or id would break symmetries between nodes. Arrays are not
//!   supported.
//!
//! *Why it is exact.* Every read in a block returns the value of an earlier assignment in the same block. That value is
//! computed from parts that the map leaves unchanged, or from such reads. So the same blocks can run in a state and in
//! its image, with the same picks, messages and errors: a value out of range is still an error at its assignment, and a
//! reset is never an error. At the end of a block that assigns the variable, the variable has its fixed value; other
//! blocks leave it unchanged. With an instant channel, receivers handle messages after the block has ended. The
//! possible initial contents of inboxes depend only on the types of what is sent, and these are unchanged. The map
//! takes the initial states onto all initial states of the smaller Machine, because the initial values of different
//! variables are independent and no restriction reads such a variable.

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

/// Adds resets. Returns whether any variable is reset.
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

/// A value of a type without nodes and ids, and an expression for it; `None` if there is none or the type is
/// unsupported.
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
        // No expression turns a number into a counter during the run.
        Type::Counter(_) => None,
        Type::OneOf(_) | Type::Array(..) | Type::Id | Type::Node => None,
    }
}

/// Whether no condition and no code can read the value that a variable had at the start of an event.
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

/// Whether the outermost operator of an expression reads the variable.
fn reads(expr: &Expr, var: VarId) -> bool {
    matches!(expr, Expr::Var(read, _) if *read == var)
}

/// The check of one block for one variable; the block is of the kind that has the variable.
struct Code {
    var: VarId,
    /// Whether local 0 is the executing node everywhere in the block.
    own: bool,
}

impl Code {
    /// Whether the variable is certainly assigned after the statements, where `before` says whether it was assigned
    /// before them. `None` if they may read the value from before the block.
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
            StmtKind::Halt => Some(true), // no statement follows it
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

    /// `None` if an expression may read the value that the variable had before the block.
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

/// The Machine with resets of the variables in `found` at the ends of blocks.
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

/// The statements with the statements `back` inserted before every `halt`.
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
