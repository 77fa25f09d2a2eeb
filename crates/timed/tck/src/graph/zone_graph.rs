//! The zone graph. A state consists of a location of each process, values of integers, and a zone of the clocks.
//!
//! A zone contains the clock values after a delay, if the locations allow one. It is extrapolated by ExtraLU+ with the
//! LU bounds of the locations.

use crate::defects::{Defect, broken};
use crate::graph::evaluate::{Assigned, Stop, Values};
use crate::graph::local_bounds::local_bounds;
use crate::graph::product::{GlobalEdge, advance, global_edges};
use crate::system::network::{Guard, Relation, System};
use dbm::{Bound, LuBounds, Overflow, Zone, ZoneRef};
use std::collections::HashMap;
use std::rc::Rc;

/// The zone graph of a system, with buffers for the computation of successors.
pub(crate) struct ZoneGraph<'s> {
    pub(crate) system: &'s System,
    /// By location.
    local: Vec<LuBounds>,
    /// By the locations of all processes.
    bounds: HashMap<Box<[i32]>, Rc<LuBounds>, foldhash::fast::FixedState>,
    /// The successor: locations and values of integers.
    discrete: Vec<i32>,
    zone: Zone,
    locals: Vec<i64>,
    assigned: Vec<Assigned>,
}

/// A state that a search receives.
#[derive(Clone, Copy)]
pub(crate) struct Visited<'a> {
    /// The number of the global edge that leads to the state, as [`global_edges`] counts them; 0 for an initial state.
    pub(crate) edge: u32,
    /// Locations and values of integers.
    pub(crate) discrete: &'a [i32],
    pub(crate) zone: ZoneRef<'a>,
    /// The LU bounds of the locations of the state.
    pub(crate) lu: &'a LuBounds,
}

/// A function that receives a state.
pub(crate) type Visit<'v> = dyn FnMut(Visited<'_>) -> Result<(), Stop> + 'v;

