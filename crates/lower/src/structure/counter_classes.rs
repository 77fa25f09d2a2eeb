//! Classes of counters: lowering puts all counters into one class, and then infers the final classes: counters that are
//! compared with or assigned to each other share a class. This module also reports counters that would be set to a
//! number during a run.

use crate::context::lowering::Lowering;
use machine::{ClassId, Counter, InboxStart, Type, classify, holds_counters};
use model::KindId;
use source::{Diagnostic, codes};

impl Lowering<'_> {
    /// The type of a counter before the classes are computed.
    pub(crate) fn counter_type(&mut self) -> Type {
        if self.machine.counters.is_empty() {
            self.machine.counters.push(Counter {
                name: "counter".into(),
                window: None,
            });
        }
        Type::Counter(ClassId(0))
    }

    /// Computes the classes of counters.
    pub(crate) fn classes(&mut self) {
        if self.machine.counters.is_empty() {
            return;
        }
        self.check_restarts();
        self.check_inbox_starts();
        if self.problems.is_empty() {
            classify(&mut self.machine);
        }
    }

    /// Reports counters that a fresh restart would set to a number.
    fn check_restarts(&mut self) {
        let runtime_faults = self.machine.runtime_faults.iter();
        let afresh = runtime_faults.filter(|s| s.stop.as_ref().is_some_and(|stop| stop.fresh));
        let afresh: Vec<Option<machine::KindId>> = afresh.map(|s| s.of).collect();
        for index in 0..self.machine.kinds.len() as u32 {
            let faulted = |of: &Option<machine::KindId>| of.is_none_or(|of| of.0 == index);
            if !afresh.iter().any(faulted) {
                continue;
            }
            let (kind, body) = (machine::KindId(index), self.body(KindId(index)));
            let mut found = Vec::new();
            for (var, declared) in self.machine.vars_of(kind).zip(&body.vars) {
                if !var.persistent && holds_counters(&self.machine, &var.ty) {
                    found.push((var.name.clone(), declared.span));
                }
            }
            for (name, span) in found {
                let text = format!(
                    "a node that restarts fresh would set `{name}` to its first number, and no number of a counter is known while others run"
                );
                self.report(
                    Diagnostic::error(codes::COUNTER_BEGINS_AGAIN, span, text)
                        .note("make it `persistent var`, or let nodes restart `keeping state`"),
                );
            }
        }
    }

    /// Reports messages with counters that may be in inboxes initially, if inboxes are not initially empty.
    fn check_inbox_starts(&mut self) {
        if self.machine.inbox.start == InboxStart::Empty {
            return;
        }
        for (m, message) in self.model.messages.iter().enumerate() {
            let record = machine::RecordId(m as u32);
            let mut kinds = (0..self.machine.kinds.len() as u32).map(machine::KindId);
            let enters = kinds.any(|kind| self.machine.enters_inbox(kind, record));
            if enters && holds_counters(&self.machine, &Type::Record(record)) {
                let text = format!(
                    "`{}` holds a counter, and inboxes that begin with any message would have no end of them",
                    message.name
                );
                self.report(
                    Diagnostic::error(codes::COUNTER_BEGINS_AGAIN, message.span, text)
                        .note("let inboxes begin empty, or use a range such as `0..9`"),
                );
            }
        }
    }
}
