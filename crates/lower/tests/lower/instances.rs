//! The instances of a check: which parameter values `for` and `-D` give.

use super::{RING, Text};
use expect_test::expect;

fn shown(text: &Text, check: usize, defines: &[&str]) -> String {
    match text.instances(check, defines) {
        Ok(requests) => requests
            .iter()
            .map(|r| {
                let set: Vec<String> = r.set.iter().map(|(n, v)| format!("{n} = {v}")).collect();
                let changed = if r.changed { " (changed)" } else { "" };
                let set = match set.join(", ") {
                    nothing if nothing.is_empty() => "as written".to_string(),
                    set => set,
                };
                format!("{set}{changed}\n")
            })
            .collect(),
        Err(text) => text,
    }
}

#[test]
fn for_clauses_make_a_product() {
    let text = Text::new(
        "param n: 1..9 = 3\nparam f: 0..n = 1\nparam twice = 2 * n\nparam on: Bool = false\n\
         node A[n] { }\nclaim c: always true\n\
         check c\ncheck c for n in 2..3, f in 0..n - 1\ncheck c for n = twice\n\
         check c for f in { 0, 2 }, on = true\ncheck c for n in 8..10\ncheck c for n in 3..2\ncheck c for f = 4",
    );
    expect![[r#"
        as written
    "#]]
    .assert_eq(&shown(&text, 0, &[]));
    expect![[r#"
        n = 2, f = 0
        n = 2, f = 1
        n = 3, f = 0
        n = 3, f = 1
        n = 3, f = 2
    "#]]
    .assert_eq(&shown(&text, 1, &[]));
    expect![[r#"
        n = 6
    "#]]
    .assert_eq(&shown(&text, 2, &[]));
    expect![[r#"
        f = 0, on = true
        f = 2, on = true
    "#]]
    .assert_eq(&shown(&text, 3, &[]));
    expect![[r#"
        E0505 11: `n` `n` is a number in 1..9; 10 is outside
    "#]]
    .assert_eq(&shown(&text, 4, &[]));
    expect![[r#"
        E0508 12: `3..2` `n` has no value to go through
    "#]]
    .assert_eq(&shown(&text, 5, &[]));
    expect![[r#"
        E0505 13: `f` `f` is a number in 0..3; 4 is outside
    "#]]
    .assert_eq(&shown(&text, 6, &[]));
    assert_eq!(text.instances(0, &[]).unwrap()[0].params.len(), 4);
}

#[test]
fn the_command_line_wins() {
    let text = Text::new(RING);
    expect![[r#"
        n = 4 (changed)
    "#]]
    .assert_eq(&shown(&text, 0, &["n=4"]));
    expect![[r#"
        E0505 3: `n` `-D n=0`: `n` is a number in 1..200; 0 is outside
    "#]]
    .assert_eq(&shown(&text, 0, &["n=0"]));
    expect![[r#"
        E0210 1: `` `-D m=…`: there is no parameter `m`
        E0510 3: `n` `-D n=many`: `n` is a number
    "#]]
    .assert_eq(&shown(&text, 0, &["m=4", "n=many"]));
}
