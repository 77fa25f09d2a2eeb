//! Prepares a contender for an instance, runs its search as one process, and parses its output.

use super::rows::{Contender, Instance, Search};
use crate::measure;
use crate::model;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The measurements of a search.
#[derive(Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) cpu_seconds: f64,
    /// Wall-clock seconds.
    pub(crate) wall_seconds: f64,
    /// The peak memory of the process.
    pub(crate) megabytes: f64,
    /// The memory for states and their index, if the search reports it.
    pub(crate) reported_bytes: Option<f64>,
}

/// The paths of programs and files.
pub(crate) struct Paths<'a> {
    pub(crate) root: &'a Path,
    /// The path of the `scrutineer` program.
    pub(crate) tool: &'a Path,
    /// The folder for intermediate files.
    pub(crate) scratch: PathBuf,
}

/// A contender that has been built for an instance.
pub(crate) struct Ready {
    command: Vec<String>,
    parse: Parser,
    folder: PathBuf,
}

/// A function that parses the output of a search.
type Parser = fn(&str) -> Option<Reported>;

/// Builds a contender for an instance. The error is the reason why this is not possible.
pub(crate) fn ready(
    contender: &Contender,
    instance: &Instance,
    paths: &Paths,
) -> Result<Ready, String> {
    let (protocol, n) = (instance.protocol.name, instance.ids.len());
    let folder = format!("{protocol}-{n}-{}", contender.name);
    let folder = paths.scratch.join(folder.replace([' ', ','], ""));
    std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let (command, parse) = match contender.search {
        Search::Scrutineer { options } => {
            let command = scrutineer(instance, paths, &folder, options)?;
            (command, parse_report as Parser)
        }
        Search::Spin { compiled } => {
            let command = spin(instance, paths, &folder, compiled)?;
            (command, parse_spin as Parser)
        }
        Search::Stateright { threads } => {
            let command = stateright(instance, paths, &folder, threads)?;
            (command, parse_stateright as Parser)
        }
    };
    Ok(Ready {
        command,
        parse,
        folder,
    })
}

/// The command that runs `scrutineer` on the model, with one check instead of those of the model.
fn scrutineer(
    instance: &Instance,
    paths: &Paths,
    folder: &Path,
    options: &[&str],
) -> Result<Vec<String>, String> {
    let model = format!("models/{}.scrut", instance.protocol.name);
    let text = model::with_check(&paths.root.join(model), &instance.check())?;
    let asked = folder.join("asked.scrut");
    std::fs::write(&asked, text).map_err(|why| format!("{}: {why}", asked.display()))?;
    let tool = paths.tool.display().to_string();
    let mut command = vec![tool, "check".into(), "--json".into()];
    command.extend(options.iter().map(|option| option.to_string()));
    command.push(asked.display().to_string());
    Ok(command)
}

/// Generates and compiles the verifier of Spin for an instance, whose ids are compiled in. Returns the command that
/// runs it.
fn spin(
    instance: &Instance,
    paths: &Paths,
    folder: &Path,
    compiled: &[&str],
) -> Result<Vec<String>, String> {
    let text = format!("bench/peers/{}.pml", instance.protocol.name);
    let text = paths.root.join(text).display().to_string();
    let members = format!("-DN={}", instance.ids.len());
    let ids = format!("-DIDS={}", instance.ranks().join(","));
    made("spin", &["-a", &members, &ids, &text], folder)?;
    made("gcc", &[compiled, &["-o", "pan", "pan.c"]].concat(), folder)?;
    // The hash table has as many slots as there are states, rounded up to a power of two.
    let table = instance.states.next_power_of_two().ilog2().max(10);
    let pan = folder.join("pan").display().to_string();
    Ok(vec![pan, format!("-w{table}")])
}

fn stateright(
    instance: &Instance,
    paths: &Paths,
    folder: &Path,
    threads: &str,
) -> Result<Vec<String>, String> {
    let manifest = paths.root.join("bench/peers/stateright/Cargo.toml");
    let manifest = manifest.display().to_string();
    let target = paths.scratch.join("stateright").display().to_string();
    let build = ["build", "--release", "--quiet", "--locked"];
    let from_to = ["--manifest-path", &manifest, "--target-dir", &target];
    made("cargo", &[build, from_to].concat(), folder)?;
    let peer = format!("{target}/release/peer");
    let protocol = instance.protocol.name.to_string();
    let mut command = vec![peer, protocol, threads.to_string()];
    command.extend(instance.ranks());
    Ok(command)
}

