//! Stored proofs: everything that is needed to check again why a claim holds, in one file.

use crate::results::run_file::write_whole;
use audit::Checked;
use lower::Lowered;
use machine::Machine;
use serde::{Deserialize, Serialize};
use std::path::Path;
use verdict::{Evidence, Labels};

/// The version of the format.
const VERSION: u32 = 2;

/// A claim that holds, and why.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The Machine, with the claim as its only property.
    pub machine: Machine,
    /// Names for what is in it.
    pub labels: Labels,
    /// Why it holds.
    pub evidence: Evidence,
}

impl Proof {
    /// Of a property of a Machine, if there is evidence.
    pub(crate) fn of(
        lowered: &Lowered,
        property: usize,
        evidence: Option<&Evidence>,
    ) -> Option<Proof> {
        let property = lowered.machine.properties[property].clone();
        Some(Proof {
            machine: Machine {
                properties: vec![property],
                ..lowered.machine.clone()
            },
            labels: lowered.labels.clone(),
            evidence: evidence?.clone(),
        })
    }

    /// Checks the evidence without the engine that found it.
    pub fn audit(&self, solver: sat::Backend) -> Result<Checked, audit::Rejected> {
        audit::evidence(&self.machine, &self.evidence, solver)
    }
}

/// A stored proof.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofFile {
    /// Which format this is.
    pub scrutineer_proof: u32,
    /// What is proved, in the model's words. Words only: what is proved is what the Machine says.
    pub title: String,
    /// The Machine, in its text form; the claim is its only property.
    pub machine: String,
    /// Names for what is in it. Words, too.
    pub labels: Labels,
    /// Why it holds.
    pub evidence: Evidence,
}

/// Why a stored proof is not accepted.
#[derive(Debug)]
pub enum ProofFileError {
    /// It cannot be read at all.
    Unreadable(String),
    /// It can, and it proves nothing.
    Refused(String),
}

impl ProofFile {
    /// Makes the file for a proof.
    pub fn new(title: String, proof: &Proof) -> ProofFile {
        ProofFile {
            scrutineer_proof: VERSION,
            title,
            machine: proof.machine.to_string(),
            labels: proof.labels.clone(),
            evidence: proof.evidence.clone(),
        }
    }

    /// Its text.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("plain data")
    }

    /// Writes it, whole or not at all; says why it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        if let Some(folder) = path.parent() {
            let made = std::fs::create_dir_all(folder);
            made.map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
        write_whole(path, &self.text())
    }

    /// Reads one, with what it proves.
    pub fn read(path: &Path) -> Result<(ProofFile, Proof), ProofFileError> {
        let at = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|e| ProofFileError::Unreadable(format!("cannot read {at}: {e}")))?;
        ProofFile::parse(&text)
            .map_err(|why| ProofFileError::Refused(format!("{at} is not a stored proof: {why}")))
    }

    /// What a text says, or why it says nothing.
    pub fn parse(text: &str) -> Result<(ProofFile, Proof), String> {
        // The version first: a file of another one may have another form.
        let form: serde_json::Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        match form["scrutineer_proof"].as_u64() {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) => {
                return Err(format!(
                    "it has format {version}, and this version reads format {VERSION}"
                ));
            }
            None => return Err("it does not say which format it has".into()),
        }
        let file: ProofFile = serde_json::from_value(form).map_err(|e| e.to_string())?;
        let machine = machine::parse(&file.machine).map_err(|e| format!("its machine: {e}"))?;
        machine::verify(&machine).map_err(|e| format!("its machine: {e}"))?;
        if machine.properties.len() != 1 {
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
