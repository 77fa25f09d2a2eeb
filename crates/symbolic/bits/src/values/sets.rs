//! Sets over bits: a sorted table of constants with membership literals, or a list of guarded values.

use crate::Unsupported;
use crate::defects::{Defect, broken};
use crate::values::compare::equal;
use crate::values::number::Number;
use crate::values::value::{Bits, Entry, MOST_VALUES, Member, Set, Sort, constant};
use machine::{Machine, Type, Value};
use sat::{Aig, Lit};

/// The largest length of a list of guarded values.
const MOST_MEMBERS: usize = 4096;

impl Set {
    /// All candidate elements with their membership literals.
    pub fn members(&self) -> Vec<Member> {
        match self {
            Set::List(members) => members.clone(),
            Set::Table(entries) => {
                let members = entries.iter().map(|entry| Member {
                    present: entry.present,
                    value: entry.bits.clone(),
                });
                members.collect()
            }
        }
    }

    /// A set of constants, sorted, each with its membership literal.
    pub fn table(machine: &Machine, element: &Type, values: Vec<(Value, Lit)>) -> Set {
        let entries = values.into_iter().map(|(value, present)| Entry {
            bits: constant(machine, &value, element),
            value,
            present,
        });
        Set::Table(entries.collect())
    }

    /// The set that contains only the given value.
    pub fn of(aig: &mut Aig, value: Bits) -> Set {
        if let Some(known) = value.known() {
            return Set::Table(vec![Entry {
                value: known,
                bits: value,
                present: Lit::TRUE,
            }]);
        }
        match &value {
            Bits::Bool(lit) => {
                let entry = |value, present| Entry {
                    value: Value::Bool(value),
                    bits: Bits::bool(value),
                    present,
                };
                Set::Table(vec![entry(false, !*lit), entry(true, *lit)])
            }
            Bits::Number(sort, number) if number.spread() <= MOST_VALUES => {
                let each = number.lo()..=number.hi();
                let each = each.map(|i| number_entry(*sort, i, number.is(aig, i)));
                Set::Table(each.collect())
            }
            _ => Set::List(vec![Member {
                present: Lit::TRUE,
                value,
            }]),
        }
    }

    /// The set of the integers from `from` to `to`; refused if it may have more than `MOST_VALUES` elements.
    pub fn range(aig: &mut Aig, from: &Number, to: &Number) -> Result<Set, Unsupported> {
        if to.hi() < from.lo() {
            return Ok(Set::Table(Vec::new()));
        }
        if to.hi().abs_diff(from.lo()) >= MOST_VALUES {
            return Err(Unsupported::new("a range of many numbers"));
        }
        let mut entries = Vec::new();
        for i in from.lo()..=to.hi() {
            let here = Number::constant(i);
            let below = here.less(aig, from);
            let above = to.less(aig, &here);
            entries.push(number_entry(Sort::Int, i, aig.and(!below, !above)));
        }
        Ok(Set::Table(entries))
    }

    /// Whether a value is an element of the set.
    pub fn contains(&self, aig: &mut Aig, value: &Bits) -> Lit {
        let found: Vec<Lit> = match self {
            Set::Table(entries) => {
                let entries = entries.iter().filter(|entry| entry.present != Lit::FALSE);
                let each = entries.map(|entry| {
                    let same = equal(aig, value, &entry.bits);
                    aig.and(same, entry.present)
                });
                each.collect()
            }
            Set::List(members) => {
                let each = members.iter().map(|member| {
                    let same = equal(aig, value, &member.value);
                    aig.and(same, member.present)
                });
                each.collect()
            }
        };
        aig.any(found)
    }

    /// Whether the set is empty.
    pub fn is_empty(&self, aig: &mut Aig) -> Lit {
        let present = self.members().into_iter().map(|member| member.present);
        !aig.any(present)
    }

    /// Whether the set is a subset of another.
    pub fn is_subset(&self, aig: &mut Aig, other: &Set) -> Lit {
        if let (Set::Table(a), Set::Table(b)) = (self, other) {
            let more = merged_tables(aig, a, b, &mut |aig, a, b| aig.and(a, !b));
            return aig.all(more.iter().map(|entry| !entry.present));
        }
        let members = self.members();
        let inside: Vec<Lit> = { members.iter() }
            .map(|member| {
                let contained = other.contains(aig, &member.value);
                aig.implies(member.present, contained)
            })
            .collect();
        aig.all(inside)
    }

