//! Integers over bits: a constant offset plus unsigned binary digits, with constant bounds.
//!
//! The value is within the bounds if the inputs are valid and no error has occurred; otherwise it is unspecified. So
//! digits beyond the bounds are dropped without a check.

use sat::{Aig, Lit};

/// An integer: `lo` plus the binary number that the digits form, at most `hi`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    lo: i128,
    hi: i128,
    digits: Vec<Lit>,
}

/// The number of binary digits of `most`.
pub(crate) fn width(most: u128) -> usize {
    (u128::BITS - most.leading_zeros()) as usize
}

impl Number {
    /// A constant.
    pub fn constant(value: i128) -> Number {
        Number {
            lo: value,
            hi: value,
            digits: Vec::new(),
        }
    }

    /// The number `lo` plus the binary number of the digits, lowest digit first. The caller ensures that it is at most
    /// `hi`.
    pub fn new(lo: i128, hi: i128, mut digits: Vec<Lit>) -> Number {
        let hi = hi.max(lo);
        digits.truncate(width(hi.abs_diff(lo)));
        while digits.last() == Some(&Lit::FALSE) {
            digits.pop();
        }
        let most = (1i128 << digits.len()) - 1;
        let hi = hi.min(lo.saturating_add(most));
        let known = digits.iter().enumerate().try_fold(0i128, |sum, (i, d)| {
            d.known().map(|set| sum + (i128::from(set) << i))
        });
        match known {
            Some(value) => Number::constant(lo + value),
            None => Number { lo, hi, digits },
        }
    }

    /// The constant whose literal is true; the caller ensures that exactly one is.
    pub fn one_of(aig: &mut Aig, choices: &[(Lit, i128)]) -> Number {
        let lo = choices.iter().map(|(_, v)| *v).min().unwrap_or(0);
        let hi = choices.iter().map(|(_, v)| *v).max().unwrap_or(0);
        let digits = (0..width(hi.abs_diff(lo))).map(|digit| {
            let set = choices.iter().filter(|(_, v)| (v - lo) >> digit & 1 == 1);
            aig.any(set.map(|(lit, _)| *lit))
        });
        let digits = digits.collect();
        Number::new(lo, hi, digits)
    }

    /// The number of true literals.
    pub fn count(aig: &mut Aig, lits: impl IntoIterator<Item = Lit>) -> Number {
        let lits = lits.into_iter().filter(|lit| *lit != Lit::FALSE);
        let mut sums: Vec<Number> = lits.map(|lit| Number::new(0, 1, vec![lit])).collect();
        while sums.len() > 1 {
            let pairs = sums.chunks(2);
            sums = pairs
                .map(|pair| match pair {
                    [a, b] => a.add(aig, b),
                    rest => rest[0].clone(),
                })
                .collect();
        }
        sums.pop().unwrap_or_else(|| Number::constant(0))
    }

    /// A lower bound of the value.
    pub fn lo(&self) -> i128 {
        self.lo
    }

    /// An upper bound of the value.
    pub fn hi(&self) -> i128 {
        self.hi
    }

    /// The binary digits, lowest first.
    pub fn digits(&self) -> &[Lit] {
        &self.digits
    }

    /// The value if it is constant; otherwise `None`.
    pub fn known(&self) -> Option<i128> {
        self.digits.is_empty().then_some(self.lo)
    }

    /// The number of values within the bounds.
    pub fn spread(&self) -> u128 {
        self.hi.abs_diff(self.lo).saturating_add(1)
    }

    /// The value in an assignment of the inputs.
    pub fn decode(&self, model: &dyn Fn(Lit) -> bool) -> i128 {
        let digits = self.digits.iter().enumerate();
        self.lo + digits.fold(0, |sum, (i, digit)| sum + (i128::from(model(*digit)) << i))
    }

