//! Contexts in which expressions of a Machine are evaluated: code, conditions and initial values.

use machine::{
    Block, Expr, Formula, Init, KindId, LocalId, Machine, Predicate, Property, PropertyKind,
    RecordId, Scope, Stmt, StmtKind, Trigger, Typing, is_nonempty,
};

/// The context in which an expression is evaluated: its scope, and what is known about the locals.
pub(crate) struct Site<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) scope: &'m Scope,
    /// The kind of the executing node, which is local 0. `None` if local 0 may be bound to another node.
    pub(crate) own: Option<KindId>,
    /// Locals that are bound to non-empty sets.
    pub(crate) filled: Vec<LocalId>,
    /// Whether counters have the type of integers in this context, because its expressions are evaluated before any
    /// event.
    numbers: bool,
}

impl<'m> Site<'m> {
    /// The context of the code of a block.
    pub(crate) fn block(machine: &'m Machine, block: &'m Block) -> Site<'m> {
        let mut renamed = false;
        for statement in &block.body {
            statement.walk(&mut |s| {
                if let StmtKind::Let(local, _)
                | StmtKind::Choose(local, _)
                | StmtKind::For(local, ..) = &s.kind
                {
                    renamed |= *local == LocalId(0);
                }
            });
        }
        Site {
            machine,
            scope: &block.scope,
            own: (!renamed).then_some(block.kind),
            filled: filled(machine, block),
            numbers: false,
        }
    }

    /// The context of a condition.
    pub(crate) fn condition(machine: &'m Machine, scope: &'m Scope) -> Site<'m> {
        Site {
            machine,
            scope,
            own: None,
            filled: Vec::new(),
            numbers: false,
        }
    }

    /// The context of a restriction of the initial states.
    pub(crate) fn restriction(machine: &'m Machine, scope: &'m Scope) -> Site<'m> {
        Site {
            numbers: true,
            ..Site::condition(machine, scope)
        }
    }

    /// The context of the initial value of a variable of a kind.
    pub(crate) fn initial(machine: &'m Machine, scope: &'m Scope, kind: KindId) -> Site<'m> {
        Site {
            machine,
            scope,
            own: Some(kind),
            filled: Vec::new(),
            numbers: true,
        }
    }

    /// The same context without knowledge about locals. It is used for initial messages, in which locals have arbitrary
    /// values.
    pub(crate) fn guessed(&self) -> Site<'m> {
        Site {
            machine: self.machine,
            scope: self.scope,
            own: self.own,
            filled: Vec::new(),
            numbers: self.numbers,
        }
    }

    /// The type of an expression in this context; `None` if it is ill-typed.
    pub(crate) fn type_of(&self, expr: &Expr) -> Option<machine::Type> {
        let typing = Typing::all_bound(self.machine, self.scope);
        let mut typing = match self.numbers {
            true => typing.with_numbers(),
            false => typing,
        };
        typing.type_of(expr).ok()
    }
}

/// The locals of a block that are bound exactly once, by a `let`, to a non-empty set.
fn filled(machine: &Machine, block: &Block) -> Vec<LocalId> {
    let mut bound: Vec<LocalId> = Vec::new();
    let mut lets: Vec<(LocalId, &Expr)> = Vec::new();
    for statement in &block.body {
        statement.walk(&mut |s| match &s.kind {
            StmtKind::Let(local, e) => {
                bound.push(*local);
                lets.push((*local, e));
            }
            StmtKind::Choose(local, _) | StmtKind::For(local, ..) => bound.push(*local),
            _ => {}
        });
        statement.walk_exprs(&mut |e| bound.extend(binds(e)));
    }
    let mut filled = Vec::new();
    for (local, e) in lets {
        let once = bound.iter().filter(|other| **other == local).count() == 1;
        if once && local.0 > 0 && is_nonempty(machine, e, &filled) {
            filled.push(local);
        }
    }
    filled
}

/// The guard of a block; `None` if it has none.
pub(crate) fn guard(block: &Block) -> Option<&Expr> {
    match &block.trigger {
        Trigger::On(_, guard) => guard.as_ref(),
        Trigger::When(guard) => Some(guard),
        Trigger::Start | Trigger::Every(_) | Trigger::Timer(_) => None,
    }
}

