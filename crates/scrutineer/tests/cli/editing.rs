//! The commands for writing a model: `new`, `fmt`, `completions` and `man`.

use crate::calling::{Done, call, command, folder};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const UNTIDY: &str = "node A{var x:Bool=false}\nclaim c: always A.x   implies A.x\n";
const TIDY: &str = "node A { var x: Bool = false }\nclaim c: always (A.x implies A.x)\n";
const WRONG: &str = "node A { var x: Bool }\n";

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a file that can be written");
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("a file that can be read")
}

#[track_caller]
fn says(text: &str, part: &str) {
    assert!(text.contains(part), "`{part}` is not said:\n{text}");
}

/// Calls the program with a text on its standard input.
fn call_with(folder: &Path, args: &[&str], input: &str) -> Done {
    let mut child = command(folder)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be called");
    let mut pipe = child.stdin.take().expect("its standard input");
    pipe.write_all(input.as_bytes()).expect("it listens");
    drop(pipe);
    child.wait_with_output().expect("it ends").into()
}

#[test]
fn fmt_lays_out_in_place() {
    let folder = folder("fmt-in-place");
    write(&folder, "a.scrut", UNTIDY);
    write(&folder, "b.scrut", TIDY);
    let old = std::fs::metadata(folder.join("b.scrut"))
        .unwrap()
        .modified();
    let done = call(&folder, &["fmt", "."]);
    assert_eq!((done.code, &done.out[..]), (0, "./a.scrut: laid out\n"));
    assert_eq!(read(&folder, "a.scrut"), TIDY);
    let new = std::fs::metadata(folder.join("b.scrut"))
        .unwrap()
        .modified();
    assert_eq!(old.unwrap(), new.unwrap(), "a tidy file is not touched");
    let names = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(names, 2, "nothing is left behind");
    assert_eq!(call(&folder, &["fmt", "a.scrut"]).out, "");
}

#[cfg(unix)]
#[test]
fn fmt_keeps_links_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("fmt-links");
    write(&folder, "a.scrut", UNTIDY);
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(folder.join("a.scrut"), private).unwrap();
    symlink("a.scrut", folder.join("link.scrut")).unwrap();
    assert_eq!(call(&folder, &["fmt", "link.scrut"]).code, 0);
    assert_eq!(read(&folder, "a.scrut"), TIDY);
    assert!(folder.join("link.scrut").is_symlink());
    let mode = std::fs::metadata(folder.join("a.scrut")).unwrap();
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
}

#[test]
fn fmt_check_changes_nothing() {
    let folder = folder("fmt-check");
    write(&folder, "a.scrut", UNTIDY);
    write(&folder, "b.scrut", TIDY);
    let done = call(&folder, &["fmt", "--check", "a.scrut", "b.scrut"]);
    let expected = "a.scrut: would be laid out differently\n";
    assert_eq!((done.code, &done.out[..]), (1, expected));
    assert_eq!(read(&folder, "a.scrut"), UNTIDY);
    assert_eq!(call(&folder, &["fmt", "--check", "b.scrut"]).code, 0);
}

#[test]
fn fmt_as_a_filter() {
    let folder = folder("fmt-filter");
    let done = call_with(&folder, &["fmt", "-"], UNTIDY);
    assert_eq!((done.code, &done.out[..]), (0, TIDY));
    let done = call_with(&folder, &["fmt", "-", "--check"], UNTIDY);
    assert_eq!(done.code, 1);
    let done = call_with(&folder, &["fmt", "-"], WRONG);
    assert_eq!((done.code, &done.out[..]), (2, ""));
    says(&done.err, "variable `x` has no value to begin with");
    says(&done.err, "standard input:1:");
}

#[test]
fn fmt_refuses_what_it_cannot_read() {
    let folder = folder("fmt-wrong");
    write(&folder, "a.scrut", UNTIDY);
    write(&folder, "wrong.scrut", WRONG);
    let done = call(&folder, &["fmt", "wrong.scrut", "missing.scrut", "a.scrut"]);
    assert_eq!(done.code, 2);
    says(&done.err, "wrong.scrut:1:");
    says(&done.err, "cannot read missing.scrut");
    assert_eq!(read(&folder, "wrong.scrut"), WRONG);
    assert_eq!(read(&folder, "a.scrut"), TIDY, "the others are laid out");
}

#[test]
fn a_new_model_fails_and_can_be_mended_as_it_says() {
    let folder = folder("new");
    let done = call(&folder, &["new", "pay.scrut"]);
    assert_eq!(done.code, 0);
    says(&done.out, "scrutineer check pay.scrut");
    assert_eq!(call(&folder, &["fmt", "--check", "pay.scrut"]).code, 0);

    let done = call(&folder, &["check", "pay.scrut"]);
    assert_eq!(done.code, 1, "{}", done.err);
    says(&done.out, "✓ served");
    says(&done.out, "✗ charged_once fails");
    says(&done.out, "Shop.charged = 2");

    let text = read(&folder, "pay.scrut");
    let (_, hint) = text.split_once("To mend it, write `").expect("a hint");
    let (mended, _) = hint
        .split_once("` in place of the next line")
        .expect("a hint");
    let next = hint.lines().nth(1).expect("the next line").trim();
    write(
        &folder,
        "pay.scrut",
        &text.replace(&format!("        {next}\n"), &format!("        {mended}\n")),
    );
    let done = call(&folder, &["check", "pay.scrut"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);

    let text =
        read(&folder, "pay.scrut").replace("lose at most 1 message", "lose at most 2 messages");
    write(&folder, "pay.scrut", &text);
    let done = call(&folder, &["check", "pay.scrut"]);
    assert_eq!(done.code, 1);
    says(&done.out, "✗ served fails");
}

#[test]
fn new_overwrites_nothing() {
    let folder = folder("new-twice");
    write(&folder, "mine.scrut", TIDY);
    for name in ["mine.scrut", "mine"] {
        let done = call(&folder, &["new", name]);
        assert_eq!(done.code, 2);
        says(&done.err, "mine.scrut is there already");
    }
    assert_eq!(read(&folder, "mine.scrut"), TIDY);
    assert_eq!(call(&folder, &["new"]).code, 0);
    assert!(folder.join("first.scrut").is_file());
    let done = call(&folder, &["new", "nowhere/a.scrut"]);
    assert_eq!(done.code, 2);
    says(&done.err, "cannot write nowhere/a.scrut");
}

#[test]
fn shells_and_readers_get_what_the_command_defines() {
    let folder = folder("manual");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let done = call(&folder, &["completions", shell]);
        assert_eq!(done.code, 0);
        says(&done.out, "scrutineer");
        says(&done.out, "explain");
    }
    assert_eq!(call(&folder, &["completions", "dos"]).code, 2);
    let done = call(&folder, &["man"]);
    assert_eq!(done.code, 0);
    says(&done.out, ".TH scrutineer 1");
    says(
        &call(&folder, &["man", "check"]).out,
        "Exit code: 0 all as expected",
    );
    assert_eq!(call(&folder, &["man", "dance"]).code, 2);
}
