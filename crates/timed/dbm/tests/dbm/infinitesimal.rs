//! Constants `c + k·ε` behave as plain ones in a small unit: with the scale `N`, as `c·N + k`.

use crate::world::Random;
use dbm::{Bound, Infinitesimal, LuBounds, Zone};

/// The units per 1. Larger than every sum of multiples of ε in the tests.
const SCALE: i64 = 1_000_000;

#[test]
fn operations_agree_with_those_in_a_small_unit() {
    let mut random = Random(8);
    let mut empty = 0;
    for _ in 0..300 {
        let mut fine = Zone::<Infinitesimal>::zero(3);
        let mut plain = Zone::<i64>::zero(3);
        for _ in 0..30 {
            empty += usize::from(!step(&mut random, &mut fine, &mut plain));
            compare(&fine, &plain);
            let sample = fine.view().sample().unwrap();
            assert!(fine.view().contains(&sample));
        }
    }
    assert!(empty > 100);
}

#[test]
fn abstractions_agree_with_those_in_a_small_unit() {
    let mut random = Random(9);
    let mut included = 0;
    for _ in 0..300 {
        let mut pairs = Vec::new();
        for _ in 0..2 {
            let mut pair = (Zone::<Infinitesimal>::zero(3), Zone::<i64>::zero(3));
            for _ in 0..15 {
                step(&mut random, &mut pair.0, &mut pair.1);
            }
            pairs.push(pair);
        }
        let mut fine_lu = LuBounds::<Infinitesimal>::new(3);
        let mut plain_lu = LuBounds::<i64>::new(3);
        for clock in 1..=3 {
            let lower = constant(&mut random, -1, 3);
            let upper = constant(&mut random, -1, 3);
            fine_lu.raise_lower(clock, lower).unwrap();
            fine_lu.raise_upper(clock, upper).unwrap();
            plain_lu.raise_lower(clock, scaled(lower)).unwrap();
            plain_lu.raise_upper(clock, scaled(upper)).unwrap();
        }
        let [(a, plain_a), (b, plain_b)] = &pairs[..] else {
            unreachable!("two pairs");
        };
        let is_subset = a.view().is_subset_of(b.view());
        assert_eq!(is_subset, plain_a.view().is_subset_of(plain_b.view()));
        let is_subset = a.view().is_subset_of_alu(b.view(), &fine_lu);
        let plain = plain_a.view().is_subset_of_alu(plain_b.view(), &plain_lu);
        assert_eq!(is_subset, plain);
        included += usize::from(is_subset);
        let (mut a, mut plain_a) = (a.clone(), plain_a.clone());
        a.extrapolate(&fine_lu).unwrap();
        plain_a.extrapolate(&plain_lu).unwrap();
        compare(&a, &plain_a);
        assert_eq!(a.view().minimal().to_zone(), Ok(a));
    }
    assert!(included > 20);
}

fn scaled(constant: Infinitesimal) -> i64 {
    constant.value * SCALE + i64::from(constant.eps)
}

fn constant(random: &mut Random, least: i64, most: i64) -> Infinitesimal {
    Infinitesimal {
        value: random.between(least, most),
        eps: random.between(-2, 2) as i32,
    }
}

/// One random operation on both zones. `false` if a constraint has no solution.
fn step(random: &mut Random, fine: &mut Zone<Infinitesimal>, plain: &mut Zone<i64>) -> bool {
    let clock = 1 + random.below(3) as usize;
    let other = random.below(4) as usize;
    match random.below(6) {
        0 => {
            fine.delay();
            plain.delay();
        }
        1 => {
            fine.past();
            plain.past();
        }
        2 => {
            fine.free(clock);
            plain.free(clock);
        }
        3 => {
            let offset = constant(random, 0, 3).max(Infinitesimal::default());
            fine.assign(clock, other, offset).unwrap();
            plain.assign(clock, other, scaled(offset)).unwrap();
        }
        _ if clock != other => {
            let (left, right) = match random.below(2) {
                0 => (clock, other),
                _ => (other, clock),
            };
            let most = constant(random, -3, 6);
            let (bound, plain_bound) = match random.below(2) {
                0 => (Bound::at_most(most), Bound::at_most(scaled(most))),
                _ => (Bound::below(most), Bound::below(scaled(most))),
            };
            let remains = fine.constrain(left, right, bound.unwrap()).unwrap();
            let plain = plain.constrain(left, right, plain_bound.unwrap());
            assert_eq!(Ok(remains), plain);
            return remains;
        }
        _ => {}
    }
    true
}

fn compare(fine: &Zone<Infinitesimal>, plain: &Zone<i64>) {
    for (fine_bound, plain_bound) in fine.view().bounds().iter().zip(plain.view().bounds()) {
        assert_eq!(fine_bound.value().map(scaled), plain_bound.value());
        assert_eq!(fine_bound.is_strict(), plain_bound.is_strict());
    }
}
