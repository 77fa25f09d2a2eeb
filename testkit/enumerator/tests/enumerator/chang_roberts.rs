//! Chang-Roberts: its claims, and counts that two independent programs found.

use enumerator::{
    Count, Setup, enumerate, enumerate_up_to_rotation, invariant, reachable, read, read_condition,
    sum, sum_up_to_rotation,
};
use syntax::ast;

const MODEL: &str = include_str!("../../../../models/chang-roberts.scrut");

fn model(channel: &str) -> ast::File {
    assert_eq!(MODEL.matches("channel fifo(1)").count(), 1);
    read(&MODEL.replace("channel fifo(1)", channel)).expect("the model can be read")
}

fn of_size(n: usize) -> Setup {
    Setup::default().param("n", n as i128)
}

/// By channel: (states, transitions), summed over the arrangements up to rotation, for n = 1, 2, …
const TABLE: [(&str, [(usize, usize); 6]); 3] = [
    (
        "channel fifo(1)",
        [
            (4, 3),
            (11, 12),
            (60, 92),
            (512, 1042),
            (6003, 15340),
            (89328, 274772),
        ],
    ),
    (
        "channel fifo(2)",
        [
            (4, 3),
            (10, 11),
            (53, 82),
            (438, 902),
            (4969, 12866),
            (71513, 222961),
        ],
    ),
    (
        "channel fifo",
        [
            (4, 3),
            (10, 11),
            (51, 79),
            (407, 841),
            (4469, 11648),
            (62403, 196386),
        ],
    ),
];

fn check_row(n: usize) {
    for (channel, column) in TABLE {
        let counts = enumerate_up_to_rotation(&model(channel), &of_size(n)).expect("counted");
        assert_eq!(counts.len(), (1..n).product::<usize>());
        for count in &counts {
            assert_eq!((count.initial, count.errors, count.final_states), (1, 0, 1));
        }
        let total = sum(&counts);
        assert_eq!(
            (total.states, total.transitions),
            column[n - 1],
            "n = {n}, {channel}"
        );
    }
}

#[test]
fn table_up_to_5() {
    (1..=5).for_each(check_row);
}

#[test]
fn table_6() {
    check_row(6);
}

#[test]
fn all_arrangements_are_n_times_as_many() {
    for n in 1..=4 {
        let all = enumerate(&model("channel fifo(1)"), &of_size(n)).expect("counted");
        assert_eq!(all.len(), (1..=n).product::<usize>());
        let least = sum_up_to_rotation(&all);
        let times = |count: usize| n * count;
        let expected = Count {
            initial: times(least.initial),
            states: times(least.states),
            transitions: times(least.transitions),
            final_states: times(least.final_states),
            ..Count::default()
        };
        assert_eq!(sum(&all), expected);
        assert_eq!((least.states, least.transitions), TABLE[0].1[n - 1]);
    }
}

#[test]
fn the_ids_of_the_report() {
    let setup = of_size(10).ids(&[32, 45, 12, 21, 10, 11, 99, 87, 41, 37]);
    let counts = enumerate(&model("channel fifo(1)"), &setup).expect("counted");
    let [count] = &counts[..] else {
        panic!("one arrangement")
    };
    assert_eq!((count.states, count.transitions), (84_147, 426_936));
    assert_eq!(count.arrangement, [5, 8, 3, 4, 1, 2, 10, 9, 7, 6]);
}

#[test]
fn equal_ids_are_refused() {
    let setup = of_size(3).ids(&[1, 1, 3]);
    let refused = enumerate(&model("channel fifo(1)"), &setup);
    assert_eq!(refused, Err("two ids are equal".to_owned()));
}

#[test]
fn claims() {
    let file = model("channel fifo(1)");
    let ask = |text: &str| read_condition(text).expect("a condition");
    let agreement = ask("all k in Member: k.halted implies k.leader == winner.id");
    let early = ask("exists k in Member: k.halted and k != winner and not winner.halted");
    let done = ask("all k in Member: k.halted");
    for n in 1..=4 {
        assert_eq!(invariant(&file, &of_size(n), &agreement), Ok(true));
        assert_eq!(reachable(&file, &of_size(n), &early), Ok(n > 1));
        assert_eq!(reachable(&file, &of_size(n), &done), Ok(true));
        // In this variant the result is not forwarded, so all nodes halt only if there is just one.
        let silent = of_size(n).variant("Silent");
        assert_eq!(reachable(&file, &silent, &done), Ok(n == 1));
    }
}