    /// The union of two sets; refused if the list could have more than `MOST_MEMBERS` elements.
    pub fn union(&self, aig: &mut Aig, other: &Set) -> Result<Set, Unsupported> {
        if let (Set::Table(a), Set::Table(b)) = (self, other) {
            return Ok(Set::Table(merged_tables(aig, a, b, &mut Aig::or)));
        }
        let mut members = self.members();
        members.extend(other.members());
        members.retain(|member| member.present != Lit::FALSE);
        match members.len() {
            0..=MOST_MEMBERS => Ok(Set::List(members)),
            _ => Err(Unsupported::new("a set that may have very many elements")),
        }
    }

    /// The intersection with another set (`inside`), or the set minus the other one.
    pub fn restricted(&self, aig: &mut Aig, other: &Set, inside: bool) -> Set {
        let keep = |aig: &mut Aig, present: Lit, other: Lit| {
            aig.and(present, if inside { other } else { !other })
        };
        if let (Set::Table(a), Set::Table(b)) = (self, other) {
            return Set::Table(merged_tables(aig, a, b, &mut |aig, a, b| keep(aig, a, b)));
        }
        self.mapped(|value, present| {
            let contained = other.contains(aig, value);
            keep(aig, present, contained)
        })
    }

    /// The set with new membership literals: `present` maps an element and its literal to the new one.
    pub(crate) fn mapped(&self, mut present: impl FnMut(&Bits, Lit) -> Lit) -> Set {
        let mut set = self.clone();
        match &mut set {
            Set::Table(entries) => {
                for entry in &mut *entries {
                    entry.present = present(&entry.bits, entry.present);
                }
                entries.retain(|entry| entry.present != Lit::FALSE);
            }
            Set::List(members) => {
                for member in &mut *members {
                    member.present = present(&member.value, member.present);
                }
                members.retain(|member| member.present != Lit::FALSE);
            }
        }
        set
    }

    /// The candidate elements; of equal ones, only one is present.
    pub(crate) fn distinct(&self, aig: &mut Aig) -> Vec<Member> {
        let mut members = self.members();
        if let (Set::List(_), false) = (self, broken(Defect::CountsTwice)) {
            for place in (1..members.len()).rev() {
                let (before, here) = members.split_at_mut(place);
                let again: Vec<Lit> = { before.iter() }
                    .map(|other| {
                        let same = equal(aig, &other.value, &here[0].value);
                        aig.and(same, other.present)
                    })
                    .collect();
                let again = aig.any(again);
                here[0].present = aig.and(here[0].present, !again);
            }
        }
        members
    }

    /// The number of different elements.
    pub fn size(&self, aig: &mut Aig) -> Number {
        let members = self.distinct(aig);
        Number::count(aig, members.iter().map(|member| member.present))
    }
}

fn number_entry(sort: Sort, number: i128, present: Lit) -> Entry {
    let bits = Bits::Number(sort, Number::constant(number));
    let value = bits.decode(&|lit| lit == Lit::TRUE);
    Entry {
        value,
        bits,
        present,
    }
}

/// Merges two sorted tables. For each value, `present` computes the membership literal from the two literals (false if
/// a table lacks the value). Values whose result is the constant false are left out.
pub(crate) fn merged_tables(
    aig: &mut Aig,
    a: &[Entry],
    b: &[Entry],
    present: &mut dyn FnMut(&mut Aig, Lit, Lit) -> Lit,
) -> Vec<Entry> {
    let mut result = Vec::new();
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let order = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => x.value.cmp(&y.value),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => return result,
        };
        let x = if order.is_le() { a.next() } else { None };
        let y = if order.is_ge() { b.next() } else { None };
        let lit = |entry: Option<&Entry>| entry.map_or(Lit::FALSE, |entry| entry.present);
        let here = present(aig, lit(x), lit(y));
        if let (Some(entry), true) = (x.or(y), here != Lit::FALSE) {
            result.push(Entry {
                present: here,
                ..entry.clone()
            });
        }
    }
}
