//! `least x` and `greatest x` for every size: the value at small sizes, confirmed for every size.
//!
//! The value for every size is at least as large (`least`) as that for one size, whose run shows that no smaller one will
//! do. If the claim is proved for every size with the largest value that was found, that value is the answer.

use crate::check::every::SMALL_SIZES;
use crate::check::every_argument::{Claims, prove, sizes};
use crate::check::{Answered, Asking, InstanceReport};
use crate::results::proof_file::Proof;
use lower::Candidates;
use model::Constant;
use rational::Rational;
use source::Diagnostic;
use strategy::Argument;
use verdict::{Answer, PropertyResult, Reason, Side, SizeBound, SizeGap, SizeMethod, Threshold};

/// The number of further values that are tried if the value at small sizes is not proved for every size.
const FURTHER: i64 = 4;

/// The answers to the wanted claims.
pub(super) fn answers(
    asking: &Asking<'_>,
    wanted: &[usize],
    greatest: bool,
) -> Result<Vec<InstanceReport>, Vec<Diagnostic>> {
    let model = &asking.loaded.model;
    let mut last = 0;
    let mut projected = Vec::new();
    let mut least = 1;
    for claim in wanted {
        let first = match lower::candidates(model, &asking.request, *claim)? {
            Some(Candidates::Numbers(low, _)) => low,
            _ => 1,
        };
        let claims = Claims::of(asking, &asking.with(Constant::Int(first))?);
        least = claims.least;
        let end = match claims.argue(asking, *claim) {
            Ok(Argument::Sizes(projection)) => {
                projected.push(true);
                *sizes(claims.least, &projection).end()
            }
            Ok(Argument::Proved(_)) | Err(_) => {
                projected.push(false);
                claims.least.saturating_add(SMALL_SIZES - 1)
            }
        };
        last = last.max(end);
    }
    let mut found: Vec<(u32, InstanceReport)> = Vec::new();
    for size in least..=last {
        let sized = asking.request.at(model, i64::from(size))?;
        found.push((size, asking.about(&sized).instance(wanted)?));
    }
    let mut results = Vec::new();
    let mut proofs = Vec::new();
    for (asked, claim) in wanted.iter().enumerate() {
        let answers = found.iter();
        let answers: Vec<(u32, &Answer)> = answers
            .map(|(size, instance)| (*size, &instance.report.results[asked].answer))
            .collect();
        let whole = Whole {
            asking,
            claim: *claim,
            greatest,
            projected: projected[asked],
            answers: &answers,
        };
        let (result, proof) = whole.result()?;
        results.push(result);
        proofs.push(proof);
    }
    Ok(family(asking, found, results, proofs))
}

/// The instances of the family: those that show an answer, and the one for every size.
fn family(
    asking: &Asking<'_>,
    found: Vec<(u32, InstanceReport)>,
    results: Vec<PropertyResult>,
    proofs: Vec<Option<Proof>>,
) -> Vec<InstanceReport> {
    let mut instances: Vec<InstanceReport> = Vec::new();
    let mut whole = None;
    let mut shown = vec![false; results.len()];
    for (_, mut instance) in found {
        let mut shows = false;
        for (asked, result) in results.iter().enumerate() {
            let own = &instance.report.results[asked];
            let same = match (&own.answer, &result.answer) {
                (Answer::Value(a, _), Answer::Value(b, _)) => a == b,
                (Answer::Time(a, _), Answer::Time(b, _)) => a == b,
                (Answer::NoBound(_), _) => true,
                _ => false,
            };
            if same && !shown[asked] {
                (shown[asked], shows) = (true, true);
                instance.proofs[asked] = proofs[asked].clone();
            }
        }
        if shows {
            instances.push(instance);
        } else {
            whole = whole.or(Some(instance));
        }
    }
    let whole = whole.map(|instance| (instance.lowered, instance.report));
    if let Some((lowered, mut report)) = whole.or_else(|| {
        let first = instances.first()?;
        Some((first.lowered.clone(), first.report.clone()))
    }) {
        report.results = results;
        report.method = "every size";
        report.findings.deadlock = None;
        report.findings.error = None;
        instances.push(asking.audited(
            &asking.request,
            Answered {
                lowered,
                report,
                proofs,
                shown: None,
            },
        ));
    }
    instances
}

