//! The lines below an answer of `check`: counts, deadlocks, the state-explosion diagnosis, and which runs are shown.

use crate::args::CheckArgs;
use crate::console::lines;
use crate::results::runs::{replayed, settings};
use crate::results::sentences::Group;
use crate::results::state_explosion;
use checks::{AuditedRun, CheckReport, InstanceReport, Loaded};
use lower::Lowered;
use model::AnswerKind;
use report::{Words, digest};
use std::time::Duration;
use verdict::{Answer, Evidence, ReasonKind, Spent};

/// Prints the counts of each instance and the rows of the strategy table that were tried (`-v`).
pub(crate) fn print_counts(report: &CheckReport) {
    for instance in &report.instances {
        let settings = settings(&instance.request);
        let counts = &instance.report.counts;
        let which = match settings.is_empty() {
            true => "as written".into(),
            false => settings,
        };
        let method = instance.report.method;
        for (asked, result) in report.asked.iter().zip(&instance.report.results) {
            if let Some(by) = result.by {
                lines::aside(&format!("  {which}: {} by {by}", asked.text));
                if let Some(Evidence::OneNode(found)) = &result.evidence {
                    let labels = &instance.lowered.labels;
                    let line = report::every_size_proof(&found.proof, labels);
                    lines::aside(&format!("    {line}"));
                }
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
        for reduction in &instance.report.findings.reduced {
            let reduction = report::reduction(reduction, &instance.lowered.labels);
            lines::aside(&format!("    {reduction}"));
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

/// Prints what was tried and what may help, if a limit left a question open: at most two lines. With `-v`, which prints
/// the rows, the first line is left out.
pub(crate) fn print_ended(loaded: &Loaded, report: &CheckReport, args: &CheckArgs) {
    let answers = report.instances.iter().flat_map(|i| i.report.answers());
    let mut reasons = answers.filter_map(|answer| match answer {
        Answer::Unknown(why) if why.kind() == ReasonKind::Limit => Some(why),
        _ => None,
    });
    let Some(first) = reasons.next() else {
        return;
    };
    let rows = report.tried.iter().map(|row| match row.states {
        0 => format!("{} ({:.1} s)", row.method, row.time.as_secs_f64()),
        states => format!("{} ({})", row.method, lines::many(states, "state")),
    });
    let rows: Vec<String> = rows.collect();
    if !args.verbose && !rows.is_empty() {
        lines::detail(&format!("tried: {}", rows.join(", then ")));
    }
    let mut next = Vec::new();
    next.push(match first.spent() {
        _ if report.instances.iter().any(state_explosion::is_endless) => {
            "a bound for what grows (see above)".to_string()
        }
        Some(Spent::Time(limit)) if args.time == Some(*limit) => "more time (`--time`)".into(),
        Some(Spent::Time(_)) => "more time (`--total-time`)".into(),
        Some(Spent::Memory(_)) => "more memory (`--memory`)".into(),
        _ => "more time (`--time`) or memory (`--memory`)".into(),
    });
    // A diagnosis names the parameters that would help.
    let diagnosed = |i: &InstanceReport| i.report.findings.state_explosion.is_some();
    if let Some(param) = loaded.model.params.first()
        && !report.instances.iter().any(diagnosed)
    {
        next.push(format!("smaller parameters (`-D {}=…`)", param.name));
    }
    next.push(match args.by {
        Some(_) => "every method (without `--by`)".into(),
        None => "one method alone (`--by`)".into(),
    });
    lines::detail(&format!("what to try next: {}", next.join(", ")));
}

/// Prints a note about a deadlock: a final state in which some node is not finished.
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

/// Prints the state-explosion diagnosis of instances with an unknown answer. A diagnosis that is equal to an earlier
/// one is not repeated.
pub(crate) fn print_state_explosion(loaded: &Loaded, report: &CheckReport) {
    let mut printed: Vec<Vec<String>> = Vec::new();
    for instance in &report.instances {
        if !instance.report.has_open() {
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

/// The times of the lines of a check. The time of an instance belongs to the first line about the instance.
pub(crate) struct LineTimes {
    /// By instance the time that no line has yet; `None` if a line has it.
    left: Vec<Option<Duration>>,
}

impl LineTimes {
    /// The times of a check. Time that is spent outside of the instances belongs to the first instance.
    pub(crate) fn of(report: &CheckReport) -> LineTimes {
        let mut left: Vec<Duration> = report.instances.iter().map(|i| i.took).collect();
        let rest = report.took.saturating_sub(left.iter().sum());
        if let Some(first) = left.first_mut() {
            *first += rest;
        }
        LineTimes {
            left: left.into_iter().map(Some).collect(),
        }
    }

    /// The time in seconds for the line of a group; `None` if lines before it have the times of all its instances.
    pub(crate) fn next(&mut self, group: &Group) -> Option<f64> {
        let times = group.instances.iter();
        let times: Vec<Duration> = times.filter_map(|i| self.left[*i].take()).collect();
        let sum: Duration = times.iter().sum();
        (!times.is_empty()).then_some(sum.as_secs_f64())
    }
}

/// The largest number of diagnoses that are printed.
const MAX_DIAGNOSES: usize = 2;

/// The pairs of instance and question that decide the answer of a group. For each family and question this is one
/// instance, or all instances of the family if the answer is unknown.
pub(crate) fn decisive(report: &CheckReport, group: &Group) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for family in report.families() {
        if group.instances.binary_search(&family[0]).is_err() {
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

/// The heading of the run below a sought value, such as `why not 3:`. The run shows that the claim fails for the next
/// value.
pub(crate) fn why_not(asked: &checks::Asked, judged: &checks::Judged) -> Option<String> {
    let (_, greatest) = asked.sought.as_ref()?;
    let Some(value) = judged.value else {
        // A time has no next value, so the heading only says `more` or `less`.
        judged.value_text.as_ref()?;
        return Some(format!(
            "why not {}:",
            if *greatest { "more" } else { "less" }
        ));
    };
    let neighbour = value + if *greatest { 1 } else { -1 };
    Some(format!("why not {neighbour}:"))
}

/// The settings of a run, extended by the sought value. A run at a threshold has the threshold as this value; a run of
/// a claim that fails for every value has the value of the Machine.
pub(crate) fn with_sought(
    loaded: &Loaded,
    (report, instance, asked): (&CheckReport, &InstanceReport, usize),
    answer: &Answer,
    settings: String,
    words: Words<'_>,
) -> String {
    let of_model = loaded.model.checks[report.number].question.seeks();
    let Some((name, greatest)) = &report.asked[asked].sought else {
        return settings;
    };
    let value = match (answer, instance.shown.get(asked)) {
        (Answer::Time(threshold, _), _) if of_model.is_some() => words.labels.time(&threshold.time),
        // A run that violates the claim for the least argument violates it for every argument only if the greatest
        // argument is sought.
        (Answer::NoBound(_), Some(value)) if of_model.is_some() || *greatest => {
            value.text(&loaded.model)
        }
        _ => return settings,
    };
    let value = format!("{name} = {value}");
    match settings.is_empty() {
        true => value,
        false => format!("{settings}, {value}"),
    }
}
