//! Names at the top level: collecting them, and finding the one that was meant.

use super::{LetState, Resolver};
use crate::{
    Domain, Enum, EnumId, Expr, FnId, Kind, KindId, Let, LetId, Message, MessageId, ParamId,
    Rhythm, Struct, StructId, Timing, TimingId, Type,
};
use source::{Code, Diagnostic, Span, codes};
use std::collections::HashMap;
use syntax::ast::{self, Item, Name};

/// What a top-level name stands for in expressions and types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Global {
    Param(ParamId),
    Let(LetId),
    Fn(FnId),
    Enum(EnumId),
    EnumValue(EnumId, u32),
    Message(MessageId),
    Struct(StructId),
    Kind(KindId),
    Timing(TimingId),
    /// Its item has been refused: using it says nothing new.
    Refused,
}

/// The known name that was probably meant: few letters away, or the same in other case.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let lower = name.to_lowercase();
    known
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (distance(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(d, candidate)| {
            let length = name.chars().count().max(candidate.chars().count());
            *d == 0 || (*d <= 1 && length >= 3) || (*d <= 2 && length >= 5) || *d <= length / 4
        })
        .min_by_key(|(d, _)| *d)
        .map(|(_, candidate)| candidate)
}

/// Edit distance in which swapping two neighbours counts once.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substitute = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substitute.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// "there is no message `Electon`", with what was probably meant.
pub(super) fn unknown(code: Code, what: &str, name: &Name, known: &[String]) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        code,
        name.span,
        format!("there is no {what} `{}`", name.text),
    );
    suggest_or_list(diagnostic, what, name, known)
}

/// Adds "did you mean" where something is near, and otherwise what there is, if that is short.
pub(super) fn suggest_or_list(
    diagnostic: Diagnostic,
    what: &str,
    name: &Name,
    known: &[String],
) -> Diagnostic {
    if nearest(&name.text, known.iter().map(String::as_str)).is_some() {
        return suggest(diagnostic, name, known.iter().map(String::as_str));
    }
    let quoted: Vec<String> = known.iter().map(|k| format!("`{k}`")).collect();
    match &quoted[..] {
        [] => diagnostic,
        [one] => diagnostic.note(format!("the only {what} is {one}")),
        [before @ .., last] if before.len() < 8 => {
            diagnostic.note(format!("there are {} and {last}", before.join(", ")))
        }
        _ => diagnostic,
    }
}

/// Adds "did you mean" where something is near.
pub(super) fn suggest<'n>(
    diagnostic: Diagnostic,
    name: &Name,
    known: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    match nearest(&name.text, known) {
        Some(near) => diagnostic
            .at(format!("did you mean `{near}`?"))
            .fix(name.span, near),
        None => diagnostic,
    }
}

/// Words that every node answers to in claims.
pub(super) const NODE_WORDS: &[&str] = &[
    "activations",
    "halted",
    "off",
    "crashed",
    "stopped",
    "deaf",
    "mute",
    "isolated",
    "faultless",
    "sent",
];

impl<'a> Resolver<'a> {
    /// Every name of the top level, in tables that are filled later.
    pub(super) fn names(&mut self) {
        let file = self.file;
        let mut places: HashMap<String, Span> = HashMap::new();
        for item in &file.items {
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
                        rhythm: Rhythm::Any,
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

    /// Says that a name is taken.
    pub(super) fn duplicate(&mut self, name: &Name, first: Span, place: &str) {
        self.report(
            Diagnostic::error(
                codes::DUPLICATE_NAME,
                name.span,
                format!("the name `{}` is used twice {place}", name.text),
            )
            .other(first, "first here"),
        );
    }

    /// Types of the fields of messages, structs and nodes: no ends of ranges yet.
    pub(super) fn field_types(&mut self) {
        self.record_types();
        self.kind_fields();
    }

    /// Domains of messages and structs and sizes of kinds: these may mention parameters and abbreviations.
    pub(super) fn domains(&mut self) {
        self.record_domains();
        self.kind_numbers();
    }

    pub(super) fn message_named(&mut self, name: &Name) -> Option<MessageId> {
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

    /// The item of the top level that is a node kind, by position.
    pub(super) fn kind_tree(&self, kind: KindId) -> &'a ast::NodeKind {
        self.file
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Node(k) => Some(k),
                _ => None,
            })
            .nth(kind.index())
            .expect("every kind has its tree")
    }
}

/// A stand-in with the right type until ranges are resolved.
pub(super) fn provisional(ty: &Type) -> Domain {
    match ty {
        Type::Bool => Domain::Bool,
        Type::Int => Domain::Integer,
        Type::Duration => Domain::Duration,
        Type::Enum(e) => Domain::Enum(*e),
        Type::Id => Domain::Id,
        Type::Counter => Domain::Counter,
        Type::Node(_) => Domain::Node,
        Type::Option(inner) => Domain::Option(Box::new(provisional(inner))),
        Type::Message(m) => Domain::Message(*m),
        Type::Struct(s) => Domain::Struct(*s),
        Type::Array(index, inner) => Domain::Array(*index, Box::new(provisional(inner))),
        Type::Messages(_) => unreachable!("no declared type"),
        Type::Set(inner) => Domain::Set(Box::new(provisional(inner))),
        Type::Error | Type::Unknown => Domain::Error,
    }
}
