//! Compiled timed reductions: which deliveries are invisible, which values and messages are dead.

use crate::program::compiled_machine::CompiledMachine;
use machine::{NodeId, Type};
use verdict::TimedReductions;

/// The timed reductions of a Machine.
pub(crate) struct CompiledReductions {
    /// By node and record: whether deliveries of such messages are invisible.
    pub(crate) invisible: Vec<Vec<bool>>,
    /// By node: whether deliveries of some message type are invisible.
    pub(crate) any_invisible: Vec<bool>,
    /// By node: slots of its private variables, and the value to which they are reset when the node has halted, crashed
    /// or is off.
    pub(crate) gone: Vec<Vec<(usize, i64)>>,
    /// By record: whether no property depends on messages of this type in flight.
    pub(crate) unwatched: Vec<bool>,
    pub(crate) dead_elements: Vec<DeadElements>,
}

/// The dead elements of an array variable of a node: those below the value of the variable `index` plus `plus`.
pub(crate) struct DeadElements {
    pub(crate) node: NodeId,
    pub(crate) array: usize,
    pub(crate) index: usize,
    pub(crate) plus: i64,
    /// The first and last index of the array.
    pub(crate) over: (i64, i64),
    /// The number of values of an element.
    pub(crate) places: i64,
    /// Messages whose only effect is to change one element.
    pub(crate) messages: Vec<ElementMessages>,
}

/// Messages of a type that change one element of an array. The parts are: the first number of such a message, and one
/// past the last; the weight and the number of values of the field that contains the index; the first number of the
/// type of that field.
pub(crate) type ElementMessages = ((i64, i64), (i64, i64), i64);

impl CompiledReductions {
    pub(crate) fn new(
        compiled: &CompiledMachine<'_>,
        timed_reductions: &TimedReductions,
    ) -> Result<CompiledReductions, String> {
        let (machine, codec) = (compiled.machine, compiled.codec);
        let invisible = machine.nodes().map(|node| {
            let kind = machine.kind_of(node);
            let mut row = vec![false; machine.records.len()];
            let own = timed_reductions
                .invisible
                .iter()
                .filter(|(k, _)| *k == kind);
            own.for_each(|(_, record)| row[record.index()] = true);
            row
        });
        let invisible: Vec<Vec<bool>> = invisible.collect();
        let gone = machine.nodes().map(|node| {
            let base = compiled.bases[node.index()] as usize + 1;
            let vars = machine.vars.iter().enumerate();
            let own = vars.filter(|(_, var)| var.kind == machine.kind_of(node));
            let private = own.enumerate().filter(|(_, (v, _))| {
                let id = machine::VarId(*v as u32);
                timed_reductions.private.contains(&id)
            });
            let first = |(place, (_, var)): (usize, (usize, &machine::Var))| {
                let slot = base + place;
                (slot, compiled.masked(slot, codec.first(&var.ty)))
            };
            private.map(first).collect()
        });
        let mut unwatched = vec![false; machine.records.len()];
        timed_reductions
            .unwatched
            .iter()
            .for_each(|r| unwatched[r.index()] = true);
        let mut dead_elements = Vec::new();
        for rule in &timed_reductions.dead_elements {
            let var = &machine.vars[rule.array.index()];
            let Type::Array(over, element) = &var.ty else {
                continue;
            };
            let first = codec.first(over);
            let messages = rule.told.iter().map(|(record, field)| {
                let ty = &machine.records[record.index()].fields[*field as usize].1;
                let weight = (codec.weight(*record, *field)?, codec.places(ty)? as i64);
                Ok((
                    compiled.messages.ranges[record.index()],
                    weight,
                    codec.first(ty),
                ))
            });
            let messages = messages.collect::<Result<Vec<_>, String>>()?;
            for node in machine.nodes_of(var.kind) {
                let slot =
                    |var| compiled.bases[node.index()] as usize + 1 + machine.place_of_var(var);
                dead_elements.push(DeadElements {
                    node,
                    array: slot(rule.array),
                    index: slot(rule.index),
                    plus: rule.plus,
                    over: (first, first + codec.places(over)? as i64 - 1),
                    places: codec.places(element)? as i64,
                    messages: messages.clone(),
                });
            }
        }
        Ok(CompiledReductions {
            any_invisible: invisible.iter().map(|row| row.contains(&true)).collect(),
            invisible,
            gone: gone.collect(),
            unwatched,
            dead_elements,
        })
    }
}
