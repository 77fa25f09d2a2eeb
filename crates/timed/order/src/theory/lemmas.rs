//! Lemmas: clauses about the order of the events of two or three nodes that follow from declared times.
//!
//! A choice of an order is a difference constraint from an activation of one node to an activation of another. Two such
//! constraints, there and back, or three around three nodes, form a cycle together with the gaps within each node. If
//! the cycle is infeasible, at least one of the choices is false. Of two candidates for the third choice of which one
//! implies the other, only the weaker gives a clause.

use crate::constraints::atoms::Atom;
use crate::constraints::difference::Constraint;
use crate::defects::{Defect, broken};
use crate::unroll::unrolled::Unrolled;
use machine::NodeId;
use std::collections::BTreeMap;

/// A node, or `None` for the cut.
type Lane = Option<NodeId>;

/// A value of an order atom: its literal, and the constraint that it implies.
#[derive(Clone, Copy)]
struct Choice {
    literal: i32,
    /// The numbers of the activations that the constraint relates; 0 for the cut.
    from: u32,
    to: u32,
    by: i128,
    precedes: bool,
    new: bool,
}

/// All choices, by the pair of nodes that their constraints relate.
pub struct Lemmas<'u, 's, 'm> {
    unrolled: &'u Unrolled<'s, 'm>,
    between: BTreeMap<(Lane, Lane), Vec<Choice>>,
    lanes: Vec<Lane>,
}

/// The largest number of pairs of consecutive choices for which clauses about three nodes are generated.
const MAX_TRIPLES: usize = 4_000_000;

