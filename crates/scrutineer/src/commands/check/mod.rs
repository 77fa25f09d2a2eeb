//! `check`: answers every check of every file and prints the results.

pub(crate) mod details;
pub(crate) mod slowest;

use crate::args::{CheckArgs, default_memory};
use crate::commands::check::details::{
    LineTimes, decisive, print_counts, print_deadlock, print_ended, print_state_explosion, why_not,
    with_sought,
};
use crate::commands::check::slowest::Slowest;
use crate::commands::tck;
use crate::console::lines;
use crate::console::lines::Mark;
use crate::console::progress::ProgressLine;
use crate::console::{diagnostics, interrupt};
use crate::results::junit::{Junit, Suite};
use crate::results::never::NeverSeen;
use crate::results::places::{self, Places};
use crate::results::proofs;
use crate::results::runs::{place, replayed, settings, store, title};
use crate::results::sentences::{Group, groups, sentence, word};
use crate::results::summary::{Standard, Summary};
use crate::results::unknowns::Unknowns;
use crate::results::{json, never, premises};
use crate::{Exit, complain};
use checks::{
    AuditedRun, CheckError, CheckReport, Checkpoints, Contradicted, Judged, Judgement, Loaded,
    Options, RunFile, TotalTime,
};
use lower::Lowered;
use model::AnswerKind;
use report::{Words, digest, story};
use source::Diagnostic;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use verdict::{Answer, Premise, Run, Spent, Storage};

/// Executes `check FILES…` and returns the exit code.
pub(crate) fn check(args: &CheckArgs) -> Exit {
    let files = match checks::find_models(&args.files) {
        Ok(files) => files,
        Err(error) => return complain(&error),
    };
    if let Some(result) = tck::check_if_asked(args, &files) {
        return result;
    }
    let interrupted = interrupt::listen(|| {});
    let mut all = Checking {
        args,
        options: Options {
            defines: args.defines.clone(),
            claim: args.claim.clone(),
            check: args.check.map(|number| number as usize - 1),
            time: args.time,
            total_time: None,
            memory: args.memory.or_else(default_memory),
            threads: args.threads.unwrap_or_else(checks::available_threads),
            storage: args.store,
            solver: crate::SOLVER,
            by: args.by,
            checkpoints: None,
        },
        interrupted: &interrupted,
        exit: Exit::Good,
        summary: Summary::default(),
        junit: Junit::default(),
        rendered_in_full: false,
        most_checks: 0,
        proofs: 0,
        slowest: Slowest::default(),
    };
    if let Err(problem) = all.with_checkpoints(&files) {
        return complain(&problem);
    }
    if let Some(total) = args.total_time {
        let checks = all.count_checks(&files);
        all.options.total_time = Some(Arc::new(TotalTime::new(total, checks)));
    }
    if args.json {
        let exit = json::all(&all.options, &files, &interrupted, args.junit.as_deref());
        all.end_checkpoints();
        return exit;
    }
    let mut claims = Vec::new();
    for file in &files {
        match all.load(file) {
            Ok(Ok(loaded)) => {
                claims.extend(loaded.model.claims.iter().map(|c| c.name.clone()));
                all.file(&loaded);
                if all.exit == Exit::Contradiction {
                    break;
                }
            }
            Ok(Err(error)) => {
                all.exit = all.exit.and(complain(&error));
                all.summary.file();
                all.junit.problem(&file.display().to_string(), &error);
            }
            Err(spent) => {
                let name = file.display().to_string();
                all.exit = all.exit.and(diagnostics::not_read(&name, &spent));
                all.summary.file();
                all.junit.problem(&name, "not read within the limits");
            }
        }
    }
    if let Some(path) = &args.junit {
        all.exit = all.exit.and(all.junit.write(path));
    }
    all.end(&claims)
}

/// The time between two checkpoints if `--checkpoint` does not set one.
const DEFAULT_INTERVAL: std::time::Duration = std::time::Duration::from_secs(5 * 60);

