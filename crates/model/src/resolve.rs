//! From the tree of a file to its Model: the order in which names, types and code are resolved.
//!
//! Every top-level name is visible in the whole file. So names come first, then the types of fields
//! (which need no values), and only then expressions.

mod actions;
mod answers;
mod checks;
mod claims;
mod code;
mod coerce;
mod counters;
mod data;
mod exprs;
mod faults;
mod fields;
mod foreign;
mod functions;
mod inbox;
mod instant;
mod items;
mod kinds;
mod matches;
mod moments;
mod names;
mod operators;
mod place;
mod quantifiers;
mod scope;
mod sought;
mod timers;
mod times;
mod topologies;
mod words;

pub use names::nearest;

use crate::{Domain, Faults, KindId, Let, LetId, LocalId, MessageId, Model, Type};
use actions::Action;
use functions::FnState;
use names::Global;
use scope::{Place, Scope};
use source::{Code, Diagnostic, Sources, Span, codes};
use std::collections::HashMap;
use syntax::ast;

/// The Model of a file, and everything that is wrong with it.
///
/// The Model may be used only if no diagnostic is an error: a file is accepted or refused as a whole.
pub fn resolve(file: &ast::File, sources: &Sources) -> (Model, Vec<Diagnostic>) {
    let mut resolver = Resolver::new(file, sources);
    resolver.names();
    resolver.params();
    resolver.field_types();
    resolver.domains();
    resolver.networks();
    resolver.timings();
    resolver.abbreviations();
    resolver.functions();
    resolver.what_enters_inboxes();
    resolver.bodies();
    resolver.surroundings();
    resolver.claims();
    resolver.checks();
    resolver.instant_rules();
    resolver.unhandled();
    resolver.finish()
}

/// What is known so far.
struct Resolver<'a> {
    file: &'a ast::File,
    sources: &'a Sources,
    model: Model,
    diagnostics: Vec<Diagnostic>,
    globals: HashMap<String, Global>,
    lets: Vec<LetState<'a>>,
    fns: Vec<FnState<'a>>,
    /// The actions of the node whose code is being read.
    actions: Vec<Action<'a>>,
    /// What is sent, and to whom, as far as that is known.
    sends: Vec<Sending>,
    /// The same from a first reading of all code; none before it.
    known_sends: Option<Vec<Sending>>,
    /// The trees of the variants and worlds in the Model, by position.
    variant_trees: Vec<&'a ast::Variant>,
    world_trees: Vec<&'a ast::World>,
    /// Whether the code being read is that of a variant.
    in_variant: bool,
    /// The types of messages that can be in the inbox of the node whose code is being read; none while
    /// that is being found out.
    inbox: Option<Vec<MessageId>>,
    /// Parameters of claims and functions: what these are given is known where they are used.
    given: Vec<LocalId>,
    /// Whether counters are numbers in what is being read: before anything runs.
    counters_are_numbers: bool,
    /// A network is declared but refused: that there is none would be a second message about it.
    network_refused: bool,
}

/// A message that is sent somewhere.
#[derive(Clone)]
struct Sending {
    /// Its type; none if that depends on what is in an inbox.
    message: Option<MessageId>,
    /// The kind of those that get it, where the text says so.
    to: Option<KindId>,
    /// Whether a variant sends it.
    in_variant: bool,
    span: Span,
}

/// Abbreviations are resolved when they are first used, since they may stand in any order.
#[derive(Clone, Copy)]
enum LetState<'a> {
    Waiting(&'a ast::Let),
    Running,
    Done,
}

