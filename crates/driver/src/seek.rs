//! `least x`, `greatest x`: one value after the other, until the claim holds.
//!
//! From the least candidate on (for `greatest` from the greatest): a value that is refuted is no answer, the
//! first that holds is, and the run that refutes its neighbour says why not less. So every value on the way
//! has its own refutation, and nothing rests on the claim being monotone in x. In rounds one look at all states may
//! be enough (`in_rounds`).

use crate::abstraction::Patient;
use crate::check::{Answered, Asking, unanswered};
use crate::extremes;
use crate::in_rounds::InRounds;
use crate::integer;
use crate::repeated;
use crate::{Proof, every_bound};
use lower::{Candidates, Lowered, Request};
use machine::{Instance, Machine, Property, Response};
use model::{Constant, Question, Searched};
use rational::Rational;
use source::Diagnostic;
use verdict::{Answer, Budget, Premise, Report};

/// After so many values that fail, somebody asks whether all do.
const PATIENCE: i64 = 8;

/// After so many it is asked whether the end of the run that breaks the last one can be repeated for ever.
const REPEATED_AFTER: [i64; 3] = [3, 5, PATIENCE];

/// A loop of which the run has no more events is short enough, unless so few nodes are in it that the shortest is soon found.
const SHORT: usize = 60;
const FEW_NODES: u32 = 2;

/// What was found for one claim: an answer, and the value that its run is about.
pub(crate) struct Found {
    pub(crate) answer: Answer,
    pub(crate) about: Constant,
    pub(crate) report: Option<Report>,
}

impl Found {
    /// Nobody knows, and why; a value of which something can be shown.
    pub(crate) fn unknown(why: impl Into<String>, about: Constant) -> Found {
        Found {
            answer: Answer::Unknown(why.into()),
            about,
            report: None,
        }
    }
}