/// The first block of a kind for a message type; `None` if there is none.
pub(crate) fn handler(machine: &Machine, kind: KindId, record: RecordId) -> Option<&Block> {
    let mut blocks = machine.blocks.iter().filter(|block| block.kind == kind);
    blocks.find(|block| matches!(&block.trigger, Trigger::On(wanted, _) if *wanted == record))
}

/// Calls `visit` on every condition outside code: in restrictions of initial states, in bounded-response obligations,
/// in properties.
pub(crate) fn conditions<'m>(machine: &'m Machine, visit: &mut dyn FnMut(&Site<'m>, &'m Expr)) {
    for Predicate { scope, condition } in &machine.initially {
        visit(&Site::restriction(machine, scope), condition);
    }
    for response in &machine.responses {
        let site = Site::condition(machine, &response.scope);
        visit(&site, &response.from);
        visit(&site, &response.to);
    }
    for property in &machine.properties {
        let site = Site::condition(machine, &property.scope);
        match &property.kind {
            PropertyKind::Claim(formula) => whole_exprs(formula, &mut |e| visit(&site, e)),
            PropertyKind::Possible(condition) => visit(&site, condition),
        }
    }
}

/// Calls `visit` on the conditions and quantifier domains of a formula, but not on their subexpressions.
fn whole_exprs<'f>(formula: &'f Formula, visit: &mut dyn FnMut(&'f Expr)) {
    match formula {
        Formula::State(e) => visit(e),
        Formula::At(_, a) | Formula::Not(a) | Formula::Always(a) | Formula::Eventually(a) => {
            whole_exprs(a, visit)
        }
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Until(a, b)
        | Formula::LeadsTo(a, b) => {
            whole_exprs(a, visit);
            whole_exprs(b, visit);
        }
        Formula::All(_, domain, a) | Formula::Exists(_, domain, a) => {
            visit(domain);
            whole_exprs(a, visit);
        }
    }
}

/// The Machine in which the body of each block b is replaced by `code(b)`, and then each expression e by `expr(e)`.
pub(crate) fn rewrite(
    machine: &Machine,
    expr: &mut dyn FnMut(&Expr) -> Expr,
    code: &mut dyn FnMut(&Block) -> Vec<Stmt>,
) -> Machine {
    let mut result = machine.clone();
    for block in &mut result.blocks {
        block.body = code(block).iter().map(|s| s.with_exprs(expr)).collect();
        block.trigger = match &block.trigger {
            Trigger::On(record, guard) => Trigger::On(*record, guard.as_ref().map(&mut *expr)),
            Trigger::When(guard) => Trigger::When(expr(guard)),
            other => other.clone(),
        };
    }
    for var in &mut result.vars {
        var.init = match &var.init {
            Init::Any => Init::Any,
            Init::AnyIn(scope, e) => Init::AnyIn(scope.clone(), expr(e)),
            Init::Value(scope, e) => Init::Value(scope.clone(), expr(e)),
        };
    }
    for restriction in &mut result.initially {
        restriction.condition = expr(&restriction.condition);
    }
    for response in &mut result.responses {
        response.from = expr(&response.from);
        response.to = expr(&response.to);
    }
    for Property { kind, .. } in &mut result.properties {
        *kind = match kind {
            PropertyKind::Claim(formula) => PropertyKind::Claim(formula.with_exprs(expr)),
            PropertyKind::Possible(condition) => PropertyKind::Possible(expr(condition)),
        };
    }
    result
}

/// Whether the same message types enter the inboxes of each kind in both Machines.
pub(crate) fn same_inboxes(a: &Machine, b: &Machine) -> bool {
    let kinds = (0..a.kinds.len() as u32).map(KindId);
    kinds.into_iter().all(|kind| {
        let mut records = (0..a.records.len() as u32).map(machine::RecordId);
        records.all(|record| a.enters_inbox(kind, record) == b.enters_inbox(kind, record))
    })
}

/// The number of subexpressions that bind the local.
pub(crate) fn binders(expr: &Expr, wanted: LocalId) -> usize {
    let mut count = 0;
    expr.walk(&mut |e| count += usize::from(binds(e) == Some(wanted)));
    count
}

/// The local that the outermost operator of an expression binds; `None` if it binds none.
pub(crate) fn binds(expr: &Expr) -> Option<LocalId> {
    match expr {
        Expr::Let(local, ..)
        | Expr::Filter(local, ..)
        | Expr::Quantified(_, local, ..)
        | Expr::Extremum(_, local, ..) => Some(*local),
        _ => None,
    }
}
