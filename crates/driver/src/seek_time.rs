//! `least x`, `greatest x` where x is a time: the threshold between the times for which a claim holds and the others.
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

use crate::check::Asking;
use crate::grid::unit;
use crate::integer::{alone, promised};
use crate::seek::{Found, says_nothing};
use lower::Lowered;
use machine::{
    BinaryOp, Choice, Event, Expr, Formula, Machine, Property, PropertyKind, Quantifier, UnaryOp,
};
use model::Constant;
use rational::Rational;
use source::Diagnostic;
use verdict::{Answer, Ending, Report, Run, Side, Threshold};

/// Times of more units are not tried.
const MOST_UNITS: i64 = 1 << 16;

/// How much larger the next time is that is tried: where the claim holds, one search says where the threshold is.
const STRIDE: i64 = 8;

/// After so many units that fail, somebody asks whether all times do.
const PATIENCE: i64 = 512;

/// What a larger time makes of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Larger {
    Weaker,
    Stronger,
}

/// What came of one time.
enum Tried {
    Holds(Report),
    Fails(Box<Run>, Report),
    /// Nothing that helps: that is the answer.
    Other(Found),
}

impl Asking<'_> {
    /// The threshold of the times for which a claim holds.
    pub(crate) fn seek_time(&self, claim: usize, greatest: bool) -> Result<Found, Vec<Diagnostic>> {
        let zero = Constant::Duration(Rational::default());
        let question = &self.loaded.model.checks[self.request.check].question;
        if let Some(param) = question.seeks() {
            return self.seek_threshold(claim, param, greatest);
        }
        let for_time = |time: &Rational| -> Result<Machine, Vec<Diagnostic>> {
            let machine = self.for_time(claim, time)?.machine;
            Ok(alone(&machine, &machine.properties[0]))
        };
        let first = for_time(&Rational::default())?;
        let unit = unit(&first);
        let second = for_time(&unit)?;
        let larger = match larger(&first, &second, &unit) {
            Ok(larger) => larger,
            Err(why) => return Ok(Found::unknown(why, zero)),
        };
        if (larger == Larger::Stronger) != greatest {
            let (makes, word) = match greatest {
                true => ("weaker", "greatest"),
                false => ("stronger", "least"),
            };
            let why = format!(
                "a larger time makes the claim {makes}: there is no {word} one to look for"
            );
            return Ok(Found::unknown(why, zero));
        }
        let search = Search {
            asking: self,
            claim,
            greatest,
            unit: &unit,
        };
        search.threshold()
    }

    /// The Machine that asks one claim for one time.
    fn for_time(&self, claim: usize, time: &Rational) -> Result<Lowered, Vec<Diagnostic>> {
        let mut lowered = self.lowered(&self.with(Constant::Duration(time.clone()))?)?;
        let property = lowered.machine.properties.swap_remove(claim);
        lowered.machine.properties = vec![property];
        Ok(lowered)
    }
}

struct Search<'s, 'a> {
    asking: &'s Asking<'a>,
    claim: usize,
    greatest: bool,
    unit: &'s Rational,
}

impl Search<'_, '_> {
    /// So many halves of the unit.
    fn time(&self, halves: i64) -> Rational {
        self.unit * Rational::new(halves.into(), 2)
    }

    /// What the claim for so many halves of the unit is.
    fn ask(&self, halves: i64) -> Result<Tried, Vec<Diagnostic>> {
        let time = self.time(halves);
        let lowered = self.asking.for_time(self.claim, &time)?;
        let mut report = self.asking.report(&lowered)?;
        let premise = report.findings.premises.first().copied().flatten();
        let said = lowered.labels.time(&time);
        let about = Constant::Duration(time);
        Ok(match report.answers.remove(0) {
            Answer::Holds => match says_nothing(premise) {
                Some(why) => Tried::Other(Found::unknown(format!("for {said} {why}"), about)),
                None => Tried::Holds(report),
            },
            Answer::Fails(run) => Tried::Fails(run, report),
            Answer::Unknown(why) => {
                let why = format!("not decided for {said}: {why}");
                Tried::Other(Found::unknown(why, about))
            }
            answer => Tried::Other(Found {
                answer,
                about,
                report: Some(report),
            }),
        })
    }

