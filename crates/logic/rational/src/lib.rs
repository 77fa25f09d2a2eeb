//! Exact rational numbers, used for times and for values computed from times.
//!
//! The crate depends on no other crate of the workspace. Arithmetic never rounds, wraps or saturates. A number whose
//! numerator or denominator does not fit into a machine word is stored with arbitrary precision. Each number has
//! exactly one representation, so equality and hashes are those of the representations.
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
