//! Rewriting of expressions, formulas, statements and assignment targets.

use crate::{
    Expr, Formula, Init, Machine, Place, PlaceStep, PropertyKind, Stmt, StmtKind, TimeSum, Trigger,
};

impl Expr {
    /// The expression with each direct child e replaced by `part(e)`.
    pub fn with_parts(&self, part: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
        let mut one = |e: &Expr| Box::new(part(e));
        match self {
            Expr::Const(_)
            | Expr::None(_)
            | Expr::Local(_)
            | Expr::Nodes(_)
            | Expr::Values(_)
            | Expr::Quiescent
            | Expr::Now(..)
            | Expr::Overdue(_) => self.clone(),
            Expr::At(origin, a) => Expr::At(*origin, one(a)),
            Expr::Some(a) => Expr::Some(one(a)),
            Expr::Unwrap(a) => Expr::Unwrap(one(a)),
            Expr::Var(var, a) => Expr::Var(*var, one(a)),
            Expr::Frozen(frozen, a) => Expr::Frozen(*frozen, one(a)),
            Expr::Field(a, field) => Expr::Field(one(a), *field),
            Expr::Fill(ty, a) => Expr::Fill(ty.clone(), one(a)),
            Expr::Within(ty, a) => Expr::Within(ty.clone(), one(a)),
            Expr::Unary(op, a) => Expr::Unary(*op, one(a)),
            Expr::Neighbours(a) => Expr::Neighbours(one(a)),
            Expr::Map(map, a) => Expr::Map(*map, one(a)),
            Expr::InMode(mode, a) => Expr::InMode(*mode, one(a)),
            Expr::HasFault(fault, a) => Expr::HasFault(*fault, one(a)),
            Expr::Faultless(a) => Expr::Faultless(one(a)),
            Expr::TimerSet(timer, a, b) => Expr::TimerSet(*timer, one(a), b.as_deref().map(one)),
            Expr::Inbox(records, a) => Expr::Inbox(records.clone(), one(a)),
            Expr::IsRecord(record, a) => Expr::IsRecord(*record, one(a)),
            Expr::Senders(record, a) => Expr::Senders(*record, one(a)),
            Expr::Index(ty, a, b) => Expr::Index(ty.clone(), one(a), one(b)),
            Expr::Binary(op, a, b) => Expr::Binary(*op, one(a), one(b)),
            Expr::Range(a, b) => Expr::Range(one(a), one(b)),
            Expr::Let(local, a, b) => Expr::Let(*local, one(a), one(b)),
            Expr::Filter(local, a, b) => Expr::Filter(*local, one(a), one(b)),
            Expr::Quantified(q, local, a, b) => Expr::Quantified(*q, *local, one(a), one(b)),
            Expr::Extremum(largest, local, a, b) => {
                Expr::Extremum(*largest, *local, one(a), one(b))
            }
            Expr::InFlight(record, a, b) => Expr::InFlight(*record, one(a), one(b)),
            Expr::If(a, b, c) => Expr::If(one(a), one(b), one(c)),
            Expr::Record(record, items) => Expr::Record(*record, items.iter().map(part).collect()),
            Expr::Set(ty, items) => Expr::Set(ty.clone(), items.iter().map(part).collect()),
        }
    }

