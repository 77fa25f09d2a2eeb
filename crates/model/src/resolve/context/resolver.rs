//! The state of name resolution: the Model so far, the tables of names, and the diagnostics.

use crate::resolve::context::globals::Global;
use crate::{ClaimId, Domain, Faults, KindId, LocalId, MessageId, Model, Stmt, Type};
use source::{Code, Diagnostic, Sources, Span, codes};
use std::collections::{BTreeMap, HashMap, HashSet};
use syntax::ast::{self, Name, Unit};

/// The state of name resolution for one file.
pub(crate) struct Resolver<'a> {
    pub(crate) trees: Trees<'a>,
    pub(crate) sources: &'a Sources,
    pub(crate) model: Model,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) globals: BTreeMap<String, Global>,
    /// The claims of the Model, by name.
    pub(crate) claims: HashMap<String, ClaimId>,
    pub(crate) lets: Vec<LetState<'a>>,
    pub(crate) fns: Vec<FnState<'a>>,
    pub(crate) code: CodeContext<'a>,
    /// Parameters of claims and functions. They are constant in each use of the claim or function.
    pub(crate) given: Vec<LocalId>,
    /// Whether counters are numbers in the expression that is being resolved: in initial values and conditions on
    /// initial states.
    pub(crate) counters_are_numbers: bool,
    /// Whether a network is declared but has an error. Then a missing network is not reported.
    pub(crate) network_refused: bool,
}

/// The syntax trees from which the Model is made.
pub(crate) struct Trees<'a> {
    pub(crate) file: &'a ast::File,
    /// The tree of each node kind of the Model, by position.
    pub(crate) kinds: Vec<&'a ast::NodeKind>,
    /// The tree of each variant of the Model, by position.
    pub(crate) variants: Vec<&'a ast::Variant>,
    /// The tree of each world of the Model, by position.
    pub(crate) worlds: Vec<&'a ast::World>,
}

/// The context of the node code that is being resolved.
#[derive(Default)]
pub(crate) struct CodeContext<'a> {
    /// The actions of the node.
    pub(crate) actions: Vec<Action<'a>>,
    /// Every send found so far.
    pub(crate) sends: Vec<Sending>,
    /// All sends of the file, collected in the first pass over all code; `None` during that pass.
    pub(crate) known_sends: Option<Vec<Sending>>,
    /// Whether the code belongs to a variant.
    pub(crate) in_variant: bool,
    /// The types of messages that can be in the inbox of the node; `None` during the first pass.
    pub(crate) inbox: Option<Vec<MessageId>>,
}

/// A send in node code.
#[derive(Clone)]
pub(crate) struct Sending {
    /// The type of the message; `None` if it is not determined.
    pub(crate) message: Option<MessageId>,
    /// The kind of the receivers; `None` if they may be of several kinds.
    pub(crate) to: Option<KindId>,
    /// Whether the send is in the code of a variant.
    pub(crate) in_variant: bool,
    pub(crate) span: Span,
}

/// How far an abbreviation is resolved. Abbreviations may be declared in any order, so each is resolved at its first
/// use.
#[derive(Clone, Copy)]
pub(crate) enum LetState<'a> {
    Waiting(&'a ast::Let),
    Running,
    Done,
}

/// How far a function is resolved. Functions may be declared in any order, so each is resolved at its first use.
#[derive(Clone, Copy)]
pub(crate) enum FnState<'a> {
    Waiting(&'a ast::Fn),
    Running,
    Done,
}

/// An action of the current node. It is resolved at its first call.
pub(crate) struct Action<'a> {
    pub(crate) name: &'a Name,
    pub(crate) parameters: &'a [ast::Parameter],
    pub(crate) body: &'a [ast::Stmt],
    pub(crate) state: ActionState,
}

/// How far an action is resolved.
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
    /// The sends in its statements; each call of the action adds them to the code.
    pub(crate) sends: Vec<Sending>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(file: &'a ast::File, sources: &'a Sources) -> Resolver<'a> {
        Resolver {
            trees: Trees {
                file,
                kinds: Vec::new(),
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
            globals: BTreeMap::new(),
            claims: HashMap::new(),
            lets: Vec::new(),
            fns: Vec::new(),
            code: CodeContext::default(),
            given: Vec::new(),
            counters_are_numbers: false,
            network_refused: false,
        }
    }

    pub(crate) fn finish(mut self) -> (Model, Vec<Diagnostic>) {
        // Code that a variant inherits is resolved again for the variant. Duplicates of a diagnostic are dropped.
        let mut seen = HashSet::new();
        self.diagnostics.retain(|diagnostic| {
            cancellation::poll();
            seen.insert(diagnostic.clone())
        });
        self.diagnostics.sort_by_key(|d| d.primary.span.start);
        (self.model, self.diagnostics)
    }

    /// Adds a diagnostic.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        cancellation::poll();
        self.diagnostics.push(diagnostic);
    }

    pub(crate) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Reports a part of the language that is not implemented.
    pub(crate) fn refuse(&mut self, span: Span, what: &str) {
        let text = format!("{what}: not in this version");
        self.error(codes::NOT_IN_THIS_VERSION, span, text);
    }
}

/// The unit that occurs most often in a file; of several, the smallest. The Model stores all times in it.
pub(crate) fn unit_of(units: &[Unit]) -> Option<Unit> {
    let often = |unit: &Unit| units.iter().filter(|u| *u == unit).count();
    let mut all = units.to_vec();
    all.sort_unstable();
    // `max_by_key` returns the last maximum, which is the smallest unit in the reversed order.
    all.iter().rev().max_by_key(|unit| often(unit)).copied()
}