impl Asking<'_> {
    /// The sought values of the wanted claims. The Machine has for each claim the property that its run shows.
    pub(crate) fn seek(
        &self,
        wanted: &[usize],
        greatest: bool,
    ) -> Result<Answered, Vec<Diagnostic>> {
        let mut shown: Vec<Property> = Vec::new();
        let mut responses: Vec<Response> = Vec::new();
        let mut answers = Vec::new();
        let mut proofs = Vec::new();
        let mut last: Option<(Lowered, Option<Report>)> = None;
        for claim in wanted {
            let found = self.seek_one(*claim, greatest)?;
            proofs.push(self.proof_of(*claim, &found)?);
            let lowered = self.lowered(&self.with(found.about)?)?;
            let mut alone = integer::alone(&lowered.machine, &lowered.machine.properties[*claim]);
            shown.extend(
                integer::renumbered(&alone, responses.len())
                    .properties
                    .pop(),
            );
            responses.append(&mut alone.responses);
            answers.push(found.answer);
            // Machines for different values differ in how far they count: the last one to count furthest wins.
            let further = |old: &Lowered| counts(old) < counts(&lowered);
            if last.as_ref().is_none_or(|(old, _)| further(old)) {
                last = Some((lowered, found.report));
            } else if let (Some((_, report)), Some(found)) = (&mut last, found.report) {
                *report = Some(found);
            }
        }
        let (mut lowered, report) = last.expect("something is wanted");
        for answer in &mut answers {
            if let Answer::NoBound(run) = answer {
                **run = every_bound::unrolled(&lowered.machine, run);
            }
        }
        lowered.machine.properties = shown;
        lowered.machine.responses = responses;
        if integer::is_needed(&lowered.machine) {
            // What must follow in time is now that of all claims, each for its value.
            answers = answers
                .into_iter()
                .map(|answer| with_clock(&lowered.machine, answer))
                .collect();
        }
        let question = &self.loaded.model.checks[self.request.check].question;
        if question.seeks().is_some() && answers.len() > 1 {
            answers = shown_by_one(&lowered.machine, self.fair, answers);
        }
        let mut report = report.unwrap_or_else(|| unanswered(&lowered.machine, ""));
        report.answers = answers;
        report.findings.premises = vec![None; report.answers.len()];
        Ok((lowered, report, proofs))
    }

    /// What proves the claim for the value that was found.
    fn proof_of(&self, claim: usize, found: &Found) -> Result<Option<Proof>, Vec<Diagnostic>> {
        let evidence = found.report.as_ref().and_then(|r| r.evidence_of(0));
        let (Some(evidence), Answer::Value(value, _)) = (evidence, &found.answer) else {
            return Ok(None);
        };
        let lowered = self.lowered(&self.with(Constant::Int(*value))?)?;
        Ok(Proof::of(&lowered, claim, Some(evidence)))
    }

    /// The request for one value of what is sought.
    pub(crate) fn with(&self, value: Constant) -> Result<Request, Vec<Diagnostic>> {
        self.request.with(&self.loaded.model, &[value])
    }

    fn seek_one(&self, claim: usize, greatest: bool) -> Result<Found, Vec<Diagnostic>> {
        let candidates = lower::candidates(&self.loaded.model, self.request, claim)?;
        let unknown = |why: String, about| Found::unknown(why, Constant::Int(about));
        let (low, high) = match candidates {
            Some(Candidates::Numbers(low, high)) if low <= high => (low, high),
            Some(Candidates::Numbers(..)) => {
                return Ok(unknown("there is no value to try".into(), 0));
            }
            Some(Candidates::Times) => return self.seek_time(claim, greatest),
            Some(Candidates::AllNumbers) | None => {
                let why = "it has no range: `param x: 0..20 = …` gives it one";
                return Ok(unknown(why.into(), 0));
            }
        };
        if !greatest {
            match self.least_in_rounds(claim, (low, high))? {
                InRounds::Found(found) => return Ok(*found),
                InRounds::Endless(broken) => {
                    let bound = low.max(1);
                    if let Some(run) =
                        self.fails_for_every_bound(claim, (bound, high), &broken, Effort::Search)?
                    {
                        return Ok(Found {
                            answer: Answer::NoBound(run),
                            about: Constant::Int(bound),
                            report: None,
                        });
                    }
                }
                InRounds::NotHere => {}
            }
        }
        let (first, step) = if greatest { (high, -1) } else { (low, 1) };
        let mut below: Option<Box<verdict::Run>> = None;
        let mut value = first;
        while (low..=high).contains(&value) {
            let mut lowered = self.lowered(&self.with(Constant::Int(value))?)?;
            let property = lowered.machine.properties[claim].clone();
            lowered.machine.properties = vec![property];
            let mut report = self.report(&lowered)?;
            let premise = report.findings.premises.first().copied().flatten();
            match report.answers.remove(0) {
                Answer::Holds if let Some(why) = says_nothing(premise) => {
                    let before = match below {
                        Some(_) => "; it fails for every value before",
                        None => "",
                    };
                    return Ok(unknown(format!("for {value} {why}{before}"), value));
                }
                Answer::Holds => {
                    let about = if below.is_some() { value - step } else { value };
                    return Ok(Found {
                        answer: Answer::Value(value, below),
                        about: Constant::Int(about),
                        report: Some(report),
                    });
                }
                Answer::Fails(run) => below = Some(run),
                Answer::Error(run) => {
                    return Ok(Found {
                        answer: Answer::Error(run),
                        about: Constant::Int(value),
                        report: Some(report),
                    });
                }
                Answer::Unknown(why) => {
                    let before = match below {
                        Some(_) => "; it fails for every value before",
                        None => "",
                    };
                    return Ok(unknown(
                        format!("not decided for {value}: {why}{before}"),
                        value,
                    ));
                }
                other => unreachable!("no answer to a claim: {other:?}"),
            }
            let tried = (value - first).abs();
            // Counts stand still at the bound: the smaller it is, the fewer states there are to look at.
            let bound = low.max(1);
            let effort = match tried == PATIENCE || value == high {
                true => Effort::Search,
                false => Effort::Repeat,
            };
            if !greatest
                && (effort == Effort::Search || REPEATED_AFTER.contains(&tried))
                && bound <= value
                && let Some(broken) = &below
                && let Some(run) =
                    self.fails_for_every_bound(claim, (bound, high), broken, effort)?
            {
                return Ok(Found {
                    answer: Answer::NoBound(run),
                    about: Constant::Int(bound),
                    report: Some(report),
                });
            }
            value += step;
        }
        let why = match greatest {
            false => format!("more than {high}: it fails for every value up to there"),
            true => format!("less than {low}: it fails for every value down to there"),
        };
        Ok(unknown(why, if greatest { low } else { high }))
    }

    /// A run on which the claim is false for every bound, if one is found; perhaps from where a run began that
    /// breaks it for one. Only for an argument of the claim: a parameter of the model makes another model.
    fn fails_for_every_bound(
        &self,
        claim: usize,
        (value, high): (i64, i64),
        broken: &verdict::Run,
        effort: Effort,
    ) -> Result<Option<Box<verdict::Run>>, Vec<Diagnostic>> {
        let Question::Extreme {
            searched: Searched::Argument { .. },
            claims,
            ..
        } = &self.loaded.model.checks[self.request.check].question
        else {
            return Ok(None);
        };
        // The claim for two neighbouring values shows what the value changes.
        let other = if value < high { value + 1 } else { value - 1 };
        let both = [Constant::Int(value), Constant::Int(other)];
        let mut lowered = self.lowered(&self.request.with(&self.loaded.model, &both)?)?;
        let properties = &lowered.machine.properties;
        let (here, there) = (
            properties[claim].clone(),
            properties[claims.len() + claim].clone(),
        );
        let Some(question) = every_bound::question(&lowered.machine, &here, &there) else {
            return Ok(None);
        };
        lowered.machine.properties = vec![question];
        let machine = &lowered.machine;
        let shown = |answer: Answer| match answer {
            Answer::Fails(run) if every_bound::is_shown(machine, &run, value) => Some(run),
            _ => None,
        };
        // A loop that repeats a run, or one at extreme times, is found at once; a shorter one is worth a limited effort, but not
        // where messages take time.
        let few = machine.node_count() <= FEW_NODES;
        let is_short = |run: &verdict::Run| !few && run.choices.len() <= SHORT;
        let repeated = match few {
            true => None,
            false => self.loop_of_end(machine, broken).and_then(shown),
        };
        if effort == Effort::Repeat || repeated.as_ref().is_some_and(|run| is_short(run)) {
            return Ok(repeated);
        }
        let at_extremes = || self.loop_from(machine, broken).and_then(shown);
        let spare = repeated.or_else(at_extremes);
        let takes_time = matches!(machine.delay, machine::Delay::Within(..));
        if spare
            .as_ref()
            .is_some_and(|run| takes_time || is_short(run))
        {
            return Ok(spare);
        }
        let patient = Patient::new(self.limits);
        let budget: &dyn Budget = match spare {
            Some(_) => &patient,
            None => self.limits,
        };
        let mut report = self.report_within(&lowered, budget)?;
        Ok(shown(report.answers.remove(0)).or(spare))
    }

    /// A loop that repeats the end of a run of such a Machine, and that breaks the only property.
    fn loop_of_end(&self, machine: &Machine, began: &verdict::Run) -> Option<Answer> {
        let question = verdict::Question {
            machine,
            fair: self.fair,
        };
        if !machine.has_time() || integer::is_needed(machine) {
            return None;
        }
        repeated::answer(&question, began, &Rational::ONE, self.limits)
    }

    /// A loop at extreme times, from where a run of such a Machine began, that breaks the only property.
    fn loop_from(&self, machine: &Machine, began: &verdict::Run) -> Option<Answer> {
        let question = verdict::Question {
            machine,
            fair: self.fair,
        };
        let vars = |node| machine.vars_of(machine.kind_of(node)).count();
        let mut nodes = machine.nodes().zip(&began.initial.nodes);
        if !machine.has_time() || !nodes.all(|(node, state)| vars(node) == state.vars.len()) {
            return None;
        }
        let stands = |answer: &Answer| audit::confirm(&question, 0, answer).is_ok();
        extremes::answer(machine, &machine.properties[0], began, self.limits, &stands)
    }
}

