//! The graph log: writes the additions to a graph since a position as byte records, and restores a graph from such
//! records.
//!
//! Values, states, labels and transitions are numbered in the order of arrival and never change, so the additions are
//! the items with numbers from the position on. A record begins with a letter for its type; numbers are little-endian.
//! The reader validates every number.

use crate::graph::labels::Label;
use crate::graph::state_graph::{ERROR, Graph};
use crate::state::component_table::Numbering;
use crate::store::visited_set::{self, Column, Size};
use serde::{Deserialize, Serialize};

/// A position in the log: the number of items of each type before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LogPosition {
    /// By component: the number of its values.
    values: Vec<u32>,
    states: u32,
    predecessors: u64,
    /// The numbers of expanded states plus one, transitions, labels and fairness units. The first two are only counted
    /// if transitions are stored.
    starts: usize,
    targets: usize,
    labels: usize,
    units: usize,
}

/// The approximate size of a record, in bytes.
const PIECE: usize = 1 << 20;

const VALUES: u8 = b'V';
const STATES: u8 = b'S';
const PREDECESSORS: u8 = b'L';
const LABELS: u8 = b'N';
const TRANSITIONS: u8 = b'T';
const STARTS: u8 = b'B';

/// The header of a record of packed states: position of each component in a row, and words per row.
#[derive(Serialize, Deserialize)]
struct Packing {
    columns: Vec<Column>,
    words: usize,
}

/// Labels and fairness units.
#[derive(Serialize, Deserialize)]
struct Names {
    labels: Vec<Label>,
    units: Vec<(u8, u32, i64)>,
}

impl LogPosition {
    /// The position at the end of a graph.
    pub(crate) fn of(graph: &Graph<'_>) -> LogPosition {
        let parts = graph.expander().parts();
        LogPosition {
            values: (0..parts).map(|part| graph.tables.count(part)).collect(),
            states: graph.store.len(),
            predecessors: graph.predecessors.length(),
            starts: graph.transitions.starts.len(),
            targets: graph.transitions.targets.len(),
            labels: graph.labels.table.len(),
            units: graph.labels.unit_count(),
        }
    }

    /// The position before all items. `starts` is 1 because a new graph already contains its first start.
    pub(crate) fn nothing(graph: &Graph<'_>) -> LogPosition {
        LogPosition {
            values: vec![0; graph.expander().parts()],
            starts: 1,
            ..LogPosition::default()
        }
    }

    /// Passes the additions to the graph since this position to `put`, one record at a time.
    pub(crate) fn append_since(&self, graph: &Graph<'_>, put: &mut dyn FnMut(&[u8])) {
        let mut piece = Vec::with_capacity(PIECE + PIECE / 4);
        self.values(graph, &mut piece, put);
        self.states(graph, &mut piece, put);
        self.predecessors(graph, &mut piece, put);
        if graph.labels.table.len() > self.labels || graph.labels.unit_count() > self.units {
            let mut units: Vec<(u32, (u8, u32, i64))> =
                graph.labels.units.iter().map(|(u, n)| (*n, *u)).collect();
            units.sort_unstable();
            let names = Names {
                labels: graph.labels.table[self.labels..].to_vec(),
                units: units[self.units..].iter().map(|(_, u)| *u).collect(),
            };
            piece.clear();
            piece.push(LABELS);
            piece.extend(serde_json::to_vec(&names).expect("plain data"));
            put(&piece);
        }
        let pairs = graph.transitions.targets[self.targets..].iter();
        let pairs = pairs.zip(&graph.transitions.labels[self.targets..]);
        let pairs = pairs.map(|(target, label)| u64::from(*label) << 32 | u64::from(*target));
        in_pieces(TRANSITIONS, pairs, &mut piece, put);
        let starts = graph.transitions.starts[self.starts..].iter().copied();
        in_pieces(STARTS, starts, &mut piece, put);
    }

    fn values(&self, graph: &Graph<'_>, piece: &mut Vec<u8>, put: &mut dyn FnMut(&[u8])) {
        piece.clear();
        piece.push(VALUES);
        for (part, from) in self.values.iter().enumerate() {
            for number in *from..graph.tables.count(part) {
                let value = graph.tables.value(part, number);
                piece.extend((part as u32).to_le_bytes());
                piece.extend((value.len() as u32).to_le_bytes());
                piece.extend_from_slice(value);
                if piece.len() >= PIECE {
                    put(piece);
                    piece.truncate(1);
                }
            }
        }
        if piece.len() > 1 {
            put(piece);
        }
    }

