//! Numbers of states and transitions of the leader election of Chang and Roberts, for several sizes. Two independent
//! programs computed the same numbers.

use machine::{Channel, Instance, parse, verify};
use testkit::explore;

/// The leader election on a ring of n nodes, in the text form of a Machine.
fn ring(n: u32, channel: &str) -> String {
    let next: Vec<u32> = (1..=n).map(|i| i % n + 1).collect();
    let map: Vec<String> = next.iter().map(u32::to_string).collect();
    let edges: Vec<String> = next
        .iter()
        .enumerate()
        .map(|(i, to)| format!("({} {to})", i + 1))
        .collect();
    format!(
        "(ids {n})
         (message Election (candidate id))
         (message Elected (winner id))
         (kind Member {n})
         (map next {})
         (edges {})
         (channel {channel})
         (frozen Member id id arrangement)
         (var Member leader (option id) (is (none id)))
         (block Member start start (send (new Election (frozen id self)) (map next self)))
         (block Member \"on Election\" (on Election)
           (if (> (field Election candidate message) (frozen id self))
             (do (send message (map next self)))
             (do (if (= (field Election candidate message) (frozen id self))
               (do (:= leader (some (frozen id self)))
                   (send (new Elected (frozen id self)) (map next self)))))))
         (block Member \"on Elected\" (on Elected)
           (if (!= (field Elected winner message) (frozen id self))
             (do (:= leader (some (field Elected winner message)))
                 (send message (map next self))))
           (halt))",
        map.join(" "),
        edges.join(" ")
    )
}

fn counts(n: u32, channel: &str) -> (usize, usize) {
    let machine = parse(&ring(n, channel)).expect("it is well formed");
    verify(&machine).expect("it is well typed");
    let machine = &machine;
    let (mut states, mut transitions) = (0, 0);
    for frozen in machine.frozen_choices_up_to_rotation() {
        let instance = Instance {
            machine,
            frozen: &frozen,
        };
        let found = explore(instance, usize::MAX).expect("initial states");
        assert!(found.errors.is_empty());
        let last: Vec<_> = (0..found.states.len())
            .filter(|s| found.successors[*s].is_empty())
            .collect();
        assert_eq!(last.len(), 1, "one final state");
        states += found.states.len();
        transitions += found.transitions();
    }
    (states, transitions)
}

type Row = [(usize, usize); 3];

const ROWS: [(u32, Row); 6] = [
    (1, [(4, 3), (4, 3), (4, 3)]),
    (2, [(11, 12), (10, 11), (10, 11)]),
    (3, [(60, 92), (53, 82), (51, 79)]),
    (4, [(512, 1042), (438, 902), (407, 841)]),
    (5, [(6003, 15340), (4969, 12866), (4469, 11648)]),
    (6, [(89328, 274772), (71513, 222961), (62403, 196386)]),
];

fn check(rows: &[(u32, Row)]) {
    for (n, row) in rows {
        for (channel, expected) in ["fifo 1", "fifo 2", "fifo"].iter().zip(row) {
            assert_eq!(counts(*n, channel), *expected, "n = {n}, {channel}");
        }
    }
}

#[test]
fn up_to_five_nodes() {
    check(&ROWS[..5]);
}

#[test]
fn six_nodes() {
    check(&ROWS[5..]);
}

#[test]
fn the_channel_is_the_one_of_the_text() {
    let machine = parse(&ring(2, "fifo 2")).expect("it is well formed");
    assert_eq!(machine.channel, Channel::Fifo(Some(2)));
}
