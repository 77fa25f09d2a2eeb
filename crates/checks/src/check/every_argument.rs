//! The argument for one claim and every size, and the reason if there is none.

use crate::check::Asking;
use crate::results::proof_file::{Proof, Subject};
use lower::{OpenLowered, Request};
use machine::{Machine, OpenMachine};
use model::Constant;
use source::{Diagnostic, Span};
use std::ops::RangeInclusive;
use strategy::Argument;
use verdict::{
    Answer, Evidence, Label, NotForEvery, Premise, Projected, Projection, PropertyResult, Report,
    SizeGap, SizeMethod,
};

/// The claims of a request for every size.
pub(super) struct Claims {
    /// The open Machine with all claims of the check, or the reason why there is none.
    opened: Result<Box<OpenLowered>, SizeGap>,
    /// The name of the parameter, and its least value.
    pub(super) name: String,
    pub(super) least: u32,
}

impl Claims {
    pub(super) fn of(asking: &Asking<'_>, request: &Request) -> Claims {
        let model = &asking.loaded.model;
        let param = request.every.first().copied();
        let name = param.map_or(String::new(), |param| model.param(param).name.clone());
        let least = param.and_then(|param| request.params[param.index()].as_int());
        let least = least.and_then(|least| u32::try_from(least).ok());
        let opened = lower::open(model, &asking.loaded.sources, request);
        let opened = opened.map(Box::new).map_err(|not| SizeGap {
            method: SizeMethod::OpenMachine,
            what: not.what,
            place: not.place.map(|place| label(asking, place)),
        });
        Claims {
            opened,
            name,
            least: least.unwrap_or(1),
        }
    }

    /// The open Machine with one claim.
    pub(super) fn with(&self, claim: usize) -> Result<OpenMachine, SizeGap> {
        let opened = self.opened.as_ref().map_err(Clone::clone)?;
        let property = opened.machine.base.properties[claim].clone();
        let base = Machine {
            properties: vec![property],
            ..opened.machine.base.clone()
        };
        Ok(OpenMachine {
            base,
            ..opened.machine.clone()
        })
    }

    /// How many nodes decide one claim; `None` if there is no projection.
    pub(super) fn projection(&self, claim: usize, fair: bool) -> Option<Projection> {
        let opened = self.opened.as_ref().ok()?;
        strategy::project(&opened.machine, claim, fair).ok()
    }

    /// The argument for one claim, or what stands in the way of each method.
    pub(super) fn argue(
        &self,
        asking: &Asking<'_>,
        claim: usize,
    ) -> Result<Argument, Vec<SizeGap>> {
        let opened = self.opened.as_ref().map_err(|gap| vec![gap.clone()])?;
        let argued = strategy::argue(
            &opened.machine,
            (claim, asking.fair),
            asking.limits,
            asking.lemmas,
            asking.log,
        );
        argued.map_err(|gaps| {
            let labels = &opened.labels;
            let gaps = gaps.into_iter().map(|gap| SizeGap {
                method: gap.method,
                what: gap.what,
                place: gap.origin.and_then(|o| labels.origin(o).cloned()),
            });
            gaps.collect()
        })
    }

    /// The proof of a claim for every size.
    pub(super) fn proof(&self, claim: usize, evidence: Option<&Evidence>) -> Option<Proof> {
        let opened = self.opened.as_ref().ok()?;
        let evidence = evidence?.clone();
        let open = match &evidence {
            // The other claims are lemmas.
            Evidence::OneNode(_) => opened.machine.clone(),
            _ => self.with(claim).ok()?,
        };
        Some(Proof {
            machine: Subject::Open(open),
            labels: opened.labels.clone(),
            evidence,
        })
    }

    /// Why a claim is undecided, given what stands in the way of each method and the sizes that were tried.
    pub(super) fn undecided(&self, gaps: Vec<SizeGap>, tried: Option<(u32, u32)>) -> NotForEvery {
        NotForEvery {
            parameter: self.name.clone(),
            gaps,
            tried,
            bound: None,
            open: None,
        }
    }
}