    fn states(&self, graph: &Graph<'_>, piece: &mut Vec<u8>, put: &mut dyn FnMut(&[u8])) {
        if self.states == graph.store.len() {
            return;
        }
        let (columns, words) = (graph.store.columns(), graph.store.words());
        let packing = Packing {
            columns: columns.to_vec(),
            words,
        };
        let packing = serde_json::to_vec(&packing).expect("plain data");
        piece.clear();
        piece.push(STATES);
        piece.extend((packing.len() as u32).to_le_bytes());
        piece.extend(packing);
        let before = piece.len();
        let mut row = Vec::with_capacity(words);
        for state in self.states..graph.store.len() {
            row.clear();
            graph.store.read_row(state, &mut row);
            piece.extend(row.iter().flat_map(|word| word.to_le_bytes()));
            if piece.len() >= PIECE {
                put(piece);
                piece.truncate(before);
            }
        }
        if piece.len() > before {
            put(piece);
        }
    }

    /// Emits the predecessor table: the number of bits, then the bits.
    fn predecessors(&self, graph: &Graph<'_>, piece: &mut Vec<u8>, put: &mut dyn FnMut(&[u8])) {
        let mut at = self.predecessors;
        while at < graph.predecessors.length() {
            let end = graph.predecessors.length().min(at + PIECE as u64 * 8);
            piece.clear();
            piece.push(PREDECESSORS);
            piece.extend((end - at).to_le_bytes());
            while at < end {
                let next = (at + 8).min(end);
                let bit = |n: u64| u8::from(graph.predecessors.was_found(n)) << (n - at);
                piece.push((at..next).map(bit).sum());
                at = next;
            }
            put(piece);
        }
    }
}

/// Emits numbers in records of this type.
fn in_pieces(
    kind: u8,
    numbers: impl Iterator<Item = u64>,
    piece: &mut Vec<u8>,
    put: &mut dyn FnMut(&[u8]),
) {
    piece.clear();
    piece.push(kind);
    for number in numbers {
        piece.extend(number.to_le_bytes());
        if piece.len() >= PIECE {
            put(piece);
            piece.truncate(1);
        }
    }
    if piece.len() > 1 {
        put(piece);
    }
}

/// The restoration of a graph from records, and how far it has come.
pub(crate) struct Restoration {
    /// By component: the number of values restored.
    values: Vec<u32>,
    initial: u32,
    states: u32,
}

impl Restoration {
    /// Begins to restore a graph that already contains its initial states.
    pub(crate) fn new(graph: &Graph<'_>) -> Restoration {
        Restoration {
            values: vec![0; graph.expander().parts()],
            initial: graph.store.len(),
            states: 0,
        }
    }

