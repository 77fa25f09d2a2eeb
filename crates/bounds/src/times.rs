//! The plan for times in a claim: the threshold between the times for which the claim holds and the others.
//!
//! The claim is `always B(x)`, and x stands in it only where `now`, or how long something has not followed, is
//! compared with x plus a constant; everywhere so that a larger x makes the claim weaker, or everywhere stronger.
//! Let all constants without x be multiples of a unit. Whether the claim fails for x is whether a run has a moment with
//! t > x + c, or t ≥ x + c, and so on, where t is the time since the start or since another event, and everything else
//! that the violation demands is there. The times t at which it is there are, for each order of events, those of a
//! set that closed or open bounds on differences of times describe; so they are an interval whose ends are
//! multiples of the unit. Hence the threshold between the x for which the claim holds and the others is a multiple of the
//! unit, and it is enough to ask about multiples until there are two neighbours of which it separates, and
//! about the middle between those, which says to which side the threshold belongs. Every question has a grid that its
//! own x is on, and is exact there or is not answered.

use crate::monotone::{Larger, condition, in_the_end, larger};
use crate::oracle::{Found, Oracle, Outcome};
use crate::search::{Next, Plan};
use digitisation::{alone, unit};
use lower::Lowered;
use machine::{BinaryOp, Choice, Event, Expr, Machine};
use model::Constant;
use rational::Rational;
use source::Diagnostic;
use verdict::{Answer, Ending, Report, Run, Side, Threshold};

/// Times of more units are not tried.
const MOST_UNITS: i64 = 1 << 16;

/// The factor from one time to the next while the answer stays the same; where the claim holds, one search says where the threshold is.
const STRIDE: i64 = 8;

/// After so many units that fail, a run is sought that breaks the claim for every time.
const PATIENCE: i64 = 512;

/// The plan for one claim. Times are counted in halves of the unit.
pub(crate) struct Times<'a> {
    oracle: Oracle<'a>,
    claim: usize,
    greatest: bool,
    unit: Rational,
    stage: Stage,
    /// The run that breaks the claim nearest to the threshold so far, and the time it is about.
    run: Option<(Box<Run>, i64)>,
    /// The report for the time behind the threshold that is nearest to it so far.
    report: Option<Report>,
    /// A run that breaks the claim for every time need not be sought.
    sought_all: bool,
}

/// How far the search is.
enum Stage {
    /// Time 0: its answer is that of all times before the threshold.
    Zero,
    /// Larger and larger times, in units, until the answer changes.
    Gallop { before: i64, behind: i64 },
    /// Times at which runs break the claim because something is too early; if that does not lead to the threshold, `from` says between
    /// which units it is, by the run and report at the upper one.
    Earliest {
        halves: i64,
        run: Box<Run>,
        from: Box<(i64, i64, Box<Run>, Report)>,
    },
    /// Halves between two times of which the threshold separates.
    Halve { low: i64, high: i64 },
}

/// The plan for a claim, or a result without a search.
pub(crate) fn plan(
    oracle: Oracle<'_>,
    claim: usize,
    greatest: bool,
) -> Result<Result<Times<'_>, Box<Found>>, Vec<Diagnostic>> {
    let zero = Constant::Duration(Rational::default());
    let for_time = |time: &Rational| -> Result<Machine, Vec<Diagnostic>> {
        let lowered = oracle.for_value(claim, Constant::Duration(time.clone()))?;
        Ok(alone(&lowered.machine, &lowered.machine.properties[0]))
    };
    let first = for_time(&Rational::default())?;
    let unit = unit(&first);
    let second = for_time(&unit)?;
    let larger = match larger(&first, &second, &unit) {
        Ok(larger) => larger,
        Err(why) => return Ok(Err(Box::new(Found::unknown(why, zero)))),
    };
    if (larger == Larger::Stronger) != greatest {
        let (makes, word) = match greatest {
            true => ("weaker", "greatest"),
            false => ("stronger", "least"),
        };
        let why =
            format!("a larger time makes the claim {makes}: there is no {word} one to look for");
        return Ok(Err(Box::new(Found::unknown(why, zero))));
    }
    Ok(Ok(Times {
        oracle,
        claim,
        greatest,
        unit,
        stage: Stage::Zero,
        run: None,
        report: None,
        sought_all: greatest,
    }))
}

