//! Exact rational numbers, for times and for values computed from them.
//!
//! The crate depends on no other crate of the workspace. Arithmetic never rounds, wraps or saturates: a number that
//! exceeds machine words continues as an arbitrary-precision number, and returns to the small form when it fits again.
//! Each number has one representation, so equality and hashes are structural.
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
