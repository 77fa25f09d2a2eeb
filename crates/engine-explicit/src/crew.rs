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
use crate::store::{Change, Store};
use crate::watch::{Condition, Watch};
use machine::BlockId;
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
}

/// What a desk has found.
#[derive(Default)]
pub(crate) struct Sheet {
    states: Vec<Note>,
    /// Of each transition to a state that was not known: how many changes it has.
    lengths: Vec<u32>,
    changes: Vec<Change>,
    /// What ran and was sent for the first time, behind which state.
    ran: Vec<(u32, BlockId)>,
    sent: Vec<(u32, usize)>,
    fresh: Fresh,
}

/// What was found at a state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Note {
    /// There may be something to see in it.
    pub(crate) look: bool,
    /// Its transitions must be visited anew.
    pub(crate) anew: bool,
    transitions: u32,
    /// Where what belongs to it ends among lengths and changes.
    lengths: u32,
    changes: u32,
}

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
    /// So many desks, if there are more than one and transitions are not kept.
    pub(crate) fn new(
        graph: &Graph<'a>,
        budget: &dyn Budget,
        make_glances: &dyn Fn() -> Option<Glances>,
    ) -> Option<Crew<'a>> {
        let mate = |_| Mate {
            desk: graph.desk().another(),
            glances: make_glances(),
            sheet: Sheet::default(),
        };
        let (count, stride) = (budget.threads(), budget.stride());
        (count > 1 && !graph.keep_transitions).then(|| Crew {
            mates: (0..count).map(mate).collect(),
            each: 2 * stride,
            too_few: stride as usize / 2,
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
        let Mate {
            desk,
            glances,
            sheet,
        } = self;
        sheet.clear();
        let mut overlay = Overlay {
            base: tables,
            fresh: std::mem::take(&mut sheet.fresh),
        };
        let mut row = Vec::new();
        for state in states {
            let mut note = Note::default();
            desk.take(store, state);
            note.look = lookout.always
                || match glances {
                    Some(glances) => !glances.nothing_to_see(lookout.met, desk, &overlay),
                    None => {
                        desk.make_sure_open(&overlay);
                        lookout.sees_something(desk)
                    }
                };
            let compiled = desk.compiled;
            desk.each_transition(&mut overlay, &mut |transition| {
                note.transitions += 1;
                for block in &transition.effects.ran {
                    if !lookout.ran[block.index()] && !sheet.ran.contains(&(state, *block)) {
                        sheet.ran.push((state, *block));
                    }
                }
                for (_, message) in &transition.effects.sent {
                    let record = compiled.record_of(*message).index();
                    if !lookout.sent[record] && !sheet.sent.contains(&(state, record)) {
                        sheet.sent.push((state, record));
                    }
                }
                match transition.target {
                    None => note.anew = true,
                    Some((numbers, differs)) => {
                        let before = sheet.changes.len();
                        let change = |part: &u32| (*part, numbers[*part as usize]);
                        sheet.changes.extend(differs.iter().map(change));
                        let changes = &sheet.changes[before..];
                        if store.has_beside(state, changes, &mut row) {
                            sheet.changes.truncate(before);
                        } else {
                            sheet.lengths.push(differs.len() as u32);
                        }
                    }
                }
                !note.anew
            });
            note.anew |= note.transitions == 0 || desk.is_stuck();
            note.lengths = sheet.lengths.len() as u32;
            note.changes = sheet.changes.len() as u32;
            sheet.states.push(note);
        }
        sheet.fresh = overlay.fresh;
    }
}

impl Lookout<'_> {
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
        self.lengths.clear();
        self.changes.clear();
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
        let mut first = before.changes as usize;
        for length in &self.lengths[before.lengths as usize..note.lengths as usize] {
            let end = first + *length as usize;
            graph.add_changed(state, &mut self.changes[first..end], &self.fresh);
            first = end;
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
