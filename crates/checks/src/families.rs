//! Families of instances: the instances of a check that differ only in the graph of the network. A family has one answer.

use crate::call::load::Loaded;
use crate::check::{Asking, CheckReport, InstanceReport};
use bounds::vacuity;
use lower::{Candidates, Define, Request};
use machine::Machine;
use model::{Constant, Question, SettingKind};
use source::{Diagnostic, Span, codes};
use verdict::{Answer, Side, Threshold};

/// Whether the Machine of a request, or a property of it, depends on the numbering of nodes. True if this cannot be decided.
fn depends_on_numbering(loaded: &Loaded, request: &Request) -> bool {
    let lower = |request: &Request| lower::lower(&loaded.model, &loaded.sources, request);
    let depends = |request: &Request| {
        lower(request).map_or(true, |lowered| {
            machine::depends_on_node_numbering(&lowered.machine)
        })
    };
    // The claims of an extreme question are lowered for one value of the searched argument.
    let claims = match &loaded.model.checks[request.check].question {
        Question::Extreme { claims, .. } => claims.len(),
        _ => return depends(request),
    };
    (0..claims).any(|claim| {
        let first = match lower::candidates(&loaded.model, request, claim) {
            Ok(Some(Candidates::Numbers(low, _))) => low,
            _ => 0,
        };
        let valued = request.with(&loaded.model, &[Constant::Int(first)]);
        valued.map_or(true, |request| depends(&request))
    })
}

/// All instances of a check, without those in which the condition of the network is never true.
pub fn requests(
    loaded: &Loaded,
    number: usize,
    defines: &[Define],
) -> Result<Vec<Request>, Vec<Diagnostic>> {
    let mut all = lower::instances(&loaded.model, number, defines)?;
    let asked = |request: &Request| {
        let mut asked = request.clone();
        if let Question::Extreme { .. } = &loaded.model.checks[number].question {
            asked.searched = Vec::new(); // the network does not depend on the question
        }
        lower::lower(&loaded.model, &loaded.sources, &asked)
    };
    // One numbering of a graph represents all, unless the Machine depends on the numbering.
    for request in &all {
        let first = request.graph.as_ref().is_some_and(|g| g.number == 1);
        if first && !request.every_graph && depends_on_numbering(loaded, request) {
            all = lower::by_number(&loaded.model, all)?;
            break;
        }
    }
    let conditions = conditions(loaded, number);
    let Some(place) = conditions.first() else {
        return Ok(all);
    };
    let mut kept: Vec<Request> = Vec::new();
    for family in families(all.iter()) {
        let mut left = Vec::new();
        for request in family.iter().map(|i| &all[*i]) {
            let fits = request.every_graph || {
                let lowered = asked(request)?;
                has_instance(&lowered.machine, lowered.instance_restrictions)
            };
            if fits {
                left.push(request.clone());
            }
        }
        if left.is_empty() {
            let set: Vec<String> = all[family[0]]
                .set
                .iter()
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            let with = match set.is_empty() {
                true => String::new(),
                false => format!(" for {}", set.join(", ")),
            };
            let text = format!("no network is left{with}: this is true in no instance");
            let problem = Diagnostic::error(codes::NO_NETWORK_LEFT, *place, text);
            return Err(vec![problem]);
        }
        let of = left.len();
        for (index, mut request) in left.into_iter().enumerate() {
            if let Some(graph) = &mut request.graph {
                graph.number = index + 1;
                graph.of = of;
            }
            kept.push(request);
        }
    }
    Ok(kept)
}

/// The places of the conditions on the networks of a check.
pub(crate) fn conditions(loaded: &Loaded, number: usize) -> Vec<Span> {
    let check = &loaded.model.checks[number];
    let world = check.world.map(|w| &loaded.model.worlds[w.index()]);
    let own = world.and_then(|w| w.network.as_ref());
    let network = own.or(loaded.model.network.as_ref());
    let settings = check.settings.iter().filter_map(|s| match &s.kind {
        SettingKind::Topology(topology) => Some(topology),
        _ => None,
    });
    let settings: Vec<_> = settings.collect();
    let all = match settings.is_empty() {
        true => network.map(|n| &n.topology).into_iter().collect(),
        false => settings,
    };
    let conditions = all.iter().filter_map(|t| t.condition.as_ref());
    conditions.map(|condition| condition.span).collect()
}

/// Whether the first `restrictions` restrictions, which are about the instance, hold in some instance. The engine reports a
/// restriction without a value.
fn has_instance(machine: &Machine, restrictions: usize) -> bool {
    restrictions == 0 || machine.some_instance(restrictions).unwrap_or(true)
}

/// The families of requests, each as a list of indices.
fn families<'r>(requests: impl Iterator<Item = &'r Request>) -> Vec<Vec<usize>> {
    let mut families: Vec<(Vec<usize>, &Request)> = Vec::new();
    for (place, request) in requests.enumerate() {
        match families.last_mut() {
            Some((family, first)) if request.is_family_of(first) => family.push(place),
            _ => families.push((vec![place], request)),
        }
    }
    families.into_iter().map(|(family, _)| family).collect()
}

