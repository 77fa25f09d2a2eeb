//! `fmt`: formats models in place, or from standard input to standard output.

use crate::args::FmtArgs;
use crate::console::diagnostics;
use crate::{Exit, complain};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Executes `fmt FILES…` and returns the exit code.
pub(crate) fn fmt(args: &FmtArgs) -> Exit {
    let files = match checks::find_models(&args.files) {
        Ok(files) => files,
        Err(error) => return complain(&error),
    };
    files.iter().fold(Exit::Good, |exit, file| {
        let done = match file.as_os_str() == "-" {
            true => filter(args.check),
            false => in_place(file, args.check),
        };
        exit.and(done.unwrap_or_else(|why| complain(&why)))
    })
}

/// Formats standard input to standard output. With `check`, only reports whether the text would change.
fn filter(check: bool) -> Result<Exit, String> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|e| format!("cannot read standard input: {e}"))?;
    let text =
        String::from_utf8(bytes).map_err(|_| "standard input is not UTF-8 text".to_string())?;
    let Some(new) = formatted("standard input", &text) else {
        return Ok(Exit::Wrong);
    };
    if check {
        return Ok(judged("standard input", new == text));
    }
    std::io::stdout()
        .write_all(new.as_bytes())
        .map_err(|e| format!("cannot write to standard output: {e}"))?;
    Ok(Exit::Good)
}

/// Formats a file in place. With `check`, only reports whether the file would change.
fn in_place(path: &Path, check: bool) -> Result<Exit, String> {
    let name = path.display().to_string();
    let text = checks::read_text(path)?;
    let Some(new) = formatted(&name, &text) else {
        return Ok(Exit::Wrong);
    };
    if check {
        return Ok(judged(&name, new == text));
    }
    if new != text {
        replace(path, &new).map_err(|e| format!("cannot write {name}: {e}"))?;
        anstream::println!("{name}: laid out");
    }
    Ok(Exit::Good)
}

fn judged(name: &str, same: bool) -> Exit {
    if same {
        return Exit::Good;
    }
    anstream::println!("{name}: would be laid out differently");
    Exit::Bad
}

/// The formatted text. If the text cannot be parsed, prints the diagnostics and returns `None`.
fn formatted(name: &str, text: &str) -> Option<String> {
    match checks::format(name, text) {
        Ok(new) => Some(new),
        Err(unreadable) => {
            diagnostics::print(&unreadable.sources, &unreadable.diagnostics);
            None
        }
    }
}

/// Replaces the text of a file atomically: writes a temporary file beside it and renames it. A symbolic link is
/// followed, and the permissions are kept.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let path = path.canonicalize()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside: PathBuf = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = std::fs::write(&beside, text)
        .and_then(|()| std::fs::metadata(&path))
        .and_then(|old| std::fs::set_permissions(&beside, old.permissions()))
        .and_then(|()| std::fs::rename(&beside, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    written
}
