//! The constraints that declared times impose on choices of orders, computed directly from the Machine and
//! independently of the crate `order`.
//!
//! All constraints concern the suffix of a run from an arbitrary moment, called the start. The first activation of a
//! node is not before the start and at most one gap after it, or as late as declared for the first activation of a run
//! if that is later. Gaps are as declared. Activations before the start, whose messages may be in transit, have the
//! numbers 0, -1, and so on backwards. For a node with fewer earlier activations, hypothetical ones are added (see the
//! head of `rule/mod.rs` in `order`).

use lp::{Linear, Multipliers, Problem, Relation, Unknown, check_infeasible};
use machine::{Channel, Delay, First, Jitter, Machine, NodeId, Periodic, Timing};
use rational::Rational;
use std::collections::BTreeMap;
use verdict::{Activation, Choice, Demanded};

/// The declared timings of all nodes of a Machine.
pub struct Timings<'m> {
    /// By node: its declared timing.
    of: Vec<&'m Periodic>,
    /// The least and the greatest delay of messages.
    delay: (Rational, Rational),
    /// Whether messages arrive as part of the sending event.
    at_once: bool,
}

/// A moment whose time is constrained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// An activation.
    At(Activation),
    /// The cut at which the claim is evaluated.
    Now,
}

/// A constraint between two moments, as an edge of a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The first moment.
    pub from: Moment,
    /// The second moment.
    pub to: Moment,
    /// The least value of time(to) - time(from); may be negative.
    pub by: Rational,
    /// Whether `from` must precede `to` if both have the same time.
    pub precedes: bool,
    /// The choice that implies the constraint; `None` if declared times do.
    pub choice: Option<Choice>,
}

impl Step {
    /// The sum of the least times along a cycle. If it is positive, the cycle is infeasible.
    pub fn sum(cycle: &[Step]) -> Rational {
        cycle
            .iter()
            .fold(Rational::ZERO, |sum, step| sum + &step.by)
    }
}

impl<'m> Timings<'m> {
    /// The timings of a Machine; `None` if some node is not periodic.
    pub fn of(machine: &'m Machine) -> Option<Timings<'m>> {
        let periodic = |node| match machine.timing(machine.kind_of(node)) {
            Some(Timing::Periodic(periodic)) => Some(periodic),
            _ => None,
        };
        Some(Timings {
            of: machine.nodes().map(periodic).collect::<Option<_>>()?,
            delay: match &machine.delay {
                Delay::Within(least, most) => (least.clone(), most.clone()),
                Delay::Any | Delay::BeforeNext => Default::default(),
            },
            at_once: machine.channel == Channel::Instant,
        })
    }

    /// The timing of a node; an error if there is no such node.
    pub fn periodic(&self, node: NodeId) -> Result<&'m Periodic, String> {
        let found = self.of.get(node.index()).copied();
        found.ok_or_else(|| format!("there is no node {}", node.0 + 1))
    }

    /// The longest time, from any moment of a run, until a message of a node arrives, if the node sends at every
    /// activation.
    pub fn silence(&self, node: NodeId) -> Result<Rational, String> {
        Ok(latest_first(self.periodic(node)?) + &self.delay.1)
    }

    /// Whether a message of a node always arrives before the next message of the node.
    pub fn cannot_overtake(&self, node: NodeId) -> Result<bool, String> {
        Ok(&self.delay.1 - &self.delay.0 < self.periodic(node)?.span(1).0)
    }

    /// Checks that choices, in this order, form an infeasible cycle together with declared times. Returns the edges of
    /// the cycle.
    pub fn cycle(&self, choices: &[Choice]) -> Result<Vec<Step>, String> {
        let mut steps: Vec<Step> = Vec::new();
        for (place, choice) in choices.iter().enumerate() {
            let step = self.step(*choice)?;
            let next = self.step(choices[(place + 1) % choices.len()])?;
            let between = self.between(step.to, next.from)?;
            steps.push(step);
            steps.extend(between);
        }
        let length = Step::sum(&steps);
        let precedes = steps.iter().all(|step| step.precedes);
        match length.is_positive() || (length.is_zero() && precedes && !steps.is_empty()) {
            true => Ok(steps),
            false => Err("a round of choices that times allow".into()),
        }
    }

