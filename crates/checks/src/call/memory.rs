//! The memory of the computer and of this process, as Linux reports it.

use std::fs::File;
use std::io::Read;

/// The available memory of the computer in bytes; `None` if the operating system does not report it.
pub fn available_memory() -> Option<u64> {
    reported("/proc/meminfo", "MemAvailable:")
}

/// The memory of this process in bytes (its resident set, if possible without the pages of files, such as its code);
/// `None` if the operating system does not report it.
pub(crate) fn process_memory() -> Option<u64> {
    let status = "/proc/self/status";
    reported(status, "RssAnon:").or_else(|| reported(status, "VmRSS:"))
}

/// A size in a file of the operating system. The kernel generates the file at every read, so one read is cheaper than
/// several.
fn reported(path: &str, name: &str) -> Option<u64> {
    let mut text = [0; 2048];
    let length = File::open(path).ok()?.read(&mut text).ok()?;
    let text = std::str::from_utf8(&text[..length]).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
