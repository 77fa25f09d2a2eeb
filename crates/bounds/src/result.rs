//! The results for all claims of a check that searches for a value, and one Machine on which the runs of all claims can
//! be shown.

use crate::every_bound;
use crate::numbers;
use crate::oracle::{Found, Oracle, Proved};
use crate::search::search;
use crate::thresholds;
use crate::times;
use lower::{Candidates, Lowered};
use machine::{Instance, Machine, Property, Response};
use model::Constant;
use source::Diagnostic;
use verdict::{Answer, PropertyResult, Reason, Report, Unsought};

/// The results of `least` or `greatest` for the wanted claims of a check.
pub struct Sought {
    /// A Machine with one property per claim: the claim for the value that its run is about.
    pub lowered: Lowered,
    /// For each claim the value that its property in the Machine is about.
    pub shown: Vec<Constant>,
    /// One answer for each wanted claim.
    pub report: Report,
    /// For each claim its proof for the found value, if the method produces one.
    pub proofs: Vec<Option<Proved>>,
}

/// Searches for the least or greatest value for each of the wanted claims.
pub fn seek(
    oracle: Oracle<'_>,
    wanted: &[usize],
    greatest: bool,
) -> Result<Sought, Vec<Diagnostic>> {
    let mut shown: Vec<Property> = Vec::new();
    let mut responses: Vec<Response> = Vec::new();
    let mut answers = Vec::new();
    let mut proofs = Vec::new();
    let mut values = Vec::new();
    let mut last: Option<Last> = None;
    let of_model = oracle.asks().seeks().is_some();
    for claim in wanted {
        let found = seek_one(oracle, *claim, greatest)?;
        proofs.push(proof_of(oracle, *claim, &found)?);
        let lowered = oracle.lowered(&oracle.with(found.about.clone())?)?;
        let mut alone = digitisation::alone(&lowered.machine, &lowered.machine.properties[*claim]);
        shown.extend(
            digitisation::renumbered(&alone, responses.len())
                .properties
                .pop(),
        );
        responses.append(&mut alone.responses);
        answers.push(found.answer);
        values.push(found.about.clone());
        // A run that violates a claim for every value of a model parameter is always shown, on the Machine for its own value.
        let no_bound = of_model && matches!(answers.last(), Some(Answer::NoBound(_)));
        // The Machines for different values have counters that saturate at different counts. The Machine with the
        // largest counters can replay the runs of all of them.
        let further = |old: &Lowered| counts(old) < counts(&lowered);
        let taken = |old: &Last| !old.no_bound && (no_bound || further(&old.lowered));
        match &mut last {
            Some(old) if !taken(old) => old.report = found.report.or(old.report.take()),
            _ => {
                last = Some(Last {
                    about: found.about,
                    lowered,
                    report: found.report,
                    no_bound,
                });
            }
        }
    }
    let Last {
        about,
        mut lowered,
        report,
        ..
    } = last.expect("at least one claim is wanted");
    for answer in &mut answers {
        if let Answer::NoBound(run) = answer {
            **run = every_bound::unrolled(&lowered.machine, run);
        }
    }
    lowered.machine.properties = shown;
    lowered.machine.responses = responses;
    if digitisation::is_needed(&lowered.machine) {
        // The Machine now has the responses of all claims, so the initial states of the runs need clocks for all of
        // them.
        answers = answers
            .into_iter()
            .map(|answer| with_clock(&lowered.machine, answer))
            .collect();
    }
    if of_model && answers.len() > 1 {
        answers = shown_by_one(&lowered.machine, oracle.fair, answers);
    }
    let unanswered = || Report::unanswered(&lowered.machine, Reason::NoMethod);
    let mut report = report.unwrap_or_else(unanswered);
    report.results = answers.into_iter().map(PropertyResult::from).collect();
    Ok(Sought {
        lowered,
        shown: match of_model {
            // All runs are shown on one Machine.
            true => vec![about; values.len()],
            false => values,
        },
        report,
        proofs,
    })
}

/// Searches for the least or greatest value for one claim. The plan depends on the kind of value.
fn seek_one(oracle: Oracle<'_>, claim: usize, greatest: bool) -> Result<Found, Vec<Diagnostic>> {
    let unknown = |why: Unsought| Ok(Found::unknown(why, Constant::Int(0)));
    match lower::candidates(oracle.model, oracle.request, claim)? {
        Some(Candidates::Numbers(low, high)) if low <= high => {
            match numbers::plan(oracle, claim, greatest, (low, high))? {
                Ok(mut plan) => search(&mut plan),
                Err(found) => Ok(*found),
            }
        }
        Some(Candidates::Numbers(..)) => unknown(Unsought::EmptyRange),
        Some(Candidates::Times) => match oracle.asks().seeks() {
            Some(param) => match thresholds::plan(oracle, claim, param, greatest)? {
                Ok(mut plan) => search(&mut plan),
                Err(found) => Ok(*found),
            },
            None => match times::plan(oracle, claim, greatest)? {
                Ok(mut plan) => search(&mut plan),
                Err(found) => Ok(*found),
            },
        },
        Some(Candidates::AllNumbers) | None => unknown(Unsought::NoRange),
    }
}

/// The proof of the claim for the found value; `None` if the answer is not a number or the method produced no proof.
fn proof_of(
    oracle: Oracle<'_>,
    claim: usize,
    found: &Found,
) -> Result<Option<Proved>, Vec<Diagnostic>> {
    let result = found.report.as_ref().and_then(|r| r.results.first());
    let evidence = result.and_then(|result| result.evidence.as_ref());
    let (Some(evidence), Answer::Value(value, _)) = (evidence, &found.answer) else {
        return Ok(None);
    };
    Ok(Some(Proved {
        lowered: oracle.lowered(&oracle.with(Constant::Int(*value))?)?,
        property: claim,
        evidence: evidence.clone(),
    }))
}

/// The Machine that is shown.
struct Last {
    about: Constant,
    lowered: Lowered,
    report: Option<Report>,
    /// Whether a claim fails for every value of a parameter of the model, as a run of this Machine shows.
    no_bound: bool,
}

/// The answers, with those runs removed that are not runs of this Machine. The sought value of a model parameter may
/// differ from claim to claim, and each run belongs to the Machine for the value of its claim.
fn shown_by_one(machine: &Machine, fair: bool, answers: Vec<Answer>) -> Vec<Answer> {
    let question = verdict::Question { machine, fair };
    let answers = answers.into_iter().enumerate();
    let shown = answers.map(|(property, answer)| match answer {
        Answer::Time(..) | Answer::Value(..) => {
            match (audit::confirm(&question, property, &answer), answer) {
                (Err(_), Answer::Time(threshold, _)) => Answer::Time(threshold, None),
                (Err(_), Answer::Value(value, _)) => Answer::Value(value, None),
                (_, answer) => answer,
            }
        }
        other => other,
    });
    shown.collect()
}

/// The answer with its run adapted to this Machine: the clocks in the initial state are set to their initial values.
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

/// The sum of the values at which the ghost counters of a Machine saturate.
fn counts(lowered: &Lowered) -> i64 {
    let ghosts = lowered.machine.vars.iter().filter(|var| var.ghost);
    let most = ghosts.map(|var| match var.ty {
        machine::Type::Int(_, most) => most,
        _ => 0,
    });
    most.sum()
}
