//! The labels of the events of an explorer, translated from its event numbers to those of the graph.

use crate::expand::event_numbers::Event;
use crate::graph::state_graph::Graph;

/// The labels of the events of an explorer.
#[derive(Default)]
pub(crate) struct EventLabels {
    /// By event number: the event, and its label in the graph once it has one.
    table: Vec<(Event, Option<u32>)>,
}

impl EventLabels {
    /// Adds events in the order in which the explorer met them; `before` is the number of earlier ones.
    pub(crate) fn record(&mut self, before: usize, events: impl Iterator<Item = Event>) {
        // Otherwise transitions would silently get the labels of others.
        assert_eq!(self.table.len(), before, "events come in order");
        self.table.extend(events.map(|event| (event, None)));
    }

    /// The label of an event in the graph.
    pub(crate) fn of(&mut self, event: u32, graph: &mut Graph<'_>) -> u32 {
        let ((event, put), label) = &mut self.table[event as usize];
        *label.get_or_insert_with(|| graph.label_of(*event, put))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::event::CompiledEvent;
    use machine::NodeId;

    /// Event numbers refer to events in the order in which the explorer met them.
    #[test]
    #[should_panic(expected = "events come in order")]
    fn events_out_of_order_are_noticed() {
        let event = |node: u32| (CompiledEvent::Transmit(NodeId(node)), Box::default());
        let mut labels = EventLabels::default();
        labels.record(0, [event(0), event(1)].into_iter());
        labels.record(3, [event(2)].into_iter());
    }
}
