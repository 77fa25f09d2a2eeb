//! The code of nodes: blocks and statements.

use crate::exprs::Names;
use crate::structure::Lowering;
use machine::{Block, Expr as M, LocalId, Trigger, Type};
use model::{Every, Head, KindId, Receivers, Stmt, StmtKind};
use source::{Diagnostic, codes};

impl<'a> Lowering<'a> {
    /// The blocks of every kind.
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
                    Head::Timer(..) => unreachable!("refused"),
                };
                self.origins.labels.blocks.push(called);
                let block = self.block(kind, block);
                self.machine.blocks.push(block);
            }
        }
        self.current_kind = None;
    }

    fn block(&mut self, kind: KindId, block: &'a model::Block) -> Block {
        let mut names = Names::of_node();
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
                let (name, timing) = self.rhythm(every, block.head_span);
                (name, Trigger::Every(timing))
            }
            Head::On { message, .. } => (
                format!("on {}", self.model.message(*message).name),
                Trigger::On(machine::RecordId(message.0), guard),
            ),
            Head::Timer(..) => unreachable!("refused"),
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

    pub(crate) fn statements(
        &mut self,
        kind: KindId,
        statements: &[Stmt],
        names: &mut Names,
    ) -> Vec<machine::Stmt> {
        let mut lowered = Vec::new();
        for statement in statements {
            // The text of an `if` is long: its condition says enough.
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
            // Times are known here: there is nothing to keep.
            StmtKind::Let(local, value) if value.ty.has_duration() => {
                let constant = self.constant_with(value, &names.constants);
                names.constants.extend(constant.map(|c| (*local, c)));
                return Vec::new();
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
            StmtKind::SetTimer(..) | StmtKind::CancelTimer(_) => unreachable!("refused"),
            StmtKind::ClearInbox => S::ClearInbox,
            StmtKind::Halt => S::Halt,
            StmtKind::Send(message, receivers) => {
                if self.surrounding_network().is_none() {
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
