//! Blocks and statements of nodes.

use crate::context::lowering::Lowering;
use crate::context::names::{Names, Time};
use machine::{Block, Expr as M, LocalId, Scope, TimeSum, Trigger, Type};
use model::{Constant, Every, Head, KindId, Receivers, Stmt, StmtKind, TimerId, TimingError};
use rational::Rational;
use source::{Diagnostic, codes};

impl<'a> Lowering<'a> {
    /// Lowers the blocks of every kind.
    pub(crate) fn blocks(&mut self) {
        for index in 0..self.model.kinds.len() as u32 {
            let kind = KindId(index);
            self.current_kind = Some(kind);
            let body = self.body(kind);
            let ignored = body.ignored.iter().map(|m| machine::RecordId(m.0));
            self.machine.kinds[kind.index()].ignores = ignored.collect();
            for block in &body.blocks {
                let called = match &block.head {
                    Head::Start => "start".to_string(),
                    Head::Every(Every::Own(_)) => "activation".to_string(),
                    Head::Every(Every::Named(id)) => self.model.timing(*id).name.clone(),
                    Head::On { message, .. } => {
                        format!("on {}", self.model.message(*message).name)
                    }
                    Head::When(name) => name.clone(),
                    Head::Timer(timer, _) => {
                        let timers = &self.model.kind(kind).timers;
                        format!("on {}", timers[timer.index()].name)
                    }
                };
                self.origins.labels.blocks.push(called);
                let block = self.block(kind, block);
                self.machine.blocks.push(block);
            }
            for timer in &body.timers {
                self.silent_timer(kind, *timer);
            }
        }
        self.current_kind = None;
    }

    /// Adds an empty block for a timer without a block: the timer expires without effect.
    fn silent_timer(&mut self, kind: KindId, timer: TimerId) {
        let id = self.slots.timers[&(kind, timer)];
        let mut blocks = self.machine.blocks.iter();
        if blocks.any(|b| b.trigger == Trigger::Timer(id)) {
            return;
        }
        let declared = &self.model.kind(kind).timers[timer.index()];
        let name = format!("on {}", declared.name);
        self.origins.labels.blocks.push(name.clone());
        let origin = self.origins.of(declared.span);
        self.machine.blocks.push(Block {
            name,
            kind: machine::KindId(kind.0),
            trigger: Trigger::Timer(id),
            scope: match declared.per_node {
                true => Scope::of_timer(),
                false => Scope::of_node(),
            },
            body: Vec::new(),
            origin,
        });
    }

    fn block(&mut self, kind: KindId, block: &'a model::Block) -> Block {
        let mut names = Names::of_node();
        if let Head::Timer(_, Some(index)) = &block.head {
            let name = self.model.local(*index).name.clone();
            let other = names.scope.add(name, Type::Node);
            names.bound.insert(*index, M::Local(other));
        }
        if let Head::On {
            message,
            binding,
            from,
        } = &block.head
        {
            let record = Type::Record(machine::RecordId(message.0));
            let name = |local: &Option<model::LocalId>, otherwise: &str| match local {
                Some(id) => self.model.local(*id).name.clone(),
                None => otherwise.to_string(),
            };
            let (message_name, from_name) = (name(binding, "message"), name(from, "sender"));
            let message = names.scope.add(message_name, record);
            let sender = names.scope.add(from_name, Type::Node);
            names
                .bound
                .extend(binding.map(|id| (id, M::Local(message))));
            names.bound.extend(from.map(|id| (id, M::Local(sender))));
        }
        let guard = block.guard.as_ref().map(|g| self.expr(g, &mut names));
        let (name, trigger) = match &block.head {
            Head::Start => ("start".to_string(), Trigger::Start),
            Head::Every(every) => {
                let (name, timing) = self.schedule(every, block.head_span);
                (name, Trigger::Every(timing))
            }
            Head::On { message, .. } => (
                format!("on {}", self.model.message(*message).name),
                Trigger::On(machine::RecordId(message.0), guard),
            ),
            Head::Timer(timer, _) => {
                let timers = &self.model.kind(kind).timers;
                let name = format!("on {}", timers[timer.index()].name);
                (name, Trigger::Timer(self.slots.timers[&(kind, *timer)]))
            }
            Head::When(name) => (
                format!("when {name}"),
                Trigger::When(guard.unwrap_or_else(|| M::bool(true))),
            ),
        };
        let mut body = self.statements(kind, &block.body, &mut names);
        let origin = self.origins.of(block.head_span);
        if matches!(block.head, Head::Every(_))
            && let Some(count) = self.count_activation(kind)
        {
            let count = machine::Stmt {
                origin,
                kind: count,
            };
            body.insert(0, count);
        }
        Block {
            name,
            kind: machine::KindId(kind.0),
            trigger,
            scope: names.scope,
            body,
            origin,
        }
    }

