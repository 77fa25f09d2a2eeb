//! Every operation is the operation on sets of points.

use crate::naive;
use crate::world::{Random, Set, World, canonical};
use dbm::{Zone, ZoneRef};

#[test]
fn every_operation_on_zones_of_two_clocks() {
    operations_of_two_clocks(World::of_two_clocks(1), 1);
    operations_of_two_clocks(World::of_two_clocks(3), 23);
}

#[test]
#[ignore = "half a minute"]
fn every_operation_on_all_zones_of_two_clocks() {
    operations_of_two_clocks(World::of_two_clocks(3), 1);
}

/// Checks every `step`-th zone, and all pairs of fewer zones.
fn operations_of_two_clocks(world: World, step: usize) {
    println!("{} zones", world.zones.len());
    let mut part = world.part(step);
    time_and_values(&mut part).unwrap();
    added_constraints(&mut part).unwrap();
    points(&mut part).unwrap();
    clocks(&mut part).unwrap();
    let few = world.zones.len().div_ceil(1000);
    pairs(&mut world.part(few * step.min(9))).unwrap();
}

#[test]
fn every_operation_on_random_zones_of_three_clocks() {
    let mut world = World::of_three_clocks(&mut Random(1), 16);
    time_and_values(&mut world).unwrap();
    added_constraints(&mut world.part(8)).unwrap();
    pairs(&mut world).unwrap();
    points(&mut world).unwrap();
    clocks(&mut world).unwrap();
}

/// Compares a zone with a set that is given by its coarse points.
fn compare(
    world: &World,
    what: &str,
    (before, after): (&Zone, &Zone),
    is_in: impl Fn(&World, &[i64]) -> bool,
) -> Result<(), String> {
    let matrix = canonical(after)?;
    let all = world.points.clone();
    let wrong = all
        .iter()
        .find(|p| world.is_in(&matrix, p) != is_in(world, p));
    match wrong {
        None => Ok(()),
        Some(p) => Err(format!("{what}: {before:?} becomes {after:?} at {p:?}")),
    }
}

/// Delays and assignments.
pub fn time_and_values(world: &mut World) -> Result<(), String> {
    for zone in world.zones.clone() {
        let set = world.set(&zone)?;
        let set = &set;
        let mut result = zone.clone();
        result.delay();
        compare(world, "delay", (&zone, &result), |world, p| {
            world
                .values()
                .any(|t| world.at(set, &later(p, -t)) == Some(true))
        })?;
        let mut result = zone.clone();
        result.past();
        compare(world, "past", (&zone, &result), |world, p| {
            world
                .values()
                .any(|t| world.at(set, &later(p, t)) == Some(true))
        })?;
        for clock in 1..=world.clocks {
            let mut result = zone.clone();
            result.free(clock);
            compare(world, "free", (&zone, &result), |world, p| {
                some_value(world, set, p, clock)
            })?;
            for value in [0, 2] {
                let mut result = zone.clone();
                result.reset(clock, value).expect("small");
                compare(world, "reset", (&zone, &result), |world, p| {
                    p[clock] == value * world.unit && some_value(world, set, p, clock)
                })?;
            }
            for (source, offset) in (1..=world.clocks).flat_map(|s| [(s, 0), (s, 1)]) {
                let mut result = zone.clone();
                result.assign(clock, source, offset).expect("small");
                compare(world, "assign", (&zone, &result), |world, p| {
                    let from = p[clock] - offset * world.unit;
                    match clock == source {
                        true => world.at(set, &with(p, clock, from)) == Some(true),
                        false => p[source] == from && some_value(world, set, p, clock),
                    }
                })?;
            }
        }
    }
    Ok(())
}