impl<'u, 's, 'm> Lemmas<'u, 's, 'm> {
    /// Collects the choices of atoms, given with their literals. The clauses among the atoms before index `new_from`
    /// have been generated already.
    pub fn of(
        unrolled: &'u Unrolled<'s, 'm>,
        atoms: &[(i32, Atom)],
        new_from: usize,
    ) -> Lemmas<'u, 's, 'm> {
        let mut between: BTreeMap<(Lane, Lane), Vec<Choice>> = BTreeMap::new();
        for (number, (literal, atom)) in atoms.iter().enumerate() {
            for value in [true, false] {
                let constraint = unrolled.atoms.constraint(&unrolled.times, *atom, value);
                let Some((from, to)) = ends(unrolled, *atom, &constraint) else {
                    continue;
                };
                let choices = between.entry((from.0, to.0)).or_default();
                choices.push(Choice {
                    literal: if value { *literal } else { -literal },
                    from: from.1,
                    to: to.1,
                    by: constraint.by,
                    precedes: constraint.precedes,
                    new: number >= new_from,
                });
            }
        }
        let mut lanes: Vec<Lane> = between.keys().flat_map(|(a, b)| [*a, *b]).collect();
        lanes.sort();
        lanes.dedup();
        Lemmas {
            unrolled,
            between,
            lanes,
        }
    }

    /// Generates all clauses that contain a new choice. The literals of a clause are in the order in which their
    /// negations form the cycle.
    pub fn all_clauses(&self, clause: &mut dyn FnMut(&[i32])) {
        self.pair_clauses(clause);
        self.triple_clauses(clause);
    }

    /// Generates the clauses with two choices.
    pub fn pair_clauses(&self, clause: &mut dyn FnMut(&[i32])) {
        for ((a, b), there) in &self.between {
            if a > b {
                continue;
            }
            let back = self.choices(*b, *a);
            for first in there {
                let path = Path {
                    from: first.from,
                    to: first.to,
                    by: first.by,
                    precedes: first.precedes,
                };
                let wrong = back.iter().filter(|second| {
                    first.literal != second.literal
                        && (first.new || second.new)
                        && self.closes_cycle(*a, *b, path, second)
                });
                wrong.for_each(|second| clause(&[-first.literal, -second.literal]));
            }
        }
    }

    /// Generates the clauses with three choices, unless there are too many (more than `MAX_TRIPLES`).
    pub fn triple_clauses(&self, clause: &mut dyn FnMut(&[i32])) {
        if self.triples() > MAX_TRIPLES {
            return;
        }
        for (place, a) in self.lanes.iter().enumerate() {
            for b in &self.lanes[place + 1..] {
                for c in &self.lanes[place + 1..] {
                    if b != c {
                        self.round(*a, *b, *c, clause);
                    }
                }
            }
        }
    }

    fn choices(&self, from: Lane, to: Lane) -> &[Choice] {
        self.between.get(&(from, to)).map_or(&[], |all| &all[..])
    }

    /// The number of pairs of choices such that the second leaves the node at which the first ends: a measure of the
    /// effort of [`Lemmas::triple_clauses`].
    pub fn triples(&self) -> usize {
        let mut sum = 0;
        for ((_, b), first) in &self.between {
            let next = self
                .between
                .range((*b, None)..)
                .take_while(|((x, _), _)| x == b);
            sum += first.len() * next.map(|(_, second)| second.len()).sum::<usize>();
        }
        sum
    }

    /// Generates the clauses about the cycle a, b, c.
    fn round(&self, a: Lane, b: Lane, c: Lane, clause: &mut dyn FnMut(&[i32])) {
        let last = self.choices(c, a);
        if last.is_empty() {
            return;
        }
        for first in self.choices(a, b) {
            for second in self.choices(b, c) {
                let path = self.path(b, first, second);
                // Among constraints from c to a, weaker ones start at earlier moments, end at later ones, and require
                // less.
                let mut weakest: Vec<&Choice> = Vec::new();
                for third in last {
                    let impossible = || self.closes_cycle(a, c, path, third);
                    let follows = weakest.iter().any(|other| {
                        other.from <= third.from && other.to >= third.to && other.by <= third.by
                    });
                    if (first.new || second.new || third.new) && !follows && impossible() {
                        weakest.retain(|other| {
                            !(third.from <= other.from
                                && third.to >= other.to
                                && third.by <= other.by)
                        });
                        weakest.push(third);
                    }
                }
                for third in weakest {
                    clause(&[-first.literal, -second.literal, -third.literal]);
                }
            }
        }
    }

    /// The constraint that two consecutive choices imply: the least time from the beginning of the first to the end of
    /// the second, and whether the first moment must precede the last at equal times.
    fn path(&self, at: Lane, first: &Choice, second: &Choice) -> Path {
        let gap = self.gap(at, first.to, second.from);
        Path {
            from: first.from,
            to: second.to,
            by: first.by + gap.0 + second.by,
            precedes: first.precedes && gap.1 && second.precedes,
        }
    }

    fn closes_cycle(&self, a: Lane, c: Lane, path: Path, third: &Choice) -> bool {
        let (to, back) = (
            self.gap(c, path.to, third.from),
            self.gap(a, third.to, path.from),
        );
        let time = path.by + to.0 + third.by + back.0;
        time > 0 || (time == 0 && path.precedes && to.1 && third.precedes && back.1)
    }

    /// The least time from one activation of a node to another (negative if the other is earlier), and whether the
    /// first must precede the second at equal times.
    fn gap(&self, lane: Lane, from: u32, to: u32) -> (i128, bool) {
        let Some(node) = lane else {
            return (0, true);
        };
        match to.cmp(&from) {
            std::cmp::Ordering::Equal => (0, true),
            std::cmp::Ordering::Greater => (self.unrolled.times.span(node, to - from).0, true),
            std::cmp::Ordering::Less if broken(Defect::LemmaTooStrong) => {
                (self.unrolled.times.span(node, from - to).0, false)
            }
            std::cmp::Ordering::Less => (-self.unrolled.times.span(node, from - to).1, false),
        }
    }
}

/// A constraint from one activation to another that consecutive choices imply.
#[derive(Clone, Copy)]
struct Path {
    from: u32,
    to: u32,
    by: i128,
    precedes: bool,
}

/// The ends of the constraint of an atom; `None` for messages sent before the start, about which there are no lemmas.
fn ends(
    unrolled: &Unrolled<'_, '_>,
    atom: Atom,
    constraint: &Constraint,
) -> Option<((Lane, u32), (Lane, u32))> {
    let candidates = match atom {
        Atom::Arrived(a, b) => [Some(a), Some(b)],
        Atom::Passed(a) => [Some(a), None],
        Atom::Reached(..) => return None,
    };
    let place = |moment: usize| {
        let mut candidates = candidates.into_iter().flatten();
        match candidates.find(|a| unrolled.atoms.moment(*a) == moment) {
            Some((node, n)) => (Some(node), n),
            None => (None, 0),
        }
    };
    Some((place(constraint.from), place(constraint.to)))
}
