//! Compares arithmetic with the arbitrary-precision fractions of another library; tests the text forms.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use rational::{ParseError, Rational};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// The pseudo-random generator SplitMix64 of Steele, Lea and Flood.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A random integer of a random length, often next to a power of two at which the representation changes.
    fn integer(&mut self) -> BigInt {
        let bits = [3, 8, 31, 62, 63, 64, 90, 126, 127, 128, 200][self.next() as usize % 11];
        let mut number = BigInt::zero();
        for _ in 0..4 {
            number = (number << 64u32) + BigInt::from(self.next());
        }
        let threshold = BigInt::from(1) << bits;
        number = match self.next() % 8 {
            0 => threshold,
            1 => threshold - 1,
            2 => threshold + 1,
            _ => number % threshold,
        };
        match self.next() % 2 {
            0 => number,
            _ => -number,
        }
    }

    fn fraction(&mut self) -> BigRational {
        let top = self.integer();
        let mut bottom = match self.next() % 3 {
            0 => BigInt::from(1),
            _ => self.integer(),
        };
        if bottom.is_zero() {
            bottom += 1;
        }
        BigRational::new(top, bottom)
    }
}

fn number(of: &BigRational) -> Rational {
    Rational::from(of.clone())
}

fn hash(of: &Rational) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Asserts that `found` is equal to the fraction `wanted`, and has the same representation and hash as the number
/// converted from it.
#[track_caller]
fn same(found: Rational, wanted: BigRational) {
    assert_eq!(BigRational::from(found.clone()), wanted);
    assert_eq!(found, number(&wanted));
    assert_eq!(hash(&found), hash(&number(&wanted)));
    assert_eq!(found.numerator(), *wanted.numer());
    assert_eq!(found.denominator(), *wanted.denom());
}

#[test]
fn arithmetic_agrees_with_large_fractions() {
    let mut random = Random(1);
    for _ in 0..2_000 {
        let (a, b) = (random.fraction(), random.fraction());
        let (x, y) = (number(&a), number(&b));
        same(&x + &y, &a + &b);
        same(&x - &y, &a - &b);
        same(&x * &y, &a * &b);
        if !b.is_zero() {
            same(&x / &y, &a / &b);
            same(y.recip(), b.recip());
        }
        same(-&x, -&a);
        same(x.abs(), a.abs());
        same(x.floor(), a.floor());
        same(x.ceil(), a.ceil());
        assert_eq!(x.cmp(&y), a.cmp(&b));
        assert_eq!(x == y, a == b);
        assert_eq!(x.is_integer(), a.is_integer());
        assert_eq!(x.is_negative(), a.is_negative());
        assert_eq!(x.is_positive(), a.is_positive());
    }
}

#[test]
fn what_outgrows_a_word_comes_back() {
    let mut random = Random(2);
    for _ in 0..1_000 {
        let (a, b) = (random.fraction(), random.fraction());
        let (x, y) = (number(&a), number(&b));
        same(&x + &y - &y, a.clone());
        if !b.is_zero() {
            same(&x * &y / &y, a.clone());
            same(&x / &y * &y, a);
        }
    }
}

#[test]
fn the_greatest_common_divisor() {
    let gcd = |a: &str, b: &str| {
        let [a, b] = [a, b].map(|text| text.parse::<Rational>().unwrap());
        a.gcd(&b).to_string()
    };
    assert_eq!(gcd("12", "-18"), "6");
    assert_eq!(gcd("1/2", "1/3"), "1/6");
    assert_eq!(gcd("49.5", "33"), "33/2");
    assert_eq!(gcd("0", "-3/4"), "3/4");
    assert_eq!(gcd("0", "0"), "0");
    let mut random = Random(5);
    for _ in 0..1_000 {
        let (x, y) = (number(&random.fraction()), number(&random.fraction()));
        let common = x.gcd(&y);
        if common.is_zero() {
            assert!(x.is_zero() && y.is_zero());
            continue;
        }
        let (m, n) = (x / &common, y / &common);
        assert!(m.is_integer() && n.is_integer() && common.is_positive());
        assert_eq!(Integer::gcd(&m.numerator(), &n.numerator()), 1.into());
    }
}

#[test]
fn borders_of_words() {
    let thresholds = [
        i128::MIN,
        i128::MIN + 1,
        i64::MIN as i128 - 1,
        i64::MIN as i128,
        i64::MIN as i128 + 1,
        -1,
        0,
        1,
        i64::MAX as i128,
        i64::MAX as i128 + 1,
        i128::MAX,
    ];
    for a in thresholds {
        same(Rational::from(a), BigRational::from(BigInt::from(a)));
        for b in thresholds.into_iter().filter(|b| *b != 0) {
            let wanted = BigRational::new(a.into(), b.into());
            same(Rational::new(a, b), wanted);
        }
    }
    same(Rational::from(u128::MAX), BigInt::from(u128::MAX).into());
    assert_eq!(Rational::from(i64::MIN).to_i64(), Some(i64::MIN));
    assert_eq!(Rational::from(i64::MAX).to_i64(), Some(i64::MAX));
    assert_eq!(Rational::from(u64::MAX).to_i64(), None);
    assert_eq!(Rational::new(1, 2).to_i64(), None);
}

