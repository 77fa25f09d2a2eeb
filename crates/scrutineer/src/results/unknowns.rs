//! The reasons for unknown answers. Each reason is printed once; if there are several reasons, each with the parameters
//! of its instances.

use crate::console::lines;
use crate::results::runs::settings;
use checks::InstanceReport;
use verdict::Reason;

/// The reasons, in the order of their first occurrence, each with the parameters of its instances.
#[derive(Default)]
pub(crate) struct Unknowns {
    reasons: Vec<(String, Vec<String>)>,
}

impl Unknowns {
    /// Records the reason for an instance.
    pub(crate) fn add(&mut self, instance: &InstanceReport, why: &Reason) {
        let why = report::reason(why, &instance.lowered.labels);
        let set = match instance.request.every_graph {
            true => String::new(),
            false => settings(&instance.request),
        };
        match self.reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, sets)) => sets.push(set),
            None => self.reasons.push((why, vec![set])),
        }
    }

    /// Prints the reasons.
    pub(crate) fn print(&self) {
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
