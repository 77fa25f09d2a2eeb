//! Checks that the language reference is up to date with the semantics suite. `UPDATE_EXPECT=1 cargo test` regenerates
//! it.

use std::path::Path;
use xtask::{Tree, reference};

#[test]
fn the_reference_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        reference::write(&root).expect("a book that can be written");
    }
    let outdated = reference::outdated(&Tree::read(&root).expect("the repository"));
    assert!(
        outdated.is_empty(),
        "{}\n\n`cargo xtask reference` writes the pages anew",
        outdated.join("\n")
    );
}
