//! Packs values into a fixed number of bits per type, for states. The packing is canonical: equal values have equal
//! bits.

use crate::Unsupported;
use crate::values::compare::equal;
use crate::values::merge::select;
use crate::values::number::{Number, width};
use crate::values::value::{Alternative, Bits, Set, Sort, blank, few_values};
use machine::{Machine, Type, Value};
use sat::{Aig, Lit};

/// The number of bits of packed values of a type.
pub fn bit_width(machine: &Machine, ty: &Type) -> Result<usize, Unsupported> {
    Ok(match ty {
        Type::Bool => 1,
        Type::Counter(_) => return Err(Unsupported::new("a counter without bounds")),
        Type::Int(..) | Type::Id | Type::Node | Type::Enum(_) => {
            let (_, lo, hi) = bounds(machine, ty);
            width(hi.max(lo).abs_diff(lo))
        }
        Type::Record(r) => {
            let fields = machine.records[r.index()].fields.iter();
            let widths = fields.map(|(_, ty)| bit_width(machine, ty));
            widths.sum::<Result<usize, _>>()?
        }
        Type::OneOf(records) => {
            let widths = { records.iter() }.map(|r| bit_width(machine, &Type::Record(*r)));
            let widest = widths.collect::<Result<Vec<_>, _>>()?.into_iter().max();
            tag_width(records.len()) + widest.unwrap_or(0)
        }
        Type::Option(inner) => 1 + bit_width(machine, inner)?,
        Type::Set(inner) => {
            refuse_counters(machine, inner)?;
            few_values(machine, inner)?.len()
        }
        Type::Array(index, inner) => few_values(machine, index)?.len() * bit_width(machine, inner)?,
    })
}

/// A value of a type over fresh inputs, and the literal that is true if the inputs encode a value of the type.
pub fn free(aig: &mut Aig, machine: &Machine, ty: &Type) -> Result<(Bits, Lit), Unsupported> {
    let lits: Vec<Lit> = (0..bit_width(machine, ty)?).map(|_| aig.input()).collect();
    unpacked(aig, machine, ty, &lits)
}

/// The value that packed bits encode, and the literal that they encode a value of the type.
pub fn unpacked(
    aig: &mut Aig,
    machine: &Machine,
    ty: &Type,
    lits: &[Lit],
) -> Result<(Bits, Lit), Unsupported> {
    let mut valid = Vec::new();
    let mut rest = lits.iter().copied();
    let bits = take(aig, machine, ty, &mut rest, &mut valid)?;
    Ok((bits, aig.all(valid)))
}

/// The packed bits of a value; bits that the value does not use are 0.
pub fn packed(
    aig: &mut Aig,
    machine: &Machine,
    ty: &Type,
    bits: &Bits,
) -> Result<Vec<Lit>, Unsupported> {
    let mut lits = Vec::new();
    put(aig, machine, ty, bits, &mut lits)?;
    Ok(lits)
}

/// The packed bits of a constant, in the order of [`free`]'s inputs.
pub fn packed_value(machine: &Machine, ty: &Type, value: &Value) -> Result<Vec<bool>, Unsupported> {
    let bits = crate::values::value::constant(machine, value, ty);
    let lits = packed(&mut Aig::new(), machine, ty, &bits)?;
    Ok(lits.into_iter().map(|lit| lit == Lit::TRUE).collect())
}

fn bounds(machine: &Machine, ty: &Type) -> (Sort, i128, i128) {
    Sort::of(machine, ty).unwrap_or((Sort::Int, 0, 0))
}

fn tag_width(records: usize) -> usize {
    width(records.saturating_sub(1) as u128)
}

fn refuse_counters(machine: &Machine, ty: &Type) -> Result<(), Unsupported> {
    bit_width(machine, ty).map(|_| ())
}

type Rest<'l> = dyn Iterator<Item = Lit> + 'l;

fn take(
    aig: &mut Aig,
    machine: &Machine,
    ty: &Type,
    rest: &mut Rest<'_>,
    valid: &mut Vec<Lit>,
) -> Result<Bits, Unsupported> {
    let mut some = |n: usize| -> Vec<Lit> { rest.take(n).collect() };
    Ok(match ty {
        Type::Bool => Bits::Bool(some(1).first().copied().unwrap_or(Lit::FALSE)),
        Type::Counter(_) => return Err(Unsupported::new("a counter without bounds")),
        Type::Int(..) | Type::Id | Type::Node | Type::Enum(_) => {
            let (sort, lo, hi) = bounds(machine, ty);
            let digits = some(bit_width(machine, ty)?);
            // The range check must use the range of the digits, which may exceed that of the type.
            let whole = Number::new(lo, lo + (1i128 << digits.len()) - 1, digits.clone());
            valid.push(whole.within(aig, lo, hi));
            Bits::Number(sort, Number::new(lo, hi, digits))
        }
        Type::Record(r) => {
            let fields = machine.records[r.index()].fields.iter();
            let fields = fields.map(|(_, ty)| take(aig, machine, ty, rest, valid));
            Bits::record(*r, fields.collect::<Result<_, _>>()?)
        }
        Type::OneOf(records) => {
            let most = (1i128 << tag_width(records.len())) - 1;
            let tag = Number::new(0, most, some(tag_width(records.len())));
            valid.push(tag.within(aig, 0, records.len() as i128 - 1));
            let shared = some(bit_width(machine, ty)? - tag_width(records.len()));
            let mut alternatives = Vec::new();
            for (place, record) in records.iter().enumerate() {
                let when = tag.is(aig, place as i128);
                let mut inner = Vec::new();
                let record_type = Type::Record(*record);
                let mut lits = shared.iter().copied();
                let Bits::Record(only) = take(aig, machine, &record_type, &mut lits, &mut inner)?
                else {
                    continue;
                };
                let unused: Vec<Lit> = lits.map(|lit| !lit).collect();
                let inner = aig.all(inner.into_iter().chain(unused));
                valid.push(aig.implies(when, inner));
                alternatives.extend(only.into_iter().map(|a| Alternative { when, ..a }));
            }
            Bits::Record(alternatives)
        }
        Type::Option(inner) => {
            let present = some(1).first().copied().unwrap_or(Lit::FALSE);
            let lits = some(bit_width(machine, inner)?);
            let mut inside = Vec::new();
            let value = take(aig, machine, inner, &mut lits.iter().copied(), &mut inside)?;
            let inside = aig.all(inside);
            let nothing = aig.all(lits.iter().map(|lit| !*lit));
            valid.push(aig.ite(present, inside, nothing));
            Bits::Option(present, Box::new(value))
        }
        Type::Set(inner) => {
            let values = few_values(machine, inner)?;
            let present = some(values.len());
            let entries = values.into_iter().zip(present).collect();
            Bits::Set(Set::table(machine, inner, entries))
        }
        Type::Array(index, inner) => {
            let places = few_values(machine, index)?.len();
            let values = (0..places).map(|_| take(aig, machine, inner, rest, valid));
            Bits::Array(values.collect::<Result<_, _>>()?)
        }
    })
}

