//! Digitisation: answers questions about dense time by an engine in which time passes one unit at a time.
//!
//! If the digitisation is exact (`plan`), the answer of the engine is final. For example, it is not exact if a node has
//! one unknown period, from an interval, for the whole run. Then a claim is proved for a relaxation in which each gap
//! varies within the interval; the relaxation has all runs of the exact Machine. Counterexamples are searched with
//! periods that are multiples of the unit, then of a half, a third and a quarter of it. A run that is found is replayed
//! with its times; a search without a result proves nothing. Each property is digitised separately, with the unit that
//! it needs.

mod single;

use crate::coarsen::coarsened;
use crate::concretise::{concretise, retimed};
use crate::plan::{Plan, finer, plan, relaxed};
use crate::timelock::find_timelock;
use machine::{
    Abstraction, Delay, Digitisation, Expr, Instance, Machine, Property, PropertyKind,
    may_loop_in_zero_time,
};
use rational::Rational;
use single::conjuncts;
pub use single::{alone, renumbered};
use verdict::{
    Answer, Budget, Defect, Digitised, Engine, Inexact, Latest, Premise, Progress, Question,
    Reason, Refusal, Report, Run, StateLimited, TimeAbstraction, both_open,
};

/// The largest divisor of the unit in the search for runs with an unknown period; the search tries all divisors from 1
/// to this number.
const MOST_PARTS: u32 = 4;

/// The largest number of states in the search of a coarsened Machine. If it is reached, the exact Machine is searched.
const MOST_STATES_COARSENED: u64 = 200_000;

/// The largest number of units of the longest time in a Machine; longer times are refused.
const MOST_UNITS: i64 = 1 << 24;

/// Whether a Machine with times needs digitisation: it has delays within bounds, timers, responses, runtime faults, or a
/// property that reads the time.
pub fn is_needed(machine: &Machine) -> bool {
    machine.has_time()
        && (matches!(machine.delay, Delay::Within(..))
            || !machine.timers.is_empty()
            || !machine.responses.is_empty()
            || !machine.runtime_faults.is_empty()
            || machine.properties_contain(|e| matches!(e, Expr::Now(..))))
}

/// Answers a question about a Machine with dense time by an engine for digitised Machines.
pub fn answer(
    question: &Question<'_>,
    engine: Engine<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let digitiser = Digitiser {
        whole: question.machine,
        fair: question.fair,
        engine,
        budget,
    };
    let machine = question.machine;
    let mut all: Option<Report> = None;
    for property in &machine.properties {
        let report = digitiser.conjunction(machine, property)?;
        all = Some(match all {
            None => report,
            Some(mut before) => {
                before.abstraction = match (before.abstraction, report.abstraction.clone()) {
                    (Some(a), Some(b)) => Some(a.and(b)),
                    (a, b) => a.or(b),
                };
                before.beside(report)
            }
        });
    }
    match all {
        Some(report) => Ok(report),
        None => digitiser.single(machine),
    }
}

/// Asks the engine about digitised Machines, and concretises the runs that it returns.
struct Digitiser<'a> {
    /// The Machine with all its properties. All reported runs are runs of this Machine.
    whole: &'a Machine,
    fair: bool,
    engine: Engine<'a>,
    budget: &'a dyn Budget,
}

