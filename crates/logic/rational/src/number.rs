//! The representation of a rational number, and the operations that are not arithmetic.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::num::NonZero;

/// An exact rational number.
///
/// Division by zero, a fraction with denominator 0 and the reciprocal of 0 panic; nothing else panics. The text form is
/// the reduced fraction, such as `203/2`, or the integer, such as `5`. [`std::str::FromStr`] also accepts other forms.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(pub(crate) Form);

/// A reduced fraction with a positive denominator. It is `Large` if and only if it does not fit into `Small`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// Numerator and denominator, with absolute values of at most [`MOST`]. Hence the negation and the reciprocal of a
    /// small number are small.
    Small(i64, NonZero<u64>),
    /// A number that does not fit into `Small`.
    Large(Box<BigRational>),
}

/// The largest numerator and denominator of the small form.
const MOST: u64 = i64::MAX as u64;

const UNIT: NonZero<u64> = NonZero::<u64>::MIN;

impl Rational {
    /// The number 0.
    pub const ZERO: Rational = Rational(Form::Small(0, UNIT));

    /// The number 1.
    pub const ONE: Rational = Rational(Form::Small(1, UNIT));

    /// The fraction `numerator / denominator`.
    ///
    /// # Panics
    ///
    /// If the denominator is 0.
    pub fn new(numerator: i128, denominator: i128) -> Rational {
        assert!(denominator != 0, "a fraction with denominator 0");
        let common = numerator
            .unsigned_abs()
            .gcd(&denominator.unsigned_abs())
            .max(1);
        let top = numerator.unsigned_abs() / common;
        let bottom = denominator.unsigned_abs() / common;
        let negative = (numerator < 0) != (denominator < 0);
        match i128::try_from(top) {
            Ok(top) => Rational::reduced(if negative { -top } else { top }, bottom),
            Err(_) => {
                let top = BigInt::from(top);
                let top = if negative { -top } else { top };
                Rational::from(BigRational::new_raw(top, bottom.into()))
            }
        }
    }

    /// The number `numerator / denominator`, which must be reduced and have a positive denominator.
    pub(crate) fn reduced(numerator: i128, denominator: u128) -> Rational {
        debug_assert!(denominator != 0);
        if numerator.unsigned_abs() <= u128::from(MOST) && denominator <= u128::from(MOST) {
            let denominator = NonZero::new(denominator as u64).unwrap_or(UNIT);
            return Rational(Form::Small(numerator as i64, denominator));
        }
        let large = BigRational::new_raw(numerator.into(), denominator.into());
        Rational(Form::Large(Box::new(large)))
    }

    /// The number as an arbitrary-precision fraction.
    pub(crate) fn large(&self) -> BigRational {
        match &self.0 {
            Form::Small(n, d) => BigRational::new_raw((*n).into(), d.get().into()),
            Form::Large(large) => (**large).clone(),
        }
    }

    /// Whether this is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Form::Small(0, _))
    }

    /// Whether this is greater than 0.
    #[inline]
    pub fn is_positive(&self) -> bool {
        self.sign() == Ordering::Greater
    }

    /// Whether this is less than 0.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.sign() == Ordering::Less
    }

    /// The sign: the result of comparing this number with 0.
    #[inline]
    pub fn sign(&self) -> Ordering {
        match &self.0 {
            Form::Small(n, _) => n.cmp(&0),
            Form::Large(large) if large.is_negative() => Ordering::Less,
            Form::Large(_) => Ordering::Greater,
        }
    }

    /// Whether this is an integer.
    #[inline]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Form::Small(_, d) => *d == UNIT,
            Form::Large(large) => large.is_integer(),
        }
    }

    /// The numerator of the reduced fraction, with the sign.
    pub fn numerator(&self) -> BigInt {
        match &self.0 {
            Form::Small(n, _) => (*n).into(),
            Form::Large(large) => large.numer().clone(),
        }
    }

    /// The denominator of the reduced fraction, at least 1.
    pub fn denominator(&self) -> BigInt {
        match &self.0 {
            Form::Small(_, d) => d.get().into(),
            Form::Large(large) => large.denom().clone(),
        }
    }

    /// This number, if it is an integer in the range of `i64`; otherwise `None`.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Form::Small(n, d) => (*d == UNIT).then_some(*n),
            Form::Large(large) if large.is_integer() => large.numer().to_i64(),
            Form::Large(_) => None,
        }
    }

    /// A floating-point approximation of this number. It is for output only; no decision may depend on it.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Form::Small(n, d) => *n as f64 / d.get() as f64,
            // For a number out of range, `BigRational::to_f64` returns an infinity.
            Form::Large(large) => large.to_f64().unwrap_or(f64::NAN),
        }
    }

    /// The largest integer that is at most this number.
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Form::Small(n, d) => Rational::from(i128::from(*n).div_euclid(d.get().into())),
            Form::Large(large) => large.floor().into(),
        }
    }

    /// The smallest integer that is at least this number.
    pub fn ceil(&self) -> Rational {
        -(-self).floor()
    }

    /// The absolute value.
    pub fn abs(&self) -> Rational {
        match self.is_negative() {
            true => -self,
            false => self.clone(),
        }
    }

    /// One divided by this number.
    ///
    /// # Panics
    ///
    /// If this is 0.
    pub fn recip(&self) -> Rational {
        assert!(!self.is_zero(), "the reciprocal of 0");
        match &self.0 {
            Form::Small(n, d) => {
                let size = NonZero::new(n.unsigned_abs()).unwrap_or(UNIT);
                // The denominator is at most `MOST`, so it fits into `i64`.
                let top = d.get() as i64;
                Rational(Form::Small(if *n < 0 { -top } else { top }, size))
            }
            Form::Large(large) => large.recip().into(),
        }
    }
}

impl Default for Rational {
    fn default() -> Rational {
        Rational::ZERO
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (&self.0, &other.0) {
            (Form::Small(a, b), Form::Small(c, d)) if b == d => a.cmp(c),
            (Form::Small(a, b), Form::Small(c, d)) => {
                let left = i128::from(*a) * i128::from(d.get());
                left.cmp(&(i128::from(*c) * i128::from(b.get())))
            }
            _ => self.large().cmp(&other.large()),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<BigRational> for Rational {
    fn from(number: BigRational) -> Rational {
        // The caller may have created the fraction with `BigRational::new_raw`, which does not reduce.
        let number = match number.denom().is_zero() {
            true => panic!("a fraction with denominator 0"),
            false => number.reduced(),
        };
        match (number.numer().to_i64(), number.denom().to_u64()) {
            (Some(n), Some(d)) if n.unsigned_abs() <= MOST && d <= MOST => {
                Rational(Form::Small(n, NonZero::new(d).unwrap_or(UNIT)))
            }
            _ => Rational(Form::Large(Box::new(number))),
        }
    }
}

impl From<Rational> for BigRational {
    fn from(number: Rational) -> BigRational {
        number.large()
    }
}

impl From<BigInt> for Rational {
    fn from(number: BigInt) -> Rational {
        BigRational::from(number).into()
    }
}

impl From<u128> for Rational {
    fn from(number: u128) -> Rational {
        BigInt::from(number).into()
    }
}

macro_rules! from_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Rational {
            fn from(number: $integer) -> Rational {
                Rational::reduced(number as i128, 1)
            }
        }
    )*};
}

from_integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, usize);
