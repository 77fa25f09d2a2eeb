//! The reason for which the audit rejects a run or a proof.

/// The reason for a rejection, in words.
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
