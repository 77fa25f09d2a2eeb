//! LU bounds: for each clock the largest constants of its lower and upper bounds in guards and invariants.

use crate::bound::Bound;
use crate::weight::{Overflow, Weight};

/// For each clock `x`, the largest constant `L` of tests `x > c` and `x >= c`, and the largest constant `U` of tests
/// `x < c` and `x <= c`, that may be evaluated before the clock is assigned again. A clock without such tests has no
/// bound, which stands for minus infinity.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LuBounds<W: Weight = i64> {
    /// By clock: `< -L`, or infinite.
    minus_lower: Vec<Bound<W>>,
    /// By clock: `<= -U`, or infinite.
    minus_upper: Vec<Bound<W>>,
}

impl<W: Weight> LuBounds<W> {
    /// The LU bounds of clocks that are not tested. The reference clock has `L` and `U` 0.
    pub fn new(clocks: usize) -> LuBounds<W> {
        let mut minus_lower = vec![Bound::INFINITE; clocks + 1];
        let mut minus_upper = minus_lower.clone();
        minus_lower[0] = Bound::ZERO.strict();
        minus_upper[0] = Bound::ZERO;
        LuBounds {
            minus_lower,
            minus_upper,
        }
    }

    /// The constant `L` of a clock; `None` if it has none.
    pub fn lower(&self, clock: usize) -> Option<W> {
        let minus = self.minus_lower[clock].value()?;
        W::default().minus(minus).ok()
    }

    /// The constant `U` of a clock; `None` if it has none.
    pub fn upper(&self, clock: usize) -> Option<W> {
        let minus = self.minus_upper[clock].value()?;
        W::default().minus(minus).ok()
    }

    /// Raises `L` of a clock to at least this constant. A negative constant is ignored, because every value of a clock
    /// is larger.
    pub fn raise_lower(&mut self, clock: usize, constant: W) -> Result<(), Overflow> {
        if constant >= W::default() {
            let minus = Bound::below(W::default().minus(constant)?)?;
            self.minus_lower[clock] = minus.min(self.minus_lower[clock]);
        }
        Ok(())
    }

    /// Raises `U` of a clock to at least this constant. A negative constant is ignored, because every value of a clock
    /// is larger.
    pub fn raise_upper(&mut self, clock: usize, constant: W) -> Result<(), Overflow> {
        if constant >= W::default() {
            let minus = Bound::at_most(W::default().minus(constant)?)?;
            self.minus_upper[clock] = minus.min(self.minus_upper[clock]);
        }
        Ok(())
    }

    /// Raises all bounds to at least those of another table for as many clocks. Returns whether a bound has changed.
    pub fn raise_to(&mut self, other: &LuBounds<W>) -> bool {
        let mut changed = false;
        let lower = self.minus_lower.iter_mut().zip(&other.minus_lower);
        let upper = self.minus_upper.iter_mut().zip(&other.minus_upper);
        for (mine, theirs) in lower.chain(upper) {
            changed |= theirs < mine;
            *mine = (*mine).min(*theirs);
        }
        changed
    }

    /// The bound `< -L` of a clock; infinite if the clock has no `L`.
    #[inline]
    pub(crate) fn minus_lower(&self, clock: usize) -> Bound<W> {
        self.minus_lower[clock]
    }

    /// By clock the bound `<= -U`; infinite if the clock has no `U`.
    #[inline]
    pub(crate) fn minus_upper(&self) -> &[Bound<W>] {
        &self.minus_upper
    }
}
