//! Accepting strongly connected components of a graph whose edges have acceptance marks.

use crate::scc::component_numbers;

/// By node: whether its strongly connected component has an inner edge, and its inner edges together have all of
/// `marks`.
pub(crate) fn accepting(edges: &[Vec<(usize, u64)>], marks: u64) -> Vec<bool> {
    let component = component_numbers(edges);
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
        let c = component_numbers(&edges);
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
