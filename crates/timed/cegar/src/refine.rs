//! The CEGAR loop: an abstraction of time is refined until its answers are answers about the exact Machine.
//!
//! The first abstraction allows any order of events. A run that breaks a claim there is a candidate counterexample. The loop
//! concretises it: `audit::concretise` computes times for its events, or shows that there are none. If there are none, the
//! counterexample is spurious: `rules` looks for an order rule that follows from the declared times and excludes the order of the
//! run, the abstraction gets that rule, and the engine runs again. An abstraction has at least the orders of the exact runs, so a
//! claim that holds in the abstraction holds for all exact runs. A claim is reported as failed only with a run that has times.
//!
//! The first candidates are rules about a few gaps: they hold for ever, and most questions need no others. When no such rule
//! excludes the counterexample, a corner schedule may answer the question (`corner`). Otherwise the loop starts again with
//! rules that count activations from the start, which are cheap for questions about the first activations.

use crate::concretise::{Spurious, concretise, concretise_run};
use crate::corner;
use crate::rules::{Rules, excluding_rule};
use machine::{Frozen, Machine, Property, PropertyKind};
use rational::Rational;
use verdict::{
    Answer, Budget, Engine, Premise, Progress, Question, Refusal, Report, Run, StateLimited,
};

/// The largest number of order rules of one abstraction.
const MOST_RULES: usize = 200;

/// The largest number of order rules while the loop only looks for a run that is shorter than a known one.
const MOST_RULES_FOR_SHORTER: usize = 40;

/// For each property, the largest number of valuations of the frozen variables for which corner schedules are executed.
const MOST_CORNER_STARTS: usize = 8;

/// The largest number of states that the engine visits in one abstraction while the loop only looks for a shorter run.
pub const MOST_STATES_FOR_SHORTER: u64 = 50_000;

/// Answers a question about a Machine with exact times by an engine that knows only the order of events. Times in runs are simple
/// multiples of `unit`.
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

/// The inputs of the CEGAR loop that stay the same in every iteration.
struct Refinement<'a> {
    fair: bool,
    unit: &'a Rational,
    engine: Engine<'a>,
    budget: &'a dyn Budget,
}

/// Which runs the loop looks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RunQuality {
    /// The report shows the run: the loop prefers short runs over corner schedules.
    Readable,
    /// The run is only evidence: the first one is taken.
    Any,
}

impl Refinement<'_> {
    /// The CEGAR loop: answers the properties of a Machine. It starts with the abstraction of the given rules; at the end `rules` are
    /// those of the last abstraction.
    fn refine(
        &self,
        exact: &Machine,
        rules: &mut Rules,
        quality: RunQuality,
    ) -> Result<Report, Refusal> {
        let mut answers: Vec<Option<Answer>> = vec![None; exact.properties.len()];
        let mut premises = vec![None; exact.properties.len()];
        let mut by = vec![None; exact.properties.len()];
        // For each property, the valuations of the frozen variables for which corner schedules were executed.
        let mut corner_starts: Vec<Vec<Frozen>> = vec![Vec::new(); exact.properties.len()];
        // Answers with corner schedules. These runs are long, so the loop looks for shorter ones with a limited effort.
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
            for (i, p) in open.iter().enumerate() {
                premises[*p] = report.findings.premises.get(i).copied().flatten();
                by[*p] = report.findings.by.get(i).copied().flatten();
            }
            let mut spurious: Vec<(usize, Spurious)> = Vec::new();
            let found = std::mem::take(&mut report.answers);
            for (i, answer) in found.into_iter().enumerate() {
                match concretise(&asked, exact, i, answer, self.unit) {
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
                _ => {
                    use_fallback(&mut answers, &mut fallback);
                    set_unknown(
                        &mut answers,
                        "an order of events was found that real times do not allow, and no rule about two or three nodes excludes it",
                    );
                    true
                }
            };
            if last {
                use_fallback(&mut answers, &mut fallback);
                set_unknown(
                    &mut answers,
                    "the limit was reached while orders that real times do not allow were being excluded",
                );
                report.answers = answers.into_iter().flatten().collect();
                report.findings.premises = premises;
                // The evidence is about the abstraction, and only about the properties of the last iteration.
                report.evidence.clear();
                report.findings.by = by;
                report.abstraction = Some(rules.describe(exact));
                let concretise = |run: Box<Run>| concretise_run(&asked, exact, &run, self.unit);
                report.findings.deadlock = report.findings.deadlock.and_then(concretise);
                report.findings.error = report.findings.error.and_then(concretise);
                return Ok(report);
            }
        }
    }

    /// A corner schedule that starts in the initial state of a run and answers a property.
    fn at_corner(&self, exact: &Machine, property: usize, from: &Run) -> Option<Answer> {
        let confirmed = |answer: &Answer| self.is_confirmed(exact, property, answer);
        let property = &exact.properties[property];
        let answer = corner::answer(exact, property, from, self.budget, &confirmed)?;
        confirmed(&answer).then_some(answer)
    }

    /// Whether the audit confirms the run of an answer, times included.
    fn is_confirmed(&self, exact: &Machine, property: usize, answer: &Answer) -> bool {
        let question = Question {
            machine: exact,
            fair: self.fair,
        };
        audit::confirm(&question, property, answer).is_ok()
    }

    /// The order of events that satisfies a premise in the abstraction may be infeasible. So for each claim that holds, the loop
    /// asks whether a run with times satisfies its premise.
    fn confirm_premises(&self, exact: &Machine, mut rules: Rules, report: &mut Report) {
        let premises = &mut report.findings.premises;
        let mut claims: Vec<usize> = Vec::new();
        let mut properties: Vec<Property> = Vec::new();
        for (p, property) in exact.properties.iter().enumerate() {
            let PropertyKind::Claim(claim) = &property.kind else {
                continue;
            };
            if report.answers[p] == Answer::Holds
                && premises[p] == Some(Premise::Met)
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
        let answers = answers.map_or(Vec::new(), |report| report.answers);
        for (i, p) in claims.into_iter().enumerate() {
            premises[p] = Some(match answers.get(i) {
                Some(answer @ Answer::Possible(_)) if self.is_confirmed(&exact, i, answer) => {
                    Premise::Met
                }
                Some(Answer::Impossible) => Premise::Never,
                _ => Premise::Open,
            });
        }
    }
}

/// Whether a counterexample of the property is a lasso. The order of events says little about how long a loop must be to have times,
/// so corner schedules are executed at once.
fn is_liveness(property: &Property) -> bool {
    match &property.kind {
        PropertyKind::Claim(claim) => claim.invariant().is_none(),
        PropertyKind::Possible(_) => false,
    }
}

/// Answers the open properties by corner schedules, where there are any.
fn use_fallback(answers: &mut [Option<Answer>], fallback: &mut [Option<Answer>]) {
    for (answer, fallback) in answers.iter_mut().zip(fallback) {
        *answer = answer.take().or_else(|| fallback.take());
    }
}

/// Answers the open properties with unknown.
fn set_unknown(answers: &mut [Option<Answer>], why: &str) {
    for answer in answers {
        answer.get_or_insert_with(|| Answer::Unknown(why.into()));
    }
}
