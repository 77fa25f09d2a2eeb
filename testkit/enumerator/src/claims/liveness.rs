//! Liveness: responses within a time, and responses in all runs in which time diverges.

use crate::instance::data::{Channel, Instance};
use crate::instance::value::{Res, refuse};
use crate::search::graph::Graph;
use std::collections::HashSet;

impl Graph {
    /// Whether some run visits p and then avoids q until more than `within` units have passed.
    pub fn misses(&self, p: &[bool], q: &[bool], within: i128) -> bool {
        // States without q that such a run can reach, each with the remaining time.
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

    /// By state: whether some run from it in which time diverges avoids q.
    pub fn avoiding(&self, q: &[bool]) -> Vec<bool> {
        // The greatest set of states without q such that, from each of them, a path inside the set leads to the passing
        // of a unit of time inside the set.
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
    /// Refuses instances with events that can be postponed for ever while time passes, because they would need
    /// fairness. All other events occur in every run in which time diverges.
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
