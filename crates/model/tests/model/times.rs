//! Times and schedules.

use super::{check, fine};
use expect_test::{Expect, expect};

/// Compares the diagnostics of a node with this schedule, in a file with units, with `expected`.
#[track_caller]
fn schedule(every: &str, expected: Expect) {
    let text = format!(
        "param w: Duration = 1 ms\nparam n = 3\ntiming beat: 49 ms .. 51 ms\n\
         node A {{ every {every} {{ }} }}\n"
    );
    check(&text, expected);
}

/// Compares the diagnostics of these items, in a file with units, with `expected`.
#[track_caller]
fn value(items: &str, expected: Expect) {
    check(
        &format!("param w: Duration = 1 ms\nparam n = 3\n{items}\n"),
        expected,
    );
}

#[test]
fn valid_schedules() {
    for every in [
        "any",
        "round",
        "round(n)",
        "beat",
        "w",
        "50 ms",
        "49 ms .. 51 ms",
        "50 ms ± 1 ms",
        "50 ms ± 1 %",
        "50 ms ± 100 ppm fixed",
        "50 ms ± 0.5 %, first w",
        "n * w .. 2 * n * w fixed",
        "49 ms .. 51 ms fixed, jitter ± w per gap, first 0 ms .. period",
        "50 ms, jitter ± 0.5 ms on the grid, first period",
        "1 s .. 1 min, first 0 s .. 1 h",
        "max(w, 1 us) .. 1 s / 3",
    ] {
        fine(&format!(
            "param w: Duration = 1 ms\nparam n = 3\ntiming beat: 49 ms .. 51 ms\n\
             node A {{ every {every} {{ }} }}\n"
        ));
    }
    fine(
        "param c = 2\nparam d: Duration = 0.5\nnode A { every c .. c + d, first 0 { } }\nlet e = floor(3 / d)",
    );
}

