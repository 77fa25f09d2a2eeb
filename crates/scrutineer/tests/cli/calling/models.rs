//! Models that several tests use, and assertions about the output.

use super::{Done, folder};
use expect_test::Expect;
use std::path::PathBuf;

/// A model without claims.
pub const LOCK: &str = "\
param clients: 1..30 = 2
message Ask
message Key
node Client[clients] {
    var has: Bool = false
    start  { send Ask to Server }
    on Key { has = true; halt }
}
node Server {
    var lent: Bool = false
    on Ask from client { if not lent { lent = true; send Key to client } }
}
network complete { channel fifo }
";

/// A model with ids, initial values, a world, a variant and a check.
pub const RING: &str = "\
param n: 1..12 = 3
message Election { candidate: Id }
node Member[n] {
    id: Id
    var tired: Bool = any
    var won: Bool = false
    start { if not tired { send Election { candidate: id } to next } }
    on Election as m {
        if m.candidate > id { send m to next }
        else if m.candidate == id { won = true }
    }
}
network ring { channel fifo }
world Lossy { faults lose any messages }
variant Deaf of Member { on Election as m { } }
claim nobody: always all k in Member: not k.won
check nobody for n = 4, ids = [10, 30, 20, 40] assuming all k in Member: not k.tired
check nobody with Deaf for n in 5..6
";

/// A counter that leaves its range.
pub const COUNTS: &str = "\
node Tally {
    var x: 0..2 = 0
    when up: true { x = x + 1 }
}
";

/// A new folder with a model file.
pub fn with(name: &str, file: &str, text: &str) -> PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join(file), text).expect("a file that can be written");
    folder
}

/// Asserts that the output contains a text.
#[track_caller]
pub fn says(text: &str, part: &str) {
    assert!(text.contains(part), "`{part}` is not said:\n{text}");
}

/// Asserts that a text does not contain a part.
#[track_caller]
pub fn says_not(text: &str, part: &str) {
    assert!(!text.contains(part), "`{part}` is said:\n{text}");
}

/// Asserts that the call succeeds and prints exactly the expected output.
#[track_caller]
pub fn good(done: &Done, expected: &Expect) {
    assert_eq!((done.code, &done.err[..]), (0, ""), "{}", done.out);
    expected.assert_eq(&done.out);
}
