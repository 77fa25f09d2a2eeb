//! Field access: fields of messages, structs and nodes, and properties of nodes in claims.

use crate::resolve::context::globals::NODE_WORDS;
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Place, Scope};
use crate::resolve::context::suggest::{listed, suggest};
use crate::{Expr, ExprKind, FieldRole, KindId, NodeFaultKind, Status, Type};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, Name};

impl Resolver<'_> {
    /// The expression for `e.name`: a field of a message or struct, or a field or property of a node.
    pub(crate) fn field(
        &mut self,
        base: &ast::Expr,
        name: &Name,
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        let base = self.infer(base, scope, None);
        let base = self.one_value(base);
        match base.ty.clone() {
            Type::Error => Expr::error(span),
            Type::Message(_) | Type::Struct(_) => {
                let record = base.ty.record().expect("a message or struct type");
                let fields = self.model.record_fields(record);
                match fields.iter().position(|f| f.name == name.text) {
                    Some(index) => Expr {
                        ty: fields[index].domain.ty(),
                        kind: ExprKind::RecordField(Box::new(base), record, index as u32),
                        span,
                    },
                    None => {
                        self.unknown_record_field(record, name);
                        Expr::error(span)
                    }
                }
            }
            Type::Node(kind) => self.node_field(base, kind, name, span, scope),
            Type::Messages(_) => {
                self.which_message(&base, name.span);
                Expr::error(span)
            }
            Type::Set(element) if let Type::Node(kind) = *element => {
                match scope.place {
                    Place::Code(_) | Place::First(_) => self.reads_others(span),
                    _ => self.which_node(base.span, kind, name),
                }
                Expr::error(span)
            }
            other => {
                self.no_fields(
                    base.span,
                    &other,
                    name,
                    "messages, structs and nodes have fields",
                );
                Expr::error(span)
            }
        }
    }

    /// Reports that a value of type `ty` has no fields; `what` says which values have fields.
    pub(crate) fn no_fields(&mut self, base: Span, ty: &Type, name: &Name, what: &str) {
        let (text, words) = (self.text(base), self.model.words(ty));
        let message = format!("{what}; `{text}` is {words}");
        let diagnostic = Diagnostic::error(codes::UNKNOWN_FIELD, name.span, message);
        self.report(match ty {
            Type::Array(_, element) if element.record().is_some() => {
                diagnostic.note(format!("say at which place: `{text}[i].{}`", name.text))
            }
            Type::Set(element) if element.record().is_some() => diagnostic.note(format!(
                "say of which element: `all x in {text}: … x.{} …`, or `exists`, `max`, `the`",
                name.text
            )),
            _ => diagnostic,
        });
    }

    /// Reports a field access on a set of nodes.
    fn which_node(&mut self, nodes: Span, kind: Option<KindId>, name: &Name) {
        let nodes = self.text(nodes);
        let node = if nodes.starts_with("k.") { "j" } else { "k" };
        let field = format!("{node}.{}", name.text);
        let owner = kind.or_else(|| self.kinds_with(&name.text).first().copied());
        let is_condition = owner.is_some_and(|kind| {
            let fields = &self.model.kind(kind).fields;
            let mut named = fields.iter().filter(|f| f.name == name.text);
            named.any(|f| f.ty == Type::Bool)
        });
        let said = match is_condition {
            true => field,
            false => format!("… {field} …"),
        };
        let text = format!(
            "`{nodes}` is a set of nodes: whose `{}` is meant?",
            name.text
        );
        self.report(
            Diagnostic::error(codes::UNKNOWN_FIELD, name.span, text).note(format!(
                "each node has its own: write `all {node} in {nodes}: {said}`, or `exists {node} in {nodes}: {said}`"
            )),
        );
    }

    /// Reports node code that reads a field of another node.
    fn reads_others(&mut self, span: Span) {
        let text = format!("a node cannot look into another: `{}`", self.text(span));
        self.report(
            Diagnostic::error(codes::READS_OTHER_NODE, span, text).note(
                "only claims see all nodes; in node code, let the other node send what is needed, and take it with `on M as m { … m.field … }`",
            ),
        );
    }

    /// Reports a message that may be of several types where its type must be determined.
    pub(crate) fn which_message(&mut self, message: &Expr, span: Span) {
        let of = self.text(message.span);
        let text = format!("`{of}` is {}: which?", self.model.words(&message.ty));
        let types = match &message.ty {
            Type::Messages(all) => all.iter().map(|m| self.model.message(*m).name.clone()),
            _ => return,
        };
        let types: Vec<String> = types.collect();
        let arms: Vec<String> = types.iter().map(|m| format!("{m} => …")).collect();
        self.report(
            Diagnostic::error(codes::WHICH_MESSAGE, span, text)
                .note(format!(
                    "tell them apart: `match {of} {{ {} }}`, or `{of} is {} and …`",
                    arms.join(", "),
                    types[0]
                ))
                .note(format!(
                    "messages of one type alone are `inbox({})`",
                    types[0]
                )),
        );
    }

    /// A constant or variable of the current node. `None` if the node has none with this name, or outside node code.
    pub(crate) fn own_field(&mut self, name: &Name, scope: &Scope) -> Option<Expr> {
        let (Place::Code(kind) | Place::First(kind)) = scope.place else {
            return None;
        };
        let id = self.model.field_named(kind, &name.text)?;
        if !scope.fields.contains(&id) {
            return None;
        }
        let field = &self.model.kind(kind).fields[id.index()];
        let (role, ty) = (field.role, field.ty.clone());
        if role == FieldRole::Ghost && !scope.sees_ghosts {
            self.error(
                codes::GHOST_READ,
                name.span,
                format!(
                    "`{}` is a ghost: only claims read it, and assignments to ghosts",
                    name.text
                ),
            );
            return Some(Expr::error(name.span));
        }
        if role == FieldRole::Variable && matches!(scope.place, Place::First(_)) {
            self.report(
                Diagnostic::error(
                    codes::FIRST_VALUE,
                    name.span,
                    format!(
                        "a first value cannot depend on the variable `{}`: all variables begin at once",
                        name.text
                    ),
                )
                .note("use constants here, or set the variable in `start`; `initially` can relate variables"),
            );
            return Some(Expr::error(name.span));
        }
        Some(Expr {
            kind: ExprKind::Own(id),
            ty,
            span: name.span,
        })
    }

    /// Whether nodes of this kind have a field with this name; for `None`, whether nodes of some kind have.
    fn has_field(&self, kind: Option<KindId>, name: &str) -> bool {
        let mut kinds = self.kinds_with(name).into_iter();
        kinds.any(|k| kind.is_none_or(|kind| kind == k))
    }

    /// The kinds that have a field with this name.
    fn kinds_with(&self, name: &str) -> Vec<KindId> {
        let kinds = (0..self.model.kinds.len() as u32).map(KindId);
        kinds
            .filter(|k| self.model.field_named(*k, name).is_some())
            .collect()
    }

    /// Reports a field of a node whose kind is not determined, with the kinds that have such a field.
    fn which_kind(&mut self, node: &Expr, name: &Name, span: Span) {
        let node_text = self.text(node.span);
        let owners = self.kinds_with(&name.text).into_iter();
        let owners: Vec<String> = owners.map(|k| self.model.kind(k).name.clone()).collect();
        if owners.is_empty() {
            let text = format!("no node has a variable or constant `{}`", name.text);
            let diagnostic = Diagnostic::error(codes::UNKNOWN_FIELD, name.span, text);
            let fields = self.model.kinds.iter().flat_map(|k| &k.fields);
            let known: Vec<String> = fields.map(|f| f.name.clone()).collect();
            self.report(suggest(diagnostic, name, known.iter().map(String::as_str)));
            return;
        }
        let text = format!("`{node_text}` may be a node of any kind");
        let diagnostic = Diagnostic::error(codes::WHICH_KIND, span, text);
        let bound = match node.kind {
            ExprKind::Local(_) => node_text.as_str(),
            _ => "k",
        };
        let field = &name.text;
        let quoted: Vec<String> = owners.iter().map(|k| format!("`{k}`")).collect();
        self.report(match &owners[..] {
            [only] => diagnostic.note(format!(
                "only `{only}` has `{field}`: write `{bound} in {only}`, as in `all {bound} in {only}: … {bound}.{field} …`"
            )),
            _ => diagnostic.note(format!(
                "{} have `{field}`: say of which kind, as in `all {bound} in {}: … {bound}.{field} …`",
                listed(&quoted, "and"),
                owners[0]
            )),
        });
    }

    fn node_field(
        &mut self,
        node: Expr,
        kind: Option<KindId>,
        name: &Name,
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        if matches!(scope.place, Place::Code(_) | Place::First(_)) {
            if node.kind == ExprKind::SelfNode
                && let Some(own) = self.own_field(name, scope)
            {
                return Expr { span, ..own };
            }
            if NODE_WORDS.contains(&name.text.as_str()) {
                self.claims_only(&name.text, name.span, scope);
                return Expr::error(span);
            }
            self.reads_others(span);
            return Expr::error(span);
        }
        if name.text == "neighbours" && !self.has_field(kind, "neighbours") {
            self.require_network(span, "`neighbours`");
            return Expr {
                kind: ExprKind::NeighboursOf(Box::new(node)),
                ty: Type::Set(Box::new(Type::Node(None))),
                span,
            };
        }
        if name.text == "halted" {
            return Expr {
                kind: ExprKind::Halted(Box::new(node)),
                ty: Type::Bool,
                span,
            };
        }
        if name.text == "activations" {
            return Expr {
                kind: ExprKind::Activations(Box::new(node)),
                ty: Type::Int,
                span,
            };
        }
        if name.text == "sent" {
            self.error(
                codes::WRONG_ARGUMENTS,
                span,
                "`sent` counts the messages of one type: write `k.sent(M)`",
            );
            return Expr::error(span);
        }
        if let Some(status) = status_named(&name.text) {
            return Expr {
                kind: ExprKind::Status(Box::new(node), status),
                ty: Type::Bool,
                span,
            };
        }
        let only = (self.model.kinds.len() == 1).then_some(KindId(0));
        let Some(kind) = kind.or(only) else {
            self.which_kind(&node, name, span);
            return Expr::error(span);
        };
        match self.model.field_named(kind, &name.text) {
            Some(field) => Expr {
                ty: self.model.kind(kind).fields[field.index()].ty.clone(),
                kind: ExprKind::NodeField(Box::new(node), kind, field),
                span,
            },
            None => {
                let kind = self.model.kind(kind);
                let mut known: Vec<String> = kind.fields.iter().map(|f| f.name.clone()).collect();
                known.push("halted".into());
                let timers: Vec<String> = kind.timers.iter().map(|t| t.name.clone()).collect();
                let text = format!(
                    "`{}` has no variable or constant `{}`",
                    kind.name, name.text
                );
                let diagnostic = Diagnostic::error(codes::UNKNOWN_FIELD, name.span, text);
                self.report(match name.text.as_str() {
                    "inbox" => diagnostic.note(
                        "only the node's own code looks into its inbox: let it keep what matters in a variable, and look at that",
                    ),
                    timer if timers.iter().any(|t| t == timer) => diagnostic.note(format!(
                        "`{timer}` is a timer, which has no value: what can be asked is `{} is set`",
                        self.text(span)
                    )),
                    _ => suggest(diagnostic, name, known.iter().map(String::as_str)),
                });
                Expr::error(span)
            }
        }
    }
}

/// The condition on the faults of a node that a word stands for, if there is one.
fn status_named(word: &str) -> Option<Status> {
    Some(match word {
        "off" => Status::Fault(NodeFaultKind::Off),
        "mute" => Status::Fault(NodeFaultKind::Mute),
        "deaf" => Status::Fault(NodeFaultKind::Deaf),
        "isolated" => Status::Fault(NodeFaultKind::Isolated),
        "crashed" => Status::Crashed,
        "stopped" => Status::Stopped,
        "faultless" => Status::Faultless,
        _ => return None,
    })
}
