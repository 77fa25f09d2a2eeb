//! Counting for claims: `k.sent(M)` and `k.activations` become ghosts that count no further than the claims
//! of the check can tell.
//!
//! A comparison of a count with something that is at most c cannot tell c + 1 from more. The same is true
//! of sums, products with numbers that are not negative, `max` and `min` of counts. So the ghost stops at
//! c + 1. A use outside such a comparison would need unbounded counting and is refused.

use crate::exprs::Names;
use crate::structure::Lowering;
use machine::{BinaryOp as Op, Expr as M, Init, LocalId, Place, Scope, Type, UnaryOp, Var, VarId};
use model::{BinaryOp, Expr, ExprKind, KindId, MessageId, Quantifier};
use source::{Diagnostic, codes};
use std::collections::BTreeMap;

/// The ghosts that count, with how far.
#[derive(Default)]
pub(crate) struct Counters {
    known: BTreeMap<(KindId, Counted), Counter>,
}

/// What a ghost counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Counted {
    Sent(MessageId),
    Activations,
}

#[derive(Clone, Copy)]
struct Counter {
    var: VarId,
    most: i64,
}

/// Beyond this nobody wants to count.
const LARGEST: i64 = 1_000_000;

impl Lowering<'_> {
    /// Whether an expression counts something, other than inside a comparison of its own.
    pub(crate) fn counts(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Sent(..) | ExprKind::Activations(_) => true,
            ExprKind::Let(id) => {
                // Remembered: abbreviations in abbreviations would be gone through again and again.
                if let Some(known) = self.counting_lets.borrow().get(id) {
                    return *known;
                }
                let counts = self.counts(&self.model.abbreviation(*id).value);
                self.counting_lets.borrow_mut().insert(*id, counts);
                counts
            }
            ExprKind::Binary(
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max,
                a,
                b,
            ) => self.counts(a) || self.counts(b),
            ExprKind::If(_, a, b) => self.counts(a) || self.counts(b),
            ExprKind::Quantifier {
                kind: Quantifier::Sum | Quantifier::Max | Quantifier::Min,
                body,
                ..
            } => self.counts(body),
            _ => false,
        }
    }

    /// The count of a node whose type in the Model is `of`.
    pub(crate) fn count(&mut self, node: M, of: &model::Type, counted: Counted) -> M {
        let kinds: Vec<KindId> = match of {
            model::Type::Node(Some(kind)) => vec![*kind],
            _ => (0..self.model.kinds.len() as u32).map(KindId).collect(),
        };
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

    /// Lets the counters in `e` count far enough for a comparison with `other`.
    pub(crate) fn count_up_to(&mut self, e: &Expr, other: &M, names: &mut Names) {
        let most = match self.type_of(other, names) {
            Type::Int(_, high) => high,
            Type::Set(element) => match *element {
                Type::Int(_, high) => high,
                _ => i64::MAX,
            },
            _ => i64::MAX,
        };
        self.raise(e, most, names);
    }

    /// Says that a count is used where its bound cannot be told.
    pub(crate) fn cannot_count(&mut self, e: &Expr) {
        self.report(
            Diagnostic::error(
                codes::UNBOUNDED_COUNT,
                e.span,
                "how far to count? this number is not compared with something bounded",
            )
            .note("compare `k.sent(M)`, or a sum of such numbers, with a number: `k.sent(M) <= 2`"),
        );
    }

    /// Gives the counters their types.
    pub(crate) fn finish_counters(&mut self) {
        for counter in self.counters.known.values() {
            self.machine.vars[counter.var.index()].ty = Type::Int(0, counter.most);
        }
    }

    /// The statement that counts a send, if anybody wants to know.
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
        self.count_more(kind, Counted::Sent(message), more)
    }

    /// The statement that counts an activation, if anybody wants to know.
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
            origin,
        });
        let counter = Counter { var, most: 1 };
        self.counters.known.insert((kind, counted), counter);
        var
    }

    /// Values of `e` up to `most` have to be told apart, larger ones need not.
    fn raise(&mut self, e: &Expr, most: i64, names: &mut Names) {
        if most >= LARGEST {
            self.cannot_count(e);
            return;
        }
        match &e.kind {
            ExprKind::Sent(node, message) => {
                self.raise_counters(&node.ty, Counted::Sent(*message), most);
            }
            ExprKind::Activations(node) => {
                self.raise_counters(&node.ty, Counted::Activations, most);
            }
            ExprKind::Let(id) => self.raise(&self.model.abbreviation(*id).value, most, names),
            ExprKind::If(_, a, b) | ExprKind::Binary(BinaryOp::Min | BinaryOp::Max, a, b) => {
                self.raise_counting([a, b], most, names);
            }
            ExprKind::Quantifier {
                kind: Quantifier::Max | Quantifier::Min,
                body,
                ..
            } => self.raise(body, most, names),
            // Of summands that are not negative one that is too large makes the sum too large.
            ExprKind::Quantifier {
                kind: Quantifier::Sum,
                body,
                ..
            } if self.bounds(body, names).0 >= 0 => self.raise(body, most, names),
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                let (low_a, low_b) = (self.bounds(a, names).0, self.bounds(b, names).0);
                if self.counts(a) {
                    self.raise(a, most.saturating_sub(low_b), names);
                }
                if self.counts(b) {
                    self.raise(b, most.saturating_sub(low_a), names);
                }
            }
            ExprKind::Binary(BinaryOp::Sub, a, b) if !self.counts(b) => {
                let high = self.bounds(b, names).1;
                self.raise(a, most.saturating_add(high), names);
            }
            ExprKind::Binary(BinaryOp::Mul, a, b)
                if self.counts(a) != self.counts(b)
                    && self.bounds(a, names).0 >= 0
                    && self.bounds(b, names).0 >= 0 =>
            {
                self.raise_counting([a, b], most.max(0), names);
            }
            _ => self.cannot_count(e),
        }
    }

    fn raise_counters(&mut self, of: &model::Type, what: Counted, most: i64) {
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

    fn raise_counting(&mut self, parts: [&Expr; 2], most: i64, names: &mut Names) {
        for part in parts {
            if self.counts(part) {
                self.raise(part, most, names);
            }
        }
    }

    fn bounds(&mut self, e: &Expr, names: &mut Names) -> (i64, i64) {
        names.counting = true;
        let lowered = self.expr(e, names);
        names.counting = false;
        match self.type_of(&lowered, names) {
            Type::Int(low, high) => (low, high),
            _ => (i64::MIN, i64::MAX),
        }
    }
}
