//! Describes the machine and the versions of the tools with which figures were measured.

use std::path::Path;
use std::process::Command;

/// The description, in one line.
pub(crate) fn describe(tool: &Path) -> Result<String, String> {
    let processor = field("/proc/cpuinfo", "model name").unwrap_or_else(|| "a processor".into());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = field("/proc/meminfo", "MemTotal").unwrap_or_default();
    let gigabytes = memory
        .split_whitespace()
        .next()
        .and_then(|kilobytes| kilobytes.parse::<f64>().ok())
        .map_or(String::new(), |kilobytes| {
            format!(", {:.0} GB", kilobytes / 1e6)
        });
    let version = said(&tool.display().to_string(), &["--version"])?;
    let compiler = said("rustc", &["--version"])?;
    let commit = said("git", &["rev-parse", "--short", "HEAD"]).unwrap_or_default();
    let day = said("date", &["-u", "+%Y-%m-%d"]).unwrap_or_default();
    Ok(format!(
        "{processor}, {cores} cores{gigabytes}; {version} {commit}, built by {compiler}; {day}"
    ))
}

fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

/// The first line of the version output of a program; `None` if it cannot be run.
pub(crate) fn version(command: &str, args: &[&str]) -> Option<String> {
    let said = said(command, args).ok()?;
    said.lines().next().map(str::to_string)
}

fn said(command: &str, args: &[&str]) -> Result<String, String> {
    let done = Command::new(command).args(args).output();
    let done = done.map_err(|why| format!("{command}: {why}"))?;
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_string())
}