    /// The constraint that a choice implies.
    fn step(&self, choice: Choice) -> Result<Step, String> {
        let (from, to, by, precedes) = match choice {
            Choice::Reaches(sent, read) => {
                let (sent, read) = (self.moment(sent)?, self.moment(read)?);
                (sent, read, self.delay.0.clone(), true)
            }
            Choice::Misses(sent, read) => {
                let (sent, read) = (self.moment(sent)?, self.moment(read)?);
                (read, sent, -self.delay.1.clone(), self.at_once)
            }
            Choice::Passed(one) => (self.moment(one)?, Moment::Now, Rational::ZERO, true),
            Choice::Ahead(one) => (Moment::Now, self.moment(one)?, Rational::ZERO, true),
        };
        Ok(Step {
            from,
            to,
            by,
            precedes,
            choice: Some(choice),
        })
    }

    fn moment(&self, one: Activation) -> Result<Moment, String> {
        self.periodic(one.0)?;
        match one.1.checked_abs() {
            Some(_) => Ok(Moment::At(one)),
            None => Err(format!("there is no activation {}", one.1)),
        }
    }

    /// The least time between two moments that declared times imply, as an edge; `None` if the moments are equal. The
    /// error states that declared times imply none.
    fn between(&self, from: Moment, to: Moment) -> Result<Option<Step>, String> {
        let (by, precedes) = match (from, to) {
            (from, to) if from == to => return Ok(None),
            (Moment::At((a, n)), Moment::At((b, m))) if a == b => {
                let periodic = self.periodic(a)?;
                match m > n {
                    true => (periodic.span(m.abs_diff(n)).0, true),
                    false => (-longest(periodic, m, n)?, false),
                }
            }
            // The path through the start.
            (Moment::At(one), to) => {
                let (back, over) = self.until_start(one)?;
                let (forth, behind) = match to {
                    Moment::At(other) => self.since_start(other)?,
                    Moment::Now => (Rational::ZERO, true),
                };
                (back + forth, over && behind)
            }
            (Moment::Now, _) => return Err("nothing says how late the moment is".into()),
        };
        Ok(Some(Step {
            from,
            to,
            by,
            precedes,
            choice: None,
        }))
    }

    /// The least time from an activation to the start (negative if it may be later), and whether the activation
    /// precedes the start if both have the same time.
    fn until_start(&self, (node, n): Activation) -> Result<(Rational, bool), String> {
        let periodic = self.periodic(node)?;
        Ok(match n {
            1.. => {
                let latest = latest_first(periodic) + periodic.span(n.unsigned_abs() - 1).1;
                (-latest, false)
            }
            _ => (periodic.span(n.unsigned_abs()).0, true),
        })
    }

    /// The least time from the start to an activation (negative if it may be earlier), and whether the start precedes
    /// the activation if both have the same time.
    fn since_start(&self, (node, n): Activation) -> Result<(Rational, bool), String> {
        let periodic = self.periodic(node)?;
        Ok(match n {
            1.. => (periodic.span(n.unsigned_abs() - 1).0, true),
            // The activation is at most this long before the first one after the start.
            _ => (-longest(periodic, n, 1)?, false),
        })
    }

    /// Checks that a linear combination of constraints is a contradiction.
    pub fn sum(&self, parts: &[(Demanded, Rational)]) -> Result<(), String> {
        let mut sum = Sum {
            timings: self,
            problem: Problem::new(),
            periods: BTreeMap::new(),
            moments: BTreeMap::new(),
        };
        let mut multipliers = Vec::new();
        for (demanded, by) in parts {
            multipliers.push((sum.row(*demanded)?, by.clone()));
        }
        let multipliers: Multipliers = multipliers.into_iter().collect();
        check_infeasible(&sum.problem, &multipliers)
            .map_err(|_| "demands on times that do not add up to a contradiction".into())
    }
}

/// The latest first activation after an arbitrary moment of a run, as a time since that moment.
fn latest_first(periodic: &Periodic) -> Rational {
    periodic.first_bounds().1.max(periodic.span(1).1)
}