/// What is done to find a run that breaks a claim for every bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// The end of a known run is repeated.
    Repeat,
    /// Everything that there is.
    Search,
}

/// Why a claim that holds is no answer, if it may be vacuous.
pub(crate) fn says_nothing(premise: Option<Premise>) -> Option<&'static str> {
    match premise? {
        Premise::Never => Some("the claim says nothing, for its premise is never true"),
        Premise::Open => {
            Some("the claim holds, but it is not known whether its premise can ever be true")
        }
        Premise::Met => None,
    }
}

/// Borders of a parameter of the model differ from claim to claim, and each run is one of its own model: here those that are not
/// runs of this one are left out.
fn shown_by_one(machine: &Machine, fair: bool, answers: Vec<Answer>) -> Vec<Answer> {
    let question = verdict::Question { machine, fair };
    let answers = answers.into_iter().enumerate();
    let shown = answers.map(|(property, answer)| match answer {
        Answer::Time(threshold, Some(run)) => {
            let whole = Answer::Time(threshold.clone(), Some(run));
            match audit::confirm(&question, property, &whole) {
                Ok(_) => whole,
                Err(_) => Answer::Time(threshold, None),
            }
        }
        other => other,
    });
    shown.collect()
}

/// The same answer, its run with the clock of another Machine.
fn with_clock(machine: &Machine, answer: Answer) -> Answer {
    let Some(mut run) = answer.run().cloned() else {
        return answer;
    };
    let instance = Instance {
        machine,
        frozen: &run.frozen,
    };
    match instance.set_clock(&mut run.initial) {
        Ok(()) => answer.with_run(Box::new(run)),
        Err(_) => answer,
    }
}

/// How far a Machine's ghosts count, together.
fn counts(lowered: &Lowered) -> i64 {
    let ghosts = lowered.machine.vars.iter().filter(|var| var.ghost);
    let most = ghosts.map(|var| match var.ty {
        machine::Type::Int(_, most) => most,
        _ => 0,
    });
    most.sum()
}