/// One claim, with its answers at small sizes.
struct Whole<'a, 'c> {
    asking: &'a Asking<'c>,
    claim: usize,
    greatest: bool,
    /// Whether the sizes that were asked decide.
    projected: bool,
    answers: &'a [(u32, &'a Answer)],
}

impl Whole<'_, '_> {
    /// The result for every size, with its proof.
    fn result(&self) -> Result<(PropertyResult, Option<Proof>), Vec<Diagnostic>> {
        let unknown = |why: Reason| Ok((Answer::Unknown(why).into(), None));
        let mut numbers: Vec<(i64, u32)> = Vec::new();
        let mut times: Vec<&Threshold> = Vec::new();
        for (size, answer) in self.answers {
            match answer {
                // No value will do at this size, so none does at every size.
                Answer::NoBound(_) => return unknown(self.reason(Vec::new(), None)),
                Answer::Value(value, _) => numbers.push((*value, *size)),
                Answer::Time(threshold, _) => times.push(threshold),
                Answer::Unknown(why) => return unknown(why.clone()),
                _ => {
                    let what = format!("with {size} nodes there is another answer than a value");
                    return unknown(self.reason(vec![gap(what)], None));
                }
            }
        }
        if let Some((first, others)) = times.split_first() {
            let most = others.iter().fold(*first, |a, b| {
                match self.greatest == (order(b) < order(a)) {
                    true => *b,
                    false => a,
                }
            });
            return match self.projected {
                true => Ok((Answer::Time(most.clone(), None).into(), None)),
                false => {
                    let what =
                        "a sought time needs an argument that the number of nodes does not matter"
                            .to_string();
                    unknown(self.reason(vec![gap(what)], None))
                }
            };
        }
        let extreme = match self.greatest {
            true => numbers.iter().min_by_key(|(value, size)| (*value, *size)),
            false => numbers.iter().min_by_key(|(value, size)| (-*value, *size)),
        };
        match extreme {
            Some((value, size)) => self.confirmed(*value, *size),
            None => unknown(self.reason(Vec::new(), None)),
        }
    }

    /// The result if the claim is proved for every size with the value that was found; else what is known.
    fn confirmed(
        &self,
        value: i64,
        size: u32,
    ) -> Result<(PropertyResult, Option<Proof>), Vec<Diagnostic>> {
        let step = if self.greatest { -1 } else { 1 };
        let mut gaps = Vec::new();
        let mut proved = None;
        for further in 0..=FURTHER {
            let candidate = value + step * further;
            let Ok(tried) = prove(self.asking, self.claim, Constant::Int(candidate)) else {
                break;
            };
            match tried {
                Ok((result, proof)) if further == 0 => {
                    let result = PropertyResult {
                        answer: Answer::Value(value, None),
                        premise: None,
                        ..result
                    };
                    return Ok((result, proof));
                }
                Ok(_) => {
                    proved = Some(candidate);
                    break;
                }
                Err(found) if further == 0 => {
                    // If no method accepts the claim at all, no other value will do.
                    let hopeless = found.iter().all(|gap| gap.place.is_some());
                    gaps = found;
                    if hopeless {
                        break;
                    }
                }
                Err(_) => {}
            }
        }
        let bound = SizeBound {
            proved,
            fails: Some((value - step, size)),
        };
        let why = self.reason(gaps, Some(bound));
        Ok((Answer::Unknown(why).into(), None))
    }

    fn reason(&self, gaps: Vec<SizeGap>, bound: Option<SizeBound>) -> Reason {
        let claims = Claims::of(self.asking, &self.asking.request);
        let sizes = self.answers.iter().map(|(size, _)| *size);
        let tried = sizes.clone().min().zip(sizes.max());
        claims.reason(gaps, tried, bound)
    }
}

fn gap(what: String) -> SizeGap {
    SizeGap {
        method: SizeMethod::SmallSizes,
        what,
        place: None,
    }
}

/// The sort key of a threshold.
fn order(threshold: &Threshold) -> (&Rational, u8) {
    let side = match threshold.side {
        Side::Below => 0,
        Side::Here => 1,
        Side::Above => 2,
    };
    (&threshold.time, side)
}
