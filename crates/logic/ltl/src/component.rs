//! Strongly connected components of a graph with marked edges, after Tarjan (1972).

/// For each node, the number of its strongly connected component.
///
/// Components are numbered so that an edge never leads to a component with a larger number.
pub(crate) fn components(edges: &[Vec<(usize, u64)>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut component = vec![NONE; edges.len()];
    let mut components = 0;
    let mut order = vec![NONE; edges.len()];
    let mut low = vec![NONE; edges.len()];
    let mut visited = 0;
    let mut open = Vec::new();
    // The path of the depth-first search, with the number of the next edge to look at.
    let mut path: Vec<(usize, usize)> = Vec::new();
    for root in 0..edges.len() {
        if order[root] != NONE {
            continue;
        }
        path.push((root, 0));
        while let Some((node, next)) = path.pop() {
            if next == 0 {
                order[node] = visited;
                low[node] = visited;
                visited += 1;
                open.push(node);
            }
            if let Some(&(target, _)) = edges[node].get(next) {
                path.push((node, next + 1));
                if order[target] == NONE {
                    path.push((target, 0));
                } else if component[target] == NONE {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            if low[node] == order[node] {
                while let Some(member) = open.pop() {
                    component[member] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    component
}

/// For each node, whether its component has an inner edge and inner edges with all of `marks`.
pub(crate) fn accepting(edges: &[Vec<(usize, u64)>], marks: u64) -> Vec<bool> {
    let component = components(edges);
    let mut inner = vec![None; edges.len()];
    for (node, leaving) in edges.iter().enumerate() {
        for &(target, marks) in leaving {
            if component[node] == component[target] {
                *inner[component[node]].get_or_insert(0) |= marks;
            }
        }
    }
    (component.iter())
        .map(|&c| inner[c].is_some_and(|found| found & marks == marks))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cycles_and_a_bridge() {
        let plain = |targets: &[usize]| targets.iter().map(|&t| (t, 0)).collect::<Vec<_>>();
        let edges = [
            plain(&[1]),
            plain(&[0, 2]),
            plain(&[3]),
            plain(&[4]),
            plain(&[3]),
        ];
        let c = components(&edges);
        assert_eq!(c[0], c[1]);
        assert_eq!(c[3], c[4]);
        assert!(c[0] > c[2] && c[2] > c[3]);
        assert_eq!(accepting(&edges, 0), [true, true, false, true, true]);
    }

    #[test]
    fn marks_unite_over_a_component_but_not_across() {
        let edges = [vec![(1, 1)], vec![(0, 2), (2, 4)], vec![(2, 3)], vec![]];
        assert_eq!(accepting(&edges, 3), [true, true, true, false]);
        assert_eq!(accepting(&edges, 7), [false; 4]);
    }
}
