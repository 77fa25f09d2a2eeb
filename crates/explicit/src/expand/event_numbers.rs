//! What fairness tells apart of events, numbered as a desk meets them.
//!
//! Labels of transitions have numbers that depend on the order in which they are taken into the graph (`graph.rs`). A desk that
//! works ahead numbers events by itself, and whoever takes in what it has found translates.

use crate::expand::cached_successors::CachedStep;
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::CompiledEvent;
use foldhash::HashMap;
use machine::EdgeId;

/// An event, and what it puts on channels, if that matters.
pub(crate) type Event = (CompiledEvent, Box<[Put]>);

/// A message that is put on the channel of an edge.
pub(crate) type Put = (EdgeId, i64);

/// The events that a desk has met.
#[derive(Default)]
pub(crate) struct Events {
    numbers: HashMap<Event, u32>,
    /// Those that nobody else has been told of, in order.
    pub(crate) new: Vec<Event>,
    /// What is put on channels matters.
    puts: bool,
}

/// An event that has no number yet.
pub(crate) const UNKNOWN: u32 = u32::MAX;

impl Events {
    pub(crate) fn new(compiled: &CompiledMachine<'_>) -> Events {
        Events {
            puts: compiled.loses_for_ever(),
            ..Events::default()
        }
    }

    /// How many events have been met.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of an event that puts this on channels.
    pub(crate) fn number(&mut self, mut event: CompiledEvent, put: &[Put]) -> u32 {
        if let CompiledEvent::Deliver { place, .. } = &mut event {
            *place = 0; // nobody tells by that
        }
        let put: &[Put] = if self.puts { put } else { &[] };
        let (next, new) = (self.numbers.len() as u32, &mut self.new);
        let event = (event, put.into());
        *self.numbers.entry(event).or_insert_with_key(|event| {
            new.push(event.clone());
            next
        })
    }

    /// The number of the event of a transition, which is remembered with the way that it goes.
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
