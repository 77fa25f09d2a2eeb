//! The plan for a time x in a claim: finds the threshold between the times for which the claim holds and the times for
//! which it fails.
//!
//! The claim is `always B(x)`. In B, x occurs only in comparisons of `now`, or of the age of a pending response, with a
//! sum `x+c` for a constant c. A larger x makes the claim weaker in all these places, or stronger in all of them.
//!
//! Let all constants without x be multiples of a unit. The claim fails for x if a run has a moment at which t > x + c
//! (or t ≥ x + c, and so on) and the rest of the violation is true; t is the time since the start or since another
//! event. For each order of events, the set of these t is described by closed or open bounds on differences of times,
//! so it is an interval whose ends are multiples of the unit. Hence the threshold is a multiple of the unit.
//!
//! The plan asks about multiples of the unit until the threshold lies between two neighbours. Then it asks about the
//! middle between them, which decides whether the claim holds at the threshold itself. Each question is digitised with
//! a unit that divides its own x, so its answer is exact or unknown.

use crate::monotone::{Monotone, condition, limit_claim, monotone};
use crate::oracle::{Found, Oracle, Outcome};
use crate::search::{Next, Plan};
use digitisation::alone;
use lower::Lowered;
use machine::{BinaryOp, Choice, Event, Expr, Machine};
use model::Constant;
use rational::Rational;
use source::Diagnostic;
use verdict::{
    Answer, Ending, NotMonotone, Report, Run, Side, Sought, Threshold, Undecided, Unsought,
};

/// The largest time about which the oracle is asked, in units.
const MOST_UNITS: i64 = 1 << 16;

/// The factor from one time to the next while the answer stays the same. It is large because one search in which the
/// claim holds may already give the threshold.
const STRIDE: i64 = 8;

/// The time, in units, for which the claim must still fail before the plan searches for a run that violates the claim
/// for every time.
const PATIENCE: i64 = 512;

/// The state of the plan for one claim. Times are counted in half units unless a comment states otherwise.
pub(crate) struct Times<'a> {
    oracle: Oracle<'a>,
    claim: usize,
    greatest: bool,
    unit: Rational,
    stage: Stage,
    /// The run that violates the claim for the time nearest to the threshold so far, and this time.
    run: Option<(Box<Run>, i64)>,
    /// The report for the least tried time at or above the threshold.
    report: Option<Report>,
    /// Whether the search for a run that violates the claim for every time is done or not needed.
    searched_all: bool,
}

/// The stage of the search for the threshold.
enum Stage {
    /// The oracle is asked about time 0. All times below the threshold have the same answer as time 0.
    Zero,
    /// The oracle is asked about growing times until the answer changes. Times are in units. `before` has the same
    /// answer as time 0; `next` is the time in question.
    Gallop { before: i64, next: i64 },
    /// The claim fails because an event occurs too early. Each run that violates it gives the next, smaller time to ask
    /// about, until the claim holds. If a run gives no smaller time, bisection starts with `from`: the lower and the
    /// upper time in units, and the run and the report for the upper one.
    Earliest {
        halves: i64,
        run: Box<Run>,
        from: Box<(i64, i64, Box<Run>, Report)>,
    },
    /// Bisection: the threshold lies between `low` and `high`.
    Bisect { low: i64, high: i64 },
}

