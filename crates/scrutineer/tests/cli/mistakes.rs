//! Typical mistakes in models: `tests/mistakes/*.scrut`, each with the complete output in a file beside it.
//!
//! Each model has one mistake, and its message must be sufficient to fix it. `UPDATE_EXPECT=1 cargo test` rewrites the
//! outputs; they should then be reviewed from the view of a beginner.

use crate::calling::{call_mixed, folder, root, without_times};
use expect_test::expect_file;
use std::path::PathBuf;

fn with_ending(ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("tests/mistakes")).expect("the folder");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == ending));
    paths.sort();
    paths
}

#[test]
fn every_mistake_has_one_helpful_message() {
    let out = folder("mistakes");
    let out = out.to_str().expect("a plain path");
    let models = with_ending("scrut");
    assert!(models.len() >= 40, "only {} mistakes", models.len());
    for model in models {
        let name = model.file_name().expect("a name").to_str().expect("plain");
        let place = model.parent().expect("a folder");
        let (code, text) = call_mixed(
            crate::calling::command(place),
            &["check", "--out", out, name],
            "",
        );
        expect_file![model.with_extension("txt")].assert_eq(&without_times(&text));
        assert_eq!(code, 2, "{name}: exit code");
        let errors = text.lines().filter(|l| l.starts_with("error[")).count();
        assert_eq!(errors, 1, "{name}: one message for one mistake\n{text}");
        assert!(
            !text.contains("warning["),
            "{name}: a warning beside an error"
        );
    }
}

#[test]
fn no_output_is_left_over() {
    for text in with_ending("txt") {
        let model = text.with_extension("scrut");
        assert!(model.is_file(), "{} has no model", text.display());
    }
}
