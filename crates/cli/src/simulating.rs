//! `simulate`: many random runs of what each check is about, and how often what happens.

use crate::args::SimulateArgs;
use crate::lines::{self, Mark};
use crate::progress::ProgressLine;
use crate::running::draw_seed;
use crate::statistics::{Sorted, bars, percent, short};
use crate::telling::{all_settings, place, settings, store, telling, title};
use crate::{Exit, complain, diagnostics, interrupt};
use driver::{Effort, Limits, Loaded, Options, RunFile, Simulated, Simulation, Tally};
use model::{AnswerKind, Constant, Environment, evaluate};
use picture::{Words, histogram};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use verdict::Answer;

/// `simulate MODEL`.
pub(crate) fn simulate(args: &SimulateArgs) -> Exit {
    let loaded = match diagnostics::load(&args.model) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let name = loaded.sources.name(loaded.file);
    let count = loaded.model.checks.len();
    let checks = match args.check {
        _ if count == 0 => {
            return complain(&format!(
                "{name} has no check, and a simulation looks at what checks ask; `scrutineer run {name}` shows \
                 one run"
            ));
        }
        None => 0..count,
        Some(number) if (1..=count).contains(&number) => number - 1..number,
        Some(number) => {
            let checks = if count == 1 { "check" } else { "checks" };
            return complain(&format!(
                "{name} has {count} {checks}; there is no check {number}"
            ));
        }
    };
    let interrupted = interrupt::listen(|| {});
    let mut all = Simulating {
        args,
        seed: args.seed.unwrap_or_else(draw_seed),
        loaded: &loaded,
        interrupted: &interrupted,
        exit: Exit::Good,
        said: false,
    };
    let runs = args.runs;
    let seed = all.seed;
    anstream::println!("{name}, simulated: {runs} random runs each, seed {seed}");
    for number in checks {
        all.check(number);
    }
    all.end()
}

struct Simulating<'a> {
    args: &'a SimulateArgs,
    loaded: &'a Loaded,
    seed: u64,
    interrupted: &'a AtomicBool,
    exit: Exit,
    /// Something was looked at.
    said: bool,
}

impl Simulating<'_> {
    fn check(&mut self, number: usize) {
        let since = Instant::now();
        let options = Options {
            defines: self.args.defines.clone(),
            claim: self.args.claim.clone(),
            ..Options::default()
        };
        let effort = Effort {
            runs: self.args.runs,
            seed: self.seed,
            steps: self.args.steps,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        };
        let count = self.loaded.model.checks.len();
        let mut progress = ProgressLine::new(format!("check {} of {count}", number + 1));
        let mut watcher = |p: &verdict::Progress| progress.runs(p);
        let limits = Limits {
            since,
            time: self.args.time,
            memory: None,
            interrupted: self.interrupted,
            watcher: RefCell::new(&mut watcher),
        };
        let simulated = driver::simulate(self.loaded, number, &options, &effort, &limits);
        drop(progress);
        match simulated {
            Ok(None) => {}
            Ok(Some(simulation)) => {
                self.said = true;
                self.report(&simulation);
            }
            Err(problems) => {
                self.said = true;
                diagnostics::print(&self.loaded.sources, &problems);
                self.exit = self.exit.and(Exit::Wrong);
            }
        }
    }

    fn report(&mut self, simulation: &Simulation) {
        for instance in &simulation.instances {
            for asked in 0..simulation.asked.len() {
                let told = Told {
                    loaded: self.loaded,
                    simulation,
                    instance,
                    asked,
                };
                let exit = told.all(&self.args.out);
                self.exit = self.exit.and(exit);
            }
        }
        if let Some(spent) = &simulation.spent {
            lines::aside(&format!("not all runs were made: {spent}"));
            self.exit = self.exit.and(Exit::Unknown);
        }
    }

    fn end(self) -> Exit {
        if let (false, Some(only)) = (self.said, &self.args.claim) {
            let known = self.loaded.model.claims.iter().map(|c| &c.name[..]);
            let hint = match model::nearest(only, known) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            return complain(&format!("no check asks about a claim `{only}`{hint}"));
        }
        lines::aside(
            "a simulation finds runs and counts them; it proves nothing: `scrutineer check` looks at all runs",
        );
        self.exit
    }
}

/// What is told of something asked about one instance.
struct Told<'a> {
    loaded: &'a Loaded,
    simulation: &'a Simulation,
    instance: &'a Simulated,
    asked: usize,
}

