//! Counts of activations in a claim: the numbers they are compared with, and the monotonicity that the proof rule
//! needs.
//!
//! The proof rule (`rule/mod.rs`) considers suffixes of a run, in which counts are smaller. So it requires that a state
//! that violates a claim also violates it with larger counts. For this, counts may occur only in comparisons with
//! numbers, and only in positions where a larger count cannot turn the condition from false to true.

use crate::defects::{Defect, broken};
use machine::{
    BinaryOp, Expr, Init, Machine, Quantifier, StmtKind, Trigger, Type, UnaryOp, Value, VarId,
};

/// The variables of a Machine that count the activations of their node.
pub struct Counts(Vec<VarId>);

impl Counts {
    /// Finds the counts: ghost variables of a type `0..most` with initial value 0 whose only assignment is `min(var +
    /// 1, most)`. It must be one of the ghost assignments at the head of the periodic block.
    pub fn of(machine: &Machine) -> Counts {
        let vars = (0..machine.vars.len() as u32).map(VarId);
        Counts(vars.filter(|var| is_count(machine, *var)).collect())
    }

    /// Whether a variable is a count of activations.
    pub fn has(&self, var: VarId) -> bool {
        self.0.contains(&var)
    }

    /// The number of activations from which on the condition no longer depends on counts: the greatest n in a
    /// comparison `count >= n` or `count < n` (`count > n` is `count >= n + 1`). An error with the reason in words if
    /// counts occur otherwise, or if the condition is not antitone in them.
    pub fn reach(&self, condition: &Expr) -> Result<u32, String> {
        let mut reach = 0;
        self.is_antitone(condition, true, &mut reach)?;
        Ok(reach)
    }

    /// Checks that `e` is antitone in the counts (if `positive`) or monotone (if not), and raises `reach` to the
    /// numbers that counts are compared with.
    fn is_antitone(&self, e: &Expr, positive: bool, reach: &mut u32) -> Result<(), String> {
        use BinaryOp::*;
        if !self.occurs_in(e) {
            return Ok(());
        }
        match e {
            Expr::At(_, inner) => self.is_antitone(inner, positive, reach),
            Expr::Unary(UnaryOp::Not, inner) => self.is_antitone(inner, !positive, reach),
            Expr::Binary(And | Or, a, b) => {
                self.is_antitone(a, positive, reach)?;
                self.is_antitone(b, positive, reach)
            }
            Expr::Binary(Implies, a, b) => {
                self.is_antitone(a, !positive, reach)?;
                self.is_antitone(b, positive, reach)
            }
            Expr::Binary(op @ (Ge | Gt | Le | Lt), a, b) => {
                let (count, op, number) = match (number(a), number(b)) {
                    (None, Some(number)) => (a, *op, number),
                    (Some(number), None) => (b, mirrored(*op), number),
                    _ => return Err(WHY.into()),
                };
                let up = matches!(op, Ge | Gt);
                if !self.is_monotone(count) || up == positive {
                    return Err(WHY.into());
                }
                let beyond = if matches!(op, Gt | Le) && !broken(Defect::ReachOneLess) {
                    number + 1
                } else {
                    number
                };
                *reach = (*reach).max(u32::try_from(beyond.max(0)).map_err(|_| WHY)?);
                Ok(())
            }
            Expr::If(c, a, b) if !self.occurs_in(c) => {
                self.is_antitone(a, positive, reach)?;
                self.is_antitone(b, positive, reach)
            }
            Expr::Let(_, value, body) if !self.occurs_in(value) => {
                self.is_antitone(body, positive, reach)
            }
            Expr::Quantified(Quantifier::All | Quantifier::Exists, _, domain, body)
                if !self.occurs_in(domain) =>
            {
                self.is_antitone(body, positive, reach)
            }
            _ => Err(WHY.into()),
        }
    }

    /// Whether an expression is built from counts and numbers only by minimum, maximum and case distinction.
    fn is_monotone(&self, e: &Expr) -> bool {
        match e {
            Expr::At(_, inner) => self.is_monotone(inner),
            Expr::Var(var, node) => self.has(*var) && !self.occurs_in(node),
            Expr::Const(Value::Int(_)) => true,
            Expr::Binary(BinaryOp::Min | BinaryOp::Max, a, b) => {
                self.is_monotone(a) && self.is_monotone(b)
            }
            Expr::If(c, a, b) => !self.occurs_in(c) && self.is_monotone(a) && self.is_monotone(b),
            Expr::Quantified(Quantifier::Min | Quantifier::Max, _, domain, body) => {
                !self.occurs_in(domain) && self.is_monotone(body)
            }
            _ => false,
        }
    }

    fn occurs_in(&self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |part| found |= matches!(part, Expr::Var(var, _) if self.has(*var)));
        found
    }
}

const WHY: &str =
    "counts of activations stand in the claim otherwise than as lower bounds in a premise";

fn number(e: &Expr) -> Option<i64> {
    match e.bare() {
        Expr::Const(Value::Int(number)) => Some(*number),
        _ => None,
    }
}

fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Lt => BinaryOp::Gt,
        other => other,
    }
}

fn is_count(machine: &Machine, id: VarId) -> bool {
    let var = &machine.vars[id.index()];
    let Type::Int(0, most) = var.ty else {
        return false;
    };
    let begins = matches!(&var.init, Init::Value(_, e) if number(e) == Some(0));
    let mut assigned = 0;
    for block in machine.blocks.iter().filter(|b| b.kind == var.kind) {
        for statement in &block.body {
            statement.walk(&mut |s| {
                let here = matches!(&s.kind, StmtKind::Assign(place, _) if place.var == id);
                assigned += u32::from(here);
            });
        }
        let first = block
            .body
            .iter()
            .take_while(|s| counts_something(machine, s));
        let counted = first.into_iter().any(|s| match &s.kind {
            StmtKind::Assign(place, value) if place.var == id && place.path.is_empty() => {
                is_one_more(value, id, most)
            }
            _ => false,
        });
        if counted != matches!(block.trigger, Trigger::Every(_)) {
            return false;
        }
    }
    var.ghost && begins && assigned == 1
}

/// Whether a statement assigns a ghost variable; such statements precede the code of a block.
fn counts_something(machine: &Machine, statement: &machine::Stmt) -> bool {
    matches!(&statement.kind, StmtKind::Assign(place, _) if machine.vars[place.var.index()].ghost)
}

/// Whether `value` is `min(var + 1, most)` with the variable of the node itself.
fn is_one_more(value: &Expr, id: VarId, most: i64) -> bool {
    let own = |e: &Expr| match e.bare() {
        Expr::Var(var, node) => *var == id && *node.bare() == Expr::Local(machine::LocalId(0)),
        _ => false,
    };
    let plus_one = |e: &Expr| match e.bare() {
        Expr::Binary(BinaryOp::Add, a, b) => own(a) && number(b) == Some(1),
        _ => false,
    };
    match value.bare() {
        Expr::Binary(BinaryOp::Min, a, b) => plus_one(a) && number(b) == Some(most),
        _ => false,
    }
}
