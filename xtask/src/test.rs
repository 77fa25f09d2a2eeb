//! Runs all tests in two calls of cargo: first the tests of the command, on the program as it is released, then the
//! tests of the crates.
//!
//! The tests of the crates enable the defect switch. Cargo compiles all crates of one call with the same features, so
//! the command is tested in a call of its own, without the switch.

use std::path::Path;
use std::process::Command;

const COMMAND: [&str; 2] = ["--package", "scrutineer"];
const CRATES: [&str; 3] = ["--workspace", "--exclude", "scrutineer"];

/// Runs all tests with further options of `cargo test`. Returns whether they pass.
pub fn run(root: &Path, options: &[&str]) -> Result<bool, String> {
    let mut pass = true;
    for selected in [&COMMAND[..], &CRATES[..]] {
        let status = Command::new("cargo")
            .args(["test", "--release"])
            .args(selected)
            .args(options)
            .current_dir(root)
            .status()
            .map_err(|why| format!("cargo cannot be run: {why}"))?;
        pass &= status.success();
    }
    Ok(pass)
}
