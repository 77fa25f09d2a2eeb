//! Claims, and conditions of `possible`, for every size.

use crate::check::every::{FEW_STATES, SMALL_SIZES};
use crate::check::every_argument::{Claims, at_size, by_sizes, met_first, sizes};
use crate::check::{Answered, Asking, InstanceReport};
use crate::results::proof_file::Proof;
use cancellation::Cancelled;
use lower::{Lowered, Request};
use source::Diagnostic;
use strategy::Argument;
use verdict::{
    Answer, Budget, Counts, Findings, PropertyResult, Reason, Report, SizeGap, SizeMethod,
    StateLimited,
};

/// The number of sizes, from the least one, at which a claim is asked although it is proved for every size.
const CONFIRMED: u32 = 2;

/// A question, with what is known about it.
struct Asked {
    /// Its index among all questions of the check.
    claim: usize,
    argument: Result<Argument, Vec<SizeGap>>,
    /// The results at the sizes that were asked, from the least on.
    results: Vec<PropertyResult>,
}

/// One size that was asked.
struct Size {
    size: u32,
    request: Request,
    lowered: Lowered,
    counts: Counts,
    findings: Findings,
}

/// The answers to the wanted questions.
pub(super) fn answers(
    asking: &Asking<'_>,
    wanted: &[usize],
) -> Result<Vec<InstanceReport>, Vec<Diagnostic>> {
    let request = &asking.request;
    let claims = Claims::of(asking, request);
    let ask = |claim: &usize| Asked {
        claim: *claim,
        argument: claims.argue(asking, *claim),
        results: Vec::new(),
    };
    let mut all: Vec<Asked> = wanted.iter().map(ask).collect();
    let mut tried: Vec<Size> = Vec::new();
    let mut size = claims.least;
    while all.iter().any(|one| one.is_open_at(claims.least, size)) {
        let sized = request.at(&asking.loaded.model, i64::from(size))?;
        let ended = cancellation::catch(|| ask_at(asking, &sized, &claims, size, &mut all));
        match ended {
            Ok(found) => tried.push(found?),
            Err(Cancelled) => break,
        }
        size += 1;
    }
    let known = tried.last().map(|last| (claims.least, last.size));
    let whole: Vec<PropertyResult> = all.iter().map(|one| one.of_every(&claims, known)).collect();
    let mut instances = Vec::new();
    instances.push(of_every(asking, &claims, (&all, &whole), &tried)?);
    for (place, of) in tried.into_iter().enumerate() {
        let decides = |one: &Asked| one.results.get(place).is_some_and(is_decisive);
        if !all.iter().any(decides) {
            continue;
        }
        let results = all.iter().zip(&whole).map(|(one, whole)| {
            let own = one.results.get(place).filter(|own| is_decisive(own));
            own.unwrap_or(whole).clone()
        });
        let report = Report {
            method: "small sizes",
            abstraction: None,
            results: results.collect(),
            counts: Counts::default(),
            findings: of.findings,
        };
        let proofs = all.iter().map(|_| None).collect();
        instances.push(asking.audited(
            &of.request,
            Answered {
                lowered: of.lowered,
                report,
                proofs,
                shown: Vec::new(),
            },
        ));
    }
    Ok(instances)
}

/// Asks all open questions at one size.
fn ask_at(
    asking: &Asking<'_>,
    request: &Request,
    claims: &Claims,
    size: u32,
    all: &mut [Asked],
) -> Result<Size, Vec<Diagnostic>> {
    let few = StateLimited::first_look(asking.limits, FEW_STATES);
    let mut counts = Counts::default();
    let mut findings = Findings::default();
    for projected in [true, false] {
        let open = |one: &&mut Asked| {
            one.is_projected() == projected && one.is_open_at(claims.least, size)
        };
        let mut asked: Vec<&mut Asked> = all.iter_mut().filter(open).collect();
        if asked.is_empty() {
            continue;
        }
        let numbers: Vec<usize> = asked.iter().map(|one| one.claim).collect();
        let budget: &dyn Budget = match projected {
            true => asking.limits,
            false => &few,
        };
        let (_, report) = at_size(asking, request, &numbers, budget)?;
        for (one, mut result) in asked.iter_mut().zip(report.results) {
            result.by = result.by.or(Some(report.method));
            one.results.push(result);
        }
        counts.instances += report.counts.instances;
        counts.initial += report.counts.initial;
        counts.states += report.counts.states;
        counts.transitions += report.counts.transitions;
        counts.depth = counts.depth.max(report.counts.depth);
        counts.memory = counts.memory.max(report.counts.memory);
        findings = report.findings;
    }
    let mut lowered = asking.lowered(request)?;
    let properties = std::mem::take(&mut lowered.machine.properties);
    let properties = all.iter().map(|one| properties[one.claim].clone());
    lowered.machine.properties = properties.collect();
    Ok(Size {
        size,
        request: request.clone(),
        lowered,
        counts,
        findings: Findings {
            deadlock: None,
            error: None,
            ..findings
        },
    })
}

