//! Test runs that take too long for every commit: the engines and their oracles on large random samples, the front end
//! on mutated models, two translators on random formulas, a search that is killed repeatedly, and models whose checks
//! take long.

use std::path::Path;
use std::process::Command;

/// The number of samples of a run that takes minutes; SCRUTINEER_SAMPLE overrides it.
const MANY: &str = "100000";

/// The number of samples of a run in which many methods answer each sample; SCRUTINEER_SAMPLE overrides it.
const SEVERAL: &str = "10000";

/// The number of samples of a run on expensive models; SCRUTINEER_SAMPLE overrides it.
const FEW: &str = "2000";

/// The number of samples of a run that decides a dozen claims of each sample at four sizes; SCRUTINEER_SAMPLE overrides
/// it.
const THOUSAND: &str = "1000";

/// A long test run.
struct Long {
    /// What is printed before the run; `{sample}` is replaced by the size of the sample.
    about: &'static str,
    /// The arguments of cargo; `{sample}` is replaced by the size of the sample.
    args: &'static str,
    /// The default size of the sample.
    sample: &'static str,
}

const RUNS: &[Long] = &[
    Long {
        about: "{sample} models with one token changed through the front end",
        args: "run -p scrutineer-mutations --release --example long -- {sample}",
        sample: MANY,
    },
    Long {
        about: "{sample} random Machines through the explicit engine and the reference interpreter",
        args: "test -p scrutineer-explicit --release --test explicit differential::",
        sample: MANY,
    },
    Long {
        about: "{sample} random Machines with every combination of reductions and without",
        args: "test -p scrutineer-explicit --release --test explicit sample:: -- --nocapture",
        sample: SEVERAL,
    },
    Long {
        about: "{sample} random Machines with real time through abstractions and random simulation",
        args: "test -p scrutineer-checks --release --test checks simulation::random_rhythms",
        sample: MANY,
    },
    Long {
        about: "{sample} random models as text through the enumerator, the searches and random simulation",
        args: "test -p scrutineer-checks --release --test checks models::all_methods_agree -- --exact",
        sample: MANY,
    },
    Long {
        about: "{sample} random formulas through two translators, and graphs through the lasso search",
        args: "test -p scrutineer-ltl --release --test laws random",
        sample: MANY,
    },
    Long {
        about: "{sample} random models with time through digitisation, random simulation and the interpreter",
        args: "test -p scrutineer-checks --release --test checks timed_models::all_methods_agree -- --exact",
        sample: FEW,
    },
    Long {
        about: "{sample} random models on networks through the tool and the second enumerator",
        args: "test -p scrutineer-checks --release --test checks network_models::all_methods_agree -- --exact",
        sample: FEW,
    },
    Long {
        about: "{sample} random periodic protocols for every number of nodes, and directly with up to four",
        args: "test -p scrutineer-every-size --release --test every_size sample:: -- --nocapture",
        sample: THOUSAND,
    },
    Long {
        about: "random models that notice planted defects: a scan for the pinned seeds",
        args: "test -p scrutineer-checks --release --test checks scan_for_noticing_seeds -- --ignored --nocapture",
        sample: FEW,
    },
    Long {
        about: "random Machines that catch planted defects of the engine: a scan for the pinned ones",
        args: "test -p scrutineer-explicit --release --test explicit scan_for_catching_machines -- --ignored --nocapture",
        sample: FEW,
    },
    Long {
        about: "random Machines that notice planted defects of reductions: a scan for the pinned seeds",
        args: "test -p scrutineer-explicit --release --test explicit scan_for_noticing_seeds -- --ignored --nocapture",
        sample: FEW,
    },
    Long {
        about: "a long search, killed twenty times at random moments",
        args: "test -p scrutineer --release --test cli checkpoints -- --ignored",
        sample: MANY,
    },
    Long {
        about: "{sample} mutated models, timed automata, stored runs, proofs and checkpoints through all commands",
        args: "test -p scrutineer --release --test cli mutated_files_end -- --nocapture",
        sample: MANY,
    },
    Long {
        about: "models whose checks take long",
        args: "run -p scrutineer --release -- check tests/long",
        sample: MANY,
    },
];

/// Performs all long runs. Returns whether all of them succeed.
pub fn long(root: &Path) -> Result<bool, String> {
    let mut succeeded = true;
    for run in RUNS {
        let sample = std::env::var("SCRUTINEER_SAMPLE").unwrap_or_else(|_| run.sample.into());
        println!("{}:", run.about.replace("{sample}", &sample));
        succeeded &= cargo(root, &run.args.replace("{sample}", &sample), &sample)?;
    }
    Ok(succeeded)
}

/// Prints a cargo command and runs it. Returns whether it succeeds.
fn cargo(root: &Path, args: &str, sample: &str) -> Result<bool, String> {
    println!("  SCRUTINEER_SAMPLE={sample} cargo {args}");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let status = Command::new(cargo)
        .args(args.split_whitespace())
        .env("SCRUTINEER_SAMPLE", sample)
        .current_dir(root)
        .status()
        .map_err(|e| format!("cargo cannot be run: {e}"))?;
    Ok(status.success())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Tree;

    /// The word after an option.
    fn value<'a>(words: &[&'a str], option: &str) -> Option<&'a str> {
        let at = words.iter().position(|word| *word == option)?;
        words.get(at + 1).copied()
    }

    /// Why the arguments of a cargo command do not fit the repository; `None` if they do.
    fn wrong(tree: &Tree, args: &str) -> Option<String> {
        let words: Vec<&str> = args.split_whitespace().collect();
        let package = value(&words, "-p").expect("a package");
        let line = format!("name = \"{package}\"");
        let mut manifests = tree.with_ending("/Cargo.toml");
        let manifest = manifests.find(|(_, text)| text.lines().nth(1) == Some(&line));
        let Some((manifest, _)) = manifest else {
            return Some(format!("there is no package `{package}`"));
        };
        let target = value(&words, "--test")?;
        let tests = manifest.replace("Cargo.toml", "tests/");
        let is_part = |path: &str| {
            path == format!("{tests}{target}.rs") || path.starts_with(&format!("{tests}{target}/"))
        };
        let files: Vec<&str> = { tree.with_ending(".rs") }
            .filter(|(path, _)| is_part(path))
            .map(|(_, text)| text)
            .collect();
        if files.is_empty() {
            return Some(format!("there is no test `{target}` in {tests}"));
        }
        let filter = value(&words, target).filter(|word| *word != "--")?;
        let named = format!("fn {}", filter.rsplit("::").next().unwrap_or(filter));
        let module = format!("mod {filter};");
        let found = { files.iter() }.any(|text| text.contains(&named) || text.contains(&module));
        (!found).then(|| format!("no test in {tests}{target} is called `{filter}…`"))
    }

    #[test]
    fn the_commands_fit_the_repository() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let tree = Tree::read(&root).expect("the repository");
        for run in RUNS {
            assert_eq!(wrong(&tree, run.args), None, "{}", run.args);
        }
    }

    #[test]
    fn commands_that_do_not_fit_are_noticed() {
        let tree = Tree::of(&[
            ("a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("a/tests/b.rs", "fn one() {}"),
        ]);
        assert_eq!(wrong(&tree, "test -p a --test b on"), None);
        assert!(wrong(&tree, "run -p b").is_some());
        assert!(wrong(&tree, "test -p a --test c").is_some());
        assert!(wrong(&tree, "test -p a --test b two").is_some());
    }
}
