//! Laws of single bounds, for all small constants.

use crate::naive;
use dbm::{Bound, Infinitesimal};

#[test]
fn order_sum_and_complement_are_those_of_intervals() {
    let mut all = vec![None];
    all.extend((-3..=3).flat_map(|c| [Some((c, false)), Some((c, true))]));
    for one in &all {
        let bound = naive::bound(*one);
        assert_eq!(naive::naive(bound), *one);
        assert_eq!(bound.is_infinite(), one.is_none());
        let complement = bound.complement();
        assert_eq!(complement.is_none(), one.is_none());
        let opposite = one.map(|(c, strict)| (-c, !strict));
        assert_eq!(complement.and_then(naive::naive), opposite);
        for other in &all {
            let second = naive::bound(*other);
            assert_eq!(bound <= second, naive::at_most(*one, *other));
            let sum = naive::plus(*one, *other);
            assert_eq!(bound.plus(second), Ok(naive::bound(sum)));
        }
    }
}

#[test]
fn infinitesimal_parts_are_compared_after_integers() {
    let mut all = Vec::new();
    for value in -2..=2 {
        for eps in -2..=2 {
            let constant = Infinitesimal { value, eps };
            let closed = Bound::at_most(constant).unwrap();
            let strict = Bound::below(constant).unwrap();
            assert_eq!(
                (closed.value(), strict.value()),
                (Some(constant), Some(constant))
            );
            assert!(!closed.is_strict() && strict.is_strict());
            all.extend([strict, closed]);
        }
    }
    assert!(all.is_sorted());
    for one in &all {
        for other in &all {
            let (a, b) = (one.value().unwrap(), other.value().unwrap());
            let sum = one.plus(*other).unwrap();
            let eps = a.eps + b.eps;
            let value = a.value + b.value;
            assert_eq!(sum.value(), Some(Infinitesimal { value, eps }));
            assert_eq!(sum.is_strict(), one.is_strict() || other.is_strict());
        }
        assert_eq!(one.complement().and_then(Bound::complement), Some(*one));
        assert_eq!(one.plus(Bound::INFINITE), Ok(Bound::INFINITE));
    }
}

#[test]
fn bounds_are_printed_as_comparisons() {
    assert_eq!(format!("{:?}", Bound::at_most(3).unwrap()), "<=3");
    assert_eq!(format!("{:?}", Bound::below(-3).unwrap()), "<-3");
    assert_eq!(format!("{:?}", Bound::<i64>::INFINITE), "<∞");
}
