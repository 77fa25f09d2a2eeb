//! The long samples: random Machines through the engine and the reference interpreter, and through every way to leave something
//! out; those with real times also through abstractions and random runs, random models as text through all of these, damaged models through the
//! front end, formulas through two translators; a search that is killed again and again; and models whose checks take too long for every commit.

use std::path::Path;
use std::process::Command;

/// How many of each, unless SCRUTINEER_SAMPLE says otherwise.
const SAMPLE: &str = "100000";

/// How many of those that are answered in every way, unless SCRUTINEER_SAMPLE says otherwise.
const SEVERAL: &str = "10000";

/// How many of those that take much longer, unless SCRUTINEER_SAMPLE says otherwise.
const FEW: &str = "2000";

/// Runs the samples; whether all went well.
pub fn long(root: &Path) -> Result<bool, String> {
    let sample = std::env::var("SCRUTINEER_SAMPLE").unwrap_or_else(|_| SAMPLE.into());
    println!("{sample} models with one token changed through the front end:");
    let mutations = "run -p mutations --release --example long --";
    let damaged = cargo(root, &format!("{mutations} {sample}"), &sample)?;
    println!("{sample} random Machines through the explicit engine and the reference interpreter:");
    let differential = "test -p scrutineer-explicit --release --test explicit differential::";
    let random = cargo(root, differential, &sample)?;
    let few = std::env::var("SCRUTINEER_SAMPLE").unwrap_or_else(|_| FEW.into());
    let several = std::env::var("SCRUTINEER_SAMPLE").unwrap_or_else(|_| SEVERAL.into());
    println!("{several} random Machines in every way, with and without all that can be left out:");
    let ways = "test -p scrutineer-explicit --release --test explicit sample:: -- --nocapture";
    let ways = cargo(root, ways, &several)?;
    println!("those with real times through rungs and random runs:");
    let rhythms = "test -p driver --release --test simulate random_rhythms";
    let timed = cargo(root, rhythms, &sample)?;
    println!("{sample} random models as text through enumerator, searches and random runs:");
    let models = "test -p driver --release --test models nobody_contradicts_anybody";
    let models = cargo(root, models, &sample)?;
    println!(
        "{sample} random formulas through two translators, and graphs through the search for runs:"
    );
    let formulas = cargo(root, "test -p ltl --release --test laws random", &sample)?;
    println!(
        "{few} random models with times through integer time, random runs and the interpreter:"
    );
    let timely = "test -p driver --release --test timed_models nobody";
    let timely = cargo(root, timely, &few)?;
    println!("{few} random models on networks through the tool and the second enumerator:");
    let networks = "test -p driver --release --test network_models nobody";
    let networks = cargo(root, networks, &few)?;
    println!("a long search, killed twenty times at random moments:");
    let kills = "test -p cli --release --test checkpoints -- --ignored";
    let kills = cargo(root, kills, &sample)?;
    println!("models whose checks take long:");
    let slow = cargo(root, "run -p cli --release -- check tests/long", &sample)?;
    let searches = random && ways && timed && timely && networks && kills;
    Ok(damaged && searches && models && formulas && slow)
}

/// Says what is run and runs it; whether it went well.
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
