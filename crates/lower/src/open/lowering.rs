//! The open Machine of a request with `every p`.
//!
//! The check is lowered at its least size, with the size parameter as an expression; parameters that are computed from
//! it have no values. So each use of the size either has a form that an open Machine represents, or is refused. Other
//! dependences on the number of nodes, such as the range of a local, are found by comparison with plain lowering at
//! three sizes: an open Machine that differs is refused.

use crate::context::lowering::Lowering;
use crate::context::size::{NotOpen, OpenSize};
use crate::{Request, build, lower};
use machine::{
    Block, EdgeRule, Machine, MapRule, OpenMachine, Shape, SizeParameter, Var, verify_open,
};
use model::{Domain, Expr, Model, ParamId, SettingKind, TopologyShape};
use source::{Diagnostic, Sources, Span};
use verdict::Labels;

/// The number of sizes, from the least one, at which the open Machine is compared with plain lowering.
const COMPARED: u32 = 3;

/// An open Machine with the labels of its origins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenLowered {
    /// The open Machine. Its properties are as in [`Lowered`](crate::Lowered).
    pub machine: OpenMachine,
    /// The labels of the Machine at the least size.
    pub labels: Labels,
}

/// The open Machine of a request with `every p`, or why there is none.
pub fn open(model: &Model, sources: &Sources, request: &Request) -> Result<OpenLowered, NotOpen> {
    let [param] = request.every[..] else {
        return refuse("`every` is about several parameters", None);
    };
    let name = &model.param(param).name;
    let least = request.params[param.index()].as_int();
    let least = least.and_then(|least| u32::try_from(least).ok());
    let Some(least) = least.filter(|least| *least >= 1) else {
        return refuse(format!("`{name}` begins below 1"), None);
    };
    if request.graph.is_some() || request.every_graph {
        return refuse("the network is one of several graphs", None);
    }
    let at = |n: u32| request.at(model, i64::from(n));
    let first = at(least).map_err(|problems| of(&problems))?;
    let (open, fixed) = OpenSize::new(
        model,
        param,
        &first.row,
        first.params.iter().cloned().map(Some).collect(),
    );
    no_dependent_setting(model, &first, &open)?;
    let mut lowering = Lowering::new(model, sources, &first);
    (lowering.instance.open, lowering.instance.params) = (Some(open), fixed);
    build(&mut lowering);
    let refused = lowering.instance.open.as_mut();
    if let Some(refused) = refused.and_then(|open| open.refused.take()) {
        return Err(refused);
    }
    if !lowering.problems.is_empty() {
        return Err(of(&lowering.problems));
    }
    let edges = edge_rule(&lowering)?;
    let size = SizeParameter {
        name: name.clone(),
        least,
    };
    let machine = opened(&mut lowering, size, edges)?;
    if let Err(error) = verify_open(&machine) {
        return refuse(
            format!("the Machines of all sizes have no common form: {error}"),
            None,
        );
    }
    for n in least..least.saturating_add(COMPARED) {
        let sized = at(n).map_err(|problems| of(&problems))?;
        let lowered = lower(model, sources, &sized).map_err(|problems| of(&problems))?;
        let same = machine.at(n);
        if lowered.machine != same {
            let what = difference(&lowered.machine, &same);
            return refuse(format!("{what} depends on `{name}`"), None);
        }
    }
    let labels = lowering.origins.labels;
    Ok(OpenLowered { machine, labels })
}

fn refuse<T>(what: impl Into<String>, place: Option<Span>) -> Result<T, NotOpen> {
    let what = what.into();
    Err(NotOpen { what, place })
}

/// The first of several diagnostics as a refusal.
fn of(problems: &[Diagnostic]) -> NotOpen {
    match problems.first() {
        Some(problem) => NotOpen {
            what: problem.message.clone(),
            place: Some(problem.primary.span),
        },
        None => NotOpen {
            what: "lowering fails".into(),
            place: None,
        },
    }
}

/// Refuses clauses of `for`, parameters and ranges of claims' parameters that depend on the size, because they are
/// computed for one size only. Refuses also lists of values for nodes.
fn no_dependent_setting(model: &Model, request: &Request, open: &OpenSize) -> Result<(), NotOpen> {
    let name = &model.param(open.param).name;
    let check = &model.checks[request.check];
    let mut used: Vec<&Expr> = Vec::new();
    for setting in &check.settings {
        match &setting.kind {
            SettingKind::Param(_, e)
            | SettingKind::ParamIn(_, e)
            | SettingKind::Strangers(e)
            | SettingKind::StrangersIn(e) => used.push(e),
            SettingKind::Ids(values) | SettingKind::Constants(_, values) => {
                let text = format!("one value for each node, which depends on `{name}`,");
                let place = values.first().map(|e| e.span);
                return refuse(format!("{text} is given"), place.or(Some(setting.span)));
            }
            SettingKind::Every(_) | SettingKind::EveryGraph | SettingKind::Topology(_) => {}
        }
    }
    for (index, param) in model.params.iter().enumerate() {
        let Domain::Range(low, high) = &param.domain else {
            continue;
        };
        // If only the upper end grows with the size, the range keeps every value that it contains at the least size.
        let grows = matches!(open.affine(model, high), Some((by, _)) if by >= 0);
        used.extend((ParamId(index as u32) != open.param).then_some(&**low));
        used.extend((!grows && ParamId(index as u32) != open.param).then_some(&**high));
        // A parameter whose value depends on the size is compared with its range at one size only.
        if !open.set[index] && open.is_in(model, &param.value) {
            return refuse(
                format!("its range is checked at one `{name}` only"),
                Some(param.value.span),
            );
        }
    }
    let claims = check.question.claims().iter();
    for (_, domain) in claims.flat_map(|claim| &model.claim(claim.claim).parameters) {
        if let Domain::Range(low, high) = domain {
            used.extend([&**low, &**high]);
        }
    }
    match used.into_iter().find(|e| open.is_in(model, e)) {
        Some(e) => refuse(format!("depends on `{name}`"), Some(e.span)),
        None => Ok(()),
    }
}

