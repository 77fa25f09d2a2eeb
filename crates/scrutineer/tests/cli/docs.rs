//! Runs every model and every command in the documents, and compares the output.
//!
//! A block ```` ```scrut name.scrut ```` or ```` ```tck name.tck ```` is a file for the commands of the same document. With `+` after the name, the
//! block is appended to that file. A block without a name is a model whose checks must all be answered as expected.
//!
//! In a ```` ```console ```` block, `$ scrutineer …` is executed, and `$ echo $?` prints its exit code. The lines after
//! a command are its output; a line `…` stands for any number of lines. Lines that start with `> ` are its input. Times
//! are not compared.
//!
//! `UPDATE_EXPECT=1 cargo test` rewrites the outputs, and keeps the number of lines before and after a `…`. Generated
//! pages start with [`MADE`] and are skipped, because the tests that generate them run their models.

use crate::calling::{call_mixed, folder, root, without_times};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How the README calls the program for readers who have not installed it.
const BY_CARGO: &str = "cargo run --release -- ";

/// The first words of a generated page.
const MADE: &str = "<!-- Made from ";

#[test]
fn documents_tell_the_truth() {
    let documents = documents();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let found: Vec<(usize, Vec<String>)> = std::thread::scope(|scope| {
        let one = || {
            let (mut commands, mut wrong) = (0, Vec::new());
            while let Some(path) = documents.get(next.fetch_add(1, Ordering::Relaxed)) {
                let (more, lies) = look_at(path);
                commands += more;
                wrong.extend(lies);
            }
            (commands, wrong)
        };
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        let threads = threads.into_iter();
        threads.map(|t| t.join().expect("a look")).collect()
    });
    let commands: usize = found.iter().map(|(commands, _)| commands).sum();
    assert!(commands > 5, "only {commands} commands were found");
    let wrong: Vec<String> = found.into_iter().flat_map(|(_, wrong)| wrong).collect();
    assert!(
        wrong.is_empty(),
        "{}\n\nUPDATE_EXPECT=1 writes the outputs anew",
        wrong.join("\n\n")
    );
}

/// The number of commands of a document, and the differences in their outputs. With `UPDATE_EXPECT`, rewrites the
/// document instead.
fn look_at(path: &Path) -> (usize, Vec<String>) {
    let text = std::fs::read_to_string(path).expect("a document");
    if text.starts_with(MADE) {
        return (0, Vec::new());
    }
    let name = path.strip_prefix(root()).expect("inside").display();
    let mut document = Document::new(&name.to_string());
    let new = document.run(&text);
    if std::env::var_os("UPDATE_EXPECT").is_some() && new != text {
        std::fs::write(path, new).expect("a document that can be written");
        document.wrong.clear();
    }
    (document.commands, document.wrong)
}

fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).expect("a new folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let to = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy(&path, &to),
            false => drop(std::fs::copy(&path, to).expect("a copy")),
        }
    }
}

struct Document {
    name: String,
    folder: PathBuf,
    last_code: i32,
    commands: usize,
    wrong: Vec<String>,
}

impl Document {
    fn new(name: &str) -> Document {
        let folder = folder(&format!("docs-{}", name.replace(['/', '.'], "-")));
        copy(&root().join("models"), &folder.join("models"));
        Document {
            name: name.into(),
            folder,
            last_code: 0,
            commands: 0,
            wrong: Vec::new(),
        }
    }

