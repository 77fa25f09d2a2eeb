//! Time in claims: `now` and `leads to … within`.

use crate::context::counts::Range;
use crate::context::lowering::Lowering;
use crate::context::names::Names;
use machine::{
    BinaryOp as Op, Expr as M, Formula as F, NodeId, Quantifier, Response, ResponseId, Type,
    UnaryOp, Value,
};
use model::{
    BinaryOp, Constant, Environment, Expr, ExprKind, Formula, FormulaKind, LocalId, evaluate_set,
};
use source::{Diagnostic, codes};

/// Maximum number of values over which a deadline is expanded.
const MOST_VALUES: i64 = 1_000;

impl Lowering<'_> {
    /// The condition `now op time` or `time op now`.
    pub(crate) fn now_compared(&mut self, op: BinaryOp, a: &Expr, b: &Expr, names: &Names) -> M {
        let (time, now, turned) = match a.kind {
            ExprKind::Now => (b, a, false),
            _ => (a, b, true),
        };
        let op = match (op, turned) {
            (BinaryOp::Eq, _) => Op::Eq,
            (BinaryOp::Ne, _) => Op::Ne,
            (BinaryOp::Lt, false) | (BinaryOp::Gt, true) => Op::Lt,
            (BinaryOp::Le, false) | (BinaryOp::Ge, true) => Op::Le,
            (BinaryOp::Gt, false) | (BinaryOp::Lt, true) => Op::Gt,
            (BinaryOp::Ge, false) | (BinaryOp::Le, true) => Op::Ge,
            _ => unreachable!("the operator is a comparison"),
        };
        self.has_times(now.span);
        match self.constant_with(time, &names.constants) {
            Some(Constant::Duration(time)) => M::Now(op, time),
            _ => M::bool(false),
        }
    }

    /// A formula that contains a deadline (`leads to … within`).
    pub(crate) fn deadlines(&mut self, formula: &Formula, names: &mut Names) -> F {
        let mut parts = Vec::new();
        let condition = self.with_deadlines(formula, false, names, &mut parts);
        if let Some(condition) = condition {
            parts.insert(0, F::Always(Box::new(F::State(condition))));
        }
        let both = |a, b| F::And(Box::new(a), Box::new(b));
        let whole = parts.into_iter().reduce(both);
        let whole = whole.unwrap_or(F::State(M::bool(true)));
        F::At(self.origins.of(formula.span), Box::new(whole))
    }

    /// A formula that contains a deadline, as a condition that must hold in every state; `None` if it contains no such
    /// condition.
    ///
    /// Deadlines occur only under `always`, `and` and `all`, so the parts with deadlines form one invariant.
    /// Conjuncts without a deadline need not be invariants; they are added to `beside`.
    fn with_deadlines(
        &mut self,
        formula: &Formula,
        under_always: bool,
        names: &mut Names,
        beside: &mut Vec<F>,
    ) -> Option<M> {
        match &formula.kind {
            FormulaKind::LeadsToWithin { from, to, within } => {
                let origin = self.origins.of(formula.span);
                let response = self.response(from, to, within, names)?;
                let overdue = M::At(origin, Box::new(M::Overdue(response)));
                Some(M::Unary(UnaryOp::Not, Box::new(overdue)))
            }
            FormulaKind::State(condition) if under_always => Some(self.expr(condition, names)),
            FormulaKind::Always(inner) if has_deadline(inner) || is_state(inner) => {
                self.with_deadlines(inner, true, names, beside)
            }
            FormulaKind::And(a, b) => {
                let a = self.with_deadlines(a, under_always, names, beside);
                let b = self.with_deadlines(b, under_always, names, beside);
                a.into_iter().chain(b).reduce(|a, b| a.binary(Op::And, b))
            }
            FormulaKind::All { var, domain, body }
                if has_deadline(body) && self.is_open_set(domain) =>
            {
                names
                    .ranges
                    .extend(Range::of(domain).map(|range| (*var, range)));
                let nodes = match domain.kind {
                    ExprKind::KindNodes(kind) => M::Nodes(Some(machine::KindId(kind.0))),
                    _ => M::Nodes(None),
                };
                let local = self.bind(*var, Type::Node, names);
                let one = self.with_deadlines(body, under_always, names, beside)?;
                let (nodes, one) = (Box::new(nodes), Box::new(one));
                Some(M::Quantified(Quantifier::All, local, nodes, one))
            }
            FormulaKind::All { var, domain, body } if has_deadline(body) => {
                let mut all: Option<M> = None;
                for (value, premise) in self.values_of(*var, domain, names) {
                    names.bound.insert(*var, value);
                    names.premises.extend(premise.clone());
                    let one = self.with_deadlines(body, under_always, names, beside);
                    names
                        .premises
                        .truncate(names.premises.len() - usize::from(premise.is_some()));
                    let one = match premise {
                        Some(premise) => one.map(|one| premise.binary(Op::Implies, one)),
                        None => one,
                    };
                    all = all
                        .into_iter()
                        .chain(one)
                        .reduce(|a, b| a.binary(Op::And, b));
                }
                names.bound.remove(var);
                all
            }
            _ => {
                let other = self.formula(formula, names);
                let other = match under_always {
                    true => F::Always(Box::new(other)),
                    false => other,
                };
                let premise = names
                    .premises
                    .iter()
                    .cloned()
                    .reduce(|a, b| a.binary(Op::And, b));
                beside.push(match premise {
                    Some(premise) => F::Implies(Box::new(F::State(premise)), Box::new(other)),
                    None => other,
                });
                None
            }
        }
    }

    /// Whether a set consists of all nodes, or all nodes of a kind, of an open Machine. Such a set cannot be listed.
    fn is_open_set(&self, domain: &Expr) -> bool {
        let all = matches!(domain.kind, ExprKind::KindNodes(_) | ExprKind::AllNodes);
        all && self.instance.open.is_some()
    }

    fn response(
        &mut self,
        from: &Expr,
        to: &Expr,
        within: &Expr,
        names: &mut Names,
    ) -> Option<ResponseId> {
        self.has_times(within.span);
        let time = match self.constant_with(within, &names.constants)? {
            Constant::Duration(time) if time.is_negative() => {
                let text = format!(
                    "with these parameters a deadline of {} is over before it begins",
                    Constant::Duration(time).text(self.model)
                );
                self.report(
                    Diagnostic::error(codes::BAD_TIMING, within.span, text)
                        .other(self.check.span, "this check"),
                );
                return None;
            }
            Constant::Duration(time) => time,
            _ => return None,
        };
        // The response has a scope of its own: the names bound around it have been replaced by values.
        let mut own = Names {
            bound: names.bound.clone(),
            constants: names.constants.clone(),
            times: names.times.clone(),
            ranges: names.ranges.clone(),
            ..Names::default()
        };
        if let Some(open) = &mut self.instance.open {
            // In an open Machine the response is a template: its first locals are those that the quantifiers around it bind.
            own.scope = names.scope.clone();
            open.deadlines.push(own.scope.locals.len() as u32);
        }
        let from = self.expr(from, &mut own);
        let to = self.expr(to, &mut own);
        let response = ResponseId(self.machine.responses.len() as u32);
        self.machine.responses.push(Response {
            scope: own.scope,
            from,
            to,
            within: time,
        });
        Some(response)
    }

    /// The values over which a name ranges, each with the condition that it is an element of the set. The condition
    /// is `None` if the elements of the set are constant.
    fn values_of(&mut self, var: LocalId, domain: &Expr, names: &mut Names) -> Vec<(M, Option<M>)> {
        names
            .ranges
            .extend(Range::of(domain).map(|range| (var, range)));
        let nodes = |nodes: Vec<NodeId>| nodes.into_iter().map(|n| (M::node(n), None)).collect();
        match &domain.kind {
            ExprKind::KindNodes(kind) => {
                return nodes(self.machine.nodes_of(machine::KindId(kind.0)).collect());
            }
            ExprKind::AllNodes => return nodes(self.machine.nodes().collect()),
            _ => {}
        }
        let mut env = Environment::new(self.model, &self.instance.params);
        for (local, value) in &names.constants {
            env = env.with(*local, value.clone());
        }
        if let Ok(values) = evaluate_set(domain, &env)
            && values.iter().all(|v| !matches!(v, Constant::Duration(_)))
            && values.len() as i64 <= MOST_VALUES
        {
            let values = values.iter().map(|v| M::Const(self.value(v)));
            return values.map(|value| (value, None)).collect();
        }
        let set = self.expr(domain, names);
        let values: Vec<Value> = match self.type_of(&set, names) {
            Type::Set(element) => match *element {
                Type::Node => self.machine.nodes().map(Value::Node).collect(),
                Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
                Type::Int(low, high) if high.saturating_sub(low) <= MOST_VALUES => {
                    (low..=high).map(Value::Int).collect()
                }
                Type::Enum(id) => {
                    let count = self.machine.enums[id.index()].values.len() as u32;
                    (0..count).map(|n| Value::Enum(id, n)).collect()
                }
                _ => {
                    self.refuse(domain.span, "a deadline for each element of such a set");
                    return Vec::new();
                }
            },
            _ => return Vec::new(),
        };
        let one = |value: Value| {
            let value = M::Const(value);
            let inside = value.clone().binary(Op::In, set.clone());
            (value, Some(inside))
        };
        values.into_iter().map(one).collect()
    }
}

/// Whether a formula contains `leads to … within`.
pub(crate) fn has_deadline(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::State(_) => false,
        FormulaKind::LeadsToWithin { .. } => true,
        FormulaKind::Not(a)
        | FormulaKind::Always(a)
        | FormulaKind::Eventually(a)
        | FormulaKind::All { body: a, .. }
        | FormulaKind::Exists { body: a, .. } => has_deadline(a),
        FormulaKind::And(a, b)
        | FormulaKind::Or(a, b)
        | FormulaKind::Implies(a, b)
        | FormulaKind::Until(a, b)
        | FormulaKind::LeadsTo(a, b) => has_deadline(a) || has_deadline(b),
    }
}

fn is_state(formula: &Formula) -> bool {
    matches!(formula.kind, FormulaKind::State(_))
}