impl Plan for Times<'_> {
    fn first(&self) -> Constant {
        self.value(0)
    }

    fn ask(&self, value: &Constant) -> Result<Outcome, Vec<Diagnostic>> {
        self.oracle.ask(self.claim, value)
    }

    fn learn(&mut self, value: &Constant, outcome: Outcome) -> Result<Next, Vec<Diagnostic>> {
        let tried = match self.decided(value, outcome)? {
            Ok(tried) => tried,
            Err(found) => return Ok(Next::Found(found)),
        };
        match std::mem::replace(&mut self.stage, Stage::Zero) {
            Stage::Zero => match tried {
                Tried::Holds(report) if !self.greatest => {
                    Next::found(self.found(0, Side::Here, None, 0, report))
                }
                Tried::Fails(..) if self.greatest => {
                    let why = "it fails for 0, and so for every time";
                    Next::found(Found::unknown(why, self.value(0)))
                }
                Tried::Holds(_) => self.gallop(0, 1),
                Tried::Fails(broken, _) => {
                    self.run = Some((broken, 0));
                    self.gallop(0, 1)
                }
            },
            Stage::Gallop { before, behind } => match (tried, self.greatest) {
                (Tried::Fails(broken, _), false) => {
                    self.run = Some((broken, 2 * behind));
                    self.gallop(behind, STRIDE * behind)
                }
                (Tried::Holds(_), true) => self.gallop(behind, STRIDE * behind),
                (Tried::Holds(report), false) => {
                    if let Some(found) = self.by_the_latest(2 * behind, &report)? {
                        return Next::found(found);
                    }
                    self.report = Some(report);
                    self.halve(2 * before, 2 * behind)
                }
                (Tried::Fails(broken, report), true) => {
                    let from = Box::new((before, behind, broken.clone(), report));
                    self.earliest(2 * behind, broken, from)
                }
            },
            Stage::Earliest { halves, run, from } => match tried {
                Tried::Holds(report) => {
                    let found = self.found(halves, Side::Here, Some(run), halves + 2, report);
                    Next::found(found)
                }
                Tried::Fails(earlier, _) => self.earliest(halves, earlier, from),
            },
            Stage::Halve { low, high } => {
                let middle = self.middle(low, high);
                let (low, high) = match (tried, self.greatest) {
                    (Tried::Fails(broken, _), false) => {
                        self.run = Some((broken, middle));
                        (middle, high)
                    }
                    (Tried::Holds(report), false) => {
                        self.report = Some(report);
                        (low, middle)
                    }
                    (Tried::Holds(_), true) => (middle, high),
                    (Tried::Fails(broken, report), true) => {
                        self.run = Some((broken, middle));
                        self.report = Some(report);
                        (low, middle)
                    }
                };
                self.halve(low, high)
            }
        }
    }
}

/// A decided outcome.
enum Tried {
    Holds(Report),
    Fails(Box<Run>, Report),
}

