//! Nodes: the number of nodes of each kind, and their names.

use crate::context::lowering::Lowering;
use crate::instances::topology::{MOST_NODES, size};
use machine::Kind;
use model::{
    Constant, Domain, Environment, Expr, ExprKind, ParamId, SettingKind, Topology, TopologyShape,
    evaluate,
};
use source::{Diagnostic, codes};

impl Lowering<'_> {
    /// Determines the number of nodes of each kind and their names.
    pub(crate) fn nodes(&mut self) {
        let topology = self.instance.topology;
        let env = Environment::new(self.model, self.sized());
        let wanted = match topology.map_or(Ok(None), |topology| size(topology, &env)) {
            Ok(wanted) => wanted,
            Err(problem) => return self.report(problem),
        };
        let graph = self
            .instance
            .graph
            .as_ref()
            .filter(|_| self.model.kinds.len() == 1);
        // The number of nodes of the graph. For `every graph` it is the number of nodes of the representative.
        let of_graph = graph.map(|graph| {
            let ends = graph.edges.iter().map(|(_, b)| i64::from(*b) + 1);
            ends.max().unwrap_or(1)
        });
        for (index, kind) in self.model.kinds.iter().enumerate() {
            let of_topology = topology.and_then(|t| t.sizes.first());
            self.open_kind(kind.number.as_ref().or(of_topology), index);
            let (count, span) = match &kind.number {
                Some(number) => (self.sized_number(number), number.span),
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
        if let Some(topology) = topology {
            self.open_topology(topology);
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

    /// A note on how to make the number of nodes equal to the size of the topology.
    pub(crate) fn fitting(&self, topology: &Topology, wanted: i64, total: i64) -> String {
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

    /// Whether a value is in the declared range of a parameter.
    pub(crate) fn param_can_be(&self, param: ParamId, value: i64) -> bool {
        let env = Environment::new(self.model, &self.instance.params);
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
}
