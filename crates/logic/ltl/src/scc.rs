//! Strongly connected components of a graph by Tarjan's algorithm (1972), without recursion.

use foldhash::{HashMap, HashMapExt};
use std::convert::Infallible;

/// The node has not been reached yet.
const NEW: u32 = u32::MAX;
/// The component of the node has been reported.
const DONE: u32 = u32::MAX - 1;
/// The node is in the component that is being reported.
const HERE: u32 = u32::MAX - 2;

/// By node: the least arrival number reachable so far (the low link), or one of `NEW`, `DONE` and `HERE`.
pub enum Table {
    /// One entry for each node of the graph.
    Dense(Vec<u32>),
    /// One entry for each node that has been reached.
    Sparse(HashMap<usize, u32>),
}

impl Table {
    /// A table for a graph with this number of nodes.
    pub fn dense(nodes: usize) -> Table {
        Table::Dense(vec![NEW; nodes])
    }

    /// A table for a search that reaches few nodes of a large graph.
    pub fn sparse() -> Table {
        Table::Sparse(HashMap::new())
    }

    #[inline]
    fn get(&self, node: usize) -> u32 {
        match self {
            Table::Dense(all) => all[node],
            Table::Sparse(met) => met.get(&node).copied().unwrap_or(NEW),
        }
    }

    #[inline]
    fn set(&mut self, node: usize, value: u32) {
        match self {
            Table::Dense(all) => all[node] = value,
            Table::Sparse(met) => {
                met.insert(node, value);
            }
        }
    }
}

/// A strongly connected component.
pub struct Component<'c> {
    /// The nodes of the component.
    pub nodes: &'c [usize],
    /// Whether the component has an inner edge.
    pub loops: bool,
    table: &'c Table,
}

impl Component<'_> {
    /// Whether the component contains a node.
    #[inline]
    pub fn contains(&self, node: usize) -> bool {
        self.table.get(node) == HERE
    }
}

/// A node on the depth-first search stack.
struct Frame {
    node: usize,
    arrival: u32,
    /// The index in `ahead` at which its successors begin.
    first: usize,
    /// Whether it has an edge to itself.
    loops: bool,
}

/// Calls `found` for each strongly connected component of the graph that is reachable from the roots, in reverse
/// topological order: a component comes after those to which it has edges. `successors` is called once for each node
/// and appends the successors. An error of a callback ends the search.
pub fn components<E>(
    mut table: Table,
    roots: impl IntoIterator<Item = usize>,
    mut successors: impl FnMut(usize, &mut Vec<usize>) -> Result<(), E>,
    mut found: impl FnMut(&Component<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut open: Vec<usize> = Vec::new();
    let mut frames: Vec<Frame> = Vec::new();
    // The successors of all frames that have not been visited yet.
    let mut ahead: Vec<usize> = Vec::new();
    let mut time = 0;
    for root in roots {
        if table.get(root) != NEW {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                assert!(time < HERE, "fewer nodes than numbers");
                table.set(node, time);
                open.push(node);
                let first = ahead.len();
                successors(node, &mut ahead)?;
                ahead[first..].reverse();
                frames.push(Frame {
                    node,
                    arrival: time,
                    first,
                    loops: false,
                });
                time += 1;
            }
            let Some(frame) = frames.last_mut() else {
                break;
            };
            if ahead.len() > frame.first {
                let next = ahead.pop().expect("more than at the beginning");
                frame.loops |= next == frame.node;
                match table.get(next) {
                    NEW => enter = Some(next),
                    DONE => {}
                    least => {
                        let least = least.min(table.get(frame.node));
                        table.set(frame.node, least);
                    }
                }
                continue;
            }
            let Some(Frame {
                node,
                arrival,
                loops,
                ..
            }) = frames.pop()
            else {
                break;
            };
            let least = table.get(node);
            if let Some(parent) = frames.last() {
                let least = least.min(table.get(parent.node));
                table.set(parent.node, least);
            }
            if least == arrival {
                let start = open.iter().rposition(|n| *n == node).expect("open");
                for member in &open[start..] {
                    table.set(*member, HERE);
                }
                found(&Component {
                    nodes: &open[start..],
                    loops: loops || open.len() - start > 1,
                    table: &table,
                })?;
                for member in open.drain(start..) {
                    table.set(member, DONE);
                }
            }
        }
    }
    Ok(())
}

/// All strongly connected components of a graph with this number of nodes, in reverse topological order.
pub fn all_components(nodes: u32, successors: impl Fn(u32, &mut Vec<usize>)) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    let all = components::<Infallible>(
        Table::dense(nodes as usize),
        0..nodes as usize,
        |node, ahead| {
            successors(node as u32, ahead);
            Ok(())
        },
        |component| {
            found.push(component.nodes.iter().map(|node| *node as u32).collect());
            Ok(())
        },
    );
    match all {
        Ok(()) => found,
    }
}

/// By node: the number of its strongly connected component. `edges` has the edges of each node, as target and marks.
///
/// Components are numbered in reverse topological order: an edge never leads to a component with a larger number.
pub(crate) fn component_numbers(edges: &[Vec<(usize, u64)>]) -> Vec<usize> {
    let mut numbers = vec![0; edges.len()];
    let components = all_components(edges.len() as u32, |node, ahead| {
        ahead.extend(edges[node as usize].iter().map(|(target, _)| *target));
    });
    for (number, nodes) in components.iter().enumerate() {
        for node in nodes {
            numbers[*node as usize] = number;
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cycles_a_bridge_and_what_is_not_reached() {
        let edges: [&[usize]; 6] = [&[1], &[0, 2], &[3, 2], &[4], &[3], &[0]];
        for table in [Table::dense(6), Table::sparse()] {
            let mut parts = Vec::new();
            let all = components::<Infallible>(
                table,
                [1],
                |node, ahead| {
                    ahead.extend(edges[node]);
                    Ok(())
                },
                |part| {
                    let mut nodes = part.nodes.to_vec();
                    nodes.sort_unstable();
                    for node in 0..6 {
                        assert_eq!(part.contains(node), nodes.contains(&node));
                    }
                    parts.push((nodes, part.loops));
                    Ok(())
                },
            );
            assert!(all.is_ok());
            let expected = [(vec![3, 4], true), (vec![2], true), (vec![0, 1], true)];
            assert_eq!(parts, expected);
        }
    }

    #[test]
    fn components_are_numbered_against_the_edges() {
        let edges = [
            vec![(1, 0)],
            vec![(0, 0), (2, 0)],
            vec![(3, 7)],
            vec![(3, 0)],
        ];
        let numbers = component_numbers(&edges);
        assert_eq!(numbers[0], numbers[1]);
        assert!(numbers[1] > numbers[2] && numbers[2] > numbers[3]);
        assert_eq!(component_numbers(&[]), Vec::<usize>::new());
    }

    #[test]
    fn an_error_of_a_callback_ends_the_search() {
        let mut asked = 0;
        let end = components(
            Table::dense(3),
            0..3,
            |node, ahead| {
                asked += 1;
                ahead.push((node + 1) % 3);
                if asked == 2 { Err("enough") } else { Ok(()) }
            },
            |_| Ok(()),
        );
        assert_eq!((end, asked), (Err("enough"), 2));
    }

    #[test]
    fn a_long_path_needs_no_recursion() {
        let components = all_components(200_000, |node, ahead| {
            ahead.extend((node > 0).then(|| node as usize - 1));
        });
        assert_eq!(components.len(), 200_000);
        assert_eq!(components[0], [0]);
    }
}
