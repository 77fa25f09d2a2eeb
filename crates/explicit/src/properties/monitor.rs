//! The monitor: tells explorers which states and transitions to report to the search.

use crate::abstraction::decisions::each_value;
use crate::expand::expander::Expander;
use crate::expand::transition_cache::CachedTransition;
use crate::program::condition::Condition;
use crate::properties::property::MonitoredProperty;
use machine::{BlockId, RecordId};
use verdict::Premise;

/// A snapshot of what the search looks for. It may be outdated, so the search checks reports again.
#[derive(Default)]
pub(crate) struct Monitor<'s> {
    pub(crate) monitored: &'s [MonitoredProperty<'s>],
    pub(crate) premises: &'s [Option<Condition>],
    /// By property: whether its premise has been met.
    pub(crate) met: Vec<Option<Premise>>,
    /// Whether all states must be reported.
    pub(crate) always: bool,
    pub(crate) ran: Vec<bool>,
    pub(crate) sent: Vec<bool>,
}

impl Monitor<'_> {
    /// Records the blocks of a transition that have not run yet, and the message types that have not been sent yet,
    /// with the source state.
    pub(crate) fn note(
        &self,
        state: u32,
        way: &CachedTransition,
        ran: &mut Vec<(u32, BlockId)>,
        sent: &mut Vec<(u32, usize)>,
    ) {
        if !way.noted.get() {
            self.note_ran(state, &way.ran, ran);
            self.note_sent(state, way.records.iter().copied(), sent);
            let known = way.ran.iter().all(|block| self.ran[block.index()])
                && way.records.iter().all(|record| self.sent[record.index()]);
            way.noted.set(known); // coverage only grows, so this stays true
        }
    }

    /// Appends the blocks that have not run yet, with the source state.
    pub(crate) fn note_ran(&self, state: u32, blocks: &[BlockId], ran: &mut Vec<(u32, BlockId)>) {
        for block in blocks {
            if !self.ran[block.index()] && !ran.contains(&(state, *block)) {
                ran.push((state, *block));
            }
        }
    }

    /// Appends the message types that have not been sent yet, with the source state.
    pub(crate) fn note_sent(
        &self,
        state: u32,
        records: impl Iterator<Item = RecordId>,
        sent: &mut Vec<(u32, usize)>,
    ) {
        for record in records {
            let record = record.index();
            if !self.sent[record] && !sent.contains(&(state, record)) {
                sent.push((state, record));
            }
        }
    }

    /// Whether the open state may violate a property, answer a reachability question, or meet an open premise.
    pub(crate) fn may_report(&self, expander: &Expander<'_>) -> bool {
        let (context, possible_values) = (expander.context(), &expander.possible_values);
        let open = self.premises.iter().zip(&self.met);
        let mut open = open.filter(|(_, met)| **met == Some(Premise::Open));
        let can_be = |condition: &Condition, seen: &dyn Fn(Option<bool>) -> bool| {
            let mut found = false;
            each_value(condition, &context, possible_values, &mut |value, _| {
                found |= seen(value);
                !found
            });
            found
        };
        open.any(|(premise, _)| {
            let premise = premise.as_ref();
            premise.is_some_and(|premise| can_be(premise, &|value| value == Some(true)))
        }) || self
            .monitored
            .iter()
            .any(|property_kind| match property_kind {
                MonitoredProperty::Invariant(condition) => {
                    can_be(condition, &|value| value != Some(true))
                }
                MonitoredProperty::Reach(condition) => {
                    can_be(condition, &|value| value != Some(false))
                }
                MonitoredProperty::Temporal(..) => false,
            })
    }
}
