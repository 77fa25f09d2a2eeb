//! Parts of the language that this version refuses, each by name and once.

use super::check;
use expect_test::expect;

#[test]
fn agreement() {
    check(
        include_str!("../../../syntax/tests/data/agreement.scrut"),
        expect![[r#"
            E0900 51:20 `delivery within 0 .. d, unordered` `delivery within`: not in this version
            E0900 54:25 `crash` `crash any time`: not in this version
            E0900 60:96 `now` `now`: not in this version
        "#]],
    );
}

#[test]
fn ftsp() {
    check(
        include_str!("../../../syntax/tests/data/ftsp.scrut"),
        expect![[r#"
            E0900 8:33 `Counter` the type `Counter`: not in this version
            E0900 17:14 `Counter` the type `Counter`: not in this version
            E0900 49:24 `strangers` `strangers`: not in this version
            E0900 59:26 `graphs where (all k in Mote: distance(first, k) < K)` `network graphs`: not in this version
            E0210 60:44 `every graph` `every graph` goes through the networks of `network graphs`, and this check has none
              41: its network
        "#]],
    );
}

#[test]
fn membership() {
    check(
        include_str!("../../../syntax/tests/data/membership.scrut"),
        expect![""],
    );
}

#[test]
fn polling() {
    check(
        include_str!("../../../syntax/tests/data/polling.scrut"),
        expect![[r#"
            E0900 13:11 `retry` `timer`: not in this version
            E0900 34:5 `persistent var reading: 0..3 = any` `persistent`: not in this version
            E0900 42:20 `delivery within 1 ms .. 20 ms` `delivery within`: not in this version
            E0900 45:26 `stop` `stop any time`: not in this version
            E0900 47:56 `now` `now`: not in this version
            E0900 48:110 `130 ms` `leads to … within`: not in this version
        "#]],
    );
}

#[test]
fn election() {
    check(
        include_str!("../../../syntax/tests/data/thales-election.scrut"),
        expect![""],
    );
}
