//! Compares the search for short accepting lassos with brute force on small graphs.

use crate::graphs::{Graph, Line, Walk};
use crate::random::{Random, sample};
use ltl::{Arc, Breaking, Defect, Goals, Space, lasso};

/// Whether the search is correct on a graph: it finds an accepting lasso if there is one and the effort is large, the
/// result is an accepting lasso, and it is a shortest one if it is reported as such.
fn agrees(graph: &Graph, effort: usize) -> bool {
    const LIMIT: usize = 7;
    let mut walk = Walk::new(graph);
    let complete = effort > 5_000;
    let Some(found) = lasso(&mut walk, effort) else {
        return !complete || !graph.not_empty();
    };
    let lines = |moves: &[ltl::Move<usize, usize>]| -> Vec<Line> {
        moves
            .iter()
            .map(|(_, arc)| graph.lines[arc.label])
            .collect()
    };
    let (stem, cycle) = (lines(&found.stem), lines(&found.cycle));
    let all = [&stem[..], &cycle[..]].concat();
    let walk_is_connected = graph.initial.contains(&found.start)
        && all[0].from == found.start
        && all.windows(2).all(|w| w[0].to == w[1].from)
        && all.last().map(|l| l.to) == Some(cycle[0].from)
        && found
            .stem
            .iter()
            .chain(&found.cycle)
            .zip(&all)
            .all(|((from, _), l)| *from == l.from);
    let length = all.len();
    walk_is_connected
        && graph.accepts(&cycle)
        && (found.shortest || !complete)
        && graph.shortest(LIMIT).map_or(length > LIMIT, |least| {
            if found.shortest {
                length == least
            } else {
                length >= least
            }
        })
}

#[test]
fn random_graphs() {
    let mut random = Random(13);
    let (mut found, wanted) = (0, sample(4_000));
    for i in 0..wanted {
        let graph = Graph::random(&mut random, i % 4 == 0);
        for effort in [100_000, 0, 3, 12] {
            assert!(agrees(&graph, effort), "effort {effort}: {graph:?}");
        }
        found += usize::from(graph.not_empty());
    }
    assert!(
        found * 10 > wanted && found * 10 < wanted * 9,
        "{found} of {wanted}"
    );
}

/// All graphs of up to three nodes with at most one arc from each node to each node. An arc either has a mark or is an
/// occurrence of a unit. The unit is enabled in any set of nodes.
#[test]
fn small_graphs_exhaustively() {
    for nodes in 1..=3usize {
        let places = nodes * nodes;
        for code in 0..3usize.pow(places as u32) {
            let kind = |place: usize| code / 3usize.pow(place as u32) % 3;
            let lines = (0..places).filter(|p| kind(*p) != 0).map(|place| Line {
                from: place / nodes,
                to: place % nodes,
                marks: u32::from(kind(place) == 1),
                takes: u32::from(kind(place) == 2),
                ..Line::default()
            });
            let mut graph = Graph {
                lines: lines.collect(),
                initial: vec![0],
                marks: 1,
                units: 1,
                ..Graph::default()
            };
            for possible in 0..1usize << nodes {
                graph.possible = (0..nodes).map(|n| (possible >> n & 1) as u32).collect();
                let expected = graph.not_empty_by_components();
                let found = lasso(&mut Walk::new(&graph), 10_000);
                assert_eq!(found.is_some(), expected, "{graph:?}");
                if graph.lines.len() <= 3 {
                    assert_eq!(graph.not_empty(), expected, "{graph:?}");
                }
            }
        }
    }
}

#[test]
fn what_is_not_the_shortest_is_noticed() {
    let mut random = Random(14);
    let noticed = (0..1_000).any(|_| {
        let graph = Graph::random(&mut random, false);
        let _breaking = Breaking::rule(Defect::GreedyIsShortest);
        !agrees(&graph, 100_000)
    });
    assert!(noticed);
}

#[test]
fn long_paths_need_no_stack() {
    let line = |from, to| Line {
        from,
        to,
        marks: u32::from(to == 0),
        ..Line::default()
    };
    let mut lines: Vec<Line> = (0..3_000).map(|n| line(n, n + 1)).collect();
    lines.push(line(3_000, 0));
    let graph = Graph {
        possible: vec![0; 3_001],
        lines,
        initial: vec![7],
        marks: 1,
        ..Graph::default()
    };
    let mut walk = Walk::new(&graph);
    let found = lasso(&mut walk, 100_000).expect("there is one");
    assert_eq!((found.stem.len(), found.cycle.len()), (0, 3_001));
}

/// A cycle of nodes in which each arc reaches a different goal.
struct Ring(usize);

impl Space for Ring {
    type Node = usize;
    type Label = ();

    fn goals(&self) -> usize {
        self.0
    }

    fn initial(&mut self) -> Vec<usize> {
        vec![0]
    }

    fn arcs(&mut self, node: usize, into: &mut Vec<Arc<usize, ()>>) {
        into.extend([node, (node + 1) % self.0].map(|to| Arc { to, label: () }));
    }

    fn in_node(&mut self, _: usize, _: &mut Goals) {}

    fn on_arc(&mut self, from: usize, arc: &Arc<usize, ()>, done: &mut Goals) {
        if arc.to != from {
            done.add(from);
        }
    }
}

#[test]
fn many_goals() {
    for (goals, exact) in [(2, true), (64, true), (65, false), (200, false)] {
        let mut ring = Ring(goals);
        let found = lasso(&mut ring, 100_000).expect("there is one");
        assert_eq!((found.stem.len(), found.cycle.len()), (0, goals));
        assert_eq!(found.shortest, exact);
    }
}
