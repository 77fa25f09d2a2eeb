//! All tests, in two calls of cargo: the command's tests on the program as it is released, then the tests of the crates.
//!
//! The tests of the crates turn on the defect switch, and cargo compiles the crates that it selects together with the same
//! features. In a call of its own, the command is compiled without the switch.

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
