//! Evidence: proofs that can be checked without the engine that found them.

use checks::{Proof, ProofFile};
use serde::{Serialize, Serializer};

/// The proof that a claim holds. It can be checked without the engine that found it.
#[derive(Clone, Debug)]
pub struct Evidence {
    title: String,
    proof: Box<Proof>,
}

impl Evidence {
    pub(crate) fn new(title: String, proof: &Proof) -> Evidence {
        Evidence {
            title,
            proof: Box::new(proof.clone()),
        }
    }

    /// Checks the proof again.
    pub fn audit(&self) -> Result<(), EvidenceRejected> {
        let checked = self.proof.audit(crate::SOLVER);
        checked
            .map(drop)
            .map_err(|rejected| EvidenceRejected(rejected.to_string()))
    }

    /// The contents of a proof file, which `scrutineer audit` can check.
    pub fn to_proof_text(&self) -> String {
        self.file().text()
    }

    fn file(&self) -> ProofFile {
        ProofFile::new(self.title.clone(), &self.proof)
    }
}

impl Serialize for Evidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.file().serialize(serializer)
    }
}

/// The audit rejected the evidence; the text says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceRejected(String);

impl std::fmt::Display for EvidenceRejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the evidence is rejected: {}", self.0)
    }
}

impl std::error::Error for EvidenceRejected {}
