//! The synchronised product: the global edges from a vector of locations.

use crate::defects::{Defect, broken};
use crate::system::network::System;

/// The edges that are taken together, in the order in which their statements are executed.
pub(crate) type GlobalEdge = Vec<usize>;

/// Calls `visit` for each global edge that the locations of the processes have, regardless of guards, until `visit`
/// returns an error. If a process is in a committed location, only global edges with a committed process are possible.
pub(crate) fn global_edges<E>(
    system: &System,
    locations: &[i32],
    visit: &mut dyn FnMut(&GlobalEdge) -> Result<(), E>,
) -> Result<(), E> {
    let location = |process: usize| &system.locations[locations[process] as usize];
    let processes = 0..system.processes.len();
    let is_committed = processes.clone().any(|p| location(p).is_committed);
    let is_allowed = |edges: &[usize]| {
        let mut processes = edges.iter().map(|edge| system.edges[*edge].process);
        !is_committed
            || broken(Defect::CommittedWaits)
            || processes.any(|process| location(process).is_committed)
    };
    for sync in &system.syncs {
        // The edges of each participant. A weak participant without an edge is left out.
        let mut choices: Vec<Vec<usize>> = Vec::new();
        let mut is_possible = true;
        for participant in &sync.participants {
            let edges = location(participant.process).edges.iter().copied();
            let edges = edges.filter(|edge| system.edges[*edge].event == participant.event);
            let edges: Vec<usize> = edges.collect();
            is_possible &= participant.is_weak || !edges.is_empty();
            if !edges.is_empty() {
                choices.push(edges);
            }
        }
        if !is_possible || choices.is_empty() {
            continue;
        }
        if broken(Defect::WeakIsFree) && choices.len() > 1 && sync.participants[1].is_weak {
            visit(&vec![choices[0][0]])?;
        }
        let mut chosen = vec![0; choices.len()];
        loop {
            let pairs = choices.iter().zip(&chosen);
            let edges: GlobalEdge = pairs.map(|(edges, place)| edges[*place]).collect();
            if is_allowed(&edges) {
                visit(&edges)?;
            }
            if !advance(&mut chosen, |place| choices[place].len()) {
                break;
            }
        }
    }
    for process in processes {
        for edge in &location(process).edges {
            let edges = vec![*edge];
            if !system.edges[*edge].is_synchronous && is_allowed(&edges) {
                visit(&edges)?;
            }
        }
    }
    Ok(())
}

/// The global edge with this number, as [`global_edges`] counts them.
pub(crate) fn global_edge(system: &System, locations: &[i32], number: u32) -> Option<GlobalEdge> {
    let mut next = 0;
    let found = global_edges(system, locations, &mut |edges| {
        cancellation::poll();
        next += 1;
        match next > number {
            true => Err(edges.clone()),
            false => Ok(()),
        }
    });
    found.err()
}

/// The next combination of choices, the last one first. `false` after the last combination.
pub(crate) fn advance(chosen: &mut [usize], number: impl Fn(usize) -> usize) -> bool {
    for (place, choice) in chosen.iter_mut().enumerate().rev() {
        *choice += 1;
        if *choice < number(place) {
            return true;
        }
        *choice = 0;
    }
    false
}
