//! Constants of nodes become frozen variables. They have every value of their type, or the values that the check gives.

use crate::context::lowering::{Lowering, Slot};
use machine::{BinaryOp, Expr as M, FrozenId, FrozenVar, NodeId, Order, Type, Value};
use model::{Domain, FieldId, KindId, SettingKind};
use source::{Diagnostic, Span, codes};

impl Lowering<'_> {
    /// Adds the frozen variables for the constants of nodes.
    pub(crate) fn constants(&mut self) {
        for index in 0..self.model.kinds.len() as u32 {
            let kind = KindId(index);
            for constant in &self.body(kind).constants {
                let ty = self.ty(&constant.domain);
                self.add_parts(kind, &ty, constant.span);
                let given = match constant.domain {
                    // With strangers, only the order of the given ids is fixed, not the ids: see `order_of_ids`.
                    Domain::Id if self.instance.strangers > 0 => None,
                    Domain::Id => self.given_ids(kind),
                    _ => self.given_values(kind, constant.field, &ty),
                };
                let order = match given {
                    Some(values) => Order::Given(values),
                    None if constant.domain == Domain::Id => Order::Arrangement,
                    None => Order::Every,
                };
                let id = FrozenId(self.machine.frozen_vars.len() as u32);
                self.slots
                    .fields
                    .insert((kind, constant.field), Slot::Frozen(id));
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

    /// The ids that the check gives, one number for each node, and the same numbers sorted. `None` if it gives none,
    /// or after a reported error.
    pub(crate) fn numbers_for_ids(&mut self) -> Option<(Vec<i64>, Vec<i64>)> {
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

    /// With strangers: the condition that the ids of the nodes are in the given order. The ids of strangers may be
    /// anywhere between them. `None` without strangers or given ids.
    pub(crate) fn order_of_ids(&mut self) -> Option<M> {
        if self.instance.strangers == 0 {
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

    /// The given ids of the nodes of a kind, as ranks among all ids, from 1. `None` if the check gives none.
    pub(crate) fn given_ids(&mut self, kind: KindId) -> Option<Vec<Value>> {
        let (numbers, order) = self.numbers_for_ids()?;
        self.origins.labels.ids = order.iter().map(|id| format!("#{id}")).collect();
        let nodes = self.machine.nodes_of(machine::KindId(kind.0));
        let places = nodes.map(|node| {
            let place = order.partition_point(|id| *id < numbers[node.index()]);
            Value::Id(place as u32 + 1)
        });
        Some(places.collect())
    }

    /// The given values of a constant at the nodes of a kind. `None` if the check gives none, or after a reported
    /// error.
    pub(crate) fn given_values(
        &mut self,
        kind: KindId,
        field: FieldId,
        ty: &Type,
    ) -> Option<Vec<Value>> {
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

    pub(crate) fn expect_length(
        &mut self,
        found: usize,
        wanted: usize,
        of: &str,
        span: Span,
    ) -> Option<()> {
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
}