    /// Restores a record. Returns `Ok(false)` if its type is unknown, and an error if it is malformed or does not fit
    /// the graph.
    pub(crate) fn take(&mut self, graph: &mut Graph<'_>, piece: &[u8]) -> Result<bool, String> {
        let Some((kind, piece)) = piece.split_first() else {
            return Err("a piece is empty".into());
        };
        match *kind {
            VALUES => self.take_values(graph, piece)?,
            STATES => self.take_states(graph, piece)?,
            PREDECESSORS => self.take_predecessors(graph, piece)?,
            LABELS => take_names(graph, piece)?,
            TRANSITIONS => {
                for number in numbers(piece)? {
                    graph.transitions.targets.push(number as u32);
                    graph.transitions.labels.push((number >> 32) as u32);
                }
            }
            STARTS => graph.transitions.starts.extend(numbers(piece)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn take_values(&mut self, graph: &mut Graph<'_>, mut rest: &[u8]) -> Result<(), String> {
        while !rest.is_empty() {
            let (part, behind) = split_number(rest)?;
            let (length, behind) = split_number(behind)?;
            let value = behind.split_at_checked(length as usize);
            let (value, behind) = value.ok_or("a value is cut off")?;
            let part = part as usize;
            let seen = self.values.get_mut(part).ok_or("there is no such part")?;
            if graph.tables.number(part, value) != *seen {
                return Err("a value is there twice".into());
            }
            *seen += 1;
            rest = behind;
        }
        Ok(())
    }

    fn take_states(&mut self, graph: &mut Graph<'_>, piece: &[u8]) -> Result<(), String> {
        let (length, rest) = split_number(piece)?;
        let packing = rest.split_at_checked(length as usize);
        let (packing, rows) = packing.ok_or("states are cut off")?;
        let packing: Packing = serde_json::from_slice(packing).map_err(|e| e.to_string())?;
        let Packing { columns, words } = packing;
        let fits = columns.iter().all(|column| column.is_within(words));
        if !fits || columns.len() != self.values.len() || words == 0 {
            return Err("states have other parts".into());
        }
        if words
            .checked_mul(8)
            .is_none_or(|bytes| !rows.len().is_multiple_of(bytes))
        {
            return Err("states are cut off".into());
        }
        let mut row = Vec::with_capacity(words);
        let mut state = Vec::with_capacity(columns.len());
        for bytes in rows.chunks_exact(words * 8) {
            row.clear();
            row.extend(bytes.chunks_exact(8).map(word));
            visited_set::read(&columns, &row, &mut state);
            for (part, number) in state.iter().enumerate() {
                let known = match graph.store.sizes()[part] {
                    Size::Bits(bits) => u64::from(*number) >> bits == 0,
                    Size::Group(_) => *number < graph.tables.count(part),
                };
                if !known {
                    return Err("a state has a part that is not there".into());
                }
            }
            let (number, new) = graph.store.insert(&state);
            if number != self.states || new != (number >= self.initial) {
                return Err("a state is there twice, or runs begin elsewhere".into());
            }
            self.states += 1;
        }
        Ok(())
    }

    fn take_predecessors(&mut self, graph: &mut Graph<'_>, piece: &[u8]) -> Result<(), String> {
        let (length, bits) = piece.split_at_checked(8).ok_or("a piece is cut off")?;
        let length = word(length);
        if length.div_ceil(8) != bits.len() as u64 {
            return Err("a piece is cut off".into());
        }
        for at in 0..length {
            match bits[(at / 8) as usize] >> (at % 8) & 1 {
                1 => graph.predecessors.found(),
                _ => graph.predecessors.visited(),
            }
        }
        Ok(())
    }

    /// Checks that the restored graph is consistent and that exactly `visited` states have been visited.
    pub(crate) fn check_consistency(&self, graph: &Graph<'_>, visited: u32) -> Result<(), String> {
        let parts = 0..self.values.len();
        let all = |part: usize| self.values[part] == graph.tables.count(part);
        if !parts.into_iter().all(all) || self.states != graph.store.len() {
            return Err("something of the initial states is missing".into());
        }
        let states = graph.store.len();
        if visited > states || graph.predecessors.so_far() != (states - self.initial, visited) {
            return Err("it does not say of every state where it was found".into());
        }
        let wanted = match graph.transitions.keep {
            true => visited as usize + 1,
            false => 1,
        };
        let last = graph.transitions.starts.last().copied();
        if graph.transitions.starts.len() != wanted
            || !graph.transitions.starts.is_sorted()
            || last != Some(graph.transitions.targets.len() as u64)
        {
            return Err("it does not say which transitions states have".into());
        }
        let known = |target: &u32| *target < states || *target == ERROR;
        let labels = graph.labels.table.len();
        if !graph.transitions.targets.iter().all(known)
            || !graph
                .transitions
                .labels
                .iter()
                .all(|label| (*label as usize) < labels)
        {
            return Err("a transition leads nowhere".into());
        }
        Ok(())
    }
}

fn take_names(graph: &mut Graph<'_>, piece: &[u8]) -> Result<(), String> {
    let names: Names = serde_json::from_slice(piece).map_err(|e| e.to_string())?;
    for unit in names.units {
        let number = graph.labels.unit_count() as u32;
        if graph.labels.units.insert(unit, number).is_some() {
            return Err("a name is there twice".into());
        }
    }
    for label in names.labels {
        let number = graph.labels.table.len() as u32;
        let units = graph.labels.unit_count();
        if label.units.iter().any(|unit| *unit as usize >= units)
            || graph.labels.numbers.insert(label.clone(), number).is_some()
        {
            return Err("a name is there twice, or of nothing".into());
        }
        graph.labels.table.push(label);
    }
    Ok(())
}

fn numbers(piece: &[u8]) -> Result<impl Iterator<Item = u64>, String> {
    match piece.len() % 8 {
        0 => Ok(piece.chunks_exact(8).map(word)),
        _ => Err("a piece is cut off".into()),
    }
}

fn word(bytes: &[u8]) -> u64 {
    crate::state::component_table::read(bytes)
}

fn split_number(bytes: &[u8]) -> Result<(u32, &[u8]), String> {
    let (number, rest) = bytes.split_at_checked(4).ok_or("a piece is cut off")?;
    Ok((word(number) as u32, rest))
}
