//! Top-level names: adds all declarations to the tables of the Model and their names to the table of globals.

use crate::resolve::context::globals::Global;
use crate::resolve::context::resolver::{LetState, Resolver};
use crate::resolve::context::suggest::unknown;
use crate::{
    Domain, Enum, EnumId, Expr, Kind, KindId, Let, LetId, Message, MessageId, ParamId, Schedule,
    Struct, StructId, Timing, TimingId,
};
use source::{Diagnostic, Span, codes};
use std::collections::HashMap;
use syntax::ast::{self, Item, Name};

impl<'a> Resolver<'a> {
    /// Declares every top-level name. Later passes complete the entries of the tables.
    pub(crate) fn names(&mut self) {
        let file = self.trees.file;
        let mut places: HashMap<String, Span> = HashMap::new();
        for item in &file.items {
            cancellation::poll();
            match item {
                Item::Param(p) => {
                    let id = ParamId(self.model.params.len() as u32);
                    self.model.params.push(crate::Param {
                        name: p.name.text.clone(),
                        domain: Domain::Error,
                        value: Expr::error(p.value.span),
                        span: p.name.span,
                    });
                    self.declare(&p.name, Global::Param(id), &mut places);
                }
                Item::Let(l) => {
                    let id = LetId(self.model.lets.len() as u32);
                    self.model.lets.push(Let {
                        name: l.name.text.clone(),
                        value: Expr::error(l.value.span),
                        reads_nodes: false,
                        span: l.name.span,
                    });
                    self.lets.push(LetState::Waiting(l));
                    self.declare(&l.name, Global::Let(id), &mut places);
                }
                Item::Enum(e) => {
                    let id = EnumId(self.model.enums.len() as u32);
                    self.model.enums.push(Enum {
                        name: e.name.text.clone(),
                        values: e.values.iter().map(|v| v.text.clone()).collect(),
                        span: e.name.span,
                    });
                    self.declare(&e.name, Global::Enum(id), &mut places);
                    for (index, value) in e.values.iter().enumerate() {
                        let global = Global::EnumValue(id, index as u32);
                        self.declare(value, global, &mut places);
                    }
                }
                Item::Message(m) => {
                    let id = MessageId(self.model.messages.len() as u32);
                    self.model.messages.push(Message {
                        name: m.name.text.clone(),
                        fields: Vec::new(),
                        span: m.name.span,
                    });
                    self.declare(&m.name, Global::Message(id), &mut places);
                }
                Item::Node(k) => {
                    let id = KindId(self.model.kinds.len() as u32);
                    self.trees.kinds.push(k);
                    self.model.kinds.push(Kind {
                        name: k.name.text.clone(),
                        number: None,
                        single: false,
                        fields: Vec::new(),
                        timers: Vec::new(),
                        body: Default::default(),
                        span: k.name.span,
                    });
                    self.declare(&k.name, Global::Kind(id), &mut places);
                }
                Item::Fn(f) => {
                    let id = self.declare_function(f);
                    self.declare(&f.name, Global::Fn(id), &mut places);
                }
                Item::Struct(s) => {
                    let id = StructId(self.model.structs.len() as u32);
                    self.model.structs.push(Struct {
                        name: s.name.text.clone(),
                        fields: Vec::new(),
                        span: s.name.span,
                    });
                    self.declare(&s.name, Global::Struct(id), &mut places);
                }
                Item::Timing(t) => {
                    let id = TimingId(self.model.timings.len() as u32);
                    self.model.timings.push(Timing {
                        name: t.name.text.clone(),
                        schedule: Schedule::Any,
                        span: t.name.span,
                    });
                    self.declare(&t.name, Global::Timing(id), &mut places);
                }
                Item::Network(_)
                | Item::Faults(_)
                | Item::Initially(_)
                | Item::Claim(_)
                | Item::World(_)
                | Item::Variant(_)
                | Item::Check(_) => {}
            }
        }
    }

    fn declare(&mut self, name: &Name, global: Global, places: &mut HashMap<String, Span>) {
        if let Some(&first) = places.get(&name.text) {
            self.duplicate(name, first, "at the top level");
            return;
        }
        if matches!(
            name.text.as_str(),
            "Bool" | "Id" | "Node" | "Counter" | "Duration"
        ) {
            self.error(
                codes::DUPLICATE_NAME,
                name.span,
                format!(
                    "`{}` is a type of the language itself: choose another name",
                    name.text
                ),
            );
        }
        places.insert(name.text.clone(), name.span);
        self.globals.insert(name.text.clone(), global);
    }

    /// Reports a name that is already declared.
    pub(crate) fn duplicate(&mut self, name: &Name, first: Span, place: &str) {
        self.report(
            Diagnostic::error(
                codes::DUPLICATE_NAME,
                name.span,
                format!("the name `{}` is used twice {place}", name.text),
            )
            .other(first, "first here"),
        );
    }

    /// Determines the types of the fields of messages, structs and nodes, without the ends of ranges.
    pub(crate) fn field_types(&mut self) {
        self.record_types();
        self.kind_fields();
    }

    /// Resolves the domains of the fields of messages and structs, and the numbers of nodes. Both may contain
    /// parameters and abbreviations.
    pub(crate) fn domains(&mut self) {
        self.record_domains();
        self.kind_numbers();
    }

    pub(crate) fn message_named(&mut self, name: &Name) -> Option<MessageId> {
        match self.globals.get(&name.text).copied() {
            Some(Global::Message(id)) => Some(id),
            Some(Global::Refused) => None,
            Some(Global::Struct(id)) => {
                self.only_a_struct(id, name.span);
                None
            }
            _ => {
                let known: Vec<String> =
                    self.model.messages.iter().map(|m| m.name.clone()).collect();
                let diagnostic = unknown(codes::UNKNOWN_MESSAGE, "message", name, &known);
                self.report(diagnostic);
                None
            }
        }
    }

    /// The syntax tree of a node kind.
    pub(crate) fn kind_tree(&self, kind: KindId) -> &'a ast::NodeKind {
        self.trees.kinds[kind.index()]
    }
}
