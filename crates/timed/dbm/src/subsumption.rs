//! Inclusion of a zone in the abstraction aLU of another one (Herbreteau, Srivathsan, Walukiewicz, *Better abstractions
//! for timed automata*, LICS 2012).
//!
//! **Definition.** A value `v'` LU-simulates `v` (Behrmann, Bouyer, Larsen, Pelánek 2006) if for each clock `x`
//! `v'(x) = v(x)`, or `L_x < v'(x) < v(x)`, or `U_x < v(x) < v'(x)`. The abstraction `aLU(Z)` is the set of all values that
//! a value in `Z` LU-simulates. It is the largest abstraction that depends on LU bounds only and is sound for automata
//! without tests of differences of clocks. In general it is not convex, so it is never computed.
//!
//! **Test.** With `c_ij` the bound of `x_i - x_j` in `Z` and `c'_ij` that in `Z'`, `Z` is no subset of `aLU(Z')` iff there
//! are clocks `x` and `y`, one of which may be the reference clock with `L = U = 0`, such that
//!
//! * `c_0x >= (<= -U_x)`: `Z` has a value of `x` that is at most `U_x`,
//! * `c'_yx < c_yx`, and
//! * `c'_yx + (< -L_y) < c_0x`.

use crate::defects::{Defect, broken};
use crate::lu::LuBounds;
use crate::view::ZoneRef;
use crate::weight::{Code, Weight};

impl<W: Weight> ZoneRef<'_, W> {
    /// Whether every value of this zone is in aLU of the other one, which has as many clocks. Quadratic time, without
    /// branches inside a row.
    pub fn is_subset_of_alu(self, other: ZoneRef<'_, W>, lu: &LuBounds<W>) -> bool {
        debug_assert_eq!(self.dimension, other.dimension);
        let lower_bounds = self.row(0);
        let first = usize::from(broken(Defect::ReferenceIgnored));
        (first..self.dimension).all(|y| {
            let minus_lower = lu.minus_lower(y);
            if minus_lower.is_infinite() {
                return true;
            }
            let bounds = self.row(y).iter().zip(other.row(y));
            let of_x = lower_bounds.iter().zip(lu.minus_upper());
            let signs = bounds.zip(of_x);
            let signs = signs.map(|((mine, theirs), (least, minus_upper))| {
                let may_be_tested = match broken(Defect::StrictForClosed) {
                    true => minus_upper.less(*least),
                    false => minus_upper.less_or_equal(*least),
                };
                let is_tighter = theirs.less(*mine);
                let too_late = match broken(Defect::ClosedForStrict) {
                    true => theirs.sum(minus_lower).less_or_equal(*least),
                    false => theirs.sum_less(minus_lower, *least),
                };
                may_be_tested & is_tighter & too_late
            });
            signs.fold(W::Code::NOTHING, |all, sign| all | sign) >= W::Code::NOTHING
        })
    }
}