/// The greatest time from one activation to a later one. A gap across the start may last as long as the latest first
/// activation. With jitter around a grid, this is an error unless the gap across the start obeys the bounds of other
/// gaps.
fn longest(periodic: &Periodic, from: i32, to: i32) -> Result<Rational, String> {
    let gaps = to.abs_diff(from);
    match (from <= 0 && to > 0, &periodic.jitter) {
        (false, _) => Ok(periodic.span(gaps).1),
        (true, Jitter::OnGrid(_)) if periodic.first_bounds().1 <= periodic.gap.1 => {
            Ok(periodic.span(gaps).1)
        }
        (true, Jitter::OnGrid(_)) => Err("nothing says how long ago something was sent".into()),
        (true, _) => Ok(periodic.span(gaps - 1).1 + latest_first(periodic)),
    }
}

/// Whether the first activation always comes within a period, so that a hypothetical activation one period earlier is
/// before the start.
fn has_room_before(periodic: &Periodic) -> bool {
    match &periodic.first.1 {
        First::At(time) => *time <= periodic.gap.0,
        First::Period => true,
    }
}

/// A linear program whose rows are constraints on times.
struct Sum<'r, 'm> {
    timings: &'r Timings<'m>,
    problem: Problem,
    periods: BTreeMap<NodeId, Unknown>,
    moments: BTreeMap<Moment, Unknown>,
}

impl Sum<'_, '_> {
    fn period(&mut self, node: NodeId) -> Unknown {
        let problem = &mut self.problem;
        *self
            .periods
            .entry(node)
            .or_insert_with(|| problem.unknown())
    }

    fn time(&mut self, moment: Moment) -> Unknown {
        let problem = &mut self.problem;
        *self
            .moments
            .entry(moment)
            .or_insert_with(|| problem.unknown())
    }

    /// Adds a constraint as a row.
    fn row(&mut self, demanded: Demanded) -> Result<lp::Row, String> {
        use Relation::{AtLeast, AtMost};
        let (left, relation, right) = match demanded {
            Demanded::By(choice) => {
                let step = self.timings.step(choice)?;
                let (from, to) = (self.time(step.from), self.time(step.to));
                (Linear::difference(to, from), AtLeast, step.by)
            }
            Demanded::PeriodFrom(node) => {
                let least = self.timings.periodic(node)?.gap.0.clone();
                (self.period(node).into(), AtLeast, least)
            }
            Demanded::PeriodTo(node) => {
                let most = self.timings.periodic(node)?.gap.1.clone();
                (self.period(node).into(), AtMost, most)
            }
            Demanded::FirstFrom(node) => {
                let first = self.timings.moment((node, 1))?;
                (self.time(first).into(), AtLeast, Rational::ZERO)
            }
            Demanded::FirstTo(node) => {
                let latest = latest_first(self.timings.periodic(node)?);
                let first = self.timings.moment((node, 1))?;
                (self.time(first).into(), AtMost, latest)
            }
            Demanded::Over(one) => {
                if one.1 > 0 {
                    return Err("an activation that is not before the beginning".into());
                }
                let moment = self.timings.moment(one)?;
                (self.time(moment).into(), AtMost, Rational::ZERO)
            }
            Demanded::GapFrom(after) => {
                let (left, (least, _)) = self.gap(after)?;
                (left, AtLeast, least)
            }
            Demanded::GapTo(after) => {
                let (left, (_, most)) = self.gap(after)?;
                (left, AtMost, most)
            }
            Demanded::Now => (self.time(Moment::Now).into(), AtLeast, Rational::ZERO),
        };
        Ok(self.problem.row(left, relation, right))
    }

    /// The time from an activation to the next one, minus the period if that is fixed, with its least and greatest
    /// value.
    fn gap(&mut self, after: Activation) -> Result<(Linear, (Rational, Rational)), String> {
        let (node, n) = after;
        let periodic = self.timings.periodic(node)?;
        if n <= 0 && !has_room_before(periodic) {
            return Err("nothing says how long ago something was sent".into());
        }
        let from = self.timings.moment(after)?;
        let next = n
            .checked_add(1)
            .ok_or("there are not so many activations")?;
        let to = self.timings.moment((node, next))?;
        let gap = Linear::difference(self.time(to), self.time(from));
        if !periodic.fixed {
            return Ok((gap, periodic.span(1)));
        }
        let slack = match &periodic.jitter {
            Jitter::None => Rational::ZERO,
            Jitter::PerGap(by) => by.clone(),
            Jitter::OnGrid(by) => by + by,
        };
        let period = [(self.period(node), Rational::from(-1))];
        let apart = gap.terms().iter().cloned().chain(period).collect();
        Ok((apart, (-slack.clone(), slack)))
    }
}
