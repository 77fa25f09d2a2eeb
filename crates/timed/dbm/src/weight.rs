//! The constants of bounds: integers, and integers with an infinitesimal part.
//!
//! A bound is stored as one integer, its code: `2 * constant`, plus 1 if the bound is closed. The order of codes is the
//! order of bounds, and a sum of bounds is a sum of codes with a correction of the last bit. Constants with an
//! infinitesimal part have codes of 128 bits with the integer part in the upper half, so that the same operations give
//! the lexicographic sum and order. All algorithms of the crate work on codes, so integer constants have no overhead.
//!
//! Codes of constants use at most a quarter of the range of their integer type. So the sum of two codes, and the
//! difference of a sum and a code, never wraps; sums beyond the range of constants are detected before a matrix
//! changes.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Add, BitAnd, BitOr, Sub};

/// The largest absolute value of a constant.
pub const MAX_VALUE: i64 = 1 << 59;

/// The largest absolute value of the infinitesimal part of a constant.
pub const MAX_EPS: i32 = 1 << 30;

/// A constant or a sum is outside of the range of bounds, or a clock is assigned a negative value. Zones are unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl std::fmt::Display for Overflow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a clock bound is outside of ±{MAX_VALUE}")
    }
}

impl std::error::Error for Overflow {}

/// The constants of bounds: `i64`, or [`Infinitesimal`].
pub trait Weight: Copy + Ord + Hash + Debug + Default + Encode {}

/// The constant `value + eps·ε`, for an ε that is smaller than every positive rational number. The order is
/// lexicographic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Infinitesimal {
    /// The integer part.
    pub value: i64,
    /// The multiple of ε.
    pub eps: i32,
}

/// The integers that encode bounds.
pub trait Code:
    Copy
    + Ord
    + Hash
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
{
    /// The code of the bound `< ∞`.
    const INFINITE: Self;
    /// The largest sum of two codes of constants. A sum with an infinite bound is larger.
    const LARGEST_SUM: Self;
    /// The code of `<= 0`.
    const ZERO: Self;
    /// The integer 0.
    const NOTHING: Self;
    /// The bit of closed bounds.
    const CLOSED: Self;
}

impl Code for i64 {
    const INFINITE: i64 = (1 << 62) - 2;
    const LARGEST_SUM: i64 = 1 << 61;
    const ZERO: i64 = 1;
    const NOTHING: i64 = 0;
    const CLOSED: i64 = 1;
}

impl Code for i128 {
    const INFINITE: i128 = (1 << 126) - 2;
    const LARGEST_SUM: i128 = 1 << 125;
    const ZERO: i128 = 1;
    const NOTHING: i128 = 0;
    const CLOSED: i128 = 1;
}

/// The encoding of constants. The trait is not exported, so that other crates cannot implement [`Weight`].
pub trait Encode: Sized {
    /// The type of codes.
    type Code: Code;

    /// The code of the strict bound with this constant; that of the closed bound is one larger.
    fn encode(self) -> Result<Self::Code, Overflow>;

    /// The constant of a finite code.
    fn decode(code: Self::Code) -> Self;

    /// The product with a factor.
    fn times(self, factor: i64) -> Result<Self, Overflow>;

    /// The difference of two constants.
    fn minus(self, other: Self) -> Result<Self, Overflow>;

    /// The largest constant that is less than this one.
    fn predecessor(self) -> Result<Self, Overflow>;

    /// The absolute values of the parts of a constant.
    fn size(self) -> Size;

    /// Whether `left - right <= self * factor`, or `<` if strict.
    fn bounds(self, strict: bool, left: Self, right: Self, factor: i64) -> bool;
}

/// Upper bounds of the absolute values of the integer part and the infinitesimal part of constants.
#[derive(Clone, Copy, Debug, Default)]
pub struct Size {
    value: u64,
    eps: u64,
}

impl Size {
    /// The size of the sum of constants with these sizes.
    pub(crate) fn plus(self, other: Size) -> Size {
        Size {
            value: self.value.saturating_add(other.value),
            eps: self.eps.saturating_add(other.eps),
        }
    }

