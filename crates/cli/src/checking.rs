//! `check`: every check of every file, and what came out.

use crate::args::CheckArgs;
use crate::lines::{self, Mark};
use crate::progress::{ProgressLine, count};
use crate::{Exit, complain, diagnostics};
use driver::{CheckReport, Judged, Judgement, Loaded, Options, Part, RunFile};
use model::AnswerKind;
use picture::{Telling, Words, digest, story};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use verdict::{Answer, Run};

/// `check FILES…`.
pub(crate) fn check(args: &CheckArgs) -> Exit {
    let files = match driver::find_models(&args.files) {
        Ok(files) => files,
        Err(error) => return complain(&error),
    };
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    // Without a handler Ctrl-C ends the program at once: a pity, but no reason not to go on.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    let mut all = Checking {
        args,
        options: Options {
            defines: args.defines.clone(),
            claim: args.claim.clone(),
            time: args.time,
            memory: args
                .memory
                .or_else(|| driver::available_memory().map(|m| m / 4 * 3)),
        },
        interrupted: &interrupted,
        exit: Exit::Good,
        total: 0,
        good: 0,
        told: false,
    };
    for file in &files {
        match driver::load(file) {
            Ok(loaded) => all.file(&loaded),
            Err(error) => all.exit = all.exit.and(complain(&error)),
        }
    }
    all.summary();
    all.exit
}

struct Checking<'a> {
    args: &'a CheckArgs,
    options: Options,
    interrupted: &'a AtomicBool,
    exit: Exit,
    total: usize,
    good: usize,
    /// A story was told in full; those that were expected are then told in brief.
    told: bool,
}

/// Answers of a check that can be told in one line: for these instances, of these things asked.
struct Group {
    instances: Vec<usize>,
    asked: Vec<usize>,
    judged: Judged,
}

