//! Inboxes: the types of messages that can be in one, and the expressions that read it.

use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Place, Scope};
use crate::{Expr, ExprKind, KindId, MessageId, Type};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, BlockHead, NodeItem};

const WHAT_ENTERS: &str = "a message is in the inbox if somebody sends it here and there is neither an `on` block nor `ignore` for it";

impl Resolver<'_> {
    /// Collects all sends in the code of the nodes; they determine which messages can be in inboxes.
    ///
    /// The code is resolved twice, because the type of `inbox` depends on all sends. In this first pass, expressions
    /// that depend on an inbox have no type, and all diagnostics are dropped.
    pub(crate) fn collect_sends(&mut self) {
        let (reported, locals) = (self.diagnostics.len(), self.model.locals.len());
        let globals = self.globals.clone();
        self.code.inbox = None;
        self.bodies();
        self.diagnostics.truncate(reported);
        self.model.locals.truncate(locals);
        self.globals = globals;
        self.code.known_sends = Some(std::mem::take(&mut self.code.sends));
    }

    /// Determines the types of messages that can be in the inbox of a node, before its code is resolved: the types
    /// that some node may send to this kind, and for which the kind has neither an `on` block nor `ignore`.
    pub(crate) fn open_inbox(&mut self, kind: KindId, items: &[&NodeItem]) {
        let Some(sends) = &self.code.known_sends else {
            return;
        };
        let taken = |name: &str| {
            items.iter().any(|item| match item {
                NodeItem::Ignore(ignored) => ignored.text == name,
                NodeItem::Block(block) => {
                    matches!(&block.head, BlockHead::On { name: on, .. } if on.text == name)
                }
                _ => false,
            })
        };
        let all = (0..self.model.messages.len() as u32).map(MessageId);
        let waiting: Vec<MessageId> = all
            .filter(|m| !taken(&self.model.message(*m).name))
            .collect();
        let reaches = |message: MessageId| {
            sends.iter().any(|sending| {
                sending.to.is_none_or(|to| to == kind)
                    && sending.message.is_none_or(|sent| sent == message)
            })
        };
        self.code.inbox = Some(waiting.into_iter().filter(|m| reaches(*m)).collect());
    }

    /// The expression `inbox`.
    pub(crate) fn inbox(&mut self, span: Span, scope: &Scope) -> Expr {
        let Place::Code(kind) = scope.place else {
            return self.no_inbox(span, scope);
        };
        if !self.require_network(span, "`inbox`") {
            return Expr::error(span);
        }
        let Some(types) = self.code.inbox.clone() else {
            return Expr::error(span);
        };
        let element = match &types[..] {
            [] => {
                self.nothing_in_inbox(kind, span);
                return Expr::error(span);
            }
            [one] => Type::Message(*one),
            several => Type::Messages(several.to_vec()),
        };
        Expr {
            kind: ExprKind::Inbox(types),
            ty: Type::Set(Box::new(element)),
            span,
        }
    }

    /// The expression `inbox(M)`.
    pub(crate) fn inbox_of(&mut self, arguments: &[ast::Expr], span: Span, scope: &Scope) -> Expr {
        let [argument] = arguments else {
            self.error(
                codes::WRONG_ARGUMENTS,
                span,
                "`inbox(M)` is for the messages of one type; all of them are `inbox`",
            );
            return Expr::error(span);
        };
        let all = self.inbox(span, scope);
        let Some(message) = self.message_argument(argument) else {
            return Expr::error(span);
        };
        // In the first pass the types of messages in the inbox are unknown, and every type is accepted.
        let known = match &all.kind {
            ExprKind::Inbox(types) => types.contains(&message),
            _ if self.code.inbox.is_some() => return Expr::error(span),
            _ => true,
        };
        if !known {
            let name = self.model.message(message).name.clone();
            let text = format!("no `{name}` is ever in this inbox");
            self.report(
                Diagnostic::error(codes::NOTHING_IN_INBOX, argument.span, text).note(WHAT_ENTERS),
            );
            return Expr::error(span);
        }
        Expr {
            kind: ExprKind::Inbox(vec![message]),
            ty: Type::Set(Box::new(Type::Message(message))),
            span,
        }
    }

    /// The expression `senders(inbox)` or `senders(inbox(M))`.
    pub(crate) fn senders(&mut self, arguments: &[ast::Expr], span: Span, scope: &Scope) -> Expr {
        let message = match arguments {
            [one] => match &one.kind {
                ast::ExprKind::Name(name) if name.text == "inbox" => Some(None),
                ast::ExprKind::Call(name, of) if name.text == "inbox" => {
                    match self.inbox_of(of, one.span, scope).kind {
                        ExprKind::Inbox(types) => Some(types.first().copied()),
                        _ => return Expr::error(span),
                    }
                }
                _ => None,
            },
            _ => None,
        };
        let Some(message) = message else {
            self.error(
                codes::WRONG_ARGUMENTS,
                span,
                "only the inbox knows who sent what is in it: write `senders(inbox)`",
            );
            return Expr::error(span);
        };
        let Place::Code(kind) = scope.place else {
            return self.no_inbox(span, scope);
        };
        if !self.require_network(span, "`inbox`") {
            return Expr::error(span);
        }
        if self.code.inbox.as_ref().is_some_and(Vec::is_empty) {
            self.nothing_in_inbox(kind, span);
            return Expr::error(span);
        }
        Expr {
            kind: ExprKind::Senders(message),
            ty: Type::Set(Box::new(Type::Node(None))),
            span,
        }
    }

    fn no_inbox(&mut self, span: Span, scope: &Scope) -> Expr {
        if matches!(scope.place, Place::First(_)) {
            self.report(
                Diagnostic::error(
                    codes::FIRST_VALUE,
                    span,
                    "a first value cannot depend on the inbox: all begin at once",
                )
                .note("set the variable in a block"),
            );
            return Expr::error(span);
        }
        self.word_outside_code("inbox", span, scope)
    }

    fn nothing_in_inbox(&mut self, kind: KindId, span: Span) {
        let name = &self.model.kind(kind).name;
        let text = format!("nothing is ever in the inbox of `{name}`");
        self.report(Diagnostic::error(codes::NOTHING_IN_INBOX, span, text).note(WHAT_ENTERS));
    }
}
