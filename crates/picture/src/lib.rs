//! How a run looks to a person.
