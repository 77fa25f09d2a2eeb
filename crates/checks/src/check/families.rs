//! Families of instances. The instances of a family differ only in the graph of the network, or in the size if the
//! check says `every p`, and they have one answer together.

use crate::call::load::Loaded;
use crate::check::{Asking, CheckReport, InstanceReport};
use bounds::vacuity;
use lower::{Candidates, Define, Request};
use machine::Machine;
use model::{Constant, Question, SettingKind};
use source::{Diagnostic, Span, codes};
use verdict::{Answer, Reason, Side, Threshold, Undecided, Unsought};

/// Whether the Machine of a request, or one of its properties, depends on how the nodes are numbered. Also true if the
/// request cannot be lowered.
fn depends_on_numbering(loaded: &Loaded, request: &Request) -> bool {
    let lower = |request: &Request| lower::lower(&loaded.model, &loaded.sources, request);
    let depends = |request: &Request| {
        lower(request).map_or(true, |lowered| {
            machine::depends_on_node_numbering(&lowered.machine)
        })
    };
    // For `least` and `greatest`, the claims can be lowered only with a value of the searched argument; any value will
    // do.
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

/// The instances of a check. An instance is left out if the `where` condition of its network is true for no choice of
/// frozen values.
pub fn requests(
    loaded: &Loaded,
    number: usize,
    defines: &[Define],
) -> Result<Vec<Request>, Vec<Diagnostic>> {
    let mut all = lower::instances(&loaded.model, number, defines)?;
    let asked = |request: &Request| {
        let mut asked = request.clone();
        if let Question::Extreme { .. } = &loaded.model.checks[number].question {
            asked.searched = Vec::new(); // the network does not depend on the searched value
        }
        lower::lower(&loaded.model, &loaded.sources, &asked)
    };
    // One numbering of the nodes of a graph represents all numberings, unless the Machine depends on the numbering.
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

/// The places of the `where` conditions on the networks of a check.
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

/// Whether the first `restrictions` restrictions of the Machine, which restrict the frozen variables, are true for some
/// choice of the frozen values. Also true if a restriction cannot be evaluated, because the engine reports that error
/// later.
fn has_instance(machine: &Machine, restrictions: usize) -> bool {
    restrictions == 0 || machine.some_instance(restrictions).unwrap_or(true)
}

/// The families of requests. Each family is a list of indices.
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
    /// The families of instances. Each family is a list of indices.
    pub fn families(&self) -> Vec<Vec<usize>> {
        families(self.instances.iter().map(|instance| &instance.request))
    }

    /// The index of the instance whose answer to a question is the answer of its family.
    pub fn deciding(&self, family: &[usize], asked: usize) -> usize {
        let sought = self.asked[asked].sought.as_ref();
        let greatest = sought.is_some_and(|(_, greatest)| *greatest);
        deciding(&self.instances, family, asked, greatest)
    }
}

/// The index of the instance whose answer is the answer of the family: the first one with the answer of highest
/// precedence.
fn deciding(instances: &[InstanceReport], family: &[usize], asked: usize, greatest: bool) -> usize {
    let answer = |i: &usize| &instances[*i].report.results[asked].answer;
    let mut best = family[0];
    for i in family {
        if outweighs(answer(i), answer(&best), greatest) {
            best = *i;
        }
    }
    best
}

/// Whether answer `a` of one instance takes precedence over answer `b` of another instance of the same family. A run
/// that violates a claim or reaches a condition decides the question for all instances. Next come unknown answers, then
/// errors. The answer that a claim is not proved for every size comes after errors, because a run with an error is also
/// a run of one of the sizes. Of two values, the larger takes precedence for `least` and the smaller for `greatest`,
/// because the claim must hold on all graphs.
fn outweighs(a: &Answer, b: &Answer, greatest: bool) -> bool {
    let weight = |answer: &Answer| match answer {
        Answer::Fails(_) | Answer::Possible(_) | Answer::NoBound(_) => 4,
        Answer::Unknown(Reason::ForEvery(_)) => 1,
        // An unknown answer precedes an error: the claim may still fail on the undecided graph.
        Answer::Unknown(_) => 3,
        Answer::Error(_) => 2,
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

/// The sort key of a threshold: its time; for equal times, "below" comes before "at", and "at" before "above".
fn order(threshold: &Threshold) -> (&rational::Rational, u8) {
    let side = match threshold.side {
        Side::Below => 0,
        Side::Here => 1,
        Side::Above => 2,
    };
    (&threshold.time, side)
}

/// Whether the remaining instances of a family cannot change its answers: each question has an answer of highest
/// precedence.
pub(crate) fn is_decided(family: &[InstanceReport]) -> bool {
    let Some(first) = family.first() else {
        return false;
    };
    (0..first.report.results.len()).all(|asked| {
        let mut answers = family.iter().map(|i| &i.report.results[asked].answer);
        answers.any(|a| {
            matches!(
                a,
                Answer::Fails(_) | Answer::Possible(_) | Answer::NoBound(_)
            )
        })
    })
}

/// Confirms a value that becomes the answer for all graphs of a family: the claim must hold for this value on each
/// graph. The claim is checked again on the instances with another value. If it does not hold on such an instance, the
/// answer of the instance becomes unknown.
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
        let Answer::Value(value, _) = family[best].report.results[asked].answer else {
            continue;
        };
        for instance in family.iter_mut() {
            let Answer::Value(own, _) = instance.report.results[asked].answer else {
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
            let result = report.results.remove(0);
            let graph = instance.request.graph.as_ref().map(|g| g.text());
            let graph = graph.unwrap_or_default();
            let undecided = match result.answer {
                Answer::Holds => match vacuity(result.premise) {
                    None => continue,
                    Some(premise) => Some(Undecided::Vacuous(premise)),
                },
                Answer::Unknown(why) => Some(Undecided::Open(why)),
                _ => None,
            };
            let why = match undecided {
                Some(undecided) => Unsought::OnGraph {
                    graph,
                    value,
                    undecided,
                },
                None => Unsought::GraphsDisagree { graph, own, value },
            };
            instance.report.results[asked].answer = Answer::Unknown(why.into());
            instance.parts[asked] = None;
        }
    }
    Ok(())
}
