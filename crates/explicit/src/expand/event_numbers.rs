//! Event numbers: each expander numbers events, as far as fairness distinguishes them.
//!
//! The numbers of transition labels depend on the order in which transitions are added to the graph
//! (`graph/labels.rs`). An explorer numbers its events independently of that, and the search translates event numbers
//! to label numbers (`parallel/event_labels.rs`).

use crate::expand::cached_successors::CachedStep;
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::CompiledEvent;
use foldhash::HashMap;
use machine::EdgeId;

/// An event, and the messages that it puts on channels. The messages are only recorded if strong fairness depends on
/// them.
pub(crate) type Event = (CompiledEvent, Box<[Put]>);

/// A message that is put on the channel of an edge: edge, message number.
pub(crate) type Put = (EdgeId, i64);

/// The events that an expander has numbered.
#[derive(Default)]
pub(crate) struct Events {
    numbers: HashMap<Event, u32>,
    /// The events numbered since the last report to the search, in order.
    pub(crate) new: Vec<Event>,
    /// Whether to record the messages that events put on channels.
    puts: bool,
}

/// The value, instead of an event number, of an event that has no number yet.
pub(crate) const UNKNOWN: u32 = u32::MAX;

impl Events {
    pub(crate) fn new(compiled: &CompiledMachine<'_>) -> Events {
        Events {
            puts: compiled.loses_for_ever(),
            ..Events::default()
        }
    }

    /// The number of distinct events so far.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of an event that puts these messages on channels.
    pub(crate) fn number(&mut self, mut event: CompiledEvent, put: &[Put]) -> u32 {
        if let CompiledEvent::Deliver { place, .. } = &mut event {
            *place = 0; // fairness does not depend on the place
        }
        let put: &[Put] = if self.puts { put } else { &[] };
        let (next, new) = (self.numbers.len() as u32, &mut self.new);
        let event = (event, put.into());
        *self.numbers.entry(event).or_insert_with_key(|event| {
            new.push(event.clone());
            next
        })
    }

    /// The number of the event of a cached step. The cached transition stores it if no messages are recorded.
    pub(crate) fn of(&mut self, step: &CachedStep<'_>) -> u32 {
        match step.way {
            Some(way) if !self.puts => match way.event_number.get() {
                UNKNOWN => {
                    let number = self.number(step.event, &[]);
                    way.event_number.set(number);
                    number
                }
                known => known,
            },
            _ => self.number(step.event, step.put()),
        }
    }
}
