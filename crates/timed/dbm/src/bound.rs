//! Bounds of differences of clocks: closed (`<=`), strict (`<`), or infinite.

use crate::defects::{Defect, broken};
use crate::weight::{Code, Overflow, Size, Weight};
use std::fmt;

/// An upper bound of a difference of two clocks. A smaller bound is tighter: `< 3` is less than `<= 3`, which is less
/// than `< 4`, and every bound is less than or equal to [`Bound::INFINITE`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bound<W: Weight = i64>(W::Code);

impl<W: Weight> Bound<W> {
    /// The bound that every number satisfies.
    pub const INFINITE: Bound<W> = Bound(W::Code::INFINITE);

    /// The bound `<= 0`.
    pub const ZERO: Bound<W> = Bound(W::Code::ZERO);

    /// The bound `<= value`.
    pub fn at_most(value: W) -> Result<Bound<W>, Overflow> {
        Ok(Bound(value.encode()? + W::Code::CLOSED))
    }

    /// The bound `< value`.
    pub fn below(value: W) -> Result<Bound<W>, Overflow> {
        Ok(Bound(value.encode()?))
    }

    /// The constant; `None` if the bound is infinite.
    #[inline]
    pub fn value(self) -> Option<W> {
        (!self.is_infinite()).then(|| W::decode(self.0))
    }

    /// Whether no difference is excluded.
    #[inline]
    pub fn is_infinite(self) -> bool {
        self.0 >= W::Code::INFINITE
    }

    /// Whether the difference may not be equal to the constant. An infinite bound is strict.
    #[inline]
    pub fn is_strict(self) -> bool {
        self.0 & W::Code::CLOSED == W::Code::NOTHING
    }

    /// The bound of the sum of two differences with these bounds; infinite if one of them is.
    pub fn plus(self, other: Bound<W>) -> Result<Bound<W>, Overflow> {
        if !self.is_infinite() && !other.is_infinite() {
            self.size().plus(other.size()).check()?;
        }
        Ok(self.sum(other))
    }

    /// The complement: the bound of `y - x` that holds iff this bound of `x - y` does not; `None` if this bound is
    /// infinite, as it always holds.
    pub fn complement(self) -> Option<Bound<W>> {
        (!self.is_infinite()).then(|| Bound(W::Code::ZERO - self.0))
    }

    /// The strict bound with the same constant.
    #[inline]
    pub(crate) fn strict(self) -> Bound<W> {
        Bound(self.0 - (self.0 & W::Code::CLOSED))
    }

    /// The sum. Sums of constants whose sizes have been checked do not overflow.
    #[inline(always)]
    pub(crate) fn sum(self, other: Bound<W>) -> Bound<W> {
        let sum = self.sum_of_codes(other);
        if sum > W::Code::LARGEST_SUM {
            Bound::INFINITE
        } else {
            Bound(sum)
        }
    }

    /// The code of the sum. If a bound is infinite, the code is larger than every sum of finite codes.
    #[inline(always)]
    fn sum_of_codes(self, other: Bound<W>) -> W::Code {
        let closed = match broken(Defect::StrictPlusClosedIsClosed) {
            true => self.0 & other.0,
            false => self.0 | other.0,
        };
        self.0 + other.0 - (closed & W::Code::CLOSED)
    }

    /// A code that is negative iff `self < other`. No branch is needed to compute it.
    #[inline(always)]
    pub(crate) fn less(self, other: Bound<W>) -> W::Code {
        self.0 - other.0
    }

    /// A code that is negative iff `self <= other`.
    #[inline(always)]
    pub(crate) fn less_or_equal(self, other: Bound<W>) -> W::Code {
        self.0 - other.0 - W::Code::CLOSED
    }

    /// A code that is negative iff `self + addend < other`, for a finite `addend`.
    #[inline(always)]
    pub(crate) fn sum_less(self, addend: Bound<W>, other: Bound<W>) -> W::Code {
        self.sum_of_codes(addend) - other.0
    }

    /// The size of the constant; that of 0 if the bound is infinite.
    #[inline]
    pub(crate) fn size(self) -> Size {
        match self.value() {
            Some(value) => value.size(),
            None => Size::default(),
        }
    }
}

impl<W: Weight> Default for Bound<W> {
    fn default() -> Bound<W> {
        Bound::INFINITE
    }
}

impl<W: Weight> fmt::Debug for Bound<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            None => write!(f, "<∞"),
            Some(value) if self.is_strict() => write!(f, "<{value:?}"),
            Some(value) => write!(f, "<={value:?}"),
        }
    }
}

/// The constraint `left - right ≺ bound`. Clock 0 is the reference clock, whose value is always 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Constraint<W: Weight = i64> {
    /// The clock from which is subtracted.
    pub left: usize,
    /// The clock that is subtracted.
    pub right: usize,
    /// The bound of the difference.
    pub bound: Bound<W>,
}
