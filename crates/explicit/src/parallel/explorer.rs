//! A desk that works ahead: what is behind states, without a look at what is known already.

use crate::expand::event_numbers::Events;
use crate::expand::expander::Desk;
use crate::graph::state_graph::Graph;
use crate::parallel::batch_result::{Note, Sheet};
use crate::properties::monitor::Lookout;
use crate::properties::property_cache::Glances;
use crate::state::component_table::{Overlay, Tables};
use crate::store::visited_set::{Shape, Size};
use std::ops::Range;
use std::sync::Arc;

/// A desk, and what it needs.
pub(crate) struct Mate<'a> {
    desk: Desk<'a>,
    glances: Option<Glances>,
    events: Events,
}

/// States that are to be looked behind, as they are when that begins; nothing that happens meanwhile makes a difference.
#[derive(Default)]
pub(crate) struct Job<'a> {
    pub(crate) states: Range<u32>,
    /// How many of them are for one sheet.
    pub(crate) each: u32,
    pub(crate) shape: Arc<Shape>,
    pub(crate) tables: Arc<Tables>,
    /// The rows of the states, of so many words, and their hashes, if these are kept.
    pub(crate) words: usize,
    pub(crate) rows: Vec<u64>,
    pub(crate) hashes: Vec<u64>,
    pub(crate) lookout: Lookout<'a>,
    /// Transitions are kept.
    pub(crate) keeps: bool,
}

impl Job<'_> {
    /// The states for a sheet.
    pub(crate) fn share(&self, sheet: usize) -> Range<u32> {
        let first = (self.states.start + sheet as u32 * self.each).min(self.states.end);
        first..(first + self.each).min(self.states.end)
    }

    /// For how many sheets there are states.
    pub(crate) fn sheets(&self) -> usize {
        self.states.len().div_ceil(self.each.max(1) as usize)
    }

    /// The row of a state, and its hash, if that is kept.
    fn row(&self, state: u32) -> (&[u64], Option<u64>) {
        let place = (state - self.states.start) as usize;
        let row = &self.rows[place * self.words..(place + 1) * self.words];
        (row, self.hashes.get(place).copied())
    }
}

impl<'a> Mate<'a> {
    /// One more beside the desk of the graph.
    pub(crate) fn new(graph: &Graph<'a>, glances: Option<Glances>) -> Mate<'a> {
        Mate {
            desk: graph.desk().another(),
            glances,
            events: Events::new(graph.compiled),
        }
    }

    /// Looks behind the states for a sheet.
    pub(crate) fn work(&mut self, job: &Job<'_>, share: Range<u32>, sheet: &mut Sheet) {
        sheet.begin(share.start);
        sheet.met_before = self.events.len();
        let mut overlay = Overlay {
            base: &job.tables,
            fresh: std::mem::take(&mut sheet.fresh),
        };
        for state in share {
            self.look_behind(job, state, &mut overlay, sheet);
        }
        sheet.fresh = overlay.fresh;
        sheet.met.append(&mut self.events.new);
    }

    fn look_behind(
        &mut self,
        job: &Job<'_>,
        state: u32,
        overlay: &mut Overlay<'_>,
        sheet: &mut Sheet,
    ) {
        let Mate {
            desk,
            glances,
            events,
        } = self;
        let Job {
            shape,
            lookout,
            keeps,
            ..
        } = job;
        let mut note = Note::default();
        let (row, kept) = job.row(state);
        desk.take_row(shape, row);
        note.look = lookout.always
            || match glances {
                Some(glances) => !glances.nothing_to_see(&lookout.met, desk, overlay),
                None => {
                    desk.make_sure_open(overlay);
                    lookout.sees_something(desk)
                }
            };
        note.look |= desk.is_stuck(); // also while somebody looked
        let Sheet {
            ran, sent, behind, ..
        } = sheet;
        if desk.learnt.is_some() {
            desk.each_step(overlay, |step| {
                note.transitions += 1;
                if let Some(way) = step.way {
                    lookout.note(state, way, ran, sent);
                }
                match step.changes {
                    None => note.anew = true,
                    Some(differs) => {
                        if *keeps {
                            behind.events.push(events.of(step));
                        }
                        behind.add(shape, (row, kept), step.numbers, differs, step.settled);
                    }
                }
                !note.anew
            });
        } else {
            let (compiled, before) = (desk.compiled, desk.numbers.clone());
            let base = overlay.base;
            let mut different = Vec::new();
            desk.each_transition(overlay, &mut |transition| {
                note.transitions += 1;
                lookout.note_ran(state, &transition.effects.ran, ran);
                let messages = transition.effects.sent.iter().map(|(_, message)| *message);
                let records = messages.map(|message| compiled.record_of(message));
                lookout.note_sent(state, records, sent);
                match transition.target {
                    None => note.anew = true,
                    Some((numbers, differs)) => {
                        if *keeps {
                            let put = &transition.effects.put;
                            let event = events.number(transition.happening, put);
                            behind.events.push(event);
                        }
                        let change = |part: &u32| (*part, numbers[*part as usize]);
                        different.clear();
                        different.extend(differs.iter().map(change));
                        let settled = different.iter().all(|(part, number)| {
                            let part = *part as usize;
                            match shape.sizes()[part] {
                                Size::Bits(_) => true, // it is its own number
                                Size::Group(_) => *number < base.count(part),
                            }
                        });
                        behind.add(shape, (row, kept), &before, &different, settled);
                    }
                }
                !note.anew
            });
        }
        note.anew |= note.transitions == 0 || desk.is_stuck();
        note.behind = behind.len();
        sheet.states.push(note);
    }
}