    /// The binary digits of the value minus `lo`; `lo` must be at most the own offset.
    pub(crate) fn digits_from(&self, aig: &mut Aig, lo: i128) -> Vec<Lit> {
        match self.lo.abs_diff(lo) {
            0 => self.digits.clone(),
            more => add_digits(aig, &self.digits, &constant_digits(more)),
        }
    }

    /// The number with the upper bound `hi` if that is tighter, or the constant if `lo` equals `hi`. The caller ensures
    /// that the value is within the bounds.
    pub fn narrowed(&self, lo: i128, hi: i128) -> Number {
        if self.known().is_some() {
            return self.clone();
        }
        if lo == hi {
            return Number::constant(lo);
        }
        Number::new(self.lo, self.hi.min(hi), self.digits.clone())
    }

    /// Whether the number equals a constant.
    pub fn is(&self, aig: &mut Aig, value: i128) -> Lit {
        if value < self.lo || value > self.hi {
            return Lit::FALSE;
        }
        let wanted = (value - self.lo) as u128;
        let same = self.digits.iter().enumerate().map(|(i, digit)| {
            let set = wanted >> i & 1 == 1;
            if set { *digit } else { !*digit }
        });
        aig.all(same)
    }

    /// Whether two numbers are equal.
    pub fn equal(&self, aig: &mut Aig, other: &Number) -> Lit {
        if let Some(value) = other.known() {
            return self.is(aig, value);
        }
        if let Some(value) = self.known() {
            return other.is(aig, value);
        }
        if self.hi < other.lo || other.hi < self.lo {
            return Lit::FALSE;
        }
        let lo = self.lo.min(other.lo);
        let (a, b) = (self.digits_from(aig, lo), other.digits_from(aig, lo));
        let same: Vec<Lit> = (0..a.len().max(b.len()))
            .map(|i| aig.iff(digit(&a, i), digit(&b, i)))
            .collect();
        aig.all(same)
    }

    /// Whether the number is less than another.
    pub fn less(&self, aig: &mut Aig, other: &Number) -> Lit {
        if self.hi < other.lo {
            return Lit::TRUE;
        }
        if self.lo >= other.hi {
            return Lit::FALSE;
        }
        let lo = self.lo.min(other.lo);
        let (a, b) = (self.digits_from(aig, lo), other.digits_from(aig, lo));
        less_digits(aig, &a, &b)
    }

    /// Whether the number is at least `lo` and at most `hi`.
    pub fn within(&self, aig: &mut Aig, lo: i128, hi: i128) -> Lit {
        let below = self.less(aig, &Number::constant(lo));
        let above = Number::constant(hi).less(aig, self);
        aig.and(!below, !above)
    }

    /// `a` if the condition is true, otherwise `b`.
    pub fn ite(aig: &mut Aig, condition: Lit, a: &Number, b: &Number) -> Number {
        match condition.known() {
            Some(true) => return a.clone(),
            Some(false) => return b.clone(),
            None if a == b => return a.clone(),
            None => {}
        }
        let lo = a.lo.min(b.lo);
        let (x, y) = (a.digits_from(aig, lo), b.digits_from(aig, lo));
        let digits = (0..x.len().max(y.len()))
            .map(|i| aig.ite(condition, digit(&x, i), digit(&y, i)))
            .collect();
        Number::new(lo, a.hi.max(b.hi), digits)
    }

    /// The sum.
    pub fn add(&self, aig: &mut Aig, other: &Number) -> Number {
        let digits = add_digits(aig, &self.digits, &other.digits);
        Number::new(self.lo + other.lo, self.hi + other.hi, digits)
    }

    /// The negated number.
    pub fn negated(&self, aig: &mut Aig) -> Number {
        let most = constant_digits(self.hi.abs_diff(self.lo));
        let digits = subtract_digits(aig, &most, &self.digits);
        Number::new(-self.hi, -self.lo, digits)
    }