impl<'s> ZoneGraph<'s> {
    pub(crate) fn new(system: &'s System) -> Result<ZoneGraph<'s>, Stop> {
        Ok(ZoneGraph {
            system,
            local: local_bounds(system)?,
            bounds: HashMap::default(),
            discrete: Vec::new(),
            zone: Zone::zero(system.clocks),
            locals: Vec::new(),
            assigned: Vec::new(),
        })
    }

    /// The number of locations in the discrete part of a state.
    fn processes(&self) -> usize {
        self.system.processes.len()
    }

    /// Visits the initial states.
    pub(crate) fn initial(
        &mut self,
        visit: &mut Visit<'_>,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<(), Stop> {
        let processes = &self.system.processes;
        if processes.iter().any(|process| process.initial.is_empty()) {
            return Ok(());
        }
        let mut chosen = vec![0; processes.len()];
        loop {
            if !poll() {
                return Err(Stop::Cancelled);
            }
            self.discrete.clear();
            let locations = processes.iter().zip(&chosen);
            let locations = locations.map(|(process, place)| process.initial[*place] as i32);
            self.discrete.extend(locations);
            let ints = self.system.ints.iter().map(|int| int.initial as i32);
            self.discrete.extend(ints);
            self.zone = Zone::zero(self.system.clocks);
            if let Some(lu) = self.enter()? {
                visit(Visited {
                    edge: 0,
                    discrete: &self.discrete,
                    zone: self.zone.view(),
                    lu: &lu,
                })?;
            }
            if !advance(&mut chosen, |place| processes[place].initial.len()) {
                return Ok(());
            }
        }
    }

    /// Visits the successors of a state.
    pub(crate) fn successors(
        &mut self,
        discrete: &[i32],
        zone: ZoneRef<'_>,
        visit: &mut Visit<'_>,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<(), Stop> {
        if !poll() {
            return Err(Stop::Cancelled);
        }
        let system = self.system;
        let locations = &discrete[..system.processes.len()];
        let mut next = 0;
        global_edges(system, locations, &mut |edges| {
            if !poll() {
                return Err(Stop::Cancelled);
            }
            let edge = next;
            next += 1;
            self.discrete.clear();
            self.discrete.extend_from_slice(discrete);
            self.zone.copy_from(zone);
            match self.fire(edges, poll)? {
                Some(lu) => visit(Visited {
                    edge,
                    discrete: &self.discrete,
                    zone: self.zone.view(),
                    lu: &lu,
                }),
                None => Ok(()),
            }
        })
    }

    /// By clock the largest LU bounds of the locations of a state.
    fn lu_bounds(&mut self, discrete: &[i32]) -> Rc<LuBounds> {
        let locations = &discrete[..self.system.processes.len()];
        if let Some(bounds) = self.bounds.get(locations) {
            return bounds.clone();
        }
        let mut bounds = LuBounds::new(self.system.clocks);
        let number = match broken(Defect::FirstProcessOnly) {
            true => 1,
            false => locations.len(),
        };
        for location in &locations[..number] {
            bounds.raise_to(&self.local[*location as usize]);
        }
        let bounds = Rc::new(bounds);
        self.bounds.insert(locations.into(), bounds.clone());
        bounds
    }

    /// Takes a global edge from the state in the buffers, and returns the LU bounds of the new one. `None` if the edge is
    /// not enabled.
    fn fire(
        &mut self,
        edges: &GlobalEdge,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Rc<LuBounds>>, Stop> {
        let system = self.system;
        let (locations, ints) = self.discrete.split_at_mut(system.processes.len());
        let locals: &mut [i64] = &mut [];
        let values = Values { ints, locals };
        for edge in edges {
            let guard = &system.edges[*edge].guard;
            if !values.all_hold(&guard.conditions)? {
                return Ok(None);
            }
        }
        // Extrapolated zones need not satisfy the invariants any more.
        for location in locations.iter() {
            let invariant = &system.locations[*location as usize].invariant;
            if !constrain(&mut self.zone, &values, invariant)? {
                return Ok(None);
            }
        }
        for edge in edges {
            if !constrain(&mut self.zone, &values, &system.edges[*edge].guard)? {
                return Ok(None);
            }
        }
        self.assigned.clear();
        for edge in edges {
            let edge = &system.edges[*edge];
            self.locals.clear();
            self.locals.resize(edge.locals, 0);
            let mut values = Values {
                ints: &mut *values.ints,
                locals: &mut self.locals,
            };
            values.execute(&edge.statements, &system.ints, &mut self.assigned, poll)?;
            locations[edge.process] = edge.target as i32;
        }
        if broken(Defect::AssignmentsReversed) {
            self.assigned.reverse();
        }
        for Assigned {
            clock,
            source,
            offset,
        } in &self.assigned
        {
            self.zone.assign(*clock, *source, *offset)?;
        }
        self.enter()
    }

    /// Intersects the zone with the invariants of the locations, lets time pass, and extrapolates with the LU bounds,
    /// which are returned. `None` if the zone becomes empty.
    fn enter(&mut self) -> Result<Option<Rc<LuBounds>>, Stop> {
        if !broken(Defect::TargetInvariantIgnored) && !self.satisfy_invariants()? {
            return Ok(None);
        }
        let locations = &self.discrete[..self.processes()];
        let mut locations = locations
            .iter()
            .map(|l| &self.system.locations[*l as usize]);
        let is_urgent = |urgent: bool| urgent && !broken(Defect::UrgentDelays);
        if !locations.any(|location| location.is_committed || is_urgent(location.is_urgent)) {
            self.zone.delay();
            if !self.satisfy_invariants()? {
                return Ok(None);
            }
        }
        let discrete = std::mem::take(&mut self.discrete);
        let bounds = self.lu_bounds(&discrete);
        self.discrete = discrete;
        self.zone.extrapolate(&bounds)?;
        Ok(Some(bounds))
    }

    fn satisfy_invariants(&mut self) -> Result<bool, Stop> {
        let (locations, ints) = self.discrete.split_at_mut(self.system.processes.len());
        let locals: &mut [i64] = &mut [];
        let values = Values { ints, locals };
        for location in locations {
            let invariant = &self.system.locations[*location as usize].invariant;
            let holds = values.all_hold(&invariant.conditions)?;
            if !holds || !constrain(&mut self.zone, &values, invariant)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Intersects a zone with the tests of clocks of a guard. `false` if the intersection is empty.
fn constrain(zone: &mut Zone, values: &Values<'_>, guard: &Guard) -> Result<bool, Stop> {
    for test in &guard.tests {
        let clock = values.place(&test.clock)?;
        let constant = values.term(&test.term)?;
        let most = match test.relation {
            Relation::Equal | Relation::AtMost => Some(Bound::at_most(constant)?),
            Relation::Less => Some(Bound::below(constant)?),
            _ => None,
        };
        let least = match test.relation {
            Relation::Equal | Relation::AtLeast => Some(Bound::at_most(-constant)?),
            Relation::Greater => Some(Bound::below(-constant)?),
            _ => None,
        };
        let holds = |zone: &mut Zone, left, right, bound: Option<Bound>| match bound {
            Some(bound) => zone.constrain(left, right, bound),
            None => Result::<bool, Overflow>::Ok(true),
        };
        if !holds(zone, clock, 0, most)? || !holds(zone, 0, clock, least)? {
            return Ok(false);
        }
    }
    Ok(true)
}
