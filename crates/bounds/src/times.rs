//! The plan for times in a claim: the threshold between the times for which the claim holds and the others.
//!
//! The claim is `always B(x)`, and x occurs in it only where `now`, or the age of a pending response, is compared with x plus a
//! constant; a larger x makes the claim weaker in all these places, or stronger in all of them. Let all constants without x be
//! multiples of a unit. The claim fails for x if a run has a moment with t > x + c, or t ≥ x + c, and so on, at which the rest of
//! the violation is true, where t is the time since the start or since another event. For each order of events, closed or open bounds
//! on differences of times describe the set of these t; so the set is an interval whose ends are multiples of the unit. Hence the
//! threshold between the x for which the claim holds and the others is a multiple of the unit. It is enough to ask multiples of the
//! unit until the threshold lies between two neighbours, and then the middle between them, which decides to which side the threshold
//! belongs. Every question is digitised with a unit that divides its own x; it is answered exactly or not at all.

use crate::monotone::{Monotone, condition, limit_claim, monotone};
use crate::oracle::{Found, Oracle, Outcome};
use crate::search::{Next, Plan};
use digitisation::{alone, unit};
use lower::Lowered;
use machine::{BinaryOp, Choice, Event, Expr, Machine};
use model::Constant;
use rational::Rational;
use source::Diagnostic;
use verdict::{Answer, Ending, Report, Run, Side, Threshold};

/// The largest number of units of a time that is tried.
const MOST_UNITS: i64 = 1 << 16;

/// The factor from one time to the next while the answer stays the same. It is large because one search in which the claim holds may
/// give the threshold.
const STRIDE: i64 = 8;

/// The time in units, with a failed claim, after which a run is searched that breaks the claim for every time.
const PATIENCE: i64 = 512;

/// The plan for one claim. Times are counted in half units.
pub(crate) struct Times<'a> {
    oracle: Oracle<'a>,
    claim: usize,
    greatest: bool,
    unit: Rational,
    stage: Stage,
    /// The run that breaks the claim for the time nearest to the threshold so far, and that time.
    run: Option<(Box<Run>, i64)>,
    /// The report for the nearest time beyond the threshold so far.
    report: Option<Report>,
    /// A run that breaks the claim for every time was searched, or need not be.
    searched_all: bool,
}

/// The stage of the search.
enum Stage {
    /// Time 0 is asked. Its answer is the answer for all times before the threshold.
    Zero,
    /// Growing times, in units, are asked until the answer changes. The threshold is not before `before`; `next` is asked.
    Gallop { before: i64, next: i64 },
    /// Runs break the claim because an event is too early, and lead to earlier and earlier times. If they do not lead to the threshold,
    /// bisection starts with `from`: the lower and the upper time in units, and the run and report for the upper one.
    Earliest {
        halves: i64,
        run: Box<Run>,
        from: Box<(i64, i64, Box<Run>, Report)>,
    },
    /// Bisection: the threshold lies between two times.
    Bisect { low: i64, high: i64 },
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
    let effect = match monotone(&first, &second, &unit) {
        Ok(effect) => effect,
        Err(why) => return Ok(Err(Box::new(Found::unknown(why, zero)))),
    };
    if (effect == Monotone::Stronger) != greatest {
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
        searched_all: greatest,
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
        let decided = match self.decided(value, outcome)? {
            Ok(decided) => decided,
            Err(found) => return Ok(Next::Found(found)),
        };
        match std::mem::replace(&mut self.stage, Stage::Zero) {
            Stage::Zero => match decided {
                Decided::Holds(report) if !self.greatest => {
                    Next::found(self.found(0, Side::Here, None, 0, report))
                }
                Decided::Fails(..) if self.greatest => {
                    let why = "it fails for 0, and so for every time";
                    Next::found(Found::unknown(why, self.value(0)))
                }
                Decided::Holds(_) => self.gallop(0, 1),
                Decided::Fails(broken, _) => {
                    self.run = Some((broken, 0));
                    self.gallop(0, 1)
                }
            },
            Stage::Gallop { before, next } => match (decided, self.greatest) {
                (Decided::Fails(broken, _), false) => {
                    self.run = Some((broken, 2 * next));
                    self.gallop(next, STRIDE * next)
                }
                (Decided::Holds(_), true) => self.gallop(next, STRIDE * next),
                (Decided::Holds(report), false) => {
                    if let Some(found) = self.by_the_latest(2 * next, &report)? {
                        return Next::found(found);
                    }
                    self.report = Some(report);
                    self.bisect(2 * before, 2 * next)
                }
                (Decided::Fails(broken, report), true) => {
                    let from = Box::new((before, next, broken.clone(), report));
                    self.earliest(2 * next, broken, from)
                }
            },
            Stage::Earliest { halves, run, from } => match decided {
                Decided::Holds(report) => {
                    let found = self.found(halves, Side::Here, Some(run), halves + 2, report);
                    Next::found(found)
                }
                Decided::Fails(earlier, _) => self.earliest(halves, earlier, from),
            },
            Stage::Bisect { low, high } => {
                let middle = self.middle(low, high);
                let (low, high) = match (decided, self.greatest) {
                    (Decided::Fails(broken, _), false) => {
                        self.run = Some((broken, middle));
                        (middle, high)
                    }
                    (Decided::Holds(report), false) => {
                        self.report = Some(report);
                        (low, middle)
                    }
                    (Decided::Holds(_), true) => (middle, high),
                    (Decided::Fails(broken, report), true) => {
                        self.run = Some((broken, middle));
                        self.report = Some(report);
                        (low, middle)
                    }
                };
                self.bisect(low, high)
            }
        }
    }
}

/// A decided outcome.
enum Decided {
    Holds(Report),
    Fails(Box<Run>, Report),
}