impl Ready {
    /// Runs the search once and measures it.
    pub(crate) fn search(&self) -> Result<Measured, String> {
        let (program, args) = self.command.split_first().expect("a program");
        let mut command = Command::new(program);
        command.args(args).current_dir(&self.folder);
        let ended = measure::process(&mut command, &self.folder)?;
        let reported = (self.parse)(&ended.out).filter(|_| ended.code == Some(0));
        let reported = reported.ok_or_else(|| {
            let (out, err) = (&ended.out, &ended.err);
            format!("`{}` says:\n{out}{err}", self.command.join(" "))
        })?;
        Ok(Measured {
            states: reported.states,
            transitions: reported.transitions,
            cpu_seconds: ended.cpu_seconds,
            wall_seconds: ended.wall_seconds,
            megabytes: ended.megabytes,
            reported_bytes: reported.bytes,
        })
    }
}

/// Runs a build step in a folder. An error contains its output.
fn made(program: &str, args: &[&str], folder: &Path) -> Result<(), String> {
    let done = Command::new(program)
        .args(args)
        .current_dir(folder)
        .output();
    let done = done.map_err(|why| format!("{program}: {why}"))?;
    match done.status.success() {
        true => Ok(()),
        false => {
            let (out, err) = (done.stdout, done.stderr);
            let said = [String::from_utf8_lossy(&out), String::from_utf8_lossy(&err)].concat();
            Err(format!("{program}: {said}"))
        }
    }
}

/// What a search reports about itself.
#[derive(Debug, PartialEq)]
struct Reported {
    states: u64,
    transitions: u64,
    bytes: Option<f64>,
}

fn parse_report(out: &str) -> Option<Reported> {
    let report: Value = serde_json::from_str(out).ok()?;
    let counts = &report["files"][0]["checks"][0]["answers"][0]["counts"];
    Some(Reported {
        states: counts["states"].as_u64()?,
        transitions: counts["transitions"].as_u64()?,
        bytes: counts["bytes"].as_f64(),
    })
}

/// Parses the output of Spin. `None` unless the search found no error and was not truncated.
fn parse_spin(out: &str) -> Option<Reported> {
    if !out.contains("errors: 0") || out.contains("max search depth too small") {
        return None;
    }
    let number = |what: &str| -> Option<f64> {
        let line = out.lines().find(|line| line.contains(what))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let megabytes = number("actual memory usage for states")? + number("used for hash table")?;
    Some(Reported {
        states: number("states, stored")? as u64,
        // Spin counts the generation of the initial state as a transition.
        transitions: number("transitions (= stored+matched)")? as u64 - 1,
        bytes: Some(megabytes * 1024.0 * 1024.0),
    })
}

fn parse_stateright(out: &str) -> Option<Reported> {
    let number = |what: &str| -> Option<u64> {
        let mut lines = out.lines();
        lines.find_map(|line| line.strip_prefix(what)?.trim().parse().ok())
    };
    Some(Reported {
        states: number("states ")?,
        transitions: number("transitions ")?,
        bytes: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPIN: &str = "\
State-vector 172 byte, depth reached 60, errors: 0
    84147 states, stored
   342790 states, matched
   426937 transitions (= stored+matched)
   15.408\tequivalent memory usage for states (stored*(State-vector + overhead))
    8.500\tactual memory usage for states (compression: 55.72%)
    1.000\tmemory used for hash table (-w17)
";

    #[test]
    fn spin_is_understood() {
        let reported = Reported {
            states: 84_147,
            transitions: 426_936,
            bytes: Some(9.5 * 1_048_576.0),
        };
        assert_eq!(parse_spin(SPIN), Some(reported));
        let found = SPIN.replace("errors: 0", "errors: 1");
        assert_eq!(parse_spin(&found), None);
        let cut = format!("error: max search depth too small\n{SPIN}");
        assert_eq!(parse_spin(&cut), None);
    }

    #[test]
    fn stateright_is_understood() {
        let reported = Reported {
            states: 524,
            transitions: 1345,
            bytes: None,
        };
        let said = "states 524\ntransitions 1345\n";
        assert_eq!(parse_stateright(said), Some(reported));
        assert_eq!(parse_stateright("states 524\n"), None);
    }
}
