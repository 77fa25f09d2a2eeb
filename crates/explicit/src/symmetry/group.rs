//! The symmetry group of an instance: the permutations of nodes that preserve kinds, network and frozen values, and fix
//! all nodes that the Machine names.
//!
//! `applicability.rs` decides whether code and properties are invariant under these permutations.

use crate::defects::{Defect, broken};
use crate::program::compiled_machine::CompiledMachine;
use crate::symmetry::canonical_form::{Group, orders};
use crate::symmetry::node_names::NodeNames;
use machine::{Expr, Frozen, FrozenId, Machine, MapId, NodeId, Order, named_nodes};
use std::collections::BTreeSet;
use verdict::NodeCone;

/// The greatest number of permutations in a list.
const MOST_LISTED: usize = 2_000;

/// The greatest number of steps in the enumeration of permutations.
const MOST_STEPS: usize = 200_000;

/// What a permutation must preserve.
struct Network {
    nodes: usize,
    /// By node: a number that is equal for two nodes if neither is named by the Machine and they have the same kind,
    /// frozen values, fault and period.
    sorts: Vec<usize>,
    /// By pair of nodes: whether there is an edge from the first to the second.
    joined: Vec<Vec<bool>>,
    /// Maps from nodes to nodes that the Machine uses.
    maps: Vec<Vec<NodeId>>,
    /// Frozen variables whose values contain node names: the positions of the names, and by node the number of its
    /// value.
    naming: Vec<(NodeNames, Vec<Option<i64>>)>,
}

/// The nodes that the Machine names.
fn named(machine: &Machine) -> BTreeSet<NodeId> {
    let mut seen = machine.clone();
    if broken(Defect::NamesInClaimsIgnored) {
        seen.properties.clear();
    }
    if broken(Defect::NamesAtFirstIgnored) {
        seen.initially.clear();
        let any = |var: &mut machine::Var| var.init = machine::Init::Any;
        seen.vars.iter_mut().for_each(any);
    }
    named_nodes(&seen)
}

/// The maps from nodes to nodes and the frozen variables that the Machine uses.
fn used(machine: &Machine) -> (BTreeSet<MapId>, BTreeSet<FrozenId>) {
    let (mut maps, mut read) = (BTreeSet::new(), BTreeSet::new());
    machine.each_expr(&mut |e| match e {
        Expr::Map(map, _) => drop(maps.insert(*map)),
        Expr::Frozen(frozen, _) => drop(read.insert(*frozen)),
        _ => {}
    });
    if broken(Defect::MapsIgnored) {
        maps.clear();
    }
    (maps, read)
}

impl Network {
    /// What a permutation that acts on all instances together must preserve. The values of frozen variables are
    /// preserved only if they are given, because other values range over all permutations anyway. `None` if a frozen
    /// variable names nodes.
    fn of_all(machine: &Machine) -> Option<Network> {
        let (maps, read) = used(machine);
        let frozen_vars = read
            .iter()
            .map(|frozen| &machine.frozen_vars[frozen.index()]);
        let mut given = vec![Vec::new(); machine.node_count() as usize];
        for frozen in frozen_vars {
            let codec = crate::state::codec::Codec { machine };
            if !matches!(NodeNames::new(codec, &frozen.ty), Ok(None)) {
                return None;
            }
            if let Order::Given(values) = &frozen.order {
                let own = machine.nodes_of(frozen.kind).zip(values);
                own.for_each(|(node, value)| given[node.index()].push(value));
            }
        }
        let alike = |a: NodeId, b: NodeId| given[a.index()] == given[b.index()];
        Some(Network::with(machine, &maps, &alike, Vec::new()))
    }

    /// What a permutation must preserve. `alike(a, b)`: whether two nodes have equal frozen values, faults and periods.
    /// `naming`: frozen values that name nodes.
    fn with(
        machine: &Machine,
        maps: &BTreeSet<MapId>,
        alike: &dyn Fn(NodeId, NodeId) -> bool,
        naming: Vec<(NodeNames, Vec<Option<i64>>)>,
    ) -> Network {
        let nodes = machine.node_count() as usize;
        let named = named(machine);
        let alike = |a: NodeId, b: NodeId| {
            machine.kind_of(a) == machine.kind_of(b)
                && (a == b || !named.contains(&a) && !named.contains(&b))
                && alike(a, b)
        };
        let first_alike = |node: NodeId| machine.nodes().find(|first| alike(*first, node));
        let sorts = machine
            .nodes()
            .map(|node| first_alike(node).unwrap_or(node));
        let mut joined = vec![vec![false; nodes]; nodes];
        for (a, b) in &machine.edges {
            joined[a.index()][b.index()] = true;
        }
        let maps = maps.iter().map(|map| machine.maps[map.index()].to.clone());
        Network {
            nodes,
            sorts: sorts.map(NodeId::index).collect(),
            joined,
            maps: maps.collect(),
            naming,
        }
    }

