//! Translates numbers with units to exact fractions.

use super::{Reader, tokens};
use crate::ast::{ExprKind, Unit};
use crate::lexical::kind::{SyntaxKind, SyntaxNode};
use source::{Diagnostic, codes};

impl Reader<'_> {
    /// The value of a number such as `3`, `0.5 ms` or `-47/3 ms`. Reports a zero denominator or too many digits.
    pub(super) fn number(&mut self, node: &SyntaxNode) -> ExprKind {
        let mut parts = Vec::new();
        let mut unit = None;
        let mut sign = 1;
        for token in tokens(node) {
            match token.kind() {
                SyntaxKind::Number => parts.push(decimal(token.text())),
                SyntaxKind::Minus => sign = -1,
                SyntaxKind::Word => unit = Unit::named(token.text()),
                _ => {}
            }
        }
        self.units.extend(unit);
        let fraction = match parts[..] {
            [Some(whole)] => Some(whole),
            [Some((a, b)), Some((c, d))] => {
                let below = b.checked_mul(c);
                a.checked_mul(d).zip(below)
            }
            [] => return ExprKind::Error,
            _ => None,
        };
        match fraction {
            Some((_, 0)) => {
                let message = "a fraction cannot have 0 below the line";
                self.refuse_number(node, message)
            }
            Some((numerator, denominator)) => {
                let divisor = gcd(numerator, denominator);
                ExprKind::Number {
                    numerator: sign * numerator / divisor,
                    denominator: denominator / divisor,
                    unit,
                }
            }
            None => {
                let message = "this number is too large: at most 27 digits can be used";
                self.refuse_number(node, message)
            }
        }
    }

    fn refuse_number(&mut self, node: &SyntaxNode, message: &str) -> ExprKind {
        let span = self.span(node);
        self.diagnostics
            .push(Diagnostic::error(codes::LARGE_NUMBER, span, message));
        ExprKind::Error
    }
}

/// The numerator and denominator of a decimal number; `None` if it has too many digits.
fn decimal(text: &str) -> Option<(i128, i128)> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{part}");
    let digits = digits.trim_start_matches('0');
    if digits.len() > 27 || part.len() > 27 {
        return None;
    }
    let numerator = if digits.is_empty() {
        0
    } else {
        digits.parse().ok()?
    };
    Some((numerator, 10i128.pow(part.len() as u32)))
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}
