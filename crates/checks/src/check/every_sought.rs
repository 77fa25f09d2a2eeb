//! `least x` and `greatest x` for every size: the value at small sizes, confirmed for every size.
//!
//! For `least`, the value for every size is at least the value for one size, because a run at this size violates the
//! claim for the next smaller value; `greatest` is symmetric. If the claim is proved for every size with the largest
//! (`greatest`: smallest) value that was found, this value is the answer.
//!
//! A time of the model has a threshold at a size: a run violates the claim there and further outside. If the claim is
//! proved for every size with a value just inside of the threshold, by a proof that is stable up to the threshold
//! (`every_size::is_stable`), the claim holds for every size up to the threshold. For values further inside, the
//! Machine has fewer runs, so the claim holds too.

use crate::check::every::SMALL_SIZES;
use crate::check::every_argument::{Claims, prove, sizes};
use crate::check::{Answered, Asking, InstanceReport};
use crate::results::proof_file::{Proof, Subject};
use bounds::Oracle;
use lower::{Candidates, Lowered};
use model::{Constant, ParamId};
use rational::Rational;
use source::Diagnostic;
use std::ops::RangeInclusive;
use verdict::{
    Answer, Budget, Evidence, NotForEvery, Projection, PropertyResult, Reason, Side, SizeBound,
    SizeGap, SizeMethod, Sought, Threshold,
};

/// The number of further values that are tried if the value at small sizes is not proved for every size.
const FURTHER: i64 = 4;

/// The answers to the wanted claims.
pub(super) fn answers(
    asking: &Asking<'_>,
    wanted: &[usize],
    greatest: bool,
) -> Result<Vec<InstanceReport>, Vec<Diagnostic>> {
    let model = &asking.loaded.model;
    let sought = model.checks[asking.request.check].question.seeks();
    let mut last = 0;
    let mut projections = Vec::new();
    let mut ranges = Vec::new();
    let mut least = 1;
    for claim in wanted {
        let mut range = i64::MIN..=i64::MAX;
        let first = match (lower::candidates(model, &asking.request, *claim)?, sought) {
            (Some(Candidates::Numbers(low, high)), _) => {
                range = low..=high;
                Constant::Int(low)
            }
            (Some(Candidates::Times), Some(param)) => asking.request.params[param.index()].clone(),
            (Some(Candidates::Times), None) => Constant::Duration(Rational::ZERO),
            _ => Constant::Int(1),
        };
        ranges.push(range);
        let claims = Claims::of(asking, &asking.with(first)?);
        least = claims.least;
        let projection = claims.projection(*claim, asking.fair);
        projections.push(projection);
        let end = match projection {
            Some(projection) => *sizes(least, &projection).end(),
            None => claims.least.saturating_add(SMALL_SIZES - 1),
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
            range: ranges[asked].clone(),
            projection: projections[asked],
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
                shown: Vec::new(),
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
    /// The candidates, if a number is sought.
    range: RangeInclusive<i64>,
    /// The projection by which the asked sizes decide the claim; `None` if there is none.
    projection: Option<Projection>,
    answers: &'a [(u32, &'a Answer)],
}

