//! Explanation of why a claim is false on a run.

