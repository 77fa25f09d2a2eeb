//! Reports events that occur in no check of a file, and claims that no check asks about.

use crate::console::lines;
use checks::{CheckReport, Loaded};
use model::{Claim, ClaimId};
use std::collections::{BTreeMap, HashSet};

/// The largest number of claims that are listed by name.
const MOST_NAMED: usize = 50;

/// Which blocks ran and which messages were sent, over all checks of a file.
#[derive(Default)]
pub(crate) struct NeverSeen {
    /// For each block and message, by its name in the output: whether it occurred in some check, or an incomplete
    /// search may have missed it.
    seen: BTreeMap<String, bool>,
}

impl NeverSeen {
    /// Records which events occurred in a check.
    pub(crate) fn note(&mut self, report: &CheckReport) {
        for instance in &report.instances {
            let machine = &instance.lowered.machine;
            let missed = !instance.report.findings.complete;
            for (block, ran) in machine.blocks.iter().zip(&instance.report.findings.ran) {
                let place = instance.lowered.labels.origin(block.origin);
                let line = place.map_or(String::new(), |label| format!(" (line {})", label.line));
                let name = format!(
                    "{} of {}{line}",
                    block.name,
                    machine.kinds[block.kind.index()].name
                );
                *self.seen.entry(name).or_default() |= *ran || missed;
            }
            for (record, sent) in machine.records.iter().zip(&instance.report.findings.sent) {
                if record.message {
                    *self
                        .seen
                        .entry(format!("a send of {}", record.name))
                        .or_default() |= *sent || missed;
                }
            }
        }
    }

    /// Prints the blocks that never ran and the messages that were never sent.
    pub(crate) fn print(&self) {
        let never: Vec<&str> = self
            .seen
            .iter()
            .filter(|(_, seen)| !**seen)
            .map(|(name, _)| &name[..])
            .collect();
        if !never.is_empty() {
            lines::aside(&format!(
                "never happened in any check: {}",
                never.join("; ")
            ));
        }
    }
}

/// Prints the claims that no check of the file asks about. Prints nothing if the file has no checks.
pub(crate) fn print_unasked(loaded: &Loaded) {
    let model = &loaded.model;
    let questions = model.checks.iter().map(|check| &check.question);
    let asked: HashSet<ClaimId> = questions
        .flat_map(|question| question.claims())
        .map(|used| used.claim)
        .collect();
    let claims = model.claims.iter().enumerate();
    let unasked: Vec<&Claim> = claims
        .filter(|(index, _)| !asked.contains(&ClaimId(*index as u32)))
        .map(|(_, claim)| claim)
        .collect();
    if unasked.is_empty() || model.checks.is_empty() {
        return;
    }
    let named = unasked.iter().take(MOST_NAMED);
    let mut named: Vec<String> = named
        .map(|claim| format!("{} (line {})", claim.name, loaded.sources.line(claim.span)))
        .collect();
    if unasked.len() > MOST_NAMED {
        named.push(format!("and {} more", unasked.len() - MOST_NAMED));
    }
    lines::aside(&format!("never asked: {}", named.join("; ")));
}
