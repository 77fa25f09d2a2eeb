//! Parts of the language that this version refuses: each is reported by name, and once.

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
        expect![""],
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
