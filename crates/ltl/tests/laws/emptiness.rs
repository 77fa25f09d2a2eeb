//! The search for an accepted run, against brute force on small graphs.

use crate::graphs::{Graph, Line, Walk, reached};
use crate::random::{Random, sample};
use ltl::{Arc, Breaking, Defect, Goals, Search, Space, lasso, search};

/// Whether the search found something; none if what it says about nodes cannot be.
fn searched(walk: &mut Walk<'_>) -> Option<bool> {
    let found = search(walk, &mut || None::<()>).expect("never told to stop");
    let graph = walk.graph;
    let there = |l: &Line| (!l.late || walk.awake[l.from]) && l.puts & walk.banned == 0;
    let lines: Vec<Line> = graph.lines.iter().filter(|l| there(l)).copied().collect();
    let start = walk.within.clone().unwrap_or(graph.initial.clone());
    let seen = reached(graph.possible.len(), &start, &lines);
    match found {
        Search::Accepting(part) => part.nodes.iter().all(|n| seen[*n]).then_some(true),
        Search::Empty(visited) => {
            let all = seen.iter().filter(|s| **s).count();
            let each = walk.within.is_some() || visited == all;
            // Each is closed once.
            (each && walk.closed_nodes == visited).then_some(false)
        }
    }
}

/// Marks and weak fairness.
pub fn agrees(graph: &Graph) -> bool {
    searched(&mut Walk::new(graph)) == Some(graph.not_empty(|_| true))
}

/// Late arcs; in the end every cycle has a node with all of its arcs.
pub fn agrees_with_late_arcs(graph: &Graph, seed: u64) -> bool {
    let mut walk = Walk::new(graph);
    walk.choose = Some(Random(seed));
    let Some(found) = searched(&mut walk) else {
        return false;
    };
    let there = |l: &Line| !l.late || walk.awake[l.from];
    if !found {
        let lines: Vec<Line> = graph.lines.iter().filter(|l| there(l)).copied().collect();
        let seen = reached(graph.possible.len(), &graph.initial, &lines);
        if (0..seen.len()).any(|n| seen[n] && walk.sleeps_on_a_cycle(n)) {
            return false;
        }
    }
    found == graph.not_empty(there)
}

/// Strong fairness: what is complete and owes something is searched again without what is to blame.
pub fn agrees_on_strong_fairness(graph: &Graph) -> bool {
    let mut found = false;
    let mut waiting = vec![(None, 0)];
    while let Some((within, banned)) = waiting.pop() {
        let mut walk = Walk::new(graph);
        (walk.within, walk.banned) = (within, banned);
        let Some(something) = searched(&mut walk) else {
            return false;
        };
        found |= something;
        let again = walk
            .strongly_unfair
            .into_iter()
            .map(|(nodes, lost)| (Some(nodes), banned | lost));
        waiting.extend(again);
    }
    found == graph.not_empty(|_| true)
}

