//! Equality, order and type membership of values over bits.

use crate::Unsupported;
use crate::values::sets::merged_tables;
use crate::values::value::{Alternative, Bits, Set, Sort, blank};
use machine::{Machine, Type};
use sat::{Aig, Lit};

/// Whether two values of one type are equal.
pub fn equal(aig: &mut Aig, a: &Bits, b: &Bits) -> Lit {
    match (a, b) {
        (Bits::Bool(a), Bits::Bool(b)) => aig.iff(*a, *b),
        (Bits::Number(_, a), Bits::Number(_, b)) => a.equal(aig, b),
        (Bits::Record(a), Bits::Record(b)) => {
            let mut same = Vec::new();
            for x in a {
                for y in b.iter().filter(|y| y.record == x.record) {
                    let fields = equal_parts(aig, &x.fields, &y.fields);
                    same.push(aig.all([x.when, y.when, fields]));
                }
            }
            aig.any(same)
        }
        (Bits::Option(p, x), Bits::Option(q, y)) => {
            let presence = aig.iff(*p, *q);
            let both = aig.and(*p, *q);
            if both == Lit::FALSE {
                return presence;
            }
            let values = equal(aig, x, y);
            let values = aig.implies(both, values);
            aig.and(presence, values)
        }
        (Bits::Set(Set::Table(a)), Bits::Set(Set::Table(b))) => {
            let differ = merged_tables(aig, a, b, &mut Aig::xor);
            aig.all(differ.iter().map(|entry| !entry.present))
        }
        (Bits::Set(a), Bits::Set(b)) => {
            let (some, other) = (a.is_subset(aig, b), b.is_subset(aig, a));
            aig.and(some, other)
        }
        (Bits::Array(a), Bits::Array(b)) => equal_parts(aig, a, b),
        (a, b) => unreachable!("verified to be of one type: {a:?}, {b:?}"),
    }
}

fn equal_parts(aig: &mut Aig, a: &[Bits], b: &[Bits]) -> Lit {
    let same: Vec<Lit> = a.iter().zip(b).map(|(a, b)| equal(aig, a, b)).collect();
    aig.all(same)
}

/// Whether `a` is less than `b` in the order of [`machine::Value`].
pub fn less(aig: &mut Aig, a: &Bits, b: &Bits) -> Result<Lit, Unsupported> {
    Ok(match (a, b) {
        (Bits::Bool(a), Bits::Bool(b)) => aig.and(!*a, *b),
        (Bits::Number(_, a), Bits::Number(_, b)) => a.less(aig, b),
        (Bits::Record(a), Bits::Record(b)) => less_record(aig, a, b)?,
        (Bits::Option(p, x), Bits::Option(q, y)) => {
            let only = aig.and(!*p, *q);
            let both = aig.and(*p, *q);
            if both == Lit::FALSE {
                return Ok(only);
            }
            let inner = less(aig, x, y)?;
            let inner = aig.and(both, inner);
            aig.or(only, inner)
        }
        (Bits::Set(Set::Table(a)), Bits::Set(Set::Table(b))) => {
            // Sets are compared like binary numbers with one digit per value: the highest value that is in only one of
            // the sets decides.
            let mut sides = Vec::new();
            merged_tables(aig, a, b, &mut |_, a, b| {
                sides.push((a, b));
                Lit::FALSE
            });
            let mut below = Lit::FALSE;
            for (a, b) in sides {
                below = less_then(aig, a, b, below);
            }
            below
        }
        (Bits::Set(_), Bits::Set(_)) => {
            return Err(Unsupported::new("the order of sets of many values"));
        }
        (Bits::Array(a), Bits::Array(b)) => less_parts(aig, a, b)?,
        (a, b) => unreachable!("verified to be of one type: {a:?}, {b:?}"),
    })
}

/// Extends a comparison by a higher digit: `below` says whether `a` is less than `b` in the lower digits.
fn less_then(aig: &mut Aig, a: Lit, b: Lit, below: Lit) -> Lit {
    let here = aig.and(!a, b);
    let same = aig.iff(a, b);
    let below = aig.and(same, below);
    aig.or(here, below)
}

fn less_parts(aig: &mut Aig, a: &[Bits], b: &[Bits]) -> Result<Lit, Unsupported> {
    let mut result = Lit::FALSE;
    for (x, y) in a.iter().zip(b).rev() {
        let here = less(aig, x, y)?;
        let same = equal(aig, x, y);
        let rest = aig.and(same, result);
        result = aig.or(here, rest);
    }
    Ok(result)
}