impl Digitiser<'_> {
    /// Answers a property of a Machine, one conjunct at a time.
    fn conjunction(&self, machine: &Machine, property: &Property) -> Result<Report, Refusal> {
        let mut all: Option<Report> = None;
        for conjunct in &conjuncts(property) {
            let report = self.single(&alone(machine, conjunct))?;
            let Some(mut before) = all.take() else {
                all = Some(report);
                continue;
            };
            let answer = match (
                before.results.remove(0).answer,
                report.results[0].answer.clone(),
            ) {
                (fails @ Answer::Fails(_), _) | (_, fails @ Answer::Fails(_)) => fails,
                (Answer::Unknown(a), Answer::Unknown(b)) => Answer::Unknown(both_open(a, b)),
                // An unknown answer precedes an error: the undecided conjunct may still fail.
                (unknown @ Answer::Unknown(_), _) | (_, unknown @ Answer::Unknown(_)) => unknown,
                (Answer::Holds, after) => after,
                (before, _) => before,
            };
            let mut both = before.beside(report);
            both.results = vec![answer.into()];
            all = Some(both);
        }
        Ok(all.expect("at least one conjunct"))
    }

    /// Answers the only property of a Machine.
    fn single(&self, exact: &Machine) -> Result<Report, Refusal> {
        let Some(plan) = plan(exact) else {
            return Ok(Report::unanswered(exact, Reason::TimesTooFarApart));
        };
        let mut report = match &plan.exact {
            Ok(()) => match self.by_coarsening(exact, &plan)? {
                Some(report) => report,
                None => {
                    let mut report = self.ask(exact, &plan.digitisation)?;
                    report.abstraction = abstraction(&plan.digitisation, Digitised::Exact);
                    report
                }
            },
            Err(inexact) => self.inexactly(exact, &plan, inexact)?,
        };
        if let [result] = &mut report.results[..]
            && result.answer == Answer::Holds
            && result.premise.is_none()
        {
            result.premise = self.required(exact, &plan)?;
        }
        Ok(report)
    }

    /// The answer by a coarsened Machine (`coarsen`). `None` unless that Machine proves the property, or the events of
    /// its run are also a run of the exact Machine, possibly with other times.
    fn by_coarsening(&self, exact: &Machine, plan: &Plan) -> Result<Option<Report>, Refusal> {
        for coarse in coarsened(exact) {
            let Some(coarse_plan) = crate::plan::plan(&coarse).filter(|plan| plan.exact.is_ok())
            else {
                continue;
            };
            let limited = StateLimited::attempt(self.budget, MOST_STATES_COARSENED);
            let mut report = self.ask_within(&coarse, &coarse_plan.digitisation, &limited)?;
            let proved = is_proved(&report);
            let same_property =
                (&coarse.properties, &coarse.responses) == (&exact.properties, &exact.responses);
            if !proved {
                let confirmed = match report.only_answer() {
                    Some(answer @ (Answer::Fails(run) | Answer::Possible(run))) => {
                        match same_property && audit::replay(self.whole, run).is_ok() {
                            true => Some(answer.clone()),
                            false => self.retimed(exact, answer),
                        }
                    }
                    _ => None,
                };
                let Some(confirmed) = confirmed else {
                    continue;
                };
                report.results[0].answer = confirmed;
            }
            report.abstraction = abstraction(&coarse_plan.digitisation, Digitised::Coarsened);
            about_another_machine(&mut report);
            if proved {
                self.confirm_premise(exact, plan, &mut report)?;
            }
            return Ok(Some(report));
        }
        Ok(None)
    }

    /// The answer, with the times in its run replaced by times for which the run is a run of the exact Machine and
    /// shows the same. `None` if no such times are found.
    fn retimed(&self, exact: &Machine, answer: &Answer) -> Option<Answer> {
        let question = Question {
            machine: exact,
            fair: self.fair,
        };
        let mut runs = retimed(exact, answer.run()?).into_iter();
        runs.find_map(|mut run| {
            let shown = answer.clone().with_run(Box::new(run.clone()));
            audit::confirm(&question, 0, &shown).ok()?;
            let instance = Instance {
                machine: self.whole,
                frozen: &run.frozen,
            };
            instance.set_clock(&mut run.initial).ok()?;
            Some(answer.clone().with_run(Box::new(run)))
        })
    }

    /// Asks the engine about the digitised form of a Machine, and concretises the runs in its report.
    fn ask(&self, asked: &Machine, digitisation: &Digitisation) -> Result<Report, Refusal> {
        self.ask_within(asked, digitisation, self.budget)
    }

    /// Like `ask`, within the given budget.
    fn ask_within(
        &self,
        asked: &Machine,
        digitisation: &Digitisation,
        budget: &dyn Budget,
    ) -> Result<Report, Refusal> {
        if let Some(why) = self.too_many_units(asked, digitisation) {
            return Ok(Report::unanswered(asked, why));
        }
        let digitised = Machine {
            abstraction: Abstraction::Digitised(digitisation.clone()),
            ..asked.clone()
        };
        let question = Question {
            machine: &digitised,
            fair: self.fair,
        };
        let mut report = (self.engine)(&question, budget)?;
        let back = |run: &Run| concretise(self.whole, run, &digitisation.unit).map(Box::new);
        for result in &mut report.results {
            // Evidence is dropped, because it is about the digitised Machine.
            result.evidence = None;
            result.latest = result.latest.take().and_then(|latest| {
                let run = back(&latest.run)?;
                Some(Latest { run, ..latest })
            });
            let Some(run) = result.answer.run() else {
                continue;
            };
            result.answer = match back(run) {
                Some(run) => result.answer.clone().with_run(run),
                None => Answer::Unknown(Reason::Defect(Defect::LoopInZeroTime)),
            };
        }
        let findings = &mut report.findings;
        findings.deadlock = findings.deadlock.take().and_then(|run| back(&run));
        findings.error = findings.error.take().and_then(|run| back(&run));
        Ok(report)
    }

    /// The reason to refuse a digitisation, if the longest time has too many units.
    fn too_many_units(&self, asked: &Machine, digitisation: &Digitisation) -> Option<Reason> {
        let longest = asked
            .time_constants()
            .into_iter()
            .map(|time| time.abs())
            .max()?;
        let unit = digitisation.unit.clone();
        (longest > &unit * Rational::from(MOST_UNITS)).then_some(Reason::TooManyUnits {
            longest,
            unit,
            most: MOST_UNITS,
        })
    }

    /// Answers a question whose digitisation is not exact: by a proof for a relaxation, or by a run.
    fn inexactly(
        &self,
        exact: &Machine,
        plan: &Plan,
        inexact: &Inexact,
    ) -> Result<Report, Refusal> {
        let relaxation = relaxed(exact).filter(|relaxed| relaxed != exact);
        let proof = relaxation.as_ref().and_then(|relaxed| {
            let plan = crate::plan::plan(relaxed)?;
            plan.exact.is_ok().then_some((relaxed, plan.digitisation))
        });
        if let Some((relaxed, digitisation)) = &proof {
            let mut report = self.ask(relaxed, digitisation)?;
            // Only a proof carries over from the relaxation to the exact Machine.
            if is_proved(&report) {
                report.abstraction = abstraction(digitisation, Digitised::Relaxed);
                about_another_machine(&mut report);
                self.confirm_premise(exact, plan, &mut report)?;
                return Ok(report);
            }
        }
        let most = if relaxation.is_some() { MOST_PARTS } else { 1 };
        let mut fallback: Option<Report> = None;
        for parts in 1..=most {
            let Some(digitisation) = finer(exact, plan, parts) else {
                break;
            };
            let mut report = self.ask(exact, &digitisation)?;
            report.findings.complete = false;
            report.abstraction = abstraction(&digitisation, Digitised::ToFindRuns);
            match report.only_answer() {
                Some(Answer::Fails(_) | Answer::Possible(_)) => return Ok(report),
                // A finer digitisation may have a run that violates the claim, which precedes an error.
                Some(Answer::Error(_)) => fallback = fallback.or(Some(report)),
                _ => {
                    let limit = report.has_open();
                    let before = fallback.as_ref().and_then(Report::only_answer);
                    if !matches!(before, Some(Answer::Error(_))) {
                        fallback = Some(report);
                    }
                    if limit || self.budget.ask(&Progress::default()).is_some() {
                        break;
                    }
                }
            }
        }
        let nothing_found = self.nothing_found(exact, plan, most, inexact);
        let mut report = match fallback {
            Some(report) => report,
            None => Report::unanswered(exact, nothing_found.clone()),
        };
        if may_loop_in_zero_time(exact)
            && is_proved(&report)
            && let Some(run) = find_timelock(exact, &plan.digitisation, self.budget)
            && let Some(run) = concretise(self.whole, &run, &plan.digitisation.unit)
        {
            report.results[0].answer = Answer::Error(Box::new(run));
        }
        for result in &mut report.results {
            if let Answer::Holds | Answer::Impossible = result.answer {
                result.answer = Answer::Unknown(nothing_found.clone());
            }
            if result.premise == Some(Premise::Never) {
                result.premise = Some(Premise::Open);
            }
        }
        Ok(report)
    }

    /// The reason of the unknown answer if no run was found: the units that were tried, and why this proves nothing.
    fn nothing_found(&self, exact: &Machine, plan: &Plan, parts: u32, inexact: &Inexact) -> Reason {
        let parts = (1..=parts).rev().find(|n| finer(exact, plan, *n).is_some());
        Reason::NothingFound {
            unit: plan.digitisation.unit.clone(),
            parts: parts.unwrap_or(1),
            inexact: inexact.clone(),
        }
    }

    /// Checks again whether the premise is ever true, in the exact Machine: a run of the coarsened or relaxed Machine
    /// that makes it true may not be a run of the exact one.
    fn confirm_premise(
        &self,
        exact: &Machine,
        plan: &Plan,
        report: &mut Report,
    ) -> Result<(), Refusal> {
        let PropertyKind::Claim(claim) = &exact.properties[0].kind else {
            return Ok(());
        };
        if let ([result], Some(premise)) = (&mut report.results[..], claim.premise())
            && result.premise == Some(Premise::Met)
        {
            let property = Property {
                kind: PropertyKind::Possible(premise),
                ..exact.properties[0].clone()
            };
            result.premise = Some(self.reach(&alone(exact, &property), plan)?);
        }
        Ok(())
    }

    /// Whether the condition that is the only property of a Machine is reachable, as the status of a premise.
    fn reach(&self, exact: &Machine, plan: &Plan) -> Result<Premise, Refusal> {
        // The condition alone has fewer constants than the claim, so a digitisation may be exact for it.
        let own = crate::plan::plan(exact).filter(|own| own.exact.is_ok());
        let plan = own.as_ref().unwrap_or(plan);
        if plan.exact.is_ok()
            && let Some(report) = self.by_coarsening(exact, plan)?
        {
            return Ok(match report.only_answer() {
                Some(Answer::Possible(_)) => Premise::Met,
                _ => Premise::Never,
            });
        }
        let Some(digitisation) = finer(exact, plan, 1) else {
            return Ok(Premise::Open);
        };
        let report = self.ask(exact, &digitisation)?;
        Ok(match report.only_answer() {
            Some(Answer::Possible(_)) => Premise::Met,
            Some(Answer::Impossible) if plan.exact.is_ok() => Premise::Never,
            _ => Premise::Open,
        })
    }

    /// The status of the premise of a claim about responses: whether the trigger of any of them is ever true. `None` if
    /// the claim is not of this form.
    fn required(&self, exact: &Machine, plan: &Plan) -> Result<Option<Premise>, Refusal> {
        let PropertyKind::Claim(claim) = &exact.properties[0].kind else {
            return Ok(None);
        };
        let mut premise = None;
        for response in claim
            .invariant()
            .and_then(|c| c.required_responses())
            .unwrap_or_default()
        {
            let response = &exact.responses[response.index()];
            let property = Property {
                name: exact.properties[0].name.clone(),
                scope: response.scope.clone(),
                kind: PropertyKind::Possible(response.from.clone()),
            };
            let found = self.reach(&alone(exact, &property), plan)?;
            premise = Some(premise.map_or(found, |before: Premise| before.either(found)));
            if found == Premise::Met {
                break;
            }
        }
        Ok(premise)
    }
}

/// The digitisation in the form for the report.
fn abstraction(digitisation: &Digitisation, of: Digitised) -> Option<TimeAbstraction> {
    Some(TimeAbstraction::Digitised(digitisation.unit.clone(), of))
}

/// Whether the only property is proved.
fn is_proved(report: &Report) -> bool {
    matches!(
        report.only_answer(),
        Some(Answer::Holds | Answer::Impossible)
    )
}

/// Removes the findings of a report about a coarsened or relaxed Machine that do not carry over to the exact one.
fn about_another_machine(report: &mut Report) {
    report.findings.deadlock = None;
    report.findings.error = None;
    for result in &mut report.results {
        result.latest = None;
    }
}

#[cfg(test)]
mod tests;