/// A lasso is a lasso, and the shortest if it says so.
pub fn agrees_on_lassos(graph: &Graph, effort: usize) -> bool {
    const LIMIT: usize = 7;
    let mut walk = Walk::new(graph);
    let Ok(Search::Accepting(part)) = search(&mut walk, &mut || None::<()>) else {
        return true;
    };
    let found = lasso(&mut walk, &part.nodes, effort, &mut || None::<()>).expect("not stopped");
    let Some(found) = found else {
        // With strong fairness a greedy cycle may fail, but not if the effort is enough to look at all.
        return graph.pairs != 0 && effort < 5_000;
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
    let complete = effort > 5_000;
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
    let mut random = Random(10);
    let (mut found, wanted) = (0, sample(4_000));
    for _ in 0..wanted {
        let graph = Graph::random(&mut random, false, false);
        assert!(agrees(&graph), "{graph:?}");
        found += usize::from(graph.not_empty(|_| true));
    }
    assert!(
        found * 10 > wanted && found * 10 < wanted * 9,
        "{found} of {wanted}"
    );
}

#[test]
fn random_graphs_that_grow() {
    let mut random = Random(11);
    for seed in 0..sample(3_000) as u64 {
        let graph = Graph::random(&mut random, true, false);
        assert!(agrees_with_late_arcs(&graph, seed), "{graph:?}");
    }
}

#[test]
fn random_graphs_with_strong_fairness() {
    let mut random = Random(12);
    for _ in 0..sample(3_000) {
        let graph = Graph::random(&mut random, false, true);
        assert!(agrees_on_strong_fairness(&graph), "{graph:?}");
    }
}

#[test]
fn lassos() {
    let mut random = Random(13);
    for i in 0..sample(2_000) {
        let graph = Graph::random(&mut random, false, i % 4 == 0);
        for effort in [100_000, 0, 3, 12] {
            assert!(
                agrees_on_lassos(&graph, effort),
                "effort {effort}: {graph:?}"
            );
        }
    }
}

/// All graphs of up to three nodes with at most one arc from node to node, which has a mark or takes a unit; the
/// unit is possible in any set of nodes.
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
                assert_eq!(
                    searched(&mut Walk::new(&graph)),
                    Some(expected),
                    "{graph:?}"
                );
                if graph.lines.len() <= 3 {
                    assert_eq!(graph.not_empty(|_| true), expected, "{graph:?}");
                }
            }
        }
    }
}

#[test]
fn broken_searches_are_noticed() {
    for defect in Defect::SEARCH {
        let mut random = Random(14);
        let noticed = (0..1_000).any(|seed| {
            let plain = Graph::random(&mut random, false, false);
            let growing = Graph::random(&mut random, true, false);
            let _breaking = Breaking::rule(defect);
            !agrees(&plain)
                || !agrees_with_late_arcs(&growing, seed)
                || !agrees_on_lassos(&plain, 100_000)
        });
        assert!(noticed, "{defect:?}");
    }
}

#[test]
fn a_search_stops_when_told_and_as_soon_as_it_can() {
    // A chain of a thousand nodes behind a cycle of two.
    let line = |from, to| Line {
        from,
        to,
        ..Line::default()
    };
    let mut lines = vec![line(0, 1), line(1, 0)];
    lines.extend((1..1_000).map(|n| line(n, n + 1)));
    let graph = Graph {
        possible: vec![0; 1_001],
        lines,
        initial: vec![0],
        ..Graph::default()
    };
    let Ok(Search::Accepting(part)) = search(&mut Walk::new(&graph), &mut || None::<()>) else {
        panic!("there is a cycle");
    };
    assert_eq!((part.nodes, part.visited), (vec![0, 1], 2));
    let mut left = 5;
    let mut go_on = || {
        left -= 1;
        (left == 0).then_some("spent")
    };
    let chain = Graph {
        initial: vec![2],
        ..graph
    };
    let stopped = search(&mut Walk::new(&chain), &mut go_on);
    assert!(matches!(stopped, Err("spent")));
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
    let Ok(Search::Accepting(part)) = search(&mut walk, &mut || None::<()>) else {
        panic!("there is a cycle");
    };
    let found = lasso(&mut walk, &part.nodes, 100_000, &mut || None::<()>);
    let found = found.expect("not stopped").expect("there is one");
    assert_eq!((found.stem.len(), found.cycle.len()), (0, 3_001));
}

/// A ring on which each arc reaches a goal of its own.
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
        let Ok(Search::Accepting(part)) = search(&mut ring, &mut || None::<()>) else {
            panic!("the ring accepts");
        };
        let found = lasso(&mut ring, &part.nodes, 100_000, &mut || None::<()>);
        let found = found.expect("not stopped").expect("there is one");
        assert_eq!((found.stem.len(), found.cycle.len()), (0, goals));
        assert_eq!(found.shortest, exact);
    }
}