impl Checking<'_> {
    fn file(&mut self, loaded: &Loaded) {
        let name = loaded.sources.name(loaded.file).to_string();
        diagnostics::print(&loaded.sources, &loaded.diagnostics);
        if loaded.has_errors() {
            let count = loaded.diagnostics.len();
            let errors = if count == 1 {
                "1 problem".into()
            } else {
                format!("{count} problems")
            };
            anstream::println!("{name}: not checked: {errors}, see above");
            self.exit = self.exit.and(Exit::Wrong);
            return;
        }
        anstream::println!("{name}");
        let mut assumed: Option<String> = None;
        let mut never = NeverSeen::default();
        for number in 0..loaded.model.checks.len() {
            let title = format!("check {} of {}", number + 1, loaded.model.checks.len());
            let mut progress = ProgressLine::new(title);
            let mut watcher = |p: &verdict::Progress| progress.tell(p);
            let result = driver::check(
                loaded,
                number,
                &self.options,
                self.interrupted,
                &mut watcher,
            );
            drop(progress);
            match result {
                Ok(None) => {}
                Ok(Some(report)) => {
                    let assumptions = driver::assumptions(loaded, &report);
                    if let Some(before) = assumed.replace(assumptions.clone())
                        && before != assumptions
                    {
                        lines::aside(&format!("assumed: {before}"));
                    }
                    self.report(loaded, &report);
                    never.note(&report);
                }
                Err(problems) => {
                    diagnostics::print(&loaded.sources, &problems);
                    self.exit = self.exit.and(Exit::Wrong);
                    self.total += 1;
                }
            }
        }
        if let Some(assumed) = assumed {
            lines::aside(&format!("assumed: {assumed}"));
        } else if self.options.claim.is_none() {
            lines::aside("there is no check in this file");
        }
        never.tell();
    }

    fn report(&mut self, loaded: &Loaded, report: &CheckReport) {
        let judged = driver::judge(loaded, report);
        self.total += 1;
        let worst = judged.iter().flatten().fold(Exit::Good, |exit, j| {
            exit.and(match j.judgement {
                Judgement::Good => Exit::Good,
                Judgement::Bad => Exit::Bad,
                Judgement::Unknown => Exit::Unknown,
            })
        });
        self.good += usize::from(worst == Exit::Good);
        self.exit = self.exit.and(worst);
        let mut time = Some(report.took.as_secs_f64());
        for group in groups(report, &judged) {
            self.group(loaded, report, &group, time.take());
        }
        if self.args.verbose {
            self.visited(report);
        }
        if worst == Exit::Good
            && judged
                .iter()
                .flatten()
                .all(|j| j.answer == AnswerKind::Holds)
        {
            self.deadlock(report);
        }
    }

    fn group(&mut self, loaded: &Loaded, report: &CheckReport, group: &Group, time: Option<f64>) {
        let texts: Vec<&str> = group
            .asked
            .iter()
            .map(|a| &report.asked[*a].text[..])
            .collect();
        let names = texts.join(", ");
        let check = &loaded.model.checks[report.number];
        let variants: Vec<&str> = check
            .variants
            .iter()
            .map(|v| &loaded.model.variants[v.index()].name[..])
            .collect();
        let with = if variants.is_empty() {
            String::new()
        } else {
            format!("{}: ", variants.join(", "))
        };
        let changed = if report.changed {
            " (changed by -D)"
        } else {
            ""
        };
        let mark = match group.judged.judgement {
            Judgement::Good => Mark::Good,
            Judgement::Bad => Mark::Bad,
            Judgement::Unknown => Mark::Unknown,
        };
        let what = with
            + &sentence(&names, report.asked[group.asked[0]].possible, &group.judged)
            + changed;
        let covers = driver::coverage(loaded, report, &group.instances);
        lines::verdict(mark, &what, &covers, time);
        if group.judged.vacuous {
            lines::detail("vacuous: its premise is true in no state, so the claim says nothing");
        }
        // The shortest run of the group is the one to tell.
        let mut with_run: Vec<(usize, usize, &Run, &Part)> = Vec::new();
        for &i in &group.instances {
            let instance = &report.instances[i];
            for &asked in &group.asked {
                match (&instance.report.answers[asked], &instance.parts[asked]) {
                    (
                        Answer::Fails(run) | Answer::Possible(run) | Answer::Error(run),
                        Some(part),
                    ) => {
                        with_run.push((i, asked, run, part));
                    }
                    (Answer::Unknown(why), _) => lines::detail(why),
                    _ => {}
                }
            }
        }
        if let Some((i, asked, run, part)) = with_run
            .into_iter()
            .min_by_key(|(_, _, run, _)| run.choices.len())
        {
            self.tell(loaded, report, (i, asked), run, part, &what);
        }
    }

    fn tell(
        &mut self,
        loaded: &Loaded,
        report: &CheckReport,
        at: (usize, usize),
        run: &Run,
        part: &Part,
        what: &str,
    ) {
        let (i, asked) = at;
        let instance = &report.instances[i];
        let words = Words {
            machine: &instance.lowered.machine,
            labels: &instance.lowered.labels,
        };
        let telling = Telling {
            words,
            run,
            states: &part.replayed.states,
            error: part.replayed.error.as_ref(),
            explanation: part.explanation.as_ref(),
            waiting: &part.waiting,
        };
        let answer = &instance.report.answers[asked];
        let expected = matches!(answer, Answer::Possible(_))
            || driver::judge(loaded, report)[i][asked].judgement == Judgement::Good;
        let settings: Vec<String> = instance
            .request
            .set
            .iter()
            .map(|(n, v)| format!("{n} = {v}"))
            .collect();
        let rigid = words.rigid(&run.rigid);
        let place = [settings.join(", "), rigid]
            .into_iter()
            .filter(|p| !p.is_empty())
            .collect::<Vec<_>>()
            .join("; ");
        let brief =
            expected && (self.told || matches!(answer, Answer::Possible(_))) && !self.args.verbose;
        if brief {
            for line in digest(&telling) {
                lines::detail(&line);
            }
        } else {
            self.told = true;
            if !place.is_empty() {
                lines::detail(&format!("with {place}"));
            }
            for line in story(&telling) {
                lines::detail(&line);
            }
        }
        let title = format!("{what}   {place}");
        let fair = !loaded.model.checks[report.number].unfair;
        let asks = report.asked[asked].text.clone();
        if let Some(file) = RunFile::new(title, asks, fair, asked, &instance.lowered, answer) {
            self.store(&file, loaded, report, asked);
        }
    }

    fn store(&mut self, file: &RunFile, loaded: &Loaded, report: &CheckReport, asked: usize) {
        let name: String = report.asked[asked]
            .text
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        let name = if report.asked[asked].possible {
            "possible".into()
        } else {
            name
        };
        let path: PathBuf = self
            .args
            .out
            .join(loaded.stem())
            .join(format!("{}-{name}.run", report.number + 1));
        match file.write(&path) {
            Ok(()) => lines::aside(&format!(
                "  the whole run: scrutineer show {}",
                path.display()
            )),
            Err(error) => self.exit = self.exit.and(complain(&error.0)),
        }
    }

    fn visited(&self, report: &CheckReport) {
        for instance in &report.instances {
            let settings: Vec<String> = instance
                .request
                .set
                .iter()
                .map(|(n, v)| format!("{n} = {v}"))
                .collect();
            let counts = &instance.report.counts;
            lines::aside(&format!(
                "  {}: {}, {} instances, {} initial states, {} states, {} transitions, depth {}, {} kB",
                if settings.is_empty() {
                    "as written".into()
                } else {
                    settings.join(", ")
                },
                instance.report.method,
                counts.instances,
                counts.initial,
                counts.states,
                counts.transitions,
                counts.depth,
                counts.memory / 1000
            ));
        }
    }

    /// Names a final state in which a node still waits.
    fn deadlock(&self, report: &CheckReport) {
        let found = report
            .instances
            .iter()
            .find_map(|i| Some((i, i.report.findings.deadlock.as_ref()?)));
        let Some((instance, run)) = found else { return };
        let Ok(replayed) = audit::replay(&instance.lowered.machine, run) else {
            return;
        };
        let words = Words {
            machine: &instance.lowered.machine,
            labels: &instance.lowered.labels,
        };
        let at = machine::Instance {
            machine: words.machine,
            rigid: &run.rigid,
        };
        let waiting = audit::waiting(at, replayed.states.last().expect("a state"));
        let telling = Telling {
            words,
            run,
            states: &replayed.states,
            error: None,
            explanation: None,
            waiting: &waiting,
        };
        let events = run.choices.len();
        lines::detail(&format!(
            "note: a run can come to a standstill before everybody is done, after {events} events:"
        ));
        for line in digest(&telling) {
            lines::detail(&format!("  {line}"));
        }
    }

    fn summary(&self) {
        let checks = if self.total == 1 {
            "1 check".into()
        } else {
            format!("{} checks", count(self.total as u64))
        };
        let good = if self.good == self.total {
            "as expected".into()
        } else {
            format!("{} as expected", self.good)
        };
        if self.total == 0 && self.exit == Exit::Wrong {
            return;
        }
        if self.total == 0 && self.options.claim.is_some() {
            let name = self.options.claim.as_deref().unwrap_or_default();
            anstream::println!("no check asks about a claim `{name}`");
            return;
        }
        anstream::println!("{checks}: {good}");
        if self.interrupted.load(Ordering::Relaxed) {
            anstream::println!("interrupted: what is marked ? was not finished");
        }
    }
}

