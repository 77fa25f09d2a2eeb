//! Instances: parameters, sizes, constants, arrangements of ids, initial states.

use super::{count, count_in};
use enumerator::{
    Setup, Value, enumerate, enumerate_up_to_rotation, read, read_condition, sum,
    sum_up_to_rotation,
};

#[test]
fn initial_states() {
    let text =
        "param top = 2\n node A[2] { var x: 0..top = any\n var y: 0..4 = any in { x, 4 } }\n";
    // (x, y) of each node is (0, 0), (0, 4), (1, 1), (1, 4), (2, 2) or (2, 4). There are no events.
    assert_eq!(count(text), (36, 36, 0, 0, 36));
    // The sum of x is 2 and y = x: x is (0, 2), (1, 1) or (2, 0).
    let text =
        text.to_owned() + "initially (sum k in A: k.x) == 2\n initially all k in A: k.y == k.x\n";
    assert_eq!(count(&text), (3, 3, 0, 0, 3));
    // With top = 0 the sum cannot be 2, so there is no initial state.
    let small = Setup::default().param("top", 0);
    assert_eq!(count_in(&text, &small), (0, 0, 0, 0, 0));
    let assuming = Setup {
        assuming: Some(read_condition("all j, k in A: j.x == k.x").unwrap()),
        ..Setup::default()
    };
    assert_eq!(count_in(&text, &assuming), (1, 1, 0, 0, 1));
}

#[test]
fn constants_are_part_of_the_instance() {
    // A node with constant c has c + 1 states. Each node has each of the constants 0, 1, 2.
    let text =
        "node A[2] { c: 0..2\n var x: 0..2 = 0\n when up: x < c { x = x + 1 } }\n network ring\n";
    let file = read(text).unwrap();
    let all = enumerate(&file, &Setup::default()).unwrap();
    assert_eq!(all.len(), 9);
    assert_eq!(sum(&all).states, (1 + 2 + 3) * (1 + 2 + 3));
    // One of (c1, c2) and (c2, c1): 00, 01, 02, 11, 12, 22.
    let least = enumerate_up_to_rotation(&file, &Setup::default()).unwrap();
    assert_eq!(least.len(), 6);
    assert_eq!(sum(&least).states, 1 + 2 + 3 + 4 + 6 + 9);
    assert_eq!(sum_up_to_rotation(&all), sum(&least));
    let given = Setup {
        constants: vec![("c".to_owned(), vec![Value::Int(0), Value::Int(2)])],
        ..Setup::default()
    };
    // Only node 2 changes: x = 0, 1, 2.
    assert_eq!(count_in(text, &given), (1, 3, 2, 0, 1));
}

#[test]
fn ids_of_all_nodes() {
    // Two nodes of kind A and one of kind B: 3! arrangements. An A whose id is greater than that of B has an event.
    let text = "node A[2] { id: Id\n var gone: Bool = false\n\
                when go: id > B.id and not gone { gone = true } }\n node B { id: Id }\n";
    let all = enumerate(&read(text).unwrap(), &Setup::default()).unwrap();
    assert_eq!(all.len(), 6);
    // In two arrangements each: no A has an event (1 state), one has (2 states), both have (4 states).
    assert_eq!(sum(&all).states, 2 * (1 + 2 + 4));
    assert_eq!(
        count_in(text, &Setup::default().ids(&[10, 40, 20])),
        (1, 2, 1, 0, 1)
    );
}

#[test]
fn sizes() {
    // The only kind has as many nodes as the topology requires.
    let text = "node A { var x: Bool = any }\n network line(3)\n";
    assert_eq!(count(text), (8, 8, 0, 0, 8));
    let text = "node A { var x: Bool = any }\n network line\n";
    assert_eq!(count(text), (2, 2, 0, 0, 2));
    let text = "param n: 1..4 = 2\n node A[n] { var x: Bool = any }\n network complete(n)\n";
    assert_eq!(
        count_in(text, &Setup::default().param("n", 4)),
        (16, 16, 0, 0, 16)
    );
    assert!(enumerate(&read(text).unwrap(), &Setup::default().param("n", 5)).is_err());
    let text = "node A[2] { var x: Bool = any }\n network line(3)\n";
    assert!(enumerate(&read(text).unwrap(), &Setup::default()).is_err());
}

#[test]
fn the_limit_is_kept() {
    let text = "node A { var x: 0..99 = 0\n when up: x < 99 { x = x + 1 } }\n";
    let setup = |limit| Setup {
        limit,
        ..Setup::default()
    };
    assert_eq!(count_in(text, &setup(100)), (1, 100, 99, 0, 1));
    assert!(enumerate(&read(text).unwrap(), &setup(99)).is_err());
}
