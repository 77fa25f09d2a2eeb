//! Generates random expressions of a given type.

use super::Generator;
use machine::{
    BinaryOp, Expr, FrozenId, KindId, LocalId, Machine, MapId, Order, Quantifier, RecordId, Scope,
    Type, UnaryOp, Value, VarId,
};

/// The context of an expression: its local names, and the values that it can read.
#[derive(Default)]
pub(super) struct Context {
    pub(super) scope: Scope,
    /// Expressions that read a value, each with its type.
    pub(super) readers: Vec<(Type, Expr)>,
    /// Whether the expression belongs to a claim, and may read ghost variables and variables of all nodes.
    pub(super) claim: bool,
    /// Whether the expression may read no variables, only frozen ones.
    pub(super) constant: bool,
    /// The message types that may be in the inbox of the node.
    pub(super) inbox: Vec<RecordId>,
}

impl Context {
    /// The context of initial values: the node, and its frozen variables.
    pub(super) fn initial(machine: &Machine, kind: KindId) -> Context {
        let mut cx = Context {
            constant: true,
            ..Context::default()
        };
        let this = cx.local("self", Type::Node);
        cx.constants_of(machine, this, kind);
        cx
    }

    /// Adds a bound local name.
    pub(super) fn local(&mut self, name: &str, ty: Type) -> LocalId {
        let local = self.scope.add(name, ty.clone());
        self.readers.push((ty, Expr::Local(local)));
        local
    }

    pub(super) fn constants_of(&mut self, machine: &Machine, node: LocalId, kind: KindId) {
        for (r, frozen) in machine.frozen_vars.iter().enumerate() {
            if frozen.kind == kind {
                let node = Box::new(Expr::Local(node));
                let read = Expr::Frozen(FrozenId(r as u32), node);
                self.readers.push((frozen.ty.clone(), read));
            }
        }
    }

    /// Adds the frozen variables and variables of a node as readable values.
    pub(super) fn node(&mut self, machine: &Machine, node: LocalId, kind: KindId) {
        self.constants_of(machine, node, kind);
        for (v, var) in machine.vars.iter().enumerate() {
            if var.kind == kind && (self.claim || !var.ghost) {
                let at = Expr::Var(VarId(v as u32), Box::new(Expr::Local(node)));
                self.reader(machine, &var.ty, at);
            }
        }
    }

    /// Adds a readable value and its parts.
    pub(super) fn reader(&mut self, machine: &Machine, ty: &Type, expr: Expr) {
        match ty {
            Type::Record(r) => {
                let fields = machine.records[r.index()].fields.iter().enumerate();
                for (f, (_, ty)) in fields {
                    let read = Expr::Field(Box::new(expr.clone()), f as u32);
                    self.reader(machine, ty, read);
                }
            }
            Type::Array(index, inner) => {
                for value in machine.values(index) {
                    let place = Box::new(Expr::Const(value));
                    let read = Expr::Index((**index).clone(), Box::new(expr.clone()), place);
                    self.reader(machine, inner, read);
                }
            }
            _ => {}
        }
        self.readers.push((ty.clone(), expr));
    }
}

pub(super) fn not(e: Expr) -> Expr {
    Expr::Unary(UnaryOp::Not, Box::new(e))
}

pub(super) fn quantified(q: Quantifier, local: LocalId, domain: Expr, body: Expr) -> Expr {
    Expr::Quantified(q, local, Box::new(domain), Box::new(body))
}

impl Generator {
    /// Whether the evaluation of an expression may be an error.
    fn may_break(&self, cx: &Context) -> bool {
        if cx.claim {
            self.features.failing_claims
        } else {
            self.features.failing_code
        }
    }

    /// An expression of the type. An integer is within its bounds, unless the code of the Machine may end in an error.
    pub(super) fn expr(&mut self, cx: &mut Context, ty: &Type, depth: u32) -> Expr {
        let expr = if depth == 0 || self.rng.percent(30) {
            self.leaf(cx, ty)
        } else {
            self.inner(cx, ty, depth - 1)
        };
        if self.rng.percent(4) {
            let value = self.leaf(cx, ty);
            return self.named(cx, ty, value);
        }
        if self.rng.percent(10) {
            return Expr::At(self.origin(), Box::new(expr));
        }
        expr
    }

