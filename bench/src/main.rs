//! `cargo run --release -p bench`: measures CPU time and memory of checks, and lists them beside figures from papers
//! and of other methods.
//!
//! One process of the built program answers each question; its CPU seconds and peak memory are measured. `tables.rs`
//! lists the questions; `measure.rs` runs the processes.

mod explicit;
mod host;
mod limits;
mod measure;
mod model;
mod report;
mod tables;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo run --release -p bench -- [--quick] [TABLE]...

Answers the questions of the named tables, or of all tables if none is named, and writes the answers and measurements to
bench/results/TABLE.md. The table `explicit` also runs Spin and stateright, if they are installed.

  --quick   Answers only questions that take seconds, and writes nothing.

Tables:
";

fn main() -> ExitCode {
    let mut quick = false;
    let mut names = Vec::new();
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--quick" => quick = true,
            explicit::NAME | limits::NAME => names.push(arg),
            name if tables::TABLES.iter().any(|table| table.name == name) => names.push(arg),
            _ => {
                eprint!("{USAGE}");
                for table in tables::TABLES {
                    eprintln!("  {:<12}{}", table.name, table.title);
                }
                eprintln!("  {:<12}{}", explicit::NAME, explicit::TITLE);
                eprintln!("  {:<12}{}", limits::NAME, limits::TITLE);
                return ExitCode::from(2);
            }
        }
    }
    match run(quick, &names) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

/// Measures, prints and writes the tables. Returns whether all answers are as expected.
fn run(quick: bool, names: &[String]) -> Result<bool, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the folder of the workspace");
    let tool = tool(root)?;
    let host = host::describe(&tool)?;
    println!("{host}");
    let wanted = |table: &str| names.is_empty() || names.iter().any(|name| name == table);
    let mut good = true;
    for table in tables::TABLES {
        if !wanted(table.name) {
            continue;
        }
        println!("\n{}", table.title);
        let mut rows = Vec::new();
        for row in table.rows.iter().filter(|row| !quick || row.quick) {
            let asked = measure::ask(root, &tool, row)?;
            good &= asked.as_expected;
            println!("{}", report::line(row, &asked));
            rows.push((row, asked));
        }
        if !quick {
            let page = report::page(table, &host, &rows);
            write(root, &format!("{}.md", table.name), &page)?;
        }
    }
    if wanted(explicit::NAME) {
        println!("\n{}", explicit::TITLE);
        let found = explicit::run(root, &tool, quick)?;
        good &= found.as_expected;
        if !quick {
            let name = explicit::NAME;
            write(root, &format!("{name}.md"), &found.page(&host))?;
            write(root, &format!("{name}.svg"), &found.plot())?;
        }
    }
    if wanted(limits::NAME) {
        println!("\n{}", limits::TITLE);
        let found = limits::run(root, &tool, quick)?;
        good &= found.as_expected;
        if !quick {
            write(root, &format!("{}.md", limits::NAME), &found.page(&host))?;
        }
    }
    Ok(good)
}

/// Writes a page or a chart to the folder of results.
fn write(root: &Path, name: &str, text: &str) -> Result<(), String> {
    let folder = root.join("bench/results");
    let path = folder.join(name);
    std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|why| format!("{}: {why}", path.display()))?;
    println!("written: bench/results/{name}");
    Ok(())
}

/// The path of the `scrutineer` program: in the folder of this program, or in `target/release`.
fn tool(root: &Path) -> Result<PathBuf, String> {
    let beside = std::env::current_exe().ok();
    let beside = beside.and_then(|path| Some(path.parent()?.join("scrutineer")));
    let built = root.join("target/release/scrutineer");
    [beside, Some(built)]
        .into_iter()
        .flatten()
        .find(|path| path.exists())
        .ok_or_else(|| "the command is not built: `cargo build --release` first".into())
}
