//! Why answers are unknown: each reason once, with the parameters it is for.

use crate::lines;
use crate::telling::settings;
use driver::InstanceReport;

/// Reasons, in the order in which they came.
#[derive(Default)]
pub(crate) struct Unknowns {
    reasons: Vec<(String, Vec<String>)>,
}

impl Unknowns {
    /// Takes note of a reason for an instance.
    pub(crate) fn add(&mut self, instance: &InstanceReport, why: &str) {
        let set = match instance.request.every_graph {
            true => String::new(),
            false => settings(&instance.request),
        };
        let why = format!("{why}{}", growing(instance));
        match self.reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, sets)) => sets.push(set),
            None => self.reasons.push((why, vec![set])),
        }
    }

    /// Prints them.
    pub(crate) fn tell(&self) {
        let several = self.reasons.len() > 1;
        for (why, sets) in &self.reasons {
            let sets = sets.join("; ");
            if several && !sets.is_empty() {
                lines::detail(&format!("{sets}: {why}"));
            } else {
                lines::detail(why);
            }
        }
    }
}

/// Names a channel that may be what grows without end.
fn growing(instance: &InstanceReport) -> String {
    let Some((edge, length @ 8..)) = instance.report.findings.longest else {
        return String::new();
    };
    let (from, to) = instance.lowered.machine.edges[edge.index()];
    let labels = &instance.lowered.labels;
    let (from, to) = (labels.node(from), labels.node(to));
    format!(
        ". There {length} messages are on the way from {from} to {to}: \
         does that grow without end? Count what is sent in a variable, or bound it by `channel fifo(c)`, where a \
         sender waits while the channel is full"
    )
}