/// What a verdict says.
fn sentence(names: &str, possible: bool, judged: &Judged) -> String {
    let word = |kind| match kind {
        AnswerKind::Holds => "holds",
        AnswerKind::Fails => "fails",
        AnswerKind::Possible => "possible",
        AnswerKind::Impossible => "impossible",
        AnswerKind::Error => "error",
        AnswerKind::Unknown => "unknown",
    };
    let said = match (judged.answer, possible) {
        (AnswerKind::Holds, _) => names.to_string(),
        (AnswerKind::Fails, _) => format!("{names} fails"),
        (AnswerKind::Possible, _) => format!("possible: {names}"),
        (AnswerKind::Impossible, _) => format!("impossible: {names}"),
        (AnswerKind::Error, true) => format!("error on the way to: {names}"),
        (AnswerKind::Error, false) => format!("{names}: a run ends in an error"),
        (AnswerKind::Unknown, _) => format!("{names} unknown"),
    };
    match (judged.expected, judged.judgement) {
        (Some(AnswerKind::Holds), Judgement::Good) | (None, _) => said,
        (Some(_), Judgement::Good) if possible => said,
        (Some(_), Judgement::Good) => format!("as expected: {said}"),
        (Some(AnswerKind::Holds), _) if judged.answer != AnswerKind::Holds => said,
        (Some(expected), _) => {
            let said = if judged.answer == AnswerKind::Holds {
                format!("{names} holds")
            } else {
                said
            };
            format!("{said}, but `expect` says {}", word(expected))
        }
    }
}

