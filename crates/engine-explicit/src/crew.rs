//! Several desks at work on one level of the search, with the same outcome as one.
//!
//! States of a level are divided among the desks in order. Each computes what is behind its states and looks it up in what
//! was visited before the work began; nobody changes that meanwhile. Then what was not found there is taken into the graph by one
//! hand, in the order of states. A state in which there is something to see, or whose transitions are an error or
//! none, is only pointed out, and visited anew by that hand as if there had been one desk. So numbers of states, runs
//! and counts do not depend on how many desks there are.

use crate::desk::Desk;
use crate::events::Events;
use crate::glance::Glances;
use crate::graph::Graph;
use crate::parts::{Overlay, Tables};
use crate::rows::NOBODY;
use crate::sheet::{Arc, Found, Note, Sheet, To};
use crate::store::{Change, Size, Store};

use crate::watch::{Condition, Watch};
use hashbrown::HashTable;
use machine::{BlockId, RecordId};
use std::ops::Range;
use std::sync::Mutex;
use verdict::{Budget, Premise};

/// What is looked for, for all desks.
#[derive(Clone, Copy)]
pub(crate) struct Lookout<'s> {
    pub(crate) watches: &'s [Watch<'s>],
    pub(crate) premises: &'s [Option<Condition>],
    /// Which premises have been met.
    pub(crate) met: &'s [Option<Premise>],
    /// Every state is to be looked at properly.
    pub(crate) always: bool,
    pub(crate) ran: &'s [bool],
    pub(crate) sent: &'s [bool],
}

/// A desk, and what it needs.
pub(crate) struct Mate<'a> {
    desk: Desk<'a>,
    glances: Option<Glances>,
    events: Events,
    wave: Wave,
    /// Transitions are kept.
    keeps: bool,
}

/// What is behind a few states, before it is looked up: one row behind the other, and what has no row yet.
#[derive(Default)]
struct Wave {
    /// The row of the state.
    row: Vec<u64>,
    found: Vec<Found>,
    rows: Vec<u64>,
    hashes: Vec<u64>,
    known: Vec<u32>,
    /// By number of the desk: the events of all transitions, if they are kept.
    events: Vec<u32>,
    /// What is on the sheet already: its hash, where its row begins, and which it is of what was found.
    before: HashTable<(u64, u32, u32)>,
}

/// States for one desk alone at a time.
const ALONE: u32 = 128;

/// So many shares there are for each of several desks.
const SHARES: usize = 6;

/// After so many states what is behind them is looked up.
const WAVE: usize = 32;

/// The desks beside that of the graph.
pub(crate) struct Crew<'a> {
    mates: Vec<Mate<'a>>,
    sheets: Vec<Sheet>,
    /// How many of them are in use.
    used: usize,
    /// States for one desk at a time: enough that it pays to hand them out, and few enough that most of what is found again is
    /// found in the store.
    each: u32,
    /// Fewer states than this are for one desk, without another thread.
    too_few: usize,
}

