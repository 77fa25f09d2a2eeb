//! Networks of the instances: one request for each topology, number of strangers and graph.

use crate::instances::graphs;
use crate::instances::graphs::{MOST_GRAPHS, MOST_NODES};
use crate::instances::request::no_value;
use crate::instances::topology::size;
use crate::{OneGraph, Request};
use model::{
    Check, Constant, EdgeEnd, Environment, Expr, Model, Setting, SettingKind, Topology,
    TopologyShape, evaluate, evaluate_set,
};
use source::{Diagnostic, Span, codes};

/// Maximum number of strangers: ids that belong to no node.
const MOST_STRANGERS: i64 = 100;

/// The number of nodes of the Machine that represents `every graph` if the number of nodes is open.
const SHOWN: u32 = 2;

/// The topology of a check: the setting at position `behind_for`, or the topology of its network.
pub(crate) fn topology<'m>(
    model: &'m Model,
    check: &'m Check,
    behind_for: Option<usize>,
) -> Option<&'m Topology> {
    if let Some(place) = behind_for
        && let Some(SettingKind::Topology(topology)) = check.settings.get(place).map(|s| &s.kind)
    {
        return Some(topology);
    }
    let world = check.world.map(|w| model.world(w));
    let own = world.and_then(|w| w.network.as_ref());
    let network = own.or(model.network.as_ref());
    network.map(|network| &network.topology)
}

/// Copies of the request, one for each topology after `for`, number of strangers and graph.
pub(crate) fn on_each_network(
    model: &Model,
    check: &Check,
    request: Request,
) -> Result<Vec<Request>, Diagnostic> {
    let params: Vec<Option<Constant>> = request.params.iter().cloned().map(Some).collect();
    let env = Environment::new(model, &params);
    let mut all = vec![request];
    let settings = check.settings.iter().enumerate();
    let topologies: Vec<(usize, &Topology)> = settings
        .filter_map(|(place, setting)| match &setting.kind {
            SettingKind::Topology(topology) => Some((place, topology)),
            _ => None,
        })
        .collect();
    if !topologies.is_empty() {
        let mut more = Vec::new();
        for request in all {
            for (place, topology) in &topologies {
                let mut request = request.clone();
                let words = words(model, topology, &env)?;
                request.set.push(("network".into(), words));
                request.topology = Some(*place);
                more.push(request);
            }
        }
        all = more;
    }
    if let Some((numbers, span)) = strangers(check, &env)? {
        let mut more = Vec::new();
        for request in all {
            for number in &numbers {
                if !(0..=MOST_STRANGERS).contains(number) {
                    let text =
                        format!("there are 0 to {MOST_STRANGERS} strangers; {number} is outside");
                    return Err(Diagnostic::error(codes::PARAM_OUT_OF_RANGE, span, text));
                }
                let mut request = request.clone();
                request.set.push(("strangers".into(), number.to_string()));
                request.strangers = *number as u32;
                more.push(request);
            }
        }
        all = more;
    }
    let every = |setting: &Setting| setting.kind == SettingKind::EveryGraph;
    let every_graph = check.settings.iter().any(every);
    let mut found = Vec::new();
    for mut request in all {
        request.every_graph = every_graph;
        found.extend(on_each_graph(model, check, request)?);
    }
    Ok(found)
}

/// Copies of the request, one for each graph of a network `graphs`; a single one if the network is not `graphs`.
pub(crate) fn on_each_graph(
    model: &Model,
    check: &Check,
    request: Request,
) -> Result<Vec<Request>, Diagnostic> {
    let graphs = graphs_of_network(model, check, &request)?.into_iter();
    let requests = graphs.map(|graph| Request {
        graph,
        ..request.clone()
    });
    Ok(requests.collect())
}

fn strangers(check: &Check, env: &Environment<'_>) -> Result<Option<(Vec<i64>, Span)>, Diagnostic> {
    let found = check.settings.iter().find_map(|setting| {
        let values = match &setting.kind {
            SettingKind::Strangers(e) => evaluate(e, env).map(|value| vec![value]),
            SettingKind::StrangersIn(set) => evaluate_set(set, env),
            _ => return None,
        };
        Some((values, setting.span))
    });
    let Some((values, span)) = found else {
        return Ok(None);
    };
    let values = values.map_err(|error| no_value(&error))?;
    if values.is_empty() {
        let text = "`strangers` has no value to go through";
        return Err(Diagnostic::error(codes::EMPTY_RANGE, span, text));
    }
    let numbers = values.iter().filter_map(Constant::as_int).collect();
    Ok(Some((numbers, span)))
}

