//! The Machine's parts in order: nodes, types, constants, variables, network, questions, code.

use crate::counters::Counters;
use crate::data::uses_ids;
use crate::exprs::Names;
use crate::network::{MOST_NODES, size};
use crate::origins::Origins;
use crate::request::no_value;
use crate::variety::topology;
use crate::{Lowered, OneGraph, Request};
use machine::{
    BinaryOp, Enum, Expr as M, FrozenId, FrozenVar, Init, Kind, Machine, NodeId, Order, Type,
    Value, Var, VarId,
};
use model::{
    Body, Check, Constant, Domain, Environment, Expr, ExprKind, FieldId, FieldRole, KindId, LetId,
    LocalId, Model, ParamId, SettingKind, TimerId, Topology, TopologyShape, VarStart, evaluate,
};
use source::{Diagnostic, Sources, Span, codes};
use std::cell::RefCell;
use std::collections::HashMap;

/// What is being built, and what is known.
pub(crate) struct Lowering<'a> {
    pub(crate) model: &'a Model,
    pub(crate) check: &'a Check,
    pub(crate) params: Vec<Option<Constant>>,
    /// The values for which claims are asked, where the check seeks one of their arguments.
    pub(crate) sought: Vec<Constant>,
    /// Which of the networks that the check is about.
    pub(crate) topology: Option<&'a Topology>,
    pub(crate) graph: Option<OneGraph>,
    pub(crate) strangers: u32,
    /// How many restrictions of the initial states are about the instance alone.
    pub(crate) about_instances: usize,
    pub(crate) machine: Machine,
    pub(crate) origins: Origins<'a>,
    pub(crate) fields: HashMap<(KindId, FieldId), Slot>,
    pub(crate) timers: HashMap<(KindId, TimerId), machine::TimerId>,
    pub(crate) counters: Counters,
    /// Whether rhythms have real times, and where that was seen first.
    pub(crate) rhythms: Option<(bool, Span)>,
    /// Whose code is being lowered.
    pub(crate) current_kind: Option<KindId>,
    pub(crate) problems: Vec<Diagnostic>,
    /// Which abbreviations count something, as far as that has been asked.
    pub(crate) counting_lets: RefCell<HashMap<LetId, bool>>,
    /// How many abbreviations have been written out, and how deep this one is inside others.
    pub(crate) expansions: (u32, u32),
    /// How many abbreviations have been searched for bounds of counts.
    pub(crate) looked_into: u32,
}

/// Where a field of a node has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Var(VarId),
    Frozen(FrozenId),
}