impl<'a> Crew<'a> {
    /// So many desks; one, if there is to be only one, where it is faster to look up many states together. None otherwise, and
    /// where not all events are followed.
    pub(crate) fn new(
        graph: &Graph<'a>,
        budget: &dyn Budget,
        make_glances: &dyn Fn() -> Option<Glances>,
    ) -> Option<Crew<'a>> {
        let mate = |_| Mate {
            desk: graph.desk().another(),
            glances: make_glances(),
            events: Events::new(graph.compiled),
            wave: Wave::default(),
            keeps: graph.keep_transitions,
        };
        let (count, stride) = (budget.threads(), budget.stride());
        let pays = count > 1 || graph.learns();
        let (sheets, each, too_few) = match count {
            0 | 1 => (1, ALONE.min(stride), 1),
            _ => (SHARES * count, 2 * stride, stride as usize / 2),
        };
        (pays && graph.reduction.is_none()).then(|| Crew {
            mates: (0..count.max(1)).map(mate).collect(),
            sheets: (0..sheets).map(|_| Sheet::default()).collect(),
            used: 0,
            each,
            too_few,
        })
    }

    /// Computes what is behind states from the first on, as many as there are shares for.
    pub(crate) fn work(&mut self, graph: &Graph<'a>, states: Range<u32>, lookout: Lookout<'_>) {
        let alone = states.len() < self.too_few;
        self.used = if alone { 1 } else { self.sheets.len() };
        let each = (states.len() as u32).div_ceil(self.used as u32);
        let each = each.min(self.each);
        let share = |number: usize| {
            let first = (states.start + number as u32 * each).min(states.end);
            first..(first + each).min(states.end)
        };
        let known = (&graph.store, graph.tables());
        // Whoever is done with one share takes the next one: which desk it was makes no difference.
        let shares = Mutex::new(self.sheets[..self.used].iter_mut().enumerate());
        let take = || shares.lock().expect("nobody falls over").next();
        let work = |number: usize, mate: &mut Mate<'_>| {
            while let Some((place, sheet)) = take() {
                sheet.by = number;
                mate.work(known, share(place), lookout, sheet);
            }
        };
        let work = &work;
        std::thread::scope(|scope| {
            let mut mates = self.mates.iter_mut().enumerate();
            let own = mates.next();
            for (number, mate) in mates.filter(|_| !alone) {
                scope.spawn(move || work(number, mate));
            }
            if let Some((number, mate)) = own {
                work(number, mate);
            }
        });
    }

    /// How many sheets are in use.
    pub(crate) fn sheets(&self) -> usize {
        self.used
    }

    /// What was found on a sheet, in the order of states, and the events of the desk that found it.
    pub(crate) fn sheet(&mut self, number: usize) -> (&mut Sheet, &mut Events) {
        let sheet = &mut self.sheets[number];
        let events = &mut self.mates[sheet.by].events;
        (sheet, events)
    }
}

impl Mate<'_> {
    fn work(
        &mut self,
        (store, tables): (&Store, &Tables),
        states: Range<u32>,
        lookout: Lookout<'_>,
        sheet: &mut Sheet,
    ) {
        sheet.begin(store);
        self.wave.before.clear();
        let mut overlay = Overlay {
            base: tables,
            fresh: std::mem::take(&mut sheet.fresh),
        };
        for wave in states.clone().step_by(WAVE) {
            let end = states.end.min(wave + WAVE as u32);
            for state in wave..end {
                self.look_behind(store, state, lookout, &mut overlay, sheet);
            }
            self.look_up(store, (end - wave) as usize, sheet);
        }
        sheet.fresh = overlay.fresh;
    }

    /// Computes what is behind a state.
    fn look_behind(
        &mut self,
        store: &Store,
        state: u32,
        lookout: Lookout<'_>,
        overlay: &mut Overlay<'_>,
        sheet: &mut Sheet,
    ) {
        let Mate {
            desk,
            glances,
            events,
            wave,
            keeps,
        } = self;
        let mut note = Note::default();
        desk.take(store, state);
        note.look = lookout.always
            || match glances {
                Some(glances) => !glances.nothing_to_see(lookout.met, desk, overlay),
                None => {
                    desk.make_sure_open(overlay);
                    lookout.sees_something(desk)
                }
            };
        let Sheet {
            ran, sent, changes, ..
        } = sheet;
        let kept = store.pack(state, &mut wave.row);
        if desk.learnt.is_some() {
            desk.each_step(overlay, |step| {
                note.transitions += 1;
                if let Some(way) = step.way {
                    lookout.note_ran(state, &way.ran, ran);
                    lookout.note_sent(state, way.records.iter().copied(), sent);
                }
                match step.changes {
                    None => note.anew = true,
                    Some(differs) => {
                        if *keeps {
                            wave.events.push(events.of(step));
                        }
                        let settled = step.settled;
                        wave.add(store, (kept, step.numbers), differs, settled, changes);
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
                            wave.events.push(events.number(transition.happening, put));
                        }
                        let change = |part: &u32| (*part, numbers[*part as usize]);
                        different.clear();
                        different.extend(differs.iter().map(change));
                        let settled = different.iter().all(|(part, number)| {
                            let part = *part as usize;
                            match store.sizes()[part] {
                                Size::Bits(_) => true, // it is its own number
                                Size::Group(_) => *number < base.count(part),
                            }
                        });
                        wave.add(store, (kept, &before), &different, settled, changes);
                    }
                }
                !note.anew
            });
        }
        note.anew |= note.transitions == 0 || desk.is_stuck();
        note.found = wave.found.len() as u32;
        sheet.states.push(note);
    }

    /// Looks up what is behind the last states, and keeps what is not known. What is behind a state that is visited anew is
    /// found there.
    fn look_up(&mut self, store: &Store, states: usize, sheet: &mut Sheet) {
        let Mate { wave, keeps, .. } = self;
        store.find_all(&wave.rows, &wave.hashes, &mut wave.known);
        let words = sheet.words;
        let mut rows = wave.rows.chunks_exact(words);
        let mut looked_up = wave.known.iter();
        let (mut found, mut events) = (wave.found.iter(), wave.events.iter());
        let (mut before, mut changes) = (0, sheet.changes_before as usize);
        let first = sheet.states.len() - states;
        for note in &mut sheet.states[first..] {
            for one in found.by_ref().take((note.found - before) as usize) {
                let event = if *keeps { events.next() } else { None };
                let next = To::Found(sheet.found.len() as u32);
                let to = match one {
                    Found::Changes(count) => {
                        changes += *count as usize;
                        if !note.anew {
                            sheet.found.push(*one);
                        }
                        next
                    }
                    Found::Row(hash) => {
                        let row = rows.next().expect("one for each");
                        let known = looked_up.next().expect("one for each");
                        let at = |place: u32| place as usize..place as usize + words;
                        let same = |(_, place, _): &(u64, u32, u32)| sheet.rows[at(*place)] == *row;
                        if *known != NOBODY {
                            To::Known(*known)
                        } else if note.anew {
                            continue;
                        } else if let Some((.., found)) = wave.before.find(*hash, same) {
                            To::Found(*found)
                        } else {
                            let place = sheet.rows.len() as u32;
                            let new = (*hash, place, sheet.found.len() as u32);
                            wave.before.insert_unique(*hash, new, |(hash, ..)| *hash);
                            sheet.found.push(Found::Row(*hash));
                            sheet.rows.extend_from_slice(row);
                            next
                        }
                    }
                };
                if let Some(event) = event
                    && !note.anew
                {
                    sheet.arcs.push(Arc { event: *event, to });
                }
            }
            before = note.found;
            note.found = sheet.found.len() as u32;
            note.rows = sheet.rows.len() as u32;
            note.changes = changes as u32;
            note.arcs = sheet.arcs.len() as u32;
        }
        sheet.changes_before = changes as u32;
        wave.found.clear();
        wave.rows.clear();
        wave.hashes.clear();
        wave.events.clear();
    }
}

