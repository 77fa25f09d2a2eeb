//! The minimal form of a zone: as few constraints as determine it (Larsen, Larsson, Pettersson, Yi, *Efficient
//! verification of real-time systems: compact data structure and state-space reduction*, RTSS 1997).
//!
//! Clocks whose difference is constant form a class: in the graph of bounds they are on a cycle of weight 0. For each
//! class the form contains one cycle, in the order of values. Between the least clocks of two classes it contains an
//! edge unless a path through the least clock of a third class is as short.
//!
//! The constraints that clocks are not negative are not stored. The cycle of a class is in the order of values, so such
//! a constraint says something new only about the least clock of the class. Hence the form is minimal also with these
//! constraints.

use crate::bound::{Bound, Constraint};
use crate::defects::{Defect, broken};
use crate::view::ZoneRef;
use crate::weight::{Overflow, Weight};
use crate::zone::Zone;

/// A zone as a minimal set of constraints.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Minimal<W: Weight = i64> {
    clocks: u32,
    /// The constraints in the order of `places`.
    bounds: Box<[Bound<W>]>,
    /// The clocks of each constraint, `left` and `right`.
    places: Box<[(u32, u32)]>,
}

impl<W: Weight> ZoneRef<'_, W> {
    /// The minimal form, in cubic time.
    pub fn minimal(self) -> Minimal<W> {
        let classes = self.classes();
        let mut edges = Vec::new();
        for class in &classes {
            if class.len() > 1 && !broken(Defect::CyclesLost) {
                let next = class.iter().cycle().skip(1);
                edges.extend(class.iter().copied().zip(next.copied()));
            }
        }
        let least: Vec<usize> = classes.iter().map(|class| class[0]).collect();
        let all: Vec<usize> = (0..self.dimension).collect();
        let between = match broken(Defect::PathsThroughCycles) {
            true => &all,
            false => &least,
        };
        for from in &least {
            for to in least.iter().filter(|to| *to != from) {
                let bound = self.bound(*from, *to);
                let mut others = between.iter().filter(|k| *k != from && *k != to);
                let is_implied =
                    |k: &usize| self.bound(*from, *k).sum(self.bound(*k, *to)) <= bound;
                if !bound.is_infinite() && !others.any(is_implied) {
                    edges.push((*from, *to));
                }
            }
        }
        edges.retain(|(i, j)| *i != 0 || self.bound(*i, *j) != Bound::ZERO);
        let places = edges.iter().map(|(i, j)| (*i as u32, *j as u32));
        Minimal {
            clocks: self.clocks() as u32,
            bounds: edges.iter().map(|(i, j)| self.bound(*i, *j)).collect(),
            places: places.collect(),
        }
    }

    /// The classes of clocks with constant differences, each in the order of values.
    fn classes(self) -> Vec<Vec<usize>> {
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for clock in 0..self.dimension {
            let is_constant = |class: &&mut Vec<usize>| {
                let other = class[0];
                self.bound(clock, other).sum(self.bound(other, clock)) == Bound::ZERO
            };
            match classes.iter_mut().find(is_constant) {
                Some(class) => class.push(clock),
                None => classes.push(vec![clock]),
            }
        }
        for class in &mut classes {
            let first = class[0];
            class.sort_by_key(|clock| self.bound(*clock, first));
        }
        classes
    }
}

impl<W: Weight> Minimal<W> {
    /// The number of clocks, not counting the reference clock.
    pub fn clocks(&self) -> usize {
        self.clocks as usize
    }

    /// The constraints.
    pub fn constraints(&self) -> impl ExactSizeIterator<Item = Constraint<W>> + '_ {
        let pairs = self.places.iter().zip(&self.bounds);
        pairs.map(|((left, right), bound)| Constraint {
            left: *left as usize,
            right: *right as usize,
            bound: *bound,
        })
    }

    /// The zone, in cubic time.
    pub fn to_zone(&self) -> Result<Zone<W>, Overflow> {
        let zone = Zone::from_constraints(self.clocks(), self.constraints())?;
        // The constraints are those of a zone, so they have a solution.
        zone.ok_or(Overflow)
    }

    /// Whether a zone over as many clocks is a subset of this zone, by one comparison per constraint.
    pub fn includes(&self, zone: ZoneRef<'_, W>) -> bool {
        debug_assert_eq!(zone.clocks(), self.clocks());
        let mut constraints = self.constraints();
        constraints.all(|c| zone.bound(c.left, c.right) <= c.bound)
    }
}
