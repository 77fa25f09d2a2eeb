//! ExtraLU+ and inclusion in aLU: the formula of the paper, and the definition of the LU simulation on points.

use crate::naive::{self, Matrix};
use crate::world::{Random, World, canonical};
use dbm::{Bound, LuBounds, Zone};
use std::collections::HashSet;

#[test]
fn extrapolation_is_the_formula_for_two_clocks() {
    let mut world = World::of_two_clocks(2).part(7);
    formula(&mut world, &mut Random(2)).unwrap();
}

#[test]
fn extrapolation_is_the_formula_for_three_clocks() {
    let mut random = Random(3);
    let mut world = World::of_three_clocks(&mut random, 300);
    formula(&mut world, &mut random).unwrap();
}

#[test]
fn abstractions_follow_the_simulation_for_two_clocks() {
    let world = World::of_two_clocks(2).part(29);
    simulation(&world, &mut Random(4), 60).unwrap();
    simulation(&World::of_two_clocks(1).part(2), &mut Random(5), 40).unwrap();
}

#[test]
fn abstractions_follow_the_simulation_for_three_clocks() {
    let mut random = Random(6);
    let world = World::of_three_clocks(&mut random, 25);
    simulation(&world, &mut random, 6).unwrap();
}

/// The constants L and U of the clocks, beginning with clock 1.
pub type Constants = Vec<(Option<i64>, Option<i64>)>;

fn random_constants(random: &mut Random, clocks: usize, most: i64) -> Constants {
    let mut constant = || Some(random.between(-1, most)).filter(|c| *c >= 0);
    (0..clocks).map(|_| (constant(), constant())).collect()
}

pub fn lu(constants: &Constants) -> LuBounds {
    let mut lu = LuBounds::new(constants.len());
    for (clock, (lower, upper)) in (1..).zip(constants) {
        // Smaller and negative constants change nothing.
        for constant in [lower.unwrap_or(-3), -1] {
            lu.raise_lower(clock, constant).expect("small");
        }
        for constant in [upper.unwrap_or(-3), upper.map_or(-1, |u| u / 2)] {
            lu.raise_upper(clock, constant).expect("small");
        }
        assert_eq!((lu.lower(clock), lu.upper(clock)), (*lower, *upper));
    }
    assert_eq!((lu.lower(0), lu.upper(0)), (Some(0), Some(0)));
    lu
}

/// ExtraLU+ as the paper states it, for values without codes.
fn extrapolated(matrix: &Matrix, constants: &Constants) -> Matrix {
    let lower = |i: usize| if i == 0 { Some(0) } else { constants[i - 1].0 };
    let upper = |i: usize| if i == 0 { Some(0) } else { constants[i - 1].1 };
    let least = |i: usize| -matrix[0][i].expect("a lower bound").0;
    let exceeds = |value: i64, constant: Option<i64>| constant.is_none_or(|c| value > c);
    let mut result = matrix.clone();
    for (i, row) in result.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let Some((constant, _)) = *entry else {
                continue;
            };
            let is_free = exceeds(constant, lower(i))
                || exceeds(least(i), lower(i))
                || (i != 0 && exceeds(least(j), upper(j)));
            if is_free {
                *entry = None;
            } else if exceeds(least(j), upper(j)) {
                *entry = Some(upper(j).map_or((0, false), |u| (-u, true)));
            }
        }
    }
    // Clocks are not negative.
    for entry in &mut result[0] {
        if !naive::at_most(*entry, Some((0, false))) {
            *entry = Some((0, false));
        }
    }
    assert!(naive::close(&mut result));
    result
}

/// ExtraLU+ compared with the formula.
pub fn formula(world: &mut World, random: &mut Random) -> Result<(), String> {
    for zone in world.zones.clone() {
        for _ in 0..20 {
            let constants = random_constants(random, world.clocks, 3);
            let mut result = zone.clone();
            result.extrapolate(&lu(&constants)).expect("small");
            if canonical(&result)? != extrapolated(&naive::matrix(&zone), &constants) {
                return Err(format!("{zone:?} with {constants:?} becomes {result:?}"));
            }
            if !zone.view().is_subset_of(result.view()) {
                return Err(format!("{zone:?} with {constants:?} becomes {result:?}"));
            }
        }
    }
    Ok(())
}

