//! Sizes of messages and structs: a record must not contain itself, and has a limited number of parts.
//!
//! Records are visited in topological order, inner ones first, without recursion and each once: the time is linear, and
//! nothing is built before its size is known.

use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::suggest::listed;
use crate::{Domain, RecordId};
use source::{Diagnostic, codes};
use std::collections::{HashMap, HashSet, VecDeque};

/// The largest number of parts of a message or struct. An array counts like one of its elements.
const MOST_RECORD_PARTS: u64 = 10_000;

/// The deepest nesting of messages and structs in each other.
const DEEPEST_RECORD: u64 = 100;

/// The largest number of cycles that are reported.
const MOST_CYCLES: usize = 3;

impl Resolver<'_> {
    /// Reports messages and structs that contain themselves, are nested too deeply, or have too many parts.
    pub(crate) fn finite_records(&mut self) {
        let records: Vec<RecordId> = self.record_trees().into_iter().map(|(r, _)| r).collect();
        let order = self.inner_first(&records);
        self.small_records(&order);
        if order.len() < records.len() {
            let ordered: HashSet<RecordId> = order.into_iter().collect();
            let left = records.into_iter().filter(|r| !ordered.contains(r));
            self.cycles(&left.collect::<Vec<_>>());
        }
    }

    /// The records that a record contains, inside options, sets and arrays.
    fn records_in(&self, record: RecordId) -> impl Iterator<Item = RecordId> {
        let fields = self.model.record_fields(record).iter();
        fields.filter_map(|field| record_in(&field.domain))
    }

    /// The records in an order in which each comes after those that it contains. Records on a cycle, and those that
    /// contain them, are left out.
    fn inner_first(&self, records: &[RecordId]) -> Vec<RecordId> {
        let mut waits: HashMap<RecordId, usize> = HashMap::new();
        let mut outer: HashMap<RecordId, Vec<RecordId>> = HashMap::new();
        for record in records {
            let mut count = 0;
            for inner in self.records_in(*record) {
                outer.entry(inner).or_default().push(*record);
                count += 1;
            }
            waits.insert(*record, count);
        }
        let mut order: Vec<RecordId> = records.to_vec();
        order.retain(|record| waits[record] == 0);
        let mut next = 0;
        while let Some(record) = order.get(next).copied() {
            next += 1;
            for outer in outer.get(&record).into_iter().flatten() {
                let count = waits.get_mut(outer).expect("a record");
                *count -= 1;
                if *count == 0 {
                    order.push(*outer);
                }
            }
        }
        order
    }

    /// Reports the first record that is too large. The fields of every record that is too large get the type `Error`,
    /// so that the records that contain it are not too large as well.
    fn small_records(&mut self, inner_first: &[RecordId]) {
        let mut sizes: HashMap<RecordId, (u64, u64)> = HashMap::new();
        let mut reported = false;
        for record in inner_first {
            let inner = self.records_in(*record).map(|inner| sizes[&inner]);
            let fields = self.model.record_fields(*record).len() as u64;
            let (parts, depth) = inner.fold((fields, 0), |(parts, depth), inner| {
                (parts.saturating_add(inner.0), depth.max(inner.1))
            });
            let small = parts <= MOST_RECORD_PARTS && depth < DEEPEST_RECORD;
            sizes.insert(
                *record,
                if small {
                    (parts + 1, depth + 1)
                } else {
                    (1, 1)
                },
            );
            if small {
                continue;
            }
            if !std::mem::replace(&mut reported, true) {
                let name = self.model.record_name(*record);
                let span = match record {
                    RecordId::Message(id) => self.model.message(*id).span,
                    RecordId::Struct(id) => self.model.structure(*id).span,
                };
                let text = match depth < DEEPEST_RECORD {
                    true => format!("a value of `{name}` has {parts} parts, which is too many"),
                    false => {
                        format!("structs are nested more than {DEEPEST_RECORD} deep in `{name}`")
                    }
                };
                self.report(
                    Diagnostic::error(codes::NUMBER_TOO_LARGE, span, text).note(format!(
                        "every state holds all parts of its values: a check can go through few, never more than {MOST_RECORD_PARTS}"
                    )),
                );
            }
            for field in self.fields_of(*record) {
                field.domain = Domain::Error;
            }
        }
    }

    /// Reports cycles among records.
    fn cycles(&mut self, left: &[RecordId]) {
        let mut around: HashSet<RecordId> = HashSet::new();
        let mut reported = 0;
        for record in left {
            if around.contains(record) || reported == MOST_CYCLES {
                continue;
            }
            let Some(cycle) = self.cycle(*record) else {
                continue;
            };
            let name = self.model.record_name(*record);
            let through = cycle.iter().skip(1);
            let through: Vec<String> = through
                .map(|r| format!("`{}`", self.model.record_name(*r)))
                .collect();
            let through = match &through[..] {
                [] => String::new(),
                few @ ([_] | [_, _] | [_, _, _]) => format!(" (through {})", listed(few, "and")),
                [first, .., last] => {
                    format!(" (through {first}, … and {last}, {} in all)", through.len())
                }
            };
            let text = format!("`{name}` contains itself{through}: it would never end");
            let next = cycle.get(1).copied().unwrap_or(*record);
            let mut fields = self.model.record_fields(*record).iter();
            let field = fields.find(|field| record_in(&field.domain) == Some(next));
            let span = field.expect("a field on the cycle").span;
            self.report(
                Diagnostic::error(codes::CONTAINS_ITSELF, span, text)
                    .note("keep a number, an id or a node that says which one is meant, and look it up in an array: `[T; 0..7]`"),
            );
            around.extend(cycle);
            reported += 1;
        }
    }

    /// A shortest cycle from a record back to itself, by breadth-first search.
    fn cycle(&self, of: RecordId) -> Option<Vec<RecordId>> {
        let mut before: HashMap<RecordId, RecordId> = HashMap::new();
        let mut queue = VecDeque::from([of]);
        while let Some(record) = queue.pop_front() {
            for inner in self.records_in(record) {
                if inner == of {
                    let mut path = vec![record];
                    while path[path.len() - 1] != of {
                        path.push(before[&path[path.len() - 1]]);
                    }
                    path.reverse();
                    return Some(path);
                }
                if let std::collections::hash_map::Entry::Vacant(place) = before.entry(inner) {
                    place.insert(record);
                    queue.push_back(inner);
                }
            }
        }
        None
    }
}

/// The record that a domain contains, inside options, sets and arrays.
fn record_in(domain: &Domain) -> Option<RecordId> {
    let mut inner = domain;
    while let Domain::Option(of) | Domain::Set(of) | Domain::Array(_, of) = inner {
        inner = of;
    }
    inner.ty().record()
}