    /// The difference.
    pub fn subtract(&self, aig: &mut Aig, other: &Number) -> Number {
        let minus = other.negated(aig);
        self.add(aig, &minus)
    }

    /// The product with a constant.
    pub fn scaled(&self, aig: &mut Aig, by: i128) -> Number {
        if by < 0 {
            let minus = self.negated(aig);
            return minus.scaled(aig, -by);
        }
        let mut digits = Vec::new();
        for place in (0..width(by as u128)).filter(|place| by >> place & 1 == 1) {
            let mut shifted = vec![Lit::FALSE; place];
            shifted.extend(&self.digits);
            digits = add_digits(aig, &digits, &shifted);
        }
        Number::new(self.lo * by, self.hi * by, digits)
    }

    /// The product; `None` if the factors are too large or both have more than 32 digits.
    pub fn multiplied(&self, aig: &mut Aig, other: &Number) -> Option<Number> {
        let (short, long) = match self.digits.len() <= other.digits.len() {
            true => (self, other),
            false => (other, self),
        };
        let most = [short.lo, short.hi, long.lo, long.hi];
        if most.iter().any(|end| end.unsigned_abs() > 1 << 62) || short.digits.len() > 32 {
            return None;
        }
        let mut sum = long.scaled(aig, short.lo);
        for (place, digit) in short.digits.iter().enumerate() {
            let part = long.scaled(aig, 1 << place);
            let part = Number::ite(aig, *digit, &part, &Number::constant(0));
            sum = sum.add(aig, &part);
        }
        let ends = [short.lo * long.lo, short.lo * long.hi, short.hi * long.lo];
        let ends = ends.into_iter().chain([short.hi * long.hi]);
        let hi = ends.max().unwrap_or(sum.hi);
        Some(Number::new(sum.lo, sum.hi.min(hi), sum.digits))
    }

    /// The maximum (`greater`) or the minimum of two numbers.
    pub fn extreme(&self, aig: &mut Aig, other: &Number, greater: bool) -> Number {
        let less = self.less(aig, other);
        let condition = if greater { !less } else { less };
        let one = Number::ite(aig, condition, self, other);
        match greater {
            true => one,
            false => one.narrowed(one.lo, self.hi.min(other.hi)),
        }
    }
}

/// The binary digits of a constant, lowest first.
pub(crate) fn constant_digits(value: u128) -> Vec<Lit> {
    (0..width(value))
        .map(|i| Lit::constant(value >> i & 1 == 1))
        .collect()
}

pub(crate) fn digit(digits: &[Lit], place: usize) -> Lit {
    digits.get(place).copied().unwrap_or(Lit::FALSE)
}

fn add_digits(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let mut carry = Lit::FALSE;
    let mut sum = Vec::new();
    for place in 0..a.len().max(b.len()) {
        let (x, y) = (digit(a, place), digit(b, place));
        let half = aig.xor(x, y);
        sum.push(aig.xor(half, carry));
        let both = aig.and(x, y);
        let passed = aig.and(half, carry);
        carry = aig.or(both, passed);
    }
    sum.push(carry);
    sum
}

/// The digits of a - b, for a >= b.
pub(crate) fn subtract_digits(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let mut borrow = Lit::FALSE;
    let mut difference = Vec::new();
    for place in 0..a.len().max(b.len()) {
        let (x, y) = (digit(a, place), digit(b, place));
        let half = aig.xor(x, y);
        difference.push(aig.xor(half, borrow));
        let new = aig.and(!x, y);
        let passed = aig.and(!half, borrow);
        borrow = aig.or(new, passed);
    }
    difference
}

pub(crate) fn less_digits(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let mut less = Lit::FALSE;
    for place in 0..a.len().max(b.len()) {
        let (x, y) = (digit(a, place), digit(b, place));
        let here = aig.and(!x, y);
        let same = aig.iff(x, y);
        let below = aig.and(same, less);
        less = aig.or(here, below);
    }
    less
}
