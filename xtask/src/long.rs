//! The long differential sample: random Machines through the engine and the reference interpreter.

use std::path::Path;
use std::process::Command;

/// How many Machines, unless SCRUTINEER_SAMPLE says otherwise.
const SAMPLE: &str = "100000";

/// Runs the sample; whether all went well.
pub fn long(root: &Path) -> Result<bool, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let sample = std::env::var("SCRUTINEER_SAMPLE").unwrap_or_else(|_| SAMPLE.into());
    let args = [
        "test",
        "-p",
        "engine-explicit",
        "--release",
        "--test",
        "differential",
    ];
    println!("{sample} random Machines through the explicit engine and the reference interpreter:");
    println!("  SCRUTINEER_SAMPLE={sample} cargo {}", args.join(" "));
    let status = Command::new(cargo)
        .args(args)
        .env("SCRUTINEER_SAMPLE", &sample)
        .current_dir(root)
        .status()
        .map_err(|e| format!("cargo cannot be run: {e}"))?;
    Ok(status.success())
}