    /// The size of a sum of `count` constants of this size.
    pub(crate) fn times(self, count: usize) -> Size {
        Size {
            value: self.value.saturating_mul(count as u64),
            eps: self.eps.saturating_mul(count as u64),
        }
    }

    /// The smallest size that covers both.
    #[inline]
    pub(crate) fn or(self, other: Size) -> Size {
        Size {
            value: self.value.max(other.value),
            eps: self.eps.max(other.eps),
        }
    }

    /// An error if a constant of this size may be out of range.
    #[inline]
    pub(crate) fn check(self) -> Result<(), Overflow> {
        let fits = self.value <= MAX_VALUE as u64 && self.eps <= MAX_EPS as u64;
        if fits { Ok(()) } else { Err(Overflow) }
    }
}

impl Weight for i64 {}

impl Encode for i64 {
    type Code = i64;

    fn encode(self) -> Result<i64, Overflow> {
        self.size().check()?;
        Ok(2 * self)
    }

    #[inline]
    fn decode(code: i64) -> i64 {
        code >> 1
    }

    fn times(self, factor: i64) -> Result<i64, Overflow> {
        self.checked_mul(factor).ok_or(Overflow)
    }

    fn minus(self, other: i64) -> Result<i64, Overflow> {
        self.checked_sub(other).ok_or(Overflow)
    }

    fn predecessor(self) -> Result<i64, Overflow> {
        self.checked_sub(1).ok_or(Overflow)
    }

    #[inline]
    fn size(self) -> Size {
        Size {
            value: self.unsigned_abs(),
            eps: 0,
        }
    }

    fn bounds(self, strict: bool, left: i64, right: i64, factor: i64) -> bool {
        let difference = i128::from(left) - i128::from(right);
        let bound = i128::from(self) * i128::from(factor);
        difference < bound || (!strict && difference == bound)
    }
}

impl Weight for Infinitesimal {}

impl Encode for Infinitesimal {
    type Code = i128;

    fn encode(self) -> Result<i128, Overflow> {
        self.size().check()?;
        Ok((i128::from(self.value) << 64) + 2 * i128::from(self.eps))
    }

    #[inline]
    fn decode(code: i128) -> Infinitesimal {
        // The lower half is the infinitesimal part with its sign; the rest is a multiple of 2^64.
        let low = code as i64;
        Infinitesimal {
            value: ((code - i128::from(low)) >> 64) as i64,
            eps: (low >> 1) as i32,
        }
    }

    fn times(self, factor: i64) -> Result<Infinitesimal, Overflow> {
        let eps = i64::from(self.eps).checked_mul(factor).ok_or(Overflow)?;
        Ok(Infinitesimal {
            value: self.value.times(factor)?,
            eps: i32::try_from(eps).map_err(|_| Overflow)?,
        })
    }

    fn minus(self, other: Infinitesimal) -> Result<Infinitesimal, Overflow> {
        Ok(Infinitesimal {
            value: self.value.minus(other.value)?,
            eps: self.eps.checked_sub(other.eps).ok_or(Overflow)?,
        })
    }

    fn predecessor(self) -> Result<Infinitesimal, Overflow> {
        self.minus(Infinitesimal { value: 0, eps: 1 })
    }

    #[inline]
    fn size(self) -> Size {
        Size {
            value: self.value.unsigned_abs(),
            eps: self.eps.unsigned_abs().into(),
        }
    }

    fn bounds(self, strict: bool, left: Infinitesimal, right: Infinitesimal, factor: i64) -> bool {
        let factor = i128::from(factor);
        let value = i128::from(left.value) - i128::from(right.value);
        let eps = i128::from(left.eps) - i128::from(right.eps);
        let difference = (value, eps);
        let bound = (
            i128::from(self.value) * factor,
            i128::from(self.eps) * factor,
        );
        difference < bound || (!strict && difference == bound)
    }
}
