//! Calls the command-line program, each test in its own folder.

pub mod models;
pub mod schema;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The root of the repository.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the root of the repository")
}

/// A new, empty folder for a test. Its path contains the module, so tests of different modules may use the same name.
pub fn folder(name: &str) -> PathBuf {
    let thread = std::thread::current();
    let module = thread.name().and_then(|test| test.rsplit_once("::"));
    let module = module.map_or("test".into(), |(module, _)| module.replace("::", "-"));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(module);
    let path = path.join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a new folder");
    path
}

/// The program, with `folder` as its working directory and no input.
pub fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scrutineer"));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// The result of a call.
pub struct Done {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Done {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Done {
            code: output.status.code().expect("an exit code"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

/// Calls the program in a folder.
pub fn call(folder: &Path, args: &[&str]) -> Done {
    let output = command(folder).args(args).output();
    output.expect("the command can be called").into()
}

/// Calls the program with an input. The output contains the input, because the program echoes it.
pub fn typed(folder: &Path, args: &[&str], input: &str) -> Done {
    let mut child = command(folder)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be called");
    let mut pipe = child.stdin.take().expect("a pipe");
    // The program may end before it has read all of its input.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    child.wait_with_output().expect("an end").into()
}

/// Calls the program with an input. Returns the exit code, and standard output and standard error in the order in which
/// they were written.
pub fn call_mixed(mut command: Command, args: &[&str], input: &str) -> (i32, String) {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let name = format!("output-{:?}.txt", std::thread::current().id());
    let path = scratch.join(format!("{}-{name}", std::process::id()));
    let file = std::fs::File::create(&path).expect("a scratch file");
    let both = file.try_clone().expect("a second handle");
    let mut child = command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(file)
        .stderr(both)
        .spawn()
        .expect("the command can be called");
    let mut pipe = child.stdin.take().expect("a pipe");
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    let status = child.wait();
    let text = std::fs::read_to_string(&path).expect("what was written");
    let _ = std::fs::remove_file(&path);
    let code = status.expect("an end").code();
    (code.expect("an exit code"), text)
}

/// Removes times such as `0.3 s` at the ends of lines, and the spaces before them.
pub fn without_times(text: &str) -> String {
    let mut masked: String = text
        .lines()
        .map(|line| format!("{}\n", without_time(line)))
        .collect();
    if !text.ends_with('\n') {
        masked.pop();
    }
    masked
}

fn without_time(line: &str) -> String {
    let number = line.strip_suffix(" s").map(|rest| {
        let digits = rest.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        (digits, &rest[digits.len()..])
    });
    match number {
        Some((before, number)) if number.contains('.') && before.ends_with(' ') => {
            format!("{} … s", before.trim_end())
        }
        _ => line.to_string(),
    }
}

#[test]
fn times_are_masked() {
    assert_eq!(without_times("a    0.3 s\nb 12.0 s"), "a … s\nb … s");
    assert_eq!(without_times("takes 3 s\n"), "takes 3 s\n");
    assert_eq!(without_times("0.3 s later"), "0.3 s later");
}
