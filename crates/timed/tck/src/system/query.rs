//! Queries: labels of states.

use crate::system::network::System;

/// Labels that one state must have, or a state of a cycle.
#[derive(Clone, Debug)]
pub struct Query {
    pub(crate) labels: Vec<usize>,
}

impl System {
    /// The query for a state whose locations together have all of these labels. Without labels, [`reach`](crate::reach)
    /// finds no state, and [`cycle`](crate::cycle) accepts every state. The error is a label that no location has.
    pub fn query<'l>(&self, labels: &[&'l str]) -> Result<Query, &'l str> {
        let number = |label: &&'l str| {
            let found = self.labels.iter().position(|known| known == label);
            found.ok_or(*label)
        };
        let labels: Result<Vec<usize>, &str> = labels.iter().map(number).collect();
        Ok(Query { labels: labels? })
    }

    /// Whether locations together have all labels of a query.
    pub(crate) fn have_labels(&self, locations: &[i32], query: &Query) -> bool {
        query.labels.iter().all(|label| {
            let mut locations = locations.iter();
            locations.any(|l| self.locations[*l as usize].labels.contains(label))
        })
    }
}