    /// Executes all blocks of a document. Returns its text with the actual outputs.
    fn run(&mut self, text: &str) -> String {
        let mut new = String::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            new.push_str(line);
            new.push('\n');
            let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else {
                continue;
            };
            let block: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
            let words: Vec<&str> = info.split_whitespace().collect();
            match words[..] {
                ["scrut" | "tck", name] => {
                    let text = block.join("\n") + "\n";
                    std::fs::write(self.folder.join(name), text).expect("a model");
                    push(&mut new, &block);
                }
                ["scrut", name, "+"] => {
                    let path = self.folder.join(name);
                    let before = std::fs::read_to_string(&path).expect("a model to add to");
                    let text = before + &block.join("\n") + "\n";
                    std::fs::write(path, text).expect("a model");
                    push(&mut new, &block);
                }
                ["scrut"] => {
                    self.model(&block);
                    push(&mut new, &block);
                }
                ["console"] => push(&mut new, &self.console(&block)),
                _ => push(&mut new, &block),
            }
            new.push_str("```\n");
        }
        new
    }

    /// Checks a model without a name.
    fn model(&mut self, block: &[&str]) {
        self.commands += 1;
        std::fs::write(self.folder.join("unnamed.scrut"), block.join("\n")).expect("a model");
        let (code, output) = call_mixed(
            crate::calling::command(&self.folder),
            &["check", "unnamed.scrut"],
            "",
        );
        if code != 0 {
            let text = format!("{}: a model is not as expected:\n{output}", self.name);
            self.wrong.push(text);
        }
    }

    /// Executes the commands of a block and compares their outputs. Returns the block with the actual outputs.
    fn console(&mut self, block: &[&str]) -> Vec<String> {
        let mut new = Vec::new();
        let mut rest = block;
        while let [line, behind @ ..] = rest {
            let length = behind.iter().take_while(|l| !l.starts_with("$ ")).count();
            let (written, next) = behind.split_at(length);
            rest = next;
            new.push(line.to_string());
            let typed = written.iter().filter_map(|l| l.strip_prefix("> "));
            let typed: String = typed.map(|l| format!("{l}\n")).collect();
            match self.output(line.trim_start_matches("$ "), &typed) {
                Some(output) => new.extend(self.compare(line, written, &output)),
                None => new.extend(written.iter().map(|l| l.to_string())),
            }
        }
        new
    }

    /// The output of a command with this input; `None` if it is not a command that the test can execute.
    fn output(&mut self, command: &str, typed: &str) -> Option<String> {
        if command == "echo $?" {
            return Some(format!("{}\n", self.last_code));
        }
        let installed = command.strip_prefix("scrutineer ");
        let call = installed.or_else(|| command.strip_prefix(BY_CARGO))?;
        self.commands += 1;
        let args: Vec<&str> = call.split_whitespace().collect();
        let (code, output) = call_mixed(crate::calling::command(&self.folder), &args, typed);
        self.last_code = code;
        Some(output)
    }

    fn compare(&mut self, command: &str, written: &[&str], output: &str) -> Vec<String> {
        let masked = without_times(output);
        let masked: Vec<&str> = masked.lines().collect();
        let expected: Vec<String> = written.iter().map(|l| without_times(l)).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        if matches(&expected, &masked) {
            return written.iter().map(|l| l.to_string()).collect();
        }
        self.wrong.push(format!(
            "{}: {command}\n--- written:\n{}\n--- said:\n{output}",
            self.name,
            written.join("\n")
        ));
        shortened(written, output)
    }
}

fn push(new: &mut String, lines: &[impl AsRef<str>]) {
    for line in lines {
        new.push_str(line.as_ref());
        new.push('\n');
    }
}

/// Whether an output matches the expected lines. A line `…` matches any number of lines.
fn matches(written: &[&str], output: &[&str]) -> bool {
    match written {
        [] => output.is_empty(),
        [dots, rest @ ..] if dots.trim() == "…" => {
            (0..=output.len()).any(|skip| matches(rest, &output[skip..]))
        }
        [line, rest @ ..] => output
            .split_first()
            .is_some_and(|(first, behind)| first == line && matches(rest, behind)),
    }
}

/// The actual output, with `…` at the same place as in the expected lines, if there is exactly one.
fn shortened(written: &[&str], output: &str) -> Vec<String> {
    let lines: Vec<String> = output.lines().map(|l| l.trim_end().to_string()).collect();
    let dots: Vec<usize> = (0..written.len())
        .filter(|i| written[*i].trim() == "…")
        .collect();
    let [at] = dots[..] else {
        return lines;
    };
    let behind = written.len() - at - 1;
    if at + behind >= lines.len() {
        return lines;
    }
    let mut new = lines[..at].to_vec();
    new.push(written[at].to_string());
    new.extend_from_slice(&lines[lines.len() - behind..]);
    new
}

#[test]
fn dots_stand_for_any_lines() {
    assert!(matches(&["a", "…", "d"], &["a", "b", "c", "d"]));
    assert!(matches(&["a", "…", "d"], &["a", "d"]));
    assert!(!matches(&["a", "…", "d"], &["a", "b"]));
    assert!(!matches(&["a"], &["a", "b"]));
    assert_eq!(shortened(&["x", "…", "y"], "a\nb\nc\nd\n"), ["a", "…", "d"]);
    assert_eq!(shortened(&["x", "y"], "a\nb\nc\n"), ["a", "b", "c"]);
}

#[test]
fn a_document_that_lies_is_noticed() {
    let mut document = Document::new("lies");
    let text = "```console\n$ scrutineer explain E9999\nfine\n$ echo $?\n0\n```\n";
    let new = document.run(text);
    assert_eq!(document.wrong.len(), 2);
    assert!(
        new.contains("there is no code E9999") && new.contains("\n2\n"),
        "{new}"
    );
    assert!(Path::new(&document.folder).is_dir());
    document.wrong.clear();
    document.run("```scrut\nclaim c: always true\ncheck c\n```\n");
    assert_eq!(document.wrong.len(), 1, "a model without nodes");
}
