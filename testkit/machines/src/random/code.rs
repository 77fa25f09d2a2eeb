//! Random blocks and statements.

use super::Generator;
use super::environment::Timings;
use super::exprs::{Context, not, quantified};
use machine::{
    BinaryOp, Block, Channel, Expr, KindId, LocalId, MapId, Place, PlaceStep, Quantifier, RecordId,
    Scope, Stmt, StmtKind, Timing, Trigger, Type, Typing, UnaryOp, VarId,
};

/// A block that is being generated.
pub(super) struct Making {
    pub(super) cx: Context,
    pub(super) kind: KindId,
    /// The message type that the block handles; `None` if it is not a message handler.
    pub(super) message: Option<RecordId>,
    /// Whether the sends of the block consume no fuel.
    pub(super) free: bool,
    /// Whether the block must not send.
    pub(super) quiet: bool,
}

impl Generator {
    /// Generates all blocks of all kinds.
    pub(super) fn code(&mut self) {
        for kind in (0..self.machine.kinds.len() as u32).map(KindId) {
            let inbox = self.entering();
            self.entering = inbox.clone();
            if self.rng.percent(80) {
                self.block(kind, "start", Trigger::Start);
            }
            for r in 0..self.machine.records.len() {
                if self.machine.records[r].message && !inbox.contains(&RecordId(r as u32)) {
                    self.handlers(kind, RecordId(r as u32));
                }
            }
            if !inbox.is_empty() {
                self.reading(kind, &inbox);
            }
            if self.features.intermittent && self.now_and_then(kind) {
                continue;
            }
            if self.rng.percent(60) {
                self.block(kind, "work", Trigger::When(Expr::bool(true)));
            }
            if self.rng.percent(20) {
                self.block(kind, "rest", Trigger::When(Expr::bool(true)));
            }
            let often = if self.features.timings == Timings::Any {
                40
            } else {
                90
            };
            if self.rng.percent(often) {
                let timing = self.timing();
                self.block(kind, "every", Trigger::Every(timing));
            }
        }
    }

    /// The message types that enter the inboxes of a kind; a random subset.
    fn entering(&mut self) -> Vec<RecordId> {
        if !self.features.uses_inboxes {
            return vec![];
        }
        let records = self.machine.records.iter().enumerate();
        let messages = records.filter(|(_, r)| r.message);
        let messages: Vec<_> = messages.map(|(r, _)| RecordId(r as u32)).collect();
        { messages.into_iter() }
            .filter(|_| self.rng.percent(75))
            .collect()
    }

    /// Adds a block whose guard reads the inbox.
    fn reading(&mut self, kind: KindId, inbox: &[RecordId]) {
        let record = *self.rng.pick(inbox);
        let mut scope = Scope::of_node();
        let m = scope.add("m", Type::Record(record));
        let this = || Box::new(Expr::Local(LocalId(0)));
        let several = inbox.len() > 1;
        let some = match self.rng.below(if several { 5 } else { 3 }) {
            3.. => {
                let mixed = scope.add("m", Type::OneOf(inbox.to_vec()));
                let is_one = Expr::IsRecord(record, Box::new(Expr::Local(mixed)));
                let inbox = Expr::Inbox(inbox.to_vec(), this());
                let count = quantified(Quantifier::Count, mixed, inbox, is_one);
                count.binary(BinaryOp::Ge, Expr::int(self.rng.between(1, 2)))
            }
            0 => {
                let senders = Expr::Unary(UnaryOp::Size, Box::new(Expr::Senders(None, this())));
                senders.binary(BinaryOp::Ge, Expr::int(self.rng.between(1, 2)))
            }
            1 => {
                let inbox = Expr::Inbox(vec![record], this());
                let count = quantified(Quantifier::Count, m, inbox, Expr::bool(true));
                count.binary(BinaryOp::Ge, Expr::int(self.rng.between(1, 2)))
            }
            _ => {
                let inbox = Expr::Inbox(vec![record], this());
                let size = Expr::Unary(UnaryOp::Size, Box::new(inbox));
                size.binary(BinaryOp::Ge, Expr::int(self.rng.between(1, 2)))
            }
        };
        let turns = |v: &machine::Var| matches!(v.ty, Type::Bool | Type::Node) && !v.ghost;
        let mut body = Vec::new();
        if let Some(var) = self.var_of(kind, turns)
            && let Some(next) = following(var, &self.machine.vars[var.index()].ty, false)
        {
            body.push(self.set_var(var, next));
        }
        // Unless the block clears the inbox, it may stay enabled for ever, which is well formed but tests little.
        if body.is_empty() || self.rng.percent(75) {
            body.push(self.stmt(StmtKind::ClearInbox));
        }
        let origin = self.origin();
        self.machine.blocks.push(Block {
            name: "read".into(),
            kind,
            trigger: Trigger::When(some),
            scope,
            body,
            origin,
        });
    }