impl Times<'_> {
    /// The outcome if it is decided, otherwise the result of the whole search.
    fn decided(
        &self,
        value: &Constant,
        outcome: Outcome,
    ) -> Result<Result<Decided, Box<Found>>, Vec<Diagnostic>> {
        let why = match outcome {
            Outcome::Holds(report) => return Ok(Ok(Decided::Holds(report))),
            Outcome::Fails(run, report) => return Ok(Ok(Decided::Fails(run, report))),
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

    /// The time of a number of half units.
    fn time(&self, halves: i64) -> Rational {
        &self.unit * Rational::new(halves.into(), 2)
    }

    /// The value of a number of half units.
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
            unreachable!("the values of this plan are times");
        };
        Ok(self.for_time(time)?.labels.time(time))
    }

    /// Asks a larger time. Once, from `PATIENCE` on, searches for a run that breaks the claim for every time first.
    fn gallop(&mut self, before: i64, next: i64) -> Result<Next, Vec<Diagnostic>> {
        if before >= PATIENCE && !self.searched_all {
            self.searched_all = true;
            if let Some(found) = self.for_every_time()? {
                return Next::found(found);
            }
        }
        if next > MOST_UNITS {
            let value = self.value(2 * before);
            let so = if self.greatest { "holds" } else { "fails" };
            let said = self.said(&value)?;
            let why = format!("more than {said}: it {so} for every time up to there");
            return Next::found(Found::unknown(why, value));
        }
        self.stage = Stage::Gallop { before, next };
        Ok(Next::Ask(self.value(2 * next)))
    }

    /// Asks the greatest time that a run does not refute. The run breaks the claim because an event is too early, so it refutes all times
    /// greater than the moment of the event allows.
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
                let (before, next, broken, report) = *from;
                self.run = Some((broken, 2 * next));
                self.report = Some(report);
                self.bisect(2 * before, 2 * next)
            }
        }
    }

    /// The next time of the bisection: a multiple of the unit, or the half between two neighbours.
    fn middle(&self, low: i64, high: i64) -> i64 {
        match (low + high) / 2 {
            middle if high - low > 2 => middle - middle % 2,
            middle => middle,
        }
    }

    /// Asks a time between two others, or ends the search if they are half a unit apart.
    fn bisect(&mut self, low: i64, high: i64) -> Result<Next, Vec<Diagnostic>> {
        if high - low > 1 {
            let middle = self.middle(low, high);
            self.stage = Stage::Bisect { low, high };
            return Ok(Next::Ask(self.value(middle)));
        }
        let report = self.report.take().expect("the answer has changed");
        let (run, about) = match self.run.take() {
            Some((run, about)) => (Some(run), about),
            None => (None, 0),
        };
        // The answer changes between low and high. One of them is not a multiple of the unit: the threshold is the other.
        let (threshold, side) = match (self.greatest, low % 2 == 0) {
            (false, false) => (high, Side::Here),
            (false, true) => (low, Side::Above),
            (true, true) => (low, Side::Here),
            (true, false) => (high, Side::Below),
        };
        Next::found(self.found(threshold, side, run, about, report))
    }

    /// The least time, if the search that proved the claim for a time has found the latest moment at which the bound matters: the claim
    /// holds exactly for the times that are not before that moment.
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

    /// The operator and constant of the only comparison with `now`, if nothing else in the claim mentions time.
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

    /// A run that breaks the claim for every time: the limit of the claim for large times is false again and again, or a required
    /// response never follows.
    fn for_every_time(&self) -> Result<Option<Found>, Vec<Diagnostic>> {
        let mut lowered = self.for_time(&Rational::default())?;
        let other = self.for_time(&self.unit)?;
        let only = |machine: &Machine| alone(machine, &machine.properties[0]);
        let Some(question) = limit_claim(&only(&lowered.machine), &only(&other.machine)) else {
            return Ok(None);
        };
        lowered.machine.properties = vec![question];
        let mut report = self.oracle.report(&lowered)?;
        Ok(match report.answers.remove(0) {
            Answer::Fails(run) => extended(&run, &self.unit).map(|run| Found {
                answer: Answer::NoBound(Box::new(run)),
                about: Constant::Duration(Rational::default()),
                report: Some(report),
            }),
            _ => None,
        })
    }
}

/// The time at which a run ends.
fn end(run: &Run) -> Option<Rational> {
    match run.choices.last() {
        None => Some(Rational::default()),
        Some(choice) => choice.time.clone(),
    }
}

/// The run, longer by one pass of its loop, or by a unit in which no event fires. `None` if the run is finite.
fn extended(run: &Run, unit: &Rational) -> Option<Run> {
    if run.ending != Ending::StandsStill {
        return unrolled_once(run);
    }
    let mut longer = run.clone();
    longer.choices.push(Choice {
        event: Event::Wait,
        picks: Vec::new(),
        time: Some(end(run)? + unit),
    });
    Some(longer)
}

/// The lasso with its loop unrolled once. `None` if the run is not a lasso.
fn unrolled_once(run: &Run) -> Option<Run> {
    let Ending::Loops(from) = run.ending else {
        return None;
    };
    let time = |number: usize| {
        run.choices
            .get(number)
            .and_then(|choice| choice.time.clone())
    };
    let start = from.checked_sub(1).and_then(time).unwrap_or_default();
    let duration = time(run.choices.len() - 1)? - start;
    let mut longer = run.clone();
    longer.ending = Ending::Loops(run.choices.len());
    let again = run.choices[from..].iter().cloned().map(|mut choice| {
        choice.time = choice.time.map(|time| time + &duration);
        choice
    });
    longer.choices.extend(again);
    Some(longer)
}