    /// An expression that checks a value, binds it to a local name, and uses the name once or twice.
    fn named(&mut self, cx: &mut Context, ty: &Type, value: Expr) -> Expr {
        let local = cx.scope.add("x", ty.clone());
        let checked = Expr::Within(ty.clone(), Box::new(value));
        let name = || Box::new(Expr::Local(local));
        let body = match ty {
            Type::Bool => Expr::Binary(BinaryOp::Or, name(), name()),
            Type::Int(..) | Type::Id => Expr::Binary(BinaryOp::Min, name(), name()),
            Type::Set(_) => Expr::Binary(BinaryOp::Intersect, name(), name()),
            _ => Expr::Local(local),
        };
        Expr::Let(local, Box::new(checked), Box::new(body))
    }

    /// A readable value or a constant.
    fn leaf(&mut self, cx: &mut Context, ty: &Type) -> Expr {
        if self.rng.percent(75) {
            let fitting = cx.readers.iter().filter(|(found, _)| match (ty, found) {
                (Type::Int(lo, hi), Type::Int(a, b)) => lo <= a && b <= hi,
                _ => ty == found,
            });
            let fitting: Vec<_> = fitting.collect();
            if !fitting.is_empty() {
                return self.rng.pick(&fitting).1.clone();
            }
        }
        self.constant(cx, ty)
    }

    fn constant(&mut self, cx: &mut Context, ty: &Type) -> Expr {
        match ty {
            Type::Option(inner) if self.rng.percent(50) => Expr::None((**inner).clone()),
            Type::Option(inner) => Expr::Some(Box::new(self.leaf(cx, inner))),
            Type::Set(inner) => {
                let count = self.rng.below(3);
                let items = (0..count).map(|_| self.leaf(cx, inner)).collect();
                Expr::Set((**inner).clone(), items)
            }
            Type::Array(index, inner) => {
                Expr::Fill((**index).clone(), Box::new(self.leaf(cx, inner)))
            }
            Type::Record(r) => {
                let fields = self.machine.records[r.index()].fields.clone();
                let fields = fields.iter().map(|(_, ty)| self.leaf(cx, ty));
                Expr::Record(*r, fields.collect())
            }
            _ => {
                let values = self.machine.values(ty);
                Expr::Const(self.rng.pick(&values).clone())
            }
        }
    }

    fn inner(&mut self, cx: &mut Context, ty: &Type, depth: u32) -> Expr {
        if *ty != Type::Bool && self.rng.percent(15) {
            let condition = self.condition(cx, depth);
            let (a, b) = (self.expr(cx, ty, depth), self.expr(cx, ty, depth));
            return Expr::If(Box::new(condition), Box::new(a), Box::new(b));
        }
        if self.rng.percent(22)
            && let Some(read) = self.unwrapped(cx, ty)
        {
            return read;
        }
        match ty {
            Type::Bool => self.condition(cx, depth),
            Type::Int(lo, hi) => self.integer(cx, *lo, *hi, depth),
            Type::Id => {
                let (a, b) = (self.expr(cx, ty, depth), self.expr(cx, ty, depth));
                a.binary(*self.rng.pick(&[BinaryOp::Min, BinaryOp::Max]), b)
            }
            Type::Node => self.some_node(cx, depth),
            Type::Option(inner) if self.rng.percent(60) => {
                Expr::Some(Box::new(self.expr(cx, inner, depth)))
            }
            Type::Set(inner) => self.set(cx, inner, depth),
            Type::Record(r) => {
                let fields = self.machine.records[r.index()].fields.clone();
                let fields = fields.iter().map(|(_, ty)| self.expr(cx, ty, depth));
                Expr::Record(*r, fields.collect())
            }
            Type::Array(index, inner) => {
                Expr::Fill((**index).clone(), Box::new(self.expr(cx, inner, depth)))
            }
            Type::Option(_) | Type::Counter(_) | Type::Enum(_) | Type::OneOf(_) => {
                self.leaf(cx, ty)
            }
        }
    }

