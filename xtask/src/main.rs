//! `cargo xtask …`: what is done to the repository rather than by the tool.

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask <TASK>

Tasks:
  tidy  Look for what no compiler knows: layers, openings of files, pages and tests of error
        codes, links between documents. `cargo test` does the same.
  reference
        Write the language reference, docs/reference, anew from the semantics suite. `cargo test`
        says when it is not up to date.
  long  Send a long sample of damaged models through the front end, and one of random Machines
        through the engine and the reference interpreter. SCRUTINEER_SAMPLE says how many of each;
        100000 without it. Then kill a long search twenty times, and check the models in
        tests/long. Takes minutes to hours.

Exit code: 0 all is well, 1 something was found, 2 the call is wrong.
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
