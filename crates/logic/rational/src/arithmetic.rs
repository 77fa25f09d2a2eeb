//! Sums, differences, products, quotients and the greatest common divisor.

use crate::Rational;
use crate::number::Form;
use num_integer::Integer;
use num_rational::BigRational;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// The fast path for integers, which are the most frequent operands. If both operands and the result are small
/// integers, the result needs no reduction. `None` otherwise.
#[inline]
fn of_integers(
    left: &Rational,
    right: &Rational,
    operation: impl Fn(i64, i64) -> Option<i64>,
) -> Option<Rational> {
    let (Form::Small(a, b), Form::Small(c, d)) = (&left.0, &right.0) else {
        return None;
    };
    match b.get() == 1 && d.get() == 1 {
        true => operation(*a, *c)
            .filter(|result| *result != i64::MIN)
            .map(|result| Rational(Form::Small(result, *b))),
        false => None,
    }
}

#[inline]
fn sum(left: &Rational, right: &Rational) -> Rational {
    of_integers(left, right, i64::checked_add).unwrap_or_else(|| sum_of_fractions(left, right))
}

#[inline]
fn difference(left: &Rational, right: &Rational) -> Rational {
    of_integers(left, right, i64::checked_sub).unwrap_or_else(|| sum_of_fractions(left, &-right))
}

#[inline]
fn product(left: &Rational, right: &Rational) -> Rational {
    of_integers(left, right, i64::checked_mul).unwrap_or_else(|| product_of_fractions(left, right))
}

#[inline]
fn quotient(left: &Rational, right: &Rational) -> Rational {
    let exact = |a: i64, b: i64| (b != 0 && a % b == 0).then(|| a / b);
    of_integers(left, right, exact).unwrap_or_else(|| {
        assert!(!right.is_zero(), "a division by 0");
        product_of_fractions(left, &right.recip())
    })
}

/// The sum of two numbers. In the small form no intermediate result overflows: numerators and denominators have at most
/// 63 bits, so their products have at most 126 bits, and sums of two products at most 127.
fn sum_of_fractions(left: &Rational, right: &Rational) -> Rational {
    let (Form::Small(a, b), Form::Small(c, d)) = (&left.0, &right.0) else {
        return (left.large() + right.large()).into();
    };
    let (a, c, b, d) = (i128::from(*a), i128::from(*c), b.get(), d.get());
    // Knuth, The Art of Computer Programming 4.5.1: a common factor of the resulting numerator and denominator divides
    // the greatest common divisor of the two denominators.
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

fn product_of_fractions(left: &Rational, right: &Rational) -> Rational {
    let (Form::Small(a, b), Form::Small(c, d)) = (&left.0, &right.0) else {
        return (left.large() * right.large()).into();
    };
    // Common factors of one numerator and the other denominator are cancelled before the multiplication.
    let first = gcd(a.unsigned_abs(), d.get());
    let second = gcd(c.unsigned_abs(), b.get());
    Rational::reduced(
        i128::from(a / first as i64) * i128::from(c / second as i64),
        u128::from(b.get() / second) * u128::from(d.get() / first),
    )
}

/// The greatest common divisor of two numbers that are not both 0. Denominators are mostly 1, for which there is a fast
/// path.
fn gcd(a: u64, b: u64) -> u64 {
    match a == 1 || b == 1 {
        true => 1,
        false => a.gcd(&b),
    }
}

impl Rational {
    /// The greatest common divisor: the largest number of which both operands are integer multiples. If one operand is
    /// 0, it is the absolute value of the other.
    pub fn gcd(&self, other: &Rational) -> Rational {
        if let (Form::Small(a, b), Form::Small(c, d)) = (&self.0, &other.0) {
            let (b, d) = (b.get(), d.get());
            if b == 1 && d == 1 && *a != 0 && c % a == 0 {
                return self.abs();
            }
            let top = a.unsigned_abs().gcd(&c.unsigned_abs());
            return Rational::reduced(top.into(), u128::from(b / gcd(b, d)) * u128::from(d));
        }
        let top = self.numerator().gcd(&other.numerator());
        let bottom = self.denominator().lcm(&other.denominator());
        BigRational::new(top, bottom).into()
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

            #[inline]
            fn $method(self, other: &Rational) -> Rational {
                $function(self, other)
            }
        }

        impl $trait<Rational> for &Rational {
            type Output = Rational;

            #[inline]
            fn $method(self, other: Rational) -> Rational {
                $function(self, &other)
            }
        }

        impl $trait<&Rational> for Rational {
            type Output = Rational;

            #[inline]
            fn $method(self, other: &Rational) -> Rational {
                $function(&self, other)
            }
        }

        impl $trait<Rational> for Rational {
            type Output = Rational;

            #[inline]
            fn $method(self, other: Rational) -> Rational {
                $function(&self, &other)
            }
        }

        impl $assign<&Rational> for Rational {
            #[inline]
            fn $assign_method(&mut self, other: &Rational) {
                *self = $function(self, other);
            }
        }

        impl $assign<Rational> for Rational {
            #[inline]
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