/// The plan for one claim. The inner error is a result that needs no search.
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
    let unit = first.time_unit();
    let second = for_time(&unit)?;
    let effect = match monotone(&first, &second, &unit) {
        Ok(effect) => effect,
        Err(why) => return Ok(Err(Box::new(Found::unknown(why, zero)))),
    };
    if (effect == Monotone::Stronger) != greatest {
        let why = NotMonotone::WrongWay { greatest };
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
                // The claim becomes stronger with the time, so it fails for every time.
                Decided::Fails(run, report) if self.greatest => Next::found(Found {
                    answer: Answer::NoBound(run),
                    about: self.value(0),
                    report: Some(report),
                }),
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

/// The time in a constant, as part of a reason. Panics on other constants.
fn sought(value: &Constant) -> Sought {
    let Constant::Duration(time) = value else {
        unreachable!("the values of this plan are times");
    };
    Sought::Time(time.clone())
}

/// An outcome that decides the claim for one time.
enum Decided {
    Holds(Report),
    Fails(Box<Run>, Report),
}

impl Times<'_> {
    /// The outcome if it decides the claim for the time. The inner error is the result of the whole search.
    fn decided(
        &self,
        value: &Constant,
        outcome: Outcome,
    ) -> Result<Result<Decided, Box<Found>>, Vec<Diagnostic>> {
        let undecided = match outcome {
            Outcome::Holds(report) => return Ok(Ok(Decided::Holds(report))),
            Outcome::Fails(run, report) => return Ok(Ok(Decided::Fails(run, report))),
            Outcome::Other(answer, report) => {
                return Ok(Err(Box::new(Found {
                    answer,
                    about: value.clone(),
                    report: Some(report),
                })));
            }
            Outcome::Vacuous(premise) => Undecided::Vacuous(premise),
            Outcome::Open(undecided) => undecided,
        };
        let why = Unsought::At {
            value: sought(value),
            undecided,
            fails_before: false,
        };
        Ok(Err(Box::new(Found::unknown(why, value.clone()))))
    }

    /// The time of a number of half units.
    fn time(&self, halves: i64) -> Rational {
        &self.unit * Rational::new(halves.into(), 2)
    }

    /// The time of a number of half units, as a constant.
    fn value(&self, halves: i64) -> Constant {
        Constant::Duration(self.time(halves))
    }

    fn for_time(&self, time: &Rational) -> Result<Lowered, Vec<Diagnostic>> {
        let value = Constant::Duration(time.clone());
        self.oracle.for_value(self.claim, value)
    }

    /// Asks about the time `next`, in units; `before` has the same answer as time 0. Once, as soon as `before` is at
    /// least `PATIENCE`, it first searches for a run that violates the claim for every time.
    fn gallop(&mut self, before: i64, next: i64) -> Result<Next, Vec<Diagnostic>> {
        if before >= PATIENCE && !self.searched_all {
            self.searched_all = true;
            if let Some(found) = self.for_every_time()? {
                return Next::found(found);
            }
        }
        if next > MOST_UNITS {
            let value = self.value(2 * before);
            let why = Unsought::Beyond {
                value: sought(&value),
                ascending: true,
                holds: self.greatest,
                open: None,
            };
            return Next::found(Found::unknown(why, value));
        }
        self.stage = Stage::Gallop { before, next };
        Ok(Next::Ask(self.value(2 * next)))
    }

    /// Asks about the greatest time that the run does not refute. The run violates the claim for the time `halves`
    /// because its last event is too early, so it refutes every x whose bound is later than this event.
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

    /// The next time of the bisection: a multiple of the unit, or the middle between two neighbouring multiples.
    fn middle(&self, low: i64, high: i64) -> i64 {
        match (low + high) / 2 {
            middle if high - low > 2 => middle - middle % 2,
            middle => middle,
        }
    }

    /// Asks about a time between `low` and `high`, or ends the search if they are half a unit apart.
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
        // The answer changes between `low` and `high`. One of them is not a multiple of the unit, so the threshold is
        // the other.
        let (threshold, side) = match (self.greatest, low % 2 == 0) {
            (false, false) => (high, Side::Here),
            (false, true) => (low, Side::Above),
            (true, true) => (low, Side::Here),
            (true, false) => (high, Side::Below),
        };
        Next::found(self.found(threshold, side, run, about, report))
    }

    /// The least time for which the claim holds, if the search that proved the claim for `halves` also found the latest
    /// moment at which a violation depends on the bound. The claim then holds exactly for the times not before this
    /// moment.
    fn by_the_latest(
        &self,
        halves: i64,
        report: &Report,
    ) -> Result<Option<Found>, Vec<Diagnostic>> {
        let Some(latest) = report
            .results
            .first()
            .and_then(|result| result.latest.clone())
        else {
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

    /// The operator and the constant of the only comparison with `now`. `None` if the claim has none, several, or a
    /// response with a deadline.
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

    /// The answer that the claim fails for every time, with a run that shows it. On this run, the limit of the claim
    /// for large times is false infinitely often, or a required response never follows. `None` if no such run is found.
    fn for_every_time(&self) -> Result<Option<Found>, Vec<Diagnostic>> {
        let mut lowered = self.for_time(&Rational::default())?;
        let other = self.for_time(&self.unit)?;
        let only = |machine: &Machine| alone(machine, &machine.properties[0]);
        let Some(question) = limit_claim(&only(&lowered.machine), &only(&other.machine)) else {
            return Ok(None);
        };
        lowered.machine.properties = vec![question];
        let mut report = self.oracle.report(&lowered)?;
        Ok(match report.results.remove(0).answer {
            Answer::Fails(run) => extended(&run, &self.unit).map(|run| Found {
                answer: Answer::NoBound(Box::new(run)),
                about: Constant::Duration(Rational::default()),
                report: Some(report),
            }),
            _ => None,
        })
    }
}

/// The time of the last event of a run; 0 if there is none, `None` if the event has no time.
fn end(run: &Run) -> Option<Rational> {
    match run.choices.last() {
        None => Some(Rational::default()),
        Some(choice) => choice.time.clone(),
    }
}

/// The run, longer by one pass of its cycle, or by a wait of one unit in a final state. `None` if the run is finite.
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

/// The lasso with its cycle unrolled once. `None` if the run is not a lasso.
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
