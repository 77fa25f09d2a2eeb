//! Several desks at work on one level of the search, with the same outcome as one.
//!
//! States of a level are divided among the desks in order. Each computes what is behind its states and looks it up in what
//! was visited before the work began; nobody changes that meanwhile. Then what was not found there is taken into the graph by one
//! hand, in the order of states. A state in which there is something to see, or whose transitions are an error or
//! none, is only pointed out, and visited anew by that hand as if there had been one desk. So numbers of states, runs
//! and counts do not depend on how many desks there are.

use crate::desk::Desk;
use crate::glance::Glances;
use crate::graph::Graph;
use crate::parts::{Fresh, Overlay, Tables};
use crate::rows;
use crate::store::{Change, Column, Size, Store};

use crate::watch::{Condition, Watch};
use hashbrown::HashTable;
use machine::{BlockId, RecordId};
use std::ops::Range;
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

/// A desk with what it has found.
pub(crate) struct Mate<'a> {
    desk: Desk<'a>,
    glances: Option<Glances>,
    sheet: Sheet,
    wave: Wave,
}

/// What a desk has found.
#[derive(Default)]
pub(crate) struct Sheet {
    states: Vec<Note>,
    /// The states behind them that were not known, in order: as rows with their hashes, or by what is different.
    found: Vec<Found>,
    rows: Vec<u64>,
    changes: Vec<Change>,
    /// How many of them belong to states whose others were looked up.
    changes_before: u32,
    /// The columns of the rows, how many words they have, and since when.
    columns: Vec<Column>,
    words: usize,
    widened: u32,
    /// What ran and was sent for the first time, behind which state.
    ran: Vec<(u32, BlockId)>,
    sent: Vec<(u32, usize)>,
    fresh: Fresh,
}

/// A state behind another.
#[derive(Clone, Copy, Debug)]
enum Found {
    /// By its row, with this hash.
    Row(u64),
    /// By so many changes: some part of it has a new number.
    Changes(u32),
}

/// What is behind a few states, before it is looked up: one row behind the other, and what has no row yet.
#[derive(Default)]
struct Wave {
    found: Vec<Found>,
    rows: Vec<u64>,
    hashes: Vec<u64>,
    known: Vec<bool>,
    /// By their numbers among the rows of the sheet: what was found before.
    before: HashTable<u32>,
}

/// What was found at a state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Note {
    /// There may be something to see in it.
    pub(crate) look: bool,
    /// Its transitions must be visited anew.
    pub(crate) anew: bool,
    transitions: u32,
    /// Where what belongs to it ends among what was found, and among rows and changes.
    found: u32,
    rows: u32,
    changes: u32,
}

/// States for one desk alone at a time.
const ALONE: u32 = 128;

/// After so many states what is behind them is looked up.
const WAVE: usize = 32;

/// The desks beside that of the graph.
pub(crate) struct Crew<'a> {
    mates: Vec<Mate<'a>>,
    /// States for one desk at a time: enough that it pays to hand them out, and few enough that most of what is found again is
    /// found in the store.
    each: u32,
    /// Fewer states than this are not divided.
    too_few: usize,
}

impl<'a> Crew<'a> {
    /// So many desks; one, if there is to be only one, where it is faster to look up many states together. None if transitions
    /// are kept.
    pub(crate) fn new(
        graph: &Graph<'a>,
        budget: &dyn Budget,
        make_glances: &dyn Fn() -> Option<Glances>,
    ) -> Option<Crew<'a>> {
        let mate = |_| Mate {
            desk: graph.desk().another(),
            glances: make_glances(),
            sheet: Sheet::default(),
            wave: Wave::default(),
        };
        let (count, stride) = (budget.threads(), budget.stride());
        let pays = count > 1 || graph.learns();
        let (each, too_few) = match count {
            0 | 1 => (ALONE.min(stride), 1),
            _ => (8 * stride, stride as usize / 2),
        };
        (pays && !graph.keep_transitions).then(|| Crew {
            mates: (0..count.max(1)).map(mate).collect(),
            each,
            too_few,
        })
    }

    /// Computes what is behind states from the first on; `false` if they are too few to divide.
    pub(crate) fn work(
        &mut self,
        graph: &Graph<'a>,
        states: Range<u32>,
        lookout: Lookout<'_>,
    ) -> bool {
        if states.len() < self.too_few {
            return false;
        }
        let count = self.mates.len() as u32;
        let each = (states.len() as u32).div_ceil(count).min(self.each);
        let share = |mate: u32| {
            let first = (states.start + mate * each).min(states.end);
            first..(first + each).min(states.end)
        };
        let known = (&graph.store, graph.tables());
        std::thread::scope(|scope| {
            let mut mates = (0..count).zip(&mut self.mates);
            let own = mates.next();
            for (number, mate) in mates {
                scope.spawn(move || mate.work(known, share(number), lookout));
            }
            if let Some((number, mate)) = own {
                mate.work(known, share(number), lookout);
            }
        });
        true
    }

    /// What was found, desk by desk in the order of states.
    pub(crate) fn sheets(&mut self) -> impl Iterator<Item = &mut Sheet> {
        self.mates.iter_mut().map(|mate| &mut mate.sheet)
    }
}