    /// From 0 on in larger and larger steps until the answer changes, then in halves between.
    fn threshold(&self) -> Result<Found, Vec<Diagnostic>> {
        // The answer at 0 is that of all times before the threshold.
        let (mut run, mut report) = (None, None);
        match self.ask(0)? {
            Tried::Other(found) => return Ok(found),
            Tried::Holds(first) if !self.greatest => {
                return Ok(self.found(0, Side::Here, None, 0, first));
            }
            Tried::Fails(..) if self.greatest => {
                let why = "it fails for 0, and so for every time";
                return Ok(Found::unknown(why, Constant::Duration(Rational::default())));
            }
            Tried::Holds(_) => {}
            Tried::Fails(broken, _) => run = Some((broken, 0)),
        }
        let (mut before, mut behind) = (0, 1);
        let mut asked_for_all = self.greatest;
        while report.is_none() {
            if before >= PATIENCE && !asked_for_all {
                asked_for_all = true;
                if let Some(found) = self.for_every_time()? {
                    return Ok(found);
                }
            }
            if behind > MOST_UNITS {
                let lowered = self.asking.for_time(self.claim, &self.time(2 * before))?;
                let said = lowered.labels.time(&self.time(2 * before));
                let so = if self.greatest { "holds" } else { "fails" };
                let why = format!("more than {said}: it {so} for every time up to there");
                return Ok(Found::unknown(
                    why,
                    Constant::Duration(self.time(2 * before)),
                ));
            }
            match (self.ask(2 * behind)?, self.greatest) {
                (Tried::Other(found), _) => return Ok(found),
                (Tried::Holds(last), false) => {
                    if let Some(found) = self.by_the_latest(2 * behind, &last)? {
                        return Ok(found);
                    }
                    report = Some(last);
                }
                (Tried::Fails(broken, last), true) => {
                    if let Some(found) = self.by_the_earliest(2 * behind, broken.clone())? {
                        return Ok(found);
                    }
                    run = Some((broken, 2 * behind));
                    report = Some(last);
                }
                (Tried::Fails(broken, _), false) => {
                    run = Some((broken, 2 * behind));
                    (before, behind) = (behind, STRIDE * behind);
                }
                (Tried::Holds(_), true) => (before, behind) = (behind, STRIDE * behind),
            }
        }
        // In halves of the unit; the last step is the half between two neighbours.
        let (mut low, mut high) = (2 * before, 2 * behind);
        while high - low > 1 {
            let middle = match (low + high) / 2 {
                middle if high - low > 2 => middle - middle % 2,
                middle => middle,
            };
            match (self.ask(middle)?, self.greatest) {
                (Tried::Other(found), _) => return Ok(found),
                (Tried::Fails(broken, _), false) => {
                    run = Some((broken, middle));
                    low = middle;
                }
                (Tried::Holds(last), false) => {
                    report = Some(last);
                    high = middle;
                }
                (Tried::Holds(_), true) => low = middle,
                (Tried::Fails(broken, last), true) => {
                    run = Some((broken, middle));
                    report = Some(last);
                    high = middle;
                }
            }
        }
        let report = report.expect("the answer has changed");
        let (run, about) = run.map_or((None, 0), |(run, about)| (Some(run), about));
        // It changes between low and high, one of which is no multiple of the unit: the threshold is the other.
        let (threshold, side) = match (self.greatest, low % 2 == 0) {
            (false, false) => (high, Side::Here),
            (false, true) => (low, Side::Above),
            (true, true) => (low, Side::Here),
            (true, false) => (high, Side::Below),
        };
        Ok(self.found(threshold, side, run, about, report))
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
        let below = (&time - self.unit).max(Rational::default());
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

    /// The greatest time, where a run breaks the claim because something is too early: it does so for all times that are
    /// greater than that moment allows, so if the claim holds for the greatest of the others, that is it.
    fn by_the_earliest(
        &self,
        halves: i64,
        run: Box<Run>,
    ) -> Result<Option<Found>, Vec<Diagnostic>> {
        let (mut halves, mut run) = (halves, run);
        loop {
            let asked = self.time(halves);
            let (Some((BinaryOp::Ge, bound)), Some(moment)) = (self.bound(&asked)?, end(&run))
            else {
                return Ok(None);
            };
            let time = &asked - &(bound - moment);
            let Some(next) = (&time / self.unit)
                .to_i64()
                .filter(|n| *n >= 0 && 2 * n < halves)
            else {
                return Ok(None);
            };
            match self.ask(2 * next)? {
                Tried::Other(found) => return Ok(Some(found)),
                Tried::Holds(report) => {
                    return Ok(Some(self.found(
                        2 * next,
                        Side::Here,
                        Some(run),
                        2 * next + 2,
                        report,
                    )));
                }
                Tried::Fails(earlier, _) => (halves, run) = (2 * next, earlier),
            }
        }
    }

    /// What `now` is compared with, and how, if it is once and that is all of time in the claim.
    fn bound(&self, time: &Rational) -> Result<Option<(BinaryOp, Rational)>, Vec<Diagnostic>> {
        let lowered = self.asking.for_time(self.claim, time)?;
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
        let mut lowered = self.asking.for_time(self.claim, &Rational::default())?;
        let other = self.asking.for_time(self.claim, self.unit)?;
        let only = |machine: &Machine| alone(machine, &machine.properties[0]);
        let Some(question) = in_the_end(&only(&lowered.machine), &only(&other.machine)) else {
            return Ok(None);
        };
        lowered.machine.properties = vec![question];
        let mut report = self.asking.report(&lowered)?;
        Ok(match report.answers.remove(0) {
            Answer::Fails(run) => for_longer(&run, self.unit).map(|run| Found {
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

/// What a larger time makes of the claim of a Machine; the second Machine is the one for a time so much larger.
fn larger(first: &Machine, second: &Machine, by: &Rational) -> Result<Larger, String> {
    let elsewhere =
        "the time stands elsewhere than behind a comparison with `now` or behind `within`";
    let rest = |machine: &Machine| Machine {
        properties: Vec::new(),
        responses: Vec::new(),
        ..machine.clone()
    };
    let (a, b) = match (condition(first), condition(second)) {
        (Some(a), Some(b)) => (a, b),
        _ => return Err("the claim is about whole runs, not about every state".into()),
    };
    if rest(first) != rest(second) || first.responses.len() != second.responses.len() {
        return Err(elsewhere.into());
    }
    let mut found = Vec::new();
    let mut followed = false;
    for (a, b) in first.responses.iter().zip(&second.responses) {
        if (&a.from, &a.to) != (&b.from, &b.to) {
            return Err(elsewhere.into());
        }
        if a.within != b.within {
            followed = true;
            found.push((Some(Larger::Weaker), &b.within - &a.within));
        }
    }
    if !places(&a, &b, Some(true), &mut found) {
        return Err(elsewhere.into());
    }
    if followed && a != b {
        return Err(
            "the time stands both behind `within` and behind a comparison with `now`".into(),
        );
    }
    if found.iter().any(|(_, difference)| difference != by) {
        return Err("the time is multiplied, divided or subtracted where it is compared".into());
    }
    match found.first() {
        None => Err("the claim does not depend on the time".into()),
        Some((Some(larger), _)) if found.iter().all(|(l, _)| *l == Some(*larger)) => Ok(*larger),
        _ => Err("a larger time makes the claim neither weaker nor stronger".into()),
    }
}

/// The condition that must hold in every state.
fn condition(machine: &Machine) -> Option<Expr> {
    match &machine.properties[0].kind {
        PropertyKind::Claim(claim) => claim.invariant(),
        PropertyKind::Possible(_) => None,
    }
}

/// Where two conditions differ in a time that `now` is compared with: what a larger one makes of the whole, and by how
/// much they differ. Whether they differ in nothing else. `positive`: the whole is truer the more is true here.
fn places(
    a: &Expr,
    b: &Expr,
    positive: Option<bool>,
    found: &mut Vec<(Option<Larger>, Rational)>,
) -> bool {
    use BinaryOp::*;
    match (a.bare(), b.bare()) {
        (a, b) if a == b => true,
        (Expr::Now(p, x), Expr::Now(q, y)) if p == q => {
            let truer = match p {
                Le | Lt => Some(true),
                Ge | Gt => Some(false),
                _ => None,
            };
            let weaker = truer
                .zip(positive)
                .map(|(truer, positive)| truer == positive);
            let larger = weaker.map(|weaker| {
                if weaker {
                    Larger::Weaker
                } else {
                    Larger::Stronger
                }
            });
            found.push((larger, y - x));
            true
        }
        (Expr::Unary(UnaryOp::Not, a), Expr::Unary(UnaryOp::Not, b)) => {
            places(a, b, positive.map(|p| !p), found)
        }
        (Expr::Binary(p @ (And | Or), a, c), Expr::Binary(q, b, d)) if p == q => {
            places(a, b, positive, found) && places(c, d, positive, found)
        }
        (Expr::Binary(Implies, a, c), Expr::Binary(Implies, b, d)) => {
            places(a, b, positive.map(|p| !p), found) && places(c, d, positive, found)
        }
        (Expr::Quantified(p, j, c, a), Expr::Quantified(q, k, d, b))
            if (p, j, c) == (q, k, d) && matches!(p, Quantifier::All | Quantifier::Exists) =>
        {
            places(a, b, positive, found)
        }
        (a, b) => {
            let (x, y) = (a.children(), b.children());
            let parts: Vec<(&Expr, &Expr)> = x.iter().copied().zip(y.iter().copied()).collect();
            let blank = |e: &Expr| e.with_parts(&mut |_| Expr::bool(true));
            x.len() == y.len()
                && !x.is_empty()
                && blank(a) == blank(b)
                && parts.into_iter().all(|(a, b)| places(a, b, None, found))
        }
    }
}

/// The claim of which every run that breaks it breaks the claims for all times; nothing if there is none.
fn in_the_end(first: &Machine, second: &Machine) -> Option<Property> {
    let claimed = |claim: Formula| {
        Some(Property {
            kind: PropertyKind::Claim(claim),
            ..first.properties[0].clone()
        })
    };
    let state = |condition: Expr| Box::new(Formula::State(condition));
    let (a, b) = (condition(first)?, condition(second)?);
    if let [response] = &first.responses[..]
        && promised(&a).is_some()
    {
        let claim = Formula::LeadsTo(state(response.from.clone()), state(response.to.clone()));
        let mut property = claimed(claim)?;
        property.scope = response.scope.clone();
        return Some(property);
    }
    if !first.responses.is_empty() {
        return None; // several that must follow: what breaks one for a time need not break it for all
    }
    let always = Formula::Always(state(at_last(&a, &b)));
    claimed(Formula::Eventually(Box::new(always)))
}

/// The condition where `now` is behind the times in which two conditions differ.
fn at_last(a: &Expr, b: &Expr) -> Expr {
    match (a, b) {
        (a, b) if a == b => a.clone(),
        (Expr::Now(op, _), _) => {
            Expr::bool(matches!(op, BinaryOp::Ge | BinaryOp::Gt | BinaryOp::Ne))
        }
        _ => {
            let mut others = b.children().into_iter();
            a.with_parts(&mut |part| at_last(part, others.next().expect("of the same shape")))
        }
    }
}

#[cfg(test)]
mod tests;