    /// The value inside an optional value, mostly guarded by a test for presence. `None` if no suitable option is
    /// readable.
    fn unwrapped(&mut self, cx: &mut Context, ty: &Type) -> Option<Expr> {
        let wanted = ty.clone().option();
        let options = cx.readers.iter().filter(|(found, _)| *found == wanted);
        let options: Vec<_> = options.map(|(_, e)| e.clone()).collect();
        if options.is_empty() {
            return None;
        }
        let option = self.rng.pick(&options).clone();
        let value = Expr::Unwrap(Box::new(option.clone()));
        if self.may_break(cx) && self.rng.percent(30) {
            return Some(value);
        }
        let there = Expr::Unary(UnaryOp::IsSome, Box::new(option));
        let otherwise = self.leaf(cx, ty);
        Some(Expr::If(
            Box::new(there),
            Box::new(value),
            Box::new(otherwise),
        ))
    }

    fn integer(&mut self, cx: &mut Context, lo: i64, hi: i64, depth: u32) -> Expr {
        let ty = Type::Int(lo, hi);
        let (a, b) = (self.expr(cx, &ty, depth), self.expr(cx, &ty, depth));
        let divisor = Expr::int(self.rng.between(1, 2));
        let any = match self.rng.below(10) {
            0 | 1 => a.binary(BinaryOp::Add, b),
            2 => a.binary(BinaryOp::Sub, b),
            3 => a.binary(BinaryOp::Mul, b),
            4 => return a.binary(*self.rng.pick(&[BinaryOp::Min, BinaryOp::Max]), b),
            5 => a.binary(BinaryOp::FloorDiv, divisor),
            6 => a.binary(BinaryOp::CeilDiv, divisor),
            7 => Expr::Unary(UnaryOp::Neg, Box::new(a)),
            8 | 9 if !cx.inbox.is_empty() && self.rng.percent(50) => {
                let q = [Quantifier::Count, Quantifier::Sum];
                let q = *self.rng.pick(&q);
                self.over_inbox(cx, q, depth)
            }
            8 if self.rng.percent(50) => {
                let (from, to) = (
                    self.expr(cx, &Type::Node, depth),
                    self.expr(cx, &Type::Node, depth),
                );
                from.binary(BinaryOp::Distance, to)
            }
            8 => {
                let set = self.expr(cx, &Type::Node.set(), depth);
                Expr::Unary(UnaryOp::Size, Box::new(set))
            }
            _ => self.over_nodes(cx, Quantifier::Count, depth),
        };
        if self.features.failing_code && !cx.claim && self.rng.percent(25) {
            return any; // possibly out of range
        }
        // lo + (any - lo) mod width
        let width = Expr::int(hi - lo + 1);
        Expr::int(lo).binary(
            BinaryOp::Add,
            any.binary(BinaryOp::Sub, Expr::int(lo))
                .binary(BinaryOp::Mod, width),
        )
    }

    /// A set of nodes, and their kind if all of them have the same.
    pub(super) fn nodes(&mut self, cx: &Context) -> (Expr, Option<KindId>) {
        let one_kind = (self.machine.kinds.len() == 1).then_some(KindId(0));
        let nodes = cx.readers.iter().filter(|(ty, _)| *ty == Type::Node);
        let nodes: Vec<_> = nodes.map(|(_, e)| e.clone()).collect();
        match self.rng.below(3) {
            0 if !nodes.is_empty() => {
                let node = Box::new(self.rng.pick(&nodes).clone());
                (Expr::Neighbours(node), one_kind)
            }
            0 | 1 if one_kind.is_some() => (Expr::Nodes(None), one_kind),
            _ => {
                let kind = KindId(self.rng.below(self.machine.kinds.len()) as u32);
                (Expr::Nodes(Some(kind)), Some(kind))
            }
        }
    }