/// The graphs of a network `graphs`; a single `None` if the network is not `graphs`.
pub(crate) fn graphs_of_network(
    model: &Model,
    check: &Check,
    request: &Request,
) -> Result<Vec<Option<OneGraph>>, Diagnostic> {
    let Some(topology) = topology(model, check, request.topology) else {
        return Ok(vec![None]);
    };
    if topology.shape != TopologyShape::Graphs {
        return Ok(vec![None]);
    }
    let params: Vec<Option<Constant>> = request.params.iter().cloned().map(Some).collect();
    let env = Environment::new(model, &params);
    let counts = counts(model, topology, &env)?;
    if request.every_graph {
        let shown = counts.map_or(SHOWN, |counts| {
            counts.iter().sum::<i64>().clamp(1, 1_000) as u32
        });
        return Ok(vec![Some(OneGraph {
            edges: (1..shown).map(|node| (node - 1, node)).collect(),
            number: 1,
            of: 1,
        })]);
    }
    let Some(counts) = counts else {
        return Err(Diagnostic::error(
            codes::GRAPH_SIZE,
            topology.span,
            "`graphs` is every network of some number of nodes, and nothing says how many there are",
        )
        .note("write `graphs(4)`, or `node K[n]` and `for n in 2..5` in the check"));
    };
    let total: i64 = counts.iter().sum();
    if !(1..=i64::from(MOST_NODES)).contains(&total) {
        let text =
            format!("`graphs` goes through networks of 1 to {MOST_NODES} nodes; here are {total}");
        return Err(Diagnostic::error(codes::GRAPH_SIZE, topology.span, text)
            .note("there are 853 networks of 7 nodes and 11117 of 8; name the larger ones that matter: `ring(8)`, `tree(2, 3)`, …"));
    }
    let colours = match request.numbered {
        true => (0..total as usize).collect(),
        false => colours(model, check, &counts, &env)?,
    };
    let Some(all) = graphs::coloured(&colours) else {
        let text = format!(
            "these {total} nodes can be told apart, and there are more than {MOST_GRAPHS} networks of them"
        );
        let why = match request.numbered {
            true => {
                "something here goes by the numbers of nodes: the first one in a `for` whose order matters, or with the \
                 `largest` of what others may have, too"
            }
            false => "nodes of one kind without given constants are not told apart",
        };
        return Err(Diagnostic::error(codes::GRAPH_SIZE, topology.span, text).note(why));
    };
    let of = all.len();
    let graphs = all.iter().enumerate().map(|(index, graph)| {
        Some(OneGraph {
            edges: graphs::edges(graph),
            number: index + 1,
            of,
        })
    });
    Ok(graphs.collect())
}

/// The number of nodes of each kind; `None` if the model does not determine it.
fn counts(
    model: &Model,
    topology: &Topology,
    env: &Environment<'_>,
) -> Result<Option<Vec<i64>>, Diagnostic> {
    let number = |e: &Expr| match evaluate(e, env) {
        Ok(Constant::Int(number)) => Ok(number),
        Ok(_) => Ok(0),
        Err(error) => Err(no_value(&error)),
    };
    let alone = model.kinds.len() == 1;
    let counts = model.kinds.iter().map(|kind| match &kind.number {
        Some(e) => number(e).map(Some),
        None if alone => size(topology, env),
        None => Ok(Some(1)),
    });
    let counts: Result<Vec<Option<i64>>, Diagnostic> = counts.collect();
    Ok(counts?.into_iter().collect())
}

/// The colour of each node. Nodes have the same colour if they are of the same kind and are given the same constants
/// and ids.
fn colours(
    model: &Model,
    check: &Check,
    counts: &[i64],
    env: &Environment<'_>,
) -> Result<Vec<usize>, Diagnostic> {
    let mut looks: Vec<Vec<String>> = Vec::new();
    for (kind, count) in counts.iter().enumerate() {
        looks.extend((0..*count).map(|_| vec![kind.to_string()]));
    }
    let text = |e: &Expr| match evaluate(e, env) {
        Ok(value) => Ok(value.text(model)),
        Err(error) => Err(no_value(&error)),
    };
    for setting in &check.settings {
        let (values, owners): (&[Expr], Vec<usize>) = match &setting.kind {
            SettingKind::Ids(values) => (values, (0..counts.len()).collect()),
            SettingKind::Constants(owners, values) => (
                values,
                owners.iter().map(|(kind, _)| kind.index()).collect(),
            ),
            _ => continue,
        };
        let mut values = values.iter();
        for (node, look) in looks.iter_mut().enumerate() {
            let kind = kind_of(counts, node);
            // A list of the wrong length is reported later.
            if owners.contains(&kind)
                && let Some(value) = values.next()
            {
                look.push(text(value)?);
            }
        }
    }
    let mut known: Vec<Vec<String>> = Vec::new();
    let numbered = looks.into_iter().map(|look| {
        let found = known.iter().position(|other| *other == look);
        found.unwrap_or_else(|| {
            known.push(look);
            known.len() - 1
        })
    });
    Ok(numbered.collect())
}

fn kind_of(counts: &[i64], node: usize) -> usize {
    let mut before = 0;
    for (kind, count) in counts.iter().enumerate() {
        before += *count as usize;
        if node < before {
            return kind;
        }
    }
    counts.len()
}

/// The text of a topology with the values of its numbers: `line(4)`, `edges(1 - 2, 2 to 3)`.
fn words(model: &Model, topology: &Topology, env: &Environment<'_>) -> Result<String, Diagnostic> {
    let number = |e: &Expr| match evaluate(e, env) {
        Ok(value) => Ok(value.as_int().unwrap_or_default().to_string()),
        Err(error) => Err(no_value(&error)),
    };
    let name = match topology.shape {
        TopologyShape::Ring => "ring",
        TopologyShape::Complete => "complete",
        TopologyShape::Line => "line",
        TopologyShape::Star => "star",
        TopologyShape::Grid => "grid",
        TopologyShape::Torus => "torus",
        TopologyShape::Tree => "tree",
        TopologyShape::Graphs => "graphs",
        TopologyShape::Edges => "edges",
    };
    let mut parts = Vec::new();
    for e in &topology.sizes {
        parts.push(number(e)?);
    }
    for edge in &topology.edges {
        let end = |end: &EdgeEnd| match end {
            EdgeEnd::Number(e) => number(e),
            EdgeEnd::The(kind) => Ok(model.kind(*kind).name.clone()),
        };
        let between = if edge.both_ways { "-" } else { "to" };
        parts.push(format!("{} {between} {}", end(&edge.from)?, end(&edge.to)?));
    }
    Ok(match parts.is_empty() {
        true => name.into(),
        false => format!("{name}({})", parts.join(", ")),
    })
}
