//! Difference constraints: decides whether moments can be given times that respect required distances and orders.
//!
//! **Method.** A constraint requires time(to) - time(from) >= by; `by` may be negative. A set of constraints is
//! infeasible if and only if they form a cycle of positive length. Bellman-Ford computes longest paths and finds such a
//! cycle. The constraints of the cycle are infeasible whatever other constraints are added.
//!
//! **Ties.** Events at the same time occur in some order, and every order is possible. So a constraint may also require
//! that the first moment *precedes* the second if both have the same time. A cycle whose times add up to zero is
//! infeasible if all its constraints require precedence, because an event would precede itself; otherwise it is
//! feasible. A path length is therefore a pair, compared lexicographically: a time and a place. A constraint adds 1 to
//! the place if it requires precedence, and a large negative number if it does not.

/// The length of a path: its time, and its place for ties.
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

/// The place of a constraint without precedence: so small that no number of other constraints makes the sum positive.
const FAR_BACK: i64 = -(1 << 40);

/// A difference constraint between two moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The number of the first moment.
    pub from: usize,
    /// The number of the second moment.
    pub to: usize,
    /// The least value of time(to) - time(from), in units.
    pub by: i128,
    /// Whether `from` must precede `to` if both have the same time.
    pub precedes: bool,
}

impl Constraint {
    /// `to` is at least `by` later than `from`, and `from` precedes `to` if both have the same time.
    pub fn after(from: usize, to: usize, by: i128) -> Constraint {
        Constraint {
            from,
            to,
            by,
            precedes: true,
        }
    }

    /// `to` is at most `by` later than `from`.
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

/// Whether a set of constraints is feasible, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasibility {
    /// The constraints are feasible. Lists all moments with their times in an order that satisfies the constraints.
    Feasible(Vec<(usize, i128)>),
    /// The constraints at these indices form an infeasible cycle.
    Cycle(Vec<usize>),
}

/// Decides whether constraints on the moments 0 to `moments` - 1 are feasible.
pub fn solve(moments: usize, constraints: &[Constraint]) -> Feasibility {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); moments];
    for (number, constraint) in constraints.iter().enumerate() {
        leaving[constraint.from].push(number);
    }
    let mut reached = vec![Length::default(); moments];
    let mut by: Vec<Option<usize>> = vec![None; moments];
    // Relaxation continues as long as some path length increases. If it does not end after as many rounds as there are
    // moments, there is an infeasible cycle. Usually the cycle exists much earlier, so the code looks for one every
    // four rounds.
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

/// A cycle among the constraints in `by`; `by` holds for each moment the constraint that determined its current time.
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
        // Moments 1 and 2 are exactly 5 later than moment 0, and moment 2 precedes moment 1: feasible.
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

    /// Compares `solve` with an enumeration of all times and orders, for all combinations of three constraints on three
    /// moments with small distances.
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
