//! Converts internal reports to the results of the library. No other file of the library reads `verdict::Report`.

use crate::library::evidence::Evidence;
use crate::library::results::{
    Counts, Judgement, Parameter, PropertyKind, PropertyResult, Report, Verdict, Witness,
};
use checks::{AuditedRun, CheckReport, Judged, Loaded, MachineReport};
use lower::Lowered;
use report::{ReplayedRun, Words, run_data, story};
use verdict::{Answer, Labels, Premise, Run};

/// The report about a check of a model.
pub(super) fn check(loaded: &Loaded, report: &CheckReport) -> Report {
    let judged = checks::judge(loaded, report);
    let mut properties = Vec::new();
    for family in report.families() {
        for (asked, judged) in judged[family[0]].iter().enumerate() {
            properties.push(result(loaded, report, (&family, asked), judged));
        }
    }
    Report {
        properties,
        assumed: checks::assumptions(loaded, report),
        took: report.took,
    }
}

/// The result of one question for a family of instances.
fn result(
    loaded: &Loaded,
    report: &CheckReport,
    (family, asked): (&[usize], usize),
    judged: &Judged,
) -> PropertyResult {
    let instance = &report.instances[report.deciding(family, asked)];
    let answer = &instance.report.results[asked].answer;
    let labels = &instance.lowered.labels;
    let verdict = verdict(answer, judged.value_text.as_deref(), labels);
    let complete = matches!(
        verdict,
        Verdict::Holds | Verdict::Impossible | Verdict::Value { .. }
    );
    let claim = report.asked[asked].text.clone();
    let params = loaded.model.params.iter().zip(&instance.request.params);
    let counts = family.iter().map(|i| &report.instances[*i].report.counts);
    let proof = instance.proofs[asked].as_ref();
    let title = match (&report.asked[asked].sought, &judged.value_text) {
        (Some((name, _)), Some(value)) => format!("{claim} holds for {name} = {value}"),
        _ => format!("{claim} holds"),
    };
    PropertyResult {
        kind: match &report.asked[asked] {
            one if one.possible => PropertyKind::Possible,
            one => match one.sought {
                None => PropertyKind::Claim,
                Some((_, false)) => PropertyKind::Least,
                Some((_, true)) => PropertyKind::Greatest,
            },
        },
        parameters: params
            .map(|(param, value)| Parameter {
                name: param.name.clone(),
                value: value.text(&loaded.model),
            })
            .collect(),
        judgement: match judged.judgement {
            checks::Judgement::Good => Judgement::Good,
            checks::Judgement::Bad => Judgement::Bad,
            checks::Judgement::Unknown => Judgement::Unknown,
        },
        vacuous: judged.is_vacuous(),
        covers: checks::coverage(loaded, report, family, asked, complete),
        witness: witness(
            &instance.lowered,
            answer.run(),
            instance.parts[asked].as_ref(),
        ),
        evidence: proof.map(|proof| Evidence::new(title, proof)),
        method: method(&instance.report, asked),
        counts: sum(counts),
        verdict,
        claim,
    }
}

/// The report about a Machine that was built in code.
pub(super) fn machine(found: &MachineReport) -> Report {
    let MachineReport {
        lowered, report, ..
    } = found;
    let properties = lowered.machine.properties.iter().enumerate();
    let properties = properties.map(|(number, property)| {
        let verdict::PropertyResult {
            answer, premise, ..
        } = &report.results[number];
        let verdict = verdict(answer, None, &lowered.labels);
        let claim = property.name.clone();
        let proof = found.proofs[number].as_ref();
        PropertyResult {
            kind: match property.kind {
                machine::PropertyKind::Claim(_) => PropertyKind::Claim,
                machine::PropertyKind::Possible(_) => PropertyKind::Possible,
            },
            parameters: Vec::new(),
            judgement: match verdict {
                Verdict::Unknown { .. } => Judgement::Unknown,
                Verdict::Fails | Verdict::FailsForEveryBound | Verdict::Error => Judgement::Bad,
                _ => Judgement::Good,
            },
            vacuous: verdict == Verdict::Holds && *premise == Some(Premise::Never),
            covers: String::new(),
            witness: witness(lowered, answer.run(), found.parts[number].as_ref()),
            evidence: proof.map(|proof| Evidence::new(format!("{claim} holds"), proof)),
            method: method(report, number),
            counts: sum([&report.counts].into_iter()),
            verdict,
            claim,
        }
    });
    Report {
        properties: properties.collect(),
        assumed: String::new(),
        took: found.took,
    }
}

/// The verdict for an answer. `value` is the sought value in the notation of the model.
fn verdict(answer: &Answer, value: Option<&str>, labels: &Labels) -> Verdict {
    match answer {
        Answer::Holds => Verdict::Holds,
        Answer::Fails(_) => Verdict::Fails,
        Answer::Possible(_) => Verdict::Possible,
        Answer::Impossible => Verdict::Impossible,
        Answer::Value(number, _) => Verdict::Value {
            text: value.map_or_else(|| number.to_string(), str::to_string),
            number: Some(*number),
        },
        Answer::Time(threshold, _) => Verdict::Value {
            text: value.map_or_else(|| threshold.time.to_string(), str::to_string),
            number: None,
        },
        Answer::NoBound(_) => Verdict::FailsForEveryBound,
        Answer::Error(_) => Verdict::Error,
        Answer::Unknown(reason) => Verdict::Unknown {
            kind: reason.kind(),
            reason: report::reason(reason, labels),
        },
    }
}

/// The name of the method that answered a property.
fn method(report: &verdict::Report, property: usize) -> &'static str {
    report.results[property].by.unwrap_or(report.method)
}

/// The sum of the counts of several searches; for depth and memory, the maximum.
fn sum<'c>(counts: impl Iterator<Item = &'c verdict::Counts>) -> Counts {
    counts.fold(Counts::default(), |sum, one| Counts {
        instances: sum.instances + one.instances,
        initial: sum.initial + one.initial,
        states: sum.states + one.states,
        transitions: sum.transitions + one.transitions,
        depth: sum.depth.max(one.depth),
        bytes: sum.bytes.max(one.memory),
    })
}

/// The run of an answer, as text and as data; `None` if there is none.
fn witness(lowered: &Lowered, run: Option<&Run>, part: Option<&AuditedRun>) -> Option<Witness> {
    let (run, part) = (run?, part?);
    let machine = &lowered.machine;
    let labels = &lowered.labels.in_instance(machine, &run.frozen);
    let (states, error) = (&part.replayed.states, part.replayed.error.as_ref());
    let replayed = ReplayedRun::new(Words { machine, labels }, run, states, error)
        .explained(part.explanation.as_ref(), &part.waiting);
    Some(Witness {
        story: story(&replayed),
        run: run_data(&replayed),
    })
}
