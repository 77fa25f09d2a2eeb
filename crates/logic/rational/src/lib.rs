//! Exact rational numbers, for times and for whatever is computed from them.
//!
//! One mathematical object; it knows nobody. Arithmetic never rounds, never wraps and never
//! saturates: a number that outgrows machine words goes on as a large one, and comes back when it
//! fits again. There is one representation of each number, so equality and hashes are those of
//! the structure.
//!
//! ```
//! use rational::Rational;
//!
//! let period: Rational = "49.5".parse().unwrap();
//! let third = period / Rational::from(3);
//! assert_eq!(third.to_string(), "33/2");
//! assert_eq!(third.floor(), Rational::from(16));
//! ```

mod arithmetic;
mod number;
mod text;

pub use number::Rational;
pub use text::ParseError;