/// Puts answers together that can be told in one line.
fn groups(report: &CheckReport, judged: &[Vec<Judged>]) -> Vec<Group> {
    // First the instances that agree about one thing asked, then the things asked that agree about instances.
    let mut found: Vec<Group> = Vec::new();
    for asked in 0..report.asked.len() {
        let mut by_answer: Vec<(Judged, Vec<usize>)> = Vec::new();
        for (i, row) in judged.iter().enumerate() {
            match by_answer.iter_mut().find(|(j, _)| *j == row[asked]) {
                Some((_, instances)) => instances.push(i),
                None => by_answer.push((row[asked], vec![i])),
            }
        }
        for (judged, instances) in by_answer {
            let plain = judged.answer == AnswerKind::Holds && !judged.vacuous;
            let same = found
                .iter_mut()
                .find(|g| plain && g.judged == judged && g.instances == instances);
            match same {
                Some(group) => group.asked.push(asked),
                None => found.push(Group {
                    instances,
                    asked: vec![asked],
                    judged,
                }),
            }
        }
    }
    found
}

/// Blocks that never ran and messages never sent, over all checks of a file.
#[derive(Default)]
struct NeverSeen {
    /// By what people call it: whether it was ever seen.
    seen: BTreeMap<String, bool>,
}

impl NeverSeen {
    fn note(&mut self, report: &CheckReport) {
        for instance in &report.instances {
            let machine = &instance.lowered.machine;
            for (block, ran) in machine.blocks.iter().zip(&instance.report.findings.ran) {
                let place = instance.lowered.labels.origin(block.origin);
                let line = place.map_or(String::new(), |label| format!(" (line {})", label.line));
                let name = format!(
                    "{} of {}{line}",
                    block.name,
                    machine.kinds[block.kind.index()].name
                );
                *self.seen.entry(name).or_default() |= ran;
            }
            for (record, sent) in machine.records.iter().zip(&instance.report.findings.sent) {
                if record.message {
                    *self
                        .seen
                        .entry(format!("a send of {}", record.name))
                        .or_default() |= sent;
                }
            }
        }
    }

    fn tell(&self) {
        let never: Vec<&str> = self
            .seen
            .iter()
            .filter(|(_, seen)| !**seen)
            .map(|(name, _)| &name[..])
            .collect();
        if !never.is_empty() {
            lines::aside(&format!(
                "never happened in any check: {}",
                never.join("; ")
            ));
        }
    }
}
