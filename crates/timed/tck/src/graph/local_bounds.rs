//! LU bounds for each location (Behrmann, Bouyer, Fleury, Larsen, *Static guard analysis in timed automata verification*,
//! TACAS 2003).
//!
//! A location of a process has a bound for each clock. This bound is at least every constant of a test in the invariant
//! of the location and in the guards of its edges, and at least the bound of the target of each edge that does not
//! assign the clock. If an edge assigns `x = y + c`, the bound of `y` before the edge is at least the bound of `x`
//! after it, less `c`. The bound of `x` after the edge is the largest one of the target location and of all locations
//! of other processes, because every process can read `x`. The bound of a clock in a state of the network is the
//! largest one of its locations; so it covers the tests of every process.

use crate::defects::{Defect, broken};
use crate::graph::intervals::{clocks, interval};
use crate::system::network::{Guard, Relation, Statement, System};
use dbm::{LuBounds, Overflow};
use std::collections::{BTreeMap, BTreeSet};

/// Largest constants by location and clock; -1 stands for none.
type Table = Vec<Vec<i64>>;

/// The sources of the value of a clock after an edge: the clocks from whose values before the edge it may be computed,
/// each with the least offset.
type Values = BTreeMap<usize, i64>;

/// The sources of each clock that an edge may assign. All other clocks keep their values.
type Sources = BTreeMap<usize, Values>;

/// The LU bounds of every location.
pub(crate) fn local_bounds(system: &System) -> Result<Vec<LuBounds>, Overflow> {
    let size = (system.clocks + 1) * size_of::<i64>();
    // Two tables of constants, and the two of the result.
    cancellation::claim(size.saturating_mul(4 * system.locations.len()));
    let none = vec![vec![-1; system.clocks + 1]; system.locations.len()];
    let (mut lower, mut upper) = (none.clone(), none);
    for (number, location) in system.locations.iter().enumerate() {
        if broken(Defect::InvariantsNotBounds) {
            break;
        }
        add(
            system,
            &location.invariant,
            &mut lower[number],
            &mut upper[number],
        );
    }
    for edge in &system.edges {
        let (lower, upper) = (&mut lower[edge.source], &mut upper[edge.source]);
        add(system, &edge.guard, lower, upper);
    }
    let sources = system.edges.iter().map(|edge| {
        cancellation::poll();
        let mut sources = Sources::new();
        follow(system, &edge.statements, &mut sources);
        sources
    });
    let sources: Vec<Sources> = sources.collect();
    propagate(system, &sources, &mut lower);
    propagate(system, &sources, &mut upper);
    let tables = lower.iter().zip(&upper);
    let bounds = tables.map(|(lower, upper)| {
        cancellation::poll();
        let mut lu = LuBounds::new(system.clocks);
        for clock in 1..=system.clocks {
            lu.raise_lower(clock, lower[clock])?;
            lu.raise_upper(clock, upper[clock])?;
        }
        Ok(lu)
    });
    bounds.collect()
}

/// Adds the constants of a guard to the bounds of a location.
fn add(system: &System, guard: &Guard, lower: &mut [i64], upper: &mut [i64]) {
    for test in &guard.tests {
        let most = interval(system, &test.term).1;
        for clock in clocks(&test.clock) {
            if !matches!(test.relation, Relation::Less | Relation::AtMost) {
                lower[clock] = lower[clock].max(most);
            }
            if !matches!(test.relation, Relation::Greater | Relation::AtLeast) {
                upper[clock] = upper[clock].max(most);
            }
        }
    }
}

/// Raises bounds until those of all edges are satisfied. Offsets are not negative, so no bound exceeds the largest
/// constant.
fn propagate(system: &System, sources: &[Sources], table: &mut Table) {
    let mut changed = !broken(Defect::BoundsNotPropagated);
    while changed {
        changed = false;
        // By process and clock: the largest bound of its locations.
        let mut by_process = vec![vec![-1; system.clocks + 1]; system.processes.len()];
        for (location, bounds) in system.locations.iter().zip(table.iter()) {
            cancellation::poll();
            for (most, bound) in by_process[location.process].iter_mut().zip(bounds) {
                *most = bound.max(most).to_owned();
            }
        }
        for (edge, sources) in system.edges.iter().zip(sources) {
            cancellation::poll();
            for clock in (1..=system.clocks).filter(|clock| !sources.contains_key(clock)) {
                let needed = table[edge.target][clock];
                changed |= raise(&mut table[edge.source][clock], needed);
            }
            for (clock, values) in sources {
                let others = by_process.iter().enumerate();
                let others = others.filter(|(process, _)| *process != edge.process);
                let needed = others.map(|(_, bounds)| bounds[*clock]).max();
                let needed = match broken(Defect::OtherProcessesIgnored) {
                    true => -1,
                    false => needed.unwrap_or(-1),
                };
                let needed = table[edge.target][*clock].max(needed);
                let is_ignored = broken(Defect::CopiesNotPropagated);
                for (source, offset) in values.iter().filter(|_| !is_ignored) {
                    changed |= raise(&mut table[edge.source][*source], needed - offset);
                }
            }
        }
    }
}

/// Raises a bound to at least `needed`. Returns whether the bound was less.
fn raise(bound: &mut i64, needed: i64) -> bool {
    let is_less = *bound < needed;
    *bound = needed.max(*bound);
    is_less
}

/// Updates the sources by the effect of statements.
fn follow(system: &System, statements: &[Statement], sources: &mut Sources) {
    for statement in statements {
        cancellation::poll();
        match statement {
            Statement::Int(..) | Statement::Local(..) => {}
            Statement::Clock(assignment) => {
                let offset = interval(system, &assignment.offset).0.max(0);
                let mut new = Values::new();
                for source in assignment.source.iter().flat_map(clocks) {
                    for (before, sum) in &values(sources, source) {
                        let sum = sum.saturating_add(offset);
                        let least = new.entry(*before).or_insert(sum);
                        *least = sum.min(*least);
                    }
                }
                let targets = clocks(&assignment.clock);
                let is_certain = targets.len() == 1;
                for target in targets {
                    let mut after = new.clone();
                    if !is_certain {
                        join(&mut after, &values(sources, target));
                    }
                    sources.insert(target, after);
                }
            }
            Statement::If(_, then, otherwise) => {
                let mut other = sources.clone();
                follow(system, then, sources);
                follow(system, otherwise, &mut other);
                join_all(sources, &other);
            }
            Statement::While(_, body) => loop {
                let mut after = sources.clone();
                follow(system, body, &mut after);
                if !join_all(sources, &after) {
                    break;
                }
            },
        }
    }
}

/// The sources of a clock; a clock that is not assigned is its own source.
fn values(sources: &Sources, clock: usize) -> Values {
    let own = || Values::from([(clock, 0)]);
    sources.get(&clock).cloned().unwrap_or_else(own)
}

/// Adds sources, or smaller offsets of known ones. Returns whether something has changed.
fn join(values: &mut Values, other: &Values) -> bool {
    let mut changed = false;
    for (source, offset) in other {
        let least = values.entry(*source).or_insert(i64::MAX);
        changed |= offset < least;
        *least = (*least).min(*offset);
    }
    changed
}

fn join_all(sources: &mut Sources, other: &Sources) -> bool {
    let clocks: BTreeSet<usize> = sources.keys().chain(other.keys()).copied().collect();
    let mut changed = false;
    for clock in clocks {
        let mut both = values(sources, clock);
        changed |= join(&mut both, &values(other, clock));
        sources.insert(clock, both);
    }
    changed
}
