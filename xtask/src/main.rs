//! `cargo xtask …`: maintenance tasks of the repository.

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask <TASK>

Tasks:
  test [OPTION]...
        Run all tests: of the command, on the program as it is released, and of the crates. OPTIONs
        are those of `cargo test`.
  tidy  Check the rules of the repository: dependencies between crates, size and imports of source
        folders, openings of files, words of comments, pages and tests of error codes, links
        between documents. `cargo test` does the same.
  reference
        Generate the language reference, docs/reference, from the semantics suite. `cargo test`
        says when it is not up to date.
  long  Run large random samples through the front end, the engines and their oracles, kill a long
        search twenty times, and check the models in tests/long. SCRUTINEER_SAMPLE is the size of
        each sample. Takes minutes to hours.

Exit code: 0 no problem, 1 problems were found, 2 the call is wrong.
";

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the folder of the workspace");
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["tidy"] => {
            let problems = xtask::tidy(root);
            for problem in &problems {
                eprintln!("{problem}");
            }
            match problems.len() {
                0 => println!("tidy"),
                1 => eprintln!("1 problem"),
                many => eprintln!("{many} problems"),
            }
            ExitCode::from(u8::from(!problems.is_empty()))
        }
        ["reference"] => match xtask::reference::write(root) {
            Ok(changed) => {
                changed.iter().for_each(|path| println!("{path}"));
                ExitCode::SUCCESS
            }
            Err(why) => {
                eprintln!("{why}");
                ExitCode::FAILURE
            }
        },
        ["test", ref options @ ..] => match xtask::test(root, options) {
            Ok(pass) => ExitCode::from(u8::from(!pass)),
            Err(why) => {
                eprintln!("{why}");
                ExitCode::from(2)
            }
        },
        ["long"] => match xtask::long(root) {
            Ok(good) => ExitCode::from(u8::from(!good)),
            Err(why) => {
                eprintln!("{why}");
                ExitCode::from(2)
            }
        },
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            ExitCode::SUCCESS
        }
        _ => {
            eprint!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
