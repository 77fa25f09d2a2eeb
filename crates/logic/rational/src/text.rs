//! The text forms of a number: parsing, display, decimal notation and serialisation.

use crate::Rational;
use crate::number::Form;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Why a text is not a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// The text has none of the forms `5`, `-5`, `203/2` and `49.5`.
    NotANumber,
    /// The text is a fraction with denominator 0.
    ZeroDenominator,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParseError::NotANumber => "not a number such as `5`, `203/2` or `49.5`",
            ParseError::ZeroDenominator => "a fraction with denominator 0",
        })
    }
}

impl std::error::Error for ParseError {}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = match &self.0 {
            Form::Small(n, d) if d.get() == 1 => n.unsigned_abs().to_string(),
            Form::Small(n, d) => format!("{}/{d}", n.unsigned_abs()),
            Form::Large(large) => large.abs().to_string(),
        };
        f.pad_integral(!self.is_negative(), "", &size)
    }
}

impl Rational {
    /// The number in decimal notation, such as `0.5` or `-12`; `None` if its decimal expansion is infinite.
    pub fn decimal(&self) -> Option<String> {
        let (mut rest, ten) = (self.denominator(), BigInt::from(10));
        let mut places = 0;
        // Each decimal place cancels a factor 2, a factor 5, or both from the denominator.
        while rest != BigInt::from(1) {
            let common = num_integer::Integer::gcd(&rest, &ten);
            if common == BigInt::from(1) {
                return None;
            }
            rest /= common;
            places += 1;
        }
        if places == 0 {
            return Some(self.to_string());
        }
        let scale = ten.pow(places);
        let digits = (self.numerator() * scale / self.denominator()).abs();
        let digits = format!(
            "{:0>width$}",
            digits.to_string(),
            width = places as usize + 1
        );
        let (whole, part) = digits.split_at(digits.len() - places as usize);
        let sign = if self.is_negative() { "-" } else { "" };
        Some(format!("{sign}{whole}.{part}"))
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Parses an integer, a fraction of integers (reduced or not), or a decimal number with digits on both sides of the
/// point. A minus may precede each of these. A plus, an exponent and blanks are errors.
impl FromStr for Rational {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Rational, ParseError> {
        let (negative, size) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let number = if let Some((top, bottom)) = size.split_once('/') {
            let (top, bottom) = (digits(top)?, digits(bottom)?);
            if bottom.is_zero() {
                return Err(ParseError::ZeroDenominator);
            }
            BigRational::new(top, bottom)
        } else if let Some((whole, part)) = size.split_once('.') {
            digits(whole)?;
            digits(part)?;
            let all = digits(&format!("{whole}{part}"))?;
            let places = u32::try_from(part.len()).map_err(|_| ParseError::NotANumber)?;
            BigRational::new(all, BigInt::from(10).pow(places))
        } else {
            BigRational::from(digits(size)?)
        };
        Ok(Rational::from(if negative { -number } else { number }))
    }
}

/// Parses a nonempty text of decimal digits.
fn digits(text: &str) -> Result<BigInt, ParseError> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ParseError::NotANumber);
    }
    text.parse().map_err(|_| ParseError::NotANumber)
}

impl Serialize for Rational {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rational {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rational, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Rational;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number as text, such as \"5\" or \"203/2\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Rational, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Text)
    }
}
