//! Why the audit rejects a run or a proof.

/// Why the audit rejects a run or a proof, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected(pub String);

impl std::fmt::Display for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

pub(crate) fn reject<T>(text: impl Into<String>) -> Result<T, Rejected> {
    Err(Rejected(text.into()))
}
