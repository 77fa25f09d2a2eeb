//! Differences of times: whether moments can be as far apart, and in such an order, as is demanded of them.
//!
//! **The idea.** A demand says that one moment is at least so much later than another (so much may be negative: then the
//! other is at most so much later). Demands can be met together unless they form a cycle in which the moments would have to be
//! later than themselves; Bellman and Ford look for the longest ways and meet such a cycle on them. A cycle is a *reason*:
//! the demands in it cannot all be met, whatever else is demanded.
//!
//! **Ties.** Events at the same time happen in some order, and any order is possible. So a demand may also say that the
//! one *precedes* the other. A cycle that takes no time is impossible if every demand in it says so, for then an event
//! would precede itself; otherwise its moments are at fixed distances, and nothing is wrong with that. A length is therefore a
//! time and, for ties, a place: one more for a demand that says who precedes, and far less for one that does not.

/// How much later, and for ties how many places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Length {
    time: i128,
    place: i64,
}

impl std::ops::Add for Length {
    type Output = Length;

    fn add(self, other: Length) -> Length {
        Length {
            time: self.time + other.time,
            place: self.place + other.place,
        }
    }
}

/// A place that no number of demands makes up for.
const FAR_BACK: i64 = -(1 << 40);

/// One moment is later than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The one.
    pub from: usize,
    /// The other.
    pub to: usize,
    /// It is at least so much later.
    pub by: i128,
    /// The one precedes the other, also where they are at the same time.
    pub precedes: bool,
}

impl Demand {
    /// At least so much later, and not before it.
    pub fn after(from: usize, to: usize, by: i128) -> Demand {
        Demand {
            from,
            to,
            by,
            precedes: true,
        }
    }

    /// At most so much later.
    pub fn within(from: usize, to: usize, by: i128) -> Demand {
        Demand {
            from: to,
            to: from,
            by: -by,
            precedes: false,
        }
    }

    fn length(&self) -> Length {
        Length {
            time: self.by,
            place: if self.precedes { 1 } else { FAR_BACK },
        }
    }
}

/// What came of demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They can be met; all moments in an order in which they happen, with their times.
    Met(Vec<(usize, i128)>),
    /// These cannot, by their numbers.
    Contradiction(Vec<usize>),
}

/// Whether demands on so many moments can be met together.
pub fn solve(moments: usize, demands: &[Demand]) -> Answer {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); moments];
    for (number, demand) in demands.iter().enumerate() {
        leaving[demand.from].push(number);
    }
    let mut reached = vec![Length::default(); moments];
    let mut by: Vec<Option<usize>> = vec![None; moments];
    // Round by round, as long as something gets later. After as many rounds as there are moments there is a cycle, and
    // usually much sooner: it is looked for now and then.
    let mut open: Vec<usize> = (0..moments).collect();
    let mut waits = vec![true; moments];
    let mut round = 0;
    while !open.is_empty() {
        let mut next = Vec::new();
        for moment in open {
            waits[moment] = false;
            for number in &leaving[moment] {
                let demand = &demands[*number];
                let length = reached[moment] + demand.length();
                if length > reached[demand.to] {
                    reached[demand.to] = length;
                    by[demand.to] = Some(*number);
                    if !std::mem::replace(&mut waits[demand.to], true) {
                        next.push(demand.to);
                    }
                }
            }
        }
        open = next;
        round += 1;
        if (round % 4 == 0 || round > moments)
            && let Some(cycle) = cycle(demands, &by)
        {
            return Answer::Contradiction(cycle);
        }
    }
    let mut order: Vec<usize> = (0..moments).collect();
    order.sort_by_key(|moment| (reached[*moment], *moment));
    Answer::Met(
        order
            .into_iter()
            .map(|moment| (moment, reached[moment].time))
            .collect(),
    )
}

/// A cycle among the demands by which moments were reached last.
fn cycle(demands: &[Demand], by: &[Option<usize>]) -> Option<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut seen = vec![NEW; by.len()];
    for start in 0..by.len() {
        let mut moment = start;
        while seen[moment] == NEW {
            seen[moment] = start;
            match by[moment] {
                Some(number) => moment = demands[number].from,
                None => break,
            }
        }
        if seen[moment] == start && by[moment].is_some() {
            let mut cycle = Vec::new();
            let end = moment;
            loop {
                let number = by[moment].expect("on the cycle");
                cycle.push(number);
                moment = demands[number].from;
                if moment == end {
                    cycle.reverse();
                    return Some(cycle);
                }
                by[moment]?;
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_get_times() {
        let demands = [
            Demand::after(0, 1, 5),
            Demand::within(0, 1, 7),
            Demand::after(1, 2, 0),
        ];
        let Answer::Met(times) = solve(3, &demands) else {
            panic!("can be met");
        };
        assert_eq!(times, [(0, 0), (1, 5), (2, 5)]);
    }

    #[test]
    fn too_late_is_a_contradiction() {
        let demands = [
            Demand::after(0, 1, 5),
            Demand::after(1, 2, 5),
            Demand::within(0, 2, 9),
        ];
        let Answer::Contradiction(mut cycle) = solve(3, &demands) else {
            panic!("cannot be met");
        };
        cycle.sort();
        assert_eq!(cycle, [0, 1, 2]);
    }

    #[test]
    fn ties_are_in_any_order_but_in_one() {
        // At most and at least 5 later, and one precedes the other at the same time: that is no contradiction.
        let tie = [
            Demand::after(0, 1, 5),
            Demand::within(0, 1, 5),
            Demand::after(0, 2, 5),
            Demand::within(0, 2, 5),
            Demand::after(2, 1, 0),
        ];
        let Answer::Met(times) = solve(3, &tie) else {
            panic!("can be met");
        };
        assert_eq!(times, [(0, 0), (2, 5), (1, 5)]);
        let both = [&tie[..], &[Demand::after(1, 2, 0)]].concat();
        let Answer::Contradiction(mut cycle) = solve(3, &both) else {
            panic!("cannot be met");
        };
        cycle.sort();
        assert_eq!(cycle, [4, 5]);
    }

    /// All demands on three moments with few values, against all times and orders.
    #[test]
    fn small_worlds() {
        let mut choices: Vec<Option<Demand>> = vec![None];
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            for by in [-1, 0, 1] {
                choices.push(Some(Demand::after(from, to, by.max(0))));
                choices.push(Some(Demand::within(from, to, by)));
            }
        }
        let orders = [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ];
        for a in &choices {
            for b in &choices {
                for c in &choices {
                    let demands: Vec<Demand> = [a, b, c].into_iter().flatten().copied().collect();
                    let times = || (0..64).map(|n| [n % 4, n / 4 % 4, n / 16].map(i128::from));
                    let met = times().any(|times: [i128; 3]| {
                        orders.iter().any(|places: &[usize; 3]| {
                            demands.iter().all(|d| {
                                let later = times[d.to] - times[d.from];
                                later >= d.by
                                    && !(d.precedes && later == 0 && places[d.to] < places[d.from])
                            })
                        })
                    });
                    match solve(3, &demands) {
                        Answer::Met(_) => assert!(met, "{demands:?}"),
                        Answer::Contradiction(_) => assert!(!met, "{demands:?}"),
                    }
                }
            }
        }
    }
}
