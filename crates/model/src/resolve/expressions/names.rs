//! Names and words in expressions. Their meaning depends on the kind of place.

use crate::resolve::context::foreign;
use crate::resolve::context::globals::Global;
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Place, Scope};
use crate::resolve::context::suggest::{listed, nearest, suggest};
use crate::{Expr, ExprKind, MessageId, RecordId, Type, Use, Used};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, Name};

impl Resolver<'_> {
    /// The expression for a name.
    pub(crate) fn name(&mut self, name: &Name, scope: &mut Scope) -> Expr {
        if let Some(bound) = self.bound(name, scope) {
            return bound;
        }
        if let Some(own) = self.own_field(name, scope) {
            return own;
        }
        if let Some(timer) = self.timer_named(&name.text, scope) {
            self.only_a_timer(timer, name.span, scope);
            return Expr::error(name.span);
        }
        let span = name.span;
        let make = |kind, ty| Expr { kind, ty, span };
        match self.globals.get(&name.text).copied() {
            Some(Global::Param(id)) => {
                let of = Used::Param(id);
                self.model.uses.push(Use { of, span });
                make(ExprKind::Param(id), self.model.param(id).domain.ty())
            }
            Some(Global::Let(id)) => {
                // A use of an abbreviation inside its own definition becomes an error, so that later passes do not
                // recurse without end.
                if !self.abbreviation(id, Some(span)) {
                    return Expr::error(span);
                }
                let definition = self.model.abbreviation(id);
                let ty = definition.value.ty.clone();
                if definition.reads_nodes && matches!(scope.place, Place::Code(_) | Place::First(_))
                {
                    let declared = definition.span;
                    if self.reads_now(&definition.value) {
                        self.now_in_code(&name.text, span, Some(declared));
                        return Expr::error(span);
                    }
                    self.report(
                        Diagnostic::error(
                            codes::READS_OTHER_NODE,
                            span,
                            format!(
                                "`{}` looks into nodes, and a node knows only itself and what it is told",
                                name.text
                            ),
                        )
                        .other(declared, "defined here")
                        .note("claims may use it; in node code, send what is needed in a message"),
                    );
                    return Expr::error(span);
                }
                let of = Used::Let(id);
                self.model.uses.push(Use { of, span });
                make(ExprKind::Let(id), ty)
            }
            Some(Global::EnumValue(e, n)) => make(ExprKind::EnumValue(e, n), Type::Enum(e)),
            Some(global @ (Global::Message(_) | Global::Struct(_))) => {
                let record = match global {
                    Global::Struct(id) => RecordId::Struct(id),
                    Global::Message(id) => RecordId::Message(id),
                    _ => unreachable!("a message or struct"),
                };
                let missing = vec![None; self.model.record_fields(record).len()];
                let complete = missing.is_empty();
                let value = self.record_value(record, missing, span);
                // If the fields are missing, the intended value is unknown.
                if complete { value } else { Expr::error(span) }
            }
            Some(Global::Kind(id)) => make(
                ExprKind::KindNodes(id),
                Type::Set(Box::new(Type::Node(Some(id)))),
            ),
            Some(Global::Enum(id)) => make(
                ExprKind::EnumValues(id),
                Type::Set(Box::new(Type::Enum(id))),
            ),
            Some(Global::Timing(_)) => {
                self.report(
                    Diagnostic::error(
                        codes::TYPE_MISMATCH,
                        span,
                        format!("`{}` is a timing, and here a value is wanted", name.text),
                    )
                    .note(format!(
                        "a timing stands behind `every`: `every {} {{ … }}`",
                        name.text
                    )),
                );
                Expr::error(span)
            }
            Some(Global::Fn(_)) => {
                let text = format!("`{}` is a function: say what it is called with", name.text);
                self.report(
                    Diagnostic::error(codes::WRONG_ARGUMENTS, span, text)
                        .note(format!("write `{}(…)`", name.text)),
                );
                Expr::error(span)
            }
            Some(Global::Refused) => Expr::error(span),
            None => self
                .word(name, scope)
                .unwrap_or_else(|| self.unknown_name(name, scope)),
        }
    }

    /// Whether a name is bound, is declared or is a word of the language.
    pub(crate) fn is_known(&self, name: &Name, scope: &Scope) -> bool {
        self.bound(name, scope).is_some()
            || self.field_in_scope(&name.text, scope)
            || self.globals.contains_key(&name.text)
            || WORDS.contains(&name.text.as_str())
    }

    /// The expression `self`; reports it outside node code.
    pub(crate) fn self_node(&mut self, span: Span, scope: &Scope) -> Expr {
        match scope.place {
            Place::Code(kind) | Place::First(kind) => Expr {
                kind: ExprKind::SelfNode,
                ty: Type::Node(Some(kind)),
                span,
            },
            _ => self.word_outside_code("self", span, scope),
        }
    }

    /// The expression `k.sent(M)`; reports other methods.
    pub(crate) fn method(
        &mut self,
        base: &ast::Expr,
        name: &Name,
        arguments: &[ast::Expr],
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        if name.text != "sent" {
            self.infer(base, scope, None);
            let diagnostic = Diagnostic::error(
                codes::UNKNOWN_FUNCTION,
                name.span,
                format!("nothing can be asked with `.{}(…)`", name.text),
            );
            self.report(suggest(diagnostic, name, ["sent"]));
            return Expr::error(span);
        }
        if self.claims_only("sent", span, scope) {
            return Expr::error(span);
        }
        let node = self.node_operand(base, scope, "`sent` is asked of a node");
        let message = match arguments {
            [one] => self.message_argument(one),
            _ => {
                self.error(
                    codes::WRONG_ARGUMENTS,
                    span,
                    "`sent` counts the messages of one type: write `k.sent(M)`",
                );
                None
            }
        };
        match message {
            Some(message) => Expr {
                kind: ExprKind::Sent(Box::new(node), message),
                ty: Type::Int,
                span,
            },
            None => Expr::error(span),
        }
    }

    /// An argument that must be the name of a message type. `None` after a reported error.
    pub(crate) fn message_argument(&mut self, e: &ast::Expr) -> Option<MessageId> {
        match &e.kind {
            ast::ExprKind::Name(name) => self.message_named(name),
            _ => {
                self.error(
                    codes::WRONG_ARGUMENTS,
                    e.span,
                    "here the name of a message type is wanted",
                );
                None
            }
        }
    }

    /// In node code, reports a word that only claims can use, and returns true.
    pub(crate) fn claims_only(&mut self, word: &str, span: Span, scope: &Scope) -> bool {
        let code = matches!(scope.place, Place::Code(_) | Place::First(_));
        if code {
            self.report(
                Diagnostic::error(
                    codes::CLAIM_WORD_IN_CODE,
                    span,
                    format!("`{word}` is known to claims only: no node can see it"),
                )
                .note("a node that has to know something keeps it in a variable"),
            );
        }
        code
    }

    pub(crate) fn field_in_scope(&self, name: &str, scope: &Scope) -> bool {
        match scope.place {
            Place::Code(kind) | Place::First(kind) => self
                .model
                .field_named(kind, name)
                .is_some_and(|f| scope.fields.contains(&f)),
            _ => false,
        }
    }

    /// The expression for a word such as `next` or `quiescent`; `None` for other names.
    fn word(&mut self, name: &Name, scope: &Scope) -> Option<Expr> {
        let span = name.span;
        let node = Type::Node(None);
        let in_code = matches!(scope.place, Place::Code(_) | Place::First(_));
        Some(match name.text.as_str() {
            word @ ("next" | "previous" | "neighbours") if !in_code => {
                self.word_outside_code(word, span, scope)
            }
            word @ ("next" | "previous") => {
                if !self.some_ring() {
                    let text =
                        format!("`{word}` is the neighbour on a ring, and this network is none");
                    let mut diagnostic = Diagnostic::error(codes::NO_NEXT, span, text)
                        .note("use `neighbours`, or declare `network ring`");
                    if let Some(network) = &self.model.network {
                        diagnostic = diagnostic.other(network.topology.span, "the network");
                    }
                    self.report(diagnostic);
                    return Some(Expr::error(span));
                }
                let kind = if word == "next" {
                    ExprKind::Next
                } else {
                    ExprKind::Previous
                };
                Expr {
                    kind,
                    ty: node,
                    span,
                }
            }
            "neighbours" => {
                self.require_network(span, "`neighbours`");
                Expr {
                    kind: ExprKind::Neighbours,
                    ty: Type::Set(Box::new(node)),
                    span,
                }
            }
            "quiescent" => {
                if self.claims_only("quiescent", span, scope) {
                    return Some(Expr::error(span));
                }
                Expr {
                    kind: ExprKind::Quiescent,
                    ty: Type::Bool,
                    span,
                }
            }
            "Node" => Expr {
                kind: ExprKind::AllNodes,
                ty: Type::Set(Box::new(node)),
                span,
            },
            "inbox" => self.inbox(span, scope),
            "now" => self.now(span, scope),
            "period" => {
                self.refuse(span, "`period`");
                Expr::error(span)
            }
            _ => return None,
        })
    }

    pub(crate) fn word_outside_code(&mut self, word: &str, span: Span, scope: &Scope) -> Expr {
        let text = match scope.place {
            Place::Constant => format!("`{word}` is not known before anything runs"),
            _ => format!(
                "`{word}` belongs to a node's code; a claim looks at all nodes from outside"
            ),
        };
        let note = match word {
            "inbox" => "let the code keep what matters in a variable, and look at that: `k.x`",
            "neighbours" => "name the node: `all k in Kind: … k.neighbours …`",
            _ => "name the node: `all k in Kind: … k …`",
        };
        self.report(Diagnostic::error(codes::NODE_WORD_IN_CLAIM, span, text).note(note));
        Expr::error(span)
    }

    /// Whether some network of the file, of a world or of a check is a ring.
    fn some_ring(&self) -> bool {
        self.some_topology(|topology| topology.name.text == "ring")
    }

    /// Reports an unknown name in place of a value of the enum `wanted`. `None` if there is nothing to report.
    /// `subject` is the beginning of the message.
    pub(crate) fn wrong_enum_value(
        &mut self,
        e: &ast::Expr,
        scope: &Scope,
        wanted: &Type,
        subject: &str,
    ) -> Option<Expr> {
        let (ast::ExprKind::Name(name), Type::Enum(id)) = (&e.kind, wanted.without_option()) else {
            return None;
        };
        if self.is_known(name, scope) {
            return None;
        }
        let values = self.model.enumeration(*id).values.clone();
        let text = format!(
            "{subject} can be {}; `{}` is none of them",
            listed(&values, "or"),
            name.text
        );
        let diagnostic = Diagnostic::error(codes::NOT_A_VALUE, name.span, text);
        self.report(suggest(diagnostic, name, values.iter().map(String::as_str)));
        Some(Expr::error(e.span))
    }

    /// The innermost bound name whose value is a message or struct with this field.
    fn bound_with_field(&self, name: &Name, scope: &Scope) -> Option<String> {
        let holds = |holder: &&str| {
            let holder = Name {
                text: holder.to_string(),
                span: name.span,
            };
            let record = self.bound(&holder, scope).and_then(|e| e.ty.record());
            let mut fields = record.iter().flat_map(|r| self.model.record_fields(*r));
            fields.any(|f| f.name == name.text)
        };
        scope.bound_names().find(holds).map(String::from)
    }

    fn unknown_name(&mut self, name: &Name, scope: &Scope) -> Expr {
        let code: &[&str] = match scope.place {
            Place::Code(_) | Place::First(_) => &["next", "previous", "neighbours", "self"],
            _ => &[],
        };
        let fields = match scope.place {
            Place::Code(kind) | Place::First(kind) => self.model.kind(kind).fields.as_slice(),
            _ => &[],
        };
        let visible = scope.fields.iter().filter_map(|f| fields.get(f.index()));
        let known = scope
            .bound_names()
            .chain(visible.map(|field| field.name.as_str()))
            .chain(code.iter().copied())
            .chain(self.globals.keys().map(String::as_str));
        // The iterator over the names is consumed here, so that its borrow of `self` ends.
        let near = Some(known).filter(|_| self.diagnostics.len() < MOST_SUGGESTED);
        let near = near.and_then(|known| nearest(&name.text, known).map(String::from));
        let text = format!("there is no `{}` here", name.text);
        let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, name.span, text);
        let outside = matches!(scope.place, Place::Abbreviation | Place::Claim);
        let mut kinds = self.model.kinds.iter();
        let owner = kinds.find(|k| k.fields.iter().any(|f| f.name == name.text));
        let diagnostic = match owner.filter(|_| outside) {
            _ if let Some(holder) = self.bound_with_field(name, scope) => {
                let meant = format!("{holder}.{}", name.text);
                diagnostic
                    .at(format!("did you mean `{meant}`?"))
                    .fix(name.span, meant)
            }
            Some(owner) => diagnostic.note(format!(
                "every node of `{1}` has its own `{0}`: write `k.{0}`, behind `all k in {1}:` or `exists k in {1}:`",
                name.text, owner.name
            )),
            None => match foreign::value(&name.text) {
                Some(ours) => diagnostic
                    .at(format!("write `{ours}`"))
                    .fix(name.span, ours),
                None => suggest(diagnostic, name, near.as_deref()),
            },
        };
        let in_code = matches!(scope.place, Place::Code(_)) && !scope.in_action;
        let mut messages = self.model.messages.iter();
        let sent = messages.find(|m| m.fields.iter().any(|f| f.name == name.text));
        let diagnostic = match sent.filter(|_| in_code && diagnostic.fix.is_none()) {
            Some(message) => diagnostic.note(format!(
                "`{0}` is a field of `{1}`: write `on {1} as m {{ … m.{0} … }}`",
                name.text, message.name
            )),
            None => diagnostic,
        };
        let diagnostic = match scope.in_action && diagnostic.fix.is_none() {
            true => diagnostic.note(
                "an action sees what the node has and what it is called with: give it the value, `action f(x: T) { … }`",
            ),
            false => diagnostic,
        };
        let diagnostic = match (scope.place, &diagnostic.fix) {
            (Place::Constant, fix) => {
                // If a check sets this name, that is not reported again.
                self.globals.insert(name.text.clone(), Global::Refused);
                match fix {
                    None => diagnostic.note(format!(
                        "if it is a parameter, declare it: `param {}: 1..9 = 3`",
                        name.text
                    )),
                    Some(_) => diagnostic,
                }
            }
            _ => diagnostic,
        };
        self.report(diagnostic);
        Expr::error(name.span)
    }
}

/// After this number of diagnostics, the nearest names are no longer searched. The output never shows as many diagnostics.
const MOST_SUGGESTED: usize = 1_000;

/// Words of the language that are expressions.
const WORDS: &[&str] = &[
    "next",
    "previous",
    "neighbours",
    "quiescent",
    "inbox",
    "Node",
    "now",
    "period",
];
