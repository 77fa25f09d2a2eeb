//! Digitisation: questions about dense time, answered by an engine in which time passes one unit at a time.
//!
//! Where the digitisation is exact (`plan`), the answer of the engine is final. A node may have one period for the whole run that is
//! any time of an interval. Then a claim is proved for the relaxation in which gaps vary within the interval, which has at least
//! the same runs. Counterexamples are searched with periods that are multiples of the unit, then of its half, third and fourth: a
//! run that is found is replayed with its times, and a search without a result proves nothing. Each property is digitised
//! separately, with the unit that it needs.

mod single;

use crate::coarsen::coarsened;
use crate::concretise::concretise;
use crate::plan::{Plan, constants, finer, may_loop_in_zero_time, plan, relaxed};
use crate::timelock::find_timelock;
use machine::{Abstraction, Delay, Digitisation, Expr, Machine, Property, PropertyKind};
use rational::Rational;
use single::conjuncts;
pub use single::{alone, renumbered, required_responses};
use verdict::{
    Answer, Budget, Engine, Latest, Premise, Progress, Question, Refusal, Report, Run,
    StateLimited, both_open,
};

/// The largest divisor of the unit for finding runs with periods that are not multiples of the unit.
const MOST_PARTS: u32 = 4;

/// The largest number of states of a search in a coarsened Machine. Beyond it the Machine itself is searched.
const MOST_STATES_COARSENED: u64 = 200_000;

/// The largest number of units of the longest time. Machines with more are refused.
const MOST_UNITS: i64 = 1 << 24;

/// Formats a time in the units of the model.
pub type Say<'a> = &'a dyn Fn(&Rational) -> String;

/// Whether a Machine needs digitisation: something other than periodic activations has times.
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
    say: Say<'_>,
    engine: Engine<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let digitiser = Digitiser {
        whole: question.machine,
        fair: question.fair,
        say,
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
                if before.abstraction != report.abstraction {
                    let both = [before.abstraction.take(), report.abstraction.clone()];
                    let both: Vec<String> = both.into_iter().flatten().collect();
                    before.abstraction = Some(both.join("; "));
                }
                before.beside(report)
            }
        });
    }
    match all {
        Some(report) => Ok(report),
        None => digitiser.single(machine),
    }
}

/// Asks the engine about digitised Machines, and concretises its runs.
struct Digitiser<'a> {
    /// The Machine with all its properties. Reported runs are runs of this Machine.
    whole: &'a Machine,
    fair: bool,
    say: Say<'a>,
    engine: Engine<'a>,
    budget: &'a dyn Budget,
}

