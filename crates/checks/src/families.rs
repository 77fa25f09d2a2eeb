//! Families of instances: one for each graph that a network can be. What comes out of them is one answer.

use crate::check::Asking;
use crate::check::CheckReport;
use crate::check::InstanceReport;
use crate::load::Loaded;
use bounds::vacuity;
use lower::{Candidates, Define, Request};
use machine::Machine;
use model::{Constant, Question, SettingKind};
use source::{Diagnostic, Span, codes};
use verdict::{Answer, Side, Threshold};

/// Whether a Machine of a request, or something that is asked about it, goes by the numbers of nodes. Where nobody can tell,
/// it may.
fn depends_on_node_numbering(loaded: &Loaded, request: &Request) -> bool {
    let lower = |request: &Request| lower::lower(&loaded.model, &loaded.sources, request);
    let knows = |request: &Request| {
        lower(request).map_or(true, |lowered| {
            machine::depends_on_node_numbering(&lowered.machine)
        })
    };
    // Claims are there once what is sought in them has a value.
    let claims = match &loaded.model.checks[request.check].question {
        Question::Extreme { claims, .. } => claims.len(),
        _ => return knows(request),
    };
    (0..claims).any(|claim| {
        let first = match lower::candidates(&loaded.model, request, claim) {
            Ok(Some(Candidates::Numbers(low, _))) => low,
            _ => 0,
        };
        let valued = request.with(&loaded.model, &[Constant::Int(first)]);
        valued.map_or(true, |request| knows(&request))
    })
}

/// Every instance that a check asks for, without those in which the condition of its network is never true.
pub fn requests(
    loaded: &Loaded,
    number: usize,
    defines: &[Define],
) -> Result<Vec<Request>, Vec<Diagnostic>> {
    let mut all = lower::instances(&loaded.model, number, defines)?;
    let asked = |request: &Request| {
        let mut asked = request.clone();
        if let Question::Extreme { .. } = &loaded.model.checks[number].question {
            asked.searched = Vec::new(); // what is asked makes no difference
        }
        lower::lower(&loaded.model, &loaded.sources, &asked)
    };
    // One numbering of a graph stands for all, unless somebody can tell.
    for request in &all {
        let first = request.graph.as_ref().is_some_and(|g| g.number == 1);
        if first && !request.every_graph && depends_on_node_numbering(loaded, request) {
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

/// The places of the conditions on networks that a check can have.
pub(crate) fn conditions(loaded: &Loaded, number: usize) -> Vec<Span> {
    let check = &loaded.model.checks[number];
    let world = check.world.map(|w| &loaded.model.worlds[w.index()]);
    let own = world.and_then(|w| w.network.as_ref());
    let network = own.or(loaded.model.network.as_ref());
    let behind_for = check.settings.iter().filter_map(|s| match &s.kind {
        SettingKind::Topology(topology) => Some(topology),
        _ => None,
    });
    let behind_for: Vec<_> = behind_for.collect();
    let all = match behind_for.is_empty() {
        true => network.map(|n| &n.topology).into_iter().collect(),
        false => behind_for,
    };
    let conditions = all.iter().filter_map(|t| t.condition.as_ref());
    conditions.map(|condition| condition.span).collect()
}

/// Whether the first so many restrictions, which are about the instance, hold in some instance. One that has no value
/// is for the engine to complain about.
fn has_instance(machine: &Machine, restrictions: usize) -> bool {
    restrictions == 0 || machine.some_instance(restrictions).unwrap_or(true)
}

/// Those that belong together, by their places.
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
    /// The instances that are one answer, by their places.
    pub fn families(&self) -> Vec<Vec<usize>> {
        families(self.instances.iter().map(|instance| &instance.request))
    }

    /// Which instance of a family decides the answer about something asked.
    pub fn deciding(&self, family: &[usize], asked: usize) -> usize {
        let sought = self.asked[asked].sought.as_ref();
        let greatest = sought.is_some_and(|(_, greatest)| *greatest);
        deciding(&self.instances, family, asked, greatest)
    }
}

/// Which of some instances decides the answer about something asked: the first that has the weightiest one.
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

/// Whether an answer about one graph decides, against one about another: a run that breaks a claim, or reaches what is to
/// be reached, is one for all graphs; without one what is not known leaves all open; then comes an error.
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

/// Borders in order: every time below x, then x itself, then every time above it.
fn order(threshold: &Threshold) -> (&rational::Rational, u8) {
    let side = match threshold.side {
        Side::Below => 0,
        Side::Here => 1,
        Side::Above => 2,
    };
    (&threshold.time, side)
}

/// Whether nothing that the rest of a family says can change its answers.
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

/// A value that is the answer for all graphs must be one for each: it is asked of those whose own answer is another.
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
            let request = request.expect("one of the family");
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
