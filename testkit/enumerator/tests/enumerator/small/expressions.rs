//! Expressions that are true in every initial state of a model.

use enumerator::{Setup, invariant, read, read_condition};

const MODEL: &str = "param n = 3\n enum Colour { Red, Green }\n message M { v: 0..9, who: Node }\n\
    let best = largest k in K by k.x\n fn twice(a: 0..9): 0..18 = a + a\n\
    node K[n] { id: Id\n var x: 0..3 = any\n var o: Option<0..3> = none\n var c: Colour = Red\n\
      var s: Set<Node> = {}\n var m: M = M { v: 2, who: L } }\n\
    node L { var y: 0..3 = 2 }\n\
    initially (all j, k in K: j.id < k.id implies j.x < k.x) and (exists k in K: k.x == 2)\n\
    initially all k in K: k.x != 1\n";

#[test]
fn all_true() {
    let file = read(MODEL).unwrap();
    // By the conditions on initial states, x is 0, 2, 3 in the order of ids.
    let setup = Setup::default();
    for text in [
        "1 + 2 * 3 == 7 and 7 - 2 - 1 == 4 and -2 + 3 == 1",
        "7 mod 3 == 1 and -1 mod 3 == 2 and 1 mod -3 == 1",
        "floor(7 / 2) == 3 and ceil(7 / 2) == 4 and floor(-7 / 2) == -4 and ceil(-7 / 2) == -3",
        "floor(1 / 2 + 1 / 2) == 1 and ceil(6 / 3) == 2",
        "max(1, 3, 2) == 3 and min(2, 1) == 1 and twice(4) == 8",
        "true or best.o < 1",
        "not (false and best.o < 1)",
        "false implies best.o < 1",
        "if true then true else best.o < 1",
        "{} subset { 1 } and not ({ 1, 2 } subset { 1 }) and size({ 1, 1, 2 }) == 2",
        "{ 1, 2 } union { 2, 3 } == 1..3 and (1..3) intersect (2..5) == { 2, 3 }",
        "(1..3) minus { 2 } == { 1, 3 } and 2 in 1..3 and not (4 in 1..3) and 3..1 == {}",
        "{ i in 1..6: i mod 2 == 0 } == { 2, 4, 6 }",
        "size(K) == n and size(K union L) == 4 and K intersect L == {} and L in K union L",
        "L.y == 2 and { L } == L and (all k in L: k == L)",
        "(sum i in 1..4: i) == 10 and (count i in 1..4: i > 2) == 2 and (sum i in {}: i) == 0",
        "(max i in 1..4: 0 - i) == -1 and (min i in 1..4: 0 - i) == -4",
        "(union i in 1..3: { i, i + 1 }) == 1..4 and (union i in {}: { i }) == {}",
        "(intersect i in 1..3: i .. 5) == 3..5 and (the i in 1..9: i * i == 49) == 7",
        "(all i in {}: false) and not (exists i in {}: true)",
        "exists i, j in 1..3: i + j == 6",
        "best.x == 3 and best == largest k in K by k.id",
        "(smallest k in K by k.x).x == 0",
        "(largest i in 1..3 by i mod 2) == 1",
        "best.o == none and best.o != 1 and not (best.o is r)",
        "(if best.x is r and r > 2 then r else 0) == 3",
        "best.c == Red and best.c != Green and best.c == Colour.Red",
        "best.m.v == 2 and best.m.who == L and best.m == M { who: L, v: 2 }",
        "(match best.c { Red => 1, _ => 2 }) == 1 and (match 5 { 4 => 1, else => 2 }) == 2",
        "not best.halted and best.s == {} and not (best in best.s)",
    ] {
        let condition = read_condition(text).unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
        assert_eq!(invariant(&file, &setup, &condition), Ok(true), "{text}");
    }
}