    /// Calls `body` with a local name that ranges over nodes. If `kind` is given, the variables of the node may be
    /// readable.
    fn with_node<T>(
        &mut self,
        cx: &mut Context,
        kind: Option<KindId>,
        body: impl FnOnce(&mut Generator, &mut Context, LocalId) -> T,
    ) -> T {
        let before = cx.readers.len();
        let local = cx.local("k", Type::Node);
        if let Some(kind) = kind
            && (cx.claim || self.features.reads_others && !cx.constant)
        {
            cx.node(&self.machine, local, kind);
        }
        let result = body(self, cx, local);
        cx.readers.truncate(before);
        result
    }

    /// A quantifier over nodes whose body is a condition.
    fn over_nodes(&mut self, cx: &mut Context, q: Quantifier, depth: u32) -> Expr {
        let (domain, kind) = self.nodes(cx);
        self.with_node(cx, kind, |this, cx, local| {
            let body = this.condition(cx, depth);
            quantified(q, local, domain, body)
        })
    }

    /// A quantifier over the inbox. Its body is a condition, or an integer for a sum.
    pub(super) fn over_inbox(&mut self, cx: &mut Context, q: Quantifier, depth: u32) -> Expr {
        let record = *self.rng.pick(&cx.inbox);
        if cx.inbox.len() > 1 && q != Quantifier::Sum && self.rng.percent(40) {
            return self.over_mixed_inbox(cx, q, depth);
        }
        let domain = Expr::Inbox(vec![record], Box::new(Expr::Local(LocalId(0))));
        let before = cx.readers.len();
        let ty = Type::Record(record);
        let local = cx.scope.add("m", ty.clone());
        cx.reader(&self.machine, &ty, Expr::Local(local));
        let body = match q {
            Quantifier::Sum => self.leaf(cx, &Type::Int(0, 1)),
            _ if self.rng.percent(30) => Expr::bool(true),
            _ => self.condition(cx, depth.min(1)),
        };
        cx.readers.truncate(before);
        quantified(q, local, domain, body)
    }

    /// A quantifier over messages of several types, with a condition on messages of one type.
    fn over_mixed_inbox(&mut self, cx: &mut Context, q: Quantifier, depth: u32) -> Expr {
        let mut records = cx.inbox.clone();
        records.sort_unstable();
        let record = *self.rng.pick(&records);
        let before = cx.readers.len();
        let local = cx.scope.add("m", Type::OneOf(records.clone()));
        let ty = Type::Record(record);
        let message = || Box::new(Expr::Local(local));
        cx.reader(&self.machine, &ty, Expr::Within(ty.clone(), message()));
        let asked = self.condition(cx, depth.min(1));
        cx.readers.truncate(before);
        let body = Expr::IsRecord(record, message()).binary(BinaryOp::And, asked);
        let domain = Expr::Inbox(records, Box::new(Expr::Local(LocalId(0))));
        quantified(q, local, domain, body)
    }

    fn some_node(&mut self, cx: &mut Context, depth: u32) -> Expr {
        match self.rng.below(4) {
            0 | 1 => {
                let map = MapId(self.rng.below(2) as u32);
                Expr::Map(map, Box::new(self.expr(cx, &Type::Node, depth)))
            }
            2 if self.may_break(cx) && self.rng.percent(30) => {
                self.over_nodes(cx, Quantifier::The, depth)
            }
            _ => {
                let kind = KindId(self.rng.below(self.machine.kinds.len()) as u32);
                let order = self.machine.frozen_vars.iter().position(|r| {
                    r.kind == kind
                        && (r.order == Order::Arrangement || matches!(r.ty, Type::Int(..)))
                });
                let Some(order) = order else {
                    return self.leaf(cx, &Type::Node);
                };
                let largest = self.rng.percent(50);
                let local = cx.scope.add("k", Type::Node);
                let by = Expr::Frozen(FrozenId(order as u32), Box::new(Expr::Local(local)));
                let domain = Box::new(Expr::Nodes(Some(kind)));
                Expr::Extremum(largest, local, domain, Box::new(by))
            }
        }
    }