impl<'a> Resolver<'a> {
    fn new(file: &'a ast::File, sources: &'a Sources) -> Resolver<'a> {
        Resolver {
            file,
            sources,
            model: Model {
                file: file.span.file,
                docs: file.docs.clone(),
                unit: times::unit_of(&file.units),
                params: Vec::new(),
                lets: Vec::new(),
                fns: Vec::new(),
                enums: Vec::new(),
                messages: Vec::new(),
                structs: Vec::new(),
                ranges: Vec::new(),
                timings: Vec::new(),
                kinds: Vec::new(),
                network: None,
                faults: Faults::default(),
                initially: Vec::new(),
                claims: Vec::new(),
                worlds: Vec::new(),
                variants: Vec::new(),
                checks: Vec::new(),
                locals: Vec::new(),
                uses: Vec::new(),
            },
            diagnostics: Vec::new(),
            globals: HashMap::new(),
            lets: Vec::new(),
            fns: Vec::new(),
            actions: Vec::new(),
            sends: Vec::new(),
            known_sends: None,
            variant_trees: Vec::new(),
            world_trees: Vec::new(),
            in_variant: false,
            inbox: None,
            given: Vec::new(),
            counters_are_numbers: false,
            network_refused: false,
        }
    }

    fn finish(mut self) -> (Model, Vec<Diagnostic>) {
        // Code that a variant takes over is looked at once per variant: the same problem counts once.
        let mut seen: Vec<Diagnostic> = Vec::new();
        for diagnostic in self.diagnostics.drain(..) {
            if !seen.contains(&diagnostic) {
                seen.push(diagnostic);
            }
        }
        seen.sort_by_key(|d| d.primary.span.start);
        (self.model, seen)
    }

    /// Says what is wrong.
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Refuses a part of the language that has no meaning yet.
    fn refuse(&mut self, span: Span, what: &str) {
        let text = format!("{what}: not in this version");
        self.error(codes::NOT_IN_THIS_VERSION, span, text);
    }

    /// Every abbreviation, also those that nobody uses.
    fn abbreviations(&mut self) {
        for index in 0..self.lets.len() {
            self.abbreviation(LetId(index as u32), None);
        }
    }

    /// Resolves an abbreviation if that has not happened yet; `used_at` is where its name stands.
    /// Whether it stands outside its own definition.
    fn abbreviation(&mut self, id: LetId, used_at: Option<Span>) -> bool {
        match self.lets[id.index()] {
            LetState::Done => true,
            LetState::Running => {
                let name = self.model.abbreviation(id).name.clone();
                self.report(
                    Diagnostic::error(
                        codes::CYCLIC_LET,
                        used_at.unwrap_or(self.model.abbreviation(id).span),
                        format!("`{name}` is defined by itself"),
                    )
                    .note("an abbreviation stands for its text: it cannot contain itself, directly or through others"),
                );
                false
            }
            LetState::Waiting(tree) => {
                self.lets[id.index()] = LetState::Running;
                let mut scope = Scope::new(Place::Abbreviation);
                let value = self.infer(&tree.value, &mut scope, None);
                self.require_clear(&value, &tree.name);
                self.misplaced_now(&value);
                let reads_nodes = self.reads_nodes(&value);
                self.model.lets[id.index()] = Let {
                    name: tree.name.text.clone(),
                    value,
                    reads_nodes,
                    span: tree.name.span,
                };
                self.lets[id.index()] = LetState::Done;
                true
            }
        }
    }

    /// The domain of a declared type, whose names have been reported by [`Resolver::type_of`].
    fn domain_of(&mut self, tree: &ast::Type) -> Domain {
        match &tree.kind {
            ast::TypeKind::Error => Domain::Error,
            ast::TypeKind::Range(a, b) => {
                let (a, b) = (self.constant_number(a), self.constant_number(b));
                if a.ty.is_error() || b.ty.is_error() {
                    return Domain::Error;
                }
                if let (Some(low), Some(high)) = (self.literal(&a), self.literal(&b))
                    && low > high
                {
                    self.error(
                        codes::EMPTY_RANGE,
                        tree.span,
                        format!(
                            "the range {low}..{high} is empty: its first end is the larger one"
                        ),
                    );
                    return Domain::Error;
                }
                Domain::Range(Box::new(a), Box::new(b))
            }
            ast::TypeKind::Option(inner) => match self.domain_of(inner) {
                Domain::Error | Domain::Option(_) => Domain::Error,
                inner => Domain::Option(Box::new(inner)),
            },
            ast::TypeKind::Set(inner) => match self.domain_of(inner) {
                Domain::Error => Domain::Error,
                inner => Domain::Set(Box::new(inner)),
            },
            ast::TypeKind::Array(element, over) => self.array_domain(element, over),
            ast::TypeKind::Name(name) => match self.named_type(&name.text) {
                Some(Type::Bool) => Domain::Bool,
                Some(Type::Duration) => Domain::Duration,
                Some(Type::Id) => Domain::Id,
                Some(Type::Counter) => Domain::Counter,
                Some(Type::Node(_)) => Domain::Node,
                Some(Type::Enum(e)) => Domain::Enum(e),
                Some(Type::Message(m)) => Domain::Message(m),
                Some(Type::Struct(s)) => Domain::Struct(s),
                _ => Domain::Error,
            },
        }
    }

    /// The type of a declared type, without looking at the ends of ranges.
    fn type_of(&mut self, tree: &ast::Type) -> Type {
        match &tree.kind {
            ast::TypeKind::Error => Type::Error,
            ast::TypeKind::Range(..) => Type::Int,
            ast::TypeKind::Option(inner) => match self.type_of(inner) {
                Type::Option(_) => {
                    self.report(
                        Diagnostic::error(
                            codes::NESTED_OPTION,
                            tree.span,
                            "an option of an option is `none` in two ways",
                        )
                        .note("use one `Option`, or an enum that names the cases"),
                    );
                    Type::Error
                }
                Type::Error => Type::Error,
                inner => Type::Option(Box::new(inner)),
            },
            ast::TypeKind::Set(inner) => match self.type_of(inner) {
                Type::Error => Type::Error,
                inner => Type::Set(Box::new(inner)),
            },
            ast::TypeKind::Array(element, over) => self.array_type(element, over),
            ast::TypeKind::Name(name) => self.named_type(&name.text).unwrap_or_else(|| {
                self.unknown_type(name);
                Type::Error
            }),
        }
    }

    fn named_type(&self, name: &str) -> Option<Type> {
        Some(match name {
            "Bool" => Type::Bool,
            "Duration" => Type::Duration,
            "Id" => Type::Id,
            "Counter" => Type::Counter,
            "Node" => Type::Node(None),
            _ => match self.globals.get(name)? {
                Global::Enum(e) => Type::Enum(*e),
                Global::Message(m) => Type::Message(*m),
                Global::Struct(s) => Type::Struct(*s),
                Global::Refused => Type::Error,
                _ => return None,
            },
        })
    }

    fn unknown_type(&mut self, name: &ast::Name) {
        let types = ["Bool", "Counter", "Duration", "Id", "Node", "Option", "Set"];
        let mut known: Vec<String> = types.map(String::from).to_vec();
        known.extend(self.model.enums.iter().map(|e| e.name.clone()));
        known.extend(self.model.messages.iter().map(|m| m.name.clone()));
        known.extend(self.model.structs.iter().map(|s| s.name.clone()));
        let text = format!("there is no type `{}`", name.text);
        let diagnostic = Diagnostic::error(codes::UNKNOWN_TYPE, name.span, text);
        let mut diagnostic = names::suggest(diagnostic, name, known.iter().map(String::as_str));
        if matches!(
            name.text.as_str(),
            "Int" | "int" | "Integer" | "Nat" | "u32" | "i32"
        ) {
            diagnostic = diagnostic.note(
                "numbers have a range here: write for example `0..7`; for one that grows for ever there is `Counter`",
            );
        } else if matches!(self.globals.get(&name.text), Some(Global::Kind(_))) {
            diagnostic = diagnostic.note("a kind of node is no type: nodes have the type `Node`");
        }
        self.report(diagnostic);
    }
}
