//! The state of name resolution: the Model so far, the tables of names, and the diagnostics.

use crate::resolve::context::globals::Global;
use crate::{Domain, Faults, KindId, LocalId, MessageId, Model, Stmt, Type};
use source::{Code, Diagnostic, Sources, Span, codes};
use std::collections::HashMap;
use syntax::ast::{self, Name, Unit};

/// The state of name resolution for one file.
pub(crate) struct Resolver<'a> {
    pub(crate) trees: Trees<'a>,
    pub(crate) sources: &'a Sources,
    pub(crate) model: Model,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) globals: HashMap<String, Global>,
    pub(crate) lets: Vec<LetState<'a>>,
    pub(crate) fns: Vec<FnState<'a>>,
    pub(crate) code: CodeContext<'a>,
    /// Parameters of claims and functions: their values are known only at a use of the claim or function.
    pub(crate) given: Vec<LocalId>,
    /// Whether counters are numbers in the expression that is being resolved: in conditions on initial states.
    pub(crate) counters_are_numbers: bool,
    /// Whether a network is declared but refused. A message about a missing network would repeat that problem.
    pub(crate) network_refused: bool,
}

/// The syntax trees that the Model is made from.
pub(crate) struct Trees<'a> {
    pub(crate) file: &'a ast::File,
    /// The trees of the variants in the Model, by position.
    pub(crate) variants: Vec<&'a ast::Variant>,
    /// The trees of the worlds in the Model, by position.
    pub(crate) worlds: Vec<&'a ast::World>,
}

/// Facts about the code of the node that is being resolved.
#[derive(Default)]
pub(crate) struct CodeContext<'a> {
    /// The actions of the node.
    pub(crate) actions: Vec<Action<'a>>,
    /// Every message sent so far, with the receiving kind as far as it is known.
    pub(crate) sends: Vec<Sending>,
    /// All messages sent, from the first pass over all code; `None` during that pass.
    pub(crate) known_sends: Option<Vec<Sending>>,
    /// Whether the code belongs to a variant.
    pub(crate) in_variant: bool,
    /// The types of messages that can be in the inbox of the node; `None` during the first pass.
    pub(crate) inbox: Option<Vec<MessageId>>,
}

/// A message that some code sends.
#[derive(Clone)]
pub(crate) struct Sending {
    /// Its type; `None` if it depends on the contents of an inbox.
    pub(crate) message: Option<MessageId>,
    /// The kind of the receivers, if the text determines it.
    pub(crate) to: Option<KindId>,
    /// Whether a variant sends it.
    pub(crate) in_variant: bool,
    pub(crate) span: Span,
}

/// The state of an abbreviation. Abbreviations may be declared in any order, so each is resolved at its first use.
#[derive(Clone, Copy)]
pub(crate) enum LetState<'a> {
    Waiting(&'a ast::Let),
    Running,
    Done,
}

/// The state of a function. Functions may be declared in any order, so each is resolved at its first use.
#[derive(Clone, Copy)]
pub(crate) enum FnState<'a> {
    Waiting(&'a ast::Fn),
    Running,
    Done,
}

/// An action of the current node, resolved at its first call.
pub(crate) struct Action<'a> {
    pub(crate) name: &'a Name,
    pub(crate) parameters: &'a [ast::Parameter],
    pub(crate) body: &'a [ast::Stmt],
    pub(crate) state: ActionState,
}

/// The state of an action.
pub(crate) enum ActionState {
    Waiting,
    Running,
    Done(Resolved),
}

/// A resolved action.
#[derive(Clone)]
pub(crate) struct Resolved {
    pub(crate) parameters: Vec<(LocalId, Type, Domain)>,
    pub(crate) body: Vec<Stmt>,
    /// The messages that it sends; each call adds them.
    pub(crate) sends: Vec<Sending>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(file: &'a ast::File, sources: &'a Sources) -> Resolver<'a> {
        Resolver {
            trees: Trees {
                file,
                variants: Vec::new(),
                worlds: Vec::new(),
            },
            sources,
            model: Model {
                file: file.span.file,
                docs: file.docs.clone(),
                unit: unit_of(&file.units),
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
            code: CodeContext::default(),
            given: Vec::new(),
            counters_are_numbers: false,
            network_refused: false,
        }
    }

    pub(crate) fn finish(mut self) -> (Model, Vec<Diagnostic>) {
        // Code that a variant inherits is resolved once per variant; duplicates of a problem are dropped.
        let mut seen: Vec<Diagnostic> = Vec::new();
        for diagnostic in self.diagnostics.drain(..) {
            if !seen.contains(&diagnostic) {
                seen.push(diagnostic);
            }
        }
        seen.sort_by_key(|d| d.primary.span.start);
        (self.model, seen)
    }

    /// Adds a diagnostic.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(crate) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Refuses a part of the language that is not implemented.
    pub(crate) fn refuse(&mut self, span: Span, what: &str) {
        let text = format!("{what}: not in this version");
        self.error(codes::NOT_IN_THIS_VERSION, span, text);
    }
}

/// The unit that a file uses most often, the smallest of several: all times are stored in it.
pub(crate) fn unit_of(units: &[Unit]) -> Option<Unit> {
    let often = |unit: &Unit| units.iter().filter(|u| *u == unit).count();
    let mut all = units.to_vec();
    all.sort_unstable();
    // `max_by_key` returns the last of several maxima.
    all.iter().rev().max_by_key(|unit| often(unit)).copied()
}
