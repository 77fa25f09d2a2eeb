//! What follows: within a time, or in every run in which time goes on for ever.

use crate::instance::data::{Channel, Instance};
use crate::instance::value::{Res, refuse};
use crate::search::graph::Graph;
use std::collections::HashSet;

impl Graph {
    /// Whether some run passes through p and then, until more than so many units have passed, never through q.
    pub fn misses(&self, p: &[bool], q: &[bool], within: i128) -> bool {
        // A state without q that such a run may have come to, and how much time is left.
        let mut todo: Vec<(usize, i128)> = (0..p.len())
            .filter(|place| p[*place] && !q[*place])
            .map(|place| (place, within))
            .collect();
        let mut seen: HashSet<(usize, i128)> = todo.iter().copied().collect();
        while let Some((place, left)) = todo.pop() {
            let mut reached: Vec<(usize, i128)> = Vec::new();
            reached.extend(
                self.after[place]
                    .iter()
                    .map(|after| (*after as usize, left)),
            );
            match self.later[place] {
                Some(_) if left == 0 => return true,
                Some(later) => reached.push((later as usize, left - 1)),
                None => {}
            }
            for next in reached {
                if !q[next.0] && seen.insert(next) {
                    todo.push(next);
                }
            }
        }
        false
    }

    /// The states from which some run goes on for ever, in time, without q.
    pub fn avoiding(&self, q: &[bool]) -> Vec<bool> {
        // The greatest set of states without q from each of which, inside of the set, a unit of time can pass.
        let mut set: Vec<bool> = q.iter().map(|q| !q).collect();
        loop {
            let passes = |place: usize| self.later[place].is_some_and(|later| set[later as usize]);
            let mut smaller: Vec<bool> = (0..set.len())
                .map(|place| set[place] && passes(place))
                .collect();
            loop {
                let before = smaller.iter().filter(|is| **is).count();
                for place in (0..set.len()).rev() {
                    let reaches = self.after[place]
                        .iter()
                        .any(|after| smaller[*after as usize]);
                    smaller[place] |= set[place] && reaches;
                }
                if smaller.iter().filter(|is| **is).count() == before {
                    break;
                }
            }
            if smaller == set {
                return set;
            }
            set = smaller;
        }
    }
}

impl Instance<'_> {
    /// Refuses what may be put off while time passes, and would need fairness: everything else happens by itself
    /// in a run in which time goes on for ever.
    pub fn check_urgency(&self) -> Res<()> {
        if self.clock.is_none() {
            return refuse("`eventually` or `leads to` without time");
        }
        for (kind, gaps) in self.kinds.iter().zip(&self.gaps) {
            if kind.whens().next().is_some() {
                return refuse("fairness of `when` blocks");
            }
            if kind.everies().next().is_some() && gaps.is_none() {
                return refuse("fairness of `every any`");
            }
        }
        let in_time = self.delay.is_some() || self.channel == Channel::Instant;
        let sends = self.records.iter().any(|(_, message)| *message) && !self.edges.is_empty();
        if sends && !in_time {
            return refuse("fairness of channels");
        }
        if self.losses.iter().any(|l| !l.repeat && l.at_most.is_none()) {
            return refuse("fairness of a channel that loses any messages");
        }
        Ok(())
    }
}