fn less_record(aig: &mut Aig, a: &[Alternative], b: &[Alternative]) -> Result<Lit, Unsupported> {
    let mut cases = Vec::new();
    for x in a {
        for y in b.iter().filter(|y| y.record >= x.record) {
            let fields = match x.record == y.record {
                true => less_parts(aig, &x.fields, &y.fields)?,
                false => Lit::TRUE,
            };
            cases.push(aig.all([x.when, y.when, fields]));
        }
    }
    Ok(aig.any(cases))
}

/// Whether a value belongs to a type.
pub fn fits(aig: &mut Aig, machine: &Machine, bits: &Bits, ty: &Type) -> Lit {
    match (bits, ty) {
        (Bits::Number(_, number), ty) => match Sort::of(machine, ty) {
            Some((_, lo, hi)) => number.within(aig, lo, hi),
            None => Lit::TRUE, // a counter has no bounds
        },
        (Bits::Record(alternatives), ty) => {
            let mut cases = Vec::new();
            for alternative in alternatives.iter().filter(|a| allows(ty, a)) {
                let types = &machine.records[alternative.record.index()].fields;
                let fields = alternative.fields.iter().zip(types);
                let fields: Vec<Lit> = fields
                    .map(|(field, (_, ty))| fits(aig, machine, field, ty))
                    .collect();
                let fields = aig.all(fields);
                cases.push(aig.and(alternative.when, fields));
            }
            aig.any(cases)
        }
        (Bits::Option(present, value), Type::Option(inner)) => {
            if *present == Lit::FALSE {
                return Lit::TRUE;
            }
            let value = fits(aig, machine, value, inner);
            aig.implies(*present, value)
        }
        (Bits::Set(Set::Table(entries)), Type::Set(inner)) => {
            let wrong = { entries.iter() }.filter(|entry| !machine.is_of(&entry.value, inner));
            aig.all(wrong.map(|entry| !entry.present))
        }
        (Bits::Set(Set::List(members)), Type::Set(inner)) => {
            let each: Vec<Lit> = { members.iter() }
                .map(|member| {
                    let value = fits(aig, machine, &member.value, inner);
                    aig.implies(member.present, value)
                })
                .collect();
            aig.all(each)
        }
        (Bits::Array(values), Type::Array(_, inner)) => {
            let each: Vec<Lit> = { values.iter() }
                .map(|value| fits(aig, machine, value, inner))
                .collect();
            aig.all(each)
        }
        (Bits::Bool(_), _) => Lit::TRUE,
        (bits, ty) => unreachable!("verified to be a {ty:?}: {bits:?}"),
    }
}

fn allows(ty: &Type, alternative: &Alternative) -> bool {
    match ty {
        Type::Record(r) => *r == alternative.record,
        Type::OneOf(records) => records.contains(&alternative.record),
        _ => false,
    }
}

/// The value without the alternatives and digits that the type excludes. The caller ensures that the value is of the
/// type.
pub fn narrowed(machine: &Machine, bits: &Bits, ty: &Type) -> Bits {
    match (bits, ty) {
        (Bits::Number(sort, number), ty) => match Sort::of(machine, ty) {
            Some((_, lo, hi)) => Bits::Number(*sort, number.narrowed(lo, hi)),
            None => bits.clone(),
        },
        (Bits::Record(alternatives), ty) => {
            let mut left: Vec<Alternative> = { alternatives.iter() }
                .filter(|alternative| allows(ty, alternative) && alternative.when != Lit::FALSE)
                .cloned()
                .collect();
            for alternative in &mut left {
                let types = &machine.records[alternative.record.index()].fields;
                for (field, (_, ty)) in alternative.fields.iter_mut().zip(types) {
                    *field = narrowed(machine, field, ty);
                }
            }
            match &mut left[..] {
                [] => return blank(machine, ty),
                [one] => one.when = Lit::TRUE,
                _ => {}
            }
            Bits::Record(left)
        }
        (Bits::Option(present, value), Type::Option(inner)) if *present != Lit::FALSE => {
            Bits::Option(*present, Box::new(narrowed(machine, value, inner)))
        }
        (Bits::Set(Set::Table(entries)), Type::Set(inner)) => {
            let left = { entries.iter() }.filter(|entry| machine.is_of(&entry.value, inner));
            Bits::Set(Set::Table(left.cloned().collect()))
        }
        (Bits::Set(Set::List(members)), Type::Set(inner)) => {
            let mut members = members.clone();
            for member in &mut members {
                member.value = narrowed(machine, &member.value, inner);
            }
            Bits::Set(Set::List(members))
        }
        (Bits::Array(values), Type::Array(_, inner)) => {
            let values = values.iter().map(|value| narrowed(machine, value, inner));
            Bits::Array(values.collect())
        }
        _ => bits.clone(),
    }
}
