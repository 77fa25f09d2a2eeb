//! Mutants of Chang-Roberts: which claims fail for them, and which still hold.

use enumerator::{Setup, Value, invariant, reachable, read, read_condition};
use syntax::ast;

const MODEL: &str = include_str!("../../../../models/chang-roberts.scrut");

const VARIANTS: &str = "
variant DeafWinner of Member { on Election as m { if m.candidate >= id { send m to next } } }

variant Lower of Member {
    on Election as m {
        if m.candidate < id { send m to next }
        else if m.candidate == id { leader = id; send Elected { winner: id } to next }
    }
}

// A node that hears of the winner may name itself instead, and waits for its own message.
variant Patient of Member {
    var coups: 0..2 = any
    on Elected as m {
        if m.winner == id { halt }
        choose coup in { false, true }
        if coup and coups > 0 {
            coups = coups - 1
            leader = id
            send Elected { winner: id } to next
        } else {
            leader = m.winner
            send m to next
            halt
        }
    }
}

// The same, but it halts at once.
variant Hasty of Member {
    var coups: 0..2 = any
    on Elected as m {
        choose coup in { false, true }
        if m.winner != id {
            leader = m.winner
            if coup and coups > 0 {
                coups = coups - 1
                leader = id
            }
            if leader is l { send Elected { winner: l } to next }
        }
        halt
    }
}
";

const AGREEMENT: &str = "all k in Member: k.halted implies k.leader == winner.id";
const SAME: &str = "(all k in Member: k.halted) implies all j, k in Member: j.leader == k.leader";
const HALTS: &str = "quiescent implies all k in Member: k.halted";

fn model() -> ast::File {
    read(&(MODEL.to_owned() + VARIANTS)).expect("the model can be read")
}

fn always(file: &ast::File, setup: &Setup, text: &str) -> bool {
    let condition = read_condition(text).expect("a condition");
    invariant(file, setup, &condition).expect("an answer")
}

fn possible(file: &ast::File, setup: &Setup, text: &str) -> bool {
    let condition = read_condition(text).expect("a condition");
    reachable(file, setup, &condition).expect("an answer")
}

fn of_size(n: i128) -> Setup {
    Setup::default().param("n", n)
}

#[test]
fn the_algorithm_itself() {
    for n in 1..=4 {
        assert!(always(&model(), &of_size(n), HALTS));
        assert!(always(&model(), &of_size(n), AGREEMENT));
        let end = "quiescent implies all k in Member: k.leader == winner.id";
        assert!(always(&model(), &of_size(n), end));
    }
}

#[test]
fn silent_winners_stop_short() {
    assert!(!always(&model(), &of_size(3).variant("Silent"), HALTS));
}

#[test]
fn a_deaf_winner_never_ends() {
    for n in 1..=4 {
        let setup = of_size(n).variant("DeafWinner");
        assert!(!possible(&model(), &setup, "quiescent"));
        assert!(!possible(&model(), &setup, "exists k in Member: k.halted"));
    }
}

#[test]
fn lower_elects_the_smallest() {
    for n in 1..=4 {
        let setup = of_size(n).variant("Lower");
        assert_eq!(always(&model(), &setup, AGREEMENT), n == 1);
        let smallest =
            "all k in Member: k.halted implies k.leader == (smallest j in Member by j.id).id";
        assert!(always(&model(), &setup, smallest));
        assert!(always(&model(), &setup, HALTS));
    }
}

#[test]
fn numbers_that_are_not_all_different() {
    let file = read(&MODEL.replace("Id", "1..3"));
    let file = file.expect("the model can be read");
    let with = |ids: [i128; 3]| Setup {
        constants: vec![("id".to_owned(), ids.map(Value::Int).to_vec())],
        ..of_size(3)
    };
    assert!(!always(&file, &with([1, 1, 3]), AGREEMENT));
    assert!(!always(&file, &with([1, 1, 3]), HALTS));
    assert!(always(&file, &with([3, 3, 1]), AGREEMENT));
    assert!(always(&file, &with([3, 3, 1]), HALTS));
}

#[test]
fn coups() {
    let few = |n, variant: &str, most: usize| Setup {
        assuming: Some(read_condition(&format!("(sum k in Member: k.coups) <= {most}")).unwrap()),
        ..of_size(n).variant(variant)
    };
    let five = |variant| few(5, variant, 1).ids(&[3, 5, 1, 2, 4]);
    for setup in [few(3, "Patient", 1), few(3, "Patient", 2), five("Patient")] {
        assert!(always(&model(), &setup, SAME));
        assert!(!always(&model(), &setup, HALTS));
    }
    for setup in [few(3, "Hasty", 1), few(3, "Hasty", 2), five("Hasty")] {
        assert!(!always(&model(), &setup, SAME));
        assert!(always(&model(), &setup, HALTS));
    }
    // The only node that waits is the one that replaced the winner.
    let waits = "quiescent implies all k in Member: not k.halted implies k.leader == k.id";
    assert!(always(&model(), &few(3, "Patient", 1), waits));
}