/// Intersection with one constraint.
pub fn added_constraints(world: &mut World) -> Result<(), String> {
    for zone in world.zones.clone() {
        let set = world.set(&zone)?;
        let set = &set;
        for left in 0..=world.clocks {
            for right in (0..=world.clocks).filter(|right| *right != left) {
                for c in -2..=2 {
                    for strict in [false, true] {
                        let mut result = zone.clone();
                        let bound = naive::bound(Some((c, strict)));
                        let remains = result.constrain(left, right, bound).expect("small");
                        let holds = |world: &World, p: &[i64]| {
                            let excess = p[left] - p[right] - c * world.unit;
                            excess < 0 || (excess == 0 && !strict)
                        };
                        let what = format!("{left} - {right} {bound:?}");
                        if remains {
                            compare(world, &what, (&zone, &result), |world, p| {
                                world.at(set, p) == Some(true) && holds(world, p)
                            })?;
                        } else {
                            let both =
                                |p: &Vec<i64>| world.at(set, p) == Some(true) && holds(world, p);
                            if world.points.iter().any(both) || result != zone {
                                return Err(format!("{what}: {zone:?} is not empty"));
                            }
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// Inclusion, equality and intersection of all pairs.
pub fn pairs(world: &mut World) -> Result<(), String> {
    let all = world.points.clone();
    let mut zones = Vec::new();
    for zone in world.zones.clone() {
        let set = world.set(&zone)?;
        let coarse = all.iter().map(|p| world.at(&set, p) == Some(true));
        zones.push((zone, coarse.collect::<Vec<bool>>()));
    }
    for (one, first) in &zones {
        for (other, second) in &zones {
            let mut both = first.iter().zip(second);
            let is_subset = both.clone().all(|(a, b)| !a || *b);
            if one.view().is_subset_of(other.view()) != is_subset {
                return Err(format!("{one:?} in {other:?}"));
            }
            if other.view().minimal().includes(one.view()) != is_subset {
                return Err(format!("{one:?} in the minimal form of {other:?}"));
            }
            let intersects = both.any(|(a, b)| *a && *b);
            if one.view().intersects(other.view()) != Ok(intersects) {
                return Err(format!("{one:?} and {other:?}"));
            }
            if (first == second) != (one == other) {
                return Err(format!("{one:?} is {other:?}"));
            }
        }
    }
    Ok(())
}

/// Membership, single points, and the ends of clocks.
pub fn points(world: &mut World) -> Result<(), String> {
    let all = world.points.clone();
    for zone in world.zones.clone() {
        let set = world.set(&zone)?;
        let view = zone.view();
        let contains = |p: &Vec<i64>| view.contains(&world.as_point(p));
        if all.iter().any(|p| Some(contains(p)) != world.at(&set, p)) {
            return Err(format!("the points of {zone:?}"));
        }
        let sample = view.sample().expect("small");
        let mut p = vec![0];
        p.extend(sample.numerators.iter().map(|n| 2 * n));
        if sample.denominator * 2 != world.unit || world.at(&set, &p) != Some(true) {
            return Err(format!("{sample:?} of {zone:?}"));
        }
        for clock in 1..=world.clocks {
            let inside = || all.iter().filter(|p| world.at(&set, p) == Some(true));
            let least = inside().map(|p| p[clock]).min().unwrap_or(-1);
            let excess = least - view.infimum(clock) * world.unit;
            let is_strict = view.bound(0, clock).is_strict();
            if excess < 0 || (excess == 0) == is_strict || excess >= world.unit {
                return Err(format!("the infimum of {clock} in {zone:?}"));
            }
            let most = inside().map(|p| p[clock]).max().unwrap_or(-1);
            if let Some(supremum) = view.supremum(clock) {
                let excess = supremum * world.unit - most;
                let is_strict = view.bound(clock, 0).is_strict();
                if excess < 0 || (excess == 0) == is_strict || excess >= world.unit {
                    return Err(format!("the supremum of {clock} in {zone:?}"));
                }
            } else if 2 * most < world.most() {
                return Err(format!("the supremum of {clock} in {zone:?}"));
            }
        }
    }
    Ok(())
}

/// Copies of clocks: a permutation, a projection, a new clock.
pub fn clocks(world: &mut World) -> Result<(), String> {
    let clocks = world.clocks;
    let all = world.points.clone();
    for zone in world.zones.clone() {
        let set = world.set(&zone)?;
        let mut result = Zone::zero(0);
        let reversed: Vec<usize> = (1..=clocks).rev().collect();
        result.copy_clocks(zone.view(), &reversed);
        compare(world, "permutation", (&zone, &result), |world, p| {
            let mut q = p.to_vec();
            q[1..].reverse();
            world.at(&set, &q) == Some(true)
        })?;
        result.copy_clocks(result.clone().view(), &reversed);
        if result != zone {
            return Err(format!("permuted twice, {zone:?} is {result:?}"));
        }
        let less: Vec<usize> = (2..=clocks).collect();
        result.copy_clocks(zone.view(), &less);
        canonical(&result)?;
        for p in all.iter() {
            let mut q = world.as_point(p);
            q.numerators.remove(0);
            if result.view().contains(&q) != some_value(world, &set, p, 1) {
                return Err(format!("projected, {zone:?} is {result:?}"));
            }
        }
        let mut more: Vec<usize> = (1..=clocks).collect();
        more.push(0);
        result.copy_clocks(zone.view(), &more);
        canonical(&result)?;
        for (p, value) in all.iter().flat_map(|p| [(p, 0), (p, 1)]) {
            let mut q = world.as_point(p);
            q.numerators.push(value);
            let inside = value == 0 && world.at(&set, p) == Some(true);
            if result.view().contains(&q) != inside {
                return Err(format!("with a new clock, {zone:?} is {result:?}"));
            }
        }
        let view = ZoneRef::new(clocks, zone.view().bounds()).expect("the same size");
        if view != zone.view() || ZoneRef::new(clocks + 1, view.bounds()).is_some() {
            return Err(format!("{zone:?} has another size"));
        }
        result.copy_from(view);
        if result != zone {
            return Err(format!("the copy of {zone:?} is {result:?}"));
        }
    }
    Ok(())
}

fn with(point: &[i64], clock: usize, value: i64) -> Vec<i64> {
    let mut point = point.to_vec();
    point[clock] = value;
    point
}

fn later(point: &[i64], time: i64) -> Vec<i64> {
    let mut point: Vec<i64> = point.iter().map(|value| value + time).collect();
    point[0] = 0;
    point
}

/// Whether the point is in the set with some value of the clock.
fn some_value(world: &World, set: &Set, point: &[i64], clock: usize) -> bool {
    let mut values = world.values();
    values.any(|value| world.at(set, &with(point, clock, value)) == Some(true))
}
