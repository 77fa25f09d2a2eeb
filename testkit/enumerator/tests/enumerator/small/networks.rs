//! Topologies, all graphs, distances, and ids that belong to no node.

use super::{count_in, refusal};
use enumerator::{Setup, enumerate, invariant, read, read_condition, read_topology, sum};

/// The sum of the numbers of neighbours over all nodes, and the sum of the distances over all pairs of nodes.
fn edges_and_distances(topology: &str) -> (i128, i128) {
    let text = "message M\n node A { var d: 0..99 = 0\n when count: d == 0 { d = size(neighbours) }\n\
                ignore M }\n network complete\n";
    let file = read(text).unwrap();
    let setup = Setup::default().topology(read_topology(topology).unwrap());
    let is = |condition: &str, n: i128| {
        let condition = read_condition(&condition.replace('N', &n.to_string())).unwrap();
        invariant(&file, &setup, &condition).unwrap()
    };
    let counted = "(all k in A: k.d != 0) implies (sum k in A: k.d) == N";
    let distances = "(sum j, k in A: distance(j, k)) == N";
    let find = |condition: &str| (0..500).find(|n| is(condition, *n));
    (find(counted).unwrap(), find(distances).unwrap())
}

#[test]
fn edges_of_shapes() {
    // This is a ring of four: each node has two nodes at distance 1 and one at distance 2.
    assert_eq!(edges_and_distances("grid(2, 2)"), (8, 16));
    assert_eq!(edges_and_distances("grid(1, 3)"), (4, 8));
    assert_eq!(edges_and_distances("grid(2, 3)"), (14, 2 * 25));
    // In a cycle of three nodes, both others are neighbours; in a cycle of two, there is one neighbour; in a cycle of
    // one, none.
    assert_eq!(edges_and_distances("torus(3, 1)"), (6, 6));
    assert_eq!(edges_and_distances("torus(2, 2)"), (8, 16));
    // Two triangles with 3 edges between them: each node has 3 neighbours and 2 nodes at distance 2.
    assert_eq!(edges_and_distances("torus(2, 3)"), (18, 6 * 7));
    // A star with three nodes; and a line of three nodes.
    assert_eq!(edges_and_distances("tree(2, 1)"), (4, 8));
    assert_eq!(edges_and_distances("tree(1, 2)"), (4, 8));
    assert_eq!(edges_and_distances("edges(1 - 2, 3 - 2)"), (4, 8));
    assert_eq!(edges_and_distances("edges(1 - 2, 2 - 3, 3 - 1)"), (6, 6));
}

#[test]
fn listed_edges() {
    // The hub has the number 3.
    let text = "message M\n node A[2] { var got: Bool = false\n on M { got = true } }\n\
        node Hub { start { broadcast M } }\n network edges(2 - Hub)\n";
    let file = read(text).unwrap();
    // States: before the start; in transit; received.
    assert_eq!(sum(&enumerate(&file, &Setup::default()).unwrap()).states, 3);
    // Node 2 receives if there is an edge from the hub; it does not if there is only an edge to the hub.
    let states = |edge: &str| {
        let file = read(&text.replace("2 - Hub", edge)).unwrap();
        sum(&enumerate(&file, &Setup::default()).unwrap()).states
    };
    assert_eq!(states("Hub to 2"), 3);
    assert_eq!(states("2 to Hub"), 2);
    // The hub sends to nodes 1 and 2. States: before the start, and all subsets of two messages in transit.
    assert_eq!(states("1 - 2, Hub to 1, Hub to 2"), 2 + 3);
    for (edge, why) in [
        ("1 - 4", "node 4"),
        ("1 - 1", "itself"),
        ("1 - A", "not one node"),
    ] {
        let said = refusal(&text.replace("2 - Hub", edge));
        assert!(said.contains(why), "{said:?} says {why:?}");
    }
}

#[test]
fn all_graphs() {
    let numbers: Vec<usize> = (1..=5)
        .map(|n| {
            let file = read(&format!("node A {{ }}\n network graphs({n})\n")).unwrap();
            enumerate(&file, &Setup::default()).unwrap().len()
        })
        .collect();
    assert_eq!(numbers, [1, 1, 2, 6, 21]);
    // A line with B at an end, a line with B in the middle, and a triangle.
    let file = read("node A[2] { }\n node B { }\n network graphs(3)\n").unwrap();
    assert_eq!(enumerate(&file, &Setup::default()).unwrap().len(), 3);
    // Each graph has six orders of ids. On the line, the least id is at an end in four of them.
    let ids = "node A { id: Id }\n let first = smallest k in A by k.id\n";
    let with = |condition: &str| {
        let file = read(&format!("{ids} network graphs(3) where {condition}\n")).unwrap();
        enumerate(&file, &Setup::default()).unwrap().len()
    };
    assert_eq!(with("true"), 12);
    assert_eq!(with("(exists k in A: distance(first, k) == 2)"), 4);
    assert_eq!(with("(all k in A: distance(first, k) < 2)"), 2 + 6);
    assert_eq!(with("false"), 0);
}

#[test]
fn topologies_behind_for() {
    let text = "node A { var x: Bool = any }\n network line(3)\n";
    let on = |topology: &str| {
        count_in(
            text,
            &Setup::default().topology(read_topology(topology).unwrap()),
        )
    };
    assert_eq!(on("star(2)").0, 4);
    assert_eq!(on("grid(2, 2)").0, 16);
    assert_eq!(on("tree(2, 2)").0, 128);
    // A topology of the setup keeps the delivery of the network. States: before and after the start; no message is ever
    // in transit.
    let text =
        "message M\n node A { start { } \n on M { } }\n network ring(2) { delivery instant }\n";
    let line = Setup::default().topology(read_topology("line(1)").unwrap());
    assert_eq!(count_in(text, &line), (1, 2, 1, 0, 1));
}

#[test]
fn strangers() {
    // Two of the ids 1 to 3 belong to nodes: 3 * 2 arrangements. Each node stores one of three ids.
    let text = "node A[2] { id: Id\n var r: Id = any }\n";
    let file = read(text).unwrap();
    let one = Setup::default().strangers(1);
    let all = enumerate(&file, &one).unwrap();
    assert_eq!(all.len(), 6);
    assert_eq!(sum(&all).states, 6 * 9);
    // With this order of the nodes' ids, the id that belongs to no node is below, between or above them.
    let counts = enumerate(&file, &one.clone().ids(&[7, 3])).unwrap();
    let arrangements: Vec<_> = counts.into_iter().map(|c| c.arrangement).collect();
    assert_eq!(arrangements, [vec![2, 1], vec![3, 1], vec![3, 2]]);
    // Both nodes store the same id, which belongs to no node.
    let ghost = read_condition("all j, k in A: j.r == k.r and j.r != k.id").unwrap();
    let setup = |strangers| Setup {
        assuming: Some(ghost.clone()),
        ..Setup::default().strangers(strangers)
    };
    assert_eq!(sum(&enumerate(&file, &setup(0)).unwrap()).initial, 0);
    assert_eq!(sum(&enumerate(&file, &setup(1)).unwrap()).initial, 6);
    // 4 * 3 arrangements, each with two ids that belong to no node.
    assert_eq!(sum(&enumerate(&file, &setup(2)).unwrap()).initial, 24);
}
