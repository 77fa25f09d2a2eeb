//! Hostile input: whatever a model, a stored run, a proof or a checkpoint contains, the program ends with an exit code
//! and a short message; it does not panic, abort or hang.
//!
//! `tests/hostile/` has inputs that once did; `mutated.rs` changes files at random.

mod mutated;

use crate::calling::{call, folder, root};

/// Calls the program on a file of `tests/hostile`. Returns the exit code and standard error.
fn hostile(name: &str, command: &str, file: &str) -> (i32, String) {
    let path = root().join("tests/hostile").join(file);
    let done = call(&folder(name), &[command, path.to_str().expect("UTF-8")]);
    (done.code, done.err)
}

#[test]
fn ranges_and_structs_that_are_too_large_are_one_error_with_the_place() {
    for (file, place, words) in [
        (
            "count-over-a-huge-range.scrut",
            ":2:29",
            "1000000001 numbers",
        ),
        (
            "loop-over-a-huge-range.scrut",
            ":2:26",
            "1000000001 numbers",
        ),
        ("structs-that-double.scrut", ":12:8", "`S11` has"),
        (
            "a-thousand-million-instances.scrut",
            ":7:31",
            "more than 10000 instances",
        ),
        (
            "restart-with-any-of-many-values.scrut",
            ":2:14",
            "1000000000001 values",
        ),
    ] {
        let (code, err) = hostile("large", "check", file);
        assert_eq!((code, err.matches("error[E0317]").count()), (2, 1), "{err}");
        assert!(err.contains(place) && err.contains(words), "{err}");
    }
}

#[test]
fn numbers_in_stored_files_are_bounded() {
    let (code, err) = hostile("numbers", "show", "message-of-no-type.run");
    assert_eq!((code, err.matches("error").count()), (2, 1), "{err}");
    let (code, err) = hostile("numbers", "audit", "a-hundred-million-nodes.proof");
    assert_eq!((code, err.matches("error").count()), (1, 1), "{err}");
    assert!(err.contains("more than 100000 nodes"), "{err}");
}

#[test]
fn a_long_name_makes_a_short_message() {
    let folder = folder("long");
    let name = "y".repeat(1_000_000);
    for (text, place) in [
        (
            format!("node A {{ var x: 0..1 = {name} }}\n"),
            "m.scrut:1:24",
        ),
        (format!("node A {{ }}\n{name} B {{ }}\n"), "m.scrut:2:1"),
        (format!("let {name}x = 1\nlet a = {name}\n"), "m.scrut:2:9"),
    ] {
        std::fs::write(folder.join("m.scrut"), text).expect("a file");
        let done = call(&folder, &["check", "m.scrut"]);
        assert_eq!(done.code, 2);
        assert!(done.err.len() < 2_000, "{} bytes", done.err.len());
        assert!(done.err.contains(place), "{}", done.err);
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let folder = folder("deep");
    let many = 100_000;
    let around = |a: &str, x: &str, b: &str| format!("{}{x}{}", a.repeat(many), b.repeat(many));
    let start = |value: &str| format!("node A {{ var x: Bool = {value} }}\n");
    let code = |body: &str| format!("node A {{ var x: Bool = true\nwhen g: x {{ {body} }} }}\n");
    let structs = (1..20_000).map(|i| format!("struct S{i} {{ a: S{} }}\n", i - 1));
    let structs: String = structs.collect();
    for text in [
        start(&around("(", "true", ")")),
        start(&around("not ", "true", "")),
        start(&around("true and ", "true", "")),
        start(&around("true implies ", "true", "")),
        start(&around("{", "true", "}")),
        start(&format!("x{}", ".y".repeat(many))),
        start(&format!("x{}", "[0]".repeat(many))),
        code(&around("if x { ", "x = false", " }")),
        code(&format!(
            "{}{{ x = false }}",
            "if x { x = false } else ".repeat(many)
        )),
        code(&around("for i in 0..1 { ", "x = false", " }")),
        format!(
            "node A {{ var x: {} = none }}\n",
            around("Option<", "Bool", ">")
        ),
        format!("struct S0 {{ a: Bool }}\n{structs}node A {{ var x: Option<S19999> = none }}\n"),
    ] {
        std::fs::write(folder.join("m.scrut"), &text).expect("a file");
        let done = call(&folder, &["check", "m.scrut"]);
        assert_eq!(done.code, 2, "{:.200}: {}", text, done.err);
        assert!(done.err.contains("error["), "{:.200}: {}", text, done.err);
    }
    let deep = around("[", "", "]");
    let machine = around("(", "x", ")");
    for (file, command, code) in [("m.run", "show", 2), ("m.proof", "audit", 1)] {
        let version = format!("scrutineer_{}", &file[2..]);
        let text = format!("{{\"{version}\": 2, \"machine\": \"{machine}\", \"title\": {deep}}}");
        std::fs::write(folder.join(file), text).expect("a file");
        let done = call(&folder, &[command, file]);
        assert_eq!(
            (done.code, done.err.matches("error").count()),
            (code, 1),
            "{:.300}",
            done.err
        );
    }
}
