//! The CEGAR loop: refines an abstraction of time until its answers are answers about the exact Machine.
//!
//! The first abstraction allows any order of events. A run of it that violates a claim is a candidate counterexample.
//! The loop concretises this run: `audit::concretise` computes times for its events, or shows that there are none. If
//! there are none, the counterexample is spurious. Then `rules` looks for an order rule that follows from the declared
//! times and excludes the order of the run; the rule is added to the abstraction, and the engine runs again. The
//! abstraction allows at least the orders of all exact runs, so a claim that holds in the abstraction holds for all
//! exact runs. A claim is reported as failed only with a run that has times.
//!
//! The first candidates are rules about a few consecutive gaps. They apply at any point of a run, and most questions
//! need no others. If no such rule excludes the counterexample, a corner schedule may answer the question (`corner`).
//! Otherwise the loop starts again with rules that count activations from the start; these are cheap for questions
//! about the first activations.

use crate::concretise::{Spurious, concretise, concretise_run};
use crate::corner;
use crate::rules::{Rules, excluding_rule};
use machine::{Frozen, Machine, Property, PropertyKind};
use rational::Rational;
use verdict::{
    Answer, Budget, Engine, Premise, Progress, PropertyResult, Question, Reason, Refusal, Report,
    Run, StateLimited,
};

/// The largest number of order rules in one abstraction.
const MOST_RULES: usize = 200;

/// The largest number of order rules if a run is already known and the loop only looks for a shorter one.
const MOST_RULES_FOR_SHORTER: usize = 40;

/// The largest number of values of the frozen variables for which corner schedules are executed, for each property.
const MOST_CORNER_STARTS: usize = 8;

/// The largest number of states that the engine visits in one abstraction if a run is already known and the loop only
/// looks for a shorter one.
pub const MOST_STATES_FOR_SHORTER: u64 = 50_000;

/// Answers a question about a Machine with exact times by an engine that sees only the order of events. Times in runs
/// are simple multiples of `unit`.
pub fn answer(
    question: &Question<'_>,
    unit: &Rational,
    engine: Engine<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let refinement = Refinement {
        fair: question.fair,
        unit,
        engine,
        budget,
    };
    let mut rules = Rules::default();
    let mut report = refinement.refine(question.machine, &mut rules, RunQuality::Readable)?;
    refinement.confirm_premises(question.machine, rules, &mut report);
    Ok(report)
}

/// The inputs of the CEGAR loop that are the same in every iteration.
struct Refinement<'a> {
    fair: bool,
    unit: &'a Rational,
    engine: Engine<'a>,
    budget: &'a dyn Budget,
}

/// Which run the loop returns for a property.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RunQuality {
    /// The run is shown to the user, so the loop looks for a run shorter than a corner schedule.
    Readable,
    /// The run only shows that a condition is reachable, so the first run found is taken.
    Any,
}

