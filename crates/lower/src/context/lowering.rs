//! The state of lowering: the Model, the instance, the Machine so far, and the diagnostics.

use crate::context::counts::Counters;
use crate::context::origins::Origins;
use crate::context::size::OpenSize;
use crate::instances::networks::topology;
use crate::instances::request::{OneGraph, Request, no_value};
use machine::{FrozenId, Machine, VarId};
use model::{
    Body, Check, Constant, Environment, Expr, FieldId, KindId, LocalId, Model, TimerId, Topology,
    evaluate,
};
use source::{Diagnostic, Sources, Span, codes};
use std::collections::HashMap;

/// The state of lowering one request.
pub(crate) struct Lowering<'a> {
    pub(crate) model: &'a Model,
    pub(crate) check: &'a Check,
    pub(crate) instance: Instance<'a>,
    /// The number of restrictions of the initial states so far that constrain only the instance.
    pub(crate) instance_restrictions: usize,
    pub(crate) machine: Machine,
    pub(crate) origins: Origins<'a>,
    pub(crate) slots: Slots,
    pub(crate) counters: Counters,
    /// Whether the check has real times (true) or rounds (false), and the span that determines it; `None` if not
    /// determined.
    pub(crate) real_times: Option<(bool, Span)>,
    /// The kind whose code is being lowered.
    pub(crate) current_kind: Option<KindId>,
    pub(crate) problems: Vec<Diagnostic>,
    /// The number of abbreviations and functions expanded so far, and the nesting depth of the current expansion.
    pub(crate) expansions: (u32, u32),
}

/// What a request fixes: parameter values and a network.
pub(crate) struct Instance<'a> {
    /// The value of each parameter; `None` if it depends on an open size.
    pub(crate) params: Vec<Option<Constant>>,
    /// The open size, if an open Machine is made.
    pub(crate) open: Option<OpenSize>,
    /// The values of the sought argument of the claims; empty if no argument is sought.
    pub(crate) searched: Vec<Constant>,
    /// The topology of the instance; `None` without a network.
    pub(crate) topology: Option<&'a Topology>,
    pub(crate) graph: Option<OneGraph>,
    pub(crate) strangers: u32,
}

/// Which variable or timer of the Machine represents each field or timer of the Model.
#[derive(Default)]
pub(crate) struct Slots {
    pub(crate) fields: HashMap<(KindId, FieldId), Slot>,
    pub(crate) timers: HashMap<(KindId, TimerId), machine::TimerId>,
    /// The number of parts of all variables so far, in all nodes; above `MOST_PARTS` after a reported error.
    pub(crate) parts: u128,
}

/// The variable of the Machine that holds a field of a node: an ordinary or a frozen one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Var(VarId),
    Frozen(FrozenId),
}

impl<'a> Lowering<'a> {
    pub(crate) fn new(model: &'a Model, sources: &'a Sources, request: &Request) -> Lowering<'a> {
        let check = &model.checks[request.check];
        Lowering {
            model,
            check,
            instance: Instance {
                params: request.params.iter().cloned().map(Some).collect(),
                open: None,
                searched: request.searched.clone(),
                topology: topology(model, check, request.topology),
                graph: request.graph.clone(),
                strangers: request.strangers,
            },
            instance_restrictions: 0,
            machine: Machine::default(),
            origins: Origins::new(sources, model.unit),
            slots: Slots::default(),
            counters: Counters::default(),
            real_times: None,
            current_kind: None,
            problems: Vec::new(),
            expansions: (0, 0),
        }
    }

    /// The body of a kind in this check: the body of its variant, if the check selects one.
    pub(crate) fn body(&self, kind: KindId) -> &'a Body {
        let variants = self.check.variants.iter().map(|v| self.model.variant(*v));
        variants
            .filter(|v| v.of == kind)
            .map(|v| &v.body)
            .next()
            .unwrap_or(&self.model.kind(kind).body)
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.problems.contains(&diagnostic) {
            self.problems.push(diagnostic);
        }
    }

    /// The number that a constant expression has. Reports an expression without a value and returns `None`.
    pub(crate) fn number(&mut self, e: &Expr) -> Option<i64> {
        match self.constant(e)? {
            Constant::Int(i) => Some(i),
            _ => None,
        }
    }

    pub(crate) fn constant(&mut self, e: &Expr) -> Option<Constant> {
        self.constant_with(e, &HashMap::new())
    }

    /// The value of a constant expression, in which the names in `known` have values. Reports an expression without a
    /// value and returns `None`.
    pub(crate) fn constant_with(
        &mut self,
        e: &Expr,
        known: &HashMap<LocalId, Constant>,
    ) -> Option<Constant> {
        let mut env = Environment::new(self.model, &self.instance.params);
        for (local, value) in known {
            env = env.with(*local, value.clone());
        }
        let value = evaluate(e, &env);
        value.map_err(|error| self.report(no_value(&error))).ok()
    }

    /// The number that a constant expression has at the size that is lowered; only for numbers that an open Machine
    /// represents for every size.
    pub(crate) fn sized_number(&mut self, e: &Expr) -> Option<i64> {
        let value = evaluate(e, &Environment::new(self.model, self.sized()));
        let value = value.map_err(|error| self.report(no_value(&error))).ok()?;
        value.as_int()
    }

    pub(crate) fn field_name(&self, kind: KindId, field: FieldId) -> String {
        self.model.kind(kind).fields[field.index()].name.clone()
    }

    /// Reports a part of the language that is not implemented.
    pub(crate) fn refuse(&mut self, span: Span, what: &str) {
        let text = format!("{what}: not in this version");
        self.report(Diagnostic::error(codes::NOT_IN_THIS_VERSION, span, text));
    }
}