impl Times<'_> {
    /// The outcome if it is decided, otherwise the result of the whole search.
    #[expect(clippy::type_complexity, reason = "a decided outcome, or the result")]
    fn decided(
        &self,
        value: &Constant,
        outcome: Outcome,
    ) -> Result<Result<Tried, Box<Found>>, Vec<Diagnostic>> {
        let why = match outcome {
            Outcome::Holds(report) => return Ok(Ok(Tried::Holds(report))),
            Outcome::Fails(run, report) => return Ok(Ok(Tried::Fails(run, report))),
            Outcome::Other(answer, report) => {
                return Ok(Err(Box::new(Found {
                    answer,
                    about: value.clone(),
                    report: Some(report),
                })));
            }
            Outcome::Vacuous(why) => format!("for {} {why}", self.said(value)?),
            Outcome::Open(why) => format!("not decided for {}: {why}", self.said(value)?),
        };
        Ok(Err(Box::new(Found::unknown(why, value.clone()))))
    }

    /// A number of halves of the unit.
    fn time(&self, halves: i64) -> Rational {
        &self.unit * Rational::new(halves.into(), 2)
    }

    fn value(&self, halves: i64) -> Constant {
        Constant::Duration(self.time(halves))
    }

    fn for_time(&self, time: &Rational) -> Result<Lowered, Vec<Diagnostic>> {
        let value = Constant::Duration(time.clone());
        self.oracle.for_value(self.claim, value)
    }

    /// A time as the model writes it.
    fn said(&self, value: &Constant) -> Result<String, Vec<Diagnostic>> {
        let Constant::Duration(time) = value else {
            unreachable!("a plan for times asks about times");
        };
        Ok(self.for_time(time)?.labels.time(time))
    }

    /// Asks about a time further away; before that, after many, whether the claim fails for every time.
    fn gallop(&mut self, before: i64, behind: i64) -> Result<Next, Vec<Diagnostic>> {
        if before >= PATIENCE && !self.sought_all {
            self.sought_all = true;
            if let Some(found) = self.for_every_time()? {
                return Next::found(found);
            }
        }
        if behind > MOST_UNITS {
            let value = self.value(2 * before);
            let so = if self.greatest { "holds" } else { "fails" };
            let said = self.said(&value)?;
            let why = format!("more than {said}: it {so} for every time up to there");
            return Next::found(Found::unknown(why, value));
        }
        self.stage = Stage::Gallop { before, behind };
        Ok(Next::Ask(self.value(2 * behind)))
    }

    /// The greatest time, where a run breaks the claim because something is too early: it does so for all times greater than that
    /// moment allows, so the greatest of the others is asked next.
    fn earliest(
        &mut self,
        halves: i64,
        run: Box<Run>,
        from: Box<(i64, i64, Box<Run>, Report)>,
    ) -> Result<Next, Vec<Diagnostic>> {
        let asked = self.time(halves);
        let next = match (self.bound(&asked)?, end(&run)) {
            (Some((BinaryOp::Ge, bound)), Some(moment)) => {
                let time = &asked - &(bound - moment);
                let units = (&time / &self.unit).to_i64();
                units.filter(|n| *n >= 0 && 2 * n < halves)
            }
            _ => None,
        };
        match next {
            Some(next) => {
                let halves = 2 * next;
                self.stage = Stage::Earliest { halves, run, from };
                Ok(Next::Ask(self.value(halves)))
            }
            None => {
                let (before, behind, broken, report) = *from;
                self.run = Some((broken, 2 * behind));
                self.report = Some(report);
                self.halve(2 * before, 2 * behind)
            }
        }
    }

    /// The time between two others that is asked: a multiple of the unit, or the half between two neighbours.
    fn middle(&self, low: i64, high: i64) -> i64 {
        match (low + high) / 2 {
            middle if high - low > 2 => middle - middle % 2,
            middle => middle,
        }
    }

    fn halve(&mut self, low: i64, high: i64) -> Result<Next, Vec<Diagnostic>> {
        if high - low > 1 {
            let middle = self.middle(low, high);
            self.stage = Stage::Halve { low, high };
            return Ok(Next::Ask(self.value(middle)));
        }
        let report = self.report.take().expect("the answer has changed");
        let (run, about) = match self.run.take() {
            Some((run, about)) => (Some(run), about),
            None => (None, 0),
        };
        // It changes between low and high, one of which is no multiple of the unit: the threshold is the other.
        let (threshold, side) = match (self.greatest, low % 2 == 0) {
            (false, false) => (high, Side::Here),
            (false, true) => (low, Side::Above),
            (true, true) => (low, Side::Here),
            (true, false) => (high, Side::Below),
        };
        Next::found(self.found(threshold, side, run, about, report))
    }

    /// The least time, where the search for a time for which the claim holds has seen the last moment at which the bound
    /// must not be over: then the claim holds for those that are not before it, and for no others.
    fn by_the_latest(
        &self,
        halves: i64,
        report: &Report,
    ) -> Result<Option<Found>, Vec<Diagnostic>> {
        let Some(latest) = report.findings.latest.first().cloned().flatten() else {
            return Ok(None);
        };
        let asked = self.time(halves);
        let (Some((op, bound)), Some(moment)) = (self.bound(&asked)?, end(&latest.run)) else {
            return Ok(None);
        };
        let time = &asked - &(bound - moment);
        if time.is_negative() {
            return Ok(None);
        }
        let side = match op {
            BinaryOp::Le => Side::Here,
            _ => Side::Above,
        };
        let below = (&time - &self.unit).max(Rational::default());
        let run = (!time.is_zero() || side == Side::Above).then_some(latest.run);
        Ok(Some(Found {
            answer: Answer::Time(
                Threshold {
                    time: time.clone(),
                    side,
                },
                run,
            ),
            about: Constant::Duration(if side == Side::Here { below } else { time }),
            report: Some(report.clone()),
        }))
    }

    /// What `now` is compared with, and how, if it is once and that is all of time in the claim.
    fn bound(&self, time: &Rational) -> Result<Option<(BinaryOp, Rational)>, Vec<Diagnostic>> {
        let lowered = self.for_time(time)?;
        let machine = alone(&lowered.machine, &lowered.machine.properties[0]);
        let mut bounds = Vec::new();
        if let Some(condition) = condition(&machine) {
            condition.walk(&mut |e| match e {
                Expr::Now(op, time) => bounds.push(Some((*op, time.clone()))),
                Expr::Overdue(_) => bounds.push(None),
                _ => {}
            });
        }
        Ok(match &mut bounds[..] {
            [bound] => bound.take(),
            _ => None,
        })
    }

    fn found(
        &self,
        threshold: i64,
        side: Side,
        run: Option<Box<Run>>,
        about: i64,
        report: Report,
    ) -> Found {
        let time = self.time(threshold);
        Found {
            answer: Answer::Time(Threshold { time, side }, run),
            about: Constant::Duration(self.time(about)),
            report: Some(report),
        }
    }

    /// A run that breaks the claim for every time: what the claim says when `now` is behind every bound is false
    /// again and again, or what must follow never does.
    fn for_every_time(&self) -> Result<Option<Found>, Vec<Diagnostic>> {
        let mut lowered = self.for_time(&Rational::default())?;
        let other = self.for_time(&self.unit)?;
        let only = |machine: &Machine| alone(machine, &machine.properties[0]);
        let Some(question) = in_the_end(&only(&lowered.machine), &only(&other.machine)) else {
            return Ok(None);
        };
        lowered.machine.properties = vec![question];
        let mut report = self.oracle.report(&lowered)?;
        Ok(match report.answers.remove(0) {
            Answer::Fails(run) => for_longer(&run, &self.unit).map(|run| Found {
                answer: Answer::NoBound(Box::new(run)),
                about: Constant::Duration(Rational::default()),
                report: Some(report),
            }),
            _ => None,
        })
    }
}

