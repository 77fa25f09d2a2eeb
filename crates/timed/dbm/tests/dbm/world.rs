//! Small worlds: zones with small constants, as sets of points of a grid.
//!
//! **Grid.** Zones with integer constants are unions of regions: points with the same integer parts and the same order of
//! fractional parts are in the same zones. `n` clocks have at most `n` different positive fractional parts, so each region
//! has a point on the grid of `1/(n + 1)`: the coarse points. Whether there is a delay, or a value of one clock, with which
//! a coarse point gets into a zone, is a question about one interval whose ends are multiples of `1/(n + 1)`; so it
//! suffices to try the middles between them, too: the fine points, multiples of `1/(2n + 2)`.
//!
//! **Box.** Two zones with constants up to `C` differ in a least upper bound. Differences near it occur already where the
//! smaller clock is at most `C`, so among values up to `2C + 1`: those of the coarse points. Delays and new values lead
//! from these to values that are larger by at most `C + 1`: those of the fine points.

use crate::naive::{self, Matrix, Naive};
use dbm::{Point, Zone};
use std::collections::HashMap;
use std::rc::Rc;

/// The fine points of a zone in a box.
pub type Set = Rc<Vec<bool>>;

pub struct World {
    pub clocks: usize,
    /// The zones whose laws are checked.
    pub zones: Vec<Zone>,
    /// Fine points per 1.
    pub unit: i64,
    /// The largest value of a coarse point, in fine points.
    most: i64,
    /// Fine points per axis.
    side: i64,
    /// The coarse points, with the reference clock first.
    pub points: Rc<Vec<Vec<i64>>>,
    sets: HashMap<Zone, Set>,
}

impl World {
    /// All zones of two clocks with constants up to `most`.
    pub fn of_two_clocks(most: i64) -> World {
        let strictness = [false, true];
        let bounds = |from: i64, to: i64| -> Vec<Naive> {
            let finite = (from..=to).flat_map(|c| strictness.map(|strict| Some((c, strict))));
            finite.collect()
        };
        let lower = bounds(-most, 0);
        let mut upper = bounds(0, most);
        upper.push(None);
        let mut differences = bounds(-most, most);
        differences.push(None);
        let zero = Some((0, false));
        let mut zones = Vec::new();
        let mut visit = |matrix: &Matrix| {
            if naive::is_canonical(matrix) {
                let zone = Zone::from_constraints(2, naive::constraints(matrix));
                let zone = zone.expect("small").expect("a solution");
                assert_eq!(naive::matrix(&zone), *matrix);
                zones.push(zone);
            }
        };
        for x in &lower {
            for y in &lower {
                for to_x in &upper {
                    if !naive::at_most(zero, naive::plus(*x, *to_x)) {
                        continue;
                    }
                    for to_y in &upper {
                        for x_y in &differences {
                            for y_x in &differences {
                                visit(&vec![
                                    vec![zero, *x, *y],
                                    vec![*to_x, zero, *x_y],
                                    vec![*to_y, *y_x, zero],
                                ]);
                            }
                        }
                    }
                }
            }
        }
        World::new(2, most, zones)
    }

    /// Random zones of three clocks with constants up to 2.
    pub fn of_three_clocks(random: &mut Random, count: usize) -> World {
        let mut zones = Vec::new();
        while zones.len() < count {
            let mut constraints = Vec::new();
            for _ in 0..random.below(7) {
                let (left, right) = (random.below(4) as usize, random.below(4) as usize);
                let least = if left == 0 || right != 0 { -2 } else { 0 };
                let constant = random.between(least, 2);
                let bound = naive::bound(Some((constant, random.below(2) == 0)));
                constraints.push(dbm::Constraint { left, right, bound });
            }
            let zone = Zone::from_constraints(3, constraints).expect("small");
            let is_small = |zone: &Zone| {
                let mut constraints = zone.view().constraints();
                constraints.all(|c| c.bound.value().is_some_and(|c| c.abs() <= 2))
            };
            zones.extend(zone.filter(is_small));
        }
        World::new(3, 2, zones)
    }

    fn new(clocks: usize, most: i64, zones: Vec<Zone>) -> World {
        let unit = 2 * (clocks as i64 + 1);
        let mut world = World {
            clocks,
            zones,
            unit,
            most: (2 * most + 1) * unit,
            side: (3 * most + 2) * unit + 1,
            points: Rc::default(),
            sets: HashMap::new(),
        };
        world.points = Rc::new(world.coarse_points());
        world
    }

    /// A world with every `step`-th zone.
    pub fn part(&self, step: usize) -> World {
        World {
            zones: self.zones.iter().step_by(step).cloned().collect(),
            points: self.points.clone(),
            sets: HashMap::new(),
            ..*self
        }
    }

    /// The fine points of a zone. An error if the zone is not canonical.
    pub fn set(&mut self, zone: &Zone) -> Result<Set, String> {
        if let Some(set) = self.sets.get(zone) {
            return Ok(set.clone());
        }
        let matrix = canonical(zone)?;
        let number = self.side.pow(self.clocks as u32);
        let set = (0..number).map(|index| self.is_in(&matrix, &self.point(index)));
        let set: Set = Rc::new(set.collect());
        self.sets.insert(zone.clone(), set.clone());
        Ok(set)
    }

    /// Whether a point, with the reference clock first, satisfies all bounds.
    pub fn is_in(&self, matrix: &Matrix, point: &[i64]) -> bool {
        let rows = matrix.iter().zip(point);
        rows.into_iter().all(|(row, left)| {
            row.iter().zip(point).all(|(bound, right)| match bound {
                None => true,
                Some((c, true)) => left - right < c * self.unit,
                Some((c, false)) => left - right <= c * self.unit,
            })
        })
    }

    /// The point with an index, with the reference clock first.
    fn point(&self, mut index: i64) -> Vec<i64> {
        let mut point = vec![0];
        for _ in 0..self.clocks {
            point.push(index % self.side);
            index /= self.side;
        }
        point
    }

    fn coarse_points(&self) -> Vec<Vec<i64>> {
        let number = self.side.pow(self.clocks as u32);
        let points = (0..number).map(|index| self.point(index));
        let is_coarse = |value: &i64| value % 2 == 0 && *value <= self.most;
        points.filter(|point| point.iter().all(is_coarse)).collect()
    }

    /// Whether a set contains a point; `None` outside of the box.
    pub fn at(&self, set: &Set, point: &[i64]) -> Option<bool> {
        let mut index = 0;
        for value in point[1..].iter().rev() {
            (0..self.side).contains(value).then_some(())?;
            index = index * self.side + value;
        }
        Some(set[index as usize])
    }

    /// All fine values of a clock.
    pub fn values(&self) -> std::ops::Range<i64> {
        0..self.side
    }

    /// The largest value of a coarse point.
    pub fn most(&self) -> i64 {
        self.most
    }

    /// A point of the world as one of the crate.
    pub fn as_point(&self, point: &[i64]) -> Point {
        Point {
            numerators: point[1..].to_vec(),
            denominator: self.unit,
        }
    }
}

/// The matrix of a zone. An error if it is not canonical.
pub fn canonical(zone: &Zone) -> Result<Matrix, String> {
    let matrix = naive::matrix(zone);
    let why = || format!("{zone:?} is not canonical");
    let is_canonical = naive::is_canonical(&matrix);
    is_canonical.then_some(matrix).ok_or_else(why)
}

/// The generator of Steele, Lea and Flood (*SplitMix64*): the same seed gives the same sequence.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        least + self.below((most - least + 1) as u64) as i64
    }
}
