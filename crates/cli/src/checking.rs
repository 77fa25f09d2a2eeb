//! `check`: every check of every file, and what came out.

use crate::args::CheckArgs;
use crate::lines::{self, Mark};
use crate::never::NeverSeen;
use crate::progress::{ProgressLine, count};
use crate::verdicts::{Group, groups, sentence};
use crate::{Exit, complain, diagnostics};
use driver::{CheckReport, InstanceReport, Judgement, Loaded, Options, Part, RunFile};
use model::AnswerKind;
use picture::{Telling, Words, digest, story};
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
        let possible = report.asked[group.asked[0]].possible;
        let with = variants.join(" and ");
        let what = sentence(&names, &with, possible, &group.judged) + changed;
        let complete = matches!(
            group.judged.answer,
            AnswerKind::Holds | AnswerKind::Impossible
        );
        let covers = driver::coverage(loaded, report, &group.instances, complete);
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
                    (Answer::Unknown(why), _) => {
                        lines::detail(why);
                        growing(instance);
                    }
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
        if let (Answer::Fails(_), Some(error)) = (answer, &instance.report.findings.error)
            && let verdict::Ending::Error(error) = &error.ending
        {
            let error = picture::error_words(words, error);
            lines::detail(&format!("beside that, a run can end in an error: {error}"));
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

/// Names a channel that may be what grows without end.
fn growing(instance: &InstanceReport) {
    let Some((edge, length @ 8..)) = instance.report.findings.longest else {
        return;
    };
    let (from, to) = instance.lowered.machine.edges[edge.index()];
    let labels = &instance.lowered.labels;
    lines::detail(&format!(
        "{length} messages are on the way from {} to {} there: does that grow without end? `channel fifo(c)` bounds it",
        labels.node(from),
        labels.node(to)
    ));
}