/// The ways to LU-simulate a value of a clock, as constraints on the other value: to be equal, or greater than L and
/// less, or, if the value is greater than U, greater. Each is a bound of the clock and one of its negative, in units of
/// the grid.
fn ways(
    value: i64,
    unit: i64,
    (lower, upper): (Option<i64>, Option<i64>),
) -> Vec<(naive::Naive, naive::Naive)> {
    let above_lower = lower.map_or((0, false), |lower| (-lower * unit, true));
    let mut ways = vec![
        (Some((value, false)), Some((-value, false))),
        (Some((value, true)), Some(above_lower)),
    ];
    if upper.is_none_or(|upper| value > upper * unit) {
        ways.push((None, Some((-value, true))));
    }
    ways
}

/// Whether a value of the zone LU-simulates the point: for each clock there are up to three ways to do so.
fn is_simulated(point: &[i64], unit: i64, matrix: &Matrix, constants: &Constants) -> bool {
    let scaled = |bound: &naive::Naive| bound.map(|(c, strict)| (c * unit, strict));
    let rows = matrix.iter().map(|row| row.iter().map(scaled).collect());
    let scaled: Matrix = rows.collect();
    (0..3usize.pow(constants.len() as u32)).any(|mut choice| {
        let mut both = scaled.clone();
        for (clock, constants) in (1..).zip(constants) {
            let ways = ways(point[clock], unit, *constants);
            let Some((upper, lower)) = ways.get(choice % 3).copied() else {
                return false;
            };
            choice /= 3;
            for (entry, bound) in [((clock, 0), upper), ((0, clock), lower)] {
                let entry = &mut both[entry.0][entry.1];
                if !naive::at_most(*entry, bound) {
                    *entry = bound;
                }
            }
        }
        naive::close(&mut both)
    })
}

/// Inclusion in aLU compared with the definition, for all pairs of zones; and every zone is in its extrapolation, which
/// is in aLU of the zone.
pub fn simulation(world: &World, random: &mut Random, samples: usize) -> Result<(), String> {
    let points = world.points.clone();
    let is_in = |zone: &Zone| -> Vec<bool> {
        let matrix = naive::matrix(zone);
        points.iter().map(|p| world.is_in(&matrix, p)).collect()
    };
    let is_subset = |one: &[bool], other: &[bool]| one.iter().zip(other).all(|(a, b)| !a || *b);
    let sets: Vec<Vec<bool>> = world.zones.iter().map(is_in).collect();
    for _ in 0..samples {
        let constants = random_constants(random, world.clocks, 2);
        let lu = lu(&constants);
        // Few zones of each sample, as the definition is slow.
        let chosen = random.below(12) as usize;
        let zones = world.zones.iter().zip(&sets);
        for (zone, set) in zones.clone().skip(chosen).step_by(12) {
            let matrix = naive::matrix(zone);
            let abstraction = points
                .iter()
                .zip(set)
                .map(|(p, inside)| *inside || is_simulated(p, world.unit, &matrix, &constants));
            let abstraction: Vec<bool> = abstraction.collect();
            let mut extrapolated = zone.clone();
            extrapolated.extrapolate(&lu).expect("small");
            let larger = is_in(&extrapolated);
            if !is_subset(set, &larger) || !is_subset(&larger, &abstraction) {
                return Err(format!("{zone:?}, {constants:?}: {extrapolated:?}"));
            }
            for (other, inside) in zones.clone() {
                let is_subset = is_subset(inside, &abstraction);
                if other.view().is_subset_of_alu(zone.view(), &lu) != is_subset {
                    return Err(format!(
                        "{other:?} in aLU of {zone:?} with {constants:?} is {is_subset}"
                    ));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn extrapolated_zones_are_finitely_many() {
    let constants = vec![(Some(1), Some(2)), (Some(5), None), (None, Some(1))];
    let lu = lu(&constants);
    let mut seen = HashSet::new();
    let mut open = vec![Zone::zero(3)];
    while let Some(zone) = open.pop() {
        let mut next = zone;
        next.delay();
        next.extrapolate(&lu).unwrap();
        if !seen.insert(next.clone()) {
            continue;
        }
        for (clock, least, most) in [(1, 1, 2), (3, 0, 1), (2, 5, 9)] {
            let mut after = next.clone();
            let lower = Bound::at_most(-least).unwrap();
            let upper = Bound::at_most(most).unwrap();
            let guard = after.constrain(0, clock, lower).unwrap()
                && (clock == 2 || after.constrain(clock, 0, upper).unwrap());
            if guard {
                after.reset(clock, 0).unwrap();
                open.push(after);
            }
        }
    }
    println!("{} zones", seen.len());
    assert!((10..2000).contains(&seen.len()));
}