    /// Rewrites top-down: if `change(e)` is `Some`, it replaces e and its descendants are not visited.
    pub fn rebuild(&self, change: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Expr {
        match change(self) {
            Some(other) => other,
            None => self.with_parts(&mut |part| part.rebuild(change)),
        }
    }
}

impl Formula {
    /// The formula with each condition and each domain e of a quantifier replaced by `expr(e)`.
    pub fn with_exprs(&self, expr: &mut dyn FnMut(&Expr) -> Expr) -> Formula {
        let mut one = |f: &Formula| Box::new(f.with_exprs(expr));
        match self {
            Formula::State(e) => Formula::State(expr(e)),
            Formula::At(origin, a) => Formula::At(*origin, one(a)),
            Formula::Not(a) => Formula::Not(one(a)),
            Formula::Always(a) => Formula::Always(one(a)),
            Formula::Eventually(a) => Formula::Eventually(one(a)),
            Formula::And(a, b) => Formula::And(one(a), one(b)),
            Formula::Or(a, b) => Formula::Or(one(a), one(b)),
            Formula::Implies(a, b) => Formula::Implies(one(a), one(b)),
            Formula::Until(a, b) => Formula::Until(one(a), one(b)),
            Formula::LeadsTo(a, b) => Formula::LeadsTo(one(a), one(b)),
            Formula::All(local, domain, a) => {
                let domain = expr(domain);
                Formula::All(*local, domain, Box::new(a.with_exprs(expr)))
            }
            Formula::Exists(local, domain, a) => {
                let domain = expr(domain);
                Formula::Exists(*local, domain, Box::new(a.with_exprs(expr)))
            }
        }
    }
}

impl Stmt {
    /// The statement with each of its expressions e replaced by `expr(e)`, also in nested statements.
    pub fn with_exprs(&self, expr: &mut dyn FnMut(&Expr) -> Expr) -> Stmt {
        let kind = match &self.kind {
            StmtKind::Assign(place, value) => StmtKind::Assign(place.with_exprs(expr), expr(value)),
            StmtKind::If(condition, then, otherwise) => StmtKind::If(
                expr(condition),
                then.iter().map(|s| s.with_exprs(expr)).collect(),
                otherwise.iter().map(|s| s.with_exprs(expr)).collect(),
            ),
            StmtKind::For(local, domain, body) => StmtKind::For(
                *local,
                expr(domain),
                body.iter().map(|s| s.with_exprs(expr)).collect(),
            ),
            StmtKind::Let(local, e) => StmtKind::Let(*local, expr(e)),
            StmtKind::Choose(local, e) => StmtKind::Choose(*local, expr(e)),
            StmtKind::Send(message, to) => StmtKind::Send(expr(message), expr(to)),
            StmtKind::Assert(e) => StmtKind::Assert(expr(e)),
            StmtKind::SetTimer(timer, other, from, to) => StmtKind::SetTimer(
                *timer,
                other.as_ref().map(&mut *expr),
                from.with_exprs(expr),
                to.with_exprs(expr),
            ),
            StmtKind::CancelTimer(timer, other) => {
                StmtKind::CancelTimer(*timer, other.as_ref().map(expr))
            }
            StmtKind::ClearInbox => StmtKind::ClearInbox,
            StmtKind::Halt => StmtKind::Halt,
        };
        Stmt {
            origin: self.origin,
            kind,
        }
    }

    /// The statements for which `keep` is true, filtered recursively. `keep` is called on an enclosing statement first,
    /// and on nested statements only if the enclosing one is kept.
    pub fn retain(statements: &[Stmt], keep: &mut dyn FnMut(&Stmt) -> bool) -> Vec<Stmt> {
        let mut kept = Vec::new();
        for statement in statements {
            if !keep(statement) {
                continue;
            }
            let kind = match &statement.kind {
                StmtKind::If(condition, then, otherwise) => StmtKind::If(
                    condition.clone(),
                    Stmt::retain(then, keep),
                    Stmt::retain(otherwise, keep),
                ),
                StmtKind::For(local, domain, body) => {
                    StmtKind::For(*local, domain.clone(), Stmt::retain(body, keep))
                }
                other => other.clone(),
            };
            kept.push(Stmt {
                origin: statement.origin,
                kind,
            });
        }
        kept
    }
}

impl TimeSum {
    /// The sum with each integer expression e replaced by `expr(e)`.
    pub fn with_exprs(&self, expr: &mut dyn FnMut(&Expr) -> Expr) -> TimeSum {
        let terms = self.terms.iter().map(|(e, by)| (expr(e), by.clone()));
        TimeSum {
            terms: terms.collect(),
            constant: self.constant.clone(),
        }
    }
}

impl Place {
    /// The place with each index expression e replaced by `expr(e)`.
    pub fn with_exprs(&self, expr: &mut dyn FnMut(&Expr) -> Expr) -> Place {
        let step = |step: &PlaceStep| match step {
            PlaceStep::Field(field) => PlaceStep::Field(*field),
            PlaceStep::Index(ty, index) => PlaceStep::Index(ty.clone(), expr(index)),
            PlaceStep::Unwrap => PlaceStep::Unwrap,
        };
        Place {
            var: self.var,
            path: self.path.iter().map(step).collect(),
        }
    }
}

impl Machine {
    /// Replaces each outermost expression e of the Machine by `expr(e)`.
    pub fn map_exprs(&mut self, expr: &mut dyn FnMut(&Expr) -> Expr) {
        for var in &mut self.vars {
            if let Init::AnyIn(_, e) | Init::Value(_, e) = &mut var.init {
                *e = expr(e);
            }
        }
        for block in &mut self.blocks {
            if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &mut block.trigger {
                *guard = expr(guard);
            }
            for statement in &mut block.body {
                *statement = statement.with_exprs(expr);
            }
        }
        for response in &mut self.responses {
            response.from = expr(&response.from);
            response.to = expr(&response.to);
        }
        for restriction in &mut self.initially {
            restriction.condition = expr(&restriction.condition);
        }
        for property in &mut self.properties {
            match &mut property.kind {
                PropertyKind::Claim(claim) => *claim = claim.with_exprs(expr),
                PropertyKind::Possible(condition) => *condition = expr(condition),
            }
        }
    }
}
