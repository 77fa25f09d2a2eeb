//! Translates the event numbers of an explorer to label numbers of the graph.

use crate::expand::event_numbers::Event;
use crate::graph::state_graph::Graph;

/// The labels of the events of an explorer.
#[derive(Default)]
pub(crate) struct EventLabels {
    /// By event number: the event, and its label number in the graph if it has been determined.
    table: Vec<(Event, Option<u32>)>,
}

impl EventLabels {
    /// Appends new events of the explorer in the order of their numbers. `before` is the number of earlier events.
    pub(crate) fn record(&mut self, before: usize, events: impl Iterator<Item = Event>) {
        // If the order were wrong, transitions would get wrong labels without notice.
        assert_eq!(self.table.len(), before, "events come in order");
        self.table.extend(events.map(|event| (event, None)));
    }

    /// The label number of an event in the graph.
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

    /// Events must be recorded in the order of their numbers.
    #[test]
    #[should_panic(expected = "events come in order")]
    fn events_out_of_order_are_noticed() {
        let event = |node: u32| (CompiledEvent::Transmit(NodeId(node)), Box::default());
        let mut labels = EventLabels::default();
        labels.record(0, [event(0), event(1)].into_iter());
        labels.record(3, [event(2)].into_iter());
    }
}