struct Checking<'a> {
    args: &'a CheckArgs,
    options: Options,
    interrupted: &'a AtomicBool,
    exit: Exit,
    summary: Summary,
    junit: Junit,
    /// Whether a run was already shown in full. After that, runs that were expected are shown as a digest.
    rendered_in_full: bool,
    /// The greatest number of checks in one file.
    most_checks: usize,
    /// The number of proofs stored for the current file.
    proofs: usize,
    slowest: Slowest,
}

impl Checking<'_> {
    /// Reads a model within the limits of a check.
    fn load(&self, file: &Path) -> Result<Result<Loaded, String>, Spent> {
        let Options { time, memory, .. } = self.options;
        checks::load_within(file, time, memory, self.interrupted)
    }

    fn file(&mut self, loaded: &Loaded) {
        let name = loaded.sources.name(loaded.file).to_string();
        diagnostics::print(&loaded.sources, &loaded.diagnostics);
        if loaded.has_errors() {
            let errors = lines::many(loaded.diagnostics.len() as u64, "problem");
            anstream::println!("{name}: not checked: {errors}, see above");
            self.exit = self.exit.and(Exit::Wrong);
            self.summary.file();
            self.junit.problem(&name, &loaded.diagnostics[0].message);
            return;
        }
        if let Some(problem) = self.undefined(loaded) {
            self.exit = self.exit.and(complain(&problem));
            self.summary.file();
            self.junit.problem(&name, &problem);
            return;
        }
        anstream::println!("{name}");
        self.most_checks = self.most_checks.max(loaded.model.checks.len());
        places::remove_stale(&self.args.out, loaded);
        let mut assumed: Option<String> = None;
        let mut never = NeverSeen::default();
        let mut reported: Vec<Diagnostic> = Vec::new();
        let mut suite = Suite::default();
        for number in 0..loaded.model.checks.len() {
            let title = format!("check {} of {}", number + 1, loaded.model.checks.len());
            let mut progress = ProgressLine::new(title, self.options.memory);
            let mut watcher = |p: &verdict::Progress| progress.update(p);
            let result = checks::check(
                loaded,
                number,
                &self.options,
                self.interrupted,
                &mut watcher,
            );
            drop(progress);
            self.print_checkpoint_notes();
            match result {
                Ok(None) => {}
                Ok(Some(report)) => {
                    let assumptions = checks::assumptions(loaded, &report);
                    if let Some(before) = assumed.replace(assumptions.clone())
                        && before != assumptions
                    {
                        lines::aside(&format!("assumed: {before}"));
                    }
                    self.slowest.add(loaded, &report);
                    self.report(loaded, &report);
                    suite.check(loaded, &report);
                    never.note(&report);
                }
                Err(CheckError::Contradiction(found)) => {
                    self.exit =
                        self.exit
                            .and(contradiction(&found, &self.args.out, loaded, number));
                    self.summary.check(Exit::Contradiction, Standard::Nothing);
                    suite.problem(&found.to_string());
                    break;
                }
                Err(CheckError::Problems(mut problems)) => {
                    problems.retain(|problem| !reported.contains(problem));
                    diagnostics::print(&loaded.sources, &problems);
                    reported.extend(problems);
                    self.exit = self.exit.and(Exit::Wrong);
                    self.summary.check(Exit::Wrong, Standard::Nothing);
                    suite.problem("a check could not be asked");
                }
            }
        }
        if let Some(assumed) = assumed {
            lines::aside(&format!("assumed: {assumed}"));
        } else if loaded.model.checks.is_empty() {
            lines::aside("there is no check in this file");
        }
        let proofs = std::mem::take(&mut self.proofs);
        if proofs > 0 {
            let folder = checks::out_folder(&self.args.out, loaded);
            lines::aside(&format!(
                "{}: scrutineer audit {}",
                lines::many(proofs as u64, "proof"),
                folder.join("*.proof").display()
            ));
        }
        never.print();
        if self.options.claim.is_none() && self.options.check.is_none() {
            never::print_unasked(loaded);
        }
        self.junit.add(&name, suite);
    }

    /// If the call asks for checkpoints, verifies the existing checkpoint files before any search starts.
    fn with_checkpoints(&mut self, files: &[std::path::PathBuf]) -> Result<(), String> {
        let every = match (self.args.checkpoint, self.args.resume) {
            (Some(every), _) => every,
            (None, true) => DEFAULT_INTERVAL,
            (None, false) => return Ok(()),
        };
        if let Some(Storage::Hashes(_)) = self.args.store {
            return Err("--store hashes: of visited states only hashes are kept, which is nothing to go on from; leave out \
                        --checkpoint and --resume, or write --store compressed"
                .into());
        }
        let checkpoints = Checkpoints::new(&self.args.out, every);
        // A file that cannot be loaded is reported later, when it is checked.
        let loaded: Vec<Loaded> = { files.iter() }
            .filter_map(|file| self.load(file).ok()?.ok())
            .collect();
        checkpoints.look(&loaded, &self.options, self.args.resume)?;
        self.options.checkpoints = Some(Arc::new(checkpoints));
        self.print_checkpoint_notes();
        Ok(())
    }

    /// The number of checks of all files that this call answers.
    fn count_checks(&self, files: &[std::path::PathBuf]) -> u32 {
        let loaded = files.iter().filter_map(|file| self.load(file).ok()?.ok());
        let asked = loaded.map(|loaded| {
            let checks = 0..loaded.model.checks.len();
            let asked = checks.filter(|number| checks::is_asked(&loaded, *number, &self.options));
            asked.count() as u32
        });
        asked.sum()
    }

    /// Prints the messages about checkpoints that have not been printed yet.
    fn print_checkpoint_notes(&self) {
        let notes = self.options.checkpoints.iter().flat_map(|c| c.notes());
        for (important, note) in notes {
            match important {
                true => anstream::eprintln!(
                    "{}warning{}: {note}",
                    lines::YELLOW.render(),
                    lines::YELLOW.render_reset()
                ),
                false if self.args.verbose && !self.args.json => lines::aside(&format!("  {note}")),
                false => {}
            }
        }
    }

    /// Removes the checkpoint files if all searches finished; otherwise says where they are.
    fn end_checkpoints(&self) {
        self.print_checkpoint_notes();
        let left = self.options.checkpoints.as_ref().map_or(0, |c| c.end());
        if left > 0 {
            let left = lines::many(left as u64, "checkpoint");
            anstream::eprintln!(
                "{left} in {}: the same call with --resume goes on from there",
                self.args.out.display()
            );
        }
    }

    /// The message about a parameter that `-D` sets but the model does not have; `None` if there is no such parameter.
    fn undefined(&self, loaded: &Loaded) -> Option<String> {
        let (unknown, nearest) = checks::unknown_parameter(loaded, &self.options.defines)?;
        let names = loaded.model.params.iter().map(|param| &param.name[..]);
        let names: Vec<&str> = names.collect();
        let hint = match nearest {
            Some(near) => format!("; did you mean `{near}`?"),
            None if names.is_empty() => ", which has none".into(),
            None => format!("; it has `{}`", names.join("`, `")),
        };
        let (file, name) = (loaded.sources.name(loaded.file), &unknown.name);
        let value = &unknown.value;
        Some(format!(
            "-D {name}={value}: there is no parameter `{name}` in {file}{hint}"
        ))
    }

    fn report(&mut self, loaded: &Loaded, report: &CheckReport) {
        let judged = checks::judge(loaded, report);
        let all = judged.iter().flatten();
        let worst = all.fold(Exit::Good, |exit, j| exit.and(Exit::of(j.judgement)));
        let open = |j: &Judged| {
            j.expected.is_none() && matches!(j.answer, AnswerKind::Impossible | AnswerKind::Value)
        };
        let by = match judged.iter().flatten().any(open) {
            _ if report.changed => Standard::Changed,
            true => Standard::Nothing,
            false => Standard::Expectation,
        };
        self.summary.check(worst, by);
        self.exit = self.exit.and(worst);
        let mut places = Places::new(&self.args.out, loaded, report);
        for asked in &report.asked {
            places.remove_old(asked);
        }
        let mut times = LineTimes::of(report);
        for group in groups(report, &judged) {
            self.group(loaded, report, &group, times.next(&group), &mut places);
        }
        print_state_explosion(loaded, report);
        print_ended(loaded, report, self.args);
        if self.args.verbose {
            print_counts(report);
        }
        match proofs::store(loaded, report, &judged, &mut places, self.args.verbose) {
            Ok(stored) => self.proofs += stored,
            Err(error) => self.exit = self.exit.and(complain(&error)),
        }
        if worst == Exit::Good
            && judged
                .iter()
                .flatten()
                .all(|j| j.answer == AnswerKind::Holds)
        {
            print_deadlock(report);
        }
    }

    fn group(
        &mut self,
        loaded: &Loaded,
        report: &CheckReport,
        group: &Group,
        time: Option<f64>,
        places: &mut Places,
    ) {
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
        let asked = &report.asked[group.asked[0]];
        let what = sentence(&names, &variants, asked, &group.judged) + changed;
        let (first, complete) = (group.asked[0], group.is_complete());
        let covers = checks::coverage(loaded, report, &group.instances, first, complete);
        lines::verdict(mark, &what, &covers, time);
        match group.judged.premise {
            Some(Premise::Never) => {
                let unmet = match group.judged.expected {
                    Some(expected) if group.judged.judgement != Judgement::Good => {
                        format!(", and `expect {}` is not met", word(expected))
                    }
                    _ => String::new(),
                };
                lines::detail(&format!(
                    "vacuous: its premise is true in no state, so the claim says nothing{unmet}"
                ));
                let wanted = report.wanted[group.asked[0]];
                lines::detail(&premises::advice(loaded, report.number, wanted));
            }
            Some(Premise::Open) => {
                lines::detail("it holds, but it is not known whether its premise can ever be true")
            }
            Some(Premise::Met) | None => {}
        }
        // Of all runs of the group, the shortest one is shown.
        let mut with_run: Vec<(usize, usize, &Run, &AuditedRun)> = Vec::new();
        let mut unknowns = Unknowns::default();
        for (i, asked) in decisive(report, group) {
            let instance = &report.instances[i];
            let answer = &instance.report.results[asked].answer;
            if let (Some(run), Some(part)) = (answer.run(), &instance.parts[asked]) {
                with_run.push((i, asked, run, part));
            }
            if let Answer::Unknown(why) = answer {
                unknowns.add(instance, why);
            }
        }
        unknowns.print();
        let mut known = with_run.iter();
        if let Some(reference) = known.find_map(|(i, _, run, _)| places.reference(*i, run)) {
            lines::detail(&reference);
            return;
        }
        if let Some((i, asked, run, part)) = with_run
            .into_iter()
            .min_by_key(|(_, _, run, _)| run.choices.len())
        {
            let good = group.judged.judgement == Judgement::Good;
            let why_not = why_not(&report.asked[asked], &group.judged);
            if let Some(why_not) = &why_not {
                lines::detail(why_not);
            }
            let what = why_not.unwrap_or(what);
            self.print_run(
                loaded,
                report,
                (i, asked),
                (run, part),
                (&what, good),
                places,
            );
        }
    }

    fn print_run(
        &mut self,
        loaded: &Loaded,
        report: &CheckReport,
        at: (usize, usize),
        (run, part): (&Run, &AuditedRun),
        (what, good): (&str, bool),
        places: &mut Places,
    ) {
        let (i, asked) = at;
        let instance = &report.instances[i];
        let Lowered {
            machine, labels, ..
        } = &instance.lowered;
        let labels = &labels.in_instance(machine, &run.frozen);
        let words = Words { machine, labels };
        let replayed = replayed(words, run, part);
        let answer = &instance.report.results[asked].answer;
        let expected = matches!(answer, Answer::Possible(_)) || good;
        let settings = settings(&instance.request);
        let settings = with_sought(loaded, (report, instance, asked), answer, settings, words);
        let place = place(settings, words, run);
        let brief = expected
            && (self.rendered_in_full || matches!(answer, Answer::Possible(_)))
            && !self.args.verbose;
        if brief {
            for line in digest(&replayed) {
                lines::detail(&line);
            }
        } else {
            self.rendered_in_full = true;
            if !place.is_empty() {
                lines::detail(&format!("with {place}"));
            }
            for line in story(&replayed) {
                lines::detail(&line);
            }
        }
        if let (Answer::Fails(_), Some(run)) = (answer, &instance.report.findings.error)
            && let verdict::Ending::Error(error) = &run.ending
        {
            let error = report::error_words(words, error, run.choices.last());
            lines::detail(&format!("beside that, a run can end in an error: {error}"));
        }
        let title = title(what, &place);
        let fair = !loaded.model.checks[report.number].unfair;
        let asks = report.asked[asked].text.clone();
        if let Some(file) = RunFile::new(title, asks, fair, asked, &instance.lowered, answer) {
            let path = places.take(&report.asked[asked], instance, "run");
            match store(&file, &replayed, &path) {
                Ok(line) => lines::aside(&format!("  {line}")),
                Err(error) => self.exit = self.exit.and(complain(&error.why)),
            }
            if matches!(answer, Answer::Error(_)) {
                places.record(i, run, &report.asked[asked], path);
            }
        }
    }

    /// Prints the last lines and returns the exit code. If `--claim` names a claim that no check asks about, this is an
    /// error of the call, unless another error was already reported.
    fn end(mut self, claims: &[String]) -> Exit {
        self.end_checkpoints();
        let asked = !self.summary.is_empty() || self.exit != Exit::Good;
        if let (false, Some(only)) = (asked, self.args.check) {
            let most = self.most_checks;
            let about = match &self.options.claim {
                Some(claim) if only as usize <= most => {
                    format!("check {only} does not ask about `{claim}`")
                }
                _ => format!(
                    "there is no check {only}: {}",
                    lines::many(most as u64, "check")
                ),
            };
            self.exit = self.exit.and(complain(&about));
            return self.exit;
        }
        if let (false, Some(only)) = (asked, &self.options.claim) {
            let known = claims.iter().map(String::as_str);
            let hint = match model::nearest(only, known) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            self.exit = self.exit.and(complain(&format!(
                "no check asks about a claim `{only}`{hint}"
            )));
            return self.exit;
        }
        if self.args.verbose {
            std::mem::take(&mut self.slowest).print();
        }
        let summary = self.summary.text();
        if !summary.is_empty() {
            anstream::println!("{summary}");
        }
        if self.interrupted.load(Ordering::Relaxed) {
            anstream::println!("interrupted: what is marked ? was not finished");
        }
        self.exit
    }
}

/// Reports that two methods contradict each other, and stores the evidence of both.
pub(crate) fn contradiction(
    found: &Contradicted,
    out: &Path,
    loaded: &Loaded,
    number: usize,
) -> Exit {
    complain(&found.to_string());
    let folder = checks::out_folder(out, loaded);
    match found.store(&folder, &(number + 1).to_string()) {
        Ok(paths) => paths
            .iter()
            .for_each(|path| lines::aside(&format!("  stored: {}", path.display()))),
        Err(error) => {
            complain(&error);
        }
    }
    Exit::Contradiction
}