#[test]
fn invalid_schedules() {
    schedule(
        "51 ms .. 49 ms",
        expect![[r#"
        E0420 4:16 `51 ms .. 49 ms` the gap would be from 51 ms to 49 ms: the first end is the larger one
    "#]],
    );
    schedule(
        "0 ms",
        expect![[r#"
        E0420 4:16 `0 ms` the least gap is 0 ms; it must be more than nothing
    "#]],
    );
    schedule(
        "50 ms ± 50 ms",
        expect![[r#"
        E0420 4:16 `50 ms ± 50 ms` the least gap is 0 ms; it must be more than nothing
    "#]],
    );
    schedule(
        "50 ms, jitter ± 25 ms on the grid",
        expect![[r#"
        E0420 4:16 `50 ms` the least gap, jitter included, is 0 ms; it must be more than nothing
    "#]],
    );
    schedule(
        "49 ms .. 51 ms, jitter ± 1 ms on the grid",
        expect![[r#"
        E0420 4:32 `jitter ± 1 ms on the grid` a jitter on the grid is around a strict beat, and here the gaps vary freely
    "#]],
    );
    schedule(
        "50 ms, jitter ± -1 ms per gap",
        expect![[r#"
        E0420 4:23 `jitter ± -1 ms per gap` a jitter of ± -1 ms is negative
    "#]],
    );
    schedule(
        "50 ms, jitter 1 ms per gap",
        expect![[r#"
        E0420 4:30 `1 ms` a jitter goes both ways: it is written with `±`
          = write `jitter ± 0.5 ms per gap`, without a middle
    "#]],
    );
    schedule(
        "50 ms, jitter ± 1 % per gap",
        expect![[r#"
        E0900 4:30 `± 1 %` a jitter as a part of the period: not in this version
    "#]],
    );
    schedule(
        "50 ms, first -1 ms",
        expect![[r#"
        E0420 4:29 `-1 ms` the first activation would be at -1 ms, before the start
    "#]],
    );
    schedule(
        "49 ms .. 51 ms fixed, first 50 ms .. period",
        expect![[r#"
        E0420 4:44 `50 ms .. period` the first activation would be from 50 ms to 49 ms: the first end is the larger one
    "#]],
    );
    schedule(
        "50 ms, first period / 2",
        expect![[r#"
        E0900 4:29 `period` `period`: not in this version
    "#]],
    );
    schedule(
        "round(0)",
        expect![[r#"
        E0420 4:22 `0` nobody could begin: a node must be able to be one ahead of the others
    "#]],
    );
    schedule(
        "round, first 0 ms",
        expect![[r#"
        E0420 4:16 `round` `round` has no times: `fixed`, `jitter` and `first` belong to gaps
          = gaps are written as times: `every 49 ms .. 51 ms fixed`
    "#]],
    );
    schedule(
        "any fixed",
        expect![[r#"
        E0420 4:16 `any` `any` has no times: `fixed`, `jitter` and `first` belong to gaps
          = gaps are written as times: `every 49 ms .. 51 ms fixed`
    "#]],
    );
    schedule(
        "beat, first 0 ms",
        expect![[r#"
        E0420 4:16 `beat` the timing `beat` says everything itself
          = write `every` and its name alone; `fixed`, `jitter` and `first` stand where gaps are given
    "#]],
    );
    schedule(
        "baet",
        expect![[r#"
        E0215 4:16 `baet` there is no timing `baet` (did you mean `beat`?)
    "#]],
    );
    schedule(
        "n",
        expect![[r#"
        E0320 4:16 `n` a gap is a time; `n` is a plain number
          = write its unit, as elsewhere in this file: `n * 1 ms`
    "#]],
    );
    schedule(
        "5 .. 6",
        expect![[r#"
        E0320 4:16 `5` a gap is a time; `5` is a plain number
          = write its unit, as elsewhere in this file: `5 ms`
        E0320 4:21 `6` a gap is a time; `6` is a plain number
          = write its unit, as elsewhere in this file: `6 ms`
    "#]],
    );
    schedule(
        "true",
        expect![[r#"
        E0301 4:16 `true` a gap is a time; `true` is a `Bool`
    "#]],
    );
}

#[test]
fn timings() {
    check(
        "timing beat: round\ntiming beat: any\ntiming other: beat\ntiming third: unknown\n\
         world W { timing beat: any; timing beat: round; timing pulse: any }\n\
         node A { var beat: 0..1 = 0\n every beat { beat = 1 - beat } }\nlet x = beat",
        expect![[r#"
            E0202 2:8 `beat` the name `beat` is used twice at the top level
              1: first here
            E0420 3:15 `beat` the timing `beat` says everything itself
              = write `every` and its name alone; `fixed`, `jitter` and `first` stand where gaps are given
            E0215 4:15 `unknown` there is no timing `unknown`
              = there are `beat`, `other` and `third`
            E0202 5:36 `beat` the name `beat` is used twice for timings of this world
              5: first here
            E0215 5:56 `pulse` there is no timing `pulse`
              = there are `beat`, `other` and `third`
            E0301 8:9 `beat` `beat` is a timing, and here a value is wanted
              = a timing stands behind `every`: `every beat { … }`
        "#]],
    );
    check(
        "node A { every tick { } }",
        expect![[r#"
        E0215 1:16 `tick` there is no timing `tick`
          = declare it, `timing tick: 49 ms .. 51 ms`, or write `every any`, `every round` or times
    "#]],
    );
}

#[test]
fn numbers_and_times() {
    value(
        "let a = w + 3",
        expect![[r#"
        E0320 3:13 `3` what `+` puts beside a time is a time; `3` is a plain number
          = write its unit, as elsewhere in this file: `3 ms`
    "#]],
    );
    value(
        "let a = n - w",
        expect![[r#"
        E0320 3:9 `n` what `-` puts beside a time is a time; `n` is a plain number
          = write its unit, as elsewhere in this file: `n * 1 ms`
    "#]],
    );
    value(
        "let a = w * w",
        expect![[r#"
        E0305 3:9 `w * w` `w` and `w` are times: one of them must be a number
    "#]],
    );
    value("let a = 2 * w / n + 1 ms", expect![]);
    value(
        "let a = w / w",
        expect![[r#"
        E0307 3:9 `w / w` `/` between times says nothing about the rest
          = how often one is in the other is `floor(a / b)` or `ceil(a / b)`
    "#]],
    );
    value(
        "let a = n / w",
        expect![[r#"
        E0305 3:9 `n / w` `w` is a time: nothing but a time is divided by it
          = for a fraction of a time write the time first: `47 ms / 3`
    "#]],
    );
    value(
        "let a = 47/3 ms",
        expect![[r#"
        E0305 3:9 `47/3 ms` `3 ms` is a time: nothing but a time is divided by it
          = for a fraction of a time write the time first: `47 ms / 3`
    "#]],
    );
    value(
        "let a = floor(w / 3)",
        expect![[r#"
        E0307 3:15 `w / 3` `floor` gives a whole number, and a part of a time is a time
          = divide by a time, `floor(a / 5 ms)`, or leave out `floor`
    "#]],
    );
    value("let a = floor(w / 3 ms) + 1", expect![]);
    value(
        "let a = w mod 3",
        expect![[r#"
        E0305 3:9 `w` `mod` wants a number; `w` is a time
    "#]],
    );
    value(
        "let a = w < 3",
        expect![[r#"
        E0304 3:9 `w < 3` `w` is a time and `3` is a number: they cannot be compared
          = a time has a unit: `3 ms`
    "#]],
    );
    value("let a = w == 3 ms and max(w, 2 ms) >= -w", expect![]);
    value(
        "let a = if n > 2 then w else 3",
        expect![[r#"
        E0301 3:9 `if n > 2 then w else 3` both branches of an `if` have one type; `w` is a time and `3` is a number
    "#]],
    );
    value(
        "let a = w ± 1 ms",
        expect![[r#"
            E0321 3:9 `w ± 1 ms` `±` makes an interval, and here one value is wanted
              = intervals stand behind `every`, `timing t:`, `jitter`, `first`, `within` and `set t in`
        "#]],
    );
    value(
        "let a = 0.5",
        expect![[r#"
        E0307 3:9 `0.5` numbers are whole here
          = fractions are for times only, and those have a unit: `0.5 ms`
    "#]],
    );
    value(
        "let a = now",
        expect![[r#"
            E0424 3:9 `now` `now` is compared with a time, and nothing else is done with it
              = write `now <= 5 ms`; what would be added to `now` is taken from the other side
        "#]],
    );
    value(
        "let a = size(1 ms .. 3 ms)",
        expect![[r#"
        E0305 3:14 `1 ms` a range wants a number; `1 ms` is a time
          = between two times there are too many: list those that are meant, `{ 1 ms, 2 ms }`
        E0305 3:22 `3 ms` a range wants a number; `3 ms` is a time
          = between two times there are too many: list those that are meant, `{ 1 ms, 2 ms }`
    "#]],
    );
    value(
        "param v: Duration = 3",
        expect![[r#"
        E0320 3:21 `3` `v` is a time; `3` is a plain number
          = write its unit, as elsewhere in this file: `3 ms`
    "#]],
    );
    value(
        "param v: 0..9 = 3 ms",
        expect![[r#"
        E0301 3:17 `3 ms` `v` is a number; `3 ms` is a time
    "#]],
    );
    value(
        "message M { t: Duration }\nnode A { t: Duration\n var s: Option<Duration> = none }",
        expect![[r#"
            E0900 3:16 `Duration` times in messages: not in this version
            E0900 4:13 `Duration` times that a node keeps: not in this version
            E0900 5:9 `Option<Duration>` times that a node keeps: not in this version
        "#]],
    );
    // In a file without units, a number is a time if a time is expected.
    check(
        "param c: Duration = 1\nlet a = c + 3\nlet b = c < 2\nlet d = if b then 1 else c",
        expect![],
    );
}
