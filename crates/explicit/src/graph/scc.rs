//! Strongly connected parts of a graph, after Tarjan (1972), without recursion.

use foldhash::{HashMap, HashMapExt};
use std::convert::Infallible;

/// Nobody has been there.
const NEW: u32 = u32::MAX;
/// The part of the node is known.
const DONE: u32 = u32::MAX - 1;
/// The node is in the part that was found last.
const HERE: u32 = u32::MAX - 2;

/// What is known of each node.
pub(crate) enum Table {
    /// By node.
    Dense(Vec<u32>),
    /// Of the nodes that were met.
    Sparse(HashMap<usize, u32>),
}

impl Table {
    /// Room for so many nodes.
    pub(crate) fn dense(nodes: usize) -> Table {
        Table::Dense(vec![NEW; nodes])
    }

    /// For nodes of which few are met.
    pub(crate) fn sparse() -> Table {
        Table::Sparse(HashMap::new())
    }

    fn get(&self, node: usize) -> u32 {
        match self {
            Table::Dense(all) => all[node],
            Table::Sparse(met) => met.get(&node).copied().unwrap_or(NEW),
        }
    }

    fn set(&mut self, node: usize, value: u32) {
        match self {
            Table::Dense(all) => all[node] = value,
            Table::Sparse(met) => {
                met.insert(node, value);
            }
        }
    }
}

/// A strongly connected part.
pub(crate) struct Component<'c> {
    pub(crate) nodes: &'c [usize],
    /// It has a transition inside.
    pub(crate) loops: bool,
    table: &'c Table,
}

impl Component<'_> {
    /// Whether a node is in it.
    pub(crate) fn contains(&self, node: usize) -> bool {
        self.table.get(node) == HERE
    }
}

/// A node whose successors are looked at.
struct Frame {
    node: usize,
    arrival: u32,
    /// Where its successors begin.
    first: usize,
    /// It is one of its own successors.
    loops: bool,
}

/// Tells of the strongly connected parts of what can be reached from the roots, each behind those to which it leads. The
/// successors of each node are asked for once. An error from anybody ends it.
pub(crate) fn components<E>(
    mut table: Table,
    roots: impl IntoIterator<Item = usize>,
    mut successors: impl FnMut(usize, &mut Vec<usize>) -> Result<(), E>,
    mut found: impl FnMut(&Component<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut open: Vec<usize> = Vec::new();
    let mut frames: Vec<Frame> = Vec::new();
    // The successors that are not yet looked at of all frames, one behind the other.
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

/// All strongly connected parts of a graph of so many nodes, each behind those to which it leads.
pub(crate) fn all_components(
    nodes: u32,
    successors: impl Fn(u32, &mut Vec<usize>),
) -> Vec<Vec<u32>> {
    let mut parts = Vec::new();
    let all = components::<Infallible>(
        Table::dense(nodes as usize),
        0..nodes as usize,
        |node, ahead| {
            successors(node as u32, ahead);
            Ok(())
        },
        |part| {
            parts.push(part.nodes.iter().map(|node| *node as u32).collect());
            Ok(())
        },
    );
    match all {
        Ok(()) => parts,
    }
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
}