impl Mate<'_> {
    fn work(
        &mut self,
        (store, tables): (&Store, &Tables),
        states: Range<u32>,
        lookout: Lookout<'_>,
    ) {
        let sheet = &mut self.sheet;
        sheet.clear();
        self.wave.before.clear();
        let (columns, words) = store.columns();
        sheet.columns.extend_from_slice(columns);
        (sheet.words, sheet.widened) = (words, store.widened());
        let mut overlay = Overlay {
            base: tables,
            fresh: std::mem::take(&mut sheet.fresh),
        };
        for wave in states.clone().step_by(WAVE) {
            let end = states.end.min(wave + WAVE as u32);
            for state in wave..end {
                self.look_behind(store, state, lookout, &mut overlay);
            }
            self.look_up(store, (end - wave) as usize);
        }
        self.sheet.fresh = overlay.fresh;
    }

    /// Computes what is behind a state.
    fn look_behind(
        &mut self,
        store: &Store,
        state: u32,
        lookout: Lookout<'_>,
        overlay: &mut Overlay<'_>,
    ) {
        let Mate {
            desk,
            glances,
            sheet,
            wave,
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
        let row = store.packed(state);
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
                        let settled = step.settled;
                        wave.add(store, (row, step.numbers), differs, settled, changes);
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
                        wave.add(store, (row, &before), &different, settled, changes);
                    }
                }
                !note.anew
            });
        }
        note.anew |= note.transitions == 0 || desk.is_stuck();
        note.found = wave.found.len() as u32;
        sheet.states.push(note);
    }

    /// Looks up what is behind the last states, and keeps what is not known.
    fn look_up(&mut self, store: &Store, states: usize) {
        let Mate { sheet, wave, .. } = self;
        store.find_all(&wave.rows, &mut wave.hashes, &mut wave.known);
        let words = sheet.words;
        let mut rows = wave.rows.chunks_exact(words);
        let mut looked_up = wave.hashes.iter().zip(&wave.known);
        let mut found = wave.found.iter();
        let (mut before, mut changes) = (0, sheet.changes_before as usize);
        let first = sheet.states.len() - states;
        for note in &mut sheet.states[first..] {
            for one in found.by_ref().take((note.found - before) as usize) {
                match one {
                    Found::Changes(count) => {
                        changes += *count as usize;
                        sheet.found.push(*one);
                    }
                    Found::Row(_) => {
                        let row = rows.next().expect("one for each");
                        let (hash, known) = looked_up.next().expect("one for each");
                        if *known {
                            continue;
                        }
                        let number = (sheet.rows.len() / words) as u32;
                        let at =
                            |number: u32| number as usize * words..(number as usize + 1) * words;
                        let known = |before: &u32| sheet.rows[at(*before)] == *row;
                        if wave.before.find(*hash, known).is_none() {
                            let hash_of = |before: &u32| rows::hash(&sheet.rows[at(*before)]);
                            wave.before.insert_unique(*hash, number, hash_of);
                            sheet.found.push(Found::Row(*hash));
                            sheet.rows.extend_from_slice(row);
                        }
                    }
                }
            }
            before = note.found;
            note.found = sheet.found.len() as u32;
            note.rows = sheet.rows.len() as u32;
            note.changes = changes as u32;
        }
        sheet.changes_before = changes as u32;
        wave.found.clear();
        wave.rows.clear();
    }
}

impl Wave {
    /// Takes a state that differs from one with this row and these parts.
    fn add(
        &mut self,
        store: &Store,
        (row, parts): (&[u64], &[u32]),
        differs: &[Change],
        settled: bool,
        changes: &mut Vec<Change>,
    ) {
        let before = self.rows.len();
        self.rows.extend_from_slice(row);
        if settled && store.change(&mut self.rows[before..], parts, differs) {
            self.found.push(Found::Row(0));
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

impl Sheet {
    fn clear(&mut self) {
        self.states.clear();
        self.found.clear();
        self.rows.clear();
        self.changes.clear();
        self.changes_before = 0;
        self.columns.clear();
        self.ran.clear();
        self.sent.clear();
        self.fresh.clear();
    }

    /// How many states are on it.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// What was found at a state.
    pub(crate) fn note(&self, place: usize) -> Note {
        self.states[place]
    }

    /// Takes what was found behind a state into the graph.
    pub(crate) fn take_in(&mut self, graph: &mut Graph<'_>, state: u32, place: usize) {
        let before = match place.checked_sub(1) {
            Some(before) => self.states[before],
            None => Note::default(),
        };
        let note = self.states[place];
        let mut rows = self.rows[before.rows as usize..note.rows as usize].chunks_exact(self.words);
        let mut changes = before.changes as usize;
        for found in &self.found[before.found as usize..note.found as usize] {
            match found {
                Found::Row(hash) => {
                    let row = rows.next().expect("one for each");
                    match graph.store.widened() == self.widened {
                        true => graph.add_packed(row, *hash),
                        false => graph.add_row(&self.columns, row),
                    }
                }
                Found::Changes(count) => {
                    let end = changes + *count as usize;
                    graph.add_changed(state, &mut self.changes[changes..end], &self.fresh);
                    changes = end;
                }
            }
        }
        graph.transitions += u64::from(note.transitions);
        graph.end_of_state();
    }

    /// What ran for the first time behind a state, and what was sent.
    pub(crate) fn firsts(
        &self,
        state: u32,
    ) -> (impl Iterator<Item = BlockId>, impl Iterator<Item = usize>) {
        let ran = self.ran.iter().filter(move |(s, _)| *s == state);
        let sent = self.sent.iter().filter(move |(s, _)| *s == state);
        (
            ran.map(|(_, block)| *block),
            sent.map(|(_, record)| *record),
        )
    }
}