    /// Adds a block that cycles through the values of a variable, and a block that halts at one of these values. The
    /// second block is enabled infinitely often, but never continuously. Returns whether the kind has a suitable
    /// variable.
    fn now_and_then(&mut self, kind: KindId) -> bool {
        let turns = |v: &machine::Var| matches!(v.ty, Type::Bool | Type::Int(..)) && !v.ghost;
        let fuel = self.fuel[kind.index()];
        let Some(var) = self.var_of(kind, turns).filter(|var| *var != fuel) else {
            return false;
        };
        let ty = self.machine.vars[var.index()].ty.clone();
        let this = Expr::Var(var, Box::new(Expr::Local(LocalId(0))));
        let value = Expr::Const(self.machine.values(&ty)[0].clone());
        let place = Place { var, path: vec![] };
        let next = following(var, &ty, false).expect("it turns");
        let turn = vec![self.stmt(StmtKind::Assign(place, next))];
        let once = vec![self.stmt(StmtKind::Halt)];
        let guard = this.binary(BinaryOp::Eq, value);
        for (name, trigger, body) in [
            ("turn", Trigger::Every(Timing::Any), turn),
            ("once", Trigger::When(guard), once),
        ] {
            let origin = self.origin();
            self.machine.blocks.push(Block {
                name: name.into(),
                kind,
                trigger,
                scope: Scope::of_node(),
                body,
                origin,
            });
        }
        true
    }

    /// Adds the handlers of a kind for a message type, or lets the kind ignore it.
    fn handlers(&mut self, kind: KindId, record: RecordId) {
        let name = format!("on {}", self.machine.records[record.index()].name);
        match self.rng.below(20) {
            0 | 19 if self.features.failing_code => {} // no handler: an error on delivery
            1 | 2 => self.machine.kinds[kind.index()].ignores.push(record),
            3..=7 if self.machine.channel != Channel::Instant => {
                self.block(kind, &name, Trigger::On(record, Some(Expr::bool(true))));
                if self.rng.percent(80) {
                    self.block(kind, &name, Trigger::On(record, None));
                }
            }
            _ => self.block(kind, &name, Trigger::On(record, None)),
        }
    }

