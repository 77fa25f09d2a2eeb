//! The results of an unfinished search, and their stored form.
//!
//! The conversion to and from text is not generic, so that it is compiled once, here.

use crate::{Counts, Findings, Latest, Premise, Reason, Run};
use serde::{Deserialize, Serialize};

/// The results of an unfinished search.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PartialResults {
    /// The size of the search so far.
    pub counts: Counts,
    /// Observations so far.
    pub findings: Findings,
    /// By property.
    pub found: Vec<Found>,
    /// By property: the status of its premise; `None` if it has none.
    pub premises: Vec<Option<Premise>>,
}

impl PartialResults {
    /// The results as JSON text.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("plain data")
    }

    /// The results in a JSON text, or an error message.
    pub fn from_text(text: &str) -> Result<PartialResults, String> {
        serde_json::from_str(text).map_err(|e| e.to_string())
    }
}

/// The result for one property so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Found {
    /// The shortest run found that violates the claim, or reaches the condition of a `possible`.
    pub run: Option<Box<Run>>,
    /// The shortest run found to a state in which a condition of the property has no value.
    pub error: Option<Box<Run>>,
    /// The reason why the property is undecided, if one was determined before the end of the search.
    pub unknown: Option<Reason>,
    /// The latest time at which the claim without its upper time bound is violated.
    pub latest: Option<Latest>,
}