impl Wave {
    /// Takes a state that differs from the one whose row is there, with this hash, if it is kept, and these parts.
    fn add(
        &mut self,
        store: &Store,
        (kept, parts): (Option<u64>, &[u32]),
        differs: &[Change],
        settled: bool,
        changes: &mut Vec<Change>,
    ) {
        let before = self.rows.len();
        self.rows.extend_from_slice(&self.row);
        let row = &mut self.rows[before..];
        if settled && let Some(hash) = store.change((row, kept), parts, differs) {
            self.found.push(Found::Row(hash));
            self.hashes.push(hash);
        } else {
            self.rows.truncate(before);
            self.found.push(Found::Changes(differs.len() as u32));
            changes.extend_from_slice(differs);
        }
    }
}

impl Lookout<'_> {
    /// Takes note of blocks that have not run before.
    fn note_ran(&self, state: u32, blocks: &[BlockId], ran: &mut Vec<(u32, BlockId)>) {
        for block in blocks {
            if !self.ran[block.index()] && !ran.contains(&(state, *block)) {
                ran.push((state, *block));
            }
        }
    }

    /// Takes note of messages that have not been sent before.
    fn note_sent(
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

    /// Whether there may be something to see in the open state.
    fn sees_something(&self, desk: &Desk<'_>) -> bool {
        let (context, options) = (desk.context(), &desk.options);
        let open = self.premises.iter().zip(self.met);
        let mut open = open.filter(|(_, met)| **met == Some(Premise::Open));
        let can_be = |condition: &Condition, seen: &dyn Fn(Option<bool>) -> bool| {
            let mut found = false;
            condition.each_value(&context, options, &mut |value, _| {
                found |= seen(value);
                !found
            });
            found
        };
        open.any(|(premise, _)| {
            let premise = premise.as_ref();
            premise.is_some_and(|premise| can_be(premise, &|value| value == Some(true)))
        }) || self.watches.iter().any(|watch| match watch {
            Watch::Invariant(condition) => can_be(condition, &|value| value != Some(true)),
            Watch::Reach(condition) => can_be(condition, &|value| value != Some(false)),
            Watch::Temporal(..) => false,
        })
    }
}