#[test]
fn assignments_and_sums() {
    let mut x = Rational::from(7);
    x += Rational::new(1, 2);
    x -= &Rational::ONE;
    x *= Rational::from(4);
    x /= &Rational::from(3);
    assert_eq!(x, Rational::new(26, 3));
    let numbers = [
        Rational::new(1, 2),
        Rational::new(1, 3),
        Rational::new(1, 6),
    ];
    assert_eq!(numbers.iter().sum::<Rational>(), Rational::ONE);
    assert_eq!(numbers.into_iter().sum::<Rational>(), Rational::ONE);
    assert_eq!(
        Rational::new(1, 2).max(Rational::new(2, 3)),
        Rational::new(2, 3)
    );
    assert_eq!(Rational::default(), Rational::ZERO);
}

#[test]
fn texts_that_are_numbers() {
    for (text, printed) in [
        ("5", "5"),
        ("-5", "-5"),
        ("0", "0"),
        ("-0", "0"),
        ("007", "7"),
        ("203/2", "203/2"),
        ("-406/4", "-203/2"),
        ("8/4", "2"),
        ("49.5", "99/2"),
        ("0.5", "1/2"),
        ("-0.25", "-1/4"),
        ("10.00", "10"),
        ("0.1", "1/10"),
        (
            "-340282366920938463463374607431768211457/2",
            "-340282366920938463463374607431768211457/2",
        ),
    ] {
        let number: Rational = text.parse().unwrap();
        assert_eq!(number.to_string(), printed);
        assert_eq!(format!("{number:?}"), printed);
        assert_eq!(printed.parse(), Ok(number));
    }
    assert_eq!(format!("{:>6}|", Rational::new(3, 2)), "   3/2|");
    assert_eq!(format!("{:.1}", Rational::new(-203, 2)), "-203/2");
}

#[test]
fn texts_that_are_not() {
    for text in [
        "", "-", "/", ".", "1/", "/2", "1.", ".5", "1/2/3", "1.2.3", "1.5/2", "+1", "--1", "1/-2",
        " 1", "1 ", "1e3", "1_000", "x", "٣", "-+1",
    ] {
        assert_eq!(
            text.parse::<Rational>(),
            Err(ParseError::NotANumber),
            "{text}"
        );
    }
    assert_eq!("1/0".parse::<Rational>(), Err(ParseError::ZeroDenominator));
}

#[test]
fn files_have_texts() {
    let numbers = vec![Rational::new(203, 2), Rational::from(5)];
    let text = serde_json::to_string(&numbers).unwrap();
    assert_eq!(text, r#"["203/2","5"]"#);
    assert_eq!(
        serde_json::from_str::<Vec<Rational>>(&text).unwrap(),
        numbers
    );
    let half: Rational = serde_json::from_str(r#""0.5""#).unwrap();
    assert_eq!(half, Rational::new(1, 2));
    for wrong in ["5", "0.5", r#""a""#, r#""1/0""#] {
        assert!(serde_json::from_str::<Rational>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn random_texts_come_back() {
    let mut random = Random(3);
    for _ in 0..2_000 {
        let x = number(&random.fraction());
        assert_eq!(x.to_string().parse(), Ok(x));
    }
}

#[test]
fn a_number_is_two_words() {
    assert_eq!(size_of::<Rational>(), 16);
}

#[test]
fn near_enough_to_draw() {
    assert_eq!(Rational::new(-3, 2).to_f64(), -1.5);
    let huge = Rational::from(i128::MAX);
    assert_eq!(huge.to_f64(), i128::MAX as f64);
    assert_eq!((&huge / &huge).to_f64(), 1.0);
}

#[test]
#[should_panic(expected = "division by 0")]
fn division_by_zero_panics() {
    let _ = Rational::ONE / Rational::ZERO;
}

#[test]
fn decimals() {
    let text = |n, d| Rational::new(n, d).decimal();
    assert_eq!(text(1, 2).as_deref(), Some("0.5"));
    assert_eq!(text(-1, 40).as_deref(), Some("-0.025"));
    assert_eq!(text(97, 2).as_deref(), Some("48.5"));
    assert_eq!(text(120, 1).as_deref(), Some("120"));
    assert_eq!(text(1, 1000).as_deref(), Some("0.001"));
    assert_eq!(text(0, 7).as_deref(), Some("0"));
    assert_eq!(text(47, 3), None);
    // Parsing the decimal notation gives the number again.
    for numerator in -60..60 {
        for denominator in [1, 2, 4, 5, 8, 10, 16, 25, 40, 125] {
            let number = Rational::new(numerator, denominator);
            let decimal = number.decimal().expect("it has an end");
            assert_eq!(decimal.parse(), Ok(number));
        }
    }
}

/// Prints times: `cargo test --release -p scrutineer-rational -- --ignored --nocapture`.
#[test]
#[ignore = "prints times"]
fn times() {
    let mut random = Random(4);
    let numbers: Vec<Rational> = (0..1000)
        .map(|_| Rational::new(random.next() as i128 % 1000, 1 + random.next() as i128 % 20))
        .collect();
    let start = std::time::Instant::now();
    let mut total = Rational::ZERO;
    for _ in 0..1000 {
        for x in &numbers {
            total += x;
        }
    }
    println!("1M additions: {:?} ({total})", start.elapsed());
    let start = std::time::Instant::now();
    for _ in 0..1000 {
        for x in &numbers {
            total = x * &numbers[7] - x;
        }
    }
    println!(
        "1M products and differences: {:?} ({total})",
        start.elapsed()
    );
}