    fn set(&mut self, cx: &mut Context, inner: &Type, depth: u32) -> Expr {
        let ty = inner.clone().set();
        match self.rng.below(5) {
            0 => Expr::Values(inner.clone()),
            1 if *inner == Type::Node => self.nodes(cx).0,
            1 => match inner {
                Type::Int(..) => {
                    let (a, b) = (self.leaf(cx, inner), self.leaf(cx, inner));
                    Expr::Range(Box::new(a), Box::new(b))
                }
                _ => Expr::Values(inner.clone()),
            },
            2 => {
                let domain = Expr::Values(inner.clone());
                let before = cx.readers.len();
                let local = cx.local("e", inner.clone());
                let condition = self.condition(cx, depth);
                cx.readers.truncate(before);
                Expr::Filter(local, Box::new(domain), Box::new(condition))
            }
            _ => {
                let ops = [BinaryOp::Union, BinaryOp::Intersect, BinaryOp::Minus];
                let (a, b) = (self.expr(cx, &ty, depth), self.expr(cx, &ty, depth));
                a.binary(*self.rng.pick(&ops), b)
            }
        }
    }

    /// A condition on readable values.
    pub(super) fn condition(&mut self, cx: &mut Context, depth: u32) -> Expr {
        if depth > 0 && self.rng.percent(35) {
            let a = self.condition(cx, depth - 1);
            return match self.rng.below(6) {
                0 | 1 => a.binary(BinaryOp::And, self.condition(cx, depth - 1)),
                2 => a.binary(BinaryOp::Or, self.condition(cx, depth - 1)),
                3 => a.binary(BinaryOp::Implies, self.condition(cx, depth - 1)),
                4 => not(a),
                _ => {
                    let q = [Quantifier::All, Quantifier::Exists];
                    let q = *self.rng.pick(&q);
                    self.over_nodes(cx, q, depth - 1)
                }
            };
        }
        if !cx.inbox.is_empty() && self.rng.percent(20) {
            let q = [Quantifier::All, Quantifier::Exists];
            let q = *self.rng.pick(&q);
            return self.over_inbox(cx, q, depth);
        }
        if cx.readers.is_empty() {
            return Expr::bool(self.rng.percent(80));
        }
        let (ty, read) = self.rng.pick(&cx.readers).clone();
        let op = |this: &mut Generator, ops: &[BinaryOp]| *this.rng.pick(ops);
        match &ty {
            Type::Bool => read,
            Type::Int(..) | Type::Id => {
                use BinaryOp::*;
                let op = op(self, &[Eq, Ne, Lt, Le, Gt, Ge]);
                let other = self.expr(cx, &ty, depth);
                read.binary(op, other)
            }
            Type::Option(_) if self.rng.percent(50) => Expr::Unary(UnaryOp::IsSome, Box::new(read)),
            Type::Set(inner) => {
                if self.rng.percent(60) {
                    let element = self.expr(cx, inner, depth);
                    return element.binary(BinaryOp::In, read);
                }
                let other = self.expr(cx, &ty, depth);
                let op = op(self, &[BinaryOp::Subset, BinaryOp::Eq]);
                read.binary(op, other)
            }
            Type::Node if self.rng.percent(40) => {
                let nodes = self.nodes(cx).0;
                read.binary(BinaryOp::In, nodes)
            }
            _ => {
                let op = op(self, &[BinaryOp::Eq, BinaryOp::Ne]);
                let other = self.expr(cx, &ty, depth);
                read.binary(op, other)
            }
        }
    }

    /// A set expression that contains all values of a small type.
    pub(super) fn any_of(&mut self, ty: &Type) -> Expr {
        match ty {
            Type::Int(lo, hi) => Expr::Range(Box::new(Expr::int(*lo)), Box::new(Expr::int(*hi))),
            Type::Bool if self.rng.percent(50) => Expr::Set(
                Type::Bool,
                vec![
                    Expr::Const(Value::Bool(true)),
                    Expr::Const(Value::Bool(false)),
                ],
            ),
            _ => Expr::Values(ty.clone()),
        }
    }
}
