//! Ghosts for claims: `k.sent(M)` and `k.activations` become ghost variables that count up to a bound.
//! [`saturation`](crate::claims::saturation) computes a bound beyond which the claims of the check cannot distinguish
//! counts.

use crate::context::counts::{Counted, Counter};
use crate::context::lowering::Lowering;
use crate::context::names::Names;
use machine::{
    BinaryOp as Op, Expr as M, Fault, Init, LocalId, Place, Scope, Type, UnaryOp, Var, VarId,
};
use model::{BinaryOp, Expr, ExprKind, KindId, MessageId, Quantifier};
use source::{Diagnostic, codes};

impl Lowering<'_> {
    /// Whether the value of an expression is computed from counts (`sent`, `activations`). Comparisons are not: their
    /// value is a truth value.
    pub(crate) fn counts(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Sent(..) | ExprKind::Activations(_) => true,
            ExprKind::Let(id) => {
                // The result is stored, because abbreviations can contain each other many times.
                if let Some(known) = self.counters.lets.borrow().get(id) {
                    return *known;
                }
                let counts = self.counts(&self.model.abbreviation(*id).value);
                self.counters.lets.borrow_mut().insert(*id, counts);
                counts
            }
            ExprKind::Binary(
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max,
                a,
                b,
            ) => self.counts(a) || self.counts(b),
            ExprKind::Neg(inner) => self.counts(inner),
            ExprKind::If(_, a, b) => self.counts(a) || self.counts(b),
            ExprKind::Quantifier {
                kind: Quantifier::Sum | Quantifier::Max | Quantifier::Min,
                body,
                ..
            } => self.counts(body),
            _ => false,
        }
    }

    /// The expression for a count of a node. `of` is the type of the node in the Model; if it leaves the kind open,
    /// the expression selects the ghost by the kind.
    pub(crate) fn count(&mut self, node: M, of: &model::Type, counted: Counted) -> M {
        let kinds: Vec<KindId> = match of {
            model::Type::Node(Some(kind)) => vec![*kind],
            _ => (0..self.model.kinds.len() as u32).map(KindId).collect(),
        };
        if let Counted::Sent(message) = counted {
            self.all_sends_count(&kinds, message);
        }
        let mut result = M::int(0);
        for kind in kinds.iter().rev() {
            let count = M::Var(self.counter(*kind, counted), Box::new(node.clone()));
            result = if kinds.len() == 1 {
                count
            } else {
                let all = M::Nodes(Some(machine::KindId(kind.0)));
                let is_one = node.clone().binary(Op::In, all);
                M::If(Box::new(is_one), Box::new(count), Box::new(result))
            };
        }
        result
    }

    /// Refuses counts of messages sent by nodes that may crash during a broadcast: a ghost cannot count a part of a
    /// broadcast.
    fn all_sends_count(&mut self, kinds: &[KindId], message: MessageId) {
        let crashing = |runtime_fault: &machine::RuntimeFault| {
            runtime_fault
                .crash
                .is_some_and(|crash| crash.during_broadcast)
                && runtime_fault
                    .of
                    .is_none_or(|of| kinds.iter().any(|k| k.0 == of.0))
        };
        if self.machine.runtime_faults.iter().any(crashing) {
            let name = &self.model.message(message).name;
            let what = format!("`sent({name})` of nodes that may crash during a broadcast");
            self.refuse(self.check.span, &what);
        }
    }

    /// Reports a count for which no bound is known.
    pub(crate) fn cannot_count(&mut self, e: &Expr) {
        self.report(
            Diagnostic::error(
                codes::UNBOUNDED_COUNT,
                e.span,
                "how far to count? this number is not compared with something bounded",
            )
            .note("compare `k.sent(M)` or `k.activations`, or a sum of such numbers, with a number: `k.sent(M) <= 2`")
            .note("a difference of two counts needs a bound of one of them before it: `i.activations <= 20 implies i.activations - j.activations <= 2`"),
        );
    }

    /// Sets the types of the ghosts to their final bounds.
    pub(crate) fn finish_counters(&mut self) {
        for counter in self.counters.known.values() {
            self.machine.vars[counter.var.index()].ty = Type::Int(0, counter.most);
        }
    }

    /// The statement that counts a send, if a claim reads the count.
    pub(crate) fn count_send(
        &mut self,
        kind: KindId,
        message: MessageId,
        to: &M,
        names: &Names,
    ) -> Option<machine::StmtKind> {
        let more = match self.type_of(to, names) {
            Type::Set(_) => M::Unary(UnaryOp::Size, Box::new(to.clone())),
            _ => M::int(1),
        };
        // Messages of a mute or isolated node are not counted.
        let items = &self.machine.node_faults;
        let silent = |f: &Fault| {
            items
                .iter()
                .filter(|item| item.of.is_none_or(|of| of.0 == kind.0))
                .any(|item| item.faults.contains(f))
        };
        let has = |fault: Fault| M::HasFault(fault, Box::new(M::Local(LocalId(0))));
        let silenced = [Fault::Mute, Fault::Isolated].into_iter().filter(silent);
        let more = match silenced.map(has).reduce(|a, b| a.binary(Op::Or, b)) {
            Some(silent) => M::If(Box::new(silent), Box::new(M::int(0)), Box::new(more)),
            None => more,
        };
        self.count_more(kind, Counted::Sent(message), more)
    }

    /// The statement that counts an activation, if a claim reads the count.
    pub(crate) fn count_activation(&mut self, kind: KindId) -> Option<machine::StmtKind> {
        self.count_more(kind, Counted::Activations, M::int(1))
    }

    fn count_more(&mut self, kind: KindId, counted: Counted, more: M) -> Option<machine::StmtKind> {
        let counter = *self.counters.known.get(&(kind, counted))?;
        let before = M::Var(counter.var, Box::new(M::Local(LocalId(0))));
        let after = before
            .binary(Op::Add, more)
            .binary(Op::Min, M::int(counter.most));
        let place = Place {
            var: counter.var,
            path: Vec::new(),
        };
        Some(machine::StmtKind::Assign(place, after))
    }

    fn counter(&mut self, kind: KindId, counted: Counted) -> VarId {
        if let Some(counter) = self.counters.known.get(&(kind, counted)) {
            return counter.var;
        }
        let var = VarId(self.machine.vars.len() as u32);
        let mut scope = Scope::default();
        scope.add("self", Type::Node);
        let (name, span) = match counted {
            Counted::Sent(message) => {
                let message = self.model.message(message);
                (format!("sent({})", message.name), message.span)
            }
            Counted::Activations => ("activations".to_string(), self.model.kind(kind).span),
        };
        let origin = self.origins.of(span);
        self.machine.vars.push(Var {
            name,
            kind: machine::KindId(kind.0),
            ty: Type::Int(0, 1),
            init: Init::Value(scope, M::int(0)),
            ghost: true,
            persistent: true, // the count survives a restart of its node
            origin,
        });
        let counter = Counter { var, most: 1 };
        self.counters.known.insert((kind, counted), counter);
        var
    }

    /// Raises the bound of the ghosts of these nodes to at least `most + 1`. The value `most + 1` represents all larger
    /// counts.
    pub(crate) fn raise_counters(&mut self, of: &model::Type, what: Counted, most: i64) {
        for ((kind, counted), counter) in &mut self.counters.known {
            let asked = match of {
                model::Type::Node(Some(of)) => of == kind,
                _ => true,
            };
            if asked && *counted == what {
                counter.most = counter.most.max(most.saturating_add(1));
            }
        }
    }
}
