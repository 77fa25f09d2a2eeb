//! Zones: sets of clock values given by bounds of differences of two clocks, as canonical difference bound matrices
//! (Dill, *Timing assumptions and verification of finite-state concurrent systems*, 1989), with the abstractions of LU
//! bounds.
//!
//! The crate is independent of automata and of Machines. Of the workspace it depends on `defects` only.
//!
//! * [`Bound`] is a closed, strict or infinite bound. Its constants are `i64`, or [`Infinitesimal`], `c + k·ε`.
//! * [`Zone`] owns a matrix; its operations work in place, without allocation. [`ZoneRef`] reads a matrix that is stored
//!   elsewhere, as in the table of visited states of a search.
//! * [`LuBounds`] are the largest constants to which clocks are compared. [`Zone::extrapolate`] is ExtraLU+, and
//!   [`ZoneRef::is_subset_of_alu`] is inclusion in the abstraction aLU.
//! * [`Minimal`] stores a zone as its minimal set of constraints.
//! * [`Point`] is a single value of all clocks.
//!
//! **Soundness.** No operation wraps or saturates. Where a result may be out of range, the operation returns [`Overflow`]
//! and changes nothing; the caller's answer is then unknown. Constants are at most [`MAX_VALUE`]; because sums over whole
//! paths are checked in advance, some operations refuse constants beyond `MAX_VALUE / (2n + 2)` with `n` clocks.
//!
//! **Not included.** Tests of differences of clocks make ExtraLU+ and aLU unsound (Bouyer, *Forward analysis of updatable
//! timed automata*, 2004); the caller must not use these abstractions then.
//!
//! ```
//! use dbm::{Bound, LuBounds, Zone};
//!
//! # fn main() -> Result<(), dbm::Overflow> {
//! let (x, y) = (1, 2);
//! let mut zone = Zone::zero(2);
//! zone.delay();
//! assert!(zone.constrain(x, 0, Bound::at_most(5)?)?);
//! zone.reset(x, 0)?;
//! zone.delay();
//! assert_eq!(zone.view().bound(y, x), Bound::at_most(5)?);
//! assert!(!zone.constrain(x, y, Bound::below(-5)?)?, "y is at most x + 5");
//!
//! let mut lu = LuBounds::new(2);
//! lu.raise_lower(y, 3)?;
//! let mut abstraction = zone.clone();
//! abstraction.extrapolate(&lu)?;
//! assert!(zone.view().is_subset_of(abstraction.view()));
//! assert!(abstraction.view().is_subset_of_alu(zone.view(), &lu));
//! # Ok(())
//! # }
//! ```

mod bound;
pub mod defects;
mod extrapolation;
mod lu;
mod matrix;
mod minimal;
mod point;
mod subsumption;
mod view;
mod weight;
mod zone;

pub use bound::{Bound, Constraint};
pub use lu::LuBounds;
pub use minimal::Minimal;
pub use point::Point;
pub use view::ZoneRef;
pub use weight::{Infinitesimal, MAX_EPS, MAX_VALUE, Overflow, Weight};
pub use zone::Zone;
