//! Parts of the language that this version refuses, each by name and once.

use super::check;
use expect_test::expect;

#[test]
fn agreement() {
    check(
        include_str!("../../../syntax/tests/data/agreement.scrut"),
        expect![[r#"
            E0900 6:11 `Duration` the type `Duration`: not in this version
            E0900 7:11 `Duration` the type `Duration`: not in this version
            E0900 8:11 `Duration` the type `Duration`: not in this version
            E0900 23:14 `[Set<Node>; 0..rounds]` arrays: not in this version
            E0900 25:17 `[-1..misses; Node]` arrays: not in this version
            E0900 31:5 `every c1 .. c2, first 0` `every` with times: not in this version
            E0900 47:12 `tell` `action`: not in this version
            E0900 48:12 `decide` `action`: not in this version
            E0900 51:20 `delivery within 0 .. d, unordered` `delivery within`: not in this version
            E0900 54:1 `faults at most f nodes: crash any time, during broadcast` faults of nodes: not in this version
            E0900 60:18 `Duration` the type `Duration`: not in this version
            E0900 60:79 `crashed` `.crashed`: not in this version
            E0900 60:96 `now` `now`: not in this version
            E0900 63:13 `u` `check least`: not in this version
        "#]],
    );
}

#[test]
fn ftsp() {
    check(
        include_str!("../../../syntax/tests/data/ftsp.scrut"),
        expect![[r#"
            E0900 8:33 `Counter` the type `Counter`: not in this version
            E0900 10:8 `beat` `timing`: not in this version
            E0900 17:14 `Counter` the type `Counter`: not in this version
            E0900 19:5 `every beat` `every` with times: not in this version
            E0900 41:19 `delivery instant` `delivery instant`: not in this version
            E0900 48:13 `N` `check least`: not in this version
            E0900 49:24 `strangers` `strangers`: not in this version
            E0900 52:23 `beat` `timing`: not in this version
            E0900 53:34 `delivery instant` `delivery instant`: not in this version
            E0900 59:26 `graphs where (all k in Mote: distance(first, k) < K)` `network graphs`: not in this version
            E0900 59:81 `delivery instant` `delivery instant`: not in this version
            E0900 60:13 `N` `check least`: not in this version
            E0900 60:44 `every graph` `for every`: not in this version
        "#]],
    );
}

#[test]
fn membership() {
    check(
        include_str!("../../../syntax/tests/data/membership.scrut"),
        expect![[r#"
            E0900 13:5 `every 49 ms .. 51 ms fixed, jitter ± 0.5 ms per gap, first 0 ms .. period` `every` with times: not in this version
            E0900 15:39 `inbox` `inbox`: not in this version
              = let `on M as m { … m.field … }` blocks take the messages one by one, and keep what matters in variables
            E0900 18:42 `senders(inbox)` `senders`: not in this version
              = let `on M as m { … m.field … }` blocks take the messages one by one, and keep what matters in variables
            E0900 21:13 `clear inbox` `inbox`: not in this version
              = let `on M as m { … m.field … }` blocks take the messages one by one, and keep what matters in variables
            E0900 29:5 `delivery instant` `delivery instant`: not in this version
            E0900 30:5 `inbox latest per sender, starts with one from each sender` `inbox`: not in this version
              = let `on M as m { … m.field … }` blocks take the messages one by one, and keep what matters in variables
            E0900 33:1 `faults any nodes: off, isolated, mute from start` faults of nodes: not in this version
            E0900 35:32 `faultless` `.faultless`: not in this version
            E0900 36:37 `off` `.off`: not in this version
            E0900 36:46 `mute` `.mute`: not in this version
            E0900 36:56 `isolated` `.isolated`: not in this version
            E0900 42:13 `a` `check least`: not in this version
            E0900 43:60 `every p` `for every`: not in this version
            E0900 45:14 `faults at most 1 node: deaf from start` faults of nodes: not in this version
            E0900 46:13 `a` `check least`: not in this version
        "#]],
    );
}

#[test]
fn polling() {
    check(
        include_str!("../../../syntax/tests/data/polling.scrut"),
        expect![[r#"
            E0900 13:11 `retry` `timer`: not in this version
            E0900 30:12 `ask` `action`: not in this version
            E0900 34:5 `persistent var reading: 0..3 = any` `persistent`: not in this version
            E0900 42:20 `delivery within 1 ms .. 20 ms` `delivery within`: not in this version
            E0900 45:1 `faults at most 1 Sensor: stop any time, restart fresh within 0 ms .. 50 ms` faults of nodes: not in this version
            E0900 47:56 `now` `now`: not in this version
            E0900 47:63 `360 ms` times: not in this version
            E0900 48:110 `130 ms` `leads to … within`: not in this version
        "#]],
    );
}

#[test]
fn election() {
    check(
        include_str!("../../../syntax/tests/data/thales-election.scrut"),
        expect![[r#"
            E0900 7:15 `Duration` the type `Duration`: not in this version
            E0900 7:26 `0.5 ms` times: not in this version
            E0900 19:5 `every 49 ms .. 51 ms fixed, jitter ± wobble per gap, first 0 ms .. period` `every` with times: not in this version
            E0900 21:38 `inbox` `inbox`: not in this version
              = let `on M as m { … m.field … }` blocks take the messages one by one, and keep what matters in variables
            E0900 22:13 `clear inbox` `inbox`: not in this version
              = let `on M as m { … m.field … }` blocks take the messages one by one, and keep what matters in variables
            E0900 33:5 `delivery instant` `delivery instant`: not in this version
            E0900 35:5 `inbox all, starts with one from each sender` `inbox`: not in this version
              = let `on M as m { … m.field … }` blocks take the messages one by one, and keep what matters in variables
            E0900 38:1 `faults at most p - 1 nodes: off from start` faults of nodes: not in this version
            E0900 40:37 `off` `.off`: not in this version
            E0900 48:13 `a` `check least`: not in this version
            E0900 49:22 `every p` `for every`: not in this version
            E0900 50:55 `25 ms` times: not in this version
            E0900 51:16 `wobble` `check greatest`: not in this version
            E0900 53:38 `delivery instant` `delivery instant`: not in this version
            E0900 53:65 `inbox all, starts with anything` `inbox`: not in this version
              = let `on M as m { … m.field … }` blocks take the messages one by one, and keep what matters in variables
            E0900 54:13 `a` `check least`: not in this version
        "#]],
    );
}