/// The text at a place.
fn label(asking: &Asking<'_>, place: Span) -> Label {
    let sources = &asking.loaded.sources;
    let words: Vec<&str> = sources.slice(place).split_whitespace().collect();
    Label {
        text: words.join(" "),
        file: sources.name(place.file).to_string(),
        line: sources.line(place) as u32,
    }
}

/// The sizes that decide: from the least size to the number of nodes of the projection.
pub(super) fn sizes(least: u32, projection: &Projection) -> RangeInclusive<u32> {
    least..=projection.nodes.max(least)
}

/// The result of a claim that holds at all sizes that decide.
pub(super) fn by_sizes(projection: &Projection, results: &[&PropertyResult]) -> PropertyResult {
    let evidence = results.iter().map(|result| result.evidence.clone());
    let evidence: Option<Vec<Evidence>> = evidence.collect();
    let premises = results.iter().filter_map(|result| result.premise);
    PropertyResult {
        evidence: evidence.map(|sizes| {
            Evidence::Projection(Projected {
                names: projection.names,
                nodes: projection.nodes,
                sizes,
            })
        }),
        premise: premises.min_by_key(met_first),
        by: Some("projection"),
        projection: Some(*projection),
        ..Answer::Holds.into()
    }
}

/// The sort key of premises at several sizes: a premise that is true at one size comes first.
pub(super) fn met_first(premise: &Premise) -> u8 {
    match premise {
        Premise::Met => 0,
        Premise::Open => 1,
        Premise::Never => 2,
    }
}

/// The result of a claim that is proved for every size, with its proof; or what stands in the way of each method.
type ForEverySize = Result<(PropertyResult, Option<Proof>), Vec<SizeGap>>;

/// Tries to prove one claim for every size, with `value` as its sought value.
pub(super) fn prove(
    asking: &Asking<'_>,
    claim: usize,
    value: Constant,
) -> Result<ForEverySize, Vec<Diagnostic>> {
    let request = asking.with(value)?;
    let claims = Claims::of(asking, &request);
    let projection = match claims.argue(asking, claim) {
        Ok(Argument::Proved(result)) => {
            let proof = claims.proof(claim, result.evidence.as_ref());
            return Ok(Ok((*result, proof)));
        }
        Ok(Argument::Sizes(projection)) => projection,
        Err(gaps) => return Ok(Err(gaps)),
    };
    let mut results = Vec::new();
    for size in sizes(claims.least, &projection) {
        let sized = request.at(&asking.loaded.model, i64::from(size))?;
        let report = at_size(asking, &sized, &[claim], asking.limits)?.1;
        let result = report.results.into_iter().next();
        match result {
            Some(result) if result.answer == Answer::Holds => results.push(result),
            _ => {
                let what = format!("with {} = {size} the claim is not proved", claims.name);
                return Ok(Err(vec![SizeGap {
                    method: SizeMethod::Projection,
                    what,
                    place: None,
                }]));
            }
        }
    }
    let results: Vec<&PropertyResult> = results.iter().collect();
    let result = by_sizes(&projection, &results);
    let proof = claims.proof(claim, result.evidence.as_ref());
    Ok(Ok((result, proof)))
}

/// Answers some claims at one size.
pub(super) fn at_size(
    asking: &Asking<'_>,
    request: &Request,
    claims: &[usize],
    budget: &dyn verdict::Budget,
) -> Result<(lower::Lowered, Report), Vec<Diagnostic>> {
    let asking = asking.about(request);
    let mut lowered = asking.lowered(request)?;
    let all = std::mem::take(&mut lowered.machine.properties);
    lowered.machine.properties = claims.iter().map(|claim| all[*claim].clone()).collect();
    let report = asking.report_within(&lowered, budget)?;
    Ok((lowered, report))
}