impl Whole<'_, '_> {
    /// The result for every size, with its proof.
    fn result(&self) -> Result<(PropertyResult, Option<Proof>), Vec<Diagnostic>> {
        let mut numbers: Vec<(i64, u32)> = Vec::new();
        let mut times: Vec<(&Threshold, u32)> = Vec::new();
        let mut open = None;
        for (size, answer) in self.answers {
            match answer {
                // The claim holds for no value at this size, so for no value at every size.
                Answer::NoBound(_) => return self.unknown(Known::default()),
                Answer::Value(value, _) => numbers.push((*value, *size)),
                Answer::Time(threshold, _) => times.push((threshold, *size)),
                Answer::Unknown(why) => open = open.or(Some((*size, why.clone()))),
                _ => {
                    let what = format!("with {size} nodes there is another answer than a value");
                    return self.unknown(Known::gap(what));
                }
            }
        }
        let found_none = numbers.is_empty() && times.is_empty();
        if open.is_some() && (self.projection.is_some() || found_none) {
            return self.unknown(Known {
                open,
                ..Known::default()
            });
        }
        let innermost = times.iter().min_by(|(a, _), (b, _)| match self.greatest {
            true => order(a).cmp(&order(b)),
            false => order(b).cmp(&order(a)),
        });
        if let Some((threshold, size)) = innermost {
            let Some(projection) = self.projection else {
                return self.up_to(threshold, *size, open);
            };
            let result = PropertyResult {
                projection: Some(projection),
                ..Answer::Time((*threshold).clone(), None).into()
            };
            return Ok((result, None));
        }
        let extreme = match self.greatest {
            true => numbers.iter().min_by_key(|(value, size)| (*value, *size)),
            false => numbers.iter().min_by_key(|(value, size)| (-*value, *size)),
        };
        match extreme {
            Some((value, size)) => self.confirmed(*value, *size),
            None => self.unknown(Known::default()),
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
                    // If no method accepts the claim at all, no other value is tried.
                    let hopeless = found.iter().all(|gap| gap.place.is_some());
                    gaps = found;
                    if hopeless {
                        break;
                    }
                }
                Err(_) => {}
            }
        }
        // At the end of its range a value has no neighbour that fails.
        let neighbour = Some(value - step).filter(|next| self.range.contains(next));
        let bound = SizeBound {
            proved: proved.map(Sought::Number),
            fails: neighbour.map(|next| (Sought::Number(next), size)),
        };
        self.unknown(Known {
            gaps,
            bound: Some(bound),
            open: None,
        })
    }

    /// The result if the claim is proved for every size and all times up to the threshold of one size.
    fn up_to(
        &self,
        threshold: &Threshold,
        size: u32,
        open: Option<(u32, Reason)>,
    ) -> Result<(PropertyResult, Option<Proof>), Vec<Diagnostic>> {
        let asking = self.asking;
        let sought = asking.loaded.model.checks[asking.request.check]
            .question
            .seeks();
        let attained = threshold.side == Side::Here;
        let unknown = |gaps, proved: Option<Rational>| {
            // A run violates the claim at the threshold of a time of the model, unless the claim holds there too.
            let fails = sought.is_some() && !attained;
            let fails = fails.then(|| (Sought::Time(threshold.time.clone()), size));
            let proved = proved.map(Sought::Time);
            self.unknown(Known {
                gaps,
                bound: Some(SizeBound { proved, fails }),
                open: open.clone(),
            })
        };
        let Some(param) = sought else {
            let what = "a time that is sought in a claim needs a projection";
            return unknown(vec![gap(what.into())], None);
        };
        let near = match attained {
            true => Some(threshold.time.clone()),
            false => self.just_inside(size, param, &threshold.time)?,
        };
        let Some(near) = near else {
            let what = "no value is close enough to the threshold";
            return unknown(vec![gap(what.into())], None);
        };
        let (result, proof) = match prove(asking, self.claim, Constant::Duration(near.clone()))? {
            Ok(proved) => proved,
            Err(gaps) => return unknown(gaps, None),
        };
        let stable = proof
            .as_ref()
            .is_some_and(|proof| match (&proof.machine, &proof.evidence) {
                (Subject::Open(open), Evidence::OneNode(one)) => {
                    strategy::is_stable(open, &one.proof)
                }
                _ => false,
            });
        if !attained && !stable {
            let what = "the proof is not one for all values up to the threshold";
            return unknown(vec![gap(what.into())], Some(near));
        }
        let result = PropertyResult {
            answer: Answer::Time(threshold.clone(), None),
            premise: None,
            ..result
        };
        Ok((result, proof))
    }

    /// A value just inside of the threshold at one size, for proofs that are stable.
    fn just_inside(
        &self,
        size: u32,
        param: ParamId,
        threshold: &Rational,
    ) -> Result<Option<Rational>, Vec<Diagnostic>> {
        let model = &self.asking.loaded.model;
        let sized = self.asking.request.at(model, i64::from(size))?;
        let asking = self.asking.about(&sized);
        let answer = |lowered: &Lowered, budget: &dyn Budget| asking.report_within(lowered, budget);
        let oracle = Oracle {
            model,
            sources: &asking.loaded.sources,
            request: &asking.request,
            fair: asking.fair,
            budget: asking.limits,
            answer: &answer,
        };
        let most = Rational::from(strategy::MOST_BOUNDS);
        bounds::just_inside(oracle, self.claim, param, threshold, &most)
    }

    /// An unknown answer, with what is known about the value.
    fn unknown(&self, known: Known) -> Result<(PropertyResult, Option<Proof>), Vec<Diagnostic>> {
        let claims = Claims::of(self.asking, &self.asking.request);
        let sizes = self.answers.iter().map(|(size, _)| *size);
        let tried = sizes.clone().min().zip(sizes.max());
        let why = NotForEvery {
            bound: known
                .bound
                .filter(|b| b.proved.is_some() || b.fails.is_some()),
            open: known.open,
            ..claims.undecided(known.gaps, tried)
        };
        let why = Reason::ForEvery(Box::new(why));
        Ok((Answer::Unknown(why).into(), None))
    }
}

/// What is known of a value that is not found.
#[derive(Default)]
struct Known {
    gaps: Vec<SizeGap>,
    bound: Option<SizeBound>,
    /// A size at which the value is not found, and why.
    open: Option<(u32, Reason)>,
}

impl Known {
    fn gap(what: impl Into<String>) -> Known {
        let gaps = vec![gap(what.into())];
        Known {
            gaps,
            ..Known::default()
        }
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
