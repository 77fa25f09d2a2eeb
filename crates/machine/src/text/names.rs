//! Names of the parts of a Machine in the text form, and the keywords of the text form.

use crate::text::sexpr::Atom;
use crate::{BinaryOp, Fault, Machine, Mode, Quantifier, Scope, UnaryOp};

/// The names of the indexed parts of a Machine. The names in each list are distinct.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) kinds: Vec<Atom>,
    pub(crate) enums: Vec<Atom>,
    pub(crate) counters: Vec<Atom>,
    pub(crate) enum_values: Vec<Vec<Atom>>,
    pub(crate) records: Vec<Atom>,
    pub(crate) fields: Vec<Vec<Atom>>,
    pub(crate) frozen_vars: Vec<Atom>,
    pub(crate) vars: Vec<Atom>,
    pub(crate) maps: Vec<Atom>,
    pub(crate) blocks: Vec<Atom>,
    pub(crate) timers: Vec<Atom>,
}

impl Names {
    pub(crate) fn of(machine: &Machine) -> Names {
        Names {
            kinds: distinct(machine.kinds.iter().map(|k| &k.name)),
            enums: distinct(machine.enums.iter().map(|e| &e.name)),
            counters: distinct(machine.counters.iter().map(|c| &c.name)),
            enum_values: machine.enums.iter().map(|e| distinct(&e.values)).collect(),
            records: distinct(machine.records.iter().map(|r| &r.name)),
            fields: machine
                .records
                .iter()
                .map(|r| distinct(r.fields.iter().map(|(name, _)| name)))
                .collect(),
            frozen_vars: distinct(machine.frozen_vars.iter().map(|r| &r.name)),
            vars: distinct(machine.vars.iter().map(|v| &v.name)),
            maps: distinct(machine.maps.iter().map(|m| &m.name)),
            blocks: distinct(machine.blocks.iter().map(|b| &b.name)),
            timers: distinct(machine.timers.iter().map(|t| &t.name)),
        }
    }
}

/// The names of the locals of a scope.
pub(crate) fn locals(scope: &Scope) -> Vec<Atom> {
    distinct(scope.locals.iter().map(|l| &l.name))
}

/// The names in order; a repeated name gets a numeric suffix: `k`, `k.2`.
fn distinct<'n>(names: impl IntoIterator<Item = &'n String>) -> Vec<Atom> {
    let mut result: Vec<Atom> = Vec::new();
    for name in names {
        let before = result.iter().filter(|a| a.text == *name).count() as u32;
        result.push(Atom::name(name, before + 1));
    }
    result
}

/// The name at an index; `#7` for an index 7 that is out of range.
pub(crate) fn by_number(names: &[Atom], number: usize) -> Atom {
    match names.get(number) {
        Some(atom) => atom.clone(),
        None => Atom::word(format!("#{number}")),
    }
}

pub(crate) const BINARY: [(BinaryOp, &str); 23] = [
    (BinaryOp::Add, "+"),
    (BinaryOp::Sub, "-"),
    (BinaryOp::Mul, "*"),
    (BinaryOp::Mod, "mod"),
    (BinaryOp::FloorDiv, "floor"),
    (BinaryOp::CeilDiv, "ceil"),
    (BinaryOp::Min, "min"),
    (BinaryOp::Max, "max"),
    (BinaryOp::Eq, "="),
    (BinaryOp::Ne, "!="),
    (BinaryOp::Lt, "<"),
    (BinaryOp::Le, "<="),
    (BinaryOp::Gt, ">"),
    (BinaryOp::Ge, ">="),
    (BinaryOp::And, "and"),
    (BinaryOp::Or, "or"),
    (BinaryOp::Implies, "implies"),
    (BinaryOp::In, "in"),
    (BinaryOp::Subset, "subset"),
    (BinaryOp::Union, "union"),
    (BinaryOp::Intersect, "intersect"),
    (BinaryOp::Minus, "minus"),
    (BinaryOp::Distance, "distance"),
];

pub(crate) const UNARY: [(UnaryOp, &str); 4] = [
    (UnaryOp::Not, "not"),
    (UnaryOp::Neg, "neg"),
    (UnaryOp::Size, "size"),
    (UnaryOp::IsSome, "is-some"),
];

pub(crate) const QUANTIFIERS: [(Quantifier, &str); 9] = [
    (Quantifier::All, "all"),
    (Quantifier::Exists, "exists"),
    (Quantifier::Count, "count"),
    (Quantifier::Sum, "sum"),
    (Quantifier::Max, "max-of"),
    (Quantifier::Min, "min-of"),
    (Quantifier::The, "the"),
    (Quantifier::Union, "union-of"),
    (Quantifier::Intersect, "intersect-of"),
];

pub(crate) const MODES: [(Mode, &str); 6] = [
    (Mode::Waiting, "waiting"),
    (Mode::Running, "running"),
    (Mode::Halted, "halted"),
    (Mode::Off, "off"),
    (Mode::Crashed, "crashed"),
    (Mode::Stopped, "stopped"),
];

pub(crate) const FAULTS: [(Fault, &str); 4] = [
    (Fault::Off, "off"),
    (Fault::Mute, "mute"),
    (Fault::Deaf, "deaf"),
    (Fault::Isolated, "isolated"),
];

/// The keyword of a value; `?` if the table does not contain the value.
pub(crate) fn word<T: PartialEq + Copy>(table: &[(T, &'static str)], wanted: T) -> &'static str {
    let found = table.iter().find(|(thing, _)| *thing == wanted);
    found.map_or("?", |(_, word)| word)
}

/// The value of a keyword; `None` if the table does not contain the keyword.
pub(crate) fn meaning<T: Copy>(table: &[(T, &'static str)], word: &str) -> Option<T> {
    let found = table.iter().find(|(_, w)| *w == word);
    found.map(|(thing, _)| *thing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_means_one_thing() {
        let mut words: Vec<&str> = Vec::new();
        words.extend(BINARY.iter().map(|(_, w)| w));
        words.extend(UNARY.iter().map(|(_, w)| w));
        words.extend(QUANTIFIERS.iter().map(|(_, w)| w));
        words.extend(MODES.iter().map(|(_, w)| w));
        let all = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), all);
    }

    #[test]
    fn repeated_names_are_numbered() {
        let names = ["k", "k", "on k", "on k"].map(String::from);
        let shown: Vec<String> = distinct(&names).iter().map(Atom::to_string).collect();
        assert_eq!(shown, ["k", "k.2", "\"on k\"", "\"on k\".2"]);
    }
}