/// When a run ends.
fn end(run: &Run) -> Option<Rational> {
    match run.choices.last() {
        None => Some(Rational::default()),
        Some(choice) => choice.time.clone(),
    }
}

/// The same run, longer by a round of its loop, or by a unit in which it stands still; nothing if it is finite.
fn for_longer(run: &Run, unit: &Rational) -> Option<Run> {
    if run.ending != Ending::StandsStill {
        return later_loop(run);
    }
    let mut longer = run.clone();
    longer.choices.push(Choice {
        event: Event::Wait,
        picks: Vec::new(),
        time: Some(end(run)? + unit),
    });
    Some(longer)
}

/// The same run that goes round once more before its loop is said to begin; nothing if it has none.
fn later_loop(run: &Run) -> Option<Run> {
    let Ending::Loops(from) = run.ending else {
        return None;
    };
    let time = |number: usize| {
        run.choices
            .get(number)
            .and_then(|choice| choice.time.clone())
    };
    let began = from.checked_sub(1).and_then(time).unwrap_or_default();
    let lap = time(run.choices.len() - 1)? - began;
    let mut longer = run.clone();
    longer.ending = Ending::Loops(run.choices.len());
    let again = run.choices[from..].iter().cloned().map(|mut choice| {
        choice.time = choice.time.map(|time| time + &lap);
        choice
    });
    longer.choices.extend(again);
    Some(longer)
}
