//! Parts of the language that this version refuses, each by name and once.

use super::check;
use expect_test::expect;

#[test]
fn agreement() {
    check(
        include_str!("../../../syntax/tests/data/agreement.scrut"),
        expect![""],
    );
}

#[test]
fn ftsp() {
    check(
        include_str!("../../../syntax/tests/data/ftsp.scrut"),
        expect![[r#"
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
        expect![""],
    );
}

#[test]
fn election() {
    check(
        include_str!("../../../syntax/tests/data/thales-election.scrut"),
        expect![""],
    );
}
