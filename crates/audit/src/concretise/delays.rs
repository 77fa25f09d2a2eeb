//! Delays of messages: finds, for each message of a run, the events that send and deliver it.

use crate::replay::replayed::Replayed;
use machine::{Event, Outcome, Value};
use verdict::{Ending, Run};

/// A message of a run, from sending to delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transit {
    /// The index of the event that sends it.
    pub(crate) from: usize,
    /// The index of the event that delivers it; `None` if the run ends before.
    pub(crate) to: Option<usize>,
    /// The number of loop iterations between sending and delivery: 0 or 1.
    pub(crate) iterations: i64,
}

/// All messages of a run. Messages that the next iteration of a loop delivers have `iterations` 1. For a loop, the
/// messages in transit at the end of a second iteration must be those at the end of the first, sent one iteration
/// later; otherwise further iterations may differ, and the result is `None`.
pub(crate) fn transits(run: &Run, replayed: &Replayed) -> Option<Vec<Transit>> {
    let events = run.choices.len();
    let mut table = TransitTable {
        on_edges: vec![Vec::new(); replayed.states[0].edges.len()],
        transits: Vec::new(),
    };
    for event in 0..events {
        table.record_event(run, replayed, event, event)?;
    }
    let Ending::Loops(from) = run.ending else {
        let open = table.on_edges.iter().flatten();
        table.transits.extend(open.map(|(_, from)| Transit {
            from: *from,
            to: None,
            iterations: 0,
        }));
        return Some(table.transits);
    };
    let loop_length = events - from;
    let first = table.on_edges.clone();
    let within = table.transits.len();
    for event in from..events {
        table.record_event(run, replayed, event, event + loop_length)?;
    }
    let later = |edge: &Vec<(Value, usize)>| -> Vec<(Value, usize)> {
        let sent = edge.iter().cloned();
        sent.map(|(m, sent)| (m, sent + loop_length)).collect()
    };
    if first.iter().map(later).ne(table.on_edges.iter().cloned()) {
        return None;
    }
    // Messages that the second iteration both sends and delivers are copies of those of the first.
    let second = table.transits.split_off(within);
    let across = second.into_iter().filter(|transit| transit.from < events);
    table.transits.extend(across.map(|transit| Transit {
        to: transit.to.map(|to| to - loop_length),
        iterations: 1,
        ..transit
    }));
    Some(table.transits)
}

/// The state of the traversal of a run: the messages in transit, and the messages found so far.
struct TransitTable {
    /// By edge: the messages in transit with the numbers of the events that sent them, in the order of sending.
    on_edges: Vec<Vec<(Value, usize)>>,
    transits: Vec<Transit>,
}

impl TransitTable {
    /// Records an event of the run. `number` is its number if the loop is unrolled twice; it differs from `event` in
    /// the second iteration.
    fn record_event(
        &mut self,
        run: &Run,
        replayed: &Replayed,
        event: usize,
        number: usize,
    ) -> Option<()> {
        if let Event::Deliver(edge, message, outcome) = &run.choices[event].event
            && !matches!(outcome, Outcome::Repeat(..))
        {
            // Of several equal messages, the interpreter delivers the one that was sent first.
            let on_edge = &mut self.on_edges[edge.index()];
            let place = on_edge.iter().position(|(m, _)| m == message)?;
            let (_, from) = on_edge.remove(place);
            self.transits.push(Transit {
                from,
                to: Some(number),
                iterations: 0,
            });
        }
        // An event that ends in an error sends nothing.
        let Some(after) = replayed.states.get(event + 1) else {
            return Some(());
        };
        for (on_edge, messages) in self.on_edges.iter_mut().zip(&after.edges) {
            let mut old: Vec<&Value> = on_edge.iter().map(|(m, _)| m).collect();
            let mut new = Vec::new();
            for message in messages {
                match old.iter().position(|m| *m == message) {
                    Some(place) => drop(old.remove(place)),
                    None => new.push((message.clone(), number)),
                }
            }
            on_edge.extend(new);
        }
        Some(())
    }
}
