//! What is out of range is reported, and changes nothing.

use dbm::{Bound, Constraint, Infinitesimal, LuBounds, MAX_EPS, MAX_VALUE, Overflow, Zone};

#[test]
fn constants_out_of_range_are_refused() {
    for constant in [MAX_VALUE + 1, -MAX_VALUE - 1, i64::MAX, i64::MIN] {
        assert_eq!(Bound::at_most(constant), Err(Overflow));
        assert_eq!(Bound::below(constant), Err(Overflow));
        let constant = Infinitesimal {
            value: constant,
            eps: 0,
        };
        assert_eq!(Bound::at_most(constant), Err(Overflow));
    }
    for eps in [MAX_EPS + 1, -MAX_EPS - 1, i32::MAX, i32::MIN] {
        assert_eq!(Bound::below(Infinitesimal { value: 0, eps }), Err(Overflow));
    }
    for constant in [MAX_VALUE, -MAX_VALUE] {
        let bound = Bound::at_most(constant).unwrap();
        assert_eq!((bound.value(), bound.is_strict()), (Some(constant), false));
        assert_eq!(bound.plus(Bound::ZERO), Ok(bound));
        assert_eq!(bound.plus(bound), Err(Overflow));
        assert_eq!(bound.plus(Bound::INFINITE), Ok(Bound::INFINITE));
        let eps = constant.signum() as i32 * MAX_EPS;
        let constant = Infinitesimal {
            value: constant,
            eps,
        };
        let bound = Bound::below(constant).unwrap();
        assert_eq!((bound.value(), bound.is_strict()), (Some(constant), true));
        assert_eq!(bound.plus(bound), Err(Overflow));
        let small = Bound::below(Infinitesimal { value: 0, eps }).unwrap();
        assert_eq!(small.plus(small), Err(Overflow));
    }
}

#[test]
fn operations_out_of_range_change_nothing() {
    let mut zone = Zone::<i64>::zero(2);
    zone.delay();
    let before = zone.clone();
    for value in [-1, i64::MIN, i64::MAX, MAX_VALUE + 1] {
        assert_eq!(zone.reset(1, value), Err(Overflow));
        assert_eq!(zone.assign(1, 2, value), Err(Overflow));
        assert_eq!(zone, before);
    }
    zone.reset(1, MAX_VALUE / 2).unwrap();
    zone.delay();
    let before = zone.clone();
    let upper = Bound::at_most(MAX_VALUE).unwrap();
    assert_eq!(zone.constrain(1, 0, upper), Err(Overflow));
    assert_eq!(zone.assign(1, 1, MAX_VALUE), Err(Overflow));
    assert_eq!(zone, before);
    let mut lu = LuBounds::new(2);
    lu.raise_lower(1, MAX_VALUE).unwrap();
    assert_eq!(zone.extrapolate(&lu), Err(Overflow));
    assert_eq!(zone, before);
    assert_eq!(lu.raise_upper(1, MAX_VALUE + 1), Err(Overflow));
    assert_eq!(lu.upper(1), None);
    assert_eq!(zone.view().sample(), Err(Overflow));
}

#[test]
fn sums_of_constraints_out_of_range_are_refused() {
    let third = MAX_VALUE / 3;
    let chain = |constant: i64| {
        let bound = Bound::at_most(-constant).unwrap();
        let edges = [(0, 1), (1, 2), (2, 3), (3, 4)];
        let edges = edges.map(|(left, right)| Constraint { left, right, bound });
        Zone::from_constraints(4, edges)
    };
    assert_eq!(chain(third), Err(Overflow));
    let zone = chain(third / 10).unwrap().unwrap();
    assert_eq!(zone.view().infimum(4), third / 10 * 4);
    let mut zone = Zone::<i64>::universe(4);
    let bound = Bound::at_most(-third).unwrap();
    assert_eq!(zone.constrain(0, 1, bound), Ok(true));
    assert_eq!(zone.constrain(1, 2, bound), Ok(true));
    assert_eq!(zone.constrain(2, 3, bound), Ok(true));
    assert_eq!(zone.constrain(3, 4, bound), Err(Overflow));
}

#[test]
fn negative_cycles_do_not_overflow() {
    let bound = Bound::at_most(-MAX_VALUE / 100).unwrap();
    let edges = (1..=20).flat_map(|left| {
        let others = (1..=20).filter(move |right| *right != left);
        others.map(move |right| Constraint { left, right, bound })
    });
    assert_eq!(Zone::from_constraints(20, edges), Ok(None));
}
