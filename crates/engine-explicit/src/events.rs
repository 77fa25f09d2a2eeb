//! What fairness tells apart of events, numbered as a desk meets them.
//!
//! Labels of transitions have numbers that depend on the order in which they are taken into the graph (`graph.rs`). A desk that
//! works ahead numbers events by itself, and whoever takes in what it has found translates.

use crate::graph::Graph;
use crate::model::{Compiled, Happening};
use crate::recall::Step;
use foldhash::HashMap;
use machine::EdgeId;

/// The events that a desk has met.
#[derive(Default)]
pub(crate) struct Events {
    numbers: HashMap<(Happening, Box<[Put]>), u32>,
    /// By number: the event, and its label in the graph once it has one.
    table: Vec<(Happening, Box<[Put]>, Option<u32>)>,
    /// What is put on channels matters.
    puts: bool,
}

/// A message that is put on the channel of an edge.
pub(crate) type Put = (EdgeId, i64);

/// An event that has no number yet.
pub(crate) const UNKNOWN: u32 = u32::MAX;

impl Events {
    pub(crate) fn new(compiled: &Compiled<'_>) -> Events {
        Events {
            puts: compiled.loses_for_ever(),
            ..Events::default()
        }
    }

    /// The number of an event that puts this on channels.
    pub(crate) fn number(&mut self, mut happening: Happening, put: &[Put]) -> u32 {
        if let Happening::Deliver { place, .. } = &mut happening {
            *place = 0; // nobody tells by that
        }
        let put: Box<[Put]> = if self.puts {
            put.into()
        } else {
            Box::default()
        };
        let table = &mut self.table;
        let event = (happening, put.clone());
        *self.numbers.entry(event).or_insert_with(|| {
            table.push((happening, put, None));
            table.len() as u32 - 1
        })
    }

    /// The number of the event of a transition, which is remembered with the way that it goes.
    pub(crate) fn of(&mut self, step: &Step<'_>) -> u32 {
        match step.way {
            Some(way) if !self.puts => match way.event.get() {
                UNKNOWN => {
                    let number = self.number(step.happening, &[]);
                    way.event.set(number);
                    number
                }
                known => known,
            },
            _ => self.number(step.happening, step.put()),
        }
    }

    /// The label of an event in the graph.
    pub(crate) fn label(&mut self, event: u32, graph: &mut Graph<'_>) -> u32 {
        let (happening, put, label) = &mut self.table[event as usize];
        *label.get_or_insert_with(|| graph.label_of(*happening, put))
    }
}