fn put(
    aig: &mut Aig,
    machine: &Machine,
    ty: &Type,
    bits: &Bits,
    lits: &mut Vec<Lit>,
) -> Result<(), Unsupported> {
    match (bits, ty) {
        (Bits::Bool(lit), _) => lits.push(*lit),
        (Bits::Number(_, number), ty) => {
            let wanted = bit_width(machine, ty)?;
            let (_, lo, _) = bounds(machine, ty);
            let digits = digits_above(aig, number, lo, wanted);
            lits.extend(digits);
        }
        (Bits::Record(alternatives), Type::Record(r)) => {
            let types = &machine.records[r.index()].fields;
            let found = alternatives.iter().find(|a| a.record == *r);
            let fields = match found {
                Some(found) => found.fields.clone(),
                None => types.iter().map(|(_, ty)| blank(machine, ty)).collect(),
            };
            for (field, (_, ty)) in fields.iter().zip(types) {
                put(aig, machine, ty, field, lits)?;
            }
        }
        (Bits::Record(alternatives), Type::OneOf(records)) => {
            let shared = bit_width(machine, ty)? - tag_width(records.len());
            let mut cases = Vec::new();
            for (place, record) in records.iter().enumerate() {
                let Some(found) = alternatives.iter().find(|a| a.record == *record) else {
                    continue;
                };
                let tag = Number::constant(place as i128);
                let mut here = digits_above(aig, &tag, 0, tag_width(records.len()));
                put(aig, machine, &Type::Record(*record), bits, &mut here)?;
                here.resize(tag_width(records.len()) + shared, Lit::FALSE);
                let here = here.into_iter().map(Bits::Bool).collect();
                cases.push((found.when, Bits::Array(here)));
            }
            if let Some(Bits::Array(chosen)) = select(aig, &cases) {
                lits.extend(chosen.iter().map(Bits::lit));
            }
        }
        (Bits::Option(present, value), Type::Option(inner)) => {
            lits.push(*present);
            let mut inside = Vec::new();
            put(aig, machine, inner, value, &mut inside)?;
            lits.extend(inside.into_iter().map(|lit| aig.and(*present, lit)));
        }
        (Bits::Set(Set::Table(entries)), Type::Set(inner)) => {
            let mut entries = entries.iter().peekable();
            for value in few_values(machine, inner)? {
                // Entries between two values of the type are not of the type.
                while entries.next_if(|entry| entry.value < value).is_some() {}
                let here = entries.next_if(|entry| entry.value == value);
                lits.push(here.map_or(Lit::FALSE, |entry| entry.present));
            }
        }
        (Bits::Set(set), Type::Set(inner)) => {
            let values = few_values(machine, inner)?;
            for entry in Set::table(
                machine,
                inner,
                values.into_iter().map(|value| (value, Lit::TRUE)).collect(),
            )
            .members()
            {
                let members = set.members();
                let found: Vec<Lit> = { members.iter() }
                    .map(|member| {
                        let same = equal(aig, &member.value, &entry.value);
                        aig.and(member.present, same)
                    })
                    .collect();
                lits.push(aig.any(found));
            }
        }
        (Bits::Array(values), Type::Array(_, inner)) => {
            for value in values {
                put(aig, machine, inner, value, lits)?;
            }
        }
        (bits, ty) => unreachable!("verified to be a {ty:?}: {bits:?}"),
    }
    Ok(())
}

/// The lowest `wanted` digits of `number - lo`.
fn digits_above(aig: &mut Aig, number: &Number, lo: i128, wanted: usize) -> Vec<Lit> {
    let offset = Number::constant(lo);
    let shifted = number.subtract(aig, &offset);
    let mut digits = match shifted.lo() {
        // A value of the type is at least `lo`, even if the bounds of the number are wider. So the lowest digits,
        // computed modulo 2^wanted, are correct.
        bias @ ..0 => {
            let up = bias.rem_euclid(1 << wanted);
            let most = up + (shifted.hi() - bias);
            Number::new(up, most, shifted.digits().to_vec()).digits_from(aig, 0)
        }
        _ => shifted.digits_from(aig, 0),
    };
    digits.resize(wanted, Lit::FALSE);
    digits
}
