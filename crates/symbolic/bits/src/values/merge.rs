//! Multiplexers: select a value by literals.

use crate::values::number::Number;
use crate::values::sets::merged_tables;
use crate::values::value::{Alternative, Bits, Member, Set};
use sat::{Aig, Lit};

/// `a` if the condition is true, otherwise `b`.
pub fn ite(aig: &mut Aig, condition: Lit, a: &Bits, b: &Bits) -> Bits {
    match condition.known() {
        Some(true) => return a.clone(),
        Some(false) => return b.clone(),
        None if a == b => return a.clone(),
        None => {}
    }
    match (a, b) {
        (Bits::Bool(a), Bits::Bool(b)) => Bits::Bool(aig.ite(condition, *a, *b)),
        (Bits::Number(sort, a), Bits::Number(_, b)) => {
            Bits::Number(*sort, Number::ite(aig, condition, a, b))
        }
        (Bits::Record(a), Bits::Record(b)) => Bits::Record(either(aig, condition, a, b)),
        (Bits::Option(p, x), Bits::Option(q, y)) => {
            let present = aig.ite(condition, *p, *q);
            let value = match (p.known(), q.known()) {
                (_, Some(false)) => x.clone(),
                (Some(false), _) => y.clone(),
                _ => Box::new(ite(aig, condition, x, y)),
            };
            Bits::Option(present, value)
        }
        (Bits::Set(a), Bits::Set(b)) => Bits::Set(either_set(aig, condition, a, b)),
        (Bits::Array(a), Bits::Array(b)) => {
            let pairs = a.iter().zip(b);
            Bits::Array(pairs.map(|(a, b)| ite(aig, condition, a, b)).collect())
        }
        (a, b) => unreachable!("verified to be of one type: {a:?}, {b:?}"),
    }
}

/// The value whose literal is true; unspecified unless exactly one literal is true. `None` if all literals are the
/// constant false.
pub fn select(aig: &mut Aig, choices: &[(Lit, Bits)]) -> Option<Bits> {
    let choices: Vec<_> = choices.iter().filter(|(w, _)| *w != Lit::FALSE).collect();
    let ((_, last), others) = choices.split_last()?;
    let mut result = last.clone();
    for (when, value) in others.iter().rev() {
        result = ite(aig, *when, value, &result);
    }
    Some(result)
}

fn either(aig: &mut Aig, c: Lit, a: &[Alternative], b: &[Alternative]) -> Vec<Alternative> {
    let mut records: Vec<_> = a.iter().chain(b).map(|x| x.record).collect();
    records.sort_unstable();
    records.dedup();
    let single = records.len() == 1;
    let mut result = Vec::new();
    for record in records {
        let here = |list: &[Alternative]| list.iter().find(|x| x.record == record).cloned();
        let (x, y) = (here(a), here(b));
        let when = |x: &Option<Alternative>| x.as_ref().map_or(Lit::FALSE, |x| x.when);
        let when = match single {
            true => Lit::TRUE,
            false => aig.ite(c, when(&x), when(&y)),
        };
        let fields = match (x, y) {
            (Some(x), Some(y)) => {
                let pairs = x.fields.iter().zip(&y.fields);
                pairs.map(|(x, y)| ite(aig, c, x, y)).collect()
            }
            (Some(only), None) | (None, Some(only)) => only.fields,
            (None, None) => Vec::new(),
        };
        result.push(Alternative {
            when,
            record,
            fields,
        });
    }
    result
}

fn either_set(aig: &mut Aig, condition: Lit, a: &Set, b: &Set) -> Set {
    if let (Set::Table(a), Set::Table(b)) = (a, b) {
        return Set::Table(merged_tables(aig, a, b, &mut |aig, a, b| {
            aig.ite(condition, a, b)
        }));
    }
    let mut members = Vec::new();
    for (side, list) in [(condition, a.members()), (!condition, b.members())] {
        for member in list {
            let present = aig.and(side, member.present);
            members.push(Member { present, ..member });
        }
    }
    Set::List(members)
}