/// Whether a run at one size is the answer for every size.
fn is_decisive(result: &PropertyResult) -> bool {
    is_final(result) || matches!(result.answer, Answer::Error(_))
}

/// Whether no result at another size takes precedence over this one. An error at one size does not show whether the claim
/// fails at another.
fn is_final(result: &PropertyResult) -> bool {
    matches!(result.answer, Answer::Fails(_) | Answer::Possible(_))
}

impl Asked {
    fn is_projected(&self) -> bool {
        matches!(self.argument, Ok(Argument::Sizes(_)))
    }

    /// Whether the question is still to be asked at a size.
    fn is_open_at(&self, least: u32, size: u32) -> bool {
        let last = match &self.argument {
            // These sizes say whether a premise is ever true, and confirm the proof.
            Ok(Argument::Proved(_)) => least.saturating_add(CONFIRMED - 1),
            Ok(Argument::Sizes(projection)) => *sizes(least, projection).end(),
            Err(_) => least.saturating_add(SMALL_SIZES - 1),
        };
        let undecided = |result: &PropertyResult| match self.is_projected() {
            true => result.answer == Answer::Holds,
            false => !is_final(result),
        };
        size <= last && self.results.iter().all(undecided)
    }

    /// The result for every size.
    fn of_every(&self, claims: &Claims, tried: Option<(u32, u32)>) -> PropertyResult {
        let mut gaps = match &self.argument {
            Ok(Argument::Proved(result)) => {
                if !self.results.iter().any(is_decisive) {
                    let premises = self.results.iter().map(|result| result.premise);
                    let premise = premises.flatten().min_by_key(met_first);
                    return PropertyResult {
                        premise,
                        ..(**result).clone()
                    };
                }
                // The run is replayed: it is right, and the proof is wrong.
                vec![SizeGap {
                    method: SizeMethod::SmallSizes,
                    what:
                        "a run contradicts a proof: this is a bug in Scrutineer, please report it"
                            .into(),
                    place: None,
                }]
            }
            Ok(Argument::Sizes(projection)) => {
                let deciding = sizes(claims.least, projection).count();
                let holds = |result: &PropertyResult| result.answer == Answer::Holds;
                if self.results.len() == deciding && self.results.iter().all(holds) {
                    let results: Vec<&PropertyResult> = self.results.iter().collect();
                    return by_sizes(projection, &results);
                }
                Vec::new()
            }
            Err(gaps) => gaps.clone(),
        };
        for (place, result) in self.results.iter().enumerate() {
            if self.is_projected() && result.answer.is_open() {
                let size = claims.least + place as u32;
                gaps.push(SizeGap {
                    method: SizeMethod::Projection,
                    what: format!("with {} = {size} the claim is undecided", claims.name),
                    place: None,
                });
            }
        }
        let why = claims.undecided(gaps, tried);
        Answer::Unknown(Reason::ForEvery(Box::new(why))).into()
    }
}

/// The instance that stands for every size.
fn of_every(
    asking: &Asking<'_>,
    claims: &Claims,
    (all, whole): (&[Asked], &[PropertyResult]),
    tried: &[Size],
) -> Result<InstanceReport, Vec<Diagnostic>> {
    let mut lowered = asking.lowered(&asking.request)?;
    let properties = std::mem::take(&mut lowered.machine.properties);
    let properties = all.iter().map(|one| properties[one.claim].clone());
    lowered.machine.properties = properties.collect();
    let proofs: Vec<Option<Proof>> = all
        .iter()
        .zip(whole)
        .map(|(one, whole)| claims.proof(one.claim, whole.evidence.as_ref()))
        .collect();
    let counts = tried.iter().map(|of| of.counts).reduce(|a, b| Counts {
        instances: a.instances + b.instances,
        up_to_rotation: false,
        initial: a.initial + b.initial,
        states: a.states + b.states,
        transitions: a.transitions + b.transitions,
        depth: a.depth.max(b.depth),
        memory: a.memory.max(b.memory),
    });
    let report = Report {
        method: "every size",
        abstraction: None,
        results: whole.to_vec(),
        counts: counts.unwrap_or_default(),
        // The findings at one size are about the Machine of that size only.
        findings: Findings::default(),
    };
    Ok(asking.audited(
        &asking.request,
        Answered {
            lowered,
            report,
            proofs,
            shown: Vec::new(),
        },
    ))
}