    /// Adds a block. A guard in `trigger` is a placeholder that is replaced by a random guard.
    fn block(&mut self, kind: KindId, name: &str, mut trigger: Trigger) {
        let mut cx = Context::default();
        let this = cx.local("self", Type::Node);
        cx.node(&self.machine, this, kind);
        let mut message = None;
        cx.inbox = self.entering.clone();
        if !cx.inbox.is_empty() {
            let senders = Expr::Senders(None, Box::new(Expr::Local(this)));
            cx.readers.push((Type::Node.set(), senders));
            let record = Some(*self.rng.pick(&cx.inbox));
            let senders = Expr::Senders(record, Box::new(Expr::Local(this)));
            cx.readers.push((Type::Node.set(), senders));
        }
        if let Trigger::On(record, _) = &trigger {
            let ty = Type::Record(*record);
            let m = cx.scope.add("m", ty.clone());
            cx.reader(&self.machine, &ty, Expr::Local(m));
            let sender = cx.local("sender", Type::Node);
            if self.features.reads_others && self.machine.kinds.len() == 1 {
                cx.node(&self.machine, sender, kind);
            }
            message = Some(*record);
        }
        if let Trigger::When(guard) | Trigger::On(_, Some(guard)) = &mut trigger {
            *guard = self.condition(&mut cx, 1);
        }
        // Whether the numbers of messages in transit and in inboxes are bounded, so that sends need no fuel.
        let inbox = self.machine.inbox;
        let bounded = matches!(
            self.machine.channel,
            Channel::Fifo(Some(_)) | Channel::Instant
        ) && (!self.features.uses_inboxes || inbox.latest || !inbox.copies);
        let mut making = Making {
            cx,
            kind,
            message,
            quiet: self.machine.channel == Channel::Instant
                && matches!(trigger, Trigger::Start | Trigger::On(..)),
            free: match trigger {
                Trigger::Start => true,
                Trigger::On(..) => {
                    self.features.unlimited_sends || (bounded && self.rng.percent(30))
                }
                _ if self.features.retransmits => true,
                _ => (self.features.unlimited_sends || bounded) && self.rng.percent(30),
            },
        };
        let mut body = Vec::new();
        let ghost = self.var_of(kind, |v| v.ghost);
        if let Some(seen) = ghost
            && self.rng.percent(60)
        {
            body.push(self.count_up(seen, 2));
        }
        // Keeps only the last message, so that the order of deliveries is observable.
        if self.machine.channel == Channel::Instant
            && message == Some(RecordId(0))
            && self.rng.percent(60)
        {
            let ty = self.machine.records[0].fields[0].1.clone();
            let kept = self.var_of(kind, |v| v.ty == ty && !v.ghost);
            let part = Expr::Field(Box::new(Expr::Local(LocalId(1))), 0);
            body.extend(kept.map(|var| self.set_var(var, part)));
        }
        let count = self.rng.between(1, 2) as u32;
        body.extend(self.statements(&mut making, count, 2));
        if matches!(trigger, Trigger::Start) || self.rng.percent(60) {
            body.extend(self.send(&mut making));
        }
        if self.machine.channel == Channel::Instant && self.rng.percent(40) {
            body.extend(self.send(&mut making));
        }
        let last = match self.features.timings {
            _ if self.features.retransmits && message.is_some() => 40,
            Timings::Any => 10,
            _ => 30,
        };
        if self.rng.percent(last) && !matches!(trigger, Trigger::Start) {
            body.push(self.stmt(StmtKind::Halt));
        }
        let origin = self.origin();
        self.machine.blocks.push(Block {
            name: name.into(),
            kind,
            trigger,
            scope: making.cx.scope,
            body,
            origin,
        });
    }

    pub(super) fn stmt(&mut self, kind: StmtKind) -> Stmt {
        Stmt {
            origin: self.origin(),
            kind,
        }
    }

    pub(super) fn set_var(&mut self, var: VarId, value: Expr) -> Stmt {
        self.stmt(StmtKind::Assign(Place { var, path: vec![] }, value))
    }

    /// The statement `var := min(var + 1, most)`.
    fn count_up(&mut self, var: VarId, most: i64) -> Stmt {
        let old = Expr::Var(var, Box::new(Expr::Local(LocalId(0))));
        let next = old.binary(BinaryOp::Add, Expr::int(1));
        self.set_var(var, next.binary(BinaryOp::Min, Expr::int(most)))
    }

    fn var_of(&self, kind: KindId, which: impl Fn(&machine::Var) -> bool) -> Option<VarId> {
        let vars = self.machine.vars.iter();
        let place = { vars }.position(|v| v.kind == kind && which(v));
        place.map(|v| VarId(v as u32))
    }

    fn statements(&mut self, making: &mut Making, count: u32, depth: u32) -> Vec<Stmt> {
        let before = making.cx.readers.len();
        let mut list = Vec::new();
        for _ in 0..count {
            list.extend(self.statement(making, depth));
        }
        making.cx.readers.truncate(before);
        list
    }

    fn statement(&mut self, making: &mut Making, depth: u32) -> Vec<Stmt> {
        let depth = depth.saturating_sub(1);
        if !making.cx.inbox.is_empty() && self.rng.percent(20) {
            return self.with_inbox(making, depth);
        }
        let kind = match self.rng.below(20) {
            0..=2 if depth > 0 => {
                let condition = self.condition(&mut making.cx, 1);
                let then = self.statements(making, 1, depth);
                let otherwise = if self.rng.percent(50) {
                    self.statements(making, 1, depth)
                } else {
                    vec![]
                };
                StmtKind::If(condition, then, otherwise)
            }
            3 | 4 if depth > 0 => {
                let (domain, _) = self.nodes(&making.cx);
                let before = making.cx.readers.len();
                let local = making.cx.local("j", Type::Node);
                let body = self.statements(making, 1, depth);
                making.cx.readers.truncate(before);
                StmtKind::For(local, domain, body)
            }
            5 => {
                let ty = self.small_type();
                let value = self.expr(&mut making.cx, &ty, 1);
                let typed = Typing::all_bound(&self.machine, &making.cx.scope).type_of(&value);
                StmtKind::Let(making.cx.local("it", typed.unwrap_or(ty)), value)
            }
            6 | 7 => {
                let ty = self.small_type();
                let set = if self.features.failing_code && self.rng.percent(40) {
                    self.expr(&mut making.cx, &ty.clone().set(), 1)
                } else {
                    self.any_of(&ty)
                };
                let typed = Typing::all_bound(&self.machine, &making.cx.scope).set(&set);
                StmtKind::Choose(making.cx.local("any", typed.unwrap_or(ty)), set)
            }
            8 if self.features.failing_code || self.rng.percent(15) => {
                let condition = self.condition(&mut making.cx, 1);
                StmtKind::Assert(condition)
            }
            9 if self.rng.percent(30) => StmtKind::Halt,
            10 | 11 => return self.send(making),
            _ => return self.assign(making),
        };
        vec![self.stmt(kind)]
    }

