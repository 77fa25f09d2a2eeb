//! The Machines in `tests/found`: a search, the audit or the interpreter was once wrong on them, or might be.

use machine::{Machine, parse, verify};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/found")
}

/// Parses and verifies the text of a Machine.
pub fn read(name: &str, text: &str) -> Machine {
    let machine =
        parse(text).unwrap_or_else(|e| panic!("{name}:{}: {}\n{text}", e.line, e.expected));
    verify(&machine).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
    machine
}

/// The Machine in a file of `tests/found`.
pub fn machine(name: &str) -> Machine {
    let text = std::fs::read_to_string(folder().join(name)).expect("a text");
    read(name, &text)
}

/// All Machines in `tests/found`, with their file names.
pub fn machines() -> Vec<(String, Machine)> {
    let files = std::fs::read_dir(folder()).expect("the folder is there");
    let names = files.map(|f| f.expect("a file").file_name());
    let names = names.filter_map(|name| name.into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".machine")).collect();
    names.sort();
    let with_machine = |name: String| {
        let machine = machine(&name);
        (name, machine)
    };
    names.into_iter().map(with_machine).collect()
}
