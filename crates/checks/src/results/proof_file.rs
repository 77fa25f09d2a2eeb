//! Stored proofs: one file with everything that is needed to check again that a claim holds.

use crate::results::run_file::{MOST_STORED, read_bytes, write_whole};
use audit::Checked;
use lower::Lowered;
use machine::{Machine, OpenMachine};
use serde::{Deserialize, Serialize};
use std::path::Path;
use verdict::{Evidence, Labels};

/// The version of the file format.
const VERSION: u32 = 2;

/// What a proof is about.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A Machine.
    One(Machine),
    /// A Machine of every size.
    Open(OpenMachine),
}

/// A claim that holds, with its evidence.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The Machine, with the claim as its only property.
    pub machine: Subject,
    /// Names for the nodes, blocks and other parts of the Machine.
    pub labels: Labels,
    /// The evidence that the claim holds.
    pub evidence: Evidence,
}

impl Proof {
    /// The proof of a property of a Machine; `None` without evidence.
    pub(crate) fn of(
        lowered: &Lowered,
        property: usize,
        evidence: Option<&Evidence>,
    ) -> Option<Proof> {
        let property = lowered.machine.properties[property].clone();
        Some(Proof {
            machine: Subject::One(Machine {
                properties: vec![property],
                ..lowered.machine.clone()
            }),
            labels: lowered.labels.clone(),
            evidence: evidence?.clone(),
        })
    }

    /// Checks the evidence without the engine that found it. `solver` is the SAT solver for it.
    pub fn audit(&self, solver: sat::Backend) -> Result<Checked, audit::Rejected> {
        match &self.machine {
            Subject::One(machine) => audit::evidence(machine, &self.evidence, solver),
            Subject::Open(open) => audit::evidence_for_every_size(open, &self.evidence, solver),
        }
    }
}

/// The contents of a proof file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofFile {
    /// The version of the file format.
    pub scrutineer_proof: u32,
    /// The claim in the words of the model, for display only. What is proved is the property of the Machine.
    pub title: String,
    /// The Machine or open Machine as text, with the claim as its only property.
    pub machine: String,
    /// Names for the parts of the Machine, for display only.
    pub labels: Labels,
    /// The evidence that the claim holds.
    pub evidence: Evidence,
}

/// Why a stored proof is not accepted.
#[derive(Debug)]
pub enum ProofFileError {
    /// The file cannot be read.
    Unreadable(String),
    /// The file can be read, but it is not a valid proof file.
    Refused(String),
}

impl ProofFile {
    /// The file contents for a proof.
    pub fn new(title: String, proof: &Proof) -> ProofFile {
        ProofFile {
            scrutineer_proof: VERSION,
            title,
            machine: match &proof.machine {
                Subject::One(machine) => machine.to_string(),
                Subject::Open(open) => open.to_string(),
            },
            labels: proof.labels.clone().without_folders(),
            evidence: proof.evidence.clone(),
        }
    }

    /// The contents as text.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("plain data")
    }

    /// Writes the file atomically. The error is a message.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        if let Some(folder) = path.parent() {
            let made = std::fs::create_dir_all(folder);
            made.map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
        write_whole(path, &self.text())
    }

    /// Reads a proof file.
    pub fn read(path: &Path) -> Result<(ProofFile, Proof), ProofFileError> {
        let at = path.display();
        let text = read_bytes(path, MOST_STORED).map_err(ProofFileError::Unreadable)?;
        let text = String::from_utf8(text)
            .map_err(|e| ProofFileError::Refused(format!("{at} is not a stored proof: {e}")))?;
        ProofFile::parse(&text)
            .map_err(|why| ProofFileError::Refused(format!("{at} is not a stored proof: {why}")))
    }

    /// Parses the text of a proof file. The error is a message.
    pub fn parse(text: &str) -> Result<(ProofFile, Proof), String> {
        // The version is compared first, because a file of another version may have other fields.
        let form: serde_json::Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        match form["scrutineer_proof"].as_u64() {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) => {
                return Err(format!(
                    "it has format {version}, and this version reads format {VERSION}"
                ));
            }
            None if !form["scrutineer_run"].is_null() => {
                return Err("it is a stored run, which `scrutineer show` tells".into());
            }
            None => return Err("it does not say which format it has".into()),
        }
        let file: ProofFile = serde_json::from_value(form).map_err(|e| e.to_string())?;
        let wrong = |e: &dyn std::fmt::Display| format!("its machine: {e}");
        let (machine, claims) = match file.evidence.is_for_every_size() {
            true => {
                let open = machine::parse_open(&file.machine).map_err(|e| wrong(&e))?;
                machine::verify_open(&open).map_err(|e| wrong(&e))?;
                // A proof from the code of one node says which of the claims it is about.
                let claims = match file.evidence {
                    Evidence::OneNode(_) => 1,
                    _ => open.base.properties.len(),
                };
                (Subject::Open(open), claims)
            }
            false => {
                let machine = machine::parse(&file.machine).map_err(|e| wrong(&e))?;
                machine::verify(&machine).map_err(|e| wrong(&e))?;
                let claims = machine.properties.len();
                (Subject::One(machine), claims)
            }
        };
        if claims != 1 {
            return Err("its machine does not have one claim".into());
        }
        let proof = Proof {
            machine,
            labels: file.labels.clone(),
            evidence: file.evidence.clone(),
        };
        Ok((file, proof))
    }
}
