//! Gets a contender ready for an instance, and lets it search: one process, and what it says about itself.

use super::rows::{Contender, Instance, Search};
use crate::measure;
use crate::model;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One search.
#[derive(Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) cpu_seconds: f64,
    /// On the wall.
    pub(crate) wall_seconds: f64,
    /// The most memory of the process.
    pub(crate) megabytes: f64,
    /// What it says that its states took, tables for finding them again included.
    pub(crate) told_bytes: Option<f64>,
}

/// Where things are.
pub(crate) struct Places<'a> {
    pub(crate) root: &'a Path,
    /// This tool.
    pub(crate) tool: &'a Path,
    /// For what is made on the way.
    pub(crate) scratch: PathBuf,
}

/// A contender that can search an instance.
pub(crate) struct Ready {
    command: Vec<String>,
    understand: Understand,
    folder: PathBuf,
}

/// Reads what a search says about itself.
type Understand = fn(&str) -> Option<Told>;

/// Builds what is to be built; an error says why that was not possible.
pub(crate) fn ready(
    contender: &Contender,
    instance: &Instance,
    places: &Places,
) -> Result<Ready, String> {
    let (protocol, n) = (instance.protocol.name, instance.ids.len());
    let folder = format!("{protocol}-{n}-{}", contender.name);
    let folder = places.scratch.join(folder.replace([' ', ','], ""));
    std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let (command, understand) = match contender.search {
        Search::Here { options } => {
            let command = here(instance, places, &folder, options)?;
            (command, told_here as Understand)
        }
        Search::Spin { compiled } => {
            let command = spin(instance, places, &folder, compiled)?;
            (command, told_by_spin as Understand)
        }
        Search::Stateright { threads } => {
            let command = stateright(instance, places, &folder, threads)?;
            (command, told_by_stateright as Understand)
        }
    };
    Ok(Ready {
        command,
        understand,
        folder,
    })
}

/// The model with one check instead of its own.
fn here(
    instance: &Instance,
    places: &Places,
    folder: &Path,
    options: &[&str],
) -> Result<Vec<String>, String> {
    let model = format!("models/{}.scrut", instance.protocol.name);
    let text = model::asking(&places.root.join(model), &instance.check())?;
    let asked = folder.join("asked.scrut");
    std::fs::write(&asked, text).map_err(|why| format!("{}: {why}", asked.display()))?;
    let tool = places.tool.display().to_string();
    let mut command = vec![tool, "check".into(), "--json".into()];
    command.extend(options.iter().map(|option| option.to_string()));
    command.push(asked.display().to_string());
    Ok(command)
}

/// A program for this instance: ids are part of its text.
fn spin(
    instance: &Instance,
    places: &Places,
    folder: &Path,
    compiled: &[&str],
) -> Result<Vec<String>, String> {
    let text = format!("bench/peers/{}.pml", instance.protocol.name);
    let text = places.root.join(text).display().to_string();
    let members = format!("-DN={}", instance.ids.len());
    let ids = format!("-DIDS={}", instance.ranks().join(","));
    made("spin", &["-a", &members, &ids, &text], folder)?;
    made("gcc", &[compiled, &["-o", "pan", "pan.c"]].concat(), folder)?;
    // As many places in the table as there are states, up to a power of two.
    let table = instance.states.next_power_of_two().ilog2().max(10);
    let pan = folder.join("pan").display().to_string();
    Ok(vec![pan, format!("-w{table}")])
}

fn stateright(
    instance: &Instance,
    places: &Places,
    folder: &Path,
    threads: &str,
) -> Result<Vec<String>, String> {
    let manifest = places.root.join("bench/peers/stateright/Cargo.toml");
    let manifest = manifest.display().to_string();
    let target = places.scratch.join("stateright").display().to_string();
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
    /// Searches once.
    pub(crate) fn search(&self) -> Result<Measured, String> {
        let (program, args) = self.command.split_first().expect("a program");
        let mut command = Command::new(program);
        command.args(args).current_dir(&self.folder);
        let ended = measure::process(&mut command, &self.folder)?;
        let told = (self.understand)(&ended.out).filter(|_| ended.code == Some(0));
        let told = told.ok_or_else(|| {
            let (out, err) = (&ended.out, &ended.err);
            format!("`{}` says:\n{out}{err}", self.command.join(" "))
        })?;
        Ok(Measured {
            states: told.states,
            transitions: told.transitions,
            cpu_seconds: ended.cpu_seconds,
            wall_seconds: ended.wall_seconds,
            megabytes: ended.megabytes,
            told_bytes: told.bytes,
        })
    }
}

/// Runs a program that makes something in a folder.
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

/// What a search says about itself.
#[derive(Debug, PartialEq)]
struct Told {
    states: u64,
    transitions: u64,
    bytes: Option<f64>,
}

fn told_here(out: &str) -> Option<Told> {
    let report: Value = serde_json::from_str(out).ok()?;
    let counts = &report["files"][0]["checks"][0]["answers"][0]["counts"];
    Some(Told {
        states: counts["states"].as_u64()?,
        transitions: counts["transitions"].as_u64()?,
        bytes: counts["bytes"].as_f64(),
    })
}

/// Only of a search that found no error and was not cut off.
fn told_by_spin(out: &str) -> Option<Told> {
    if !out.contains("errors: 0") || out.contains("max search depth too small") {
        return None;
    }
    let number = |what: &str| -> Option<f64> {
        let line = out.lines().find(|line| line.contains(what))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let megabytes = number("actual memory usage for states")? + number("used for hash table")?;
    Some(Told {
        states: number("states, stored")? as u64,
        // It counts the first state like one that a transition leads to.
        transitions: number("transitions (= stored+matched)")? as u64 - 1,
        bytes: Some(megabytes * 1024.0 * 1024.0),
    })
}

fn told_by_stateright(out: &str) -> Option<Told> {
    let number = |what: &str| -> Option<u64> {
        let mut lines = out.lines();
        lines.find_map(|line| line.strip_prefix(what)?.trim().parse().ok())
    };
    Some(Told {
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
        let told = Told {
            states: 84_147,
            transitions: 426_936,
            bytes: Some(9.5 * 1_048_576.0),
        };
        assert_eq!(told_by_spin(SPIN), Some(told));
        let found = SPIN.replace("errors: 0", "errors: 1");
        assert_eq!(told_by_spin(&found), None);
        let cut = format!("error: max search depth too small\n{SPIN}");
        assert_eq!(told_by_spin(&cut), None);
    }

    #[test]
    fn stateright_is_understood() {
        let told = Told {
            states: 524,
            transitions: 1345,
            bytes: None,
        };
        let said = "states 524\ntransitions 1345\n";
        assert_eq!(told_by_stateright(said), Some(told));
        assert_eq!(told_by_stateright("states 524\n"), None);
    }
}