impl Refinement<'_> {
    /// The CEGAR loop: answers the properties of a Machine. It starts with the abstraction defined by `rules`; at the
    /// end, `rules` defines the last abstraction.
    fn refine(
        &self,
        exact: &Machine,
        rules: &mut Rules,
        quality: RunQuality,
    ) -> Result<Report, Refusal> {
        let mut answers: Vec<Option<Answer>> = vec![None; exact.properties.len()];
        // For each property, whether its premise is ever true and which method answered, in the last abstraction that
        // was searched.
        let mut asides: Vec<(Option<Premise>, Option<&'static str>)> =
            vec![(None, None); exact.properties.len()];
        // For each property, the values of the frozen variables for which corner schedules were executed.
        let mut corner_starts: Vec<Vec<Frozen>> = vec![Vec::new(); exact.properties.len()];
        // Answers by corner schedules. Their runs are long, so the loop looks for shorter ones with a limited effort.
        let mut fallback: Vec<Option<Answer>> = vec![None; exact.properties.len()];
        loop {
            let open: Vec<usize> = (0..answers.len())
                .filter(|p| answers[*p].is_none())
                .collect();
            let properties = open.iter().map(|p| exact.properties[*p].clone());
            let abstraction = rules.abstraction(exact, properties);
            let asked = Question {
                machine: &abstraction,
                fair: self.fair,
            };
            let limited = StateLimited::attempt(self.budget, MOST_STATES_FOR_SHORTER);
            let (budget, most_rules): (&dyn Budget, _) =
                match open.iter().all(|p| fallback[*p].is_some()) {
                    true => (&limited, MOST_RULES_FOR_SHORTER),
                    false => (self.budget, MOST_RULES),
                };
            let mut report = (self.engine)(&asked, budget)?;
            let mut spurious: Vec<(usize, Spurious)> = Vec::new();
            for (i, found) in std::mem::take(&mut report.results).into_iter().enumerate() {
                asides[open[i]] = (found.premise, found.by);
                match concretise(&asked, exact, i, found.answer, self.unit) {
                    Ok(Answer::Unknown(_)) if fallback[open[i]].is_some() => {
                        answers[open[i]] = fallback[open[i]].take();
                    }
                    Ok(answer) => answers[open[i]] = Some(answer),
                    Err(run) => spurious.push((open[i], run)),
                }
            }
            let rule = spurious
                .last()
                .and_then(|(_, spurious)| excluding_rule(exact, spurious, !rules.from_start));
            for (p, spurious) in &spurious {
                let due = quality == RunQuality::Any
                    || (rule.is_none() && !rules.from_start)
                    || is_liveness(&exact.properties[*p]);
                let frozen = &spurious.run.frozen;
                let starts = &mut corner_starts[*p];
                if due && starts.len() < MOST_CORNER_STARTS && !starts.contains(frozen) {
                    starts.push(frozen.clone());
                    let found = self.at_corner(exact, *p, &spurious.run);
                    match quality {
                        RunQuality::Readable => fallback[*p] = fallback[*p].take().or(found),
                        RunQuality::Any => answers[*p] = found,
                    }
                }
            }
            let last = match rule {
                _ if answers.iter().all(Option::is_some) => true,
                None if !rules.from_start => {
                    *rules = Rules::counting_from_start();
                    false
                }
                Some(rule) if rules.len() < most_rules => {
                    rules.add(rule);
                    self.budget.ask(&Progress::default()).is_some()
                }
                rule => {
                    use_fallback(&mut answers, &mut fallback);
                    set_unknown(
                        &mut answers,
                        match rule {
                            Some(_) => verdict::Spurious::MostRules(rules.len()),
                            None => verdict::Spurious::NoRule,
                        },
                    );
                    true
                }
            };
            if last {
                use_fallback(&mut answers, &mut fallback);
                set_unknown(&mut answers, verdict::Spurious::Limit);
                // Evidence is dropped, because it is about the abstraction.
                let results = answers.into_iter().flatten().zip(asides);
                let results = results.map(|(answer, (premise, by))| PropertyResult {
                    premise,
                    by,
                    ..answer.into()
                });
                report.results = results.collect();
                report.abstraction = Some(rules.time_abstraction());
                let concretise = |run: Box<Run>| concretise_run(&asked, exact, &run, self.unit);
                report.findings.deadlock = report.findings.deadlock.and_then(concretise);
                report.findings.error = report.findings.error.and_then(concretise);
                return Ok(report);
            }
        }
    }

    /// A corner schedule from the initial state of `from` that answers the property; `None` if there is none.
    fn at_corner(&self, exact: &Machine, property: usize, from: &Run) -> Option<Answer> {
        let confirmed = |answer: &Answer| self.is_confirmed(exact, property, answer);
        let property = &exact.properties[property];
        let answer = corner::answer(exact, property, from, self.budget, &confirmed)?;
        confirmed(&answer).then_some(answer)
    }

    /// Whether the audit confirms the run of an answer, including its times.
    fn is_confirmed(&self, exact: &Machine, property: usize, answer: &Answer) -> bool {
        let question = Question {
            machine: exact,
            fair: self.fair,
        };
        audit::confirm(&question, property, answer).is_ok()
    }

    /// Checks the premises of claims that hold. A run of the abstraction that makes the premise true may have no times,
    /// so the loop searches for a run with times.
    fn confirm_premises(&self, exact: &Machine, mut rules: Rules, report: &mut Report) {
        let mut claims: Vec<usize> = Vec::new();
        let mut properties: Vec<Property> = Vec::new();
        for (p, property) in exact.properties.iter().enumerate() {
            let PropertyKind::Claim(claim) = &property.kind else {
                continue;
            };
            if report.results[p].answer == Answer::Holds
                && report.results[p].premise == Some(Premise::Met)
                && let Some(premise) = claim.premise()
            {
                claims.push(p);
                properties.push(Property {
                    kind: PropertyKind::Possible(premise),
                    ..property.clone()
                });
            }
        }
        if claims.is_empty() {
            return;
        }
        let exact = Machine {
            properties,
            ..exact.clone()
        };
        let answers = self.refine(&exact, &mut rules, RunQuality::Any);
        let results = answers.map_or(Vec::new(), |report| report.results);
        for (i, p) in claims.into_iter().enumerate() {
            report.results[p].premise = Some(match results.get(i).map(|result| &result.answer) {
                Some(answer @ Answer::Possible(_)) if self.is_confirmed(&exact, i, answer) => {
                    Premise::Met
                }
                Some(Answer::Impossible) => Premise::Never,
                _ => Premise::Open,
            });
        }
    }
}

/// Whether a counterexample of the property is a lasso. For lassos, corner schedules are tried immediately, because the
/// order of events says little about how long a cycle must be to have times.
fn is_liveness(property: &Property) -> bool {
    match &property.kind {
        PropertyKind::Claim(claim) => claim.invariant().is_none(),
        PropertyKind::Possible(_) => false,
    }
}

/// Answers the open properties by their corner schedules, if there are any.
fn use_fallback(answers: &mut [Option<Answer>], fallback: &mut [Option<Answer>]) {
    for (answer, fallback) in answers.iter_mut().zip(fallback) {
        *answer = answer.take().or_else(|| fallback.take());
    }
}

/// Answers the open properties with unknown.
fn set_unknown(answers: &mut [Option<Answer>], why: verdict::Spurious) {
    for answer in answers {
        answer.get_or_insert(Answer::Unknown(Reason::Spurious(why)));
    }
}