impl Digitiser<'_> {
    /// Answers a property of a Machine, conjunct by conjunct.
    fn conjunction(&self, machine: &Machine, property: &Property) -> Result<Report, Refusal> {
        let mut all: Option<Report> = None;
        for conjunct in &conjuncts(property) {
            let report = self.single(&alone(machine, conjunct))?;
            let Some(mut before) = all.take() else {
                all = Some(report);
                continue;
            };
            let answer = match (before.answers.remove(0), report.answers[0].clone()) {
                (fails @ Answer::Fails(_), _) | (_, fails @ Answer::Fails(_)) => fails,
                (a @ Answer::Unknown(_), b @ Answer::Unknown(_)) => {
                    both_open((a, b), (before.findings.omission, report.findings.omission))
                }
                // An error is the answer only if no conjunct can fail.
                (unknown @ Answer::Unknown(_), _) | (_, unknown @ Answer::Unknown(_)) => unknown,
                (Answer::Holds, after) => after,
                (before, _) => before,
            };
            let mut both = before.beside(report);
            both.answers = vec![answer];
            both.findings.premises = vec![None];
            both.findings.latest = vec![None];
            all = Some(both);
        }
        Ok(all.expect("at least one conjunct"))
    }

    /// Answers the only property of a Machine.
    fn single(&self, exact: &Machine) -> Result<Report, Refusal> {
        let Some(plan) = plan(exact) else {
            let why = "the times in it are too far apart to count from the shortest to the longest";
            return Ok(Report::unanswered(exact, why));
        };
        let mut report = match &plan.exact {
            Ok(()) => match self.by_coarsening(exact, &plan)? {
                Some(report) => report,
                None => {
                    let mut report = self.ask(exact, &plan.digitisation)?;
                    report.abstraction = Some(self.describe(&plan.digitisation));
                    report
                }
            },
            Err(why) => self.inexactly(exact, &plan, why)?,
        };
        if matches!(report.answers[..], [Answer::Holds])
            && matches!(report.findings.premises[..], [None])
        {
            report.findings.premises = vec![self.required(exact, &plan)?];
        }
        Ok(report)
    }

    /// Answers by a coarsened Machine (`coarsen`), if it proves the property or its run is a run of the exact Machine.
    fn by_coarsening(&self, exact: &Machine, plan: &Plan) -> Result<Option<Report>, Refusal> {
        for coarse in coarsened(exact) {
            let Some(coarse_plan) = crate::plan::plan(&coarse).filter(|plan| plan.exact.is_ok())
            else {
                continue;
            };
            let limited = StateLimited::attempt(self.budget, MOST_STATES_COARSENED);
            let mut report = self.ask_within(&coarse, &coarse_plan.digitisation, &limited)?;
            let proved = matches!(report.answers[..], [Answer::Holds | Answer::Impossible]);
            let same_property =
                (&coarse.properties, &coarse.responses) == (&exact.properties, &exact.responses);
            let confirmed = match &report.answers[..] {
                [Answer::Fails(run) | Answer::Possible(run)] if same_property => {
                    audit::replay(self.whole, run).is_ok()
                }
                _ => false,
            };
            if !proved && !confirmed {
                continue;
            }
            report.abstraction = Some(format!(
                "{}, with intervals that end there",
                self.describe(&coarse_plan.digitisation)
            ));
            report.findings.deadlock = None;
            report.findings.error = None;
            report.findings.latest = vec![None];
            if proved {
                self.confirm_premise(exact, plan, &mut report)?;
            }
            return Ok(Some(report));
        }
        Ok(None)
    }

    /// Asks the engine about a digitised Machine, and concretises the runs of its report.
    fn ask(&self, asked: &Machine, digitisation: &Digitisation) -> Result<Report, Refusal> {
        self.ask_within(asked, digitisation, self.budget)
    }

    /// Like `ask`, within another budget.
    fn ask_within(
        &self,
        asked: &Machine,
        digitisation: &Digitisation,
        budget: &dyn Budget,
    ) -> Result<Report, Refusal> {
        if let Some(why) = self.too_many_units(asked, digitisation) {
            return Ok(Report::unanswered(asked, &why));
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
        // The evidence is about the digitised Machine.
        report.evidence.clear();
        let back = |run: &Run| concretise(self.whole, run, &digitisation.unit).map(Box::new);
        for answer in &mut report.answers {
            let Some(run) = answer.run() else {
                continue;
            };
            let found = back(run).map(|run| answer.clone().with_run(run));
            *answer = found.unwrap_or_else(|| {
                let why = "the engine's run goes round without time passing; this is a bug in Scrutineer, please \
                           report it with the model";
                Answer::Unknown(why.into())
            });
        }
        let findings = &mut report.findings;
        findings.deadlock = findings.deadlock.take().and_then(|run| back(&run));
        findings.error = findings.error.take().and_then(|run| back(&run));
        for latest in &mut findings.latest {
            *latest = latest.take().and_then(|latest| {
                let run = back(&latest.run)?;
                Some(Latest { run, ..latest })
            });
        }
        Ok(report)
    }

    /// The reason to refuse a digitisation in which the longest time has too many units.
    fn too_many_units(&self, asked: &Machine, digitisation: &Digitisation) -> Option<String> {
        let longest = constants(asked).into_iter().map(|time| time.abs()).max()?;
        if longest <= &digitisation.unit * Rational::from(MOST_UNITS) {
            return None;
        }
        let (longest, unit) = ((self.say)(&longest), (self.say)(&digitisation.unit));
        Some(format!(
            "the times are too far apart to count: {longest} is more than {MOST_UNITS} times {unit}, the longest time of \
             which all times in the model and the claim are multiples; round the times so that this one is longer, or \
             make {longest} shorter"
        ))
    }

    /// Answers where the digitisation is not exact: by a proof for a relaxation, or by a run.
    fn inexactly(&self, exact: &Machine, plan: &Plan, why: &str) -> Result<Report, Refusal> {
        let relaxation = relaxed(exact).filter(|relaxed| relaxed != exact);
        let proof = relaxation.as_ref().and_then(|relaxed| {
            let plan = crate::plan::plan(relaxed)?;
            plan.exact.is_ok().then_some((relaxed, plan.digitisation))
        });
        if let Some((relaxed, digitisation)) = &proof {
            let mut report = self.ask(relaxed, digitisation)?;
            // Only a proof carries over to the runs of the exact Machine.
            if let [Answer::Holds | Answer::Impossible] = report.answers[..] {
                let text = self.describe(digitisation);
                report.abstraction = Some(format!(
                    "{text}, with periods that may change from gap to gap"
                ));
                report.findings.deadlock = None;
                report.findings.error = None;
                report.findings.latest = vec![None];
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
            report.abstraction = Some(format!("{}, to find runs", self.describe(&digitisation)));
            match report.answers[..] {
                [Answer::Fails(_) | Answer::Possible(_)] => return Ok(report),
                // A finer digitisation may have a run without an error.
                [Answer::Error(_)] => fallback = fallback.or(Some(report)),
                _ => {
                    let open = |answer: &Answer| matches!(answer, Answer::Unknown(_));
                    let limit = report.answers.iter().any(open);
                    if !matches!(&fallback, Some(Report { answers, .. }) if matches!(answers[..], [Answer::Error(_)]))
                    {
                        fallback = Some(report);
                    }
                    if limit || self.budget.ask(&Progress::default()).is_some() {
                        break;
                    }
                }
            }
        }
        let mut report = match fallback {
            Some(report) => report,
            None => Report::unanswered(exact, ""),
        };
        if may_loop_in_zero_time(exact)
            && matches!(report.answers[..], [Answer::Holds | Answer::Impossible])
            && let Some(run) = find_timelock(exact, &plan.digitisation, self.budget)
            && let Some(run) = concretise(self.whole, &run, &plan.digitisation.unit)
        {
            report.answers = vec![Answer::Error(Box::new(run))];
        }
        for answer in &mut report.answers {
            if let Answer::Holds | Answer::Impossible = answer {
                *answer = Answer::Unknown(self.nothing_found(exact, plan, most, why));
            }
        }
        for premise in report.findings.premises.iter_mut().flatten() {
            if *premise == Premise::Never {
                *premise = Premise::Open;
            }
        }
        Ok(report)
    }

    /// The text of an unknown answer: no run was found, and the reason why that proves nothing.
    fn nothing_found(&self, exact: &Machine, plan: &Plan, parts: u32, why: &str) -> String {
        let unit =
            finer(exact, plan, parts).map_or(plan.digitisation.unit.clone(), |finer| finer.unit);
        let tried = match parts {
            1 => format!("multiples of {}", (self.say)(&unit)),
            _ => format!(
                "multiples of {}, and of {} of it",
                (self.say)(&plan.digitisation.unit),
                PARTS
            ),
        };
        format!(
            "no run was found in which all times are {tried}, but that proves nothing here: {why}"
        )
    }

    /// A run of a relaxation that satisfies the premise may not be a run of the exact Machine. So the premise is checked again.
    fn confirm_premise(
        &self,
        exact: &Machine,
        plan: &Plan,
        report: &mut Report,
    ) -> Result<(), Refusal> {
        let PropertyKind::Claim(claim) = &exact.properties[0].kind else {
            return Ok(());
        };
        if let (Some(Some(met @ Premise::Met)), Some(premise)) =
            (report.findings.premises.first_mut(), claim.premise())
        {
            let property = Property {
                kind: PropertyKind::Possible(premise),
                ..exact.properties[0].clone()
            };
            *met = self.reach(&alone(exact, &property), plan)?;
        }
        Ok(())
    }

    /// Whether the only condition of a Machine is reachable, as the status of a premise.
    fn reach(&self, exact: &Machine, plan: &Plan) -> Result<Premise, Refusal> {
        // Without the times of the claim, a larger unit may be exact.
        let own = crate::plan::plan(exact).filter(|own| own.exact.is_ok());
        let plan = own.as_ref().unwrap_or(plan);
        let Some(digitisation) = finer(exact, plan, 1) else {
            return Ok(Premise::Open);
        };
        let report = self.ask(exact, &digitisation)?;
        Ok(match report.answers[..] {
            [Answer::Possible(_)] => Premise::Met,
            [Answer::Impossible] if plan.exact.is_ok() => Premise::Never,
            _ => Premise::Open,
        })
    }

    /// The premise of a claim about responses: whether the trigger of a response is ever true.
    fn required(&self, exact: &Machine, plan: &Plan) -> Result<Option<Premise>, Refusal> {
        let PropertyKind::Claim(claim) = &exact.properties[0].kind else {
            return Ok(None);
        };
        let mut premise = None;
        for response in claim
            .invariant()
            .and_then(|c| required_responses(&c))
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

    fn describe(&self, digitisation: &Digitisation) -> String {
        format!(
            "integer time in units of {}",
            (self.say)(&digitisation.unit)
        )
    }
}

/// The parts of the unit that are tried, in words (`MOST_PARTS`).
const PARTS: &str = "a half, a third and a fourth";

#[cfg(test)]
mod tests;
