//! Intervals that contain all values of a term, from the ranges of the integer variables.

use crate::system::network::System;
use crate::system::network::{Element, Term};

/// The least and the largest value.
pub(crate) type Interval = (i64, i64);

/// The values that fit in 32 bits. The evaluation of any other value ends the search.
const ALL: Interval = (i32::MIN as i64, i32::MAX as i64);

/// An interval that contains every value of the term.
pub(crate) fn interval(system: &System, term: &Term) -> Interval {
    match term {
        Term::Number(number) => (*number, *number),
        Term::Local(_) => ALL,
        Term::Int(element) => {
            // All elements of an array have the same range.
            let int = system.ints[element.base];
            (int.least, int.most)
        }
        Term::Negative(_, operand) => {
            let (least, most) = interval(system, operand);
            clamp((-most, -least))
        }
        Term::Arithmetic(operator, _, operands) => {
            let (a, b) = interval(system, &operands[0]);
            let (c, d) = interval(system, &operands[1]);
            clamp(match *operator {
                "+" => (a + c, b + d),
                "-" => (a - d, b - c),
                "*" => {
                    let products = [a * c, a * d, b * c, b * d];
                    let least = products.into_iter().min().unwrap_or(ALL.0);
                    (least, products.into_iter().max().unwrap_or(ALL.1))
                }
                // A quotient or a remainder is between the dividend, its negative and 0.
                _ => {
                    let size = a.abs().max(b.abs());
                    match (a >= 0, c >= 0) {
                        (true, true) => (0, size),
                        _ => (-size, size),
                    }
                }
            })
        }
        Term::If(parts) => {
            let (a, b) = interval(system, &parts.1);
            let (c, d) = interval(system, &parts.2);
            (a.min(c), b.max(d))
        }
    }
}

/// The numbers of the clocks that an element may denote.
pub(crate) fn clocks(element: &Element) -> std::ops::Range<usize> {
    let constant = match element.index.as_deref() {
        None => Some(0),
        Some(Term::Number(index)) => usize::try_from(*index).ok(),
        Some(_) => None,
    };
    match constant.filter(|index| *index < element.size) {
        Some(index) => element.base + index..element.base + index + 1,
        None => element.base..element.base + element.size,
    }
}

/// The part of an interval that fits in 32 bits.
fn clamp((least, most): Interval) -> Interval {
    (least.clamp(ALL.0, ALL.1), most.clamp(ALL.0, ALL.1))
}
