//! Difference constraints: whether moments can have times with the required distances and order.
//!
//! **Method.** A constraint requires that one moment is at least some time later than another (the time may be
//! negative: then the other is at most that much later). Constraints are feasible unless they form a cycle
//! whose moments would have to be later than themselves. Bellman-Ford computes longest paths and finds such a
//! cycle on them. A cycle is a *reason*: its constraints are infeasible whatever other constraints there are.
//!
//! **Ties.** Events at the same time occur in some order, and every order is possible. So a constraint may also
//! require that the first moment *precedes* the second. A cycle of length zero is infeasible if every
//! constraint in it has this requirement, for then an event would precede itself; otherwise its moments are at
//! fixed distances, which is feasible. A length is therefore a time and, for ties, a place: one more for a
//! constraint that requires precedence, and far less for one that does not.

/// A length of a path: a time, and for ties a number of places.
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

/// A place that no number of constraints makes up for.
const FAR_BACK: i64 = -(1 << 40);

/// A difference constraint between two moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The first moment.
    pub from: usize,
    /// The second moment.
    pub to: usize,
    /// The second moment is at least this much later than the first, in units.
    pub by: i128,
    /// The first moment precedes the second, even if both are at the same time.
    pub precedes: bool,
}

impl Constraint {
    /// At least `by` later, and not before it.
    pub fn after(from: usize, to: usize, by: i128) -> Constraint {
        Constraint {
            from,
            to,
            by,
            precedes: true,
        }
    }

    /// At most `by` later.
    pub fn within(from: usize, to: usize, by: i128) -> Constraint {
        Constraint {
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

/// The result for a set of constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasibility {
    /// They are feasible; all moments in an order in which they occur, with their times.
    Feasible(Vec<(usize, i128)>),
    /// These constraints, by their numbers, form an infeasible cycle.
    Cycle(Vec<usize>),
}

/// Decides whether constraints on a number of moments are feasible.
pub fn solve(moments: usize, constraints: &[Constraint]) -> Feasibility {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); moments];
    for (number, constraint) in constraints.iter().enumerate() {
        leaving[constraint.from].push(number);
    }
    let mut reached = vec![Length::default(); moments];
    let mut by: Vec<Option<usize>> = vec![None; moments];
    // Relaxation continues as long as some moment gets later. After as many passes as there are moments there
    // is a cycle, and usually much sooner, so a cycle is looked for every few passes.
    let mut open: Vec<usize> = (0..moments).collect();
    let mut waits = vec![true; moments];
    let mut round = 0;
    while !open.is_empty() {
        let mut next = Vec::new();
        for moment in open {
            waits[moment] = false;
            for number in &leaving[moment] {
                let constraint = &constraints[*number];
                let length = reached[moment] + constraint.length();
                if length > reached[constraint.to] {
                    reached[constraint.to] = length;
                    by[constraint.to] = Some(*number);
                    if !std::mem::replace(&mut waits[constraint.to], true) {
                        next.push(constraint.to);
                    }
                }
            }
        }
        open = next;
        round += 1;
        if (round % 4 == 0 || round > moments)
            && let Some(cycle) = cycle(constraints, &by)
        {
            return Feasibility::Cycle(cycle);
        }
    }
    let mut order: Vec<usize> = (0..moments).collect();
    order.sort_by_key(|moment| (reached[*moment], *moment));
    Feasibility::Feasible(
        order
            .into_iter()
            .map(|moment| (moment, reached[moment].time))
            .collect(),
    )
}

/// A cycle among the constraints that determined the current times.
fn cycle(constraints: &[Constraint], by: &[Option<usize>]) -> Option<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut seen = vec![NEW; by.len()];
    for start in 0..by.len() {
        let mut moment = start;
        while seen[moment] == NEW {
            seen[moment] = start;
            match by[moment] {
                Some(number) => moment = constraints[number].from,
                None => break,
            }
        }
        if seen[moment] == start && by[moment].is_some() {
            let mut cycle = Vec::new();
            let end = moment;
            loop {
                let number = by[moment].expect("on the cycle");
                cycle.push(number);
                moment = constraints[number].from;
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
        let constraints = [
            Constraint::after(0, 1, 5),
            Constraint::within(0, 1, 7),
            Constraint::after(1, 2, 0),
        ];
        let Feasibility::Feasible(times) = solve(3, &constraints) else {
            panic!("can be met");
        };
        assert_eq!(times, [(0, 0), (1, 5), (2, 5)]);
    }

    #[test]
    fn too_late_is_a_contradiction() {
        let constraints = [
            Constraint::after(0, 1, 5),
            Constraint::after(1, 2, 5),
            Constraint::within(0, 2, 9),
        ];
        let Feasibility::Cycle(mut cycle) = solve(3, &constraints) else {
            panic!("cannot be met");
        };
        cycle.sort();
        assert_eq!(cycle, [0, 1, 2]);
    }

    #[test]
    fn ties_are_in_any_order_but_in_one() {
        // At least and at most 5 later, and one precedes the other at the same time: this is feasible.
        let tie = [
            Constraint::after(0, 1, 5),
            Constraint::within(0, 1, 5),
            Constraint::after(0, 2, 5),
            Constraint::within(0, 2, 5),
            Constraint::after(2, 1, 0),
        ];
        let Feasibility::Feasible(times) = solve(3, &tie) else {
            panic!("can be met");
        };
        assert_eq!(times, [(0, 0), (2, 5), (1, 5)]);
        let both = [&tie[..], &[Constraint::after(1, 2, 0)]].concat();
        let Feasibility::Cycle(mut cycle) = solve(3, &both) else {
            panic!("cannot be met");
        };
        cycle.sort();
        assert_eq!(cycle, [4, 5]);
    }

    /// All constraints on three moments with few values, compared with all times and orders.
    #[test]
    fn small_worlds() {
        let mut choices: Vec<Option<Constraint>> = vec![None];
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            for by in [-1, 0, 1] {
                choices.push(Some(Constraint::after(from, to, by.max(0))));
                choices.push(Some(Constraint::within(from, to, by)));
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
                    let constraints: Vec<Constraint> =
                        [a, b, c].into_iter().flatten().copied().collect();
                    let times = || (0..64).map(|n| [n % 4, n / 4 % 4, n / 16].map(i128::from));
                    let met = times().any(|times: [i128; 3]| {
                        orders.iter().any(|places: &[usize; 3]| {
                            constraints.iter().all(|d| {
                                let later = times[d.to] - times[d.from];
                                later >= d.by
                                    && !(d.precedes && later == 0 && places[d.to] < places[d.from])
                            })
                        })
                    });
                    match solve(3, &constraints) {
                        Feasibility::Feasible(_) => assert!(met, "{constraints:?}"),
                        Feasibility::Cycle(_) => assert!(!met, "{constraints:?}"),
                    }
                }
            }
        }
    }
}
