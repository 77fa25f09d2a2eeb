//! The lines below a verdict of `check`: counts, deadlocks, diagnoses, and the choice of the runs that are rendered.

use crate::console::lines;
use crate::results::runs::{replayed, settings};
use crate::results::sentences::Group;
use crate::results::state_explosion;
use checks::{AuditedRun, CheckReport, Loaded};
use lower::Lowered;
use model::AnswerKind;
use report::{Words, digest};
use verdict::Answer;

/// Prints the counts of each instance and the rows of the strategy that were tried (`-v`).
pub(crate) fn print_counts(report: &CheckReport) {
    for instance in &report.instances {
        let settings = settings(&instance.request);
        let counts = &instance.report.counts;
        let which = match settings.is_empty() {
            true => "as written".into(),
            false => settings,
        };
        let method = instance.report.method;
        for (asked, by) in report.asked.iter().zip(&instance.report.findings.by) {
            if let Some(by) = by {
                lines::aside(&format!("  {which}: {} by {by}", asked.text));
            }
        }
        if counts.states == 0 {
            lines::aside(&format!("  {which}: {method}"));
            continue;
        }
        lines::aside(&format!(
            "  {which}: {method}, {}, {}, {}, {}, depth {}, {}",
            lines::many(counts.instances, "instance"),
            lines::many(counts.initial, "initial state"),
            lines::many(counts.states, "state"),
            lines::many(counts.transitions, "transition"),
            counts.depth,
            lines::bytes(counts.memory)
        ));
        for line in &instance.report.findings.reduced {
            lines::aside(&format!("    {line}"));
        }
    }
    for row in &report.tried {
        let states = match row.states {
            0 => String::new(),
            _ => format!(", {}", lines::many(row.states, "state")),
        };
        lines::aside(&format!(
            "  tried {} ({}): decided {} of {}{states}, {:.1} s",
            row.method,
            row.effort,
            row.decided,
            row.open,
            row.time.as_secs_f64()
        ));
    }
}

/// Reports a final state in which a node still waits.
pub(crate) fn print_deadlock(report: &CheckReport) {
    let found = report
        .instances
        .iter()
        .find_map(|i| Some((i, i.report.findings.deadlock.as_ref()?)));
    let Some((instance, run)) = found else { return };
    let Lowered {
        machine, labels, ..
    } = &instance.lowered;
    let labels = &labels.in_instance(machine, &run.frozen);
    let words = Words { machine, labels };
    let Ok(part) = AuditedRun::of_run(words.machine, run) else {
        return;
    };
    let replayed = replayed(words, run, &part);
    let events = lines::many(run.choices.len() as u64, "event");
    lines::detail(&format!(
        "note: a run can come to a standstill before everybody is done, after {events}:"
    ));
    for line in digest(&replayed) {
        lines::detail(&format!("  {line}"));
    }
}

/// Prints the state-explosion diagnosis of instances with an unknown answer. One search is about all properties of a
/// check, and of several equal diagnoses one is printed.
pub(crate) fn print_state_explosion(loaded: &Loaded, report: &CheckReport) {
    let mut printed: Vec<Vec<String>> = Vec::new();
    for instance in &report.instances {
        let mut answers = instance.report.answers.iter();
        if !answers.any(|answer| matches!(answer, Answer::Unknown(_))) {
            continue;
        }
        let all = state_explosion::lines(loaded, instance);
        if all.is_empty() || printed.len() == MAX_DIAGNOSES || printed.contains(&all) {
            continue;
        }
        all.iter().for_each(|line| lines::detail(line));
        printed.push(all);
    }
}

/// The maximal number of instances with a printed state-explosion diagnosis.
const MAX_DIAGNOSES: usize = 2;

/// The pairs of instance and property that decide the answers of a group: one for a decided answer, all for an
/// unknown one.
pub(crate) fn decisive(report: &CheckReport, group: &Group) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for family in report.families() {
        if !group.instances.contains(&family[0]) {
            continue;
        }
        for &asked in &group.asked {
            match group.judged.answer {
                AnswerKind::Unknown => found.extend(family.iter().map(|i| (*i, asked))),
                _ => found.push((report.deciding(&family, asked), asked)),
            }
        }
    }
    found
}

/// The heading of the run at a sought value: the run shows that the neighbouring value does not qualify.
pub(crate) fn why_not(asked: &checks::Asked, judged: &checks::Judged) -> Option<String> {
    let (_, greatest) = asked.sought.as_ref()?;
    let Some(value) = judged.value else {
        // Between two times there are others: no neighbour has a name.
        judged.value_text.as_ref()?;
        return Some(format!(
            "why not {}:",
            if *greatest { "more" } else { "less" }
        ));
    };
    let neighbour = value + if *greatest { 1 } else { -1 };
    Some(format!("why not {neighbour}:"))
}

/// The settings with the value of the sought parameter: the run at a threshold is one with the threshold as its
/// value.
pub(crate) fn with_sought(
    loaded: &Loaded,
    report: &CheckReport,
    answer: &Answer,
    settings: String,
    words: Words<'_>,
) -> String {
    let param = loaded.model.checks[report.number].question.seeks();
    let (Some(param), Answer::Time(threshold, _)) = (param, answer) else {
        return settings;
    };
    let name = &loaded.model.param(param).name;
    let value = format!("{name} = {}", words.labels.time(&threshold.time));
    match settings.is_empty() {
        true => value,
        false => format!("{settings}, {value}"),
    }
}
