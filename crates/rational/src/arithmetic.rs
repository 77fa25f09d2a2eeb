//! Sums, differences, products and quotients.

use crate::Rational;
use crate::number::Form;
use num_integer::Integer;
use std::iter::Sum;
use std::num::NonZero;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// `left + right`. In the small form no intermediate result can overflow: numerators and
/// denominators have at most 63 bits, so products have 126 and their sums 127.
fn sum(left: &Rational, right: &Rational) -> Rational {
    let (Form::Small(a, b), Form::Small(c, d)) = (&left.0, &right.0) else {
        return (left.large() + right.large()).into();
    };
    small_sum(*a, *b, *c, *d)
}

fn difference(left: &Rational, right: &Rational) -> Rational {
    let (Form::Small(a, b), Form::Small(c, d)) = (&left.0, &right.0) else {
        return (left.large() - right.large()).into();
    };
    small_sum(*a, *b, -*c, *d)
}

fn small_sum(a: i64, b: NonZero<u64>, c: i64, d: NonZero<u64>) -> Rational {
    let (a, c, b, d) = (i128::from(a), i128::from(c), b.get(), d.get());
    if b == 1 && d == 1 {
        return Rational::reduced(a + c, 1);
    }
    // Knuth, The Art of Computer Programming 4.5.1: only a factor of both denominators can be
    // left in the fraction.
    let shared = if b == d { b } else { gcd(b, d) };
    let (rest_b, rest_d) = (b / shared, d / shared);
    let top = a * i128::from(rest_d) + c * i128::from(rest_b);
    if shared == 1 {
        return Rational::reduced(top, u128::from(b) * u128::from(d));
    }
    let left_over = gcd((top.unsigned_abs() % u128::from(shared)) as u64, shared);
    Rational::reduced(
        top / i128::from(left_over),
        u128::from(rest_b) * u128::from(d / left_over),
    )
}

fn product(left: &Rational, right: &Rational) -> Rational {
    let (Form::Small(a, b), Form::Small(c, d)) = (&left.0, &right.0) else {
        return (left.large() * right.large()).into();
    };
    small_product(*a, b.get(), *c, d.get())
}

/// The product of two reduced fractions: what can be cancelled is cancelled crosswise, before.
fn small_product(a: i64, b: u64, c: i64, d: u64) -> Rational {
    let first = gcd(a.unsigned_abs(), d);
    let second = gcd(c.unsigned_abs(), b);
    Rational::reduced(
        i128::from(a / first as i64) * i128::from(c / second as i64),
        u128::from(b / second) * u128::from(d / first),
    )
}

fn quotient(left: &Rational, right: &Rational) -> Rational {
    assert!(!right.is_zero(), "a division by 0");
    product(left, &right.recip())
}

/// The greatest common divisor; most fractions here are integers, so 1 is not divided by.
/// One of the two is not 0.
fn gcd(a: u64, b: u64) -> u64 {
    match a == 1 || b == 1 {
        true => 1,
        false => a.gcd(&b),
    }
}

impl Neg for &Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        match &self.0 {
            Form::Small(n, d) => Rational(Form::Small(-n, *d)),
            Form::Large(large) => Rational(Form::Large(Box::new(-(**large).clone()))),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        -&self
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $assign:ident, $assign_method:ident, $function:ident) => {
        impl $trait<&Rational> for &Rational {
            type Output = Rational;

            fn $method(self, other: &Rational) -> Rational {
                $function(self, other)
            }
        }

        impl $trait<Rational> for &Rational {
            type Output = Rational;

            fn $method(self, other: Rational) -> Rational {
                $function(self, &other)
            }
        }

        impl $trait<&Rational> for Rational {
            type Output = Rational;

            fn $method(self, other: &Rational) -> Rational {
                $function(&self, other)
            }
        }

        impl $trait<Rational> for Rational {
            type Output = Rational;

            fn $method(self, other: Rational) -> Rational {
                $function(&self, &other)
            }
        }

        impl $assign<&Rational> for Rational {
            fn $assign_method(&mut self, other: &Rational) {
                *self = $function(self, other);
            }
        }

        impl $assign<Rational> for Rational {
            fn $assign_method(&mut self, other: Rational) {
                *self = $function(self, &other);
            }
        }
    };
}

operator!(Add, add, AddAssign, add_assign, sum);
operator!(Sub, sub, SubAssign, sub_assign, difference);
operator!(Mul, mul, MulAssign, mul_assign, product);
operator!(Div, div, DivAssign, div_assign, quotient);

impl Sum for Rational {
    fn sum<I: Iterator<Item = Rational>>(numbers: I) -> Rational {
        numbers.fold(Rational::ZERO, |sum, number| sum + number)
    }
}

impl<'n> Sum<&'n Rational> for Rational {
    fn sum<I: Iterator<Item = &'n Rational>>(numbers: I) -> Rational {
        numbers.fold(Rational::ZERO, |sum, number| sum + number)
    }
}