impl CheckReport {
    /// The families of instances, each as a list of indices.
    pub fn families(&self) -> Vec<Vec<usize>> {
        families(self.instances.iter().map(|instance| &instance.request))
    }

    /// The instance of a family that decides the answer to a question.
    pub fn deciding(&self, family: &[usize], asked: usize) -> usize {
        let sought = self.asked[asked].sought.as_ref();
        let greatest = sought.is_some_and(|(_, greatest)| *greatest);
        deciding(&self.instances, family, asked, greatest)
    }
}

/// The instance that decides the answer to a question: the first one with the answer of highest precedence.
fn deciding(instances: &[InstanceReport], family: &[usize], asked: usize, greatest: bool) -> usize {
    let answer = |i: &usize| &instances[*i].report.answers[asked];
    let mut best = family[0];
    for i in family {
        if outweighs(answer(i), answer(&best), greatest) {
            best = *i;
        }
    }
    best
}

/// Whether answer `a` about one graph takes precedence over answer `b` about another. A run that breaks a claim or reaches a condition
/// decides for all graphs; without one, an unknown answer leaves the question open; an error comes next.
fn outweighs(a: &Answer, b: &Answer, greatest: bool) -> bool {
    let weight = |answer: &Answer| match answer {
        Answer::Fails(_) | Answer::Possible(_) | Answer::NoBound(_) => 3,
        // An error is the answer only if no graph can break the claim.
        Answer::Unknown(_) => 2,
        Answer::Error(_) => 1,
        Answer::Holds | Answer::Impossible | Answer::Value(..) | Answer::Time(..) => 0,
    };
    match (a, b) {
        (Answer::Value(a, _), Answer::Value(b, _)) => {
            if greatest {
                a < b
            } else {
                a > b
            }
        }
        (Answer::Time(a, _), Answer::Time(b, _)) => {
            let (a, b) = (order(a), order(b));
            if greatest { a < b } else { a > b }
        }
        _ => weight(a) > weight(b),
    }
}

/// The order of thresholds: below x, at x, above x.
fn order(threshold: &Threshold) -> (&rational::Rational, u8) {
    let side = match threshold.side {
        Side::Below => 0,
        Side::Here => 1,
        Side::Above => 2,
    };
    (&threshold.time, side)
}

/// Whether the remaining instances of a family cannot change its answers.
pub(crate) fn is_decided(family: &[InstanceReport]) -> bool {
    let Some(first) = family.first() else {
        return false;
    };
    (0..first.report.answers.len()).all(|asked| {
        let mut answers = family.iter().map(|i| &i.report.answers[asked]);
        answers.any(|a| {
            matches!(
                a,
                Answer::Fails(_) | Answer::Possible(_) | Answer::NoBound(_)
            )
        })
    })
}

/// Confirms a value that is the answer for all graphs: the claim must hold for it on each graph. The instances with another value of
/// their own are asked again.
pub(crate) fn agree<'a>(
    family: &mut [InstanceReport],
    greatest: bool,
    wanted: &[usize],
    asking: &Asking<'a>,
    requests: &'a [Request],
) -> Result<(), Vec<Diagnostic>> {
    for (asked, claim) in wanted.iter().enumerate() {
        let places: Vec<usize> = (0..family.len()).collect();
        let best = deciding(family, &places, asked, greatest);
        let Answer::Value(value, _) = family[best].report.answers[asked] else {
            continue;
        };
        for instance in family.iter_mut() {
            let Answer::Value(own, _) = instance.report.answers[asked] else {
                continue;
            };
            if own == value {
                continue;
            }
            let mut known = requests.iter();
            let request = known.find(|request| **request == instance.request);
            let request = request.expect("an instance of the family has a request");
            let asking = asking.about(request);
            let mut lowered = asking.lowered(&asking.with(Constant::Int(value))?)?;
            let property = lowered.machine.properties[*claim].clone();
            lowered.machine.properties = vec![property];
            let mut report = asking.report(&lowered)?;
            let premise = report.findings.premises.first().copied().flatten();
            let graph = instance.request.graph.as_ref().map(|g| g.text());
            let graph = graph.unwrap_or_default();
            let why = match report.answers.remove(0) {
                Answer::Holds => match vacuity(premise) {
                    None => continue,
                    Some(why) => format!("for {value} on the graph {graph} {why}"),
                },
                Answer::Unknown(why) => {
                    format!("not decided for {value} on the graph {graph}: {why}")
                }
                _ => format!(
                    "on the graph {graph} the claim holds for {own}, but not for {value}, which another graph needs"
                ),
            };
            instance.report.answers[asked] = Answer::Unknown(why);
            instance.parts[asked] = None;
        }
    }
    Ok(())
}
