//! Blocks and statements of nodes.

use crate::resolve::context::resolver::{Resolver, Sending};
use crate::resolve::context::scope::{Binding, Scope};
use crate::{Block, Expr, Head, KindId, Receivers, Stmt, StmtKind, Type};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, BlockHead, Name};

impl Resolver<'_> {
    /// Resolves a block with its head. `None` after a reported error in the head.
    pub(crate) fn block(
        &mut self,
        kind: KindId,
        tree: &ast::Block,
        mut scope: Scope,
    ) -> Option<Block> {
        let mut guard = None;
        let mut bindings = Vec::new();
        let head = match &tree.head {
            BlockHead::Start => Some(Head::Start),
            BlockHead::Every(every) => every
                .as_ref()
                .and_then(|every| self.every(every))
                .map(Head::Every),
            BlockHead::When(name, condition) => {
                if let Some(condition) = condition {
                    let (typed, more) = self.condition(condition, &mut scope, "`when`");
                    guard = Some(typed);
                    bindings = more;
                }
                Some(Head::When(name.text.clone()))
            }
            // `action` is a head only after `without`.
            BlockHead::Action(_) => None,
            BlockHead::On { name, .. } if self.is_about_timer(name, &scope) => {
                self.timer_head(&tree.head, &mut scope)
            }
            BlockHead::On {
                name,
                index,
                binding,
                from,
                guard: condition,
            } => {
                let message = self.message_named(name);
                if let (Some(_), Some(index)) = (message, index) {
                    let text = format!("`{}` is a message: only timers have an index", name.text);
                    let note = "who sent it is named so: `on M from s { … }`";
                    let diagnostic = Diagnostic::error(codes::NOT_A_TIMER, index.span, text);
                    self.report(diagnostic.note(note));
                }
                let ty = message.map_or(Type::Error, Type::Message);
                let binding = binding.as_ref().map(|b| self.bind_new(b, ty, &mut scope));
                let from = from
                    .as_ref()
                    .map(|f| self.bind_new(f, Type::Node(None), &mut scope));
                if let Some(condition) = condition {
                    let (typed, more) = self.condition(condition, &mut scope, "`when`");
                    guard = Some(typed);
                    bindings = more;
                }
                message.map(|message| Head::On {
                    message,
                    binding,
                    from,
                })
            }
        };
        let body = self.statements(kind, &tree.body, &bindings, &mut scope);
        Some(Block {
            head: head?,
            guard,
            body,
            head_span: tree.head_span,
            span: tree.span,
        })
    }

    /// Reports `what`, such as `send`, if neither the file nor a world declares a network. Returns whether there is a
    /// network.
    pub(crate) fn require_network(&mut self, span: Span, what: &str) -> bool {
        let somewhere = self.model.network.is_some()
            || self.network_refused
            || self.model.worlds.iter().any(|w| w.network.is_some());
        if !somewhere {
            self.report(
                Diagnostic::error(
                    codes::NO_NETWORK,
                    span,
                    format!("{what} needs a network, and the file declares none"),
                )
                .note(
                    "declare who can send to whom, for example `network complete { channel fifo }`",
                ),
            );
        }
        somewhere
    }

    pub(crate) fn bind_new(&mut self, name: &Name, ty: Type, scope: &mut Scope) -> crate::LocalId {
        let local = self.local(name, ty);
        scope.bind(&name.text, local);
        local
    }

    /// The statements of a block. `bindings` are the names that the condition before the block binds by `x is r`.
    pub(crate) fn statements(
        &mut self,
        kind: KindId,
        tree: &[ast::Stmt],
        bindings: &[Binding],
        scope: &mut Scope,
    ) -> Vec<Stmt> {
        let depth = scope.enter();
        let mut typed = Vec::new();
        // A local name keeps the value of x in `x is r`, because the block may change x.
        for (name, value) in bindings {
            let local = self.bind_new(name, value.ty.clone(), scope);
            typed.push(Stmt {
                kind: StmtKind::Let(local, value.clone()),
                span: name.span,
            });
        }
        for statement in tree {
            if let Some(kind) = self.statement(kind, statement, scope) {
                typed.push(Stmt {
                    kind,
                    span: statement.span,
                });
            }
        }
        scope.leave(depth);
        typed
    }

    fn statement(&mut self, kind: KindId, tree: &ast::Stmt, scope: &mut Scope) -> Option<StmtKind> {
        cancellation::poll();
        Some(match &tree.kind {
            ast::StmtKind::Error => return None,
            ast::StmtKind::Assign(place, value) => {
                let Some((set, ty)) = self.place(kind, place, scope) else {
                    self.infer(value, scope, None);
                    return None;
                };
                let holder = format!("`{}` is", self.text(place.span));
                // The value that is assigned to a ghost may read ghosts.
                scope.sees_ghosts = self.is_ghost(kind, set.field);
                let value = self.check(value, scope, &ty, &holder);
                scope.sees_ghosts = false;
                StmtKind::Assign(set, value)
            }
            ast::StmtKind::If(condition, then, otherwise) => {
                let (condition, bindings) = self.condition(condition, scope, "`if`");
                let then = self.statements(kind, then, &bindings, scope);
                let otherwise = self.statements(kind, otherwise, &[], scope);
                StmtKind::If(condition, then, otherwise)
            }
            ast::StmtKind::Let(name, value) => {
                let value = self.infer(value, scope, None);
                self.require_clear(&value, name);
                let local = self.bind_new(name, value.ty.clone(), scope);
                StmtKind::Let(local, value)
            }
            ast::StmtKind::Choose(name, set) => {
                let (set, local, _) = self.range_over(name, set, scope, "`choose`");
                self.no_times_in_code(&set);
                StmtKind::Choose(local, set)
            }
            ast::StmtKind::For(name, set, body) => {
                let (set, local, depth) = self.range_over(name, set, scope, "`for`");
                self.no_times_in_code(&set);
                let body = self.statements(kind, body, &[], scope);
                scope.leave(depth);
                StmtKind::For(local, set, body)
            }
            ast::StmtKind::Send(send) => self.send(send, tree.span, scope)?,
            ast::StmtKind::Assert(condition) => {
                StmtKind::Assert(self.condition(condition, scope, "`assert`").0)
            }
            ast::StmtKind::Halt => StmtKind::Halt,
            ast::StmtKind::Match(subject, arms) => {
                let cases =
                    self.cases(subject, arms, tree.span, scope, &mut |this, body, scope| {
                        this.statements(kind, body, &[], scope)
                    });
                StmtKind::Match(cases?)
            }
            ast::StmtKind::ClearInbox => StmtKind::ClearInbox,
            ast::StmtKind::SetTimer(timer, interval) => {
                let timer = self.timer_use(timer, "set", scope);
                let interval = self.running_time(interval, scope);
                StmtKind::SetTimer(timer?, interval?)
            }
            ast::StmtKind::CancelTimer(timer) => {
                StmtKind::CancelTimer(self.timer_use(timer, "cancel", scope)?)
            }
            ast::StmtKind::Call(name, arguments) => {
                return self.call_action(kind, name, arguments, tree.span, scope);
            }
        })
    }

    fn no_times_in_code(&mut self, set: &Expr) {
        if set.ty.has_duration() {
            self.refuse(set.span, "times that code goes through");
        }
    }

    fn send(&mut self, send: &ast::Send, span: Span, scope: &mut Scope) -> Option<StmtKind> {
        let what = if send.to.is_some() {
            "`send`"
        } else {
            "`broadcast`"
        };
        self.require_network(span, what);
        let message = self.infer(&send.message, scope, None);
        let message = self.one_value(message);
        let sent = match message.ty {
            Type::Message(id) => Some(id),
            Type::Error => None,
            Type::Struct(id) => {
                self.only_a_struct(id, message.span);
                None
            }
            Type::Messages(_) => {
                self.which_message(&message, message.span);
                None
            }
            _ => {
                let text = format!(
                    "{what} wants a message; `{}` is {}",
                    self.text(message.span),
                    self.model.words(&message.ty)
                );
                self.report(
                    Diagnostic::error(codes::NOT_A_MESSAGE, message.span, text)
                        .note("declare `message M { … }` and send `M { … }`"),
                );
                None
            }
        };
        let to = match &send.to {
            None => Receivers::Neighbours,
            Some(to) => match self.receivers(to, scope) {
                Some(to) => to,
                None => {
                    // The receivers have an error: the message may be sent to any kind.
                    self.code.sends.push(Sending {
                        message: sent,
                        to: None,
                        in_variant: self.code.in_variant,
                        span,
                    });
                    return None;
                }
            },
        };
        self.code.sends.push(Sending {
            message: sent,
            to: self.receiving_kind(&to),
            in_variant: self.code.in_variant,
            span,
        });
        sent?;
        Some(StmtKind::Send(message, to))
    }

    fn receivers(&mut self, to: &ast::Expr, scope: &mut Scope) -> Option<Receivers> {
        let typed = self.infer(to, scope, None);
        match &typed.ty {
            Type::Error => None,
            Type::Node(_) => Some(Receivers::Node(typed)),
            Type::Set(element) if matches!(**element, Type::Node(_)) => Some(Receivers::Set(typed)),
            Type::Option(inner) if matches!(**inner, Type::Node(_)) => {
                Some(Receivers::Node(self.one_value(typed)))
            }
            _ => {
                let text = format!(
                    "a message goes to a node or to a set of nodes; `{}` is {}",
                    self.text(typed.span),
                    self.model.words(&typed.ty)
                );
                let mut diagnostic = Diagnostic::error(codes::NOT_A_NODE, typed.span, text);
                if typed.ty.without_option() == &Type::Id {
                    diagnostic = diagnostic.note(
                        "an id is no address: send to `next`, to `neighbours`, or to who sent the message: `on M as m from s { send … to s }`",
                    );
                }
                self.report(diagnostic);
                None
            }
        }
    }

    /// The kind of the receivers; `None` if they may be of several kinds.
    fn receiving_kind(&self, to: &Receivers) -> Option<KindId> {
        let only = (self.model.kinds.len() == 1).then_some(KindId(0));
        let of = |e: &Expr| match &e.ty {
            Type::Node(kind) => *kind,
            Type::Set(element) => match **element {
                Type::Node(kind) => kind,
                _ => None,
            },
            _ => None,
        };
        match to {
            Receivers::Node(e) | Receivers::Set(e) => of(e).or(only),
            Receivers::Neighbours => only,
        }
    }
}