    /// What a permutation must preserve in one instance.
    fn new(
        compiled: &CompiledMachine<'_>,
        frozen: &Frozen,
        cone: Option<&[NodeCone]>,
    ) -> Result<Network, String> {
        let machine = compiled.machine;
        let nodes = machine.node_count() as usize;
        let (maps, read) = used(machine);
        let mut naming = Vec::new();
        let mut plain: Vec<Vec<&machine::Value>> = vec![Vec::new(); nodes];
        for frozen_id in read.iter().filter(|_| !broken(Defect::FrozenIgnored)) {
            let var = &machine.frozen_vars[frozen_id.index()];
            let values = &frozen.values[frozen_id.index()];
            let own = machine.nodes_of(var.kind).zip(values);
            match NodeNames::new(compiled.codec, &var.ty)? {
                None => own.for_each(|(node, value)| plain[node.index()].push(value)),
                Some(moves) => {
                    let mut numbers = vec![None; nodes];
                    for (node, value) in own {
                        numbers[node.index()] = Some(compiled.codec.encode(&var.ty, value));
                    }
                    naming.push((moves, numbers));
                }
            }
        }
        let alike = |a: NodeId, b: NodeId| {
            plain[a.index()] == plain[b.index()]
                && (frozen.fault(a) == frozen.fault(b) || broken(Defect::FrozenIgnored))
                && frozen.period(a) == frozen.period(b)
                && cone.is_none_or(|all| all[a.index()] == all[b.index()])
        };
        Ok(Network::with(machine, &maps, &alike, naming))
    }

    /// Whether a permutation preserves kinds, edges, maps and frozen values, and fixes named nodes.
    fn preserves(&self, to: &[u32]) -> bool {
        let new = |node: usize| to[node] as usize;
        (0..self.nodes).all(|a| {
            self.sorts[a] == self.sorts[new(a)]
                && (0..self.nodes).all(|b| self.joined[a][b] == self.joined[new(a)][new(b)])
                && self
                    .maps
                    .iter()
                    .all(|map| map[new(a)].index() == new(map[a].index()))
                && self.naming.iter().all(|(naming, numbers)| {
                    numbers[new(a)] == numbers[a].map(|number| naming.renamed(number, to))
                })
        })
    }

    /// The classes of at least two nodes such that any two nodes of a class can be exchanged.
    fn classes(&self) -> Vec<Vec<u32>> {
        let mut classes: Vec<Vec<u32>> = Vec::new();
        for node in 0..self.nodes as u32 {
            let exchanged = |first: u32| {
                let mut to: Vec<u32> = (0..self.nodes as u32).collect();
                to.swap(first as usize, node as usize);
                to
            };
            match classes
                .iter_mut()
                .find(|class| self.preserves(&exchanged(class[0])))
            {
                Some(class) => class.push(node),
                None => classes.push(vec![node]),
            }
        }
        classes.retain(|class| class.len() > 1);
        classes
    }

    /// All permutations that satisfy [`Network::preserves`]; `None` if there are too many.
    fn all(&self) -> Option<Vec<Vec<u32>>> {
        let (mut found, mut steps) = (Vec::new(), 0);
        self.extend(&mut Vec::new(), &mut found, &mut steps);
        (found.len() <= MOST_LISTED && steps <= MOST_STEPS).then_some(found)
    }

    /// Enumerates the extensions of a permutation of the first nodes.
    fn extend(&self, begun: &mut Vec<u32>, found: &mut Vec<Vec<u32>>, steps: &mut usize) {
        cancellation::poll();
        *steps += 1;
        if found.len() > MOST_LISTED || *steps > MOST_STEPS {
            return;
        }
        let node = begun.len();
        if node == self.nodes {
            if self.preserves(begun) {
                found.push(begun.clone());
            }
            return;
        }
        for to in 0..self.nodes {
            let same_edges = || {
                begun.iter().enumerate().all(|(b, image)| {
                    let image = *image as usize;
                    self.joined[b][node] == self.joined[image][to]
                        && self.joined[node][b] == self.joined[to][image]
                })
            };
            if self.sorts[node] == self.sorts[to]
                && self.joined[node][node] == self.joined[to][to]
                && !begun.contains(&(to as u32))
                && same_edges()
            {
                begun.push(to as u32);
                self.extend(begun, found, steps);
                begun.pop();
            }
        }
    }
}

/// Whether each of `nodes` can be mapped to `first` by a permutation that acts on all instances together; `None` if
/// this could not be determined.
pub(crate) fn are_interchangeable(
    machine: &Machine,
    first: NodeId,
    nodes: &[NodeId],
) -> Option<bool> {
    let network = Network::of_all(machine)?;
    let classes = network.classes();
    let first = first.0;
    let class = classes.iter().find(|class| class.contains(&first));
    let in_class = |node: &NodeId| node.0 == first || class.is_some_and(|c| c.contains(&node.0));
    if nodes.iter().all(in_class) {
        return Some(true);
    }
    let all = network.all()?;
    let renamed = |node: &NodeId| all.iter().any(|to| to[node.index()] == first);
    Some(nodes.iter().all(renamed))
}

/// The symmetry group of an instance; `None` if it is trivial.
pub(crate) fn group(
    compiled: &CompiledMachine<'_>,
    frozen: &Frozen,
    cone: Option<&[NodeCone]>,
) -> Result<Option<Group>, String> {
    let network = Network::new(compiled, frozen, cone)?;
    let classes = network.classes();
    let sizes = classes.iter().map(|class| orders(class.len()));
    let size = sizes.fold(1usize, usize::saturating_mul);
    // The list of all permutations is used if it is short and contains more than the permutations within classes.
    let listed = match size <= MOST_LISTED {
        true => network.all().filter(|all| all.len() > size),
        false => None,
    };
    Ok(match listed {
        Some(all) => Some(Group::Listed(all)),
        None if classes.is_empty() => None,
        None => Some(Group::Classes(classes)),
    })
}