    /// A statement that reads or clears the inbox.
    fn with_inbox(&mut self, making: &mut Making, depth: u32) -> Vec<Stmt> {
        if depth == 0 || self.rng.percent(40) {
            return vec![self.stmt(StmtKind::ClearInbox)];
        }
        let record = *self.rng.pick(&making.cx.inbox);
        let ty = Type::Record(record);
        let before = making.cx.readers.len();
        let local = making.cx.local("m", ty.clone());
        making.cx.reader(&self.machine, &ty, Expr::Local(local));
        let body = self.statements(making, 1, depth);
        making.cx.readers.truncate(before);
        let inbox = Expr::Inbox(vec![record], Box::new(Expr::Local(LocalId(0))));
        vec![self.stmt(StmtKind::For(local, inbox, body))]
    }

    fn small_type(&mut self) -> Type {
        let types = [
            Type::Bool,
            Type::Int(0, 1),
            Type::Node,
            Type::Enum(machine::EnumId(0)),
        ];
        self.rng.pick(&types).clone()
    }

    fn assign(&mut self, making: &mut Making) -> Vec<Stmt> {
        let fuel = self.fuel[making.kind.index()];
        let vars = self.machine.vars.iter().enumerate();
        let vars = vars
            .filter(|(v, var)| var.kind == making.kind && !var.ghost && VarId(*v as u32) != fuel);
        let vars: Vec<_> = vars.map(|(v, _)| VarId(v as u32)).collect();
        if vars.is_empty() {
            return vec![];
        }
        let var = *self.rng.pick(&vars);
        let mut place = Place { var, path: vec![] };
        let mut ty = self.machine.vars[var.index()].ty.clone();
        if self.rng.percent(20)
            && let Some(next) = following(var, &ty, self.features.failing_code)
        {
            return vec![self.stmt(StmtKind::Assign(place, next))];
        }
        while self.rng.percent(50) {
            ty = match &ty {
                Type::Record(r) => {
                    let fields = &self.machine.records[r.index()].fields;
                    let f = self.rng.below(fields.len());
                    place.path.push(PlaceStep::Field(f as u32));
                    fields[f].1.clone()
                }
                Type::Array(index, inner) => {
                    let at = self.expr(&mut making.cx, index, 1);
                    place.path.push(PlaceStep::Index((**index).clone(), at));
                    (**inner).clone()
                }
                // Unwrapping an absent value is an error and would end most runs too early, so it is rare.
                Type::Option(inner) if self.rng.percent(10) => {
                    place.path.push(PlaceStep::Unwrap);
                    (**inner).clone()
                }
                _ => break,
            };
        }
        let value = self.expr(&mut making.cx, &ty, self.size.depth);
        vec![self.stmt(StmtKind::Assign(place, value))]
    }
}

/// The next value of a variable; the last value is followed by the first, so that code cycles. If code may end in an
/// error, integers do not wrap around.
fn following(var: VarId, ty: &Type, failing_code: bool) -> Option<Expr> {
    let old = Expr::Var(var, Box::new(Expr::Local(LocalId(0))));
    match ty {
        Type::Bool => Some(not(old)),
        Type::Node => Some(Expr::Map(MapId(0), Box::new(old))),
        Type::Int(..) if failing_code => Some(old.binary(BinaryOp::Add, Expr::int(1))),
        Type::Int(lo, hi) => {
            let steps = old.binary(BinaryOp::Sub, Expr::int(lo - 1));
            let place = steps.binary(BinaryOp::Mod, Expr::int(hi - lo + 1));
            Some(Expr::int(*lo).binary(BinaryOp::Add, place))
        }
        _ => None,
    }
}
