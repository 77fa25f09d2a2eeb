//! `cargo test` also checks the rules of `cargo xtask tidy`.

use std::path::Path;

#[test]
fn the_repository_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let problems = xtask::tidy(&root.canonicalize().expect("the root of the repository"));
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "untidy:\n{}", lines.join("\n"));
}
