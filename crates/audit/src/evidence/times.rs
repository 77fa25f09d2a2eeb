//! What declared times say about choices of who comes first: an arithmetic of its own, straight from the Machine.
//!
//! All of it is about what is left of a run behind any moment of it: the first activation of a node is not before that moment and
//! a whole gap behind it at the latest (where runs begin it may be later: then so much); gaps are what is declared.

use lp::{Linear, Multipliers, Problem, Relation, Unknown, check_infeasible};
use machine::{Delay, Jitter, Machine, NodeId, Periodic, Timing};
use rational::Rational;
use std::collections::BTreeMap;
use verdict::{Activation, Choice, Demanded};

/// The rhythms of all nodes of a Machine.
pub struct Rhythms<'m> {
    /// By node.
    of: Vec<&'m Periodic>,
    /// How long messages take.
    delay: (Rational, Rational),
}

/// A moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// An activation.
    At(Activation),
    /// The one that is looked at.
    Now,
}

/// From one moment to another of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// From here.
    pub from: Moment,
    /// To there.
    pub to: Moment,
    /// It is at least so much later; negative if it is at most so much earlier.
    pub by: Rational,
    /// It is not before it, also where both are at the same time.
    pub precedes: bool,
    /// The choice that says so; none if times do.
    pub choice: Option<Choice>,
}

impl<'m> Rhythms<'m> {
    /// Of a Machine in which every node has a rhythm.
    pub fn of(machine: &'m Machine) -> Option<Rhythms<'m>> {
        let rhythm = |node| match machine.timing(machine.kind_of(node)) {
            Some(Timing::Periodic(periodic)) => Some(periodic),
            _ => None,
        };
        Some(Rhythms {
            of: machine.nodes().map(rhythm).collect::<Option<_>>()?,
            delay: match &machine.delay {
                Delay::Within(least, most) => (least.clone(), most.clone()),
                Delay::Any | Delay::BeforeNext => Default::default(),
            },
        })
    }

    /// The rhythm of a node.
    pub fn rhythm(&self, node: NodeId) -> Result<&'m Periodic, String> {
        let found = self.of.get(node.index()).copied();
        found.ok_or_else(|| format!("there is no node {}", node.0 + 1))
    }

    /// Whether choices, in this order, lead round to a moment that would be later than itself; the steps of that way.
    pub fn round(&self, choices: &[Choice]) -> Result<Vec<Step>, String> {
        let mut steps: Vec<Step> = Vec::new();
        for (place, choice) in choices.iter().enumerate() {
            let step = self.step(*choice)?;
            let next = self.step(choices[(place + 1) % choices.len()])?;
            let between = self.between(step.to, next.from)?;
            steps.push(step);
            steps.extend(between);
        }
        let length: Rational = steps.iter().fold(Rational::ZERO, |sum, s| sum + &s.by);
        let precedes = steps.iter().all(|step| step.precedes);
        match length.is_positive() || (length.is_zero() && precedes && !steps.is_empty()) {
            true => Ok(steps),
            false => Err("a round of choices that times allow".into()),
        }
    }

    /// What a choice demands.
    fn step(&self, choice: Choice) -> Result<Step, String> {
        let (from, to, by, precedes) = match choice {
            Choice::Reaches(sent, read) => {
                let (sent, read) = (self.moment(sent)?, self.moment(read)?);
                (sent, read, self.delay.0.clone(), true)
            }
            Choice::Misses(sent, read) => {
                let (sent, read) = (self.moment(sent)?, self.moment(read)?);
                let at_once = self.delay.1.is_zero();
                (read, sent, -self.delay.1.clone(), at_once)
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
        self.rhythm(one.0)?;
        match one.1 {
            1.. => Ok(Moment::At(one)),
            _ => Err(format!("there is no activation {}", one.1)),
        }
    }

    /// How much later one moment is than another at least, by times alone; nothing if it is the same moment.
    fn between(&self, from: Moment, to: Moment) -> Result<Option<Step>, String> {
        let (by, precedes) = match (from, to) {
            (from, to) if from == to => return Ok(None),
            (Moment::At((a, n)), Moment::At((b, m))) if a == b => {
                let span = self.rhythm(a)?.span(m.abs_diff(n));
                match m > n {
                    true => (span.0, true),
                    false => (-span.1, false),
                }
            }
            // By way of the beginning.
            (Moment::At((a, n)), to) => {
                let rhythm = self.rhythm(a)?;
                let latest = latest_first(rhythm) + rhythm.span(n.unsigned_abs() - 1).1;
                let earliest = match to {
                    Moment::At((b, m)) => self.rhythm(b)?.span(m.unsigned_abs() - 1).0,
                    Moment::Now => Rational::ZERO,
                };
                (earliest - latest, false)
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

    /// Whether what is demanded, multiplied, adds up to something impossible.
    pub fn sum(&self, parts: &[(Demanded, Rational)]) -> Result<(), String> {
        let mut sum = Sum {
            rhythms: self,
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

/// How late the first activation is behind any moment of a run.
fn latest_first(rhythm: &Periodic) -> Rational {
    rhythm.first_bounds().1.max(rhythm.span(1).1)
}

/// Demands on times as rows.
struct Sum<'r, 'm> {
    rhythms: &'r Rhythms<'m>,
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

    /// The row that says what is demanded.
    fn row(&mut self, demanded: Demanded) -> Result<lp::Row, String> {
        use Relation::{AtLeast, AtMost};
        let (left, relation, right) = match demanded {
            Demanded::By(choice) => {
                let step = self.rhythms.step(choice)?;
                let (from, to) = (self.time(step.from), self.time(step.to));
                (Linear::difference(to, from), AtLeast, step.by)
            }
            Demanded::PeriodFrom(node) => {
                let least = self.rhythms.rhythm(node)?.gap.0.clone();
                (self.period(node).into(), AtLeast, least)
            }
            Demanded::PeriodTo(node) => {
                let most = self.rhythms.rhythm(node)?.gap.1.clone();
                (self.period(node).into(), AtMost, most)
            }
            Demanded::FirstFrom(node) => {
                let first = self.rhythms.moment((node, 1))?;
                (self.time(first).into(), AtLeast, Rational::ZERO)
            }
            Demanded::FirstTo(node) => {
                let latest = latest_first(self.rhythms.rhythm(node)?);
                let first = self.rhythms.moment((node, 1))?;
                (self.time(first).into(), AtMost, latest)
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

    /// From an activation to the next, with a fixed period without it: what that is at least and at most.
    fn gap(&mut self, after: Activation) -> Result<(Linear, (Rational, Rational)), String> {
        let (node, n) = after;
        let rhythm = self.rhythms.rhythm(node)?;
        let from = self.rhythms.moment(after)?;
        let next = n
            .checked_add(1)
            .ok_or("there are not so many activations")?;
        let to = self.rhythms.moment((node, next))?;
        let gap = Linear::difference(self.time(to), self.time(from));
        if !rhythm.fixed {
            return Ok((gap, rhythm.span(1)));
        }
        let slack = match &rhythm.jitter {
            Jitter::None => Rational::ZERO,
            Jitter::PerGap(by) => by.clone(),
            Jitter::OnGrid(by) => by + by,
        };
        let period = [(self.period(node), Rational::from(-1))];
        let apart = gap.terms().iter().cloned().chain(period).collect();
        Ok((apart, (-slack.clone(), slack)))
    }
}