/// The rule that gives the edges at every size.
fn edge_rule(lowering: &Lowering<'_>) -> Result<EdgeRule, NotOpen> {
    let Some(network) = lowering.network_of_check() else {
        return Ok(EdgeRule::None);
    };
    let topology = lowering.instance.topology.unwrap_or(&network.topology);
    let shape = match topology.shape {
        TopologyShape::Complete => Shape::Complete,
        TopologyShape::Ring => Shape::Ring,
        TopologyShape::Line => Shape::Line,
        TopologyShape::Star => Shape::Star,
        TopologyShape::Grid
        | TopologyShape::Torus
        | TopologyShape::Tree
        | TopologyShape::Graphs
        | TopologyShape::Edges => {
            return refuse(
                "is no network that has one form for every size",
                Some(topology.span),
            );
        }
    };
    Ok(EdgeRule::Joined(shape, network.to_self))
}

/// The lowered Machine without what depends on its size.
fn opened(
    lowering: &mut Lowering<'_>,
    size: SizeParameter,
    edges: EdgeRule,
) -> Result<OpenMachine, NotOpen> {
    let mut base = std::mem::take(&mut lowering.machine);
    let strangers = lowering.instance.strangers;
    let extra_ids = (base.ids > 0).then_some(strangers);
    (base.ids, base.edges) = (0, Vec::new());
    base.maps.iter_mut().for_each(|map| map.to.clear());
    let Some(open) = &mut lowering.instance.open else {
        return refuse("there is no open parameter", None);
    };
    if open.kinds.is_empty() {
        return refuse(
            format!("`{}` is not the number of nodes of a kind", size.name),
            None,
        );
    }
    for kind in &open.kinds {
        base.kinds[kind.index()].count = 0;
    }
    let mut machine = OpenMachine::new(base, size, open.kinds.clone(), extra_ids, edges);
    let [limits, runtime_limits] = std::mem::take(&mut open.limits);
    let faults = machine.base.node_faults.iter_mut().map(|f| &mut f.limit);
    for (limit, of) in faults.zip(&limits) {
        *limit = of.at_every_size();
    }
    let faults = machine.base.runtime_faults.iter_mut().map(|f| &mut f.limit);
    for (limit, of) in faults.zip(&runtime_limits) {
        *limit = of.at_every_size();
    }
    (machine.limits, machine.runtime_limits) = (limits, runtime_limits);
    machine.deadlines = std::mem::take(&mut open.deadlines);
    machine.maps = machine
        .base
        .maps
        .iter()
        .map(|map| match map.name.as_str() {
            "previous" => MapRule::Previous,
            _ => MapRule::Next,
        })
        .collect();
    Ok(machine)
}

/// The first part in which two Machines differ, in words.
fn difference(one: &Machine, other: &Machine) -> String {
    fn first<T: PartialEq>(a: &[T], b: &[T]) -> Option<usize> {
        let differs = (0..a.len().max(b.len())).find(|i| a.get(*i) != b.get(*i));
        differs.filter(|i| *i < a.len())
    }
    let var = |i: usize| {
        let var: &Var = &one.vars[i];
        format!("the range or first value of `{}`", var.name)
    };
    let block = |i: usize| {
        let block: &Block = &one.blocks[i];
        format!("a range or constant in the code of `{}`", block.name)
    };
    let found = first(&one.vars, &other.vars).map(var);
    let found = found.or_else(|| first(&one.blocks, &other.blocks).map(block));
    let property = |i: usize| format!("a range or constant in `{}`", one.properties[i].name);
    let found = found.or_else(|| first(&one.properties, &other.properties).map(property));
    let record = |i: usize| format!("a field of `{}`", one.records[i].name);
    let found = found.or_else(|| first(&one.records, &other.records).map(record));
    let restriction = |_| "what holds at first".to_string();
    let found = found.or_else(|| first(&one.initially, &other.initially).map(restriction));
    found.unwrap_or_else(|| "something about the network or its faults".into())
}