    /// `let x = e` for a time: the parts that depend on the state, such as `left` in `left * 10 ms`, are evaluated
    /// once, at this statement.
    fn name_time(
        &mut self,
        local: model::LocalId,
        value: &model::Expr,
        origin: machine::Origin,
        names: &mut Names,
    ) -> Vec<machine::Stmt> {
        let mut lets = Vec::new();
        let time = match self.known_or_sum(value, names) {
            Time::Sum(sum) => {
                let mut terms = Vec::new();
                for (term, time) in sum.terms {
                    let ty = self.type_of(&term, names);
                    let name = self.model.local(local).name.clone();
                    let kept = names.scope.add(name, ty);
                    let kind = machine::StmtKind::Let(kept, term);
                    lets.push(machine::Stmt { origin, kind });
                    terms.push((M::Local(kept), time));
                }
                let constant = sum.constant;
                Time::Sum(TimeSum { terms, constant })
            }
            other => other,
        };
        names.name_time(local, time);
        lets
    }

    /// Checks the interval of a timer as far as it does not depend on the state: it must be neither negative nor
    /// empty.
    fn certain_times(&self, from: &TimeSum, to: &TimeSum) -> Result<(), String> {
        let text = |time: &Rational| Constant::Duration(time.clone()).text(self.model);
        if from.terms.is_empty() && from.constant.is_negative() {
            let from = text(&from.constant);
            return Err(format!(
                "the timer would run for {from}, which is less than no time"
            ));
        }
        if from.terms.is_empty() && to.terms.is_empty() && from.constant > to.constant {
            let (from, to) = (text(&from.constant), text(&to.constant));
            return Err(format!(
                "the timer would run for {from} to {to}: the first end is the larger one"
            ));
        }
        Ok(())
    }

    pub(crate) fn statements(
        &mut self,
        kind: KindId,
        statements: &[Stmt],
        names: &mut Names,
    ) -> Vec<machine::Stmt> {
        let mut lowered = Vec::new();
        for statement in statements {
            // The origin of an `if` or `match` is its condition or subject, because the text of the whole statement
            // is long.
            let span = match &statement.kind {
                StmtKind::If(condition, ..) => condition.span,
                StmtKind::Match(cases) => cases.subject.span,
                _ => statement.span,
            };
            let origin = self.origins.of(span);
            lowered.extend(self.statement(kind, statement, origin, names));
        }
        lowered
    }

    fn statement(
        &mut self,
        kind: KindId,
        statement: &Stmt,
        origin: machine::Origin,
        names: &mut Names,
    ) -> Vec<machine::Stmt> {
        use machine::StmtKind as S;
        let one = |kind| vec![machine::Stmt { origin, kind }];
        one(match &statement.kind {
            StmtKind::Assign(place, value) => {
                let place = self.place(kind, place, names);
                S::Assign(place, self.expr(value, names))
            }
            StmtKind::If(condition, then, otherwise) => {
                let condition = self.expr(condition, names);
                let then = self.statements(kind, then, names);
                S::If(condition, then, self.statements(kind, otherwise, names))
            }
            StmtKind::Let(local, value) if value.ty.has_duration() => {
                return self.name_time(*local, value, origin, names);
            }
            StmtKind::Let(local, value) => {
                let value = self.expr(value, names);
                let ty = self.type_of(&value, names);
                S::Let(self.bind(*local, ty, names), value)
            }
            StmtKind::Choose(local, set) => {
                let set = self.expr(set, names);
                S::Choose(self.bind_over(*local, &set, names), set)
            }
            StmtKind::For(local, set, body) => {
                let set = self.expr(set, names);
                let local = self.bind_over(*local, &set, names);
                S::For(local, set, self.statements(kind, body, names))
            }
            StmtKind::Match(cases) => return self.match_statement(kind, cases, names),
            StmtKind::Call(call) => return self.call_action(kind, call, names),
            StmtKind::Assert(condition) => S::Assert(self.expr(condition, names)),
            StmtKind::SetTimer(timer, interval) => {
                let id = self.slots.timers[&(kind, timer.timer)];
                let index = timer.index.as_ref().map(|index| self.expr(index, names));
                let from = self.time_sum(&interval.from, names);
                let to = self.time_sum(&interval.to, names);
                let (Some(from), Some(to)) = (from, to) else {
                    return Vec::new();
                };
                if let Err(text) = self.certain_times(&from, &to) {
                    self.no_times(&TimingError::Bad(interval.span, text));
                }
                S::SetTimer(id, index, from, to)
            }
            StmtKind::CancelTimer(timer) => {
                let id = self.slots.timers[&(kind, timer.timer)];
                let index = timer.index.as_ref().map(|index| self.expr(index, names));
                S::CancelTimer(id, index)
            }
            StmtKind::ClearInbox => S::ClearInbox,
            StmtKind::Halt => S::Halt,
            StmtKind::Send(message, receivers) => {
                if self.network_of_check().is_none() {
                    self.report(Diagnostic::error(
                        codes::NO_NETWORK,
                        statement.span,
                        "sending needs a network, and here is none",
                    ));
                }
                let model::Type::Message(sent) = message.ty else {
                    unreachable!("the Model has checked that this is a message");
                };
                let message = self.expr(message, names);
                let to = match receivers {
                    Receivers::Node(e) | Receivers::Set(e) => self.expr(e, names),
                    Receivers::Neighbours => M::Neighbours(Box::new(M::Local(LocalId(0)))),
                };
                let count = self.count_send(kind, sent, &to, names);
                let mut both = one(S::Send(message, to));
                both.extend(count.map(|kind| machine::Stmt { origin, kind }));
                return both;
            }
        })
    }
}