impl<'a> Lowering<'a> {
    pub(crate) fn new(model: &'a Model, sources: &'a Sources, request: &Request) -> Lowering<'a> {
        Lowering {
            model,
            check: &model.checks[request.check],
            params: request.params.iter().cloned().map(Some).collect(),
            sought: request.sought.clone(),
            topology: topology(model, &model.checks[request.check], request.topology),
            graph: request.graph.clone(),
            strangers: request.strangers,
            about_instances: 0,
            machine: Machine::default(),
            origins: Origins::new(sources, model.unit),
            fields: HashMap::new(),
            timers: HashMap::new(),
            counters: Counters::default(),
            rhythms: None,
            current_kind: None,
            problems: Vec::new(),
            counting_lets: RefCell::default(),
            expansions: (0, 0),
            looked_into: 0,
        }
    }

    /// Everything, in the order in which one part needs another.
    pub(crate) fn run(mut self) -> Result<Lowered, Vec<Diagnostic>> {
        self.nodes();
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        self.types();
        self.constants();
        // First values may mention `next`.
        self.network();
        self.faults();
        self.timers();
        self.variables();
        // Questions come before code: they say what the code has to count.
        self.questions();
        self.finish_counters();
        // Whatever counts in an inbox counts copies: names for such numbers have their range.
        self.machine.inbox.copies = true;
        self.blocks();
        self.machine.inbox.copies = self.counts_copies();
        self.classes();
        if self.problems.is_empty() {
            Ok(Lowered {
                machine: self.machine,
                labels: self.origins.labels,
                about_instances: self.about_instances,
            })
        } else {
            Err(self.problems)
        }
    }

    /// The node that a kind has in this check: its variant's, if one is chosen.
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

    /// The number that a constant expression is.
    pub(crate) fn number(&mut self, e: &Expr) -> Option<i64> {
        match self.constant(e)? {
            Constant::Int(i) => Some(i),
            _ => None,
        }
    }

    pub(crate) fn constant(&mut self, e: &Expr) -> Option<Constant> {
        self.constant_with(e, &HashMap::new())
    }

    /// The same where some bound names have values.
    pub(crate) fn constant_with(
        &mut self,
        e: &Expr,
        known: &HashMap<LocalId, Constant>,
    ) -> Option<Constant> {
        let mut env = Environment::new(self.model, &self.params);
        for (local, value) in known {
            env = env.with(*local, value.clone());
        }
        let value = evaluate(e, &env);
        value.map_err(|error| self.report(no_value(&error))).ok()
    }

    /// How many nodes there are of each kind, and what they are called.
    fn nodes(&mut self) {
        let topology = self.topology;
        let env = Environment::new(self.model, &self.params);
        let wanted = match topology.map_or(Ok(None), |topology| size(topology, &env)) {
            Ok(wanted) => wanted,
            Err(problem) => return self.report(problem),
        };
        let graph = self.graph.as_ref().filter(|_| self.model.kinds.len() == 1);
        // A connected graph with that many nodes; one of `every graph` may be of any size.
        let of_graph = graph.map(|graph| {
            let ends = graph.edges.iter().map(|(_, b)| i64::from(*b) + 1);
            ends.max().unwrap_or(1)
        });
        for kind in &self.model.kinds {
            let (count, span) = match &kind.number {
                Some(number) => (self.number(number), number.span),
                None if self.model.kinds.len() == 1 => {
                    (Some(wanted.or(of_graph).unwrap_or(1)), kind.span)
                }
                None => (Some(1), kind.span),
            };
            let Some(count) = count else {
                continue;
            };
            if !(1..=MOST_NODES).contains(&count) {
                self.report(Diagnostic::error(
                    codes::NODE_COUNT,
                    span,
                    format!("there would be {count} nodes of `{}`", kind.name),
                ));
                continue;
            }
            self.machine.kinds.push(Kind {
                name: kind.name.clone(),
                count: count as u32,
                ignores: Vec::new(),
            });
            for _ in 0..count {
                let nodes = &mut self.origins.labels.nodes;
                let name = if kind.single {
                    kind.name.clone()
                } else {
                    format!("node {}", nodes.len() + 1)
                };
                nodes.push(name);
            }
        }
        let total = i64::from(self.machine.node_count());
        if let (Some(wanted), Some(topology)) = (wanted, topology)
            && self.problems.is_empty()
            && topology.shape != TopologyShape::Edges
            && wanted != total
        {
            let text = format!("the network has {wanted} nodes, but {total} are declared");
            let note = self.fitting(topology, wanted, total);
            self.report(Diagnostic::error(codes::NODE_COUNT, topology.span, text).note(note));
        }
    }

    /// What to write so that there are as many nodes as the network has.
    fn fitting(&self, topology: &Topology, wanted: i64, total: i64) -> String {
        let kinds = &self.model.kinds;
        if kinds.len() == 1 && topology.sizes.len() == 1 {
            return "leave out one of the two numbers".into();
        }
        let counted = kinds.iter().zip(&self.machine.kinds);
        let fits = counted.filter_map(|(kind, built)| {
            let number = kind.number.as_ref()?;
            let fit = wanted - (total - i64::from(built.count));
            Some((kind, number, fit)).filter(|_| fit >= 1)
        });
        let fits: Vec<_> = fits.collect();
        let param = fits.iter().find_map(|(_, number, fit)| match number.kind {
            ExprKind::Param(param) if self.param_can_be(param, *fit) => Some((param, fit)),
            _ => None,
        });
        let own = |s: &model::Setting| {
            matches!(s.kind, SettingKind::Topology(_)) && s.span == topology.span
        };
        let behind_for = self.check.settings.iter().any(own);
        match (param, &fits[..]) {
            (Some((param, fit)), _) => {
                let name = &self.model.param(param).name;
                let network = match behind_for {
                    true => format!(", {}", self.origins.text(topology.span)),
                    false => String::new(),
                };
                format!(
                    "with `{name} = {fit}` there are {wanted}: write `for {name} = {fit}{network}`"
                )
            }
            (None, [(kind, _, fit), ..]) => {
                format!("with `node {}[{fit}]` there would be {wanted}", kind.name)
            }
            (None, []) => {
                let names: Vec<String> = kinds.iter().map(|k| format!("`{}`", k.name)).collect();
                format!(
                    "choose a network with {total} nodes, or another number of {}",
                    names.join(", ")
                )
            }
        }
    }

    /// Whether a check may give a parameter this value.
    fn param_can_be(&self, param: ParamId, value: i64) -> bool {
        let env = Environment::new(self.model, &self.params);
        let end = |e: &Expr| match evaluate(e, &env) {
            Ok(Constant::Int(end)) => Some(end),
            _ => None,
        };
        match &self.model.param(param).domain {
            Domain::Integer => true,
            Domain::Range(from, to) => {
                end(from).is_some_and(|from| from <= value) && end(to).is_some_and(|to| value <= to)
            }
            _ => false,
        }
    }

    fn types(&mut self) {
        if uses_ids(self.model) {
            self.machine.ids = self.machine.node_count() + self.strangers;
        }
        for e in &self.model.enums {
            self.machine.enums.push(Enum {
                name: e.name.clone(),
                values: e.values.clone(),
            });
        }
        self.records();
    }

    /// Constants of nodes: every value, or those that the check gives.
    fn constants(&mut self) {
        for index in 0..self.model.kinds.len() as u32 {
            let kind = KindId(index);
            for constant in &self.body(kind).constants {
                let ty = self.ty(&constant.domain);
                let given = match constant.domain {
                    // Strangers are anywhere among them: see `order_of_ids`.
                    Domain::Id if self.strangers > 0 => None,
                    Domain::Id => self.given_ids(kind),
                    _ => self.given_values(kind, constant.field, &ty),
                };
                let order = match given {
                    Some(values) => Order::Given(values),
                    None if constant.domain == Domain::Id => Order::Arrangement,
                    None => Order::Every,
                };
                let id = FrozenId(self.machine.frozen_vars.len() as u32);
                self.fields.insert((kind, constant.field), Slot::Frozen(id));
                let origin = self.origins.of(constant.span);
                self.machine.frozen_vars.push(FrozenVar {
                    name: self.field_name(kind, constant.field),
                    kind: machine::KindId(index),
                    ty,
                    order,
                    origin,
                });
            }
        }
    }

    fn field_name(&self, kind: KindId, field: FieldId) -> String {
        self.model.kind(kind).fields[field.index()].name.clone()
    }

    /// The numbers that the check gives as ids, one for each node, and the same in order.
    fn numbers_for_ids(&mut self) -> Option<(Vec<i64>, Vec<i64>)> {
        let (values, span) = self.check.settings.iter().find_map(|s| match &s.kind {
            SettingKind::Ids(values) => Some((values, s.span)),
            _ => None,
        })?;
        let total = self.machine.node_count() as usize;
        self.expect_length(values.len(), total, "node", span)?;
        let numbers: Option<Vec<i64>> = values.iter().map(|v| self.number(v)).collect();
        let numbers = numbers?;
        let mut order = numbers.clone();
        order.sort_unstable();
        if let Some(twice) = order.windows(2).find(|pair| pair[0] == pair[1]) {
            self.report(Diagnostic::error(
                codes::EQUAL_IDS,
                span,
                format!("two nodes have the id {}: ids are all different", twice[0]),
            ));
            return None;
        }
        Some((numbers, order))
    }

    /// Where ids are given and strangers' are anywhere among them: that the nodes' are in this order.
    pub(crate) fn order_of_ids(&mut self) -> Option<M> {
        if self.strangers == 0 {
            return None;
        }
        let (numbers, _) = self.numbers_for_ids()?;
        let machine = &self.machine;
        let ids = machine.frozen_vars.iter().enumerate();
        let ids = ids.filter(|(_, frozen)| frozen.order == Order::Arrangement);
        let ids = ids.flat_map(|(index, frozen)| {
            let nodes = machine.nodes_of(frozen.kind);
            nodes.map(move |node| (node, FrozenId(index as u32)))
        });
        let mut ids: Vec<(NodeId, FrozenId)> = ids.collect();
        ids.sort_by_key(|(node, _)| numbers[node.index()]);
        let id = |(node, frozen): &(NodeId, FrozenId)| M::Frozen(*frozen, Box::new(M::node(*node)));
        let pairs = ids.windows(2);
        let pairs = pairs.map(|pair| id(&pair[0]).binary(BinaryOp::Lt, id(&pair[1])));
        pairs.reduce(|a, b| a.binary(BinaryOp::And, b))
    }

    /// The ids of the nodes of a kind, by their place in the order, if the check gives them.
    fn given_ids(&mut self, kind: KindId) -> Option<Vec<Value>> {
        let (numbers, order) = self.numbers_for_ids()?;
        self.origins.labels.ids = order.iter().map(|id| format!("#{id}")).collect();
        let nodes = self.machine.nodes_of(machine::KindId(kind.0));
        let places = nodes.map(|node| {
            let place = order.partition_point(|id| *id < numbers[node.index()]);
            Value::Id(place as u32 + 1)
        });
        Some(places.collect())
    }

    /// The values of a constant at the nodes of a kind, if the check gives them.
    fn given_values(&mut self, kind: KindId, field: FieldId, ty: &Type) -> Option<Vec<Value>> {
        let (owners, values, span) = self.check.settings.iter().find_map(|s| match &s.kind {
            SettingKind::Constants(owners, values) if owners.contains(&(kind, field)) => {
                Some((owners, values, s.span))
            }
            _ => None,
        })?;
        let count = |kind: KindId| self.machine.kinds[kind.index()].count as usize;
        let total = owners.iter().map(|(k, _)| count(*k)).sum();
        let before = owners.iter().take_while(|(k, _)| *k != kind);
        let first: usize = before.map(|(k, _)| count(*k)).sum();
        let own = first..first + count(kind);
        let name = format!("node with `{}`", self.field_name(kind, field));
        self.expect_length(values.len(), total, &name, span)?;
        let mut given = Vec::new();
        for value in &values[own] {
            let constant = self.constant(value)?;
            let constant = self.value(&constant);
            if !self.machine.is_of(&constant, ty) {
                self.report(Diagnostic::error(
                    codes::OUT_OF_RANGE,
                    value.span,
                    "with these parameters the value is outside its range",
                ));
                return None;
            }
            given.push(constant);
        }
        Some(given)
    }

    fn expect_length(&mut self, found: usize, wanted: usize, of: &str, span: Span) -> Option<()> {
        if found == wanted {
            return Some(());
        }
        let values = if found == 1 { "value" } else { "values" };
        self.report(Diagnostic::error(
            codes::WRONG_LENGTH,
            span,
            format!("one value per {of}: here are {found} {values}, and {wanted} are needed"),
        ));
        None
    }

    /// The timers that the nodes of each kind have in this check.
    fn timers(&mut self) {
        for index in 0..self.model.kinds.len() as u32 {
            let kind = KindId(index);
            for timer in &self.body(kind).timers {
                let declared = &self.model.kind(kind).timers[timer.index()];
                self.has_times(declared.span);
                let id = machine::TimerId(self.machine.timers.len() as u32);
                self.timers.insert((kind, *timer), id);
                let origin = self.origins.of(declared.span);
                self.machine.timers.push(machine::Timer {
                    name: declared.name.clone(),
                    kind: machine::KindId(index),
                    per_node: declared.per_node,
                    origin,
                });
            }
        }
    }

    fn variables(&mut self) {
        for index in 0..self.model.kinds.len() as u32 {
            let kind = KindId(index);
            self.current_kind = Some(kind);
            for var in &self.body(kind).vars {
                let ty = self.ty(&var.domain);
                let mut names = Names::of_node();
                names.numbers = true;
                let init = match &var.start {
                    VarStart::Any => Init::Any,
                    VarStart::AnyIn(set) => {
                        let set = self.expr(set, &mut names);
                        Init::AnyIn(names.scope, set)
                    }
                    VarStart::Value(value) => {
                        let value = self.expr(value, &mut names);
                        Init::Value(names.scope, value)
                    }
                };
                let id = VarId(self.machine.vars.len() as u32);
                self.fields.insert((kind, var.field), Slot::Var(id));
                let role = self.model.kind(kind).fields[var.field.index()].role;
                let origin = self.origins.of(var.span);
                self.machine.vars.push(Var {
                    name: self.field_name(kind, var.field),
                    kind: machine::KindId(index),
                    ty,
                    init,
                    ghost: role == FieldRole::Ghost,
                    persistent: var.persistent,
                    origin,
                });
            }
        }
        self.current_kind = None;
    }
}