impl Told<'_> {
    fn all(&self, out: &Path) -> Exit {
        let what = self.what();
        let (contradicts, expected) = self.contradicts();
        let mark = if contradicts {
            Mark::Bad
        } else {
            Mark::Unknown
        };
        lines::verdict(mark, &format!("{what}{expected}"), &self.covers(), None);
        match self.is_sought() {
            true => self.sought(),
            false => self.plain(),
        }
        self.errors();
        let mut exit = if contradicts { Exit::Bad } else { Exit::Good };
        let stem = self.stem(out);
        for path in [stem.with_extension("run"), stem.with_extension("html")] {
            let _ = std::fs::remove_file(path); // if there is one, it is of an earlier simulation
        }
        if self.is_sought() {
            exit = exit.and(self.draw(&stem));
        }
        exit.and(self.store(&stem))
    }

    fn tally(&self) -> &Tally {
        &self.instance.tallies[self.asked]
    }

    fn text(&self) -> &str {
        &self.simulation.asked[self.asked].text
    }

    /// Whether runs were asked which values they allow.
    fn is_sought(&self) -> bool {
        let tally = self.tally();
        self.simulation.greatest.is_some() && (!tally.values.is_empty() || tally.beyond > 0)
    }

    /// The name of what is sought.
    fn sought_name(&self) -> &str {
        let sought = self.simulation.asked[self.asked].sought.as_ref();
        sought.map_or("x", |(name, _)| &name[..])
    }

    fn sought_word(&self) -> &'static str {
        match self.simulation.greatest {
            Some(true) => "greatest",
            _ => "least",
        }
    }

    /// What was seen.
    fn what(&self) -> String {
        let (text, tally, runs) = (self.text(), self.tally(), self.instance.runs);
        let check = &self.loaded.model.checks[self.simulation.number];
        let variants = check.variants.iter();
        let variants = variants.map(|v| &self.loaded.model.variants[v.index()].name[..]);
        let mut with = variants.collect::<Vec<_>>().join(" and ");
        if !with.is_empty() {
            with += ": ";
        }
        if self.is_sought() {
            return format!(
                "{with}{} {} for {text}",
                self.sought_word(),
                self.sought_name()
            );
        }
        match (self.simulation.asked[self.asked].possible, tally.hits) {
            (true, 0) => format!("{with}{text} was not reached in {runs} runs"),
            (true, hits) => format!("{with}{text} was reached in {hits} of {runs} runs"),
            (false, 0) => format!("{with}{text} did not fail in {runs} runs"),
            (false, hits) => format!("{with}{text} failed in {hits} of {runs} runs"),
        }
    }

    /// Parameters, and how long the runs are.
    fn covers(&self) -> String {
        let mut parts = Vec::new();
        let check = &self.loaded.model.checks[self.simulation.number];
        if let Some(world) = check.world {
            parts.push(format!(
                "in {}",
                self.loaded.model.worlds[world.index()].name
            ));
        }
        let set = settings(&self.instance.request);
        let open = all_settings(self.loaded, &self.instance.request);
        let open = open.split(", ").filter(|one| {
            let name = one.split(" = ").next().unwrap_or("");
            self.instance.open.iter().any(|o| o == name) && one.ends_with("(default)")
        });
        parts.extend([set].into_iter().filter(|s| !s.is_empty()));
        parts.extend(open.map(String::from));
        parts.push(format!("at most {} events", self.instance.steps));
        parts.join(", ")
    }

    fn plain(&self) {
        let (tally, runs) = (self.tally(), self.instance.runs);
        let judged = runs - tally.undecided;
        if tally.undecided > 0 {
            lines::detail(&format!(
                "{} of them went on at the end, and the claim is about what they do later: they say nothing",
                tally.undecided
            ));
        }
        if judged == 0 {
            return;
        }
        let (low, high) = driver::confidence(tally.hits, judged);
        let share = percent(tally.hits as f64 / judged as f64);
        let possible = self.simulation.asked[self.asked].possible;
        let does = if possible { "reach it" } else { "fail" };
        lines::detail(&match tally.hits {
            0 => format!(
                "with 95 % confidence at most {} of such runs {does}",
                percent(high)
            ),
            _ => format!(
                "{share}; with 95 % confidence {} to {} of such runs {does}",
                percent(low),
                percent(high)
            ),
        });
    }

    fn sought(&self) {
        let (tally, name) = (self.tally(), self.sought_name());
        let word = self.sought_word();
        lines::detail(&format!("the {word} {name} that a run allows:"));
        for line in bars(&self.value_bins()) {
            lines::detail(&format!("  {line}"));
        }
        if let Some(line) = self.values().line("at most", "most") {
            lines::detail(&line);
        }
        if let Some(value) = tally.kept.as_ref().and_then(|kept| kept.value) {
            let bound = match self.simulation.greatest {
                Some(true) => format!("at most {}", value - 1),
                _ => format!("at least {}", value + 1),
            };
            lines::detail(&format!(
                "a run breaks it for {name} = {value}: the {word} {name} for all runs is {bound}"
            ));
        }
        let unit = self.unit();
        let settled = Sorted::new(tally.settled.clone());
        let first = self.first_value();
        if let Some(line) = settled.line("by", "latest") {
            lines::detail(&format!(
                "with {name} = {first} it stays true from ({unit}): {line}"
            ));
            for line in bars(&settled.bins()) {
                lines::detail(&format!("  {line}"));
            }
        }
        if tally.unsettled > 0 {
            lines::detail(&format!(
                "with {name} = {first} it is false at the end of {} runs",
                tally.unsettled
            ));
        }
    }

    /// The value that is tried first.
    fn first_value(&self) -> i64 {
        self.tally().first
    }

    fn unit(&self) -> String {
        let machine = &self.instance.lowered.machine;
        match (machine.has_time(), &self.instance.lowered.labels.unit) {
            (true, Some(unit)) => unit.clone(),
            (true, None) => "time".into(),
            (false, _) => "events".into(),
        }
    }

    fn values(&self) -> Sorted {
        let values = self.tally().values.iter();
        let all =
            values.flat_map(|(value, count)| std::iter::repeat_n(*value as f64, *count as usize));
        Sorted::new(all.collect())
    }

    /// How many runs allow which value.
    fn value_bins(&self) -> Vec<(String, u64)> {
        let tally = self.tally();
        let ends = tally.values.keys().next().zip(tally.values.keys().last());
        let mut bins: Vec<(String, u64)> = match ends {
            Some((low, high)) => (*low..=*high)
                .map(|value| {
                    let count = tally.values.get(&value).copied().unwrap_or(0);
                    (value.to_string(), count)
                })
                .collect(),
            None => Vec::new(),
        };
        if tally.beyond > 0 {
            bins.push(("none".into(), tally.beyond));
        }
        bins
    }

    fn errors(&self) {
        let (tally, runs) = (self.tally(), self.instance.runs);
        if tally.errors > 0 {
            lines::detail(&format!(
                "{} of {runs} runs ended in an error of the model before",
                tally.errors
            ));
        }
    }

    /// Whether what was seen cannot be if `expect` is right, or is bad where nothing is expected; and what to
    /// say about it.
    fn contradicts(&self) -> (bool, String) {
        let (tally, simulation) = (self.tally(), self.simulation);
        let check = &self.loaded.model.checks[simulation.number];
        let expected = match (&check.expect[..], simulation.changed) {
            (_, true) | ([], _) => None,
            ([one], _) => Some(one),
            (many, _) => many.get(simulation.wanted[self.asked]),
        };
        let possible = simulation.asked[self.asked].possible;
        let Some(expected) = expected else {
            let bad = tally.errors > 0 || (tally.hits > 0 && !possible);
            return (bad, String::new());
        };
        let broken = tally.kept.as_ref().and_then(|kept| kept.value);
        let contradiction = match expected.kind {
            AnswerKind::Holds => tally.hits > 0 || tally.errors > 0,
            AnswerKind::Impossible => tally.hits > 0,
            AnswerKind::Value => match (self.expected_number(expected), broken) {
                (Some(wanted), Some(broken)) if simulation.greatest == Some(true) => {
                    broken <= wanted
                }
                (Some(wanted), Some(broken)) => broken >= wanted,
                _ => false,
            },
            _ => false,
        };
        let words = match contradiction {
            true => format!(", but `expect` says {}", self.expected_words(expected)),
            false => String::new(),
        };
        (contradiction, words)
    }

    fn expected_number(&self, expected: &model::Answer) -> Option<i64> {
        let params = self.instance.request.params.iter().cloned().map(Some);
        let params: Vec<_> = params.collect();
        let env = Environment::new(&self.loaded.model, &params);
        match evaluate(&expected.value.as_ref()?.value, &env) {
            Ok(Constant::Int(number)) => Some(number),
            _ => None,
        }
    }

    fn expected_words(&self, expected: &model::Answer) -> String {
        crate::verdicts::said(expected.kind, self.expected_number(expected))
    }

    /// Where something about this is put, without its ending.
    fn stem(&self, out: &Path) -> PathBuf {
        let text = self.text().chars();
        let mut name: String = match self.simulation.asked[self.asked].possible {
            true => "possible".into(),
            false => text
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect(),
        };
        if self.simulation.instances.len() > 1 || self.simulation.spent.is_some() {
            for (param, value) in &self.instance.request.set {
                let value = value.split_whitespace().collect::<String>();
                name += &format!("-{param}-{}", value.replace('/', "over"));
            }
        }
        let folder = out.join(self.loaded.stem());
        folder.join(format!("simulated-{}-{name}", self.simulation.number + 1))
    }

    /// Draws the histograms.
    fn draw(&self, stem: &Path) -> Exit {
        let (text, name) = (self.text(), self.sought_name());
        let word = self.sought_word();
        let runs = self.instance.runs;
        let place = self.covers();
        let settled = Sorted::new(self.tally().settled.clone());
        let values = histogram(
            &format!("The {word} {name} that a run allows: {text}, {place}, {runs} runs"),
            name,
            &self.value_bins(),
            &[],
        );
        let mut drawn = vec![("values", values)];
        if settled.line("by", "latest").is_some() {
            let marks = [("median", 0.5), ("95 %", 0.95)].map(|(label, share)| picture::Mark {
                at: settled.place(settled.quantile(share)),
                label: format!("{label}: {}", short(settled.quantile(share))),
            });
            let title = format!(
                "From when on {text} stays true with {name} = {}: {place}, {runs} runs",
                self.first_value()
            );
            let times = histogram(&title, &self.unit(), &settled.bins(), &marks);
            drawn.push(("settled", times));
        }
        let mut said = Vec::new();
        for (what, svg) in drawn {
            let file = stem.file_name().unwrap_or_default().to_string_lossy();
            let path = stem.with_file_name(format!("{file}-{what}.svg"));
            let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            if let Err(error) = folder.and_then(|()| std::fs::write(&path, svg)) {
                return complain(&format!("cannot write {}: {error}", path.display()));
            }
            said.push(path.display().to_string());
        }
        lines::aside(&format!("  histograms: {}", said.join(", ")));
        Exit::Good
    }

    /// Stores the run that is kept.
    fn store(&self, stem: &Path) -> Exit {
        let (Some(kept), instance) = (&self.tally().kept, self.instance) else {
            return Exit::Good;
        };
        if let Answer::Unknown(why) = &kept.answer {
            return complain(why);
        }
        let (Some(run), Some(part)) = (kept.answer.run(), &instance.parts[self.asked]) else {
            return Exit::Good;
        };
        let words = Words {
            machine: &instance.lowered.machine,
            labels: &instance.lowered.labels,
        };
        let what = match (&kept.answer, kept.value) {
            (Answer::Error(_), _) => format!("{}: error in run {}", self.text(), kept.number),
            (Answer::Possible(_), _) => format!("{} reached in run {}", self.text(), kept.number),
            (_, Some(value)) => format!(
                "{} fails for {} = {value} in run {}",
                self.text(),
                self.sought_name(),
                kept.number
            ),
            _ => format!("{} fails in run {}", self.text(), kept.number),
        };
        let told = telling(words, run, part);
        let place = place(settings(&instance.request), words, run);
        let fair = !self.loaded.model.checks[self.simulation.number].unfair;
        let file = RunFile::new(
            title(&format!("{what} of a simulation"), &place),
            self.text().to_string(),
            fair,
            kept.property,
            &instance.lowered,
            &kept.answer,
        );
        let Some(file) = file else {
            return Exit::Good;
        };
        let events = match run.choices.len() {
            1 => "1 event".to_string(),
            count => format!("{count} events"),
        };
        lines::detail(&format!("{what}, after {events}"));
        match store(&file, &told, &stem.with_extension("run")) {
            Ok(line) => lines::aside(&format!("  {line}")),
            Err(error) => return complain(&error.why),
        }
        Exit::Good
    }
}
