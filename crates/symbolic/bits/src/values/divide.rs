//! Division over bits: long division by a constant divisor; for a variable divisor, one case per value.

use crate::Unsupported;
use crate::defects::{Defect, broken};
use crate::values::number::{Number, constant_digits, digit, less_digits, subtract_digits};
use machine::BinaryOp;
use sat::{Aig, Lit};

/// The largest number of values that a divisor may have.
const MOST_DIVISORS: u128 = 64;

/// The Euclidean remainder, or the quotient rounded down or up, depending on `op`. Unspecified for division by zero.
pub(crate) fn divided(
    aig: &mut Aig,
    op: BinaryOp,
    a: &Number,
    b: &Number,
) -> Result<Number, Unsupported> {
    if b.spread() > MOST_DIVISORS {
        return Err(Unsupported::new("division by a number of many values"));
    }
    let op = match broken(Defect::RoundedUp) {
        true if op == BinaryOp::FloorDiv => BinaryOp::CeilDiv,
        _ => op,
    };
    let mut result: Option<Number> = None;
    for divisor in (b.lo()..=b.hi()).filter(|divisor| *divisor != 0) {
        let here = by_constant(aig, op, a, divisor);
        let this = b.is(aig, divisor);
        result = Some(match result {
            Some(others) => Number::ite(aig, this, &here, &others),
            None => here,
        });
    }
    Ok(result.unwrap_or_else(|| Number::constant(0)))
}

fn by_constant(aig: &mut Aig, op: BinaryOp, a: &Number, divisor: i128) -> Number {
    match op {
        BinaryOp::Mod => remainder_and_quotient(aig, a, divisor.abs()).0,
        BinaryOp::FloorDiv if divisor > 0 => remainder_and_quotient(aig, a, divisor).1,
        BinaryOp::FloorDiv => {
            let minus = a.negated(aig);
            remainder_and_quotient(aig, &minus, -divisor).1
        }
        // ceil(a / d) = -floor(-a / d)
        _ => {
            let minus = a.negated(aig);
            let down = by_constant(aig, BinaryOp::FloorDiv, &minus, divisor);
            down.negated(aig)
        }
    }
}

/// Long division by a positive constant: the remainder, and the quotient rounded down.
fn remainder_and_quotient(aig: &mut Aig, a: &Number, divisor: i128) -> (Number, Number) {
    let below = a.lo().div_euclid(divisor);
    let dividend = a.digits_from(aig, below * divisor);
    let by = constant_digits(divisor as u128);
    let mut rest: Vec<Lit> = Vec::new();
    let mut quotient = vec![Lit::FALSE; dividend.len()];
    for place in (0..dividend.len()).rev() {
        rest.insert(0, dividend[place]);
        let fits = !less_digits(aig, &rest, &by);
        let less = subtract_digits(aig, &rest, &by);
        rest = (0..by.len())
            .map(|i| aig.ite(fits, digit(&less, i), digit(&rest, i)))
            .collect();
        quotient[place] = fits;
    }
    let most = a.hi().div_euclid(divisor);
    let remainder = Number::new(0, divisor - 1, rest);
    (remainder, Number::new(below, most, quotient))
}
